"""What a scripted judge reads on its sheet, and answers."""

from __future__ import annotations

import json
import re

from app.providers import controls
from tests.extractor.endpoint import asked, completion
from tests.providers.endpoint import Answer, Handler, Json

KNOWN = dict.fromkeys(controls.REPLACED, True) | dict.fromkeys(controls.STAYING, False)
WORDS = {True: "supersede", False: "coexist"}


def shown(body: Json) -> dict[int, tuple[str, str]]:
    """Read a request: number of a pair to what was said earlier and later."""
    mark = re.escape(asked(body).splitlines()[0].removeprefix("The mark is "))
    texts = re.findall(rf"^{mark} pair (\d+), (?:earlier|later), [\d-]+:\n(.*?)(?=\n{mark})", asked(body), re.M | re.S)
    sides: dict[int, list[str]] = {}
    for number, text in texts:
        sides.setdefault(int(number), []).append(text)
    return {number: (earlier, later) for number, (earlier, later) in sides.items()}


def open_pairs(body: Json) -> dict[int, tuple[str, str]]:
    """The same without the pairs whose answer is known, in their order."""
    return {number: texts for number, texts in shown(body).items() if texts not in KNOWN}


def rules(**verdicts: str) -> Answer:
    """Answer as a fit judge: the known pairs rightly, the others by their order, p1="supersede"."""

    def step(handler: Handler, body: Json) -> None:
        said = {number: WORDS[KNOWN[texts]] for number, texts in shown(body).items() if texts in KNOWN}
        for place, number in enumerate(open_pairs(body), start=1):
            if f"p{place}" in verdicts:
                said[number] = verdicts[f"p{place}"]
        listed = [{"pair": number, "verdict": verdict} for number, verdict in said.items()]
        handler.reply(200, completion(json.dumps({"verdicts": listed})))

    return step
