"""Chooses the embedder, the readers, the extractor and the judge that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import Settings

if TYPE_CHECKING:
    from app.providers.extractor import OpenAIExtractor
    from app.providers.judge import OpenAIJudge
    from app.providers.local import LocalEmbedder
    from app.providers.openai import OpenAIEmbedder
    from app.providers.pairs import BundledPairReader
    from app.providers.reader import GateReader


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


def build_reader(settings: Settings) -> GateReader | None:
    """Give the gate's reader, None when it is off; nothing is loaded before `load()` or the first call."""
    if settings.gate_reader == "off":
        return None
    from app.providers.reader import bundled_reader

    return bundled_reader()


def build_pair_reader(settings: Settings) -> BundledPairReader | None:
    """Give the pair reader, None when it is off or could never be asked; nothing is loaded before the first call.

    What it is asked about is found by the bundled embedder and the gate's reader.
    """
    if settings.pair_reader == "off" or settings.embedder != "local" or settings.gate_reader == "off":
        return None
    from app.providers.pairs import bundled_pair_reader

    return bundled_pair_reader()


def build_extractor(settings: Settings) -> OpenAIExtractor | None:
    """Build the configured extractor, None when it is off; nothing is sent before the first call.

    Raises ValueError when the endpoint's address or key could never work.
    """
    if settings.extractor == "off":
        return None
    from app.providers.extractor import OpenAIExtractor

    key = settings.extractor_api_key
    return OpenAIExtractor(
        model=settings.extractor_model,
        base_url=settings.extractor_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=settings.extractor_timeout_seconds,
    )


def build_judge(settings: Settings) -> OpenAIJudge | None:
    """Build the configured judge, None when it is off; nothing is sent before the first call.

    Raises ValueError when the endpoint's address or key could never work.
    """
    if settings.judge == "off":
        return None
    from app.providers.judge import OpenAIJudge

    key = settings.judge_api_key
    return OpenAIJudge(
        model=settings.judge_model,
        base_url=settings.judge_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=settings.judge_timeout_seconds,
    )
