"""Python goes on while the engine works, and Ctrl-C is answered."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import pagemill

from conftest import DETAIL, ROOT


def test_other_threads_go_on(wrapper: pagemill.Wrapper) -> None:
    """While one thread extracts, another gets to count: the lock is not held."""
    ticks: list[float] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    begin = time.monotonic()
    wrapper.extract([DETAIL] * 300)
    end = time.monotonic()
    done.set()
    counting.join()
    during = [tick for tick in ticks if begin < tick < end]
    gaps = [later - sooner for sooner, later in zip(during, during[1:])]
    # With the lock held there would be one gap as long as the work.
    assert len(during) > 20 and max(gaps) < (end - begin) / 2


def interrupted(script: str, after: float) -> tuple[str, float]:
    """What a script says to Ctrl-C, so many seconds after it was ready, and how long that takes."""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        said = process.stdout.readline()
        took = time.monotonic() - asked
        process.kill()
    return said, took


# Pages that never end, in the ways that pages come: learning reads all of them, extraction works on them, a generator makes them.
ENDLESS = {
    "extract": "wrapper.extract(itertools.repeat(page))",
    "stream": "[len(table) for table in wrapper.stream(itertools.repeat(page))]",
    "check": "wrapper.check(itertools.repeat(page))",
    "learn": "pagemill.learn([page] * 200_000)",
    "get": "pagemill.get([f'<h1>{n}</h1><p>{n * n}</p>'.encode() * 3 for n in range(1_000_000)])",
    "regions": "pagemill.regions(itertools.repeat(page))",
    "annotate": "pagemill.annotate('news', itertools.repeat(page))",
    "crawl": "pagemill.crawl(silent(), tempfile.mkdtemp() + '/a.db')",
}


@pytest.mark.parametrize("what", sorted(ENDLESS))
def test_ctrl_c_works_within_a_second(what: str) -> None:
    script = f"""
import itertools, socket, sys, tempfile, pagemill
listening = socket.create_server(("127.0.0.1", 0))
silent = lambda: "http://127.0.0.1:%d/" % listening.getsockname()[1]
page = open({str(ROOT / DETAIL)!r} + "/bread-before-dawn.html", "rb").read()
wrapper = pagemill.learn({str(ROOT / DETAIL)!r})
print("ready", flush=True)
try:
    {ENDLESS[what]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    said, took = interrupted(script, after=0.7)
    assert said == "interrupted\n"
    # A second, and what a busy machine adds.
    assert took < 1.0 + 0.2 * (os.getloadavg()[0] / (os.cpu_count() or 1)), took


# Files that take long to write: none of them is there once it was stopped, not half and not hidden.
WRITING = {
    "csv": "table.save(folder + '/a.csv.gz')",
    "parquet": "table.save(folder + '/a.parquet')",
    "sqlite": "table.save(folder + '/a.db')",
    "network": "network.export(folder + '/a.ttl')",
}


@pytest.mark.parametrize("what", sorted(WRITING))
def test_ctrl_c_stops_what_writes(what: str) -> None:
    script = f"""
import os, tempfile, pagemill
page = open({str(ROOT / DETAIL)!r} + "/bread-before-dawn.html", "rb").read()
wrapper = pagemill.learn({str(ROOT / DETAIL)!r})
folder, made = tempfile.mkdtemp(), tempfile.mkdtemp()
if {what!r} == "network":
    network = pagemill.Network(made + "/n.db", create=True)
    network.define("class Person [ age: int ];")
    network.run(" ".join("Insert Person Nobody Number %d [ age: %d ];" % (n, n) for n in range(20_000)))
else:
    table = wrapper.extract([page] * 40_000)
print("ready", flush=True)
try:
    {WRITING[what]}
except KeyboardInterrupt:
    print("interrupted", os.listdir(folder), flush=True)
"""
    said, _ = interrupted(script, after=0.2)
    assert said == "interrupted []\n"


def test_many_threads_at_once(wrapper: pagemill.Wrapper) -> None:
    expected = [dict(record) for record in wrapper.extract(DETAIL)]
    found: list[bool] = []

    def work() -> None:
        found.append([dict(record) for record in wrapper.extract(DETAIL, threads=1)] == expected)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 6


def test_the_process_ends_though_a_stream_is_left(tmp_path: Path) -> None:
    script = f"""
import itertools, pagemill
wrapper = pagemill.learn({str(ROOT / DETAIL)!r})
page = b"<h1>Fog</h1>"
stream = wrapper.stream(itertools.repeat(page))
print(len(next(stream)))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, "1024\n"), ran.stderr
