"""Crawls and networks."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import polars
import pyarrow as pa
import pytest

import pagemill

from conftest import ROOT, warc


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The corpus over HTTP."""
    handler = functools.partial(Quiet, directory=str(ROOT / "corpus/bookshop"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_site_is_crawled_and_gone_on_with(site: str, tmp_path: Path) -> None:
    store = tmp_path / "site.db"
    seed = f"{site}/list/pages/crime-mystery.html"
    first = pagemill.crawl(seed, store, gap=0.0, max_pages=6, scope="host")
    assert 0 < first.pages == first.new_pages <= 6 and first.waiting > 0 and first.network is None
    second = pagemill.crawl(seed, store, gap=0.0, per_host=4)
    assert second.pages == first.pages + second.new_pages >= 26 and second.waiting == 0
    assert any("404" in reason for reason in second.failures)
    tables = pagemill.get(store)
    assert [len(table) for table in tables][:2] == [20, 5]
    assert all(page.url and page.url.startswith(site) for page in pagemill.Pages(store))


def test_a_network_is_made_of_a_university(tmp_path: Path) -> None:
    home = "https://aldermoor.example/"
    site = ROOT / "corpus/university/site"
    pages = [(f"{home}{page.relative_to(site)}".removesuffix("index.html"), page.read_bytes()) for page in site.rglob("*.html")]
    archive = warc(tmp_path / "site.warc.gz", sorted(pages))
    crawled = pagemill.crawl(home, tmp_path / "u.db", plan="university", replay=archive)
    assert crawled.pages > 5 and crawled.network is not None
    assert crawled.network["units"] > 0 and crawled.network["people"] > 0
    with pagemill.Network(tmp_path / "u.db") as network:
        answers = network.query()
        assert isinstance(answers, pagemill.Answers)
        counts = {row["class"]: row["count(object)"] for row in (answers[at] for at in range(len(answers)))}
        assert counts["Person"] > 0
        table = pa.table(answers)
        assert table.schema.field("count(object)").type == pa.int64()
        assert polars.DataFrame(answers).height == len(answers)
        assert answers.to_pandas().shape == (len(answers), 2)
        person = network.query("query Person $p construct $p limit 1")
        assert isinstance(person, pagemill.Answers)
        shown = network.show(person[0]["p"])
        assert shown[0]["class"] == "Person" and shown[0]["seen"]["sources"]
        network.export(tmp_path / "u.jsonl")
        assert all(json.loads(line) for line in (tmp_path / "u.jsonl").read_text().splitlines())
        network.draw(tmp_path / "u.svg")
        assert (tmp_path / "u.svg").read_text().startswith("<svg")
        again = network.gather("university", tmp_path / "u.db")
        assert again["people"] == crawled.network["people"]
        assert isinstance(network.doubts(), list)
        assert "SELECT" in network.explain("query Person $p construct $p")


def test_objects_are_joined_and_split(tmp_path: Path) -> None:
    with pagemill.Network(str(tmp_path / "n.db"), create=True) as network:
        network.define("class Person [ email: string* ];")
        assert network.run("Insert Person Ann Lee [ email: 'a@example.org' ]; Insert Person A. Lee;") > 0
        doubt = network.join("Ann Lee", "A. Lee")
        assert len(network.query("query Person $p construct $p")) == 1  # type: ignore[arg-type]
        network.split(doubt)
        assert len(network.query("query Person $p construct $p")) == 2  # type: ignore[arg-type]
        assert network.store.endswith("n.db")
