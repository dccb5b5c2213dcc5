"""Numbers for /metrics. One registry per application, so that two of them in one process do not collide.

Every label set that can occur is set to zero at the start: an alert on a rate works from the first scrape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
OUTCOMES: Final = ("stored", "reinforced", "superseded", "disputed", "held", "quarantined", "dropped")
ACTIONS: Final = ("insert", "reinforce", "supersede", "coexist", "dispute")
PARTS: Final = ("embedder", "reader", "pair_reader", "extractor", "judge")
FAULTS: Final = (
    "timeout",
    "refused",
    "status",
    "shape",
    "unfit",
    "nan",
    "zero",
    "open",
    "closed",
    "model",
    "busy",
    "budget",
)
# From a cached look-up to the longest statement we allow; recall is promised well below 100 ms.
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What is counted, and how. Labels are words of ours, never the caller's."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._outcomes = Counter(
            "lethe_gate_outcomes", "Candidates by what they did.", ["outcome"], registry=self.registry
        )
        self._resolutions = Counter(
            "lethe_resolutions", "Kept candidates by what they did to the store.", ["action"], registry=self.registry
        )
        self._seconds = Histogram(
            "lethe_request_seconds",
            "Time from the first byte of a request to the last of its answer, in seconds.",
            ["route", "method", "status"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._provider_errors = Counter(
            "lethe_provider_errors", "Failed calls to a provider.", ["provider", "kind"], registry=self.registry
        )
        self._degraded = Counter("lethe_degraded", "Answers given without a part.", ["part"], registry=self.registry)
        self._in_flight = Gauge("lethe_in_flight", "Requests in work.", registry=self.registry)
        for outcome in OUTCOMES:
            self._outcomes.labels(outcome)
        for action in ACTIONS:
            self._resolutions.labels(action)
        for part in PARTS:
            self._degraded.labels(part)
            for fault in FAULTS:
                self._provider_errors.labels(part, fault)

    def gate_outcome(self, outcome: str) -> None:
        """Count one candidate of a durable write (no dry run, no replay)."""
        self._outcomes.labels(outcome).inc()

    def resolution(self, action: str) -> None:
        """Count what one kept candidate did to the store."""
        self._resolutions.labels(action).inc()

    def provider_error(self, provider: str, kind: str) -> None:
        """Count a failed provider call; `provider` is one of PARTS, `kind` one of FAULTS."""
        self._provider_errors.labels(provider, kind).inc()

    def degraded(self, parts: Iterable[str]) -> None:
        """Count an answer that was given without these parts."""
        for part in parts:
            self._degraded.labels(part).inc()

    def expect_routes(self, routes: Iterable[tuple[str, str]]) -> None:
        """Set the latency of every (route template, method) to zero, for the status of success."""
        for route, method in routes:
            self._seconds.labels(route, method, "200")

    def request_started(self) -> None:
        """One more request is in work."""
        self._in_flight.inc()

    def request_ended(self, *, route: str, method: str, status: int, seconds: float) -> None:
        """A request is done; `route` is the template, never the path."""
        self._in_flight.dec()
        self._seconds.labels(route, method, str(status)).observe(seconds)

    def render(self) -> bytes:
        """Write everything in the Prometheus text format."""
        return generate_latest(self.registry)
