"""Swagger UI from files of our own: no page of ours loads anything from elsewhere."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import FileResponse, JSONResponse, Response

from app.domain.errors import NotFound

router = APIRouter(include_in_schema=False)
FILES: Final = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon.png": "image/png",
}
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
)


def assets() -> Path:
    """Find the folder of the Swagger UI files; only the files of that package are used, none of its code."""
    spec = find_spec("fastapi_offline")
    if spec is None or spec.origin is None:
        raise NotFound
    return Path(spec.origin).parent / "static"


@router.get("/openapi.json")
async def openapi_json(request: Request) -> Response:
    """Give the description of the API."""
    return JSONResponse(request.app.openapi())


@router.get("/docs")
async def docs() -> Response:
    """Show the API; Authorize takes the key and the user."""
    page = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title="Lethe",
        swagger_js_url="/docs/static/swagger-ui-bundle.js",
        swagger_css_url="/docs/static/swagger-ui.css",
        swagger_favicon_url="/docs/static/favicon.png",
        swagger_ui_parameters={"persistAuthorization": False, "defaultModelsExpandDepth": 0},
    )
    page.headers["Content-Security-Policy"] = _POLICY
    return page


@router.get("/docs/static/{name}")
async def static(name: str) -> Response:
    """Give one of the three files."""
    if name not in FILES:
        raise NotFound
    return FileResponse(assets() / name, media_type=FILES[name])
