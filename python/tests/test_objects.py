"""Archives in object stores: a server that speaks S3, on this machine, which also breaks off, refuses and is not there."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import boto3
import pyarrow as pa
import pytest
from moto.server import ThreadedMotoServer

import pagemill
from pagemill import batches

from conftest import DETAIL, warc


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server with a bucket: two archives in a folder, a page, and what is neither."""
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    yield f"http://{host}:{port}"
    moto.stop()


@pytest.fixture(scope="module")
def bucket(server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    client = boto3.client(
        "s3", endpoint_url=server, aws_access_key_id="a", aws_secret_access_key="b", region_name="us-east-1"
    )
    client.create_bucket(Bucket="crawl")

    def put(key: str, body: bytes) -> None:
        client.put_object(Bucket="crawl", Key=key, Body=body)

    folder = tmp_path_factory.mktemp("archives")
    for name, part in [("a", books()[:12]), ("b", books()[12:])]:
        archive = warc(folder / f"{name}.warc.gz", part)
        put(f"segment/{name}.warc.gz", Path(archive).read_bytes())
    put("segment/notes.txt", b"nothing to see")
    put("page.html", books()[0][1])
    put("empty.html", b"")
    put("site.db", b"SQLite format 3\0" + bytes(200))
    put("long.warc.gz", long_archive(folder))
    return server


@pytest.fixture(autouse=True)
def environment(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ENDPOINT_URL": bucket, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)


def books() -> list[tuple[str, bytes]]:
    return [(f"https://shop.example/{page.id.rsplit('/', 1)[1]}", page.html) for page in pagemill.Pages(DETAIL)]


N_LONG = 60
#: So many bytes are asked for at a time.
PART = 4 << 20


def long_archive(folder: Path) -> bytes:
    """More than is fetched at a time: pages that do not pack well."""
    noise = "".join(f"{n * 2654435761 % 4294967296:08x}" for n in range(60_000))
    pages = [(f"https://long.example/{n}", f"<h1>{n}</h1><p>{noise[n:]}{noise[: n * 7]}</p>".encode()) for n in range(N_LONG)]
    content = Path(warc(folder / "long.warc.gz", pages)).read_bytes()
    is_long = len(content) > 3 * PART
    assert is_long
    return content


def test_an_object_is_read_as_a_file_is(wrapper: pagemill.Wrapper) -> None:
    found = wrapper.extract("s3://crawl/segment/a.warc.gz")
    assert [record.page for record in found] == [url for url, _ in books()[:12]]
    assert {record.status for record in found} == {"verified"}
    assert wrapper.extract("s3a://crawl/page.html")[0].page == "s3a://crawl/page.html"
    assert [len(page.html) for page in pagemill.Pages("s3://crawl/empty.html")] == [0]


def test_folders_and_patterns(wrapper: pagemill.Wrapper) -> None:
    for several in ["s3://crawl/segment/", "s3://crawl/segment/*.warc.gz", "s3://crawl/*/?.warc.gz"]:
        assert [record.page for record in wrapper.extract(several)] == [url for url, _ in books()]
    for nothing, why in [("s3://crawl/none/", "no pages in folder"), ("s3://crawl/none*", "no file matches")]:
        with pytest.raises(pagemill.InputError, match=why):
            wrapper.extract(nothing)


def test_batches_take_objects(wrapper: pagemill.Wrapper) -> None:
    archives = ["s3://crawl/segment/a.warc.gz", "s3://crawl/segment/b.warc.gz"]
    found = pa.Table.from_batches(batches.extract_files(archives, wrapper))
    assert found["archive"].to_pylist() == [archives[0]] * 12 + [archives[1]] * 8
    assert pa.Table.from_batches(batches.read_files(archives))["html"].to_pylist() == [html for _, html in books()]
    assert pagemill._native._objects("s3://crawl/segment/") == archives
    missing = pa.Table.from_batches(batches.extract_files(["s3://crawl/none.warc.gz"], wrapper))
    assert missing["status"].to_pylist() == [batches.UNREADABLE]


@pytest.mark.parametrize(
    "address, why",
    [
        ("s3://crawl/none.warc.gz", 'cannot read "s3://crawl/none.warc.gz": no such object or bucket'),
        ("s3://no-such-bucket/none.warc.gz", "no such object or bucket"),
        ("s3:///none.warc.gz", "it names no bucket"),
        ("s3://crawl/site.db", "the store of a crawl is read from a file: copy it first"),
    ],
)
def test_what_is_not_there_is_told(address: str, why: str, wrapper: pagemill.Wrapper) -> None:
    with pytest.raises(pagemill.InputError, match=why):
        wrapper.extract(address)


def test_a_server_that_is_not_there(wrapper: pagemill.Wrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(pagemill.InputError, match="(?i)connection refused"):
        wrapper.extract("s3://crawl/page.html")


class Unreliable(BaseHTTPRequestHandler):
    """Stands before the server: the first answer for each part breaks off in its middle."""

    behind: ClassVar[str]
    refuses: ClassVar[bool]
    asked: ClassVar[list[str]]

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "all")
        request = urllib.request.Request(self.behind + self.path, headers=dict(self.headers))
        if self.refuses:
            self.send_error(403)
            return
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("connection", "transfer-encoding", "date", "server"):
                    self.send_header(name, value)
            self.end_headers()
            start = int(asked.removeprefix("bytes=").split("-")[0])
            breaks = start % PART == 0 and asked not in self.asked
            self.asked.append(asked)
            self.wfile.write(body[: len(body) // 2] if breaks else body)
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def unreliable(bucket: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Unreliable]]:
    class Handler(Unreliable):
        behind = bucket
        refuses = False
        asked = []

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{http.server_address[1]}")
        yield Handler
        http.shutdown()


def test_what_breaks_off_is_resumed(unreliable: type[Unreliable]) -> None:
    pages = list(pagemill.Pages("s3://crawl/long.warc.gz"))
    assert [page.url for page in pages] == [f"https://long.example/{n}" for n in range(N_LONG)]
    # In parts, each of which broke off and was asked for again, from where it did.
    parts = [tuple(map(int, asked.removeprefix("bytes=").split("-"))) for asked in unreliable.asked]
    assert all(end - start < PART for start, end in parts)
    whole = [start for start, _ in parts if start % PART == 0]
    resumed = [start for start, _ in parts if start % PART]
    assert len(whole) == len(resumed) >= 4 and [start // PART for start in resumed] == list(range(len(whole)))


def test_a_server_that_refuses(unreliable: type[Unreliable], wrapper: pagemill.Wrapper) -> None:
    unreliable.refuses = True
    with pytest.raises(pagemill.InputError, match="the server refuses it: AWS_ACCESS_KEY_ID"):
        wrapper.extract("s3://crawl/page.html")


def test_little_is_held_of_a_long_object() -> None:
    pages = iter(pagemill.Pages("s3://crawl/long.warc.gz"))
    assert next(pages).url == "https://long.example/0"
    # The others are left where they are; what was under way is given up.
    del pages
