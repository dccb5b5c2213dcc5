"""What joins the news of a message with a row, and what keeps them apart: a table per kind of evidence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.kin import shared
from app.domain.memory import Status
from app.domain.rivals import rivals, terms_of_rivals
from app.domain.slots import clash, slots
from app.domain.themes import THEMES, states, terms_of_themes, turns
from app.domain.whose import is_own, lead, other_name
from tests.domain.shelf import DAY, DAY_ONE, Shelf, uid


def retired(before: str, after: str) -> bool:
    shelf = Shelf()
    shelf.say(before, occurred_at=DAY_ONE)
    shelf.say(after, occurred_at=DAY_ONE + 12 * DAY)
    return shelf.rows[uid(1)].status is not Status.ACTIVE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # a theme of which one has one at a time, without a word in common
        ("Home is Varna.", "We're settling into a flat in Plovdiv."),
        ("I'm unemployed.", "Signed the contract, I'm the new porter at the clinic."),
        ("I'm single.", "Ines and I tied the knot."),
        # rivals
        ("I write everything in Emacs.", "I switched to Helix."),
        ("We host our code on Gitea.", "We migrated everything to Codeberg."),
        # a clash of values beside a shared word
        ("The choir meets on Mondays.", "Choir's on Wednesdays from now on."),
        ("Our rent is 700 euros.", "They raised our rent to 780 euros."),
        ("The cellar code is AX93.", "I told you the wrong cellar code, it's AX39."),
        # what is over, by its name
        ("I drive a green Dacia with a dent.", "Sold the Dacia to a neighbour."),
        # words of one family
        ("My therapist sees me every week.", "We've spaced the therapy out to once a month."),
        # the taste of it
        ("I hate okra.", "Turns out I love okra when it's fried."),
    ],
)
def test_news_retires_what_it_ends(before: str, after: str) -> None:
    assert retired(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # somebody else's
        ("Home is Varna.", "My cousin is settling into a flat in Plovdiv."),
        ("I write everything in Emacs.", "My flatmate switched to Helix."),
        ("My daughter Freya plays chess.", "My daughter Inga gave up chess."),
        ("Our rent is 700 euros.", "Milan's sister told me they raised her rent to 780 euros."),
        # another one of its kind
        ("The Varna office uses Jira.", "The Sofia office switched to Linear."),
        ("The mail server's port is 2525.", "The web server's port is now 8088."),
        # beside it
        ("I write everything in Emacs.", "I also use Helix."),
        # for a while
        ("The choir meets on Mondays.", "This week the choir is on Wednesday, just this once."),
        # a wish, a doubt, a question
        ("Home is Varna.", "I'm thinking of moving to Plovdiv."),
        ("I write everything in Emacs.", "Should I switch to Helix?"),
        ("I drive a green Dacia.", "Maybe I'll sell the Dacia one day."),
        # a name and a plain word
        ("I work at Apple.", "I swapped the apple for a pear."),
    ],
)
def test_what_only_looks_like_news_retires_nothing(before: str, after: str) -> None:
    assert not retired(before, after)


def test_news_of_the_same_message_does_not_touch_the_message() -> None:
    shelf = Shelf()
    shelf.say("Home was Varna. We moved to Plovdiv, and the flat is small.", occurred_at=DAY_ONE)
    assert all(row.status is Status.ACTIVE for row in shelf.rows.values())


def test_a_late_message_changes_nothing_that_was_said_after_it() -> None:
    shelf = Shelf()
    shelf.say("Our rent is 780 euros.", occurred_at=DAY_ONE)
    shelf.say("They raised our rent to 700 euros.", occurred_at=DAY_ONE - timedelta(days=90))
    assert shelf.rows[uid(1)].status is Status.ACTIVE


@pytest.mark.parametrize(
    ("one", "other", "forms"),
    [
        ("at 9:30", "at 10:15", {"time"}),
        ("on Mondays", "every Tuesday", {"day"}),
        ("due on 12 April", "due on 30 April", {"date"}),
        ("950 euros", "€1,120", {"sum euro"}),
        ("three cups", "five cups", {"measure cup"}),
        ("three cups", "3 cups", set()),
        ("five miles", "five kilos", set()),
        ("write to a@b.example", "write to c@b.example", {"mail"}),
        ("v3.9", "3.12", {"version"}),
        ("I love figs", "I can't stand figs", {"taste"}),
    ],
)
def test_values_clash_within_one_form_only(one: str, other: str, forms: set[str]) -> None:
    assert clash(slots(other), slots(one)) == forms


def test_names_that_are_plain_words_are_rivals_only_when_written_as_names() -> None:
    assert rivals("We use Slack.")["chat"] == {"slack"}
    assert "chat" not in rivals("There's some slack in the teams.")


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("My brother's flat is cold.", "brother"),
        ("Ada's sister got divorced.", "sister"),
        ("Mum was discharged.", "mum"),
        ("Meine Schwester ist umgezogen.", "schwester"),
        ("我表弟搬去重庆了。", "表弟"),
        ("I moved in with my brother.", None),
    ],
)
def test_a_clause_opens_with_somebody(words: str, who: str | None) -> None:
    found = lead(words)
    assert (found and found.casefold()) == who


def test_what_others_do_to_the_speaker_is_the_speakers() -> None:
    assert is_own("person:gp", "My GP upped the dose.")
    assert is_own("person:boss", "My boss moved me to the night shift.")
    assert not is_own("person:cousin", "My cousin sold his kayak.")
    assert other_name("My daughter Freya plays.", "My daughter Inga plays.")
    assert not other_name("My daughter Freya plays.", "My daughter sings.")


def test_words_of_a_family_and_other_names_are_shared() -> None:
    assert shared({"therapi", "mum", "canal"}, {"therapist", "mother", "candl"}) == {"therapi", "mum"}


def test_every_theme_is_found_in_the_store_by_its_words() -> None:
    assert {theme.name for theme in THEMES if not terms_of_themes(frozenset({theme.name}))} == set()
    assert "home" in states("Home is Varna.", None)
    assert "home" in turns("We're settling into a flat in Plovdiv.")
    assert {"slack", "zulip"} <= terms_of_rivals(frozenset({"chat"}))
