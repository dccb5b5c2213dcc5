"""The application: routes, middleware and the life of the service behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts

from app.api import docs, explain, forget, health, memories, problems, recall, write
from app.api.deps import Places
from app.api.middleware import Frame
from app.api.openapi import describe
from app.log import configure_logging
from app.metrics import Metrics
from app.settings import Settings

Opener = Callable[..., AbstractAsyncContextManager[Any]]


def create_app(settings: Settings | None = None, *, open_lethe: Opener | None = None) -> FastAPI:
    """Build the application; `uvicorn --factory app.main:create_app` runs it.

    `open_lethe(settings, metrics=...)` opens the service for the application's life; tests give their own.
    """
    if settings is None:
        settings = Settings()
    if open_lethe is None:
        from app.services.container import open_lethe as opener

        open_lethe = opener
    metrics = Metrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        configure_logging(level=settings.log_level, form=settings.log_format)
        async with open_lethe(settings, metrics=metrics) as lethe:
            app.state.lethe = lethe
            yield

    app = FastAPI(
        title="Lethe",
        version=version("lethe-memory"),
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        # a redirect would be an answer outside the contract
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.metrics = metrics
    app.state.places = Places(settings.max_concurrent_per_tenant)
    # /memories/write and /memories/export before /memories/{memory_id}
    for part in (write, recall, forget, explain, memories, health, docs):
        app.include_router(part.router)
    problems.install(app)
    app.add_middleware(Frame, metrics=metrics, max_concurrent=settings.max_concurrent)
    metrics.expect_routes(
        (context.route.path, method)
        for context in iter_route_contexts(app.routes)
        if isinstance(context.route, APIRoute)
        for method in context.route.methods or ()
    )

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign] # the documented way to replace it
    return app
