"""What of a memory is indexed: the text that is embedded, and the words of the lexical leg."""

from __future__ import annotations

from app.domain.memory import USER_SUBJECT
from app.domain.terms import document_terms


def indexed_text(subject: str, content: str) -> str:
    """Give the text to embed: with the subject's name, when the content does not say it itself.

    Measured on conversation turns: recall@5 is .355 with the name in the text and .170 without.
    """
    name = subject.partition(":")[2] or subject
    if subject == USER_SUBJECT or name.casefold() in content.casefold():
        return content
    return f"{name}: {content}"


def indexed_terms(subject: str, content: str) -> str:
    """Give the words to index, separated by spaces."""
    return document_terms(indexed_text(subject, content))
