"""Pages in, data out: give Pagemill some pages of a site, and it finds out by itself what data is on them.

>>> import pagemill
>>> books, lists, *others = pagemill.get("corpus/bookshop")
>>> lists.records()[0]["price"]
'£6.99'

`get` does everything at once. `learn` keeps what was learnt as a `Wrapper`, which extracts other pages and says whether they fit.
`train` and `annotate` are for sites that were never seen, `regions` for single pages, `crawl` fetches sites, and a
`Network` has one object for each thing that pages speak of.

Pages are paths (files, folders, patterns, web archives, stores of crawls), bytes, `Page`s, any iterable of these, or a table with
columns `html` and `url`. All results speak Arrow.
"""

from pagemill._native import (
    Answers,
    Model,
    Network,
    Page,
    Pages,
    Stream,
    Table,
    Wrapper,
    annotate,
    crawl,
    get,
    learn,
    regions,
    train,
    version,
)
from pagemill._record import Record
from pagemill._results import Change, Column, Crawled, Repaired, Report
from pagemill.errors import (
    ColumnError,
    FieldError,
    FormatError,
    InputError,
    InternalError,
    LearnError,
    PagemillError,
    QueryError,
    StoreError,
    UnreadableWarning,
)

__version__ = version()

__all__ = [
    "Answers",
    "Change",
    "Column",
    "ColumnError",
    "Crawled",
    "FieldError",
    "FormatError",
    "InputError",
    "InternalError",
    "LearnError",
    "Model",
    "Network",
    "Page",
    "Pages",
    "PagemillError",
    "QueryError",
    "Record",
    "Repaired",
    "Report",
    "Stream",
    "StoreError",
    "Table",
    "UnreadableWarning",
    "Wrapper",
    "annotate",
    "crawl",
    "get",
    "learn",
    "regions",
    "train",
    "version",
]
