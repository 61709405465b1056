"""Scrapy spiders that need no selectors.

A spider of a few lines yields verified items:

    import scrapy
    from pagemill.scrapy import WrapperMixin

    class Books(WrapperMixin, scrapy.Spider):
        name = "books"
        start_urls = ["https://shop.example/"]
        wrapper = "books.json"                      # pagemill learn shop/ -o books.json

        def parse(self, response):
            yield from self.items(response)
            yield from response.follow_all(css="a", callback=self.parse)

Pages of something else give no items. Scrapy's stats count what pages were: `pagemill/verified`, `pagemill/partial` and
`pagemill/failed`; watch these, and `Wrapper.check` and `Wrapper.repair` when they change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar

import pagemill

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


class WrapperMixin:
    """What a spider needs to extract by a wrapper. Put it before `scrapy.Spider` among the bases."""

    #: The wrapper, or the file it is in.
    wrapper: ClassVar[pagemill.Wrapper | str | PathLike[str]]

    #: Which pages give items. With "partial" among them, items come with the problems of their page.
    accept: ClassVar[Sequence[str]] = ("verified",)

    #: What an item is: "pages", "records", or the name of a set.
    rows: ClassVar[str] = "pages"

    _loaded: pagemill.Wrapper | None = None

    def items(self, response: Any) -> Iterator[dict[str, Any]]:
        """The items of a response: plain dicts, with the URL of their page as `url` unless the data has one."""
        if not hasattr(response, "text"):
            return  # An image or another file: no page.
        page = pagemill.Page(response.body, url=response.url, charset=_charset(response))
        table = self._wrapper().extract(page, threads=1)
        record = table[0]
        self._count(record.status)
        if record.status not in self.accept:
            self._tell(response.url, record)
            return
        rows = table if self.rows == "pages" else table.records(None if self.rows == "records" else self.rows)
        for row in rows:
            if not row:
                continue  # A page without records.
            item = {"url": response.url, **row}
            if record.status != "verified":
                item["problems"] = record.problems
            yield item

    def _wrapper(self) -> pagemill.Wrapper:
        if self._loaded is None:
            given = self.wrapper
            self._loaded = given if isinstance(given, pagemill.Wrapper) else pagemill.Wrapper.load(given)
        return self._loaded

    def _count(self, status: str) -> None:
        crawler = getattr(self, "crawler", None)
        if crawler is not None and crawler.stats is not None:
            crawler.stats.inc_value(f"pagemill/{status}")

    def _tell(self, url: str, record: pagemill.Record) -> None:
        logger = getattr(self, "logger", None)
        if logger is not None:
            # A page of something else is what most pages of a crawl are.
            level = logger.info if record.status == "partial" else logger.debug
            level("%s is %s: %s", url, record.status, "; ".join(record.problems[:3]))


def _charset(response: Any) -> str | None:
    """The encoding that HTTP named. What Scrapy guesses from the body the engine finds better, as browsers do."""
    header = response.headers.get("Content-Type") or b""
    found = _CHARSET.search(header.decode("latin-1"))
    if found is None:
        return None
    try:
        pagemill.Page(b"", charset=found.group(1))
    except ValueError:
        return None
    return found.group(1)
