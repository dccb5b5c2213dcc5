"""Secrets: credential shapes are replaced before anything is stored, embedded or sent on.

The fact around a secret stays. Patterns have bounded repetitions only and no nesting, so the
time is linear in the text. Git hashes, UUIDs and talk *about* passwords have no rule here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.text import vocabulary

REDACTED: Final = "[redacted]"
_NOT_DONE: Final = r"(?!\[redacted\])"

# every match is a secret as a whole
_TOKENS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA)[A-Z0-9]{16}\b",  # AWS access keys
        r"\bgh[opusr]_[A-Za-z0-9]{20,255}",  # GitHub tokens
        r"\bgithub_pat_[A-Za-z0-9_]{20,255}",  # GitHub fine-grained tokens
        r"\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,255}",  # GitLab
        r"\bnpm_[A-Za-z0-9]{30,255}",  # npm
        r"\bpypi-[A-Za-z0-9_-]{40,500}",  # PyPI
        r"\bhf_[A-Za-z0-9]{30,255}",  # Hugging Face
        r"\bsk-[A-Za-z0-9_-]{20,255}",  # OpenAI, Anthropic and their kin
        r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}",  # Stripe
        r"\bwhsec_[A-Za-z0-9+/=]{16,255}",  # webhook secrets
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}",  # Slack
        r"\bxapp-[A-Za-z0-9-]{10,255}",  # Slack apps
        r"\bAIza[0-9A-Za-z_-]{30,80}",  # Google API keys
        r"\bya29\.[0-9A-Za-z_-]{20,255}",  # Google OAuth
        r"\bGOCSPX-[0-9A-Za-z_-]{20,80}",  # Google client secrets
        r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}",  # SendGrid
        r"\bSK[0-9a-f]{32}\b",  # Twilio
        r"\bdo[opr]_v1_[0-9a-f]{32,128}",  # DigitalOcean
        r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",  # Shopify
        r"\bdapi[0-9a-f]{32}\b",  # Databricks
        r"\bhv[sb]\.[A-Za-z0-9_-]{20,255}",  # Vault
        r"\blk_[a-z0-9-]{1,40}_[A-Za-z0-9]{4,40}_[A-Za-z0-9]{16,255}",  # our own keys
        r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}",  # age
        r"\b\d{8,10}:AA[A-Za-z0-9_-]{30,40}",  # Telegram bots
        r"\beyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{0,2000})?",  # JWT, JWS
        r"https://hooks\.slack\.com/services/[A-Za-z0-9/_-]{8,200}",  # webhook addresses are keys
        r"https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/[A-Za-z0-9/_-]{8,200}",
    )
)

_ASSIGN: Final = r"[ \t]{0,8}(?:=|:|→|=>)[ \t]{0,8}"
_QUOTE: Final = r"[\"'`“‘«]?"
_VALUE: Final = r"(?P<secret>[^\s\"'`“”‘’«»,;]{1,200})"
# words for a secret, in the languages with word lists
_SECRET_WORD: Final = (
    r"(?:passwords?|passwd|passcode|passphrase|pass[- ]phrase|api[- _]?key|secret[- _]?key"
    r"|access[- _]?key|private[- _]?key|"
    r"(?:access|auth|refresh|bearer|api|session)[- _]?token|client[- _]?secret|recovery[- ]code|backup[- ]code|"
    r"kennwort|passwort|mot de passe|contraseña|senha|wachtwoord|пароль|סיסמה|كلمة المرور)"
)
_PIN_WORD: Final = (
    r"(?:pin(?:[- ]?(?:code|number))?|otp|2fa[- ]code|one[- ]time (?:code|password)|security code|cvv|cvc|tan)"
)

# the group `secret` is replaced, the rest of the match is kept
_NAMED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # scheme://user:secret@host
        r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@]{0,100}:" + _NOT_DONE + r"(?P<secret>[^\s/@]{1,200})(?=@)",
        # Authorization: Bearer ..., Basic ...
        r"\b(?:bearer|basic)[ \t]{1,8}(?=[A-Za-z0-9._~+/=-]{0,200}[0-9=])" + r"(?P<secret>[A-Za-z0-9._~+/=-]{16,2000})",
        # one-time and signed links: the parameter that opens the door
        r"[?&#](?:[a-z_-]{0,20}token|code|key|api[_-]?key|sig|signature|x-amz-signature|x-amz-credential|otp|ticket|"
        r"secret|password|passwd|auth|magic|nonce|hash)=" + _NOT_DONE + r"(?P<secret>[^\s&#\"'<>)\]]{6,2000})",
        # one-time links with the token in the path
        r"https?://[^\s/]{1,200}/[^\s?#]{0,100}(?:reset|magic|invite|verify|confirm|activate|login|signin)"
        r"[a-z_-]{0,20}/" + _NOT_DONE + r"(?P<secret>[A-Za-z0-9_-]{20,500})",
        # FOO_TOKEN=..., aws_secret_access_key = ..., AccountKey=...
        r"\b[A-Za-z0-9_]{0,40}(?:_key|_token|_secret|_password|_passwd|_pwd|accountkey|sharedaccesskey)[\"']?"
        + _ASSIGN
        + _QUOTE
        + _NOT_DONE
        + r"(?P<secret>[^\s\"'`,;]{6,400})",
        # password: ..., "password": "...", pwd=...
        r"\b(?:" + _SECRET_WORD + r"|pwd|pw|secret)[\"']?" + _ASSIGN + _QUOTE + _NOT_DONE + _VALUE,
        # the pin is 1234, PIN: 1234
        r"\b" + _PIN_WORD + r"(?:[ \t]{1,4}(?:for|to|of)(?:[ \t]{1,4}[\w'-]{1,30}){1,4})?"
        r"(?:" + _ASSIGN + r"|[ \t]{1,4}(?:is|was|ist|est|es)[ \t]{1,4}(?:now[ \t]{1,4})?)(?P<secret>\d[\d -]{1,10}\d)",
        # Chinese, Japanese, Korean
        r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호)[ \t]{0,4}(?:是|为|為|：|:|は|는|은|=)[ \t]{0,4}"
        + _NOT_DONE
        + r"(?P<secret>[!-~]{4,200})",
    )
)

# said in prose: a value that is a plain word of talk about passwords is left alone
_PROSE: Final = re.compile(
    r"\b(?P<word>" + _SECRET_WORD + r")(?:[ \t]{1,4}(?:for|to|of|on|in)(?:[ \t]{1,4}[\w'.-]{1,40}){1,4}?)?"
    r"(?:'s|[ \t]{1,4}(?:is|was|ist|est|es|é|это))[ \t]{1,4}(?:now[ \t]{1,4}|still[ \t]{1,4}|actually[ \t]{1,4})?"
    r"(?:\"(?P<double>[^\"\n]{1,200})\"|'(?P<single>[^'\n]{1,200})'|`(?P<tick>[^`\n]{1,200})`"
    r"|“(?P<curly>[^”\n]{1,200})”|" + _NOT_DONE + r"(?P<bare>[^\s,;\"“”`]{2,200}))",
    re.IGNORECASE,
)
_AS_PASSWORD: Final = re.compile(
    r"(?:\buse[ds]?|\btype|\benter|\bset)[ \t]{1,4}"
    + _QUOTE
    + _NOT_DONE
    + r"(?P<secret>[^\s\"'`,;]{4,200})[\"'`”’]?[ \t]{1,4}"
    r"(?:as|for)[ \t]{1,4}(?:my|the|our|a)[ \t]{1,4}(?:[\w-]{1,30}[ \t]{1,4}){0,2}(?:password"
    r"|passcode|passphrase|pin)\b",
    re.IGNORECASE,
)
_WITH_PASSWORD: Final = re.compile(
    r"\b(?:with|using)[ \t]{1,4}(?:the[ \t]{1,4}|my[ \t]{1,4})?(?:password|passcode|passphrase)[ \t]{1,4}"
    + _QUOTE
    + _NOT_DONE
    + r"(?=[^\s]{0,100}[\d!-/:-@])(?P<secret>[^\s\"'`,;]{4,200})",
    re.IGNORECASE,
)
_TALK: Final = vocabulary(
    "a an the my our your his her their its this that these those it in on at by to from for of with without not no "
    "never always often still already also just only too very so quite rather really being be been wrong right correct "
    "incorrect invalid valid expired expiring old new outdated "
    "weak strong short long complex simple secure insecure safe "
    "unsafe compromised leaked exposed stored saved kept hashed salted encrypted required needed mandatory optional "
    "missing empty blank unset set reset changed rotated revoked lost forgotten gone blocked locked disabled enabled "
    "asked shared sent shown hidden visible managed generated handled checked validated rejected accepted refused "
    "different same unique common obvious hard easy difficult impossible annoying bad good fine ok okay one something "
    "anything nothing everything what where when how why who "
    "which as if and or but because working broken failing used "
    "case-sensitive mine yours wichtig falsch abgelaufen obligatoire incorrecto"
)
_SENTENCE_END: Final = ".!?…)]}>。"
_PEM_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")


def redact(text: str) -> tuple[str, bool]:
    """Replace every secret by `[redacted]`.

    Args:
        text: Any text.

    Returns:
        The text without secrets, and whether one was found.
    """
    cleaned = _without_pem(text)
    for pattern in _NAMED:
        cleaned = pattern.sub(_keep_around, cleaned)
    for pattern in _TOKENS:
        cleaned = pattern.sub(REDACTED, cleaned)
    cleaned = _PROSE.sub(_prose, cleaned)
    cleaned = _AS_PASSWORD.sub(_keep_around, cleaned)
    cleaned = _WITH_PASSWORD.sub(_keep_around, cleaned)
    return cleaned, cleaned != text


def _without_pem(text: str) -> str:
    """Cut private key blocks; one without an end is cut to the end of the text."""
    parts: list[str] = []
    position = 0
    while begin := _PEM_BEGIN.search(text, position):
        end = _PEM_END.search(text, begin.end())
        parts += [text[position : begin.start()], REDACTED]
        position = end.end() if end else len(text)
    return "".join([*parts, text[position:]])


def _keep_around(match: re.Match[str]) -> str:
    """Replace the secret of a match and keep what names it."""
    whole, offset = match.group(), match.start()
    start, end = match.span("secret")
    secret = match["secret"]
    if secret.casefold().rstrip(_SENTENCE_END) in _TALK or REDACTED in secret:
        return whole
    while secret and secret[-1] in ".!?…":
        secret, end = secret[:-1], end - 1
    return f"{whole[: start - offset]}{REDACTED}{whole[end - offset :]}" if secret else whole


def _prose(match: re.Match[str]) -> str:
    """Replace a secret that was said in a sentence."""
    group = next(name for name in ("double", "single", "tick", "curly", "bare") if match[name] is not None)
    whole, offset = match.group(), match.start()
    start, end = match.span(group)
    secret = match[group]
    if REDACTED in secret:
        return whole
    if group == "bare":
        trimmed = secret.rstrip(_SENTENCE_END)
        if not trimmed or trimmed.casefold() in _TALK or trimmed.casefold().endswith(("n't", "ing")):
            return whole
        end -= len(secret) - len(trimmed)
    return f"{whole[: start - offset]}{REDACTED}{whole[end - offset :]}"


def redacted(value: Any) -> Any:
    """Give a JSON value with the secrets in its strings redacted; keys stay as they are."""
    if isinstance(value, str):
        return redact(value)[0]
    if isinstance(value, Mapping):
        return {key: redacted(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item) for item in value]
    return value
