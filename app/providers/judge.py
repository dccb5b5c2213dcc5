"""A chat model as a judge of open pairs; how it is asked and what can go wrong stands in `chat`.

It says "supersede" or "coexist" of pairs that it was shown. Anything else it says is not looked at. Pairs with a known
answer stand among them (`controls`): a model that gets one of those wrong has said nothing.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from app.domain.judging import Pair
from app.providers import controls
from app.providers.chat import Asker, Question
from app.providers.ports import Judgement, ProviderFault
from app.providers.prompt import Form
from app.providers.proposals import MAX_ANSWER, json_values

PROMPT_VERSION: Final = "judge-1"
"""Names the file in `prompts/`; a changed prompt is a new file, so that the ledger can tell what was asked."""
_LISTS: Final = ("verdicts", "pairs", "results", "answers", "judgements")
_VERDICTS: Final = {"supersede": True, "coexist": False}
_ITEM: Final[dict[str, Any]] = {
    "pair": {"type": "integer"},
    "verdict": {"type": "string", "enum": list(_VERDICTS)},
}
_LIST: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"type": "object", "properties": _ITEM, "required": list(_ITEM), "additionalProperties": False},
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"verdicts": _LIST},
    "required": ["verdicts"],
    "additionalProperties": False,
}
_FORMATS: Final[dict[Form, dict[str, Any]]] = {
    Form.SCHEMA: {"type": "json_schema", "json_schema": {"name": "verdicts", "strict": True, "schema": SCHEMA}},
    Form.JSON: {"type": "json_object"},
}


class OpenAIJudge(Asker):
    """The `Judge` port over an OpenAI-compatible endpoint."""

    name = "judge"

    @property
    def prompt_version(self) -> str:
        """Name of the prompt."""
        return PROMPT_VERSION

    def most_tokens(self, pairs: Sequence[Pair]) -> int:
        """Estimate: a token for three bytes of what is sent, and the longest answer."""
        told = sum(120 + len(pair.earlier.encode()) + len(pair.later.encode()) for pair in pairs)
        known = controls.COUNT * (120 + controls.LONGEST)
        return (len(prompt()) + told + known) // 3 + _answer_tokens(len(pairs) + controls.COUNT)

    async def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Ask about some pairs. Raises ProviderFault; `unfit` when a pair with a known answer was judged wrongly."""
        sheet = controls.sheet(pairs)
        question = Question(
            messages=partial(messages, sheet.pairs),
            formats=_FORMATS,
            answer_tokens=_answer_tokens(len(sheet.pairs)),
            most_tokens=self.most_tokens(pairs),
            read=partial(read_verdicts, asked={pair.number for pair in sheet.pairs}),
        )
        said, tokens = await self._chat.ask(question)
        found = sheet.mark(said)
        if found is None:
            raise ProviderFault("unfit")
        return Judgement(found, tokens)


@cache
def prompt() -> str:
    """Read the prompt of this version."""
    return (Path(__file__).parent / "prompts" / f"{PROMPT_VERSION}.md").read_text(encoding="utf-8")


def messages(pairs: Sequence[Pair], form: Form, *, mark: str | None = None) -> list[dict[str, str]]:
    """Write the request; the statements stand between marks that were made for it alone."""
    mark = mark or f"=={secrets.token_hex(8)}=="
    told = [
        f"{mark} pair {pair.number}, {which}, {at:%Y-%m-%d}:\n{text}"
        for pair in pairs
        for which, at, text in (("earlier", pair.earlier_at, pair.earlier), ("later", pair.later_at, pair.later))
    ]
    system = prompt() if form is Form.SCHEMA else f"{prompt()}\nIts JSON schema:\n{json.dumps(SCHEMA)}\n"
    asked = "\n".join([f"The mark is {mark}", f"{mark} begin", *told, f"{mark} end"])
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def read_verdicts(text: str, *, asked: Collection[int]) -> Mapping[int, bool] | None:
    """Read the verdicts out of a model's answer.

    Args:
        text: What the model wrote.
        asked: The pairs it was shown; what it says of others is not looked at.

    Returns:
        Pair to whether the later one replaces the earlier; a pair of which two things are said coexists. None when
        the answer cannot be read.
    """
    found: dict[int, bool] = {}
    readable = False
    for value in json_values(text[:MAX_ANSWER]):
        items = (
            value
            if isinstance(value, list)
            else next((value[k] for k in _LISTS if k in value), None)
            if isinstance(value, dict)
            else None
        )
        if not isinstance(items, list):
            continue
        readable = True
        for item in items:
            pair, said = (item.get("pair"), item.get("verdict")) if isinstance(item, dict) else (None, None)
            verdict = _VERDICTS.get(said.strip().casefold()) if isinstance(said, str) else None
            if type(pair) is int and pair in asked and verdict is not None:
                found[pair] = verdict and found.get(pair, True)
    return found if readable else None


def _answer_tokens(pairs: int) -> int:
    return 60 + 30 * pairs
