"""The stubs say what the module has, and our own code and examples fit them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

USES = """
import pagemill

wrapper = pagemill.learn("shop/", names={"price": "19.99"})
for record in wrapper.extract(["a.html", b"<h1>Fog</h1>"]):
    reveal_type(record)
    reveal_type(record.why("price"))
pagemill.get(3)
wrapper.extract("a", threads="2")
"""


def mypy(folder: Path, *args: str) -> tuple[int, str]:
    env = {**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]}
    ran = subprocess.run([sys.executable, "-m", *args], cwd=folder, capture_output=True, text=True, env=env)
    return ran.returncode, ran.stdout + ran.stderr


def test_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.txt"
    # Constructors of Rust are `__new__`, and classes of it cannot be made without one.
    allowed.write_text("pagemill\\.(scrapy|spark|batches).*\n")
    code, said = mypy(tmp_path, "mypy.stubtest", "pagemill._native", "--allowlist", str(allowed), "--ignore-unused-allowlist")
    assert code == 0, said


def test_users_are_told_of_wrong_types(tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text(USES)
    code, said = mypy(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "uses.py")
    assert code == 1
    assert 'note: Revealed type is "pagemill._record.Record"' in said, said
    assert "list[dict[str, Any]]" in said
    assert 'Argument 1 to "get" has incompatible type "int"' in said, said
    assert 'Argument "threads" to "extract"' in said, said
    assert said.count("error:") == 2, said


def test_the_package_is_typed_strictly(tmp_path: Path) -> None:
    package = ROOT / "python/pagemill"
    files = [str(file) for file in sorted(package.glob("*.py")) if file.name != "spark.py"]
    strict = ["--strict", "--ignore-missing-imports", "--disable-error-code=no-any-return"]
    code, said = mypy(tmp_path, "mypy", *strict, "--cache-dir", str(tmp_path / "cache"), *files)
    assert code == 0, said
