"""Every setting, from the environment (prefix LETHE_) or a .env file. docs and README are tested against this."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The service's settings. Secrets are never printed."""

    model_config = SettingsConfigDict(env_prefix="LETHE_", env_file=".env", extra="ignore")

    database_url: SecretStr | None = Field(
        default=None,
        description="Postgres 16+ with pgvector 0.8.2+, as the app role: postgresql://lethe_app:...@host/lethe. "
        "Unset: an embedded Postgres in data_dir.",
    )
    migration_url: SecretStr | None = Field(
        default=None,
        description="The same database as its owner; for `lethe migrate` and `lethe tenant offboard` only.",
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description="At least 32 characters; keys, user ids in the ledger, cursors and previews are hashed with it. "
        "Unset with the embedded Postgres: made once, in data_dir.",
    )
    data_dir: Path = Field(default=Path(".lethe"), description="Folder of the embedded Postgres.")
    postgres_major: Literal[16, 18] = Field(default=18, description="Major version of the embedded Postgres.")
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on.")
    embedder: Literal["local", "openai"] = Field(
        default="local", description="`local`: the bundled MiniLM model. `openai`: any OpenAI-compatible endpoint."
    )
    embedding_base_url: str | None = Field(
        default=None, description="Base URL of the OpenAI-compatible endpoint; unset: the provider's own."
    )
    embedding_api_key: SecretStr | None = Field(default=None, description="Key for the embedding endpoint.")
    embedding_model: str = Field(default="text-embedding-3-small", description="Model name at the endpoint.")
    embedding_dimension: int = Field(
        default=384, ge=1, le=3072, description="Vector length asked of the endpoint and required of its answers."
    )
    embedding_timeout_seconds: float = Field(default=10.0, gt=0, description="Time limit of one embedding call.")
    gate_reader: Literal["bundled", "off"] = Field(
        default="bundled",
        description="`bundled`: the gate reads English sentences in full, with a small network that comes along. "
        "`off`: their features alone are weighed; faster, and less often right.",
    )
    pair_reader: Literal["bundled", "off"] = Field(
        default="bundled",
        description="`bundled`: what may be over is read beside an English message, with a network that comes along "
        "and takes 380 MB; it needs the local embedder and the gate's reader. `off`: likeness and structure alone are "
        "weighed; fewer changes are found.",
    )
    extractor: Literal["off", "openai"] = Field(
        default="off",
        description="`off`: the rules alone. `openai`: a chat model at any OpenAI-compatible endpoint proposes "
        "as well, and the rules decide.",
    )
    extractor_base_url: str | None = Field(
        default=None, description="Base URL of the OpenAI-compatible endpoint; unset: the provider's own."
    )
    extractor_api_key: SecretStr | None = Field(default=None, description="Key for the extractor's endpoint.")
    extractor_model: str = Field(default="gpt-4o-mini", description="Model name at the endpoint.")
    extractor_timeout_seconds: float = Field(
        default=10.0,
        gt=0,
        le=20,
        description="Time limit of one extractor call, at most 20; there is one retry, then the rules decide alone.",
    )
    extractor_daily_tokens: int = Field(
        default=0, ge=0, description="Tokens per tenant and day (UTC) for extractor and judge together; 0: no limit."
    )
    judge: Literal["off", "openai"] = Field(
        default="off",
        description="`off`: what the rules leave open stays as it is. `openai`: a chat model at any OpenAI-compatible "
        "endpoint says of such pairs whether the later statement replaces the earlier one.",
    )
    judge_base_url: str | None = Field(
        default=None, description="Base URL of the judge's OpenAI-compatible endpoint; unset: the provider's own."
    )
    judge_api_key: SecretStr | None = Field(default=None, description="Key for the judge's endpoint.")
    judge_model: str = Field(default="gpt-4o-mini", description="Name of the judge's model at the endpoint.")
    judge_timeout_seconds: float = Field(
        default=10.0,
        gt=0,
        le=20,
        description="Time limit of one call of the judge, at most 20; there is one retry, then both statements stay.",
    )
    pool_size: int = Field(default=10, ge=1, description="Database connections per process.")
    max_concurrent: int = Field(
        default=64, ge=1, description="Requests in work per process; beyond it 503 with Retry-After."
    )
    max_concurrent_per_tenant: int = Field(
        default=32, ge=1, description="Requests in work per tenant and process; beyond it 429 with Retry-After."
    )
    statement_timeout_seconds: float = Field(default=15.0, gt=0, description="Time limit of one database statement.")
    key_cache_seconds: float = Field(
        default=5.0, ge=0, description="How long a verified key is remembered; a revoked key works at most this long."
    )
    maintenance_seconds: float = Field(
        default=60.0, ge=0, description="Pause between rounds of expiry and vector back-fill; 0 turns them off."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", description="Log level.")
    log_format: Literal["json", "console"] = Field(default="json", description="Log lines as JSON or for reading.")

    @field_validator("data_dir", mode="before")
    @classmethod
    def _names_a_folder(cls, value: object) -> object:
        # an empty path is the working directory, which nobody means
        if isinstance(value, str) and not value.strip():
            raise ValueError("it is empty; name a folder, or unset it for .lethe")
        return value
