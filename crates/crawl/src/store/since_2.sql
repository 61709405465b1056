-- What came with the second version.

-- What was learned from each page of what pages of its host usually say: numbers of 32 bits, little-endian. By what others
-- say, too, near copies are told, so a crawl that goes on has to know it.
CREATE TABLE texts (
    page INTEGER PRIMARY KEY,
    keys BLOB NOT NULL
);

-- In how many pages each word was met, where pages are compared with keywords; the empty word counts the pages.
CREATE TABLE words (
    word    TEXT PRIMARY KEY,
    n_pages INTEGER NOT NULL
) WITHOUT ROWID;
