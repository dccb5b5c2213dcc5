"""What may act on a weighed chance, and what stays whatever the weights say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.domain import turnover_weights_more
from app.domain.changes import marked
from app.domain.extract import extract
from app.domain.languages import language_of
from app.domain.memory import Kind, Memory, Message, Outcome, Role
from app.domain.nearness import MOST_ROWS, Overlap, nearest
from app.domain.pairs import MOST_ASKED
from app.domain.resolution import Resolution
from app.domain.resolver import resolve
from app.domain.telling import LEAST_ENDING, LEAST_SIGNAL, Said, Telling
from app.domain.timeline import Neighbour
from app.domain.turnover import (
    BACKED,
    BACKED_ELSEWHERE,
    FIRM,
    SURE,
    SURE_ELSEWHERE,
    SURE_READ,
    Weighed,
    can_be_weighed,
    less_sure,
    pairs_to_read,
    stays,
    weigh,
)
from app.domain.turnover_model import ENGLISH, WEIGHED_TONGUES
from tests.domain.shelf import DAY, DAY_ONE, incoming, memory, uid

LIKE_AN_END = 2.0


def telling(text: str, subject: str | None = None) -> Telling:
    found = extract(Message(Role.USER, text, DAY_ONE), index=0, text=text, subject=subject)
    read = Telling.of([Said(one.claim, marked(one), LIKE_AN_END) for one in found], found[0].told)
    assert read is not None
    return read


def told(text: str, rows: list[Memory], chances: Mapping[int, float] | None, **changes: Any) -> Resolution:
    """Tell a message of one statement to somebody with these rows, ten days after them."""
    at = DAY_ONE + 10 * DAY
    (one,) = extract(Message(Role.USER, text, at), index=0, text=text)
    weighed = None
    if chances is not None:
        by_id = {uid(number): chance for number, chance in chances.items()}
        weighed = Weighed(by_id, frozenset(by_id))
    said = incoming(one.content, one.claim, change=marked(one), weighed=weighed, occurred_at=at, **changes)
    return resolve(said, [Neighbour(row, row.created_at, None, row.occurred_at) for row in rows])


CAR = "User drives a Skoda"
SOLD = "Got myself a Kia from the dealer in town."


def test_a_sure_chance_ends_the_row_and_says_so() -> None:
    made = told(SOLD, [memory(1, content=CAR)], {1: 0.93})
    assert made.supersedes == (uid(1),)
    assert made.rule == "weighed"
    assert "0.93" in made.reasons[-1].detail


@pytest.mark.parametrize("chance", [SURE - 0.01, BACKED, 0.0])
def test_less_than_sure_ends_nothing_without_the_rules(chance: float) -> None:
    assert told(SOLD, [memory(1, content=CAR)], {1: chance}).supersedes == ()


@pytest.mark.parametrize(
    ("row", "changes"),
    [
        ({"pinned": True}, {}),
        ({"kind": Kind.PROCEDURAL}, {}),
        ({"trust": 2}, {"trust": 2}),
        ({"trust": 4}, {}),
        ({"occurred_at": DAY_ONE + 20 * DAY}, {}),
    ],
    ids=["pinned", "an instruction", "not the user's word", "trusted more", "said later"],
)
def test_what_a_chance_alone_may_not_end(row: dict[str, Any], changes: dict[str, Any]) -> None:
    assert told(SOLD, [memory(1, content=CAR, **row)], {1: 0.99}, **changes).supersedes == ()


HOME = "User's home is Tucson"
LEFT = "I've moved for good, home is Duluth now."


def test_the_rules_decide_where_nothing_was_weighed_or_could_be() -> None:
    rows = [memory(1, content=HOME), memory(2, content="User likes jazz")]
    assert told(LEFT, rows, None).supersedes == (uid(1),)
    # few were weighed, all that have a vector: this one has none
    assert told(LEFT, rows, {2: 0.001}).supersedes == (uid(1),)
    # as many as are looked at are nearer: this one is not meant
    nearer = dict.fromkeys(range(2, 2 + MOST_ROWS), 0.001)
    assert told(LEFT, rows, nearer).supersedes == ()
    # of the same write, or of several sentences: these are never weighed
    same = replace(rows[0], known_from=DAY_ONE + 10 * DAY)
    assert told(LEFT, [same], nearer).supersedes == (uid(1),)
    both = memory(1, content=f"{HOME}. It has two rooms.")
    assert told(LEFT, [both], nearer).supersedes == (uid(1),)


def test_a_row_that_was_found_unlikely_stays_whatever_the_rules_say() -> None:
    rows = [memory(1, content=HOME)]
    assert told(LEFT, rows, {1: BACKED}).supersedes == (uid(1),)
    assert told(LEFT, rows, {1: BACKED - 0.01}).supersedes == ()


def test_a_correction_ends_no_other_row_by_likeness() -> None:
    rows = [memory(1, content="User owns a blue Vespa"), memory(2, content="User owns a Toyota")]
    made = told("I meant I own a red Vespa.", rows, {1: 0.97, 2: 0.9}, puts_right=frozenset({uid(1)}))
    assert made.outcome is Outcome.SUPERSEDED
    assert uid(2) not in made.supersedes


def test_a_row_that_was_not_read_beside_read_ones_is_not_over_by_the_weights_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = {uid(number): memory(number, content=f"User drives car {number}") for number in range(1, 6)}
    monkeypatch.setattr("app.domain.turnover.chance", lambda *_: 0.95)
    heard, near = telling(SOLD), [dict.fromkeys(rows, 0.5)]
    (found,) = weigh(heard, near, rows)
    assert (found.chances, found.sure) == (dict.fromkeys(rows, 0.95), SURE)
    asked = pairs_to_read(heard, near, rows)
    assert len(asked) == MOST_ASKED < len(rows)
    (found,) = weigh(heard, near, rows, dict.fromkeys(asked, -9.0))
    assert found.sure == SURE_READ
    assert max(found.chances.values()) < SURE
    (found,) = weigh(heard, near, rows, {asked[0]: 9.0, asked[1]: -9.0, asked[2]: -9.0})
    over = [rows[row].content for row, likely in found.chances.items() if likely >= SURE_READ]
    assert over == [asked[0].row]


def test_in_another_language_nothing_is_to_be_read() -> None:
    text = "Wir sind letzten Monat nach Kiel gezogen."
    (one,) = extract(Message(Role.USER, text, DAY_ONE), index=0, text=text)
    german = Telling.of([Said(one.claim, marked(one), None)], one.told, "de")
    assert german is not None
    assert pairs_to_read(german, [{uid(1): 0.9}], {uid(1): memory(1, content="Ich wohne in Hamburg")}) == []


@pytest.mark.parametrize(
    ("text", "row", "stay"),
    [
        ("I use Nginx every day.", "User uses Kafka every day", True),
        ("I like jazz.", "User likes folk", True),
        ("I weigh 80 kilos.", "User weighs 85 kilos", False),
        ("I use Nginx every day now.", "User uses Apache every day", False),
        ("I switched to Nginx every day.", "User uses Apache every day", False),
        ("I adore mushrooms.", "User hates mushrooms", False),
        ("Hung up my apron.", "User is a cook", False),
    ],
)
def test_another_value_of_the_same_is_no_change_unless_it_is_marked(text: str, row: str, stay: bool) -> None:
    assert stays(telling(text), memory(1, content=row)) == stay


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("I sold it.", True),
        ("I sold it. I walk now.", True),
        ("I sold it. I walk now. It's nice.", False),
        ("Ich habe es verkauft.", True),
        ("Ich habe es verkauft. Ich gehe jetzt zu Fuß.", False),
    ],
)
def test_what_is_weighed_as_one_statement(text: str, can: bool) -> None:
    assert can_be_weighed(text) == can


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "row", "settled"),
    [
        (
            "John Keats died in the city of Rome.",
            "thing:endymion",
            "author",
            "The author of Endymion is John Keats.",
            True,
        ),
        (
            "My brother died in the city of Rome.",
            "thing:endymion",
            "author",
            "The author of Endymion is John Keats.",
            False,
        ),
        ("John Keats died in the city of Rome.", "person:friend", "author", "User's friend wrote Endymion", False),
        ("John Keats died in the city of Rome.", "thing:endymion", None, "Endymion is by John Keats.", False),
    ],
)
def test_what_is_plainly_said_of_others_is_compared_by_structure_alone(
    text: str, subject: str, attribute: str | None, row: str, settled: bool
) -> None:
    assert stays(telling(text), memory(1, content=row, subject=subject, attribute=attribute)) == settled


@pytest.mark.parametrize(
    ("subject", "text", "row_subject", "row"),
    [
        (
            "client:northwind",
            "They moved billing to Postgres last month, MySQL is gone.",
            "client:acme",
            "Acme runs MySQL",
        ),
        ("client:northwind", "They switched support from Slack to Teams.", "client:acme", "They use Slack for support"),
        ("client:globex", "Dana left, the new contact is Omar now.", "client:acme", "Their main contact is Dana Wu"),
        ("client:globex", "They moved to Kiel.", "user", "User lives in Hamburg"),
        (
            None,
            "We moved billing to Postgres last month, MySQL is gone.",
            "client:acme",
            "Acme runs its billing on MySQL",
        ),
        (None, "I threw out the walnut bread.", "user", "User is allergic to walnuts"),
        (None, "I closed the garden gate.", "user", "User keeps a vegetable garden"),
        (None, "We deleted the Jenkins logs.", "user", "The deploy pipeline runs on Jenkins"),
        (None, "Finally got the Octavia back from the garage, new clutch and all.", "user", "User drives an Octavia"),
        (None, "Tom and I renewed our vows last weekend.", "user", "User is married to Tom"),
    ],
)
def test_what_stays_whatever_the_weights_say(subject: str | None, text: str, row_subject: str, row: str) -> None:
    assert stays(telling(text, subject), memory(1, content=row, subject=row_subject))


@pytest.mark.parametrize(
    ("subject", "text", "row_subject", "row"),
    [
        ("client:acme", "They moved billing to Postgres last month.", "client:acme", "Acme runs its billing on MySQL"),
        (None, "We moved to Kiel.", "user", "User lives in Hamburg"),
        (None, "I'm not allergic to walnuts after all.", "user", "User is allergic to walnuts"),
        (None, "I sold the Octavia.", "user", "User drives an Octavia"),
        (None, "They renewed my pass until 2031.", "user", "User's pass is valid until 2026"),
    ],
)
def test_what_is_left_to_the_weights(subject: str | None, text: str, row_subject: str, row: str) -> None:
    assert not stays(telling(text, subject), memory(1, content=row, subject=row_subject))


def test_the_same_words_are_no_news_of_a_row() -> None:
    row = memory(1, content="The backup key is kept in the Frankfurt office")
    assert stays(telling("Backup key: kept in the Frankfurt office."), row)
    assert not stays(telling("Backup key: kept in the Hamburg office."), row)


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("I like jazz.", LEAST_ENDING - 0.1),
        ("We moved to Kiel.", None),
        ("В прошлом месяце мы переехали в Казань.", LIKE_AN_END),
        ("先月大阪に引っ越しました。", LIKE_AN_END),
        ("Wohin bist du denn gezogen, und wann war das?", None),
        ("Ich mag Jazz und gehe gern spazieren.", None),
        ("We moved to Kiel. " * 60, LIKE_AN_END),
    ],
)
def test_what_is_no_end_not_read_long_or_of_another_language_is_not_weighed(text: str, ending: float | None) -> None:
    found = extract(Message(Role.USER, text, DAY_ONE), index=0, text=text)
    assert Telling.of_news([Said(one.claim, marked(one), ending) for one in found], found[0].told) is None


def test_a_message_ends_what_its_most_ending_statement_ends() -> None:
    (one,) = extract(Message(Role.USER, "We moved to Kiel.", DAY_ONE), index=0, text="We moved to Kiel.")
    endings = (-1.0, None, LEAST_ENDING, -2.0)
    read = Telling.of_news([Said(one.claim, marked(one), ending) for ending in endings], one.told)
    assert read is not None
    assert read.ending == -1.0


def test_each_row_is_acted_on_by_the_statement_that_it_is_nearest_to() -> None:
    rows = {uid(number): memory(number, content=f"User owns thing {number}") for number in range(1, 12)}
    near = [
        {uid(number): 0.5 - number / 100 for number in range(1, 9)},
        {uid(number): 0.1 + number / 100 for number in range(4, 12)},
    ]
    first, second = weigh(telling("We moved to Kiel."), near, rows)
    assert first.chances == second.chances
    assert len(first.chances) == MOST_ROWS
    assert not first.nearest & second.nearest
    assert first.nearest | second.nearest == set(first.chances)
    assert uid(1) in first.nearest


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("Wir sind letzten Monat nach Kiel gezogen.", "de"),
        ("On a déménagé à Lyon le mois dernier.", "fr"),
        ("Nos mudamos a Sevilla el mes pasado.", "es"),
        ("我们上个月搬到成都了。", "zh"),
    ],
)
def test_other_languages_are_weighed_by_weights_of_their_own(text: str, tongue: str) -> None:
    found = extract(Message(Role.USER, text, DAY_ONE), index=0, text=text)
    news = Telling.of_news([Said(one.claim, marked(one)) for one in found], found[0].told)
    assert news is not None
    assert news.tongue == tongue
    assert news.signal >= LEAST_SIGNAL
    row = memory(1, content=text)
    (weighed,) = weigh(news, [{uid(1): 0.9}], {uid(1): row})
    assert (weighed.sure, weighed.backed) == (SURE_ELSEWHERE, BACKED_ELSEWHERE)


def test_there_are_weights_of_every_language_that_is_weighed() -> None:
    assert ENGLISH not in WEIGHED_TONGUES
    assert set(turnover_weights_more.LINES) == WEIGHED_TONGUES


def test_a_word_that_one_row_has_alone_brings_it_near_where_cosines_say_little() -> None:
    rows = {1: "Mein Hund heißt Mogli", 2: "Mein Auto ist rot", 3: "Mein Haus ist alt"}
    cosines = {2: 0.5, 3: 0.45, 1: 0.4}
    text = "Mogli ist gestern eingeschlafen."
    found = extract(Message(Role.USER, text, DAY_ONE), index=0, text=text)
    news = Telling.of([Said(one.claim, None) for one in found], found[0].told, "de")
    assert news is not None
    order = nearest(news, cosines, rows)
    assert [key for key, _ in order] == [1, 2, 3]
    overlap = order[0][1].overlap
    assert (overlap.words, overlap.weight, overlap.before) == (1, 1.0, 1.0)
    assert 0 < overlap.of_row <= 0.5
    assert [near.rank for _, near in order] == [0, 1, 2]
    assert order[1][1].overlap.words == 0
    # in English the cosines order alone
    assert [key for key, _ in nearest(telling("Mogli fell asleep yesterday."), cosines, rows)] == [2, 3, 1]


def test_a_word_that_several_rows_have_counts_less() -> None:
    rows = {1: "My dog Rex is old", 2: "Rex sleeps in the kitchen", 3: "I live in Kiel"}
    order = dict(nearest(telling("We buried Rex in the garden."), {1: 0.5, 2: 0.4, 3: 0.1}, rows))
    assert order[1].overlap.weight == order[2].overlap.weight == 0.5
    assert order[1].overlap.before == 0.0
    assert order[3].overlap == Overlap(before=-0.5)


@pytest.mark.parametrize(("chance", "gone"), [(SURE_ELSEWHERE, True), (SURE_ELSEWHERE - 0.01, False)])
def test_other_languages_have_bounds_of_their_own(chance: float, gone: bool) -> None:
    text = "Den Skoda hat jetzt mein Neffe."
    (one,) = extract(Message(Role.USER, text, DAY_ONE + DAY), index=0, text=text)
    weighed = Weighed({uid(1): chance}, frozenset({uid(1)}), SURE_ELSEWHERE, BACKED_ELSEWHERE)
    row = memory(1, content="User fährt einen Opel")
    said = incoming(one.content, one.claim, change=None, weighed=weighed, occurred_at=DAY_ONE + DAY)
    made = resolve(said, [Neighbour(row, row.created_at, None, row.occurred_at)])
    assert (made.supersedes == (uid(1),)) == gone


@pytest.mark.parametrize(
    ("row", "said", "held"),
    [
        ("User is allergic to shellfish", "I love shellfish now.", True),
        ("User is allergic to peanuts", "It turns out I'm also allergic to dust mites.", True),
        ("User hates cilantro", "Turns out I love cilantro now.", False),
        ("User dislikes nuts because of an allergy", "I love nuts now.", True),
        ("我讨厌香菜。", "我们在院子里种了香菜。", True),
        ("User never drinks alcohol", "I have a glass of wine with dinner these days.", False),
        ("User was born in Leeds", "We left Leeds for good.", True),
        ("User is allergic to peanuts", "The second test showed that I'm not allergic to peanuts.", False),
        ("Ich vertrage keine Milch.", "Gestern haben wir die Milch im Kühlschrank vergessen.", True),
        ("Ich vertrage keine Milch.", "Ich vertrage Milch jetzt wieder.", False),
        ("我不能吃辣。", "我现在能吃辣了。", False),
        ("我对花生过敏。", "原来我对尘螨也过敏。", True),
        ("我讨厌香菜。", "我现在也喜欢香菜了。", False),
        ("Mein Vertrag läuft bis 2027.", "Den Vertrag habe ich gekündigt.", False),
        ("Mon vélo est un Peugeot.", "Le vélo est de retour du garage, freins neufs.", True),
        ("Voy al taller de cerámica.", "Me salí del taller de cerámica.", False),
    ],
)
def test_a_taste_ends_by_another_taste_and_an_allergy_does_not(row: str, said: str, held: bool) -> None:
    found = extract(Message(Role.USER, said, DAY_ONE), index=0, text=said)
    read = Telling.of([Said(one.claim, marked(one), 1.0) for one in found], found[0].told, language_of(said) or "")
    assert read is not None
    assert stays(read, memory(1, content=row)) == held


@pytest.mark.parametrize(
    ("row", "said", "held"),
    [
        # one clause that ends something else
        ("The deploy pipeline runs on Jenkins.", "We deleted the Jenkins logs.", True),
        ("User has a cat called Pepper", "I cancelled the cat sitter.", True),
        # more than that is told
        ("User's boss is called Renate", "Renate's retired and Kim is the one I report to now.", False),
        ("User goes to the gym three times a week", "I let my gym membership lapse and took up bouldering.", False),
        # what goes on, and what goes on at another price
        ("User's car insurance costs 720 a year", "Car insurance renewed at 655 after some haggling.", False),
        ("User's car insurance costs 720 a year", "Car insurance renewed, at last.", True),
        ("User drives a Golf 7", "I got the Golf back from the garage, 480 euros.", True),
    ],
)
def test_what_a_message_ends_beside_a_row_leaves_it_alone(row: str, said: str, held: bool) -> None:
    assert stays(telling(said), memory(1, content=row)) == held


@pytest.mark.parametrize(("subject", "held"), [("client:northwind", False), ("client:acme", True), ("ticket:7", True)])
def test_a_client_is_named_by_words_that_know_no_clients(subject: str, held: bool) -> None:
    row = memory(1, content="Northwind wants monthly reports", subject=subject)
    assert stays(telling("Northwind switched to weekly reports."), row) == held


def test_where_something_else_is_over_a_chance_must_be_firm() -> None:
    said, row = "Brandt stopped delivering, so we get the box from Kim.", "User orders a box from Brandt"
    assert not stays(telling(said), memory(1, content=row))
    assert less_sure(telling(said), memory(1, content=row), FIRM - 0.01) == 0.0
    assert less_sure(telling(said), memory(1, content=row), FIRM) == FIRM
    assert less_sure(telling("We moved."), memory(1, content=row), 0.5) == 0.5


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I moved to Kiel.", "en"),
        ("Den Golf habe ich verkauft.", "de"),
        ("On a déménagé, j'habite à Lyon.", "fr"),
        ("Nos mudamos a Sevilla el mes pasado.", "es"),
        ("我从Google离职了", "zh"),
        ("Ich habe 北京大学 verlassen und bin jetzt in Kiel.", "de"),
        ("先月大阪に引っ越しました。", "ja"),
        ("В прошлом месяце мы переехали в Казань.", "ru"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_that_most_words_are_of(text: str, code: str) -> None:
    assert language_of(text) == code


@pytest.mark.parametrize(("chance", "gone"), [(BACKED_ELSEWHERE, True), (BACKED_ELSEWHERE - 0.01, False)])
def test_in_other_languages_the_rule_of_news_has_a_bound_of_its_own(chance: float, gone: bool) -> None:
    text = "Ich bin umgezogen und wohne jetzt in Bremen."
    (one,) = extract(Message(Role.USER, text, DAY_ONE + DAY), index=0, text=text)
    row = memory(1, content="Ich wohne in der Altstadt von Köln, seit Jahren")
    weighed = Weighed({uid(1): chance}, frozenset({uid(1)}), SURE_ELSEWHERE, BACKED_ELSEWHERE)
    said = incoming(one.content, one.claim, change=marked(one), weighed=weighed, occurred_at=DAY_ONE + DAY)
    made = resolve(said, [Neighbour(row, row.created_at, None, row.occurred_at)])
    assert (made.supersedes == (uid(1),), made.rule) == (gone, "news_changed" if gone else made.rule)


def test_a_row_of_several_sentences_is_left_to_the_rules() -> None:
    rows = {uid(1): memory(1, content="I live in Hamburg. Work is fine. Say hi!"), uid(2): memory(2, content=CAR)}
    (weighed,) = weigh(telling("We moved to Kiel."), [{uid(1): 0.9, uid(2): 0.3}], rows)
    assert set(weighed.chances) == {uid(2)}
