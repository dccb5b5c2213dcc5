"""A circuit breaker: during an outage only a probe now and then pays for a timeout."""

from __future__ import annotations

import time
from collections.abc import Callable


class Breaker:
    """Opens after `threshold` failures in a row and then admits one probe every `rest_seconds`.

    A success closes it. A probe that ends in neither, because its caller gave up, costs nothing but the wait for the
    next one. For one event loop; not for threads.
    """

    def __init__(
        self, *, threshold: int = 3, rest_seconds: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._threshold = threshold
        self._rest_seconds = rest_seconds
        self._clock = clock
        self._failures = 0
        self._next_probe = 0.0

    @property
    def is_open(self) -> bool:
        """Tell whether calls are held back."""
        return self._failures >= self._threshold

    def admit(self) -> bool:
        """Tell whether a call may be made now; an admitted call of an open breaker is the probe of this period."""
        if not self.is_open:
            return True
        now = self._clock()
        if now < self._next_probe:
            return False
        self._next_probe = now + self._rest_seconds
        return True

    def succeeded(self) -> None:
        """Report that the other side answered."""
        self._failures = 0

    def failed(self) -> None:
        """Report that the other side is out."""
        self._failures += 1
        self._next_probe = self._clock() + self._rest_seconds
