-- What a crawl knows, with `since_2.sql`. One file, so that it can be copied, looked into with any SQLite, and gone on with.

-- What was asked for, and the version of these tables.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Every address ever met; the frontier is those that wait.
CREATE TABLE addresses (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,           -- equal for addresses of the same page
    url        TEXT NOT NULL,                  -- as it is asked for
    host       TEXT NOT NULL,
    state      INTEGER NOT NULL,               -- 0 waits, 1 done, 2 failed, 3 never asked for
    reason     TEXT,                           -- why it failed, or was not asked for
    priority   REAL NOT NULL,
    depth      INTEGER NOT NULL,               -- links from a seed
    hops       INTEGER NOT NULL,               -- redirects that led here
    kind       TEXT,                           -- what the plan expects to find
    found_on   INTEGER,                        -- the page that first led here
    attempts   INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0      -- milliseconds since 1970
);
CREATE INDEX frontier ON addresses (host, priority DESC, id) WHERE state = 0;

CREATE TABLE pages (
    address    INTEGER PRIMARY KEY REFERENCES addresses,
    url        TEXT NOT NULL,                  -- as it was answered
    at         INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    headers    TEXT NOT NULL,                  -- as they came, a line each
    n_bytes    INTEGER NOT NULL,               -- unpacked
    hash       INTEGER,                        -- simhash of what it alone says; null if that is nothing
    like       INTEGER,                        -- an earlier page that is nearly the same
    kind       TEXT,                           -- what the plan found it to be
    title      TEXT,
    body       BLOB NOT NULL                   -- unpacked as its headers say, then packed by zlib; last, so that others are read without it
);

CREATE TABLE links (
    page   INTEGER NOT NULL,
    nth    INTEGER NOT NULL,
    target INTEGER NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (page, nth)
) WITHOUT ROWID;

-- What was read out of pages while they came in.
CREATE TABLE findings (
    page INTEGER NOT NULL,
    nth  INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,                        -- JSON
    PRIMARY KEY (page, nth)
) WITHOUT ROWID;

-- Each time that something was asked for, in order; address is null for robots.txt and sitemaps.
CREATE TABLE fetches (
    id      INTEGER PRIMARY KEY,
    address INTEGER,
    url     TEXT NOT NULL,
    at      INTEGER NOT NULL,
    ms      INTEGER NOT NULL,
    status  INTEGER,
    n_bytes INTEGER NOT NULL,
    reason  TEXT
);

-- What servers say of who may ask for what.
CREATE TABLE origins (
    origin TEXT PRIMARY KEY,
    at     INTEGER NOT NULL,
    status INTEGER,                            -- null: no answer
    robots BLOB NOT NULL
) WITHOUT ROWID;

-- How many pages each shape of address gave, and how many of these were new.
CREATE TABLE patterns (
    pattern   TEXT PRIMARY KEY,
    n_fetched INTEGER NOT NULL,
    n_new     INTEGER NOT NULL
) WITHOUT ROWID;
