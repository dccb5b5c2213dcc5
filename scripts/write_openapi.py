"""Write openapi.yaml from the application. A test fails when the file is not fresh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from app.main import create_app
from app.settings import Settings

PATH = Path(__file__).resolve().parent.parent / "openapi.yaml"


def build() -> str:
    """Give the text of openapi.yaml: keys sorted, so that a change of the code changes only its own lines."""
    app = create_app(Settings(_env_file=None), open_lethe=_never)
    return yaml.safe_dump(app.openapi(), sort_keys=True, allow_unicode=True, width=120)


def _never(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("describing the API needs no service")


if __name__ == "__main__":
    PATH.write_text(build(), encoding="utf-8")
