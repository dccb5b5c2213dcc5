"""What a statement does to what is there: field reports W3 and C1-C4 over their kind, and the rules one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.claim import Claim
from app.domain.extract import extract
from app.domain.memory import Action, Code, Kind, Link, Message, Modality, Outcome, Relation, Role, Status
from app.domain.resolver import Neighbour, Resolution, resolve
from app.domain.turnover import Weighed
from tests.domain.shelf import DAY, DAY_ONE, HOUR, Shelf, home, incoming, likes, memory, outcomes, uid

SUPERSEDES = Link.SUPERSEDES


def codes(done: Resolution) -> list[Code]:
    return [reason.code for reason in done.reasons]


# --- repeats (W3) ---------------------------------------------------------------------------------------------


def test_forty_repeats_make_one_row_and_lose_nothing() -> None:
    shelf = Shelf()
    said = "I prefer tea over coffee"
    first = shelf.put(incoming(said, metadata={"topic": "drinks"}))
    assert first.outcome is Outcome.STORED
    again = [said] * 40 + ["i prefer tea over coffee."] * 3 + ["  I prefer  tea over coffee "] * 3
    for number, text in enumerate(again, start=1):
        done = shelf.put(incoming(text, occurred_at=DAY_ONE + HOUR * number * 2))
        assert (done.outcome, done.into, done.rule) == (Outcome.REINFORCED, uid(1), "repeat")
        assert codes(done) == [Code.REPEAT]
    (row,) = shelf.rows.values()
    assert row.mentions == 47
    assert row.reinforcements == 46
    assert row.metadata == {"topic": "drinks"}


def test_repeats_with_other_labels_keep_the_union() -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea"), metadata={"topic": "drinks"}))
    shelf.put(incoming("User likes tea", likes("tea"), metadata={"mood": "calm"}, occurred_at=DAY_ONE + DAY))
    assert shelf.rows[uid(1)].metadata == {"topic": "drinks", "mood": "calm"}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("User likes tea", "User loves the tea", True),  # the verb and the article carry no detail
        ("User likes tea", "User drinks tea now", True),
        ("User uses Postgres for analytics", "User uses Postgres", True),  # says less
        ("User uses Postgres", "User uses Postgres for analytics", False),  # would lose the purpose
        ("User likes tea", "User likes tea with Ana", False),  # a name more
        ("User likes 2 teas", "User likes 3 teas", False),  # a number
        ("User runs 5 km", "User runs 5 miles", False),  # a unit
        ("User likes tea since 2019", "User likes tea since 2020", False),  # a date
    ],
)
def test_a_repeat_has_the_same_numbers_names_units_and_adds_nothing(first: str, second: str, same: bool) -> None:
    shelf = Shelf()
    value = first.split()[2]
    for place, text in enumerate((first, second)):
        shelf.put(incoming(text, Claim("user", "fond_of", value), occurred_at=DAY_ONE + DAY * place))
    assert len(shelf.rows) == (1 if same else 2)
    assert len(shelf.active()) == len(shelf.rows)


def test_two_kids_and_three_kids_are_no_repeat() -> None:
    shelf = Shelf()
    shelf.say("I have two kids")
    done = shelf.say("I have three kids")
    assert outcomes(done) == [Outcome.SUPERSEDED]


@pytest.mark.parametrize(
    ("role", "session", "later", "occurred_later", "confirms"),
    [
        (Role.USER, "b", HOUR / 60, HOUR / 60, True),  # another session
        (Role.USER, "a", HOUR, HOUR, True),  # an hour later
        (Role.USER, "a", HOUR / 2, HOUR / 2, False),  # the same conversation
        (Role.ASSISTANT, "b", DAY, DAY, False),  # not the user
        (Role.USER, None, HOUR / 2, HOUR / 2, False),  # an unknown session is no other session
        (Role.USER, "b", DAY, HOUR * 0, False),  # the same message replayed
    ],
)
def test_only_an_independent_message_of_the_user_confirms(
    role: Role, session: str | None, later: timedelta, occurred_later: timedelta, confirms: bool
) -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea"), session_id="a"))
    done = shelf.put(
        incoming(
            "User likes tea",
            likes("tea"),
            role=role,
            session_id=session,
            occurred_at=DAY_ONE + occurred_later,
            received_at=DAY_ONE + later,
        )
    )
    assert done.outcome is Outcome.REINFORCED
    assert done.independent is confirms


# --- events ---------------------------------------------------------------------------------------------------


def test_an_event_is_the_same_only_at_the_same_time() -> None:
    shelf = Shelf()
    launch = Claim("user", valid_from=datetime(2025, 3, 1, tzinfo=UTC))
    event: dict[str, Any] = {"kind": Kind.EPISODIC}
    assert shelf.put(incoming("User launched version 2", launch, **event)).outcome is Outcome.STORED
    again = shelf.put(incoming("User launched version 2", launch, occurred_at=DAY_ONE + DAY, **event))
    assert (again.outcome, again.rule) == (Outcome.REINFORCED, "same_event")
    other = Claim("user", valid_from=datetime(2025, 4, 1, tzinfo=UTC))
    assert shelf.put(incoming("User launched version 2", other, **event)).outcome is Outcome.STORED
    # without a stated time the time of telling is the event's
    assert shelf.put(incoming("User launched version 2", occurred_at=DAY_ONE + DAY * 2, **event)).into is None
    assert len(shelf.rows) == 3


def test_an_event_retires_nothing() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Redport", home("Redport")))
    event = incoming("User stayed in Bluefield", home("Bluefield"), kind=Kind.EPISODIC, occurred_at=DAY_ONE + DAY)
    assert shelf.put(event).changes == ()
    assert shelf.values("home_city") == {"Redport"}


# --- endings (C1) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ending",
    [
        "I don't like coffee anymore, I drink tea now",
        "I no longer like coffee",
        "I stopped drinking coffee",
        "I quit coffee last month",
    ],
)
def test_an_ending_retires_every_copy_of_the_old_claim(ending: str) -> None:
    shelf = Shelf()
    shelf.say("I like coffee", occurred_at=DAY_ONE - DAY * 60)
    shelf.put(incoming("User likes coffee with Ana", likes("coffee"), occurred_at=DAY_ONE - DAY * 50))
    assert len(shelf.active("likes")) == 2
    done = shelf.say(ending)
    assert done[0].outcome is Outcome.SUPERSEDED
    assert done[0].supersedes == (uid(1), uid(2))
    assert codes(done[0]) == [Code.EXPLICIT_ENDING]
    assert "coffee" not in shelf.values("likes")
    new = uid(3)
    assert shelf.rows[new].kind is Kind.EPISODIC
    assert shelf.rows[new].status is Status.ACTIVE
    assert [shelf.superseder(uid(number)) for number in (1, 2)] == [new, new]
    assert all(row.valid_to and row.known_to for row in shelf.rows.values() if row.status is Status.SUPERSEDED)


def test_a_repeated_ending_is_the_same_ending_until_it_began_again() -> None:
    shelf = Shelf()
    for text in ("I like coffee", "I no longer like coffee", "I no longer like coffee"):
        done = shelf.say(text)
    assert (done[0].outcome, done[0].rule) == (Outcome.REINFORCED, "ending_repeat")
    assert shelf.say("I like coffee")[0].outcome is Outcome.STORED
    assert shelf.say("I no longer like coffee")[0].outcome is Outcome.SUPERSEDED
    assert shelf.values("likes") == set()


def test_an_ending_of_nothing_known_is_kept_as_an_event_and_retires_nothing() -> None:
    shelf = Shelf()
    shelf.say("I like tea")
    done = shelf.say("I no longer like coffee")
    assert (done[0].outcome, done[0].kind, done[0].rule) == (Outcome.STORED, Kind.EPISODIC, "ending_of_nothing_known")
    assert shelf.values("likes") == {"tea"}


def test_an_ending_older_than_the_fact_does_not_end_it_in_either_order() -> None:
    for order in permutations((0, 1)):
        shelf = Shelf()
        steps = [("I no longer like coffee", DAY_ONE), ("I like coffee", DAY_ONE + DAY)]
        for place in order:
            shelf.say(steps[place][0], occurred_at=steps[place][1], received_at=DAY_ONE + DAY * 9)
        assert shelf.values("likes") == {"coffee"}


def test_a_fact_older_than_its_known_ending_is_history_in_either_order() -> None:
    for order in permutations((0, 1)):
        shelf = Shelf()
        steps = [("I like coffee", DAY_ONE), ("I no longer like coffee", DAY_ONE + DAY)]
        for place in order:
            shelf.say(steps[place][0], occurred_at=steps[place][1], received_at=DAY_ONE + DAY * 9)
        assert shelf.values("likes") == set()
        assert shelf.history("likes") == [("coffee", Status.SUPERSEDED)]
        (old,) = [row for row in shelf.rows.values() if row.value == "coffee" and row.kind is Kind.SEMANTIC]
        assert old.valid_to == DAY_ONE + DAY
        assert shelf.superseder(old.id) is not None


def test_a_switch_retires_what_is_left_and_stores_what_comes() -> None:
    shelf = Shelf()
    shelf.say("I use Postgres")
    shelf.say("I use Redis")
    (done,) = shelf.say("I switched from Postgres to MySQL.")
    assert (done.outcome, done.rule, done.supersedes) == (Outcome.SUPERSEDED, "switch", (uid(1),))
    assert [(reason.code, reason.detail) for reason in done.reasons] == [
        (Code.EXPLICIT_ENDING, "switched from Postgres")
    ]
    assert shelf.values("uses") == {"Redis", "MySQL"}


def test_a_switch_to_what_is_there_already_still_retires_the_old() -> None:
    shelf = Shelf()
    shelf.say("I use Postgres")
    shelf.say("I use MySQL")
    (done,) = shelf.say("I switched from Postgres to MySQL.")
    assert (done.outcome, done.into, done.supersedes) == (Outcome.REINFORCED, uid(2), (uid(1),))
    assert shelf.values("uses") == {"MySQL"}


def test_quitting_the_job_ends_whatever_job_there_is() -> None:
    shelf = Shelf()
    shelf.put(incoming("User works at Northwind", Claim("user", "employer", "Northwind", single_valued=True)))
    quit_it = Claim("user", "employer", single_valued=True, ends=True, ended_value="job")
    shelf.put(incoming("User quit their job", quit_it, kind=Kind.EPISODIC, occurred_at=DAY_ONE + DAY))
    assert shelf.values("employer") == set()


def test_no_longer_at_another_place_ends_nothing() -> None:
    shelf = Shelf()
    shelf.say("I work at Northwind")
    shelf.say("I no longer work at Contoso")
    assert shelf.values("employer") == {"Northwind"}


# --- contradictions (C2) --------------------------------------------------------------------------------------


def test_love_hate_and_love_again_is_one_chain() -> None:
    shelf = Shelf()
    assert outcomes(shelf.say("I love spicy food")) == [Outcome.STORED]
    (hate,) = shelf.say("I hate spicy food")
    assert (hate.outcome, hate.rule, hate.supersedes) == (Outcome.SUPERSEDED, "reversed", (uid(1),))
    (again,) = shelf.say("I love spicy food again")
    assert (again.outcome, again.supersedes) == (Outcome.SUPERSEDED, (uid(2),))
    assert [row.id for row in shelf.active("likes")] == [uid(3)]
    assert [shelf.superseder(uid(number)) for number in (1, 2, 3)] == [uid(2), uid(3), None]


def test_a_contradiction_never_ends_with_nothing_current() -> None:
    for seed in range(30):
        shelf = Shelf()
        for word in random.Random(seed).choices(["love", "hate"], k=8):
            shelf.say(f"I {word} spicy food")
            assert len(shelf.active("likes")) == 1


# --- single and many (C3) -------------------------------------------------------------------------------------

REPLACED = [
    ("I live in Redport", "I moved from Redport to Bluefield"),
    ("I work at Northwind", "I joined Contoso"),
    ("I'm assigned to project Alpha", "I've been moved to project Beta"),
    ("My time zone is UTC+2", "My time zone is now UTC-5"),
    ("Call me Sam", "Please call me Samuel from now on"),
    ("My brother lives in Oslo", "My brother lives in Bergen now"),
    ("The SSH port of my server is 22", "The SSH port of my server is now 49222"),
    ("I have two kids", "I have three kids"),
]
TOGETHER = [
    ("I like travelling", "I like late-night snacks at weekends"),
    ("I use Postgres", "I use Redis"),
    ("I'm allergic to nuts", "I'm allergic to latex"),
    ("I speak Spanish", "I speak German"),
    ("I live in Redport", "My brother lives in Oslo"),
    ("I live in Redport", "I don't live in Paris"),
    ("I like C", "I like C++"),
]


@pytest.mark.parametrize(("first", "second"), REPLACED)
def test_another_value_of_a_single_valued_attribute_replaces(first: str, second: str) -> None:
    shelf = Shelf()
    shelf.say(first)
    (done,) = shelf.say(second)
    assert (done.action, done.outcome, done.supersedes) == (Action.SUPERSEDE, Outcome.SUPERSEDED, (uid(1),))
    assert [row.id for row in shelf.active()] == [uid(2)]
    assert shelf.superseder(uid(1)) == uid(2)


@pytest.mark.parametrize(("first", "second"), TOGETHER)
def test_what_can_be_true_at_once_stands_side_by_side(first: str, second: str) -> None:
    shelf = Shelf()
    shelf.say(first)
    (done,) = shelf.say(second)
    assert (done.outcome, done.supersedes) == (Outcome.STORED, ())
    assert len(shelf.active()) == 2


def test_coexisting_says_so() -> None:
    shelf = Shelf()
    shelf.say("I use Postgres")
    (done,) = shelf.say("I use Redis")
    assert (done.action, codes(done)) == (Action.COEXIST, [Code.COEXISTS])


def test_the_change_is_told_with_the_old_value() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    done = shelf.put(incoming("User lives in Berlin", home("Berlin"), occurred_at=DAY_ONE + DAY))
    assert [(reason.code, reason.detail) for reason in done.reasons] == [(Code.CHANGED_VALUE, "home_city was Munich")]


def test_other_subjects_are_never_touched() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Redport", home("Redport")))
    shelf.put(incoming("User's brother lives in Oslo", home("Oslo", subject="person:brother")))
    assert len(shelf.active("home_city")) == 2


# --- event time (C4 and the history) --------------------------------------------------------------------------


@pytest.mark.parametrize(("later", "gone"), [(HOUR, True), (timedelta(0), False), (-HOUR, False)])
@pytest.mark.parametrize("valid_from", [None, DAY_ONE + 19 * DAY])
def test_of_the_same_day_what_was_known_first_was_said_before(
    later: timedelta, gone: bool, valid_from: datetime | None
) -> None:
    # callers that know the day only give all that is told on it the same time
    row = memory(1, content="User's deadline for the sprint is June 20", occurred_at=DAY_ONE, valid_from=valid_from)
    said = incoming(
        "The new sprint deadline is June 25",
        weighed=Weighed({uid(1): 0.99}, frozenset({uid(1)})),
        occurred_at=DAY_ONE,
        received_at=row.known_from + later,
    )
    made = resolve(said, [Neighbour(row, row.created_at, None, row.occurred_at)])
    assert (made.supersedes == (uid(1),)) == gone


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("I've completed 10 algebra problems, scoring 8/10.", "I recently completed 15 algebra problems.", True),
        ("I've read 10 books this year", "I've now read 14 books this year.", True),
        ("I have already merged 20 pull requests", "I have merged 31 pull requests so far", True),
        ("I've read 10 books this year", "I've read 3 books by Rowling.", False),
        ("I've read 10 books this year", "I've watched 14 films this year.", False),
        ("I've completed 10 algebra problems.", "I completed 3 algebra problems on Monday.", False),
        ("I've visited 10 countries", "I've visited 3 more countries than my brother.", False),
        # a part of it, or what cannot be so far
        ("I've visited 10 countries", "I've visited 3 countries this summer.", False),
        ("I've published 12 papers", "I've published 2 papers with Ana.", False),
        ("I've finished 3 marathons", "I've finished 2 marathons.", False),
        # what is written like no number
        ("I've completed 1.2.3 levels", "I've completed 1.2.4 levels", True),
        ("I've collected 1,200 stamps", "I've collected 1,350 stamps", True),
        ("I've collected 1,350 stamps", "I've collected 900 stamps", False),
        ("I recently watched 2 movies", "I recently watched 3 movies, Dune, Alien and Heat.", False),
    ],
)
def test_how_far_one_has_come_takes_the_place_of_how_far_one_had(first: str, second: str, gone: bool) -> None:
    shelf = Shelf()
    shelf.say(first)
    shelf.say(second, occurred_at=DAY_ONE + DAY)
    assert (shelf.rows[uid(1)].status is Status.SUPERSEDED) == gone


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("My rent is 900 euros.", "How do I budget with my new rent of 1,050 euros?", True),
        ("My rent is 900 euros.", "My rent is 1,050 euros a month now.", True),
        ("My test coverage is 65%.", "My test coverage is at 78%.", True),
        ("My rent is 1,050 euros.", "My rent is 1,200 euros.", True),
        ("My salary is 90,000 a year.", "My salary is 90,500 a year.", True),
        # no amount, or of something else
        ("My rent is 900 euros.", "My rent is late.", False),
        ("My rent is 900 euros.", "My rent is due on 5 May.", False),
        ("My budget is 900 euros.", "My budget is tight.", False),
        ("My phone bill is 30 euros.", "My electricity bill is 80 euros.", False),
        ("My rent is 900 euros.", "My parents' rent is 700 euros.", False),
    ],
)
def test_an_amount_takes_the_place_of_the_amount_before(first: str, second: str, gone: bool) -> None:
    shelf = Shelf()
    shelf.say(first)
    told = extract(Message(Role.USER, second, DAY_ONE + DAY), index=0, text=second)
    for one in told:
        if one.claim.modality is Modality.ASSERTED:
            shelf.put(incoming(one.content, one.claim, kind=one.kind, occurred_at=DAY_ONE + DAY))
    assert (shelf.rows[uid(1)].status is Status.SUPERSEDED) == gone


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_count_rises_whatever_the_order_in_which_it_is_told(order: tuple[int, ...]) -> None:
    told = [f"I've read {number} books this year" for number in (4, 9, 15)]
    shelf = Shelf()
    for place in order:
        shelf.say(told[place], occurred_at=DAY_ONE + place * DAY, received_at=DAY_ONE + 9 * DAY)
    assert [row.content for row in shelf.rows.values() if row.status is Status.ACTIVE] == [
        "User has read 15 books this year"
    ]


def test_what_is_sent_again_does_not_retire_what_has_replaced_it_on_the_same_day() -> None:
    first, second = "User's deadline for the sprint is June 20", "The new sprint deadline is June 25"
    told = incoming(first, occurred_at=DAY_ONE, weighed=Weighed({uid(2): 0.99}, frozenset({uid(2)})))
    old = memory(1, content=first, content_key=told.content_key, status=Status.SUPERSEDED, superseded_by=uid(2))
    new = memory(2, content=second, known_from=DAY_ONE + HOUR)
    again = replace(told, received_at=DAY_ONE + 2 * HOUR)
    rows = [Neighbour(row, row.created_at, None, row.occurred_at) for row in (old, new)]
    assert resolve(again, rows).supersedes == ()
    assert resolve(again, rows[1:]).supersedes == (uid(2),)


def test_a_late_older_message_enters_history_and_leaves_the_present_alone() -> None:
    shelf = Shelf()
    for city, days in (("Munich", 0), ("Berlin", 100)):
        shelf.put(incoming(f"User lives in {city}", home(city), occurred_at=DAY_ONE + DAY * days))
    late = incoming(
        "User lives in Hamburg",
        home("Hamburg"),
        occurred_at=DAY_ONE + DAY * 50,
        received_at=DAY_ONE + DAY * 101,
    )
    done = shelf.put(late)
    assert (done.outcome, done.status, done.rule) == (Outcome.STORED, Status.SUPERSEDED, "late")
    assert codes(done) == [Code.OLDER_THAN_CURRENT]
    assert (done.superseded_by, done.supersedes) == (uid(2), ())
    assert shelf.values("home_city") == {"Berlin"}
    # in its place: Munich, Hamburg, Berlin, without a fork
    assert [shelf.superseder(uid(number)) for number in (1, 3, 2)] == [uid(3), uid(2), None]
    assert shelf.rows[uid(1)].valid_to == DAY_ONE + DAY * 50
    assert (shelf.rows[uid(3)].valid_from, shelf.rows[uid(3)].valid_to) == (
        DAY_ONE + DAY * 50,
        DAY_ONE + DAY * 100,
    )


def test_equal_event_times_are_settled_by_arrival() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    done = shelf.put(incoming("User lives in Berlin", home("Berlin"), received_at=DAY_ONE + HOUR))
    assert done.outcome is Outcome.SUPERSEDED
    assert shelf.values("home_city") == {"Berlin"}


def test_a_move_last_month_follows_what_was_said_in_the_middle_of_it() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich"), occurred_at=datetime(2025, 5, 20, 9, tzinfo=UTC)))
    moved = home("Berlin", valid_from=datetime(2025, 5, 1, tzinfo=UTC))
    done = shelf.put(incoming("User lives in Berlin", moved, occurred_at=datetime(2025, 6, 3, 9, 12, tzinfo=UTC)))
    assert done.outcome is Outcome.SUPERSEDED
    assert done.valid_from == datetime(2025, 5, 1, tzinfo=UTC)


def test_the_old_one_ends_when_the_new_one_began() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich"), occurred_at=datetime(2024, 11, 20, 18, tzinfo=UTC)))
    moved = home("Berlin", valid_from=datetime(2025, 5, 1, tzinfo=UTC))
    said = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)
    shelf.put(incoming("User lives in Berlin", moved, occurred_at=said))
    old = shelf.rows[uid(1)]
    assert (old.valid_from, old.valid_to, old.known_to) == (
        datetime(2024, 11, 20, 18, tzinfo=UTC),
        datetime(2025, 5, 1, tzinfo=UTC),
        said,
    )


SIX = [("Aix", 0), ("Bonn", 10), ("Cork", 20), ("Dijon", 30), ("Essen", 40), ("Faro", 50)]


def run(order: list[int], steps: list[tuple[str, int]], *, stated: bool) -> Shelf:
    shelf = Shelf()
    for place, step in enumerate(order):
        city, days = steps[step]
        at, received = DAY_ONE + DAY * days, DAY_ONE + DAY * (100 + place)
        claim = home(city, valid_from=at) if stated else home(city)
        said = received if stated else at
        shelf.put(incoming(f"User lives in {city}", claim, occurred_at=said, received_at=received))
    return shelf


@pytest.mark.parametrize("stated", [False, True])
def test_six_dated_statements_end_alike_in_every_order(stated: bool) -> None:
    in_order = run(list(range(6)), SIX, stated=stated)
    expected = in_order.history("home_city")
    assert expected[-1] == ("Faro", Status.ACTIVE)
    for order in permutations(range(6)):
        shelf = run(list(order), SIX, stated=stated)
        assert shelf.values("home_city") == {"Faro"}
        assert shelf.history("home_city") == expected


def test_a_value_said_again_later_stays_current_whatever_comes_late() -> None:
    steps = [("Berlin", 0), ("Paris", 20), ("Berlin", 40)]
    for order in permutations(range(3)):
        assert run(list(order), steps, stated=False).values("home_city") == {"Berlin"}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["Aix", "Bonn", "Cork"]), st.integers(0, 8), st.integers(1, 3)),
        min_size=1,
        max_size=8,
        unique_by=lambda step: step[1],
    ),
    st.randoms(use_true_random=False),
)
def test_any_order_of_statements_ends_with_the_same_current_value(
    steps: list[tuple[str, int, int]], shuffler: random.Random
) -> None:
    def end(order: list[tuple[str, int, int]]) -> set[str | None]:
        shelf = Shelf()
        for place, (city, days, trust) in enumerate(order):
            at = DAY_ONE + DAY * days
            said = incoming(
                f"User lives in {city}",
                home(city),
                occurred_at=at,
                received_at=DAY_ONE + DAY * (100 + place),
                trust=trust,
                session_id=str(place),
            )
            shelf.put(said)
        return shelf.values("home_city")

    shuffled = list(steps)
    shuffler.shuffle(shuffled)
    assert end(shuffled) == end(sorted(steps, key=lambda step: step[1]))


def test_a_future_change_leaves_the_present_as_it_is() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    later = home("Berlin", valid_from=DAY_ONE + DAY * 60)
    done = shelf.put(incoming("User lives in Berlin from August", later, occurred_at=DAY_ONE + DAY))
    assert (done.kind, done.rule) == (Kind.EPISODIC, "not_yet")
    assert shelf.values("home_city") == {"Munich"}


def test_a_past_period_is_an_ending_told_by_its_time() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich"), occurred_at=DAY_ONE - DAY * 400))
    until = home("Munich", valid_to=DAY_ONE - DAY * 30)
    done = shelf.put(incoming("User lived in Munich until May", until))
    assert (done.outcome, done.kind) == (Outcome.SUPERSEDED, Kind.EPISODIC)
    assert shelf.rows[uid(1)].valid_to == DAY_ONE - DAY * 30


# --- trust ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "claim", "text"),
    [
        (home("Munich"), home("Berlin"), "User lives in Berlin"),
        (likes("tea"), likes("tea", positive=False), "User hates tea"),
        (likes("tea"), Claim("user", "likes", None, ends=True, ended_value="tea"), "User no longer likes tea"),
        (likes("tea"), Claim("user", "likes", "mate", ends=True, ended_value="tea"), "User switched to mate"),
    ],
)
def test_lower_trust_that_contradicts_is_disputed_and_touches_nothing(held: Claim, claim: Claim, text: str) -> None:
    shelf = Shelf()
    shelf.put(incoming("What the user said", held))
    before = dict(shelf.rows)
    done = shelf.put(incoming(text, claim, trust=1, role=Role.TOOL, occurred_at=DAY_ONE + DAY))
    assert (done.action, done.outcome, done.status) == (Action.DISPUTE, Outcome.DISPUTED, Status.DISPUTED)
    assert codes(done) == [Code.LOWER_TRUST_CONFLICT]
    assert [(item.memory_id, item.relation) for item in done.related] == [(uid(1), Relation.CONFLICTS_WITH)]
    assert done.changes == ()
    assert (uid(2), Link.CONFLICTS_WITH, uid(1)) in shelf.links
    assert shelf.rows[uid(1)] == before[uid(1)]
    again = shelf.put(incoming(text, claim, trust=1, role=Role.TOOL, occurred_at=DAY_ONE + DAY * 2))
    assert (again.outcome, again.into) == (Outcome.REINFORCED, uid(2))
    assert len(shelf.rows) == 2


def test_higher_trust_supersedes_what_is_lower() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich"), trust=0, role=Role.ASSISTANT))
    done = shelf.put(incoming("User lives in Berlin", home("Berlin"), occurred_at=DAY_ONE + DAY))
    assert done.supersedes == (uid(1),)


def test_a_less_trusted_repeat_is_counted_but_does_not_confirm() -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea")))
    done = shelf.put(incoming("User likes tea", likes("tea"), trust=1, occurred_at=DAY_ONE + DAY))
    assert (done.outcome, done.independent) == (Outcome.REINFORCED, False)
    assert shelf.rows[uid(1)].trust == 3


def test_a_more_trusted_repeat_is_a_row_of_its_own_and_raises_nobody() -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea"), trust=1))
    done = shelf.put(incoming("User likes tea", likes("tea"), occurred_at=DAY_ONE + DAY))
    assert (done.outcome, done.rule, done.supersedes) == (Outcome.SUPERSEDED, "more_trusted_repeat", (uid(1),))
    assert [(row.trust, row.status) for row in shelf.rows.values()] == [(1, Status.SUPERSEDED), (3, Status.ACTIVE)]


def test_the_later_word_of_a_less_trusted_source_is_disputed_in_either_order() -> None:
    for order in permutations((0, 1)):
        shelf = Shelf()
        steps = [("Munich", 0, 3), ("Berlin", 10, 1)]
        for place in order:
            city, days, trust = steps[place]
            shelf.put(
                incoming(
                    f"User lives in {city}",
                    home(city),
                    trust=trust,
                    occurred_at=DAY_ONE + DAY * days,
                    received_at=DAY_ONE + DAY * 20,
                )
            )
        assert shelf.values("home_city") == {"Munich"}
        assert dict(shelf.history("home_city"))["Berlin"] is Status.DISPUTED


def test_a_trusted_statement_settles_a_dispute() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    shelf.put(incoming("User lives in Berlin", home("Berlin"), trust=1, occurred_at=DAY_ONE + DAY))
    done = shelf.put(incoming("User lives in Berlin", home("Berlin"), occurred_at=DAY_ONE + DAY * 2))
    assert done.outcome is Outcome.SUPERSEDED
    assert set(done.supersedes) == {uid(1), uid(2)}
    assert shelf.values("home_city") == {"Berlin"}


# --- held -----------------------------------------------------------------------------------------------------


def test_a_held_statement_touches_nothing() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    done = shelf.put(incoming("User may live in Berlin", home("Berlin"), held=True, occurred_at=DAY_ONE + DAY))
    assert (done.outcome, done.status, done.changes) == (Outcome.HELD, Status.HELD, ())
    assert shelf.values("home_city") == {"Munich"}


def test_a_held_statement_that_is_known_already_is_a_mention() -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea")))
    done = shelf.put(incoming("User likes tea", likes("tea"), held=True, occurred_at=DAY_ONE + DAY))
    assert (done.outcome, done.into, done.independent) == (Outcome.REINFORCED, uid(1), False)


def test_a_confirmed_held_memory_keeps_its_id_and_becomes_current() -> None:
    shelf = Shelf()
    shelf.put(incoming("User's deploy target is Fly", held=True, confidence=0.4))
    done = shelf.put(incoming("User's deploy target is Fly", occurred_at=DAY_ONE + DAY))
    assert (done.outcome, done.promoted, done.into) == (Outcome.REINFORCED, True, uid(1))
    assert Code.PROMOTED in codes(done)
    (row,) = shelf.rows.values()
    assert (row.status, row.confidence, row.known_from) == (Status.ACTIVE, 0.9, DAY_ONE + DAY)


def test_a_promoted_fact_still_replaces_the_current_one() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    shelf.put(incoming("User lives in Berlin", home("Berlin"), held=True, occurred_at=DAY_ONE + DAY))
    done = shelf.put(incoming("User lives in Berlin", home("Berlin"), occurred_at=DAY_ONE + DAY * 2))
    assert (done.promoted, done.into, done.supersedes) == (True, uid(2), (uid(1),))
    assert shelf.values("home_city") == {"Berlin"}
    assert shelf.superseder(uid(1)) == uid(2)


@pytest.mark.parametrize(
    ("held_trust", "trust", "held_stays"),
    [
        (3, 2, True),  # an assistant's word does not make the user's guess a fact
        (1, 3, False),  # and a user's word does not raise a tool's
    ],
)
def test_promotion_never_changes_trust(held_trust: int, trust: int, held_stays: bool) -> None:
    shelf = Shelf()
    shelf.put(incoming("User likes tea", likes("tea"), held=True, trust=held_trust))
    done = shelf.put(incoming("User likes tea", likes("tea"), trust=trust, occurred_at=DAY_ONE + DAY))
    assert not done.promoted
    assert shelf.rows[uid(1)].status is (Status.HELD if held_stays else Status.SUPERSEDED)
    assert shelf.rows[uid(2)].trust == trust
    if not held_stays:
        # it was never believed, so no question about the past may find it
        assert shelf.rows[uid(1)].valid_to == shelf.rows[uid(1)].valid_from


def test_quarantined_and_expired_rows_are_no_neighbours() -> None:
    shelf = Shelf()
    shelf.put(incoming("User lives in Munich", home("Munich")))
    for status in (Status.QUARANTINED, Status.EXPIRED):
        row = replace(shelf.rows[uid(1)], status=status)
        done = resolve(incoming("User lives in Munich", home("Munich")), [Neighbour(row, DAY_ONE, None)])
        assert done.outcome is Outcome.STORED
