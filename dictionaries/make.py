#!/usr/bin/env python3
"""Write names.txt and words.txt anew from openly licensed packages; README.md says which, and under which licences.

usage: make.py FOLDER    # with the packages that README.md names, unpacked; faker and mimesis must be importable
"""
import csv
import gzip
import importlib
import json
import pkgutil
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
# Letters that Unicode does not take apart; one letter each, as the program folds them.
LETTERS = str.maketrans("æœøłđðþßħıŋŧ", "aooldd" "tshint")
# A name in the lists of the Social Security Administration counts from this many births on, and is common from the second on.
BIRTHS, MANY_BIRTHS = 250, 20_000
# Of the Census Bureau's surnames, in the order of their frequency, these many are taken and these many are common.
SURNAMES, COMMON_SURNAMES = 45_000, 12_000


def fold(text):
    text = unicodedata.normalize("NFKD", text.lower().translate(LETTERS)).translate(LETTERS)
    # Marks of Latin letters go; those of other scripts are letters of their own.
    text = re.sub("[\u0300-\u036f]", "", text)
    return unicodedata.normalize("NFC", text)


def parts(name):
    """The words of a name; names of many words would bring words that are no names alone."""
    words = re.split(r"[\s\-–’'.,·]+", fold(name))
    return [word for word in words if (len(word) > 1 or word >= "\u3000") and not re.search(r"[\d_/()\[\]{}]", word)]


def faker_names():
    import faker.providers.person as person

    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"{person.__name__}.{module.name}").Provider
        for attribute in dir(provider):
            values = getattr(provider, attribute)
            if callable(values) or not re.search("first|last|middle", attribute) or "format" in attribute:
                continue
            kind = "s" if "last" in attribute else "g"
            for value in values if isinstance(values, (list, tuple, dict)) else ():
                # Japanese names come as (kanji, kana, romanised).
                for text in value if isinstance(value, tuple) else (value,):
                    if isinstance(text, str) and "{" not in text:
                        yield text, kind.upper()


def mimesis_names():
    import mimesis

    for file in sorted(Path(mimesis.__file__).parent.glob("datasets/*/person.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        for key, kind in (("names", "G"), ("surnames", "S")):
            values = data.get(key, [])
            for value in [v for vs in values.values() for v in vs] if isinstance(values, dict) else values:
                yield value, kind


def census_surnames(folder):
    lines = next(folder.glob("names-*/names/dist.all.last")).read_text().splitlines()
    for rank, line in enumerate(lines[:SURNAMES]):
        yield line.split()[0], "S" if rank < COMMON_SURNAMES else "s"


def births(folder):
    counts = defaultdict(int)
    with gzip.open(next(folder.glob("**/year_of_birth_counts.csv.gz")), "rt") as file:
        for row in csv.DictReader(file):
            counts[row["first_name"]] += int(float(row["count"]))
    for name, count in counts.items():
        if count >= BIRTHS:
            yield name, "G" if count >= MANY_BIRTHS else "g"


def indian_names(folder):
    for file in sorted(folder.glob("**/indian_names/*.names")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield line.split(",")[0], "s" if file.name.startswith("last") else "g"


def chinese_surnames(folder):
    for row in json.loads(next(folder.glob("**/chinese-surnames*/package/index.json")).read_text(encoding="utf-8")):
        for text in row.values() if isinstance(row, dict) else [row]:
            if isinstance(text, str):
                yield text, "S"


def names(folder):
    sources = (faker_names(), mimesis_names(), census_surnames(folder), births(folder), indian_names(folder), chinese_surnames(folder))
    flags = defaultdict(set)
    for source in sources:
        for name, kind in source:
            for word in parts(name):
                flags[word].add(kind)
    for word, kinds in flags.items():
        yield word, "".join(kind for kind in "GgSs" if kind in kinds and not (kind.islower() and kind.upper() in kinds))


def words(folder):
    grade = {}
    for level, sizes in (("1", (10, 20)), ("2", (35,))):
        for size in sizes:
            for language in ("english", "american", "british"):
                file = next(folder.glob(f"**/{language}-words-{size}.json"))
                for word in json.loads(file.read_text()):
                    if word.isascii() and word.isalpha() and word.islower() and len(word) > 1:
                        grade.setdefault(word, level)
    return grade.items()


def write(name, lines):
    lines = sorted(lines, key=lambda line: line[0].encode())
    text = "".join(f"{word}\t{flags}\n" for word, flags in lines)
    (HERE / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(lines)} lines, {len(text.encode())} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write("names.txt", names(Path(sys.argv[1])))
    write("words.txt", words(Path(sys.argv[1])))
