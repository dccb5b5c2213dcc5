"""Changes told in other words, weighed against the rows that stand nearest (`app/domain/turnover.py`)."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.turnover import MOST_STATEMENTS
from tests.conftest import Service, User
from tests.services.listening import statements

pytestmark = pytest.mark.anyio

KNOWN = (
    "I drive a 2012 Skoda Octavia with a dent in the left door.",
    "My sister Laura drives a Toyota.",
    "I live in Hamburg.",
    "My standup is at 9:15 every morning.",
    "I'm allergic to peanuts.",
)


async def known(user: User) -> None:
    for fact in KNOWN:
        await user.write(fact, occurred_at="2025-03-01T09:00:00Z")


async def stored(user: User) -> list[str]:
    return sorted(row["content"] for row in await user.stored())


async def test_a_change_in_other_words_retires_the_row_that_it_means(user: User) -> None:
    await known(user)
    answer = await user.write("Sold the Skoda to a student and got myself a used Kia Niro instead.")
    gone = answer["results"][0]["supersedes"]
    assert len(gone) == 1
    assert not [text for text in await stored(user) if "Octavia" in text]
    assert len(await stored(user)) == len(KNOWN), "nothing else went"
    told = await user.explain(memory_id=gone[0])
    assert told["memory"]["status"] == "superseded"


@pytest.mark.parametrize(
    "text",
    [
        "My sister sold the old piano of our parents last week.",
        "My colleague got himself a Kia Niro.",
        "The Skoda needs new tyres before the winter.",
        "I might look at a Kia some day.",
        "My brother moved to Bremen for his new job.",
        "Standup was a mess today, nobody had slept.",
    ],
)
async def test_what_only_sounds_like_a_change_retires_nothing(user: User, text: str) -> None:
    await known(user)
    before = await stored(user)
    await user.force(text)
    assert set(before) <= set(await stored(user))


async def test_only_news_looks_for_the_nearest_rows(service: Service, user: User) -> None:
    await known(user)
    counts: dict[str, int] = {}
    for text in ("I like jazz.", "We moved to Kiel last weekend."):
        with statements(service) as seen:
            await user.write(text, dry_run=True)
        counts[text] = sum("<=>" in one for one in seen)
    # once to ask the pair reader, once to place it
    assert counts == {"I like jazz.": 0, "We moved to Kiel last weekend.": 2}


async def test_another_owners_rows_are_never_weighed(tenant: Any, user: User) -> None:
    await known(user)
    before = await stored(user)
    answer = await tenant.user("somebody-else").write("I sold the Skoda and got a used Kia Niro instead.")
    assert all(not result["supersedes"] for result in answer["results"])
    assert await stored(user) == before


async def test_a_row_that_shares_neither_attribute_nor_rule_is_reached(user: User) -> None:
    await user.force("I'm a nurse on the cardiac ward at St. Vincent's.", occurred_at="2025-03-01T09:00:00Z")
    text = "Started in the hospice team on Monday, so no more cardiac for me, and honestly the pace suits me better."
    answer = await user.force(text, occurred_at="2025-04-01T09:00:00Z")
    assert len(answer["results"][0]["supersedes"]) == 1


async def test_a_large_write_looks_up_a_bounded_number_of_statements(service: Service, user: User) -> None:
    await known(user)
    messages = [{"role": "user", "content": f"We moved office {n} to Kiel last weekend."} for n in range(40)]
    with statements(service) as seen:
        await user.write(messages=messages, dry_run=True)
    looked = [one for one in seen if "<=>" in one]
    # once to ask the pair reader, once to place it
    assert len(looked) == 2
    for one in looked:
        assert one.count("LIMIT") == MOST_STATEMENTS
        # an owner's rows in every leg, and in what the legs are joined with
        assert one.count("memories.user_id =") == one.count("memories.tenant_id =") == MOST_STATEMENTS + 1


async def test_what_is_looked_up_for_a_message_does_not_depend_on_the_others(user: User) -> None:
    # rows of two sentences are left to the rules; with more looked up the next one would be weighed
    for number in range(8):
        text = f"Priya took over the Apollo team. She is our manager {number}."
        await user.write(text, infer=False, force=True, occurred_at="2025-03-01T09:00:00Z")
    await user.write("User's boss is Priya Raman", infer=False, force=True, occurred_at="2025-03-01T09:00:00Z")
    said = "Priya went on to another company and I report to Douglas Keane now."
    alone = await user.write(said, dry_run=True)
    german = {"role": "user", "content": "Wir sind letzten Monat nach Kiel gezogen."}
    beside = await user.write(messages=[{"role": "user", "content": said}, german], dry_run=True)
    assert beside["results"][0]["resolution"] == alone["results"][0]["resolution"]


async def test_a_change_in_another_language_is_weighed(user: User) -> None:
    for fact in ("Ich fahre einen alten Passat Kombi.", "Meine Schwester wohnt in Kiel."):
        await user.force(fact, occurred_at="2025-03-01T09:00:00Z")
    answer = await user.force("Der Passat ist beim TÜV durchgefallen, bin jetzt auf einen Dacia umgestiegen.")
    gone = answer["results"][0]["supersedes"]
    assert len(gone) == 1
    assert (await user.explain(memory_id=gone[0]))["memory"]["content"] == "Ich fahre einen alten Passat Kombi."
