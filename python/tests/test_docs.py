"""Every example in a docstring, in the README and in the guides runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import pagemill
import pagemill._results
import pagemill.batches
import pagemill.scrapy

from conftest import ROOT


def documented() -> dict[str, str]:
    found: dict[str, str] = {}

    def look(name: str, thing: Any) -> None:
        doc = inspect.getdoc(thing)
        if doc and ">>>" in doc:
            found[name] = doc

    for module in [pagemill, pagemill._results, pagemill.batches, pagemill.scrapy]:
        look(module.__name__, module)
        for name, thing in vars(module).items():
            if name.startswith("_") or inspect.ismodule(thing):
                continue
            look(f"{module.__name__}.{name}", thing)
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    look(f"{module.__name__}.{name}.{member}", value)
    return found


DOCUMENTED = documented()


def test_much_is_documented() -> None:
    assert len(DOCUMENTED) >= 14, sorted(DOCUMENTED)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(DOCUMENTED[name], {}, name, None, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_everything_public_has_a_docstring() -> None:
    for name in pagemill.__all__:
        assert inspect.getdoc(getattr(pagemill, name)), name


def blocks(path: str) -> list[str]:
    text = Path(ROOT / path).read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("path", ["README.md", "docs/python.md", "docs/scale.md", "python/README.md"])
def test_the_guides_are_true(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(path)
    assert found, "no example"
    # Files that examples write go elsewhere; what they read is found by a link.
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "guide"}
    for block in found:
        # Clusters are tried by `cargo xtask eval spark`, spiders in their own test.
        if re.search(r"\b(pyspark|scrapy|mill\.)", block):
            compile(block, path, "exec")
        else:
            exec(compile(block, path, "exec"), names)
