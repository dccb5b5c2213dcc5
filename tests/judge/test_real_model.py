"""Opt-in: a real model judges. It may be wrong; what must hold all the same does not depend on it.

Set LETHE_TEST_JUDGE_URL (and LETHE_TEST_JUDGE_MODEL, LETHE_TEST_JUDGE_KEY where the server wants them), and run with
`-n 0 -s` to see the figures.
"""

from __future__ import annotations

import os
import time
from collections import Counter

import pytest
from pydantic import SecretStr

from tests.judge.conftest import Judges

pytestmark = pytest.mark.anyio

URL = os.environ.get("LETHE_TEST_JUDGE_URL")
MODEL = os.environ.get("LETHE_TEST_JUDGE_MODEL", "model")
KEY = os.environ.get("LETHE_TEST_JUDGE_KEY")
# earlier, later, and whether the later one replaces the earlier one; the rules leave all of them open
PAIRS = (
    ("My doctor is Dr. Haas.", "Dr. Haas has retired; my doctor is Dr. Lind.", True),
    ("I have long hair.", "I shaved my hair off for charity.", True),
    ("I drink coffee every morning.", "Tea every morning for me, coffee gave me heartburn.", True),
    ("I play football on Mondays.", "My knee is finished, football is over for me.", True),
    ("I have a cat called Miso.", "I have a dog called Tofu.", False),
    ("My team uses Jenkins for CI.", "My team uses Slack for chat.", False),
    ("My rent is 900 euros a month.", "My phone plan is 12 euros a month.", False),
    ("I drive a diesel Passat.", "I drive my Passat to Hamburg every month.", False),
)


@pytest.mark.skipif(URL is None, reason="no real model: LETHE_TEST_JUDGE_URL is not set")
@pytest.mark.timeout(600)
async def test_a_real_judge_is_kept_within_the_rules(judging: Judges) -> None:
    seconds: list[float] = []
    counted: Counter[str] = Counter()
    changes = {"judge_base_url": URL, "judge_model": MODEL, "judge_timeout_seconds": 20.0}
    async with judging(**changes, judge_api_key=SecretStr(KEY) if KEY else None) as service:
        tenant = await service.tenant()
        for number, (earlier, later, replaces) in enumerate(PAIRS):
            user = tenant.user(f"u{number}")
            old = (await user.force(earlier, kind="semantic", occurred_at="2025-04-01T12:00:00Z"))["results"][0]
            begun = time.monotonic()
            said = await user.force(later, kind="semantic", occurred_at="2025-10-20T12:00:00Z")
            seconds.append(time.monotonic() - begun)
            (new,) = said["results"]
            current = {memory["id"] for memory in await user.stored()}
            # what comes is kept, what goes is the one that was shown, and it is still told of
            assert new["memory_id"] in current
            assert new["supersedes"] in ([], [old["memory_id"]])
            assert (old["memory_id"] in current) is (new["supersedes"] == [])
            history = (await user.explain(memory_id=new["memory_id"]))["history"]
            assert len(history) == 1 + len(new["supersedes"])
            if said["degraded"]:
                assert new["supersedes"] == []
                counted["without the judge"] += 1
            else:
                counted["right" if bool(new["supersedes"]) is replaces else "wrong"] += 1
                counted["false replacement"] += bool(new["supersedes"]) and not replaces
        metrics = (await service.http.get("/metrics")).text.splitlines()
    ordered = sorted(seconds)
    print(f"\n{len(seconds)} calls, median {ordered[len(ordered) // 2]:.2f} s, slowest {ordered[-1]:.2f} s")
    print(", ".join(f"{name} {count}" for name, count in counted.most_common()))
    told = [line for line in metrics if line.startswith("lethe_provider_errors_total") and not line.endswith(" 0.0")]
    print(*told, sep="\n")
