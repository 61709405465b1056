"""Batches in, batches out: what engines that deal out tables call, be it Spark, Ray, Dask or Daft.

Each function takes an iterable of Arrow batches and gives an iterator of them, or works on one table; nothing in here knows who asks.
A bad page is a row with a status, never an exception: `verified`, `partial` and `failed` are told by the wrapper, and `unreadable` is
an input that could not be read, with the reason in `problems`.

It needs pyarrow, which such engines have.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

import pagemill

#: So many bytes of data are in a batch, roughly.
MAX_BYTES = 8 << 20

#: What cannot be read has this status.
UNREADABLE = "unreadable"


def extract(
    batches: Iterable[Any],
    wrapper: pagemill.Wrapper,
    *,
    html: str = "html",
    url: str = "url",
    rows: str = "pages",
    threads: int | None = 1,
    max_bytes: int = MAX_BYTES,
) -> Iterator[pa.RecordBatch]:
    """The data of pages that come in batches with columns `html` and `url`.

    A row is a page, or with `rows="records"`, or the name of a set, a record. One thread, because such engines use all cores by
    themselves.

    >>> import pagemill, pyarrow
    >>> from pagemill import batches
    >>> wrapper = pagemill.learn("corpus/bookshop/list/pages")
    >>> pages = pyarrow.table(pagemill.Pages("corpus/bookshop/list/pages"))
    >>> [batch.num_rows for batch in batches.extract(pages.to_batches(), wrapper, rows="records")]
    [70]
    """
    reader = _reader(batches)
    if reader is not None:
        pages = pagemill.Pages(reader, html=html, url=url)
        yield from _extract(pages, wrapper, rows, threads, max_bytes)


def extract_files(
    paths: Iterable[str],
    wrapper: pagemill.Wrapper,
    *,
    rows: str = "pages",
    threads: int | None = 1,
    max_bytes: int = MAX_BYTES,
) -> Iterator[pa.RecordBatch]:
    """The data of the pages in files, folders or web archives, with the column `archive` for where each was.

    Only paths travel to whoever calls this; pages are read where they are worked on, one archive at a time.
    """
    schema = schema_of_files(wrapper, rows)
    for path in paths:
        archive = pa.array([path])
        for batch in _extract(path, wrapper, rows, threads, max_bytes):
            column = pa.repeat(archive[0], batch.num_rows)
            yield pa.RecordBatch.from_arrays([column, *batch.columns], schema=schema)


def read_files(paths: Iterable[str]) -> Iterator[pa.RecordBatch]:
    """The pages in files, folders or web archives: `archive`, `page`, `url`, `html`, `charset` and `error`.

    What cannot be read is a row without `html`, and `error` says why.
    """
    for path in paths:
        for batch in pa.RecordBatchReader.from_stream(pagemill.Pages(path)):
            column = pa.repeat(pa.scalar(path), batch.num_rows)
            yield pa.RecordBatch.from_arrays([column, *batch.columns], schema=PAGES)


#: The columns of `read_files`.
PAGES: pa.Schema = pa.schema(
    [
        pa.field("archive", pa.string(), nullable=False),
        pa.field("page", pa.string(), nullable=False),
        pa.field("url", pa.string()),
        pa.field("html", pa.binary()),
        pa.field("charset", pa.string()),
        pa.field("error", pa.string()),
    ]
)


def annotate(
    batches: Iterable[Any], model: pagemill.Model, *, html: str = "html", url: str = "url", threads: int | None = 1
) -> Iterator[pa.RecordBatch]:
    """What a model finds on pages that come in batches, a row a page.

    Each page is judged for itself: which pages come together in a batch is chance, and must not change what is found.
    """
    for batch in batches:
        pages = pagemill.Pages(pa.Table.from_batches([batch]), html=html, url=url)
        yield from pa.RecordBatchReader.from_stream(model.annotate(pages, alone=True, threads=threads))


#: The columns of `learn_site`.
WRAPPERS: pa.Schema = pa.schema(
    [
        pa.field("site", pa.string(), nullable=False),
        pa.field("template", pa.int32(), nullable=False),
        pa.field("pages", pa.int32(), nullable=False),
        pa.field("verified", pa.int32(), nullable=False),
        pa.field("columns", pa.list_(pa.string()), nullable=False),
        pa.field("example", pa.string()),
        pa.field("wrapper", pa.string()),
        pa.field("problem", pa.string()),
    ]
)


def learn_site(
    site: str, pages: Any, *, html: str = "html", url: str = "url", min_pages: int = 5
) -> pa.RecordBatch:
    """Wrappers of the pages of one site: they are sorted by structure, and each template of `min_pages` or more is a row.

    Of a site without any such template there is one row, without a wrapper; `problem` says why.
    """
    rows: list[dict[str, Any]] = []
    problem = f"no {min_pages} pages are of one template"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pagemill.UnreadableWarning)
            tables = pagemill.get(pagemill.Pages(pages, html=html, url=url))
    except pagemill.PagemillError as error:
        tables, problem = [], str(error)
    for table in tables:
        wrapper = table.wrapper
        if wrapper is None or len(table) < min_pages:
            continue
        statuses = [record.status for record in table]
        rows.append(
            {
                "site": site,
                "template": len(rows) + 1,
                "pages": len(table),
                "verified": statuses.count("verified"),
                "columns": [column.path for column in wrapper.columns()],
                "example": table[0].page,
                "wrapper": wrapper.to_json(),
            }
        )
    if not rows:
        nothing = {"site": site, "template": 0, "pages": 0, "verified": 0, "columns": [], "problem": problem}
        rows.append(nothing)
    return pa.RecordBatch.from_pylist(rows, schema=WRAPPERS)


def schema_of(wrapper: pagemill.Wrapper, rows: str = "pages") -> pa.Schema:
    """The columns that `extract` gives for a wrapper."""
    return pa.RecordBatchReader.from_stream(wrapper.stream([], rows=rows)).schema


def schema_of_files(wrapper: pagemill.Wrapper, rows: str = "pages") -> pa.Schema:
    """The columns that `extract_files` gives for a wrapper."""
    schema = schema_of(wrapper, rows)
    return schema.insert(0, pa.field(_free("archive", schema.names), pa.string(), nullable=False))


def schema_of_model(model: pagemill.Model) -> pa.Schema:
    """The columns that `annotate` gives for a model."""
    return pa.RecordBatchReader.from_stream(model.annotate([])).schema


def _free(name: str, taken: Sequence[str]) -> str:
    return name if name not in taken else _free(f"{name}_", taken)


def _reader(batches: Iterable[Any]) -> pa.RecordBatchReader | None:
    all_batches = iter(batches)
    first = next(all_batches, None)
    if first is None:
        return None
    return pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], all_batches))


def _extract(
    pages: Any, wrapper: pagemill.Wrapper, rows: str, threads: int | None, max_bytes: int
) -> Iterator[pa.RecordBatch]:
    stream = wrapper.stream(pages, threads=threads, max_bytes=max_bytes)
    schema = schema_of(wrapper, rows)
    while True:
        # Nobody reads what a worker warns of: what cannot be read is a row.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pagemill.UnreadableWarning)
            table = next(stream, None)
        if table is None:
            return
        unreadable = table.unreadable
        if len(table) > 0:
            if rows != "pages":
                table = table.records(None if rows == "records" else rows)
            yield from pa.RecordBatchReader.from_stream(table)
        if unreadable:
            yield _unreadable(unreadable, schema)


def _unreadable(reasons: list[str], schema: pa.Schema) -> pa.RecordBatch:
    rows = [{"page": reason, "status": UNREADABLE, "problems": [reason]} for reason in reasons]
    known = [{name: value for name, value in row.items() if name in schema.names} for row in rows]
    return pa.RecordBatch.from_pylist(known, schema=schema)
