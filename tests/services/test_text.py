"""Texts of every script and every oddity, through the whole service (field reports T1 to T4)."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import httpx
import pytest

from tests.conftest import User

pytestmark = pytest.mark.anyio

FILLER = [
    "今天天气很好",
    "我喜欢吃苹果",
    "北京的交通很拥挤",
    "他在学习法语",
    "猫在沙发上睡觉",
    "数据库需要备份",
    "昨日は雨でした",
    "駅まで歩きました",
    "新しい本を買いました",
    "会議は三時からです",
    "犬が好きです",
    "東京の天気は晴れ",
    "오늘은\xa0날씨가\xa0좋다",
    "저는\xa0사과를\xa0좋아해요",
    "부산에\xa0여행을\xa0갔다",
    "고양이가\xa0잔다",
]


async def results(user: User, text: str, **body: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await user.write(text, **body))["results"]
    return found


@pytest.mark.parametrize(
    ("text", "query", "within"),
    [
        ("我住在上海，喜欢人工智能技术", "人工智能", "人工智能"),
        ("今日は東京都庁で打ち合わせをした。担当は田中さんです", "東京都庁", "東京都庁"),
        ("저는 서울에서 백엔드 개발자로 일합니다", "백엔드", "백엔드"),
        ("I write C++ and never use rm -rf", "C++", "C++"),
        ("I write C++ and never use rm -rf", "rm -rf", "rm -rf"),
        ("I use PostgreSQL", "ＰｏｓｔｇｒｅＳＱＬ", "PostgreSQL"),
        ("אני גר בחיפה ועובד עם PostgreSQL", "PostgreSQL", "PostgreSQL"),
        ("Ich arbeite an der Straße in Zürich", "STRASSE ZURICH", "Straße"),
    ],
)
async def test_words_of_every_script_are_found(user: User, text: str, query: str, within: str) -> None:
    # field report T1
    messages = [{"role": "user", "content": line} for line in FILLER]
    await user.ok("POST", "/memories/write", {"messages": messages, "infer": False, "force": True})
    assert any(result["outcome"] == "stored" for result in await results(user, text))
    hit = (await user.recall(query))["memories"][0]
    assert within in hit["content"]
    assert hit["scores"]["lexical"] > 0.3


@pytest.mark.parametrize(
    "text",
    [
        "Je préfère les réponses courtes en français",
        "אני גר בחיפה ועובד עם PostgreSQL",
        "أنا أعمل مهندسة برمجيات",
        "I love 🏔️ hiking 👩‍👩‍👧 with family",
        "我住在上海，喜欢人工智能技术",
        "Ich wohne in München und arbeite bei der Bahn",
    ],
)
async def test_a_memory_stays_in_its_language(user: User, text: str) -> None:
    # field report T2
    (result,) = await results(user, text)
    assert result["outcome"] == "stored"
    (memory,) = await user.stored()
    content = unicodedata.normalize("NFC", memory["content"])
    assert content in unicodedata.normalize("NFC", text)
    assert content == unicodedata.normalize("NFC", (await user.recall(text))["memories"][0]["content"])
    explained = await user.explain(memory_id=memory["id"])
    assert explained["evidence"][0]["quote"] == text


async def raw(user: User, method: str, path: str, body: Any, **headers: str) -> httpx.Response:
    # ASCII JSON, so that lone surrogates can be sent at all
    sent = {"Content-Type": "application/json", **headers}
    return await user.call(method, path, content=json.dumps(body).encode(), headers=sent)


ODD = {
    "NUL": "\x00",
    "high surrogate": "\ud800",
    "low surrogate": "\udfff",
    "U+FFFE": "\ufffe",
    "other controls": "".join(chr(code) for code in (*range(1, 32), 0x7F, 0x85, 0x9F)),
    "other oddities": "\uffff\U0010ffff\u2028\u202e\ufeff\U000e0001",
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_no_character_breaks_anything(user: User, odd: str) -> None:
    # field report T3: every place of a write, then everything that shows it
    text = f"I use Re{odd}dis{odd}"
    places: list[dict[str, Any]] = [
        {"content": text},
        {"content": text, "infer": False, "force": True},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": text}], "name": f"A{odd}"}]},
        {"content": "I use Kafka", "metadata": {f"k{odd}": [f"v{odd}"]}},
        {"content": "I use Nginx", "session_id": f"s{odd}", "agent_id": f"a{odd}"},
        {"content": "I use Vim", "source": {"type": "import", "id": f"i{odd}"}},
        {"content": "I use Zsh", "subject": f"x{odd}", "attribute": f"y{odd}", "infer": False, "force": True},
    ]
    for body in places:
        response = await raw(user, "POST", "/memories/write", body)
        assert response.status_code in (200, 422), response.text
    for body in (
        {"query": f"Re{odd}dis", "trace": True},
        {"query": odd},
        {"query": "x", "subject": f"x{odd}", "filters": {f"metadata.k{odd}": f"v{odd}", "session_id": f"s{odd}"}},
    ):
        assert (await raw(user, "POST", "/recall", body)).status_code in (200, 422)
    for body in ({"question": f"Re{odd}dis?"}, {"memory_id": f"m{odd}"}, {"write_id": odd}):
        assert (await raw(user, "POST", "/explain", body)).status_code in (200, 404, 422)
    rows = await user.stored()
    for row in rows:
        assert "\x00" not in json.dumps(row, ensure_ascii=False)
    if rows:
        path = f"/memories/{rows[0]['id']}"
        for body in ({"content": f"User uses Re{odd}dis"}, {"metadata": {f"k{odd}": odd}}):
            assert (await raw(user, "PATCH", path, body)).status_code in (200, 422)
    assert (await user.call("GET", "/memories/export")).status_code == 200
    for selector in ({"session_id": f"s{odd}"}, {"query": f"Re{odd}dis", "dry_run": True}, {"subject": f"x{odd}"}):
        assert (await raw(user, "POST", "/forget", selector)).status_code in (200, 422)
    # an ordinary write and recall work as before
    await results(user, "I live in Oslo.")
    assert await user.contents("Where does the user live?", k=1) == ["User lives in Oslo"]


async def test_a_fact_at_the_end_of_a_long_message_is_found(user: User) -> None:
    # field report T4
    filler = "The committee went on about the colour of the shed and nobody minded. " * 285
    assert 19_000 < len(filler) < 32_000
    await results(user, filler + "I'm allergic to penicillin.")
    assert (await user.contents("penicillin"))[0] == "User is allergic to penicillin"


@pytest.mark.parametrize("infer", [True, False])
async def test_the_limit_of_a_message_is_exact(user: User, infer: bool) -> None:
    for length, reason in ((31_999, None), (32_000, None), (32_001, "too_long")):
        text = "I use Redis. " + "é" * (length - 13)
        answer = await user.ok("POST", "/memories/write", {"content": text, "infer": infer})
        codes = [entry["code"] for result in answer["results"] for entry in result["reasons"]]
        assert ("too_long" in codes) == (reason is not None)
    # nothing is cut without a word: what is kept is a whole statement, or the whole text
    for memory in await user.stored():
        assert memory["content"] == "User uses Redis" or len(memory["content"]) in (31_999, 32_000)


async def test_verbatim_text_is_kept_whole(user: User) -> None:
    text = "I use Redis. " + "ab " * 10_662
    assert len(text) == 31_999
    await user.force(text)
    (memory,) = await user.stored()
    assert memory["content"].strip() == text.strip()


async def test_a_long_query_is_no_fault(user: User) -> None:
    await results(user, "I'm allergic to penicillin.")
    for length in (7_999, 8_000, 8_001):
        query = ("word " * 2_000)[: length - 11] + " penicillin"
        response = await user.call("POST", "/recall", json={"query": query})
        assert response.status_code == (200 if length <= 8_000 else 422)
        if response.status_code == 200:
            assert response.json()["memories"][0]["content"] == "User is allergic to penicillin"


async def test_metadata_has_limits(user: User) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}
    for metadata in ({"a": "x" * 10**6}, deep, {str(n): n for n in range(10_000)}, {"a": "é" * 4_096}):
        response = await user.call("POST", "/memories/write", json={"content": "I use Redis.", "metadata": metadata})
        assert response.status_code in (413, 422)
    assert await user.stored() == []
    fits = {"a": "é" * 4_092}
    await user.write("I use Redis.", metadata=fits)
    assert (await user.stored())[0]["metadata"] == fits
