"""What runs without a key: health, readiness, numbers."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from app.api.problems import problem
from app.api.reading import check_query
from app.api.schemas.problem_answers import Health, Ready
from app.domain.errors import FieldError, Unavailable
from app.metrics import CONTENT_TYPE, Metrics


async def no_parameters(request: Request) -> None:
    """Refuse query parameters, as everywhere."""
    check_query(request.query_params, known={})


router = APIRouter(tags=["operations"], dependencies=[Depends(no_parameters)])


@router.get("/healthz", summary="Is the process alive?", response_model=Health)
async def healthz() -> Response:
    """Answer as long as the process serves requests; asks nothing of the database."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz", summary="Can it serve?", response_model=Ready)
async def readyz(request: Request) -> Response:
    """Check database and migrations, and tell how the providers did. What fails stands in `errors` of the 503."""
    readiness = await request.app.state.lethe.ready()
    if readiness.ready:
        return JSONResponse({"status": "ready", "checks": dict(readiness.checks)})
    failing = tuple(
        FieldError(f"/checks/{name}", "unavailable", word) for name, word in readiness.checks.items() if word != "ok"
    )
    return problem(Unavailable("Not ready. See errors.", errors=failing))


@router.get("/metrics", summary="Numbers for Prometheus", response_class=Response)
async def metrics(request: Request) -> Response:
    """Give everything counted since the start, in the Prometheus text format."""
    numbers: Metrics = request.app.state.metrics
    return Response(numbers.render(), headers={"Content-Type": CONTENT_TYPE})
