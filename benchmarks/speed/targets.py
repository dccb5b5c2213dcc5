"""The targets, each a ratio within one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmarks.speed.measure import BARE, CONTEXT, EMBED, EMBEDDED, FLOOR, HTTP, SERVICE
from benchmarks.speed.peers import LANGGRAPH, MEM0, MEM0_HTTP, MEM0_SHIPPED

_SERVICE_MOST: Final = 3.5
_EMBEDDED_MOST: Final = 1.4
_GROWTH_MOST: Final = 1.2
_LANGGRAPH_MOST: Final = 0.6
_MEM0_LEAST: Final = 3.0


def targets(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Judge what has been measured so far; what is not there yet is left out.

    Returns:
        For each: its name, the value, the least or most that is wanted, and whether it is met.
    """
    found: list[dict[str, Any]] = []
    for cell in results.get("stores", []):
        ways = cell["in_process"].get(str(cell["reference"]))
        where = f"owner of {cell['reference']:,} in {cell['store']:,}"
        if ways is not None:
            found += _in_process(ways, where)
        if "complete" in cell:
            share = cell["complete"]["share"]
            name = f"complete after {cell['complete']['searches']:,} searches on one connection, {where}"
            found.append(_judged(name, share, least=1.0))
    measured = [cell for cell in results.get("stores", []) if str(cell["reference"]) in cell["in_process"]]
    if len(measured) > 1:
        first, last = measured[0], measured[-1]
        for way in (SERVICE, FLOOR):
            p50 = [cell["in_process"][str(cell["reference"])][way]["p50"] for cell in (first, last)]
            name = f"p50 of the {way}, {last['store']:,} to {first['store']:,} memories"
            found.append(_judged(name, p50[1] / p50[0], most=_GROWTH_MOST if way == SERVICE else None))
    for cell in results.get("peers", []):
        found += _peers(cell)
    return found


def _in_process(ways: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    p50 = {name: figures["p50"] for name, figures in ways.items()}
    least = p50[EMBED] + p50[FLOOR]
    return [
        _judged(f"service to floor, {where}", p50[SERVICE] / p50[FLOOR], most=_SERVICE_MOST),
        _judged(f"service with context block to floor, {where}", p50[CONTEXT] / p50[FLOOR]),
        _judged(f"service to the floor's statement alone, {where}", p50[SERVICE] / p50[BARE]),
        _judged(f"service with embedding to embedding + floor, {where}", p50[EMBEDDED] / least, most=_EMBEDDED_MOST),
    ]


def _peers(cell: Mapping[str, Any]) -> list[dict[str, Any]]:
    where = f"in {cell['store']:,}"
    found = []
    turns = cell["in_turns"]
    if "langgraph" in turns:
        ratio = turns["langgraph"][HTTP]["p50"] / turns["langgraph"][LANGGRAPH]["p50"]
        found.append(_judged(f"Lethe over HTTP to LangGraph in process, {where}", ratio, most=_LANGGRAPH_MOST))
    if "mem0" in turns:
        for name in (MEM0, MEM0_HTTP):
            ratio = turns["mem0"][name]["p50"] / turns["mem0"][HTTP]["p50"]
            found.append(_judged(f"{name}, to Lethe over HTTP, {where}", ratio, least=_MEM0_LEAST))
    for name in (LANGGRAPH, MEM0_SHIPPED):
        if name in cell["as_shipped"]:
            found.append(_judged(f"{name}: share of the rows, {where}", cell["as_shipped"][name]["rows"]))
    return found


def _judged(name: str, value: float, *, least: float | None = None, most: float | None = None) -> dict[str, Any]:
    value = round(value, 4)
    met = None
    if least is not None or most is not None:
        met = (least is None or value >= least) and (most is None or value <= most)
    return {"name": name, "value": value, "least": least, "most": most, "met": met}
