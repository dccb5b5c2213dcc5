"""The gate benchmark: does it keep what a future conversation needs, and refuse the rest?

Verdicts are asked for in process, as a write would ask; the part `recall` runs the whole service over HTTP.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from rich.console import Console

from app.providers.reader import bundled_reader
from benchmarks import beam, datasets, gate_report, locomo, prefeval
from benchmarks.client import ServiceFault, connect
from benchmarks.command import FAILED, INTERRUPTED, MISUSED, Options, spelled, target, write_whole
from benchmarks.files import DataFault, find_file, read_json, read_json_lines
from benchmarks.gate_figures import auc, f1, kept_at, resampled, share
from benchmarks.gating import DROP, HOLD, KEEP, ROOT, Judged, judged, left_out, trainer, verdicts
from benchmarks.progress import Progress
from benchmarks.quality import Plan, measure
from benchmarks.service import StartFault
from benchmarks.small_talk import SMALL_TALK

PARTS: Final = ("turns", "kinds", "corpus", "same", "recall")
CURVE: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
VERDICTS: Final = 10_000
_SPEAKER: Final = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|we've|our|us)\b", re.IGNORECASE)
_IMAGE: Final = re.compile(r"\s*\[shared image: .*\]$", re.DOTALL)
_QUOTED: Final = re.compile(r'^["“](.*)["”]$', re.DOTALL)
_BINS: Final = (0.0, 0.3, 0.6, 0.7, 0.8, 0.9, 1.01)

Parts = Mapping[str, Callable[[Options, Progress], dict[str, Any]]]


def run_gate(options: Options, *, out: Console, err: Console) -> int:
    """Run the gate benchmark; gives the exit code."""
    results: dict[str, Any] = {"benchmark": "gate", "complete": False}
    try:
        unknown = [name for name in options.only if name not in PARTS]
        if unknown:
            raise DataFault(f"unknown part {unknown[0]!r}; there are {', '.join(PARTS)}")
        with Progress(err) as progress:
            for name in options.only:
                results[name] = _MEASURES[name](options, progress)
                if options.json_file is not None:
                    write_whole(options.json_file, spelled(results))
        results["complete"] = True
    except DataFault as fault:
        return _told(err, str(fault), MISUSED)
    except (ServiceFault, StartFault) as fault:
        return _told(err, str(fault), FAILED)
    except KeyboardInterrupt:
        return _told(err, "ended early; what was measured so far is kept", INTERRUPTED)
    if options.json_file is not None:
        write_whole(options.json_file, spelled(results))
    gate_report.print_report(results, out)
    if options.markdown_file is not None:
        old = options.markdown_file.read_text(encoding="utf-8") if options.markdown_file.exists() else ""
        write_whole(options.markdown_file, gate_report.put_into(old, results))
    return 0


def _turns(options: Options, progress: Progress) -> dict[str, Any]:
    """LoCoMo's turns, ranked by the gate: are those that questions need among the better half?"""
    corpus = locomo.load(options.data)
    labels = {
        (row["conv"], row["dia_id"]): row
        for row in read_json_lines(find_file(options.data, ("gate_labels*.jsonl", "gate_labels*.jsonl.gz")))
    }
    pairs = [(pool.id, turn) for pool in corpus.pools for turn in pool.turns if (pool.id, turn.id) in labels]
    if not pairs:
        raise DataFault("the gate's labels are of other conversations")
    obs = [bool(labels[pool, turn.id]["obs"]) for pool, turn in pairs]
    needed = [bool(labels[pool, turn.id]["qa"]) for pool, turn in pairs]
    groups = [pool for pool, _ in pairs]
    texts = [_IMAGE.sub("", turn.said) for _, turn in pairs]
    found: list[Judged] = []
    with progress.phase("LoCoMo: judging", len(pairs)) as advance:
        for text, (_, turn) in zip(texts, pairs, strict=True):
            found.append(judged(text, name=turn.speaker, at=turn.at))
            advance(1)
    rankings: dict[str, list[float]] = {
        "the gate": [one.chance for one in found],
        "the gate, best statement": [one.rank for one in found],
        "length": [float(len(text)) for text in texts],
        "first-person words": [float(len(_SPEAKER.findall(text))) for text in texts],
    }
    with progress.phase("LoCoMo: figures", len(rankings)) as advance:
        rows: dict[str, Any] = {}
        for name, scores in rankings.items():
            rows[name] = {
                "AUC of observed": resampled(auc(scores, obs), groups).to_json(),
                "AUC of needed": resampled(auc(scores, needed), groups).to_json(),
                "needed kept at half": resampled(kept_at(scores, needed, 0.5), groups).to_json(),
                "observed kept at half": resampled(kept_at(scores, obs, 0.5), groups).to_json(),
                "curve": {
                    f"{stored:.1f}": resampled(kept_at(scores, needed, stored), groups).to_json() for stored in CURVE
                },
            }
            advance(1)
    kept = [one.decision == KEEP for one in found]
    return {
        "turns": len(pairs),
        "observed": sum(obs),
        "needed": sum(needed),
        "rankings": rows,
        "default": {
            "stored": resampled(share(kept), groups).to_json(),
            "held": resampled(share([one.decision == HOLD for one in found]), groups).to_json(),
            "needed kept": resampled(share(kept, needed), groups).to_json(),
            "observed kept": resampled(share(kept, obs), groups).to_json(),
        },
    }


def _kinds(options: Options, progress: Progress) -> dict[str, Any]:
    """Preferences and persona facts against questions and small talk, at the default thresholds."""
    preferences = prefeval.load(options.data)[0]
    personas = read_json(find_file(options.data, ("personas*.json", "personas*.json.gz")))
    chats = beam.load(options.data)
    facts = {
        text for pair in personas for name, listed in pair.items() if name.startswith("Speaker") for text in listed
    }
    sources: dict[str, tuple[bool, list[str]]] = {
        # some preferences stand between quotation marks in the file
        "PrefEval preferences": (True, [_bare(t.said) for pool in preferences.pools for t in pool.turns]),
        "MSC persona facts": (True, sorted(facts)),
        "PrefEval questions": (False, [q.text for pool in preferences.pools for q in pool.questions]),
        "BEAM questions": (False, [q.text for pool in chats.pools for q in pool.questions]),
        "small talk (ours)": (False, list(SMALL_TALK)),
    }
    asked = [turn.said for pool in chats.pools for turn in pool.turns if turn.role == "user"]
    rows: dict[str, Any] = {}
    kept: list[bool] = []
    wanted: list[bool] = []
    groups: list[str] = []
    total = sum(len(texts) for _, texts in sources.values())
    with progress.phase("preferences, facts, questions, small talk", total + len(asked)) as advance:
        for name, (keep, texts) in sources.items():
            own = [judged(text) for text in texts]
            rows[name] = _decisions(own, name) | {"wanted": KEEP if keep else DROP}
            kept += [one.decision == KEEP for one in own]
            wanted += [keep] * len(own)
            groups += [name] * len(own)
            advance(len(texts))
        chat = [judged(text) for text in asked]
        advance(len(asked))
    return {
        "f1": resampled(f1(kept, wanted), groups).to_json(),
        "sources": rows,
        "BEAM user messages": _decisions(chat, ""),
    }


def _bare(text: str) -> str:
    quoted = _QUOTED.match(text.strip())
    return quoted[1] if quoted else text


def _decisions(found: Sequence[Judged], group: str) -> dict[str, Any]:
    groups = [group] * len(found)
    return {
        "stored": resampled(share([one.decision == KEEP for one in found]), groups).to_json(),
        "held": resampled(share([one.decision == HOLD for one in found]), groups).to_json(),
    }


def _corpus(_options: Options, progress: Progress) -> dict[str, Any]:
    """The own corpus, each domain by a model that has not seen it; other languages in the same way."""
    lines = trainer().read_corpus()
    domains = sorted({line.domain for line in lines})
    found: dict[int, Judged] = {}
    with progress.phase("own corpus, a domain left out at a time", len(lines)) as advance:
        for place, verdict in left_out(domains):
            found[place] = verdict
            advance(1)
    languages = list(dict.fromkeys(line.language for line in lines))
    rows = {language: _language(lines, found, language) for language in languages}
    pairs: dict[tuple[str, str], list[int]] = {}
    for place, line in enumerate(lines):
        if line.pair is not None:
            pairs.setdefault((line.language, line.pair), []).append(place)
    right = [
        all((found[place].decision == DROP) == (lines[place].decision == DROP) for place in places)
        for places in pairs.values()
        if len(places) > 1
    ]
    return {
        "statements": len(lines),
        "languages": rows,
        "contrast pairs right": resampled(share(right), ["pair"] * len(right)).to_json(),
        "reliability": _reliability(lines, found),
    }


def _language(lines: Sequence[Any], found: Mapping[int, Judged], language: str) -> dict[str, Any]:
    sure = [n for n, line in enumerate(lines) if line.language == language and line.decision != HOLD]
    hedged = [n for n, line in enumerate(lines) if line.language == language and line.decision == HOLD]
    right = [n for n in sure if lines[n].decision == KEEP and found[n].decision == KEEP]
    domains = [lines[n].domain for n in sure]
    measure_f1 = f1([found[n].decision == KEEP for n in sure], [lines[n].decision == KEEP for n in sure])
    kinds = [found[n].kind == lines[n].kind for n in right]
    return {
        "keep or drop, F1": resampled(measure_f1, domains).to_json(),
        "kind": resampled(share(kinds), [lines[n].domain for n in right]).to_json(),
        "hedged not kept": resampled(share([found[n].decision != KEEP for n in hedged]), ["x"] * len(hedged)).to_json(),
    }


def _reliability(lines: Sequence[Any], found: Mapping[int, Judged]) -> list[dict[str, Any]]:
    """Compare the confidence of what was kept or held with how much of it was meant: neither hedged nor supposed."""
    rows = []
    for low, high in pairwise(_BINS):
        own = [n for n, one in found.items() if one.decision != DROP and low <= one.confidence < high]
        if own:
            meant = [lines[n].code not in {"hedged", "hypothetical", "question"} for n in own]
            mean = sum(found[n].confidence for n in own) / len(own)
            rows.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "confidence": round(mean, 3),
                    "meant": resampled(share(meant), ["x"] * len(own)).to_json(),
                }
            )
    return rows


def verdict_bytes(texts: Sequence[str], count: int) -> tuple[str, float, float]:
    """Judge so many texts, in rounds if need be; gives the hash of all verdicts, and ms of CPU each.

    The second figure is of the features alone, without the reader; the hash is of the whole gate's verdicts.
    """
    digest = hashlib.sha256()
    read = bundled_reader().read
    asked = [f"{texts[n % len(texts)]}{'' if n < len(texts) else f' ({n})'}" for n in range(count)]
    read(asked[0])  # loaded beforehand
    begin = time.process_time()
    made = [verdicts(text, read=read) for text in asked]
    spent = time.process_time() - begin
    begin = time.process_time()
    for text in asked:
        verdicts(text)
    plain = time.process_time() - begin
    for found in made:
        for verdict in found:
            digest.update(repr((verdict, dict(verdict.features))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest(), spent / count * 1000, plain / count * 1000


def _same(_options: Options, progress: Progress) -> dict[str, Any]:
    """Ten thousand verdicts in each of two other processes, with other hash seeds: are the bytes the same?"""
    code = (
        "from benchmarks.gate import VERDICTS, verdict_bytes; from benchmarks.gating import trainer; "
        "print(*verdict_bytes([line.text for line in trainer().read_corpus()], VERDICTS))"
    )
    answers = []
    with progress.phase("the same verdicts in two processes", 2) as advance:
        for seed in ("1", "2"):
            done = subprocess.run(  # noqa: S603  # our own code
                [sys.executable, "-c", code],
                cwd=ROOT,
                env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                check=True,
            )
            answers.append(done.stdout.split())
            advance(1)
    return {
        "verdicts": VERDICTS,
        "hashes": [answer[0] for answer in answers],
        "same": answers[0][0] == answers[1][0],
        "cpu_ms_a_message": round(min(float(answer[1]) for answer in answers), 3),
        "cpu_ms_without_the_reader": round(min(float(answer[2]) for answer in answers), 3),
    }


def _recall(options: Options, progress: Progress) -> dict[str, Any]:
    """LoCoMo end to end over HTTP, with the gate on and off: the gated rows of the quality benchmark."""
    corpora = [corpus.limited(options.limit) for corpus in datasets.load(options.data, ("locomo",))]
    with target(replace(options, gate=True), progress) as service:
        plan = Plan(corpora, options.cache.expanduser(), gate=True, clean=not service.own, save=lambda _: None)

        async def work() -> dict[str, Any]:
            async with connect(service.address, service.key) as client:
                return await measure(client, plan, progress)

        results = json.loads(json.dumps(asyncio.run(work())))
    (corpus,) = results["corpora"]
    rows = {row["system"]: row["kinds"]["all"] for row in corpus["levels"]["turn"]}
    on, off = rows["Lethe, gate on"]["recall@10"], rows["Lethe"]["recall@10"]
    return {
        "recall@10": {"gate on": on, "gate off": off, "of it": round(on["value"] / off["value"], 4)},
        "shares": corpus["gate"]["shares"],
    }


_MEASURES: Final[Parts] = {"turns": _turns, "kinds": _kinds, "corpus": _corpus, "same": _same, "recall": _recall}


def _told(err: Console, reason: str, code: int) -> int:
    err.print(f"lethe bench gate: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    return code
