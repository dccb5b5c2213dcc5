"""Statements proposed by a chat model; how it is asked and what can go wrong stands in `chat`.

The user's words stand in the request as data between marks that nobody can guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.domain.proposal import Proposal, Turn
from app.domain.proposals import MAX_PROPOSALS
from app.providers import chat
from app.providers.chat import Asker, Question
from app.providers.ports import Proposed
from app.providers.prompt import PROMPT_VERSION, RESPONSE_FORMAT, messages, prompt
from app.providers.proposals import read_answer


class OpenAIExtractor(Asker):
    """The `Extractor` port over an OpenAI-compatible endpoint."""

    name = "extractor"

    @property
    def prompt_version(self) -> str:
        """Name of the prompt."""
        return PROMPT_VERSION

    def most_tokens(self, turns: Sequence[Turn]) -> int:
        """Estimate: a token for three bytes of what is sent, and the longest answer."""
        return (len(prompt()) + sum(40 + len(turn.text.encode()) for turn in turns)) // 3 + _answer_tokens(turns)

    async def propose(self, turns: Sequence[Turn]) -> Proposed:
        """Ask about some turns. Raises ProviderFault."""
        question = Question(
            messages=partial(messages, turns),
            formats=RESPONSE_FORMAT,
            answer_tokens=_answer_tokens(turns),
            most_tokens=self.most_tokens(turns),
            read=partial(read_answer, limit=MAX_PROPOSALS * len(turns)),
        )
        found, tokens = await self._chat.ask(question)
        return Proposed(tuple(found), tokens)


def read_body(body: bytes, *, limit: int) -> tuple[list[Proposal], int] | None:
    """Read a chat completion into statements and the tokens it took, 0 where that is not told; None when it is none."""
    content, tokens = chat.read_body(body)
    found = None if content is None else read_answer(content, limit=limit)
    return None if found is None else (found, tokens)


def _answer_tokens(turns: Sequence[Turn]) -> int:
    """Tell how long an answer may be: a small model that repeats itself must end; what it cuts off is read as far.

    A statement takes about 45 tokens and its words twice. One of a short message fits, pretty-printed as well, and is
    not said four times over: that takes longer than the time limit on a slow machine.
    """
    return 40 + sum(min(1_200, 60 + 2 * len(turn.text)) for turn in turns)
