"""A spider of a few lines, run by Scrapy against a site on this machine."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import threading
from pathlib import Path

import pagemill

from conftest import DETAIL, ROOT

SPIDER = """
import scrapy
from pagemill.scrapy import WrapperMixin

class Books(WrapperMixin, scrapy.Spider):
    name = "books"
    start_urls = ["{site}/list/pages/crime-mystery.html"]
    wrapper = "books.json"

    def parse(self, response):
        yield from self.items(response)
        yield from response.follow_all(css="a[href$=html]", callback=self.parse)
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def crawl(folder: Path, spider: str) -> tuple[list[dict[str, object]], str]:
    (folder / "spider.py").write_text(spider)
    scrapy = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl", "-s", "LOG_LEVEL=INFO"]
    ran = subprocess.run(scrapy, cwd=folder, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()], ran.stderr


def test_a_spider_yields_verified_items(wrapper: pagemill.Wrapper, list_wrapper: pagemill.Wrapper, tmp_path: Path) -> None:
    wrapper.save(tmp_path / "books.json")
    list_wrapper.save(tmp_path / "lists.json")
    handler = functools.partial(Quiet, directory=str(ROOT / "corpus/bookshop"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        assert SPIDER.count("\n") < 14
        items, log = crawl(tmp_path, SPIDER.format(site=site))
        # Each book that is linked, once, with the data that its file gives.
        titles = {item["url"]: item["title"] for item in items}
        assert len(titles) == len(items) >= 10
        for url, title in titles.items():
            name = str(url).rsplit("/", 1)[1]
            assert wrapper.extract(f"{DETAIL}/{name}")[0]["title"] == title
        assert f"'pagemill/verified': {len(items)}" in log
        assert "'pagemill/failed': " in log

        rows = "    rows = 'book_items'\n    wrapper = 'lists.json'"
        records, _ = crawl(tmp_path, SPIDER.format(site=site).replace('    wrapper = "books.json"', rows))
        server.shutdown()
    # The first page is asked for twice, as Scrapy does with those it starts with.
    assert len({(record["url"], record["title"]) for record in records}) == 70
    assert all(record["price"] for record in records)
