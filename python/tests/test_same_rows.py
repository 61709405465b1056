"""The same wrapper and pages give the same rows, whichever door they come through."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import pagemill
from pagemill import batches

from conftest import DETAIL, LIST, Command


@pytest.mark.parametrize("pages", [DETAIL, LIST])
def test_of_python_and_the_command(pages: str, command: Command, tmp_path: Path) -> None:
    wrapper = pagemill.learn(pages)
    file = tmp_path / "wrapper.json"
    wrapper.save(file)
    # The other template's pages fail, and a file with noise is broken HTML.
    noise = tmp_path / "noise.html"
    noise.write_bytes(bytes(range(256)) * 40 + b"<table><td><p><table>")
    inputs = [pages, LIST if pages == DETAIL else DETAIL, noise]

    rows = [row_of(record) for record in wrapper.extract(inputs)]
    assert rows == command("extract", file, *inputs)
    assert {row["status"] for row in rows} >= {"verified", "failed"}

    command("extract", file, *inputs, "-o", tmp_path / "rows.parquet")
    table = pa.table(wrapper.extract(inputs))
    expected = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    assert table.to_pylist() == expected.to_pylist()
    assert table.schema == expected.schema

    arrow = pa.table(pagemill.Pages(inputs))
    by_batches = batches.extract(arrow.to_batches(max_chunksize=7), wrapper, url="page")
    assert pa.Table.from_batches(by_batches).to_pylist() == table.to_pylist()


def row_of(record: pagemill.Record) -> dict[str, Any]:
    """As a JSON line has it."""
    row: dict[str, Any] = {"page": record.page, "status": record.status}
    row["data"] = dict(record) if record.status != "failed" else None
    row["problems"] = record.problems
    return row | ({"warnings": record.warnings} if record.warnings else {})


def test_of_records(command: Command, tmp_path: Path, list_wrapper: pagemill.Wrapper) -> None:
    file = tmp_path / "wrapper.json"
    list_wrapper.save(file)
    command("extract", file, LIST, "-o", tmp_path / "rows.csv", "--formulas", "--rows", "records")
    with open(tmp_path / "rows.csv", newline="") as lines:
        expected = list(csv.DictReader(lines))
    found = pa.table(list_wrapper.extract(LIST).records()).to_pylist()
    assert len(found) == len(expected) == 70
    for row, line in zip(found, expected, strict=True):
        assert list(row) == list(line)
        # Sets in a cell are joined by the command, and stay lists here.
        texts = {name: it or "" for name, it in row.items() if not isinstance(it, list)}
        assert texts == {name: line[name] for name in texts}


def test_of_get(command: Command) -> None:
    lines = command("get", "corpus/bookshop", "--json")
    rows = [
        {"page": record.page, "group": number, **row_of(record)}
        for number, table in enumerate(pagemill.get("corpus/bookshop"), 1)
        for record in table
    ]
    assert rows == lines


def test_of_regions(command: Command) -> None:
    for kind in ["any", "people", "records"]:
        inputs = "corpus/university/site"
        assert pagemill.regions(inputs, kind=kind) == command("regions", inputs, "--json", "--kind", kind)  # type: ignore[arg-type]


def test_of_annotations(command: Command) -> None:
    lines = command("annotate", "news", "corpus/newspaper/pages", "--json")
    rows = [row_of(record) for record in pagemill.annotate("news", "corpus/newspaper/pages")]
    assert rows == lines


def test_of_why(command: Command, wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    file = tmp_path / "wrapper.json"
    wrapper.save(file)
    table = wrapper.extract(DETAIL)
    assert table[3].why("title") == command("why", file, table[3].page, "title", "--json")
    assert table[3].why() == command("why", file, table[3].page, "--json")


def test_of_learning(command: Command, wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    command("learn", DETAIL, "-o", tmp_path / "wrapper.json")
    assert (tmp_path / "wrapper.json").read_text() == wrapper.to_json()
    command("train", "--schema", "news", "corpus/articles/labels.jsonl", "-o", tmp_path / "model.json")
    model = pagemill.train("news", "corpus/articles/labels.jsonl")
    assert (tmp_path / "model.json").read_text() == model.to_json()


@pytest.mark.parametrize("kind", ["binary", "string", "large_string", "string_view"])
def test_of_tables_of_any_kind(kind: str, wrapper: pagemill.Wrapper) -> None:
    pages = list(pagemill.Pages(DETAIL))
    html = [page.html if kind == "binary" else page.html.decode() for page in pages]
    table = pa.table({"html": pa.array(html, getattr(pa, kind)()), "url": [page.id for page in pages]})
    expected = pa.table(wrapper.extract(DETAIL)).to_pylist()
    assert pa.table(wrapper.extract(table)).to_pylist() == expected
    if kind == "string":
        assert pa.table(wrapper.extract(polars.DataFrame(table))).to_pylist() == expected
        assert pa.table(wrapper.extract(pandas.DataFrame(table.to_pydict()))).to_pylist() == expected
