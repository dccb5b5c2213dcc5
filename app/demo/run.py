"""The demo's course: what is sent to the service, chapter by chapter. Everything shown comes from its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rich.console import RenderableType

from app.demo import story
from app.demo.calls import Answer, Calls, DemoFault
from app.demo.layout import day
from app.demo.screen import Screen
from app.demo.story import Said, Speaker, Title


@dataclass(frozen=True, slots=True)
class Scene:
    """A part of a chapter, with a name for whoever looks for it."""

    name: str
    shown: RenderableType


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its title and its scenes."""

    title: Title
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Demo:
    """The story told to one service.

    Attributes:
        calls: Where it is told.
        screen: How it is drawn.
        monday: When the week begins.
    """

    calls: Calls
    screen: Screen
    monday: datetime

    def chapters(self) -> Iterator[Chapter]:
        """Tell the story; a chapter's calls are made when it is asked for.

        Raises:
            DemoFault: The service cannot be reached, or judges the story so differently that it cannot go on.
        """
        week = [(said, self._tell(said)) for said in story.WEEK]
        yield Chapter(story.LISTEN, self._listening(week))
        moved = [(said, self._tell(said)) for said in story.MOVE]
        old_id = _memory_about(story.OLD_CITY, week)
        new_id = _memory_about(story.NEW_CITY, moved)
        yield Chapter(story.CHANGE, self._change(moved, old_id=old_id, new_id=new_id))
        yield Chapter(story.RECALL, self._recall())
        yield Chapter(story.EXPLAIN, self._explain(old_id=old_id, attack_id=_memory_about(story.LURE, week)))
        yield Chapter(story.FORGET, self._forget(new_id=new_id))

    def clear(self) -> int:
        """Erase everything of the demo's user; give the number of memories."""
        return int(self.calls.forget({"everything": True})["erased"]["memories"])

    def _tell(self, said: Said) -> Answer:
        body: Answer = {
            "messages": [
                {"role": said.speaker.value, "content": said.text, "occurred_at": said.at(self.monday).isoformat()}
            ],
            "session_id": f"day-{said.day + 1}",
        }
        if said.speaker is Speaker.DOCUMENT:
            body["source"] = {"type": "document", "id": story.DOCUMENT}
        return self.calls.write(body)

    def _listening(self, week: Sequence[tuple[Said, Answer]]) -> tuple[Scene, ...]:
        return (
            Scene("conversation", self.screen.conversation(week, monday=self.monday)),
            Scene("tally", self.screen.tally([answer for _, answer in week], messages=len(week))),
            Scene("secret", self._searched(story.SECRET)),
        )

    def _change(self, moved: Sequence[tuple[Said, Answer]], *, old_id: str, new_id: str) -> tuple[Scene, ...]:
        then = self.monday + timedelta(days=story.PAST_DAY, hours=12)
        past = self.calls.recall(
            {"query": story.QUESTION, "k": 1, "token_budget": 0, "as_of": {"valid_at": then.isoformat()}}
        )
        now = self.calls.recall({"query": story.QUESTION, "k": 1, "token_budget": 0})
        return (
            Scene("move", self.screen.conversation(moved, monday=self.monday)),
            Scene("life", self.screen.life([self.calls.memory(old_id), self.calls.memory(new_id)])),
            Scene("as_of", self.screen.then_and_now(story.QUESTION, [(f"on {day(then)}", past), ("today", now)])),
        )

    def _recall(self) -> tuple[Scene, ...]:
        answer = self.calls.recall({"query": story.QUESTION, "k": story.HITS})
        return (
            Scene("hits", self.screen.hits(story.QUESTION, answer)),
            Scene("context", self.screen.context(answer)),
        )

    def _explain(self, *, old_id: str, attack_id: str) -> tuple[Scene, ...]:
        believed = self.calls.explain({"question": story.QUESTION})
        if believed["memory"] is None:
            raise DemoFault(f"the service finds no answer to: {story.QUESTION}")
        scenes = [
            Scene("belief", self.screen.belief(story.QUESTION, believed)),
            Scene("why_not", self.screen.why_not_head()),
        ]
        for name, memory_id in (("why_not_old", old_id), ("why_not_attack", attack_id)):
            place = self.calls.explain({"recall": {"query": story.QUESTION, "k": story.HITS}, "memory_id": memory_id})
            scenes.append(Scene(name, self.screen.why_not(self.calls.memory(memory_id)["content"], place)))
        return tuple(scenes)

    def _forget(self, *, new_id: str) -> tuple[Scene, ...]:
        preview = self.calls.forget({"query": story.TO_FORGET, "dry_run": True})
        if preview["preview_token"] is None:
            raise DemoFault(f"the service finds nothing to forget for: {story.TO_FORGET}")
        receipt = self.calls.forget({"preview_token": preview["preview_token"]})
        looked = self.calls.receipt(receipt["receipt_id"])
        again = self.calls.recall({"query": story.QUESTION, "k": story.HITS})
        asked = self.calls.explain({"question": story.QUESTION})
        by_id = self.calls.explain({"memory_id": new_id})
        return (
            Scene("preview", self.screen.preview(story.TO_FORGET, preview)),
            Scene("receipt", self.screen.receipt(receipt, looked)),
            Scene("hits_after", self.screen.hits_after(story.QUESTION, again, erased=receipt["erased_ids"])),
            Scene("context_after", self.screen.context(again)),
            Scene("nothing", self.screen.nothing(story.QUESTION, asked, by_id)),
            Scene("search_after", self._searched(story.NEW_CITY, story.OLD_CITY)),
        )

    def _searched(self, *words: str) -> RenderableType:
        stored = self.calls.export()
        return self.screen.searched(
            {word: sum(line.count(word) for line in stored) for word in words}, stored=len(stored)
        )


def _memory_about(word: str, told: Sequence[tuple[Said, Answer]]) -> str:
    for _, answer in told:
        for result in answer["results"]:
            if result["memory_id"] is not None and result["outcome"] != "held" and word in (result["candidate"] or ""):
                return str(result["memory_id"])
    raise DemoFault(f"the service kept nothing about {word}, so the story cannot go on; is it an older version?")
