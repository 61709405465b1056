"""What is wrong is an exception that says what, which, and what next; a broken page is none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pagemill

from conftest import DETAIL


@pytest.mark.parametrize("wrong", [3, None, 1.5, {"html": "a"}, object()])
def test_wrong_types(wrong: Any, wrapper: pagemill.Wrapper) -> None:
    for call in [wrapper.extract, wrapper.check, wrapper.repair, pagemill.learn, pagemill.get, pagemill.regions]:
        with pytest.raises(TypeError, match="pages are paths or addresses .* not "):
            call(wrong)
    with pytest.raises(TypeError, match="pages are paths"):
        wrapper.extract([DETAIL, wrong])


def test_html_where_a_path_is_expected(wrapper: pagemill.Wrapper) -> None:
    with pytest.raises(ValueError, match=r"pass pagemill.Page\(html\) or bytes"):
        wrapper.extract("<h1>Fog</h1>")


def test_a_type_that_only_shows_later(wrapper: pagemill.Wrapper) -> None:
    with pytest.raises(TypeError, match="not int"):
        wrapper.extract(page for page in [b"<h1>Fog</h1>", 3])  # type: ignore[misc]


def test_what_a_generator_raises_is_raised(wrapper: pagemill.Wrapper) -> None:
    def pages() -> Any:
        yield b"<h1>Fog</h1>"
        raise ZeroDivisionError("in the generator")

    with pytest.raises(ZeroDivisionError, match="in the generator"):
        wrapper.extract(pages())
    with pytest.raises(ZeroDivisionError, match="in the generator"):
        list(wrapper.stream(pages()))
    with pytest.raises(ZeroDivisionError):
        pagemill.learn(pages())


def test_missing_columns(wrapper: pagemill.Wrapper) -> None:
    table = pa.table({"body": [b"<h1>Fog</h1>"], "url": ["a"]})
    with pytest.raises(pagemill.ColumnError, match=r'no column "html"; it has body, url; pagemill.Pages'):
        wrapper.extract(table)
    assert wrapper.extract(pagemill.Pages(table, html="body"))[0].status == "failed"
    with pytest.raises(pagemill.ColumnError, match='"html" has values of type Int64; text or bytes'):
        wrapper.extract(pa.table({"html": [1]}))
    with pytest.raises(pagemill.FieldError, match='no field of the wrapper is called "prize"'):
        wrapper.extract(DETAIL)[0].why("prize")
    with pytest.raises(pagemill.FieldError):
        wrapper.rename("no_such", "other")
    with pytest.raises(pagemill.FieldError, match='a row per record of "no_such"'):
        wrapper.extract(DETAIL).records("no_such")


@pytest.mark.parametrize(
    "html", [b"", b"\0\xff\xfe", b"<" * 5000, b"<div>" * 20_000, "\ud800", bytes(range(256)) * 100, b"<p>caf\xe9"]
)
def test_broken_html_is_a_row(html: Any, wrapper: pagemill.Wrapper) -> None:
    record = wrapper.extract(pagemill.Page(html, url="https://example.org/"))[0]
    assert record == {} and record.status == "failed" and record.problems
    assert record.page == "https://example.org/"


def test_pages_that_are_not_there_in_a_table(wrapper: pagemill.Wrapper) -> None:
    table = pa.table({"html": pa.array([None, b"<h1>Fog</h1>"], pa.binary()), "url": ["a", None]})
    rows = list(wrapper.extract(table))
    assert [(row.page, row.status) for row in rows] == [("a", "failed"), ("row 2", "failed")]


def test_nothing_to_read(wrapper: pagemill.Wrapper) -> None:
    with pytest.raises(pagemill.InputError, match='cannot read "no-such/": no such file or folder'):
        wrapper.extract("no-such/")
    with pytest.raises(pagemill.InputError, match="no such file"):
        pagemill.get("no-such.html")
    with pytest.raises(pagemill.LearnError):
        pagemill.learn([])


def test_some_inputs_cannot_be_read(wrapper: pagemill.Wrapper) -> None:
    with pytest.warns(pagemill.UnreadableWarning, match="no-such.html"):
        table = wrapper.extract([DETAIL, "no-such.html"])
    assert len(table) == 20
    assert table.unreadable == ['cannot read "no-such.html": no such file or folder']


def test_wrappers_that_are_none(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    newer = json.loads(wrapper.to_json())
    newer["pagemill"] = 99
    file = tmp_path / "newer.json"
    file.write_text(json.dumps(newer))
    with pytest.raises(pagemill.FormatError, match="it is of format 99, .* use a newer pagemill"):
        pagemill.Wrapper.load(file)
    with pytest.raises(pagemill.FormatError, match="use a newer pagemill"):
        pagemill.Wrapper.from_json(file.read_text())
    with pytest.raises(pagemill.FormatError, match=r"no such file; pagemill.learn\(pages\).save\(path\) makes one"):
        pagemill.Wrapper.load(tmp_path / "none.json")
    (tmp_path / "page.json").write_text("<h1>Fog</h1>")
    with pytest.raises(pagemill.FormatError, match="it is a page"):
        pagemill.Wrapper.load(tmp_path / "page.json")
    with pytest.raises(pagemill.FormatError, match="none is built in but news"):
        pagemill.annotate("nwes", DETAIL)
    with pytest.raises(pagemill.FormatError, match="no such file; name a DTD"):
        pagemill.train("nwes", "corpus/articles/labels.jsonl")


def test_a_network_that_is_closed(tmp_path: Path) -> None:
    network = pagemill.Network(tmp_path / "u.db", create=True)
    network.define("shop")
    network.close()
    network.close()
    for call in [network.query, lambda: network.run("x"), lambda: network.show("a"), network.doubts]:
        with pytest.raises(pagemill.StoreError, match="is closed; open it again with pagemill.Network"):
            call()
    with pytest.raises(pagemill.StoreError):
        pagemill.Network(tmp_path / "none.db")


def test_queries_that_cannot_be_understood(tmp_path: Path) -> None:
    with pagemill.Network(tmp_path / "u.db", create=True) as network:
        network.define("university")
        with pytest.raises(pagemill.QueryError, match="line 1"):
            network.query("query Nonsense $x construct $x")


def test_arguments_that_cannot_be(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    for threads in [0, -1, "two", 1.5]:
        with pytest.raises(ValueError, match="a whole number of 1 or more is expected, not"):
            wrapper.extract(DETAIL, threads=threads)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seeds are addresses"):
        pagemill.crawl(3, tmp_path / "a.db")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="labelled pages are paths"):
        pagemill.train("news", 3)  # type: ignore[arg-type]
    with pytest.raises(pagemill.FormatError, match=r"pagemill.train\(schema, labels\).to_json\(\) makes one"):
        pagemill.Model.from_json(wrapper.to_json())
    with pytest.raises(pagemill.StoreError, match="create=True makes a new one"):
        pagemill.Network(tmp_path / "none.db")


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(pagemill.InternalError, match="a bug of pagemill, worth a report.*on purpose"):
        pagemill._native._panic()
    # In a process of its own too, where nothing catches it: an exit, no crash.
    script = "import pagemill\ntry:\n pagemill._native._panic()\nexcept Exception as e:\n print(type(e).__name__)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "InternalError\n")


def test_files_that_cannot_be_written(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    with pytest.raises(OSError):
        wrapper.save(tmp_path / "none" / "wrapper.json")
    with pytest.raises(ValueError, match="cannot tell the format"):
        wrapper.extract(DETAIL).save(tmp_path / "rows.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [{"gap": -1.0}, {"scope": "world"}, {"contact": "naïve"}, {"ca_file": "no-such.pem"}, {"plan": "none"}]
)
def test_crawls_that_cannot_begin(arguments: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        pagemill.crawl("http://127.0.0.1:9/", tmp_path / "a.db", **arguments)
    assert not (tmp_path / "a.db").exists()
    with pytest.raises(ValueError, match="cannot begin with"):
        pagemill.crawl("ftp://example.org/", tmp_path / "a.db")
