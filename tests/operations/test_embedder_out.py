"""Without its embedder the service goes on by words, says so, and makes up for it afterwards (field report L4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from app.embedded import Addresses
from app.services.startup import StartupFault
from tests.conftest import Service, Tenant, User, running, settings_for
from tests.operations.conftest import Scripted
from tests.operations.doubles import ScriptedEmbedder
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio

_VECTORS = (
    "select content, embedding_model, embedding_dimension, embedding::text as vector from memories "
    "where tenant_id = $1 order by content"
)


async def vectors_of(addresses: Addresses, user: User) -> list[Any]:
    return await ask_now(addresses.superuser_url, _VECTORS, user.tenant.id)


async def filled(scripted: Scripted, user: User) -> int:
    """Let upkeep fill in the vectors of one user; tells how many."""
    lethe = scripted.service.lethe
    return await lethe.maintenance.fill_vectors(lethe.auth._sealing.owner(user.tenant.id, user.id))


@pytest.mark.parametrize("kind", ["timeout", "refused", "status", "shape", "nan", "zero", "open", "closed", "model"])
async def test_an_outage_loses_no_write_and_blinds_no_recall(
    scripted: Scripted, scripted_database: Addresses, kind: str
) -> None:
    user = (await scripted.service.tenant()).user("ada")
    await user.write("I live in Berlin.")
    scripted.embedder.fault = kind
    said = await user.write("My brother lives in Oslo.")
    assert said["degraded"] == ["embedder"]
    assert said["counts"]["stored"] == 1
    found = await user.recall("brother Oslo")
    assert found["degraded"] == ["embedder"]
    assert found["memories"][0]["content"] == "User's brother lives in Oslo"
    assert {memory["scores"]["vector"] for memory in found["memories"]} == {None}
    bare = [row["content"] for row in await vectors_of(scripted_database, user) if row["vector"] is None]
    assert bare == ["User's brother lives in Oslo"]
    # every other verb, too
    stored = await user.stored()
    await user.explain(question="Where does the brother live?")
    await user.explain(memory_id=stored[0]["id"])
    await user.ok("PATCH", f"/memories/{stored[0]['id']}", {"content": "User's brother lives in Bergen"})
    preview = await user.forget(query="Bergen", dry_run=True, min_score=0.0)
    assert preview["matched"] >= 1
    numbers = (await scripted.service.http.get("/metrics")).text
    assert f'lethe_provider_errors_total{{kind="{kind}",provider="embedder"}}' in numbers
    # upkeep during the outage changes nothing, and is no fault
    await filled(scripted, user)
    assert any(row["vector"] is None for row in await vectors_of(scripted_database, user))
    scripted.embedder.fault = None
    assert await filled(scripted, user) >= 2
    for row in await vectors_of(scripted_database, user):
        assert (row["embedding_model"], row["embedding_dimension"]) == ("scripted", 64)
    found = await user.recall("brother Bergen")
    assert found["degraded"] == []
    assert found["memories"][0]["scores"]["vector"] > 0


async def test_a_verdict_does_not_depend_on_the_embedder(scripted: Scripted) -> None:
    texts = "I live in Berlin. I'm thinking about getting a dog. Thanks! I moved to Oslo. I live in Oslo."
    tenant = await scripted.service.tenant()
    told = await tenant.user("ada").write(texts)
    scripted.embedder.fault = "timeout"
    told_without = await tenant.user("bob").write(texts)
    seen = [
        [(r["candidate"], r["outcome"], r["importance"], r["confidence"], r["kind"]) for r in answer["results"]]
        for answer in (told, told_without)
    ]
    assert seen[0] == seen[1]


SPOILED: dict[str, Callable[[list[float]], list[float]]] = {
    "too short": lambda vector: vector[:-1],
    "too long": lambda vector: [*vector, 0.0],
    "empty": lambda vector: [],
    "not a number": lambda vector: [math.nan, *vector[1:]],
    "infinite": lambda vector: [math.inf, *vector[1:]],
    "zero": lambda vector: [0.0] * len(vector),
}


@pytest.mark.parametrize("how", SPOILED)
async def test_a_vector_that_cannot_be_compared_is_never_stored_nor_padded(
    scripted: Scripted, scripted_database: Addresses, how: str
) -> None:
    user = (await scripted.service.tenant()).user("ada")
    scripted.embedder.spoil = SPOILED[how]
    said = await user.write("I live in Berlin.")
    assert (said["counts"]["stored"], said["degraded"]) == (1, ["embedder"])
    found = await user.recall("Berlin")
    assert found["degraded"] == ["embedder"]
    assert [memory["content"] for memory in found["memories"]] == ["User lives in Berlin"]
    assert await filled(scripted, user) == 0
    rows = await vectors_of(scripted_database, user)
    assert [(row["vector"], row["embedding_model"], row["embedding_dimension"]) for row in rows] == [(None, None, None)]


async def test_a_text_that_the_embedder_refuses_holds_up_no_other(
    scripted: Scripted, scripted_database: Addresses
) -> None:
    user = (await scripted.service.tenant()).user("ada")
    scripted.embedder.fault = "timeout"
    for word in ("first", "poisoned", "last"):
        await user.force(f"The {word} locker is taken.", kind="semantic")
    scripted.embedder.fault = None
    scripted.embedder.poison = "poisoned"
    assert await filled(scripted, user) == 2
    bare = [row["content"] for row in await vectors_of(scripted_database, user) if row["vector"] is None]
    assert bare == ["The poisoned locker is taken."]
    # and it does not spin on it
    calls = scripted.embedder.calls
    assert await filled(scripted, user) == 0
    assert scripted.embedder.calls - calls <= 3


async def test_readiness_tells_of_the_outage_and_stays_ready(scripted: Scripted) -> None:
    """Answers are poorer, not gone: taking every process out of rotation would make an outage of it."""
    user = (await scripted.service.tenant()).user("ada")

    async def checks() -> Any:
        response = await scripted.service.http.get("/readyz")
        assert response.status_code == 200
        return response.json()["checks"]["embedder"]

    assert await checks() == "ok"
    scripted.embedder.fault = "timeout"
    await user.recall("x")
    assert await checks() == "out"
    scripted.embedder.fault = None
    await user.recall("x")
    assert await checks() == "ok"


async def test_another_model_is_refused_and_no_row_is_changed(own_database: Addresses) -> None:
    async def started(model: str, dimension: int) -> None:
        async for _ in running(settings_for(own_database), ScriptedEmbedder(model, dimension)):
            pass

    user: User | None = None
    async for service in running(settings_for(own_database), ScriptedEmbedder("first", 64)):
        user = (await service.tenant()).user("ada")
        for text in ("I live in Berlin.", "My brother lives in Oslo.", "I work at Acme."):
            await user.write(text)
    assert user is not None
    rows = await ask_now(own_database.superuser_url, "select to_jsonb(m)::text as row from memories m order by 1")
    assert len(rows) == 3
    # another dimension, another model of the same dimension, both
    for model, dimension in (("first", 128), ("second", 64), ("second", 128)):
        with pytest.raises(StartupFault) as fault:
            await started(model, dimension)
        for word in ("'first'", "64 dimensions", repr(model), str(dimension), "lethe reembed"):
            assert word in str(fault.value)
    again = await ask_now(own_database.superuser_url, "select to_jsonb(m)::text as row from memories m order by 1")
    assert again == rows
    await started("first", 64)


async def test_rows_of_the_old_model_are_found_by_words_until_they_are_embedded_again(
    own_database: Addresses,
) -> None:
    key = ""
    async for service in running(settings_for(own_database), ScriptedEmbedder("first", 64)):
        tenant = await service.tenant()
        key = tenant.key
        await tenant.user("ada").write("My brother lives in Oslo.")
    second = ScriptedEmbedder("second", 128)
    await ask_now(own_database.owner_url, "update deployment set embedding_model = 'second', embedding_dimension = 128")
    async for service in running(settings_for(own_database), second):
        user = _again(service, tenant.id, key)
        (before,) = (await user.recall("brother Oslo"))["memories"]
        assert before["scores"]["vector"] is None
        assert (await service.lethe.maintenance.run_once(now=service.lethe.now())).vectors == 1
        (after,) = (await user.recall("brother Oslo"))["memories"]
        assert after["scores"]["vector"] > 0
        assert after["updated_at"] == before["updated_at"]


def _again(service: Service, tenant_id: str, key: str) -> User:

    return Tenant(service, tenant_id, key).user("ada")
