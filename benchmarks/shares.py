"""Shares of yes and no, with intervals that hold at 0 and 1 too."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

_Z: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the 95% interval of Wilson (1927)."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.hits / self.n if self.n else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval."""
        if not self.n:
            return 0.0, 1.0
        middle = (self.value + _Z**2 / (2 * self.n)) / (1 + _Z**2 / self.n)
        half = _Z / (1 + _Z**2 / self.n) * sqrt(self.value * (1 - self.value) / self.n + _Z**2 / (4 * self.n**2))
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_json(self) -> dict[str, Any]:
        """Give plain numbers, rounded to four digits."""
        low, high = self.bounds
        return {
            "value": round(self.value, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "hits": self.hits,
            "n": self.n,
        }

    def told(self) -> str:
        """Write it as a table has it: "0.987 (149 of 151; 0.953..0.996)"."""
        low, high = self.bounds
        return f"{self.value:.3f} ({self.hits} of {self.n}; {low:.3f}..{high:.3f})"
