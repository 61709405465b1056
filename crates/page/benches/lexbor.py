"""Speed of lexbor on the pages of some folders, taken as the page bench takes them."""

import pathlib
import sys
import time

from selectolax.lexbor import LexborHTMLParser

PER_FOLDER = 6
ROUNDS = 5


def pages(folder):
    taken = 0
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from pages(path)
        elif taken < PER_FOLDER and path.suffix in (".html", ".htm"):
            taken += 1
            yield path.read_bytes()


def main():
    texts = [page for folder in sys.argv[1:] for page in pages(pathlib.Path(folder))]
    n_bytes = sum(map(len, texts))
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for text in texts:
            LexborHTMLParser(text)
        best = max(best, n_bytes / 1e6 / (time.perf_counter() - start))
    print(f"{'lexbor (C), tree only':32} {best:>8.0f}")


main()
