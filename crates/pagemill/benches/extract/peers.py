"""Speed of parsel and Scrapely on pages that the extract bench names.

In come lines of JSON on stdin, one a site: its folder, the pages that were learnt from, and those to be measured. Out
comes a line each on stdout: for each peer the pages it did, its processor time for one round of them (the best of
some rounds), and how much of what it was asked for it found. A peer that cannot be had is missing.

Both get their pages as bytes in memory and decode them within the measured time, as ours does. Both are set up
outside of it, with the values that people have marked on the pages that ours learns from.
"""

import html
import json
import pathlib
import sys
import time

try:
    from parsel import Selector
except ImportError:
    Selector = None
try:
    from scrapely import HtmlPage, Scraper, TemplateMaker, best_match
    from scrapely.template import AnnotationError
except ImportError:
    Scraper = None

# Few, because there are many sites, and their noise evens out.
N_ROUNDS = 2

# The pages that a person looks at before writing XPaths.
N_LOOKED_AT = 5
# The pages of which the best is shown to Scrapely.
N_SHOWN = 3

N_XPATHS = 5
# What people take from every page, where a site has fewer fields marked than are wanted.
GENERAL = [
    "//title/text()",
    "//h1//text()",
    "//meta[@name='description']/@content",
    "//link[@rel='canonical']/@href",
    "//h2[1]//text()",
]

BOM = b"\xef\xbb\xbf"


class Site:
    def __init__(self, request):
        self.folder = pathlib.Path(request["folder"])
        with open(self.folder / "gold.jsonl", encoding="utf-8") as lines:
            golds = [json.loads(line) for line in lines]
        self.gold = {gold["page"]: gold["values"] for gold in golds}
        self.learnt = request["learnt"]

    def page(self, name):
        return (self.folder / "pages" / name).read_bytes()

    def examples(self, n_pages):
        """Some pages that ours learns from, with the first value of each field that they have."""
        for name in self.learnt[:n_pages]:
            values = {field: texts[0] for field, texts in self.gold.get(name, {}).items() if texts}
            yield self.page(name), values


def fastest(work, pages):
    """The processor time of the best round over all pages, and what each page gave in it."""
    best = None
    for _ in range(N_ROUNDS):
        start = time.process_time()
        found = [work(page) for page in pages]
        spent = time.process_time() - start
        best = (spent, found) if best is None or spent < best[0] else best
    return best


# parsel: five XPaths a site, as a person would write them


def select(page):
    return Selector(body=page.removeprefix(BOM), encoding="utf-8")


def text_of(selector, xpath):
    return " ".join(" ".join(selector.xpath(xpath).getall()).split())


def quoted(text):
    return "'" + text + "'" if "'" not in text else '"' + text.replace('"', "") + '"'


def step(element):
    """An element by what it is called, if it is called anything."""
    for attribute in ("id", "class"):
        name = element.get(attribute)
        if name:
            return f"{element.tag}[@{attribute}={quoted(name)}]"
    return None


def place(element):
    """An element by its place among its siblings, as the tools of browsers write it."""
    before = [it for it in element.itersiblings(preceding=True) if it.tag == element.tag]
    after = [it for it in element.itersiblings() if it.tag == element.tag]
    return f"{element.tag}[{len(before) + 1}]" if before or after else element.tag


def ways_to(element):
    """XPaths to an element, those first that a person would rather write."""
    if step(element):
        yield "//" + step(element) + "//text()"
    label = element.getprevious()
    if label is not None and isinstance(label.tag, str):
        text = " ".join("".join(label.itertext()).split())
        if text:
            called = f"//{label.tag}[normalize-space()={quoted(text)}]"
            yield f"{called}/following-sibling::{element.tag}[1]//text()"
    path = []
    at = element
    while at is not None:
        path.insert(0, place(at))
        at = at.getparent()
        if at is not None and step(at):
            yield "//" + step(at) + "/" + "/".join(path) + "//text()"
    yield "/" + "/".join(path) + "//text()"


def elements_with(selector, value):
    """The innermost elements that say just this."""
    same = [it.root for it in selector.xpath("//*[normalize-space()=$value]", value=value)]
    outer = {element.getparent() for element in same}
    return [element for element in same if element not in outer]


def xpath_for(field, examples):
    """Of the XPaths to this field's value on one page, that which is right on most pages."""
    have = [(selector, values[field]) for selector, values in examples if field in values]
    ways = []
    for selector, value in have[:3]:
        for element in elements_with(selector, value)[:3]:
            ways.extend(ways_to(element))
    ways = list(dict.fromkeys(ways))[:40]

    def n_right(way):
        return sum(text_of(selector, way) == value for selector, value in have)

    return max(ways, key=n_right, default=None)


def xpaths(site):
    examples = [
        (select(page), {field: " ".join(html.unescape(text).split()) for field, text in values.items()})
        for page, values in site.examples(N_LOOKED_AT)
    ]
    fields = sorted({field for _, values in examples for field in values})
    found = [xpath_for(field, examples) for field in fields]
    return list(dict.fromkeys([*filter(None, found), *GENERAL]))[:N_XPATHS]


def parsel(site, names):
    ways = xpaths(site)

    def work(page):
        selector = select(page)
        return [selector.xpath(way).getall() for way in ways]

    spent, found = fastest(work, [site.page(name) for name in names])
    n_found = sum(bool(texts) for of_page in found for texts in of_page)
    return {"pages": len(names), "seconds": spent, "found": n_found / max(1, len(ways) * len(names)), "how": ways}


# Scrapely: trained with one page, of some that with most values that it takes


def as_page(page):
    return HtmlPage(body=page.removeprefix(BOM).decode("utf-8", "replace"))


def train(site):
    """A scraper that was shown one page, and the fields that it could be shown there."""
    best, best_fields = None, []
    for page, values in site.examples(N_SHOWN):
        maker, fields = TemplateMaker(as_page(page)), []
        for field, value in values.items():
            for text in dict.fromkeys([value, html.escape(value, quote=False)]):
                try:
                    maker.annotate(field, best_match(text))
                except AnnotationError:  # not to be found in the source, or the same element as another field
                    continue
                fields.append(field)
                break
        if len(fields) > len(best_fields):
            best, best_fields = Scraper([maker.get_template()]), fields
    return best, best_fields


def scrapely(site, names):
    scraper, fields = train(site)
    if scraper is None:
        return None

    def work(page):
        try:
            return scraper.scrape_page(as_page(page))
        except Exception:  # it stumbles over a page; the time until then counts all the same
            return None

    work(site.page(site.learnt[0]))  # it prepares its templates with the first page
    spent, found = fastest(work, [site.page(name) for name in names])
    n_found = sum(field in record for of_page in found for record in (of_page or [])[:1] for field in fields)
    return {"pages": len(names), "seconds": spent, "found": n_found / (len(fields) * len(names)), "how": fields}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        site = Site(request)
        answer = {}
        if Selector:
            answer["parsel"] = parsel(site, request["pages"])
        if Scraper:
            answer["scrapely"] = scrapely(site, request["few"])
        print(json.dumps(answer), flush=True)


main()
