"""What the tests of the client share: a turn, a good answer, a clock, and the fault of a call."""

from __future__ import annotations

import pytest

from app.domain.proposal import Turn
from app.providers.ports import Extractor, ProviderFault
from tests.extractor.endpoint import item, says

SECRET = "my sister's birthday is in May"
TURNS = [Turn(0, SECRET)]
GOOD = says(item(SECRET))
STRICT, JSON, PLAIN = "json_schema", "json_object", "text"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def fault_of(extractor: Extractor) -> ProviderFault:
    with pytest.raises(ProviderFault) as caught:
        await extractor.propose(TURNS)
    return caught.value
