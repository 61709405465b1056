"""What all tests share: the corpus, a wrapper, and the command that results are compared with."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pagemill

ROOT = Path(__file__).resolve().parents[2]
DETAIL = "corpus/bookshop/detail/pages"
LIST = "corpus/bookshop/list/pages"


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def wrapper() -> pagemill.Wrapper:
    return pagemill.learn(str(ROOT / DETAIL))


@pytest.fixture(scope="session")
def list_wrapper() -> pagemill.Wrapper:
    return pagemill.learn(str(ROOT / LIST))


Command = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def command() -> Command:
    """Run the command; what it prints as JSON lines is given."""
    binary = os.environ["PAGEMILL_BINARY"]

    def run(*args: object) -> list[dict[str, Any]]:
        ran = subprocess.run([binary, *map(str, args)], cwd=ROOT, capture_output=True, text=True)
        assert ran.returncode in (0, 1, 3), ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]

    return run


def warc(path: Path, pages: list[tuple[str, bytes]], cut: int = 0) -> str:
    """A web archive, perhaps without its last bytes."""
    content = b""
    for url, html in pages:
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(http)}\r\n\r\n"
        content += gzip.compress(head.encode() + http + b"\r\n\r\n")
    path.write_bytes(content[: len(content) - cut])
    return str(path)
