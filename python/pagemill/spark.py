"""Pagemill on Spark: many pages with one wrapper, and wrappers for many sites.

    from pagemill import Wrapper, spark as mill

    data = mill.extract_warc(spark, "/data/segment", Wrapper.load("shop.json"))
    data.write.parquet("/data/shop.parquet")

Everything goes by Arrow batches (`mapInArrow`); what is done with each is in `pagemill.batches`, which knows nothing of Spark. A bad page
is a row with a status, never a failed task. Workers need this package, and `PYSPARK_PYTHON` has to name their Python. Paths are those
of workers: local to each, mounted, or `s3://bucket/key`.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.window import Window

import pagemill
from pagemill import batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def extract(
    df: DataFrame,
    wrapper: pagemill.Wrapper,
    html: str = "html",
    url: str = "url",
    *,
    rows: str = "pages",
    max_bytes: int = batches.MAX_BYTES,
) -> DataFrame:
    """The data of pages in the columns `html` and `url`: a row a page, or a record with `rows="records"` or the name of a set.

    The columns are those of `pagemill extract -o data.parquet`. The wrapper is sent to each worker once.
    """
    _check(df, html, url)
    columns = _columns(df, html, url)
    text = _broadcast(df.sparkSession, wrapper.to_json())

    def work(pages: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches.extract(pages, _wrapper(text()), html=html, url=url, rows=rows, max_bytes=max_bytes)

    schema = from_arrow_schema(batches.schema_of(wrapper, rows))
    return df.select(*columns).mapInArrow(work, schema)


def extract_warc(
    spark: SparkSession,
    path: str | Sequence[str],
    wrapper: pagemill.Wrapper,
    *,
    rows: str = "pages",
    max_bytes: int = batches.MAX_BYTES,
) -> DataFrame:
    """The data of the pages in web archives: only paths are sent, one archive to a task, and pages are read where they are worked on.

    `path` is an archive, a folder of them, a pattern, or several; also in an S3 store: `s3://bucket/segment/`. The column `archive` says
    where a page was.
    """
    text = _broadcast(spark, wrapper.to_json())

    def work(paths: Iterable[str]) -> Iterator[pa.RecordBatch]:
        return batches.extract_files(paths, _wrapper(text()), rows=rows, max_bytes=max_bytes)

    return _by_archive(spark, path, work, batches.schema_of_files(wrapper, rows))


def read_warc(spark: SparkSession, path: str | Sequence[str]) -> DataFrame:
    """The pages in web archives, one archive to a task: `archive`, `page`, `url`, `html`, `charset` and `error`.

    For what only needs a wrapper, `extract_warc` is less work: the pages need not go through Spark.
    """
    return _by_archive(spark, path, batches.read_files, batches.PAGES)


def annotate(df: DataFrame, model: pagemill.Model, html: str = "html", url: str = "url") -> DataFrame:
    """What a model finds on pages in the columns `html` and `url`, a row a page. Each page is judged for itself."""
    _check(df, html, url)
    columns = _columns(df, html, url)
    text = _broadcast(df.sparkSession, model.to_json())

    def work(pages: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches.annotate(pages, _model(text()), html=html, url=url)

    return df.select(*columns).mapInArrow(work, from_arrow_schema(batches.schema_of_model(model)))


def learn_sites(
    df: DataFrame,
    html: str = "html",
    url: str = "url",
    *,
    min_pages: int = 5,
    max_pages: int = 200,
) -> DataFrame:
    """Wrappers for all sites among the pages in the columns `html` and `url`: a row for each template of `min_pages` or more.

    Pages are grouped by host and then by structure, and each group is learnt by itself. Of a host with more than `max_pages`, that
    many are taken, by the hashes of their addresses, so that the same pages give the same wrappers. The columns are `site`,
    `template`, `pages`, `verified`, `columns`, `example`, `wrapper` (for `Wrapper.from_json`) and `problem`.
    """
    _check(df, html, url)
    if url not in df.columns:
        raise pagemill.ColumnError(f"the data frame has no column {url!r}, which tells pages by their hosts; it has {', '.join(df.columns)}")
    host = F.lower(F.regexp_extract(F.col(url), r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@]*@)?([^/:?#]+)", 1))
    by_hash = Window.partitionBy("site").orderBy(F.xxhash64(url), F.col(url))
    charset = F.col("charset") if "charset" in _columns(df, html, url) else F.lit(None).cast("string")
    pages = df.select(F.col(html).alias("html"), F.col(url).alias("url"), charset.alias("charset"), host.alias("site"))
    pages = pages.withColumn("nth", F.row_number().over(by_hash)).filter(F.col("nth") <= max_pages).drop("nth")

    def work(key: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        site = key[0].as_py()
        learnt = batches.learn_site(site, table.select(["html", "url", "charset"]), min_pages=min_pages)
        return pa.Table.from_batches([learnt])

    return pages.groupBy("site").applyInArrow(work, from_arrow_schema(batches.WRAPPERS))


def _by_archive(spark: SparkSession, path: str | Sequence[str], work: Any, schema: pa.Schema) -> DataFrame:
    archives = _archives(path)
    if not archives:
        raise pagemill.InputError(f"no web archive is at {path!r}: it needs files that end in .warc or .warc.gz")

    def of_tasks(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from work(archives[number] for batch in numbers for number in batch.column(0).to_pylist())

    # A range has exactly one number in each partition; dealing out rows would not.
    n_archives = len(archives)
    return spark.range(0, n_archives, 1, n_archives).mapInArrow(of_tasks, from_arrow_schema(schema))


#: How archives are called.
ARCHIVES = (".warc", ".warc.gz")


def _archives(path: str | Sequence[str]) -> list[str]:
    given = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    found: list[str] = []
    for one in map(os.fspath, given):
        if one.startswith(("s3://", "s3a://")):
            # What else is in a folder is no archive; whoever names a file means it.
            objects = pagemill._native._objects(one)
            found += [it for it in objects if it == one or it.lower().endswith(ARCHIVES)]
        elif os.path.isdir(one):
            found += sorted(
                os.path.join(folder, name)
                for folder, _, names in os.walk(one)
                for name in names
                if name.lower().endswith(ARCHIVES)
            )
        else:
            # What is not here may be there for the workers.
            found += sorted(glob.glob(one)) or [one]
    return found


def _check(df: DataFrame, html: str, url: str) -> None:
    if html not in df.columns:
        raise pagemill.ColumnError(
            f"the data frame has no column {html!r}; it has {', '.join(df.columns)}; html=… says which holds the pages"
        )


def _columns(df: DataFrame, html: str, url: str) -> list[str]:
    """What is sent to workers: pages, and what is known of each."""
    return [html, *(name for name in (url, "charset") if name in df.columns and name != html)]


class _broadcast:
    """A text that each worker gets once, and each task asks for."""

    def __init__(self, spark: SparkSession, text: str) -> None:
        # Sessions of Spark Connect have no context; there it travels with the function.
        context = getattr(spark, "_sc", None)
        self._shared = context.broadcast(text) if context is not None else None
        self._text = text if context is None else None

    def __call__(self) -> str:
        return self._shared.value if self._shared is not None else self._text or ""


@lru_cache(maxsize=8)
def _wrapper(text: str) -> pagemill.Wrapper:
    return pagemill.Wrapper.from_json(text)


@lru_cache(maxsize=4)
def _model(text: str) -> pagemill.Model:
    return pagemill.Model.from_json(text)
