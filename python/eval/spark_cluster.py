"""A Spark master and two workers on this machine, 20,000 pages in web archives, and one worker killed half-way.

    spark_cluster.py BINARY

Every page must come out once and none be lost, with the rows that the command and a plain loop of Python give; also from an object store, a
server that speaks S3. What the cluster costs beyond the loop is told: the work of its Python workers beside the loop's, and the time
before the first page and after the last.
"""

from __future__ import annotations

import gzip
import logging
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import boto3
import psutil
import pyarrow as pa
import pyarrow.parquet as parquet
import pyspark
from moto.server import ThreadedMotoServer
from pyspark.sql import DataFrame, SparkSession

import pagemill
from pagemill import batches
from pagemill import spark as mill

N_ARCHIVES = 80
N_PAGES = 20_000
N_HOSTS = 40


def main() -> None:
    binary = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="pagemill-spark-") as place:
        folder = Path(place)
        archives, sample = make(folder / "archives")
        wrapper = pagemill.learn(sample)
        wrapper.save(folder / "wrapper.json")
        expected = plain_loop(binary, folder, archives, wrapper)
        with ObjectStore(), Cluster(folder / "cluster") as cluster:
            run(cluster, folder, archives, wrapper, expected)
    print("every page once, none lost, and the rows are those of the command and of the loop")


def plain_loop(binary: str, folder: Path, archives: list[str], wrapper: pagemill.Wrapper) -> Expected:
    """One process and one thread, archive by archive; and the command, whose rows must be the same."""
    begin, before = time.monotonic(), cpu()
    table = pa.Table.from_batches(batches.extract_files(archives, wrapper))
    loop = Expected(table, time.monotonic() - begin, cpu() - before)
    rate = N_PAGES / loop.cpu
    print(f"plain loop: {loop.wall:.1f} s, {loop.cpu:.1f} s of CPU; {rate:.0f} pages a second and core, {3600 * rate / 1e6:.2f} million a core-hour")
    command = [binary, "extract", str(folder / "wrapper.json"), *archives, "-o", str(folder / "rows.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode in (0, 3), ran.stderr
    by_command = parquet.read_table(folder / "rows.parquet")
    assert by_command.to_pylist() == table.drop_columns("archive").to_pylist(), "the loop's rows are not the command's"
    return loop


class Expected:
    def __init__(self, table: pa.Table, wall: float, cpu: float) -> None:
        self.table, self.wall, self.cpu = table, wall, cpu
        assert table.num_rows == N_PAGES
        self.rows = ordered(table)


def cpu() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(it.ru_utime + it.ru_stime for it in both)


def ordered(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: (row["archive"], row["page"]))


def run(cluster: Cluster, folder: Path, archives: list[str], wrapper: pagemill.Wrapper, expected: Expected) -> None:
    begin = time.monotonic()
    spark = cluster.session()
    print(f"session: {time.monotonic() - begin:.1f} s until it is there", flush=True)

    took, used = collect(spark, cluster, mill.extract_warc(spark, archives, wrapper), expected)
    print(f"Spark, nothing killed: {took:.1f} s; {used:.1f} s of CPU of its Python workers, {used / expected.cpu:.2f} times the loop's")
    took, used = collect(spark, cluster, mill.extract_warc(spark, archives, wrapper), expected)
    print(f"Spark, once more, warm: {took:.1f} s; {used:.1f} s of CPU, {used / expected.cpu:.2f} times the loop's")

    cluster.job_begins = 0.0
    killing = threading.Thread(target=cluster.kill_half_way, args=(took / 2,))
    killing.start()
    took, _ = collect(spark, cluster, mill.extract_warc(spark, archives, wrapper), expected)
    killing.join()
    assert cluster.killed and 0 < cluster.killed_at < took, "nothing was killed half-way"
    print(f"Spark, a worker and its {cluster.killed} processes killed after {cluster.killed_at:.1f} s: {took:.1f} s", flush=True)

    from_object_store(spark, archives[:8], wrapper, expected)
    others(spark, folder, archives, wrapper, expected)
    spark.stop()


def from_object_store(spark: SparkSession, archives: list[str], wrapper: pagemill.Wrapper, expected: Expected) -> None:
    """The same archives, listed by the driver and read by the workers, over HTTP."""
    client = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"])
    client.create_bucket(Bucket="crawl")
    for archive in archives:
        client.put_object(Bucket="crawl", Key=f"segment/{Path(archive).name}", Body=Path(archive).read_bytes())
    begin = time.monotonic()
    found = mill.extract_warc(spark, "s3://crawl/segment/", wrapper).toArrow()
    took = time.monotonic() - begin
    names = {f"s3://crawl/segment/{Path(archive).name}": archive for archive in archives}
    rows = [{**row, "archive": names[row["archive"]]} for row in found.to_pylist()]
    wanted = [row for row in expected.rows if row["archive"] in archives]
    assert sorted(rows, key=lambda row: (row["archive"], row["page"])) == wanted, "the rows of objects are not those of files"
    assert mill.read_warc(spark, "s3://crawl/segment/*.warc.gz").count() == len(wanted)
    print(f"from an object store: {len(wanted)} pages in {took:.1f} s", flush=True)


class ObjectStore:
    """A server that speaks S3, and an environment that names it."""

    ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}

    def __enter__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        host, port = self.server.get_host_and_port()
        os.environ.update(self.ENVIRONMENT, AWS_ENDPOINT_URL=f"http://{host}:{port}")

    def __exit__(self, *_: object) -> None:
        self.server.stop()


def collect(spark: SparkSession, cluster: Cluster, df: DataFrame, expected: Expected) -> tuple[float, float]:
    """Run a job, and compare its rows."""
    cluster.job_begins = time.monotonic()
    with Workers() as workers:
        begin = time.monotonic()
        table = df.toArrow()
        took = time.monotonic() - begin
    assert table.num_rows == N_PAGES, f"{table.num_rows} rows"
    assert len({(row["archive"], row["page"]) for row in table.select(["archive", "page"]).to_pylist()}) == N_PAGES
    assert ordered(table) == expected.rows, "Spark's rows are not the loop's"
    return took, workers.used


class Workers:
    """How much CPU the Python workers of Spark take, looked at while they live."""

    def __enter__(self) -> Workers:
        self._seen: dict[tuple[int, float], float] = {}
        self._before: dict[tuple[int, float], float] = {}
        self._done = threading.Event()
        self._look(self._before)
        self._looking = threading.Thread(target=self._watch)
        self._looking.start()
        return self

    def _watch(self) -> None:
        while not self._done.wait(0.25):
            self._look(self._seen)

    @staticmethod
    def _look(into: dict[tuple[int, float], float]) -> None:
        for process in psutil.process_iter():
            try:
                if any("pyspark" in part for part in process.cmdline()) and "java" not in process.name():
                    times = process.cpu_times()
                    into[process.pid, process.create_time()] = times.user + times.system
            except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                pass

    def __exit__(self, *_: object) -> None:
        self._look(self._seen)
        self._done.set()
        self._looking.join()
        own = os.getpid()
        self.used = sum(used - self._before.get(key, 0.0) for key, used in self._seen.items() if key[0] != own)


def others(spark: SparkSession, folder: Path, archives: list[str], wrapper: pagemill.Wrapper, expected: Expected) -> None:
    """What else there is: pages as a data frame, records as rows, bad pages, models, wrappers for many sites."""
    few = archives[:4]
    pages = mill.read_warc(spark, few).cache()
    assert pages.count() == N_PAGES // N_ARCHIVES * len(few)
    found = mill.extract(pages, wrapper).toArrow()
    wanted = [row for row in expected.rows if row["archive"] in few]
    by_page = lambda row: row["page"]  # noqa: E731
    assert sorted(found.to_pylist(), key=by_page) == sorted(
        ({name: it for name, it in row.items() if name != "archive"} for row in wanted), key=by_page
    )
    records = mill.extract(pages, wrapper, rows="reviews").count()
    assert records > pages.count()

    broken = spark.createDataFrame(
        [("a", bytearray(b"<p>\xff\0")), ("b", None), (None, bytearray(b"<h1>Fog</h1>"))], "url string, html binary"
    )
    statuses = mill.extract(broken, wrapper).toArrow()["status"].to_pylist()
    assert len(statuses) == 3 and "verified" not in statuses, statuses
    (folder / "none.warc.gz").write_bytes(b"\x1f\x8bnoise")
    bad = mill.extract_warc(spark, str(folder / "none.warc.gz"), wrapper).toArrow().to_pylist()
    assert [row["status"] for row in bad] == ["unreadable"], bad
    try:
        mill.extract(pages.withColumnRenamed("html", "body"), wrapper)
        raise AssertionError("a column is missing")
    except pagemill.ColumnError as error:
        assert "has no column 'html'" in str(error)

    annotated = mill.annotate(pages.limit(50), pagemill.Model.load("news")).toArrow()
    assert annotated.num_rows == 50

    begin = time.monotonic()
    learnt = mill.learn_sites(mill.read_warc(spark, archives), max_pages=40).toArrow().to_pylist()
    took = time.monotonic() - begin
    assert sorted(row["site"] for row in learnt) == sorted(f"site{n}.example" for n in range(N_HOSTS)), learnt
    assert all(row["verified"] >= 0.9 * row["pages"] == 36.0 for row in learnt), [(r["site"], r["pages"], r["verified"]) for r in learnt]
    again = pagemill.Wrapper.from_json(learnt[0]["wrapper"])
    assert again.extract(few[0]).columns
    print(f"learn_sites: {len(learnt)} wrappers of as many sites, {N_PAGES} pages looked at, in {took:.1f} s")


class Cluster:
    """A standalone master and two workers of one core each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.killed = 0
        self.killed_at = 0.0
        self.job_begins = 0.0

    def __enter__(self) -> Cluster:
        self.folder.mkdir()
        self.start("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")
        for n in range(2):
            work = str(self.folder / f"worker-{n}")
            self.start(
                "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "2g",
                "--webui-port", "0", "--work-dir", work, f"spark://127.0.0.1:{self.port}",
            )  # fmt: skip
        return self

    def start(self, *args: str) -> None:
        home = Path(pyspark.__file__).parent
        log = open(self.folder / f"log-{len(self.processes)}.txt", "wb")
        env = {**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        # In groups of their own, so that a worker can be killed with all it has started.
        process = subprocess.Popen(
            [str(home / "bin/spark-class"), *args], stdout=log, stderr=log, env=env, start_new_session=True
        )
        self.processes.append(process)

    def session(self) -> SparkSession:
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
        builder = SparkSession.builder.master(f"spark://127.0.0.1:{self.port}").appName("pagemill")
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.executor.memory": "1g",
            "spark.executor.cores": "1",
            "spark.cores.max": "2",
            "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            **{f"spark.executorEnv.{name}": os.environ[name] for name in (*ObjectStore.ENVIRONMENT, "AWS_ENDPOINT_URL")},
            "spark.network.timeout": "60s",
            "spark.executor.heartbeatInterval": "5s",
            "spark.sql.shuffle.partitions": "4",
            "spark.driver.maxResultSize": "2g",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()

    def kill_half_way(self, after: float) -> None:
        while time.monotonic() < self.job_begins + after or not self.job_begins:
            time.sleep(0.05)
        worker = psutil.Process(self.processes[-1].pid)
        doomed = [*worker.children(recursive=True), worker]
        # An executor that works has children: the Python it asks.
        for process in doomed:
            try:
                process.send_signal(signal.SIGKILL)
                self.killed += 1
            except psutil.NoSuchProcess:
                pass
        self.killed_at = time.monotonic() - self.job_begins

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def make(folder: Path) -> tuple[list[str], list[bytes]]:
    """Pages of shops that run the same program, dealt to archives; by a seed."""
    chance = random.Random(20)
    words = [f"word{n}" for n in range(500)]
    text = lambda n: " ".join(chance.choices(words, k=n))  # noqa: E731

    def page(host: int) -> bytes:
        reviews = "".join(
            f"<li class=review><b>{text(2)}</b><p>{text(30)}</p><i>{chance.randint(1, 5)} stars</i></li>"
            for _ in range(chance.randint(0, 12))
        )
        menu = "".join(f"<li><a href=/c/{n}>Category {n}</a></li>" for n in range(60))
        return (
            f"<html><head><title>{text(4)}</title></head><body><p class=shop>Shop {host}</p><ul class=menu>{menu}</ul>"
            f"<h1>{text(4)}</h1><p class=price>${chance.randint(1, 99)}.99</p><div class=text><p>{text(120)}</p></div>"
            f"<table><tr><th>ISBN</th><td>{chance.randint(10**9, 10**10)}</td></tr><tr><th>Pages</th>"
            f"<td>{chance.randint(50, 900)}</td></tr></table><ul class=reviews>{reviews}</ul></body></html>"
        ).encode()

    folder.mkdir()
    sample: list[bytes] = []
    paths = []
    for archive in range(N_ARCHIVES):
        path = folder / f"{archive:03}.warc.gz"
        with open(path, "wb") as out:
            for at in range(archive, N_PAGES, N_ARCHIVES):
                html = page(at % N_HOSTS)
                if at < 100:
                    sample.append(html)
                http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
                head = (
                    f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://site{at % N_HOSTS}.example/{at}\r\n"
                    f"Content-Length: {len(http)}\r\n\r\n"
                )
                out.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6))
        paths.append(str(path))
    return paths, sample


if __name__ == "__main__":
    main()
