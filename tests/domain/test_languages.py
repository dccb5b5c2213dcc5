"""Other languages are kept word for word, and told from their greetings (field reports T1 and T2)."""

from __future__ import annotations

import unicodedata

import pytest

from app.domain.languages import is_english, look
from app.domain.memory import Modality, Verdict
from tests.domain.saying import candidates, code, verdict, verdicts

STATEMENTS = [
    # the reports' own
    "我住在上海，喜欢人工智能技术",
    "저는 서울에서 백엔드 개발자로 일합니다",
    "Je préfère les réponses courtes en français",
    "אני גר בחיפה ועובד עם PostgreSQL",
    "أنا أعمل مهندسة برمجيات",
    "I love 🏔️ hiking 👩‍👩‍👧 with family",
    # more of each, and languages without a list
    "私は東京でデザイナーとして働いています",
    "Ich wohne in Berlin und arbeite als Lehrer",
    "Ich bin allergisch gegen Nüsse",
    "J'habite à Lyon",
    "Vivo en Madrid y tengo dos gatos",
    "Soy alérgica a los cacahuetes",
    "Я живу в Москве и работаю врачом",
    "Ik woon in Amsterdam",
    "Mieszkam w Krakowie",
    "Moro em Lisboa com minha família",
    "Abito a Roma e lavoro come cuoco",
    "Jag bor i Malmö och har två barn",
    "मैं दिल्ली में रहता हूँ और चाय पीता हूँ",
    "Μένω στην Αθήνα και δουλεύω σε τράπεζα",
    "ฉันอาศัยอยู่ที่กรุงเทพและชอบอาหารเผ็ด",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_in_any_language_is_kept_with_its_own_code_points(text: str) -> None:
    assert verdict(text).decision is Verdict.KEEP
    (candidate,) = candidates(text)
    assert unicodedata.normalize("NFC", candidate.content) in unicodedata.normalize("NFC", text)


def test_every_sentence_of_a_japanese_message_is_kept() -> None:
    text = "今日は東京都庁で打ち合わせをした。担当は田中さんです"
    assert [found.decision for found in verdicts(text)] == [Verdict.KEEP, Verdict.KEEP]
    assert "東京都庁" in candidates(text)[0].content


@pytest.mark.parametrize(
    "text",
    [
        "Danke!",
        "vielen Dank",
        "Merci beaucoup",
        "gracias",
        "Hola!",
        "谢谢",
        "好的。",
        "ありがとうございます",
        "감사합니다",
        "תודה רבה",
        "شكرا",
        "спасибо",
    ],
)
def test_thanks_and_greetings_are_small_talk_in_any_language(text: str) -> None:
    found = verdict(text)
    assert (found.decision, code(found)) == (Verdict.DROP, "small_talk")


@pytest.mark.parametrize(
    "text", ["你会说中文吗？", "Wo wohnst du?", "¿Dónde vives?", "どこに住んでいますか", "Où habites-tu ?", "أين تعيش؟"]
)
def test_questions_are_questions_in_any_language(text: str) -> None:
    found = verdict(text)
    assert (found.decision, code(found)) == (Verdict.DROP, "question")


@pytest.mark.parametrize(
    "text",
    [
        "Vielleicht ziehe ich nach Wien",
        "Je vais peut-être déménager",
        "我可能会搬到北京去住",
        "Quizás me mudo a Sevilla",
    ],
)
def test_hedges_are_held_in_the_languages_with_a_list(text: str) -> None:
    found = verdict(text)
    assert (found.decision, code(found)) == (Verdict.HOLD, "hedged")


@pytest.mark.parametrize(
    "text",
    [
        "I live in Zürich",
        "My café is called Blüte",
        "I speak Español and Français",
        "PostgreSQL",
        "ok super",
        "42",
        "C++",
    ],
)
def test_english_with_foreign_names_stays_english(text: str) -> None:
    assert is_english(text)


def test_a_language_is_guessed_by_script_and_words() -> None:
    assert [look(text).code for text in ("私は学生です", "我是学生", "나는 학생입니다", "אני סטודנט", "я студент")] == [
        "ja",
        "zh",
        "ko",
        "he",
        "ru",
    ]
    assert look("ich bin müde").code == "de"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        # asked without a mark
        ("Wie lange dauert das mit dem Visum", Modality.QUESTION),
        ("combien coûte un billet pour Lyon", Modality.QUESTION),
        ("cuánto cuesta un billete a Sevilla", Modality.QUESTION),
        ("这个证书要考多久啊", Modality.QUESTION),
        ("你有没有更便宜的办法", Modality.QUESTION),
        # supposed
        ("Wenn ich reich wäre, würde ich ein Boot kaufen", Modality.HYPOTHETICAL),
        ("Angenommen, wir hätten ein Haus in Wien", Modality.HYPOTHETICAL),
        ("Si j'avais un chien, il s'appellerait Rex", Modality.HYPOTHETICAL),
        ("Si yo tuviera un perro, lo llamaría Rex", Modality.HYPOTHETICAL),
        ("如果我有一条狗就叫它小黑", Modality.HYPOTHETICAL),
        # neither
        ("Ich wohne in Wien, wo auch mein Bruder wohnt", Modality.ASSERTED),
        ("Quand je te demande une recette, donne-moi les quantités", Modality.ASSERTED),
        ("Explícamelo todo como si tuviera doce años", Modality.ASSERTED),
        ("我什么坚果都不吃", Modality.ASSERTED),
        ("如果我发英文，请用英文回复", Modality.ASSERTED),
    ],
)
def test_questions_without_a_mark_and_suppositions_are_told_from_statements(text: str, modality: Modality) -> None:
    assert candidates(text)[0].claim.modality is modality
