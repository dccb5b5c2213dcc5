"""Credentials never get through, the fact around them does, and talk about them is left alone (field report P2)."""

from __future__ import annotations

import re

import pytest

from app.domain import secrets
from app.domain.secrets import REDACTED, redact

JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nq8Zl==\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secret", "kept"),
    [
        # cloud and provider keys
        ("My AWS key is AKIAIOSFODNN7EXAMPLE, region eu-west-1", "AKIAIOSFODNN7EXAMPLE", "region eu-west-1"),
        ("aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY", "wJalrXUtn", "aws_secret_access_key"),
        ("use ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123 for the bot", "ghp_abcdef", "for the bot"),
        ("token github_pat_11ABCDEFG0abcdefghijkl_mnop works", "github_pat_11", "works"),
        ("OPENAI sk-proj-abcdefghijklmnopqrstuvwx1234", "sk-proj-abc", "OPENAI"),
        ("sk-ant-" + "abcdefghij" * 3, "abcdefghij", ""),
        ("the slack token is xoxb-123456789012-abcdefghij", "xoxb-", "slack"),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv is my maps key", "AIzaSy", "maps key"),
        ("npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abc", ""),
        ("glpat-abcdefghij1234567890", "glpat-", ""),
        ("stripe sk_live_abcdefghijklmnop1234", "sk_live_", "stripe"),
        ("lethe key lk_acme_k3y1d_abcdefghijklmnopqrstuvwx", "lk_acme", "lethe key"),
        # tokens and key blocks
        (f"I log in with {JWT} at work", "dozjgNry", "at work"),
        ("Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789", "Authorization"),
        (f"here it is {KEY} keep it", "MIIEow", "keep it"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "b3Blbn", ""),
        # connection strings keep everything but the password
        ("postgres://app:hunter2pass@db/app", "hunter2pass", "postgres://app:"),
        ("We use mongodb+srv://root:p%40ss!@cluster0.example.net/prod", "p%40ss!", "cluster0.example.net/prod"),
        ("redis://:s3cr3t@cache:6379/0 is the cache", "s3cr3t", "cache:6379/0"),
        ("Server=db;User=sa;Password=Sup3rS3cret;Encrypt=yes", "Sup3rS3cret", "Encrypt=yes"),
        # said in prose
        ("my password is Tr0ub4dor&3", "Tr0ub4dor", "my password is"),
        ("My wifi password is now 'correct horse battery staple', I live in Oslo", "horse", "I live in Oslo"),
        ("The password for the staging server is swordfish. I use Postgres.", "swordfish", "I use Postgres"),
        ("password: hunter2", "hunter2", "password"),
        ('{"password": "hunter2", "user": "sam"}', "hunter2", "sam"),
        ("API_KEY=abcd1234efgh5678 python run.py", "abcd1234efgh5678", "python run.py"),
        ("my PIN is 4711, please remember", "4711", "please remember"),
        ("I use hunter22 as my password", "hunter22", "as my password"),
        ("mein Passwort ist Geheim123!", "Geheim123", "mein Passwort"),
        ("我的密码是abc12345，谢谢", "abc12345", "谢谢"),
        # links that open a door once
        ("reset here: https://x.example/reset?token=abcdef123456&lang=en", "abcdef123456", "lang=en"),
        ("https://x.example/magic-link/AbCdEfGhIjKlMnOpQrStUv", "AbCdEfGhIj", "https://x.example/magic-link/"),
        ("https://bucket.s3.amazonaws.com/f.pdf?X-Amz-Signature=deadbeefdeadbeef", "deadbeef", "f.pdf"),
    ],
)
def test_the_secret_goes_and_the_fact_stays(text: str, secret: str, kept: str) -> None:
    cleaned, found = redact(text)
    assert found
    assert secret not in cleaned
    assert REDACTED in cleaned
    assert kept in cleaned


@pytest.mark.parametrize(
    "text",
    [
        # talk about passwords and tokens
        "I forgot my password again",
        "My password is wrong",
        "the password is stored hashed",
        "Our password is expired and must be reset",
        "I work on JWT validation",
        "I wrote the bearer token parser",
        "The API key is missing in the config",
        "I prefer passkeys to passwords",
        "Never send me the password by mail",
        "the access token is not refreshed",
        "My pin board is full",
        # hashes, ids, numbers, links, code
        "fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "my order is 550e8400-e29b-41d4-a716-446655440000",
        "sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "see https://docs.example.org/guide?page=2&lang=en",
        "https://medium.example:443/@someone/post",
        "ssh git@github.com:org/repo.git",
        "call me at 10:30 or mail sam@example.org",
        "My secret word is marzipan",
        "My badge code is ZEBRA-7731",
        "def login(user, password): pass",
        "I sk-ate and ski a lot, ghp_short is no token",
    ],
)
def test_ordinary_text_is_untouched(text: str) -> None:
    assert redact(text) == (text, False)


def test_redacting_twice_changes_nothing_more() -> None:
    once, _ = redact("my password is Tr0ub4dor&3 and postgres://a:b1234@h/d and password: x9x9x9")
    assert redact(once) == (once, False)


@pytest.mark.parametrize(
    "text",
    [
        # built to make a careless pattern backtrack
        "eyJ" + "a" * 31_000,
        "eyJaaaaaaaa." * 2_600,
        "-----BEGIN PRIVATE KEY-----" * 1_100,
        "a://b:" * 5_300,
        "password for a b c " * 1_600,
        "https://x/" + "reset" * 6_000,
        "_key" * 8_000,
        "bearer " + "." * 31_000,
        "?token=" * 4_500,
        "use " * 8_000,
    ],
)
def test_hostile_texts_come_to_an_end(text: str) -> None:
    redact(text)


def test_no_pattern_repeats_a_repetition() -> None:
    patterns = [*secrets._TOKENS, *secrets._NAMED, secrets._PROSE, secrets._AS_PASSWORD, secrets._WITH_PASSWORD]
    for pattern in patterns:
        # an unbounded quantifier is the only way to more than linear time
        assert not re.search(r"(?<!\\)[*+](?![^\[]*\])", re.sub(r"\[[^\]]*\]", "", pattern.pattern)), pattern.pattern
