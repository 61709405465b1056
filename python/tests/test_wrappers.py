"""What is done with wrappers beside extracting."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import pagemill

from conftest import DETAIL, LIST


def shop(n_pages: int, css: str = "price", old: bool = True) -> list[bytes]:
    """Pages of a shop; with another class, or another layout, its site has changed."""

    def page(n: int) -> bytes:
        price = f"<b class={css}>${n + 5}.99</b>" if old else f"<div><span class=sum>${n + 5}.99</span></div>"
        return (
            f"<html><head><title>Thing {n * 7}</title></head><body><h1>Thing {n * 7}</h1>"
            f"<p class=text>It is the {n}th of {n_pages * 3} things, and costs little.</p>{price}"
            f"<p>Weight: <i>{n * 3 + 2} g</i></p></body></html>"
        ).encode()

    return [page(n) for n in range(n_pages)]


def test_columns_are_listed_and_changed(tmp_path: Path) -> None:
    wrapper = pagemill.learn(shop(12), names={"cost": ["$7.99", "$8.99"]})
    columns = {column.path: column for column in wrapper.columns()}
    assert columns["cost"].type == "money" and columns["cost"].share == 1.0
    wrapper.rename("cost", "price")
    wrapper.drop("text")
    record = wrapper.extract(shop(1))[0]
    assert record["price"] == "$5.99" and "text" not in record
    assert wrapper.undo() and "text" in wrapper.extract(shop(1))[0]
    wrapper.set_type("price", "string")
    with pytest.raises(pagemill.FieldError, match="types are"):
        wrapper.set_type("price", "banana")
    wrapper.save(tmp_path / "shop.json")
    again = pagemill.Wrapper.load(tmp_path / "shop.json")
    assert again.to_json() == wrapper.to_json()
    assert pickle.loads(pickle.dumps(wrapper)).to_json() == wrapper.to_json()


def test_names_that_are_on_no_page() -> None:
    with pytest.raises(pagemill.LearnError, match='cannot name "cost"'):
        pagemill.learn(shop(12), names={"cost": "nowhere at all"})


def test_drift_is_noticed_and_repaired() -> None:
    wrapper = pagemill.learn(shop(15))
    assert not wrapper.check(shop(15)).is_drift
    report = wrapper.check(shop(15, old=False))
    assert report.is_drift and report.reasons and report.n_pages == 15
    repaired = wrapper.repair(shop(15, old=False))
    assert not repaired.is_unchanged and repaired.n_fit == 15
    assert {change.path for change in repaired.changes} >= {"price"}
    assert repaired.wrapper.extract(shop(2, old=False))[1]["price"] == "$6.99"
    # The old one stays as it is.
    assert wrapper.extract(shop(1))[0].status == "verified"


def test_many_pages_are_learnt_from_few() -> None:
    wrapper = pagemill.learn(shop(120))
    assert wrapper.check(shop(120)).n_verified == 120
    tables = pagemill.get(shop(120) + [page for page in pagemill.Pages(LIST)])
    assert [len(table) for table in tables] == [120, 5]
    assert all(table.wrapper for table in tables)


def test_values_lead_back(wrapper: pagemill.Wrapper) -> None:
    page = list(pagemill.Pages(DETAIL))[4]
    told = wrapper.why(page, "name")[0]
    start, end = told["at"]["bytes"]
    assert page.html[start:end].decode() == told["value"] == wrapper.extract(page)[0]["name"]


def test_pages_may_be_anything(wrapper: pagemill.Wrapper) -> None:
    paths = sorted(Path(DETAIL).glob("*.html"))
    expected = [dict(record) for record in wrapper.extract(DETAIL)]
    for pages in [paths, [path.read_bytes() for path in paths], iter(paths), pagemill.Pages(DETAIL), f"{DETAIL}/*.html"]:
        assert [dict(record) for record in wrapper.extract(pages)] == expected


def test_models_read_other_sites(tmp_path: Path) -> None:
    model = pagemill.Model.load("news")
    model.save(tmp_path / "model.json")
    again = pagemill.Model.load(tmp_path / "model.json")
    table = again.annotate("corpus/newspaper/pages", alone=True)
    assert {"title", "date", "content"} <= set(table.columns)
    assert table[0]["title"]
    by_hand = pagemill.annotate(again, (page for page in pagemill.Pages("corpus/newspaper/pages")))
    assert [record["title"] for record in by_hand] == [record["title"] for record in table]
