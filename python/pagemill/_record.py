"""Rows of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagemill._native import Table


class Record(dict[str, Any]):
    """The data of a page, or of a record on it: a plain dict, of texts and of lists of dicts.

    >>> import pagemill
    >>> wrapper = pagemill.learn("corpus/bookshop/detail/pages")
    >>> record = wrapper.extract("corpus/bookshop/detail/pages")[0]
    >>> record["title"]
    'A Ledger of Small Weathers by Hespera Lindqvale'
    >>> record.status, record.problems
    ('verified', [])
    >>> why = record.why("title")[0]
    >>> why["value"], why["at"]["line"], why["sources"][0]["xpath"]
    ('A Ledger of Small Weathers by Hespera Lindqvale', 6, '/html/head/title/text()')
    """

    __slots__ = ("page", "status", "problems", "warnings", "_table", "_at")

    #: What its page is called: a path or a URL.
    page: str
    #: "verified", "partial" or "failed".
    status: str
    #: What does not fit, in words.
    problems: list[str]
    #: What fits and looks otherwise than anything that was learnt from, in words.
    warnings: list[str]

    def __init__(
        self,
        data: dict[str, Any],
        page: str,
        status: str,
        problems: list[str],
        warnings: list[str],
        table: Table,
        at: int,
    ) -> None:
        super().__init__(data)
        self.page = page
        self.status = status
        self.problems = problems
        self.warnings = warnings
        self._table = table
        self._at = at

    def why(self, field: str | None = None) -> list[dict[str, Any]]:
        """Where values were read, down to line and bytes, why there, and which other places lost.

        A dict for each value of `field`, such as "price" or "reviews[3].name"; or, if it is not there, where it would be. Without
        a field, one dict for the page. The page is read again; if it came from an iterator or a table, ask `Wrapper.why`.
        """
        return self._table._why(self._at, field)

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        # What leaves the process is plain data.
        return (dict, (dict(self),))
