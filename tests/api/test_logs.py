"""Nothing that was sent ever stands in a log line, at any level (field report P1)."""

from __future__ import annotations

import json
import logging

import httpx
import pytest

from app.api.middleware import AnswerCutOff
from app.log import configure_logging
from tests.api.double import ScriptedLethe
from tests.api.shapes import send

pytestmark = pytest.mark.anyio

TEXT = "SENTINEL-TEXT-1"
SECRET = "SENTINEL-KEY-2"


async def test_no_content_no_key_and_no_user_reach_a_log_line(
    capsys: pytest.CaptureFixture[str], client: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    client.headers["X-User-Id"] = TEXT
    for path, body in (
        ("/memories/write", {"content": TEXT, "metadata": {TEXT: TEXT}}),
        ("/memories/write", {"messages": [{"role": TEXT, "content": TEXT}]}),
        ("/memories/write", {TEXT: TEXT}),
        ("/recall", {"query": TEXT}),
        ("/recall", {"query": TEXT, "filters": {"metadata.a": TEXT + "\x00"}}),
        ("/forget", {"subject": TEXT}),
        ("/explain", {"question": TEXT}),
        (f"/{TEXT}", {}),
        (f"/memories/{TEXT}/approve", {"note": TEXT}),
    ):
        await send(client, "POST", path, body)
    await client.get(f"/memories/{TEXT}?{TEXT}={TEXT}")
    await client.get(f"/memories?subject={TEXT}")
    await client.post("/recall", content=f'{{"{TEXT}', headers={"Content-Type": "application/json"})
    await client.post("/recall", json={"query": "x"}, headers={"Authorization": f"Bearer {SECRET}"})
    await client.post("/recall", json={"query": "x"}, headers={"X-API-Key": SECRET})
    # an exception whose text, and whose cause's text, hold what was sent
    fault = RuntimeError(f"INSERT INTO memories VALUES ('{TEXT}')")
    fault.__cause__ = ValueError(f"postgresql://lethe:{SECRET}@db/lethe")
    lethe.fault = fault
    assert (await client.post("/recall", json={"query": TEXT})).status_code == 500
    lethe.fault = None
    lethe.rows_fault = fault
    with pytest.raises(AnswerCutOff):
        await client.get("/memories/export")
    out, err = capsys.readouterr()
    assert "SENTINEL" not in out + err
    assert "anna" not in out + err
    lines = [json.loads(line) for line in out.splitlines()]
    assert all(line["request_id"] for line in lines)
    unexpected = next(line for line in lines if line["event"] == "unexpected_error")
    assert unexpected["raised"] == ["RuntimeError", "ValueError"]
    assert any("double.py" in place for place in unexpected["places"])
    access = [line for line in lines if line["event"] == "request"]
    assert {"method", "route", "status", "ms", "request_id"} <= set(access[0])
    assert {line["route"] for line in access} >= {"/recall", "/memories/{memory_id}/approve", "unmatched"}


@pytest.mark.parametrize("name", ["sqlalchemy.engine", "asyncpg", "httpx2", "openai._base_client", "asyncio", "other"])
@pytest.mark.parametrize("form", ["json", "console"])
def test_what_a_library_says_is_not_printed(name: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(level="DEBUG", form=form)
    logger = logging.getLogger(name)
    logger.debug("SENTINEL %s", TEXT)
    logger.info("SENTINEL %s", TEXT)
    logger.warning("SENTINEL %s", TEXT)
    try:
        raise ValueError(TEXT)
    except ValueError:
        logger.exception("SENTINEL", extra={"body": TEXT})
    out, err = capsys.readouterr()
    assert "SENTINEL" not in out + err
    # but that it said something, where and after which exception is
    assert "library_message" in out
    assert "ValueError" in out
    assert name in out


def test_the_server_speaks_for_itself_but_not_for_its_exceptions(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(level="INFO", form="json")
    logger = logging.getLogger("uvicorn.error")
    logger.info("Started server process [%d]", 42)
    try:
        raise ValueError(TEXT)
    except ValueError:
        logger.exception("Exception in ASGI application\n")
    logging.getLogger("uvicorn.access").info("GET /memories?subject=SENTINEL")
    out, _ = capsys.readouterr()
    started, failed = (json.loads(line) for line in out.splitlines())
    assert started["event"] == "Started server process [42]"
    assert failed["raised"] == ["ValueError"]
    assert "SENTINEL" not in out
