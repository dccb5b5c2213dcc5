"""Languages other than English: enough to tell a statement from a greeting, and to keep it as it is.

A language is a row of word lists. A statement in a language without a row is judged by its length
alone, and never dropped because the lists are English.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.domain.text import HAN, normalise, vocabulary, words


@dataclass(frozen=True, slots=True)
class Language:
    """Word lists of one language; lists of scripts without spaces are searched as substrings."""

    code: str
    function: frozenset[str]
    first_person: frozenset[str]
    small_talk: frozenset[str]
    hedges: frozenset[str]
    spaced: bool = True

    @property
    def all_words(self) -> frozenset[str]:
        """Every word by which the language shows itself."""
        return _ALL_WORDS[self.code]


ENGLISH_FUNCTION: Final = vocabulary(
    "the a an and or but of to in on at for with from by is "
    "are was were be been am i i'm i've i'd i'll me my mine we our us you your "
    "he she it they them his her its their this that these those "
    "not no do does did don't have has had will would can could should "
    "there here what which who when where how why if as so than "
    "then just very too also please it's that's let's can't won't now"
)

# small talk that is English as well
_SHARED: Final = vocabulary("ok okay super no si prima bien")

LANGUAGES: Final = (
    Language(
        "de",
        vocabulary(
            "ich und der die das ist nicht ein eine einen mit für auf "
            "bei zu im am in von den dem wir sie es auch noch habe bin mein meine hab sind jetzt wurde mussten uns"
        ),
        vocabulary("ich mein meine meinen meinem meiner mir mich wir unser unsere"),
        vocabulary(
            "danke hallo tschüss ok okay ja nein bitte gut super genau "
            "moin servus prima vielen dank alles klar guten morgen tag abend bis bald"
        ),
        vocabulary("vielleicht möglicherweise wahrscheinlich eventuell überlege"),
    ),
    Language(
        "fr",
        vocabulary(
            "je j'ai j'aime le la les un une des et est pas dans sur "
            "avec pour en de du au ne que qui mon ma mes suis nous vous il elle ce j'ai c'est m'a on aux ont été"
        ),
        vocabulary("je j'ai j'aime j'habite j'utilise j'adore mon ma mes moi me nous notre nos"),
        vocabulary(
            "merci bonjour salut ok oui non bonsoir d'accord super parfait "
            "beaucoup au revoir à bientôt bien s'il vous te plaît"
        ),
        vocabulary("peut-être probablement j'envisage j'hésite"),
    ),
    Language(
        "es",
        vocabulary(
            "yo a el la los las un una y es en de con para por no que "
            "mi mis soy estoy tengo me se lo su muy pero como trabajo vivo uso del al han ha ya más te "
            "mal nuestro nuestra hemos este esta estos estas hay"
        ),
        vocabulary("yo mi mis me soy estoy tengo vivo trabajo uso prefiero nosotros nuestro nuestra mí"),
        vocabulary(
            "gracias hola adiós ok sí si no vale bueno perfecto genial "
            "muchas buenos días buenas tardes noches hasta luego claro"
        ),
        vocabulary("quizás quizá probablemente posiblemente"),
    ),
    # Dutch, Italian, Portuguese, Polish, Swedish, Danish, Turkish: enough to be told from English
    Language(
        "und",
        vocabulary(
            "ik het een niet voor mijn sono ho che non per il di mio "
            "mia eu não uma um meu minha moro tenho jestem mam nie się "
            "jag och är inte en min bor woon werk har jeg ikke og er ben benim ve bir için"
        ),
        vocabulary(
            "ik mijn sono ho vivo abito lavoro mio mia eu meu minha "
            "moro tenho sou trabalho jestem mam mieszkam pracuję lubię "
            "jag min mitt bor jeg mit ben benim yaşıyorum"
        ),
        vocabulary(
            "bedankt hoi doei grazie ciao prego obrigado obrigada olá "
            "tchau dziękuję cześć tack hej tak teşekkürler merhaba"
        ),
        vocabulary("misschien forse talvez może kanske måske belki"),
    ),
    Language(
        "ru",
        vocabulary("я и в не на с что это мой моя мы у меня по для как но за"),
        vocabulary("я мой моя моё мои меня мне мы наш наша нам"),
        vocabulary("спасибо привет пока ок да нет хорошо здравствуйте отлично понятно большое"),
        vocabulary("может возможно наверное думаю"),
    ),
    Language(
        "he",
        vocabulary("אני של את לא על עם גם זה הוא היא יש"),
        vocabulary("אני שלי לי אותי אנחנו שלנו"),
        vocabulary("תודה שלום היי כן לא אוקיי בסדר מעולה רבה ביי"),
        vocabulary("אולי כנראה"),
    ),
    Language(
        "ar",
        vocabulary("أنا في من على مع لا هو هي هذا إلى عن"),
        vocabulary("أنا لي عندي نحن لدي"),
        vocabulary("شكرا شكراً مرحبا نعم لا حسنا حسناً السلام عليكم أهلا جزيلا"),
        vocabulary("ربما قد لعل"),
    ),
    Language(
        "zh",
        frozenset(),
        vocabulary("我 我们 咱们 本人"),
        vocabulary("谢谢 你好 您好 好的 好 再见 嗯 哈哈 是 不 是的 没事 多谢 早上好 晚安 谢谢你 辛苦了"),
        vocabulary("可能 也许 或许 大概 考虑"),
        spaced=False,
    ),
    Language(
        "ja",
        frozenset(),
        vocabulary("私 僕 俺 わたし ぼく 自分 うち"),
        vocabulary(
            "ありがとう ありがとうございます こんにちは おはよう おはようございます はい いいえ さようなら "
            "了解 了解です すみません お疲れ様です うん"
        ),
        vocabulary("かもしれ たぶん おそらく 多分 検討"),
        spaced=False,
    ),
    Language(
        "ko",
        frozenset(),
        vocabulary("저 저는 제 나는 내 나 우리 제가 내가"),
        vocabulary("감사합니다 고마워 고마워요 안녕 안녕하세요 네 아니요 아니 알겠습니다 ㅋㅋ ㅎㅎ 응 좋아요"),
        vocabulary("아마 아마도 글쎄 고민"),
    ),
)
_ALL_WORDS: Final = {
    row.code: row.function | row.first_person | row.hedges | (row.small_talk - _SHARED) for row in LANGUAGES
}
_NO_SPACE_SCRIPT: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)
_HAN: Final = re.compile(f"[{HAN}]")
_FEW_HAN: Final = 4
_SEVERAL: Final = 2
# letters, endings and short forms that tell one language from its neighbours
_SPELLING: Final = {
    "de": re.compile(r"[ßäöü]|\w{2}(?:en|er|ung|lich|cht)\b", re.IGNORECASE),
    "fr": re.compile(r"[çœêîûàè]|\b(?:j|qu|c|d|l|n|s|m)['’]|\w{2}(?:e|es|ent|ez|t|x)\b", re.IGNORECASE),
    "es": re.compile(r"[ñ¿¡óí]|\w{2}[ao]s?\b", re.IGNORECASE),
}
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_EMOJI: Final = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]")
# neither word is a hedge by itself: "un tal Gorka", "peut-être"
_HEDGED_PAIRS: Final = frozenset({("tal", "vez"), ("peut", "être")})
_BY_CODE: Final = {language.code: language for language in LANGUAGES}


@dataclass(frozen=True, slots=True)
class Tongue:
    """What the lists say about a statement that is not English."""

    code: str
    first_person: bool
    small_talk: bool
    hedged: bool
    content: int


def is_english(text: str) -> bool:
    """Tell whether the English rules may read a text.

    Latin script without a single English function word counts as foreign only when another
    language claims it, or when it has letters that English does not have.
    """
    letters = [c for c in text if c.isalpha()]
    if not letters:
        return True
    latin = sum("LATIN" in unicodedata.name(c, "") for c in letters)
    if latin * 2 < len(letters):
        return False
    tokens = words(text)
    # a word that both have ("me", "a", "in") speaks for neither
    for own in _ALL_WORDS.values():
        foreign = sum(token in own and token not in ENGLISH_FUNCTION for token in tokens)
        if foreign and foreign > sum(token in ENGLISH_FUNCTION and token not in own for token in tokens):
            return False
    return any(token in ENGLISH_FUNCTION for token in tokens) or sum(not token.isascii() for token in tokens) < 2


def look(text: str) -> Tongue:
    """Read a statement that is not English."""
    language = _guess(text)
    tokens = words(text)
    folded = normalise(text)
    unspaced = len(_NO_SPACE_SCRIPT.findall(text))
    content = unspaced // 2 + sum(1 for token in tokens if not _NO_SPACE_SCRIPT.search(token))
    if language is None:
        return Tongue("und", False, False, False, content)
    if language.spaced:
        first = any(token in language.first_person for token in tokens)
        small = bool(tokens) and all(token in language.small_talk for token in tokens)
        hedged = any(token in language.hedges for token in tokens) or any(
            pair in _HEDGED_PAIRS for pair in pairwise(tokens)
        )
    else:
        first = any(word in folded for word in language.first_person)
        bare = "".join(c for c in folded if c.isalnum())
        small = bare in language.small_talk or all(
            part in language.small_talk for part in re.split(r"[\W_]+", folded) if part
        )
        hedged = any(word in folded for word in language.hedges)
    return Tongue(language.code, first, small, hedged, content)


def _guess(text: str) -> Language | None:
    """Choose a language by script, then by its commonest words."""
    if _KANA.search(text):
        return _BY_CODE["ja"]
    names = [unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha()]
    for script, code in (("CJK", "zh"), ("HANGUL", "ko"), ("HEBREW", "he"), ("ARABIC", "ar"), ("CYRILLIC", "ru")):
        if names.count(script) * 2 >= max(1, len(names)):
            return _BY_CODE[code]
    tokens = words(text)
    best = max(LANGUAGES, key=lambda language: sum(t in language.all_words for t in tokens))
    found = sum(t in best.all_words for t in tokens)
    return best if found else None


def language_of(text: str) -> str | None:
    """Tell which of the languages of the lists a text is in; None where none of them is plainly ahead of the others.

    Han characters without kana are Chinese, also beside Latin names. Where several languages have as many of the words,
    spelling decides.
    """
    tokens = words(text)
    if _KANA.search(text):
        return "ja"
    han = len(_HAN.findall(text))
    if han >= _FEW_HAN and han > sum(token.isascii() for token in tokens):
        return "zh"
    if is_english(text):
        return "en"
    counts = sorted(((sum(t in one.all_words for t in tokens), one.code) for one in LANGUAGES), reverse=True)
    first = [code for count, code in counts if count == counts[0][0] > 0]
    if len(first) < _SEVERAL:
        return first[0] if first else None
    if any(code not in _SPELLING for code in first):
        return None
    spelled = sorted(((len(_SPELLING[code].findall(text)), code) for code in first), reverse=True)
    return spelled[0][1] if spelled[0][0] > spelled[1][0] else None


def has_emoji(text: str) -> bool:
    """Tell whether pictures stand among the words."""
    return bool(_EMOJI.search(text))
