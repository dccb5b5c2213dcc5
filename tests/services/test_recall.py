"""Recall over HTTP: scores, degenerate stores and queries, no reward for being recalled, few statements."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from tests.conftest import Service, Tenant, User
from tests.services.listening import statements

pytestmark = pytest.mark.anyio

UNRELATED = (
    "I live in Oslo.", "I work at Northwind.", "My sister hates cilantro.", "I'm allergic to latex.", "I speak German.",
    "I have a dog.", "My time zone is UTC+2.", "I play tennis on Tuesdays.", "My badge code is K-17.", "I use Vim.",
    "I like late-night snacks at weekends.", "I drive a Volvo.", "My favourite colour is green.", "I use Kafka.",
    "My laptop is a ThinkPad.", "I am vegetarian.", "I like jazz music.", "I'm learning Japanese.", "I own a boat.",
    "Please always answer me in short sentences.",
)  # fmt: skip


LEGS = ("vector", "lexical", "session", "neighbours")


def finite(memories: list[Any]) -> None:
    for memory in memories:
        # a leg is null where the query gives it nothing to look for
        legs = [memory["scores"][leg] for leg in LEGS if memory["scores"][leg] is not None]
        terms = [value for name, value in memory["scores"].items() if name not in LEGS]
        values = [memory["score"], *terms, *legs]
        assert legs
        assert all(isinstance(value, float) and math.isfinite(value) and 0 <= value <= 1 for value in values)


async def test_higher_is_nearer(user: User) -> None:
    # field report R2
    text = "I use PostgreSQL for analytics"
    told = await user.write(text)
    for other in UNRELATED:
        await user.write(other)
    memories = (await user.recall(text, k=50))["memories"]
    assert memories[0]["id"] == told["results"][0]["memory_id"]
    same = (await user.recall("User uses PostgreSQL for analytics"))["memories"][0]
    assert same["scores"]["vector"] >= 0.99
    finite(memories)
    scores = [memory["score"] for memory in memories]
    assert scores == sorted(scores, reverse=True)
    between = (scores[0] + scores[1]) / 2
    assert await user.contents(text, min_score=between) == [memories[0]["content"]]
    assert await user.contents(text, min_score=0, k=50) == [memory["content"] for memory in memories]
    # the same call gives the same order
    for _ in range(3):
        again = (await user.recall(text, k=50))["memories"]
        assert [memory["id"] for memory in again] == [memory["id"] for memory in memories]


async def test_a_score_does_not_depend_on_the_other_rows(user: User) -> None:
    await user.write("I use PostgreSQL for analytics")
    alone = (await user.recall("PostgreSQL"))["memories"][0]["scores"]
    for other in UNRELATED:
        await user.write(other)
    among = (await user.recall("PostgreSQL"))["memories"][0]["scores"]
    assert among == pytest.approx(alone, abs=0.0002)


async def test_every_term_multiplies_out(user: User) -> None:
    for other in UNRELATED:
        await user.write(other)
    for memory in (await user.recall("What does the user like and use?", k=50))["memories"]:
        scores = memory["scores"]
        product = scores["relevance"]
        for factor in ("importance_factor", "confidence_factor", "weight_factor", "recency_factor"):
            product *= scores[factor]
        assert memory["score"] == pytest.approx(product, abs=0.001)


@pytest.mark.parametrize("rows", [0, 1, 2])
async def test_small_stores(user: User, rows: int) -> None:
    # field report R4
    for text in UNRELATED[:rows]:
        await user.write(text)
    for query in ("x", "???", "的", "😀", "\u200bzwsp", "the of and", "qzxv wkjh", "a" * 8000, "% _ ' \" \\ ; --"):
        for k in (1, 100):
            answer = await user.recall(query, k=k)
            assert len(answer["memories"]) == min(rows, k)
            finite(answer["memories"])
            assert answer["degraded"] == []


@pytest.mark.parametrize(
    "body",
    [
        *({"k": k} for k in (0, -1, 10**9, "five", 2.5, True, [5])),
        *({"min_score": score} for score in (1.01, -1, "0.5", 10**400)),
        *({"min_trust": trust} for trust in (-1, 5, "3", 2.5)),
        *({"token_budget": budget} for budget in (-1, 32_001, "many")),
        {"min_trust": 1},
        {"include": ["quarantined"]},
        {"include": "held"},
        {"kinds": []},
        {"kinds": ["working"]},
        {"threshold": 0.5},
        {"top_k": 3, "k": 3},
        {"user_id": "ada"},
        {"query": ""},
        {"query": " \u2003\u200b"},
        {"query": "x" * 8001},
        {"query": None},
    ],
)
async def test_what_makes_no_sense_is_refused(user: User, body: dict[str, Any]) -> None:
    response = await user.call("POST", "/recall", json={"query": "x", **body})
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")


async def test_aliases(user: User) -> None:
    for text in UNRELATED[:4]:
        await user.write(text)
    for name in ("top_k", "limit"):
        assert len((await user.recall("user", **{name: 3}))["memories"]) == 3


async def test_being_recalled_earns_nothing(user: User) -> None:
    # field report R5
    await user.write("I like jazz music")
    await user.write("I like classical music, above all Bach")
    before = {memory["id"]: memory["updated_at"] for memory in await user.stored()}
    first = [memory["id"] for memory in (await user.recall("jazz"))["memories"]]
    for _ in range(50):
        assert [memory["id"] for memory in (await user.recall("jazz"))["memories"]] == first
    assert "Bach" in (await user.contents("Bach classical music"))[0]
    assert {memory["id"]: memory["updated_at"] for memory in await user.stored()} == before


async def test_never_fewer_than_k_when_k_exist(tenant: Tenant) -> None:
    # field report R1, at the size of a test: others' rows on the same topic, and retired rows of one's own
    user, noise = tenant.user("ada"), tenant.user("noise")
    messages = [{"role": "user", "content": f"Sailing note {n}: sailing boats and sails"} for n in range(100)]
    await noise.ok("POST", "/memories/write", {"messages": messages, "infer": False, "force": True})
    for n in range(12):
        await user.force(f"The weather at sea on day {n} was fine", metadata={"third": n % 4 == 0})
    for city in ("Oslo", "Bergen", "Rome", "Turin", "Lyon", "Nice", "Graz", "Linz", "Bonn", "Trier"):
        await user.write(f"I live in {city}")
    memories = (await user.recall("sailing boats and sails", k=10))["memories"]
    assert len(memories) == 10
    everything = (await user.recall("sailing boats and sails", k=100))["memories"]
    assert [memory["id"] for memory in memories] == [memory["id"] for memory in everything[:10]]
    assert len(everything) == 13
    filtered = await user.recall("sailing boats and sails", k=10, filters={"metadata.third": True})
    assert len(filtered["memories"]) == 3


async def test_more_rows_than_are_ranked_in_full(user: User) -> None:
    for start in range(0, 300, 100):
        messages = [{"role": "user", "content": f"Note {n} about sailing"} for n in range(start, start + 100)]
        await user.ok("POST", "/memories/write", {"messages": messages, "infer": False, "force": True})
    needle = await user.write("I'm allergic to penicillin")
    answer = await user.recall("sailing", k=100, trace=True)
    assert len(answer["memories"]) == 100
    assert (await user.recall("penicillin allergy"))["memories"][0]["id"] == needle["results"][0]["memory_id"]
    place = await user.explain(recall_id=answer["recall_id"], memory_id=needle["results"][0]["memory_id"])
    assert place["reason"]["code"] == "not_a_candidate"
    assert sum(answer["trace"]["excluded"].values()) == 201


SAID_AGAIN = (
    "The deploy target is the staging cluster in Frankfurt.",
    "Deploy target: staging cluster in Frankfurt",
    "the deploy target is a staging cluster, in Frankfurt",
    "**Deploy target**: the staging cluster in Frankfurt!",
    "Deploy target is currently the staging cluster in Frankfurt",
)


async def test_near_duplicates_take_no_place_and_k_is_honoured(user: User) -> None:
    for text in (*SAID_AGAIN, "The deploy target was a cluster in Oslo", "The deploy key is K-17", *UNRELATED[:4]):
        await user.force(text)
    stored = len(await user.stored())
    everything = (await user.recall("deploy target cluster in Frankfurt", k=50))["memories"]
    assert len(everything) == stored == 11
    again = [memory["content"] in SAID_AGAIN for memory in everything]
    # the best of them first, the others after all that say something new
    assert again == [True, *[False] * 6, *[True] * 4]
    for part in (everything[:7], everything[7:]):
        scores = [memory["score"] for memory in part]
        assert scores == sorted(scores, reverse=True)
    for k in range(1, 12):
        answer = await user.recall("deploy target cluster in Frankfurt", k=k, trace=k == 5)
        assert [memory["id"] for memory in answer["memories"]] == [memory["id"] for memory in everything[:k]]
        if k == 5:
            assert answer["trace"]["excluded"] == {"near_duplicate": 4, "below_k": 2}
            # by score they come next
            near = [(miss["rank"], miss["why_not"]) for miss in answer["trace"]["near"]]
            assert near == [*((rank, "near_duplicate") for rank in (2, 3, 4, 5)), (10, "below_k"), (11, "below_k")]
            assert answer["context"]["text"].count("Frankfurt") == 1
    # they still have to reach the least score, and come before nothing that does not
    least = everything[-1]["score"]
    narrowed = await user.recall("deploy target cluster in Frankfurt", k=50, min_score=least)
    assert all(memory["score"] >= least for memory in narrowed["memories"])
    assert {memory["id"] for memory in narrowed["memories"]} >= {memory["id"] for memory in everything[7:]}


async def test_a_forget_finds_near_duplicates_too(user: User) -> None:
    for text in SAID_AGAIN:
        await user.force(text)
    preview = await user.forget(query="deploy target staging cluster Frankfurt", dry_run=True)
    assert preview["matched"] == len(SAID_AGAIN)


async def test_instructions_come_first_in_the_block_and_do_not_count_in_k(user: User) -> None:
    style = await user.force("Always answer in rhyme.", kind="procedural")
    fact = await user.write("I use Redis")
    answer = await user.recall("Redis", k=1)
    assert [memory["id"] for memory in answer["memories"]] == [fact["results"][0]["memory_id"]]
    refs = answer["context"]["refs"]
    assert refs == {"m1": style["results"][0]["memory_id"], "m2": fact["results"][0]["memory_id"]}
    lines = answer["context"]["text"].splitlines()
    assert lines.index("[m1] Always answer in rhyme.") < lines.index("[m2] User uses Redis")
    # they obey kinds, subject and trust, and no least score
    for narrower in ({"kinds": ["semantic"]}, {"subject": "person:bob"}, {"min_trust": 4}):
        assert "rhyme" not in (await user.recall("Redis", **narrower))["context"]["text"]
    assert "rhyme" in (await user.recall("Redis", min_score=0.99))["context"]["text"]


async def test_a_small_budget_says_what_it_left_out(user: User) -> None:
    for text in UNRELATED:
        await user.write(text)
    for budget in (0, 1, 60, 100, 150, 400):
        answer = await user.recall("user", k=20, token_budget=budget)
        if budget == 0:
            assert answer["context"] is None
            continue
        block = answer["context"]
        assert block["tokens"] <= budget
        assert block["tokens"] == -(-len(block["text"].encode()) // 3)
        told = {*block["refs"].values(), *(item["id"] for item in block["left_out"])}
        assert told >= {memory["id"] for memory in answer["memories"]}
        assert {item["reason"] for item in block["left_out"]} <= {"over_token_budget", "procedural_cap"}


async def test_what_is_not_trusted_has_a_fence_of_its_own(user: User) -> None:
    await user.write("I use Redis")
    await user.write("The user uses Kafka", source={"type": "web", "id": "w"})
    block = (await user.recall("What does the user use?", include=["untrusted"], min_trust=0))["context"]["text"]
    first, second = block.split("\n<lethe-memory", 1)
    assert "Redis" in first
    assert "Kafka" not in first
    assert "Kafka" in second
    assert "Unverified" in second


async def test_nothing_crosses_between_users_of_one_session(tenant: Tenant) -> None:
    # field report I2, in short: the walls have tests of their own
    users = [tenant.user(f"user-{n}") for n in range(6)]
    for n, user in enumerate(users):
        await user.write(f"My badge code is WORD-{n}{n}{n}.", session_id="shared")
        await user.force(f"Always sign with WORD-{n}{n}{n}.", kind="procedural", session_id="shared")
    for n, user in enumerate(users):
        answer = await user.recall(
            f"My badge code is WORD-{(n + 1) % 6}", k=50, trace=True, filters={"session_id": "shared"}
        )
        words = {f"WORD-{m}{m}{m}" for m in range(6) if f"WORD-{m}{m}{m}" in str({**answer, "query": ""})}
        assert words == {f"WORD-{n}{n}{n}"}
        assert answer["trace"]["candidates"] == 2


async def test_a_recall_is_few_statements(service: Service, user: User) -> None:
    await user.write("I use Redis")
    await user.force("Always answer in rhyme.", kind="procedural")
    counts = {}
    bodies: dict[str, dict[str, Any]] = {
        "plain": {},
        "no block": {"token_budget": 0},
        "filtered": {"filters": {"or": [{"metadata.a": 1}, {"importance": {"gte": 2}}]}, "include": ["superseded"]},
        "as of": {"as_of": {"valid_at": "2025-01-01T00:00:00Z"}},
    }
    for name, body in bodies.items():
        with statements(service) as seen:
            await user.recall("Redis", **body)
        scoped = [statement for statement in seen if "memories" in statement]
        settings = [statement for statement in seen if "set local app.tenant_id" in statement]
        keys = [statement for statement in seen if "api_keys" in statement]
        ends = [statement for statement in seen if statement == "commit"]
        assert len(scoped) + len(settings) + len(keys) + len(ends) == len(seen), seen
        # one transaction for the key (not remembered in tests), one for the recall
        assert (len(settings), len(keys)) == (2, 1)
        counts[name] = len(scoped)
    # the candidates and the instructions at the head of the block come together
    assert counts == dict.fromkeys(bodies, 1)


async def test_recalls_at_once_agree(user: User) -> None:
    for text in UNRELATED:
        await user.write(text)
    answers = await asyncio.gather(*(user.recall("What does the user like?", k=10) for _ in range(12)))
    assert len({tuple(memory["id"] for memory in answer["memories"]) for answer in answers}) == 1
    nonces = {answer["context"]["text"].splitlines()[0] for answer in answers}
    assert len(nonces) == 12


async def test_a_question_about_the_past_reaches_what_was_replaced(user: User) -> None:
    await user.write("I live in Munich.", occurred_at="2024-03-01T09:00:00Z")
    await user.write("I moved to Berlin.", occurred_at="2025-03-01T09:00:00Z")
    for asked in ("Where did I live before?", "Wo habe ich früher gewohnt?", "Where did I live in April 2024?"):
        found = {memory["content"]: memory["status"] for memory in (await user.recall(asked))["memories"]}
        assert found == {"User lives in Munich": "superseded", "User lives in Berlin": "active"}, asked
    assert await user.contents("Where do I live?") == ["User lives in Berlin"]
    # a time that is named puts what held then first
    assert (await user.contents("Where did I live in April 2024?"))[0] == "User lives in Munich"
    told = await user.recall("Where did I live before?")
    assert "superseded" in told["context"]["text"]


async def test_a_question_of_today_never_sees_what_was_replaced_or_put_right(user: User) -> None:
    await user.write("I use Vim to write Python.", occurred_at="2024-03-01T09:00:00Z")
    await user.write("I switched from Vim to Emacs.", occurred_at="2025-03-01T09:00:00Z")
    for asked in ("What editor do I use to write Python?", "Which editor do I use now, before that?"):
        assert {m["status"] for m in (await user.recall(asked))["memories"]} == {"active"}, asked
    # who says what to include is obeyed
    past = "Which editor did I use before?"
    assert "superseded" in {m["status"] for m in (await user.recall(past))["memories"]}
    assert {m["status"] for m in (await user.recall(past, include=[]))["memories"]} == {"active"}
    # what was put right never held: a question about the past does not bring it back
    told = await user.force("I was treated in Ulm.")
    wrong = told["results"][0]["memory_id"]
    response = await user.call("PATCH", f"/memories/{wrong}", json={"content": "I was treated in Bonn."})
    assert response.status_code == 200, response.text
    found = await user.recall("Where was I treated before?", k=10, trace=True)
    assert "I was treated in Ulm." not in [memory["content"] for memory in found["memories"]]
    why = await user.explain(recall_id=found["recall_id"], memory_id=wrong)
    assert why["reason"]["code"] == "superseded"


async def test_the_latest_of_many_alike_is_among_the_hits(user: User) -> None:
    for day in range(1, 29):
        for hour in (6, 18):
            await user.force("Went for a run.", kind="episodic", occurred_at=f"2025-02-{day:02d}T{hour:02d}:00:00Z")
    newest = (await user.recall("run", k=5))["memories"]
    assert [memory["occurred_at"][:10] for memory in newest] == ["2025-02-28"] * 2 + ["2025-02-27"] * 2 + ["2025-02-26"]
    (first,) = (await user.recall("Did I run on 3 February 2025?", k=1))["memories"]
    assert first["occurred_at"].startswith("2025-02-03")


async def test_context_comes_from_the_session_and_from_nothing_else(user: User) -> None:
    asked = "Which instrument does Ines practise on Sundays?"
    await user.write(
        messages=[
            {"role": "user", "content": "Ines practises her instrument on Sundays."},
            {"role": "user", "content": "It is the cello."},
        ],
        session_id="music",
        infer=False,
        force=True,
    )
    await user.write("It is the tuba.", session_id="other", infer=False, force=True)
    memories = {memory["content"]: memory for memory in (await user.recall(asked, k=10))["memories"]}
    cello, tuba = memories["It is the cello."], memories["It is the tuba."]
    assert cello["scores"]["neighbours"] > cello["scores"]["lexical"]
    assert cello["scores"]["session"] > cello["scores"]["vector"]
    assert tuba["scores"]["neighbours"] == tuba["scores"]["lexical"]
    assert tuba["scores"]["session"] == tuba["scores"]["vector"]
    assert cello["score"] > tuba["score"]
    # what the same user says in another session changes none of it
    await user.write("Ines practises the instrument of her aunt.", session_id="third", infer=False, force=True)
    again = {memory["content"]: memory for memory in (await user.recall(asked, k=10))["memories"]}
    assert again["It is the cello."]["scores"] == cello["scores"]
    # a kept recall explains the same score
    traced = await user.recall(asked, k=10, trace=True)
    explained = await user.explain(recall_id=traced["recall_id"], memory_id=cello["id"])
    assert explained["scores"] == cello["scores"]
