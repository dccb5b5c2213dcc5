"""The command from end to end: exit codes, results file, tables; and the tables of the document."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from app.cli import app
from benchmarks.command import Options, run_quality
from benchmarks.report import put_into, sheets, to_markdown
from tests.benchmarks.doubles import KEY, at_random, serving
from tests.benchmarks.samples import write_samples

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "quality.json"


def quiet() -> Console:
    return Console(file=io.StringIO())


def test_a_run_prints_tables_and_writes_results_and_markdown(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_samples(data)
    out = quiet()
    with serving(at_random) as (address, _):
        options = Options(
            data,
            url=address,
            key=KEY,
            cache=tmp_path / "cache",
            json_file=tmp_path / "out" / "quality.json",
            markdown_file=tmp_path / "tables.md",
        )
        assert run_quality(options, out=out, err=quiet()) == 0
    results = json.loads((tmp_path / "out" / "quality.json").read_text())
    assert results["complete"]
    systems = [row["system"] for row in results["corpora"][0]["levels"]["turn"]]
    assert systems == [
        "Lethe",
        "Lethe, gate on",
        "seed formula",
        "bounded recency",
        "cosine",
        "BM25",
        "z-scored sum",
        "reciprocal rank fusion",
        "plainto_tsquery",
        "lexical leg alone",
    ]
    assert list(results["corpora"][1]["levels"]) == ["message", "exchange"]
    assert (tmp_path / "tables.md").read_text() == to_markdown(results)
    printed = out.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    for sheet in sheets(results):
        assert sheet.title in printed
    # nothing of the data stands in the results
    assert "kite" not in json.dumps(results)


def test_faults_have_their_exit_codes(tmp_path: Path) -> None:
    err = quiet()
    assert run_quality(Options(tmp_path), out=quiet(), err=err) == 2
    assert "no file like locomo" in err.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    write_samples(tmp_path)
    assert run_quality(Options(tmp_path, url="http://127.0.0.1:1"), out=quiet(), err=quiet()) == 2
    with serving(at_random) as (address, _):
        wrong = Options(tmp_path, url=address, key="lk_other", only=("prefeval",), cache=tmp_path / "cache")
        err = quiet()
        assert run_quality(wrong, out=quiet(), err=err) == 1
    assert "401 unauthenticated" in err.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


@pytest.mark.parametrize("name", ["gate", "forget", "walls"])
def test_benchmarks_of_later_work_say_so(name: str) -> None:
    done = CliRunner().invoke(app, ["bench", name])
    assert done.exit_code == 2


def test_tables_go_between_the_marks_of_a_document() -> None:
    results = {"benchmark": "quality", "corpora": []}
    document = "# Title\n\n<!-- quality -->\nold\n<!-- /quality -->\n\nend\n"
    put = put_into(document, results)
    assert put.startswith("# Title\n\n<!-- quality -->\n\n")
    assert put.endswith("\n<!-- /quality -->\n\nend\n")
    assert "old" not in put
    assert put_into(put, results) == put


def test_the_tables_of_the_document_are_those_of_the_results_file() -> None:
    document = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert results["complete"]
    assert not results["faults"]
    assert put_into(document, results) == document
