"""What extraction through Python costs beside the command, and what it costs other threads of Python.

    extract.py BINARY [SITES]

Ten thousand pages, in web archives: of sites with many pages, where there are any, else made. The command extracts them to Parquet; Python
extracts the same archives to an Arrow table, and then the same pages from an Arrow table in memory. CPU time is compared, because other
programs on the machine do not change it much; each is the least of some runs. Then a second thread counts while the first extracts,
beside how fast it counts while the command does.

Fails where Python takes more than 1.15 times the command's time, or the thread keeps less than 90 % of its speed.
"""

from __future__ import annotations

import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

import pagemill

N_PAGES = 10_000
N_RUNS = 3
MAX_RATIO = 1.15
MIN_SPEED = 0.90


def main() -> int:
    binary = sys.argv[1]
    sites = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(prefix="pagemill-bench-") as place:
        folder = Path(place)
        sample, pages = real(sites) if sites else made()
        wrapper = pagemill.learn(sample)
        wrapper.save(folder / "wrapper.json")
        archives = folder / "archives"
        n_bytes = archive(archives, pages)
        print(f"{N_PAGES} pages, {n_bytes / 1e6:.0f} MB, in web archives; {os.cpu_count()} cores", flush=True)
        return measure(binary, folder, archives, wrapper)


def measure(binary: str, folder: Path, archives: Path, wrapper: pagemill.Wrapper) -> int:
    command = [binary, "extract", str(folder / "wrapper.json"), str(archives), "-o", str(folder / "rows.parquet")]

    def by_command() -> None:
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode in (0, 3), ran.stderr

    def by_python() -> pa.Table:
        return pa.table(wrapper.extract(str(archives)))

    table = pa.table(pagemill.Pages(str(archives)))

    def by_arrow() -> pa.Table:
        return pa.table(wrapper.extract(table))

    of_command = least(by_command)
    of_python = least(by_python)
    of_arrow = least(by_arrow)
    print(f"command, archives to Parquet:       {of_command:6.2f} s of CPU, {1e6 * of_command / N_PAGES:5.0f} µs a page")
    print(f"Python, archives to Arrow:          {of_python:6.2f} s, {of_python / of_command:.2f} times the command's")
    print(f"Python, Arrow to Arrow:             {of_arrow:6.2f} s, {of_arrow / of_command:.2f} times the command's")
    speed = speed_meanwhile(wrapper, archives, [*command, "--threads", "1"])
    print(f"another thread of Python meanwhile: {100 * speed:.0f} % of its speed")
    failed = [it for it in (of_python, of_arrow) if it > MAX_RATIO * of_command]
    if failed:
        print(f"Python takes more than {MAX_RATIO} times what the command takes")
    if speed < MIN_SPEED:
        print(f"another thread keeps less than {100 * MIN_SPEED:.0f} % of its speed")
    return 1 if failed or speed < MIN_SPEED else 0


def least(work: Callable[[], object]) -> float:
    return min(cpu(work) for _ in range(N_RUNS))


def cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU of this process and those it ran."""
    before = used()
    work()
    return used() - before


def used() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(it.ru_utime + it.ru_stime for it in both)


def speed_meanwhile(wrapper: pagemill.Wrapper, archives: Path, command: list[str]) -> float:
    """How fast another thread counts while one extracts, beside how fast it counts while the command does the same work.

    So both have the same company on the machine, and what differs is what Python's lock costs. By pairs, because the machine is now
    faster and now slower; the median counts.
    """
    shares = []
    for _ in range(7):
        beside_command = rate(lambda: subprocess.run(command, capture_output=True))
        shares.append(rate(lambda: wrapper.extract(str(archives), threads=1)) / beside_command)
    return sorted(shares)[len(shares) // 2]


def rate(work: Callable[[], object]) -> float:
    """Turns of a loop of Python a second."""
    done = threading.Event()
    turns = [0, 0.0]

    def count() -> None:
        begin, n = time.perf_counter(), 0
        while not done.is_set():
            for _ in range(20_000):
                n += 1
        turns[:] = [n, time.perf_counter() - begin]

    counting = threading.Thread(target=count)
    counting.start()
    work()
    done.set()
    counting.join()
    return turns[0] / turns[1]


def real(sites: Path) -> tuple[list[str], list[bytes]]:
    """The pages of the site with the most, as often as it takes; and some to learn from."""
    folders = [folder for folder in sorted(sites.iterdir()) if folder.is_dir()]
    found = [(sorted(folder.rglob("*.htm*")), folder) for folder in folders]
    pages, folder = max(found, key=lambda it: len(it[0]))
    print(f"pages of {folder.name}: {len(pages)}, each several times")
    contents = [page.read_bytes() for page in pages]
    return [str(page) for page in pages[:100]], [contents[at % len(contents)] for at in range(N_PAGES)]


def made() -> tuple[list[bytes], list[bytes]]:
    """Pages like those of a shop, by a seed."""
    chance = random.Random(10)
    words = [f"word{n}" for n in range(500)]
    text = lambda n: " ".join(chance.choices(words, k=n))  # noqa: E731

    def page() -> bytes:
        reviews = "".join(
            f"<li class=review><b>{text(2)}</b><p>{text(30)}</p><i>{chance.randint(1, 5)} stars</i></li>"
            for _ in range(chance.randint(0, 20))
        )
        menu = "".join(f"<li><a href=/c/{n}>Category {n}</a></li>" for n in range(60))
        return (
            f"<html><head><title>{text(4)}</title></head><body><ul class=menu>{menu}</ul><h1>{text(4)}</h1>"
            f"<p class=price>${chance.randint(1, 99)}.99</p><div class=text><p>{text(120)}</p></div>"
            f"<table><tr><th>ISBN</th><td>{chance.randint(10**9, 10**10)}</td></tr><tr><th>Pages</th>"
            f"<td>{chance.randint(50, 900)}</td></tr></table><ul class=reviews>{reviews}</ul></body></html>"
        ).encode()

    pages = [page() for _ in range(N_PAGES)]
    return pages[:100], pages


def archive(folder: Path, pages: list[bytes], per_archive: int = 1000) -> int:
    folder.mkdir()
    for first in range(0, len(pages), per_archive):
        with open(folder / f"{first:06}.warc.gz", "wb") as out:
            for at, html in enumerate(pages[first : first + per_archive], first):
                http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
                head = (
                    "WARC/1.0\r\nWARC-Type: response\r\n"
                    f"WARC-Target-URI: https://site.example/{at}\r\nContent-Length: {len(http)}\r\n\r\n"
                )
                out.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6))
    return sum(map(len, pages))


if __name__ == "__main__":
    sys.exit(main())
