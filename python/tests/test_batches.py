"""Batches in, batches out: what Spark and others call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

import pagemill
from pagemill import batches

from conftest import DETAIL, LIST, warc


def books() -> list[tuple[str, bytes]]:
    return [(f"https://shop.example/{page.id.rsplit('/', 1)[1]}", page.html) for page in pagemill.Pages(DETAIL)]


def test_nothing_in_nothing_out(wrapper: pagemill.Wrapper) -> None:
    assert list(batches.extract([], wrapper)) == []
    assert list(batches.extract_files([], wrapper)) == []


def test_pages_are_not_read_ahead_without_bound(wrapper: pagemill.Wrapper) -> None:
    n_read = 0

    def pages() -> Iterator[pa.RecordBatch]:
        nonlocal n_read
        for _ in range(1000):
            n_read += 1
            yield pa.RecordBatch.from_pydict({"html": [b"<h1>Fog</h1>"] * 100, "url": ["a"] * 100})

    found = batches.extract(pages(), wrapper)
    assert next(found).num_rows == 1024
    assert n_read < 100
    found.close()  # type: ignore[attr-defined]


def test_archives_are_read_where_they_are_worked_on(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    first = warc(tmp_path / "a.warc.gz", books()[:12])
    second = warc(tmp_path / "b.warc.gz", books()[12:])
    found = pa.Table.from_batches(batches.extract_files([first, second], wrapper))
    assert found["archive"].to_pylist() == [first] * 12 + [second] * 8
    assert found["page"].to_pylist() == [url for url, _ in books()]
    assert set(found["status"].to_pylist()) == {"verified"}
    assert found.schema == batches.schema_of_files(wrapper)
    pages = pa.Table.from_batches(batches.read_files([first, second]))
    assert pages["html"].to_pylist() == [html for _, html in books()]
    assert pages.schema == batches.PAGES
    again = pa.Table.from_batches(batches.extract(pages.to_batches(), wrapper))
    assert again.to_pylist() == found.drop_columns("archive").to_pylist()


def test_what_cannot_be_read_is_a_row(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    cut = warc(tmp_path / "cut.warc.gz", books(), cut=40)
    for rows in ["pages", "reviews"]:
        found = pa.Table.from_batches(batches.extract_files([cut, "no-such.warc.gz"], wrapper, rows=rows)).to_pylist()
        bad = [row for row in found if row["status"] == batches.UNREADABLE]
        assert [row["archive"] for row in bad] == [cut, "no-such.warc.gz"]
        assert "cut off" in bad[0]["page"] and "no such file" in bad[1]["page"]
        assert len({row["page"] for row in found}) >= 20
    errors = pa.Table.from_batches(batches.read_files(["no-such.warc.gz"]))
    assert errors["html"].to_pylist() == [None] and "no such file" in errors["error"][0].as_py()


def test_models_judge_batches(tmp_path: Path) -> None:
    model = pagemill.Model.load("news")
    pages = pa.table(pagemill.Pages("corpus/newspaper/pages"))
    found = pa.Table.from_batches(batches.annotate(pages.to_batches(max_chunksize=4), model, url="page"))
    alone = pa.table(model.annotate("corpus/newspaper/pages", alone=True))
    assert found.to_pylist() == alone.to_pylist()
    assert found.schema == batches.schema_of_model(model)


def test_wrappers_of_a_site(tmp_path: Path) -> None:
    pages = pa.table(pagemill.Pages([DETAIL, LIST]))
    learnt = batches.learn_site("books.example", pages, url="page").to_pylist()
    assert [(row["template"], row["pages"], row["verified"]) for row in learnt] == [(1, 20, 20), (2, 5, 5)]
    wrapper = pagemill.Wrapper.from_json(learnt[0]["wrapper"])
    assert wrapper.extract(DETAIL)[0].status == "verified"
    few = batches.learn_site("few.example", pages.slice(0, 1), url="page").to_pylist()
    assert few[0]["wrapper"] is None and few[0]["problem"]
    none = batches.learn_site("none.example", pages.slice(0, 0), url="page").to_pylist()
    assert none[0]["problem"]
