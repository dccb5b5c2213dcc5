"""The main story on the older major too: written, recalled, corrected, explained and forgotten over HTTP."""

from __future__ import annotations

import pytest

from app.embedded import Addresses
from tests.conftest import SharedEmbedder, running, settings_for
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio


async def test_the_main_story(request: pytest.FixtureRequest, server: Addresses, embedder: SharedEmbedder) -> None:
    major = "16" if "postgres_16" in request.node.name else "18"
    assert (await ask_now(server.app_url, "show server_version"))[0][0].startswith(major)
    async for service in running(settings_for(server), embedder):
        assert (await service.http.get("/readyz")).status_code == 200
        ada = (await service.tenant()).user("ada")
        said = await ada.write("I live in Munich. Please always answer me in short sentences. Thanks!")
        assert (said["counts"]["stored"], said["counts"]["dropped"]) == (2, 1)
        moved = await ada.write("I moved to Berlin.", metadata={"project": "apollo"}, session_id="s")
        assert moved["counts"]["superseded"] == 1
        recalled = await ada.recall("Where does the user live?", k=1, trace=True)
        assert [memory["content"] for memory in recalled["memories"]] == ["User lives in Berlin"]
        assert "short sentences" in recalled["context"]["text"]
        assert recalled["trace"]["excluded"]["superseded"] == 1
        filtered = await ada.recall("Where?", filters={"metadata.project": "apollo", "importance": {"gte": 1}})
        assert [memory["content"] for memory in filtered["memories"]] == ["User lives in Berlin"]
        past = await ada.recall("Where does the user live?", include=["superseded"])
        assert {memory["value"] for memory in past["memories"]} >= {"Munich", "Berlin"}
        berlin = recalled["memories"][0]["id"]
        explained = await ada.explain(memory_id=berlin)
        assert [step["content"] for step in explained["history"]] == ["User lives in Munich", "User lives in Berlin"]
        why = await ada.explain(recall_id=recalled["recall_id"], memory_id=explained["history"][0]["memory_id"])
        assert why["reason"]["code"] == "superseded"
        patched = await ada.ok("PATCH", f"/memories/{berlin}", {"content": "User lives in Potsdam"})
        assert patched["supersedes"] == [berlin]
        assert len((await ada.call("GET", "/memories/export")).text.splitlines()) == 4
        preview = await ada.forget(query="Potsdam", dry_run=True)
        receipt = await ada.forget(preview_token=preview["preview_token"])
        assert receipt["erased"]["memories"] == 3
        checked = await ada.ok("GET", f"/forget/{receipt['receipt_id']}")
        assert checked["residue"]["clean"]
        assert [memory["kind"] for memory in await ada.stored()] == ["procedural"]
        assert (await ada.forget(everything=True))["matched"] == 1
        assert await ada.stored() == []
