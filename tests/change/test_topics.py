"""Changes that the sentence marks itself, told to the service: what is over is retired, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import User

pytestmark = pytest.mark.anyio

# what was said, what ends or changes it
OVER = [
    ("I own a blue kayak.", "I sold the kayak."),
    ("Our frontend is written in Angular.", "We migrated away from Angular last spring."),
    ("The staging gateway logs at debug level.", "The staging gateway now logs at warning level."),
    ("We keep the invoices in a shared spreadsheet.", "We no longer keep invoices in a spreadsheet."),
    ("The climbing gym opens at seven.", "The climbing gym is closed for good."),
    # other languages, by their own words
    ("Wir nutzen Trello für die Tickets.", "Trello ist bei uns nicht mehr im Einsatz."),
    ("J'habite à Grenoble, près de la gare.", "On a déménagé à Nantes le mois dernier."),
    ("Vivo en Zaragoza desde hace años.", "Nos mudamos a Gijón en marzo."),
    ("我住在杭州，租的房子在西湖边上。", "我上个月搬到苏州了。"),
]
# what was said, and what only looks like its end
STAYS = [
    ("I own a blue kayak.", "My cousin sold his kayak."),
    ("I own a blue kayak.", "I did not sell the kayak."),
    ("I own a blue kayak.", "I also bought a second kayak."),
    ("I own a blue kayak.", "I might sell the kayak one day."),
    ("The Oslo office uses Jira.", "The Madrid office switched to Linear."),
    ("I live in Aberdeen.", "This week I'm in Rome for a conference."),
    ("I'm allergic to nuts.", "Don't forget that I'm allergic to nuts."),
    ("Wir nutzen Trello für die Tickets.", "Mein Bruder nutzt Trello auch."),
]


async def put(user: User, text: str, day: int) -> Any:
    # the kind is given, so that no judgement of the gate has a part in it
    body: dict[str, Any] = {"content": text, "infer": False, "force": True, "kind": "semantic"}
    body |= {"occurred_at": f"2025-04-{day:02}T12:00:00Z"}
    (result,) = (await user.ok("POST", "/memories/write", body))["results"]
    return result


@pytest.mark.parametrize(("before", "after"), OVER)
async def test_what_a_statement_says_to_be_over_is_retired(user: User, before: str, after: str) -> None:
    old, new = await put(user, before, 1), await put(user, after, 20)
    assert (new["outcome"], new["supersedes"]) == ("superseded", [old["memory_id"]])
    assert {reason["code"] for reason in new["reasons"]} & {"explicit_ending", "changed_value"}
    assert [memory["content"] for memory in await user.stored()] == [after]
    assert old["memory_id"] not in [hit["id"] for hit in (await user.recall(before))["memories"]]
    # the past is still told, and why it is past
    past = await user.recall(before, as_of={"valid_at": "2025-04-10T00:00:00Z"})
    assert before in [hit["content"] for hit in past["memories"]]
    explained = await user.explain(memory_id=new["memory_id"])
    assert [step["content"] for step in explained["history"]] == [before, after]
    assert "replaced" in explained["narrative"]


@pytest.mark.parametrize(("before", "after"), STAYS)
async def test_what_only_looks_like_an_end_retires_nothing(user: User, before: str, after: str) -> None:
    old, new = await put(user, before, 1), await put(user, after, 20)
    assert new["supersedes"] == []
    assert old["memory_id"] in [memory["id"] for memory in await user.stored()]


async def test_a_theme_of_many_memories_is_no_topic(user: User) -> None:
    for text in ("The garden has a pond.", "We painted the garden shed.", "Our garden faces south."):
        await put(user, text, 1)
    assert (await put(user, "We no longer have the garden party.", 20))["supersedes"] == []


async def test_relations_are_read_by_their_grammar(user: User) -> None:
    pairs = [
        ("The library was designed by Ada Quill.", "The library was designed by Bo Renner."),
        ("Tarn plays the position of goalkeeper.", "Tarn plays the position of striker."),
        ("The town where Ivo grew up is Pell.", "The town where Ivo grew up is Marsh."),
        ("Quill Works is located in the region of Alto.", "Quill Works is located in the region of Baxa."),
    ]
    for before, after in pairs:
        old, new = await put(user, before, 1), await put(user, after, 20)
        assert new["supersedes"] == [old["memory_id"]], after
    for one, other in (
        ("Ivo speaks the language of Tulu.", "Ivo speaks the language of Ewe."),
        ("Quill is known for The Lamp.", "Quill is known for The Tide."),
    ):
        assert (await put(user, one, 1))["supersedes"] == (await put(user, other, 20))["supersedes"] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I use Postgres", "I use PostgreSQL"),
        ("I live in NYC", "I live in New York"),
        ("I use JS", "I use JavaScript"),
    ],
)
async def test_aliases_are_one_value(user: User, one: str, other: str) -> None:
    first, again = await put(user, one, 1), await put(user, other, 20)
    assert (again["outcome"], again["memory_id"]) == ("reinforced", first["memory_id"])


async def test_names_that_only_look_alike_are_two_values(user: User) -> None:
    await put(user, "I use Java", 1)
    assert (await put(user, "I use JavaScript", 20))["outcome"] == "stored"
