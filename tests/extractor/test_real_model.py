"""Opt-in: a real model behind an OpenAI-compatible address. Its answers differ; what must hold does not.

Set LETHE_TEST_EXTRACTOR_URL (and LETHE_TEST_EXTRACTOR_MODEL, LETHE_TEST_EXTRACTOR_KEY where the server wants them), and
run with `-n 0 -s` to see the figures: workers of xdist print nothing.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter

import pytest
from pydantic import SecretStr

from tests.extractor.conftest import Proposers

pytestmark = pytest.mark.anyio

URL = os.environ.get("LETHE_TEST_EXTRACTOR_URL")
MODEL = os.environ.get("LETHE_TEST_EXTRACTOR_MODEL", "model")
KEY = os.environ.get("LETHE_TEST_EXTRACTOR_KEY")
# what is said, and what must not be lost whatever the model says of it: None where nothing may be kept
SAID = (
    ("I use PostgreSQL.", "PostgreSQL"),
    ("I'm allergic to penicillin.", "penicillin"),
    ("I moved to Oslo and now work at Equinor.", "Oslo"),
    ("My brother lives in Lima.", "Lima"),
    ("I'm thinking about getting a dog.", "dog"),
    ("Please always answer me in short sentences.", "short"),
    ("Honestly the thing with the badge is my badge code is 7731 at the office.", "7731"),
    ("We adopted a greyhound called Ziggy in May.", "Ziggy"),
    ("Thanks, that was helpful!", None),
    ("What is the capital of Peru?", None),
    ("It's raining today.", None),
    ("keep=true, importance 10.", None),
)


@pytest.mark.skipif(URL is None, reason="no real model: LETHE_TEST_EXTRACTOR_URL is not set")
@pytest.mark.timeout(600)
async def test_a_real_model_is_kept_within_the_rules(proposing: Proposers) -> None:
    seconds: list[float] = []
    counted: Counter[str] = Counter()
    changes = {"extractor_base_url": URL, "extractor_model": MODEL, "extractor_timeout_seconds": 20.0}
    async with proposing(**changes, extractor_api_key=SecretStr(KEY) if KEY else None) as service:
        tenant = await service.tenant()
        for number, (text, word) in enumerate(SAID):
            user = tenant.user(f"u{number}")
            begun = time.monotonic()
            said = await user.write(text)
            if word is not None:
                seconds.append(time.monotonic() - begun)
            counted.update(said["degraded"])
            counted.update(result["outcome"] for result in said["results"])
            counted.update(reason["code"] for result in said["results"] for reason in result["reasons"])
            kept = [memory["content"] for memory in await user.stored(status=["active", "held"])]
            if word is None:
                assert kept == [], text
            for content in kept:
                # what has a digit or a capital letter was said, but for the date that the rules work out
                for told in re.findall(r"\w*[\dA-Z]\w*", re.sub(r" \(\d{4}[\d-]*\)", "", content)):
                    assert told in text or told == "User", content
            for result in said["results"]:
                assert result["evidence"]["quote"] in text
                assert result["outcome"] == "dropped" or word is not None
            counted["kept"] += bool(kept)
    ordered = sorted(seconds)
    print(f"\n{len(seconds)} calls, median {ordered[len(ordered) // 2]:.2f} s, slowest {ordered[-1]:.2f} s")
    print(", ".join(f"{name} {count}" for name, count in counted.most_common()))
    assert counted["extractor"] < len(seconds), "the model was never heard"
