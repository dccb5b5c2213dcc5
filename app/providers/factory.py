"""Chooses the embedder that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import Settings

if TYPE_CHECKING:
    from app.providers.local import LocalEmbedder
    from app.providers.openai import OpenAIEmbedder


def build_embedder(settings: Settings) -> LocalEmbedder | OpenAIEmbedder:
    """Build the configured embedder: cheap, nothing is loaded or sent before `warm()` or the first call.

    Raises ValueError when the endpoint's address or key could never work. Only the chosen one is imported: the client
    library of the other takes a second.
    """
    if settings.embedder == "local":
        from app.providers.local import LocalEmbedder

        return LocalEmbedder()
    from app.providers.openai import OpenAIEmbedder

    key = settings.embedding_api_key
    return OpenAIEmbedder(
        model=settings.embedding_model,
        dimension=settings.embedding_dimension,
        base_url=settings.embedding_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=settings.embedding_timeout_seconds,
    )
