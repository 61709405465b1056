"""Tables speak Arrow, and their rows are plain data."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet

import pagemill

from conftest import DETAIL, LIST


def test_all_libraries_take_a_table(wrapper: pagemill.Wrapper) -> None:
    table = wrapper.extract(DETAIL)
    arrow = pa.table(table)
    assert arrow.num_rows == len(table) == 20
    assert arrow.column_names == table.columns
    titles = [record["title"] for record in table]
    assert arrow["title"].to_pylist() == titles
    assert polars.DataFrame(table)["title"].to_list() == titles
    assert duckdb.sql("select title from arrow order by page").fetchall() == [(it,) for it in titles]
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["title"].to_list() == titles


def test_a_table_can_be_taken_twice_and_in_parts(wrapper: pagemill.Wrapper) -> None:
    table = wrapper.extract(DETAIL)
    assert pa.table(table) == pa.table(table)
    assert table[-1].page == list(table)[-1].page


def test_nothing_is_copied_on_the_way_in_and_out(wrapper: pagemill.Wrapper) -> None:
    """A batch is made once, and what others get is that memory."""
    table = wrapper.extract(DETAIL)
    before = pa.total_allocated_bytes()
    arrow = pa.table(table)
    # All of it is ours; pyarrow has not allocated anything to speak of.
    assert arrow.nbytes > 10_000
    assert pa.total_allocated_bytes() - before < arrow.nbytes / 10


def test_records_are_plain_dicts(list_wrapper: pagemill.Wrapper) -> None:
    record = list_wrapper.extract(LIST)[0]
    assert isinstance(record, dict)
    assert json.loads(json.dumps(record)) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert record.status == "verified" and record.problems == [] and record.warnings == []
    assert record["book_items"][0]["title"] == "The School on Stilts"


def test_records_of_sets_are_rows(list_wrapper: pagemill.Wrapper) -> None:
    table = list_wrapper.extract(LIST)
    books = table.records("book_items")
    assert len(books) == 70 == pa.table(books).num_rows
    assert [book["title"] for book in books] == pa.table(books)["book_items_title"].to_pylist()
    assert books[0].why("price")[0]["value"] == books[0]["price"]


def test_streams_are_tables_one_after_the_other(wrapper: pagemill.Wrapper) -> None:
    whole = pa.table(wrapper.extract(DETAIL))
    parts = [pa.table(part) for part in wrapper.stream(DETAIL, max_bytes=20_000)]
    assert len(parts) > 2
    assert pa.concat_tables(parts).to_pylist() == whole.to_pylist()
    reader = pa.RecordBatchReader.from_stream(wrapper.stream(DETAIL, max_bytes=20_000))
    assert reader.read_all().to_pylist() == whole.to_pylist()
    # Also where the one who asks holds Python's lock, and pages come from a generator.
    pages = (page for page in pagemill.Pages(DETAIL))
    assert polars.DataFrame(wrapper.stream(pages)).height == 20
    # One that is not gone through to its end ends all the same.
    assert len(next(wrapper.stream(DETAIL, max_bytes=1))) == 1


def test_tables_are_written_as_the_command_does(wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    table = wrapper.extract(DETAIL)
    for name in ["a.csv", "a.jsonl.gz", "a.parquet", "a.db"]:
        table.save(tmp_path / name)
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist() == pa.table(table).to_pylist()
    assert len(pandas.read_csv(tmp_path / "a.csv")) == 20


def test_html_for_notebooks_is_harmless() -> None:
    pages = [f"<h1>{it}&lt;script&gt;</h1><p>Fish".encode() for it in ["Herring", "Eel", "Fog"]]
    shown = pagemill.learn(pages).extract(pages)._repr_html_()
    assert "Herring&lt;script&gt;" in shown and "<script" not in shown


def test_records_come_in_batches_of_some_bytes() -> None:
    """The columns of a page come again with each of its records, so that one page may be more than a batch."""
    text = "so much is said of all of them " * 2000

    def page(n: int) -> bytes:
        rows = "".join(f"<li><b>Fish {n}-{row}</b><i>{row} kg</i></li>" for row in range(200 + n))
        return f"<h1>Catch {n}</h1><p>{n} {text}</p><ul>{rows}</ul>".encode()

    pages = [page(n) for n in range(5)]
    records = pagemill.learn(pages).extract(pages).records()
    batches = list(pa.RecordBatchReader.from_stream(records))
    assert sum(batch.num_rows for batch in batches) == len(records) == 1010
    assert len(batches) >= 7 and max(batch.nbytes for batch in batches) < 9 << 20


def test_encodings_are_read_back() -> None:
    html = [f"<h1>Рыба {n}</h1><p>{n} кг</p>".encode("windows-1251") for n in range(3)]
    # A server that is wrong is believed, as browsers do: so it shows that the column is read.
    pages = pa.table(pagemill.Pages([pagemill.Page(it, charset="windows-1252") for it in html]))
    assert pages["charset"].to_pylist() == ["windows-1252"] * 3
    assert [record["title"] for record in pagemill.get(pages)[0]] == ["Ðûáà 0", "Ðûáà 1", "Ðûáà 2"]
    # What is no encoding, or a column about something else, is passed over, and the encoding is found.
    for charset in [pa.array(["no-such"] * 3), pa.array([1, 2, 3]), pa.array([None] * 3, pa.string())]:
        table = pa.table({"html": html, "charset": charset})
        assert pagemill.get(table)[0][0]["title"] == "Рыба 0"


def test_pages_are_tables_too(wrapper: pagemill.Wrapper) -> None:
    pages = pa.table(pagemill.Pages(DETAIL))
    assert pages.column_names == ["page", "url", "html", "charset", "error"]
    assert pages.num_rows == 20 and pages["error"].null_count == 20
    found = wrapper.extract(pagemill.Pages(pages, url="page"))
    assert pa.table(found).to_pylist() == pa.table(wrapper.extract(DETAIL)).to_pylist()
