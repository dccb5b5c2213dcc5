"""The targets, each a ratio within one run: of medians, and beside it of the 5th percentiles, as when it is quiet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from benchmarks.speed.measure import BARE, CONTEXT, EMBED, EMBEDDED, FLOOR, HTTP, SERVICE
from benchmarks.speed.peers import LANGGRAPH, MEM0, MEM0_HTTP, MEM0_SHIPPED

_SERVICE_MOST: Final = 3.5
_EMBEDDED_MOST: Final = 1.4
_GROWTH_MOST: Final = 1.2
_LANGGRAPH_MOST: Final = 0.6
_MEM0_LEAST: Final = 3.0

# from the name of a percentile to the ratio there
_Ratio = Callable[[str], float]


def targets(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Judge what has been measured so far; what is not there yet is left out.

    Returns:
        For each: its name, the value, that at the 5th percentile, the least or most that is wanted, and whether the
        value meets it; None where nothing is wanted.
    """
    found: list[dict[str, Any]] = []
    for cell in results.get("stores", []):
        ways = cell["in_process"].get(str(cell["reference"]))
        where = f"owner of {cell['reference']:,} in {cell['store']:,}"
        if ways is not None:
            found += _in_process(ways, where)
        if "complete" in cell:
            name = f"complete after {cell['complete']['searches']:,} searches on one connection, {where}"
            found.append(_share(name, cell["complete"]["share"], least=1.0))
    measured = [cell for cell in results.get("stores", []) if str(cell["reference"]) in cell["in_process"]]
    if len(measured) > 1:
        first, last = (cell["in_process"][str(cell["reference"])] for cell in (measured[0], measured[-1]))
        growth = f"{measured[-1]['store']:,} to {measured[0]['store']:,} memories"
        found += [
            _ratio(f"service, {growth}", _over(last, first, SERVICE, SERVICE), most=_GROWTH_MOST),
            _ratio(f"floor, {growth}", _over(last, first, FLOOR, FLOOR)),
        ]
    for cell in results.get("peers", []):
        found += _peers(cell)
    return found


def _in_process(ways: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    def with_embedding(percentile: str) -> float:
        least = ways[EMBED][percentile] + ways[FLOOR][percentile]
        ratio: float = ways[EMBEDDED][percentile] / least
        return ratio

    return [
        _ratio(f"service to floor, {where}", _over(ways, ways, SERVICE, FLOOR), most=_SERVICE_MOST),
        _ratio(f"service with context block to floor, {where}", _over(ways, ways, CONTEXT, FLOOR)),
        _ratio(f"service to the floor's statement alone, {where}", _over(ways, ways, SERVICE, BARE)),
        _ratio(f"service with embedding to embedding + floor, {where}", with_embedding, most=_EMBEDDED_MOST),
    ]


def _peers(cell: Mapping[str, Any]) -> list[dict[str, Any]]:
    where = f"in {cell['store']:,}"
    found = []
    turns = cell["in_turns"]
    if "langgraph" in turns:
        ways = turns["langgraph"]
        name = f"Lethe over HTTP to LangGraph in process, {where}"
        found.append(_ratio(name, _over(ways, ways, HTTP, LANGGRAPH), most=_LANGGRAPH_MOST))
    if "mem0" in turns:
        ways = turns["mem0"]
        for way in (MEM0, MEM0_HTTP):
            found.append(_ratio(f"{way}, to Lethe over HTTP, {where}", _over(ways, ways, way, HTTP), least=_MEM0_LEAST))
    for way in (LANGGRAPH, MEM0_SHIPPED):
        if way in cell["as_shipped"]:
            found.append(_share(f"{way}: share of the rows, {where}", cell["as_shipped"][way]["rows"]))
    return found


def _over(upper: Mapping[str, Any], lower: Mapping[str, Any], way: str, other: str) -> _Ratio:
    def at(percentile: str) -> float:
        ratio: float = upper[way][percentile] / lower[other][percentile]
        return ratio

    return at


def _ratio(name: str, ratio: _Ratio, *, least: float | None = None, most: float | None = None) -> dict[str, Any]:
    return _judged(name, ratio("p50"), quiet=ratio("p5"), least=least, most=most)


def _share(name: str, share: float, *, least: float | None = None) -> dict[str, Any]:
    return _judged(name, share, quiet=None, least=least, most=None)


def _judged(name: str, value: float, *, quiet: float | None, least: float | None, most: float | None) -> dict[str, Any]:
    value = round(value, 4)
    met = None
    if least is not None or most is not None:
        met = (least is None or value >= least) and (most is None or value <= most)
    quiet = None if quiet is None else round(quiet, 4)
    return {"name": name, "value": value, "quiet": quiet, "least": least, "most": most, "met": met}
