from __future__ import annotations

import pytest
from pydantic import SecretStr

from app.providers.factory import build_embedder
from app.providers.ports import Embedder
from app.settings import Settings
from tests.providers.endpoint import Endpoint, answer

pytestmark = pytest.mark.anyio


async def test_the_bundled_model_is_the_default() -> None:
    embedder: Embedder = build_embedder(Settings(_env_file=None, embedder="local"))
    assert embedder.model_id == "lethe-minilm-1"
    await embedder.close()


async def test_the_endpoint_of_the_settings_is_used_with_its_key(endpoint: Endpoint) -> None:
    endpoint.script(answer())
    settings = Settings(
        _env_file=None,
        embedder="openai",
        embedding_base_url=endpoint.url,
        embedding_api_key=SecretStr("k-1"),
        embedding_model="tiny",
        embedding_dimension=2,
    )
    embedder = build_embedder(settings)
    await embedder.warm()
    assert endpoint.requests == []
    await embedder.embed_query("a")
    assert endpoint.keys == ["Bearer k-1"]
    assert embedder.model_id == "openai:tiny:2"
    await embedder.close()
