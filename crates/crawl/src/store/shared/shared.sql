-- A crawl that several processes work on. `bucket` is a number below 256 that the host's name gives: it leads every primary key and
-- every claim, so that the tables can be spread over machines.

CREATE TABLE IF NOT EXISTS meta (
    key   text PRIMARY KEY,
    value text NOT NULL
);

-- Who may ask which host. All times are milliseconds since 1970, by the clock of the database.
CREATE TABLE IF NOT EXISTS hosts (
    bucket   smallint NOT NULL,
    host     text     NOT NULL,
    owner    text,                               -- the process that may ask it
    lease    bigint   NOT NULL DEFAULT 0,        -- until then
    ready_at bigint   NOT NULL DEFAULT 0,        -- it is not to be asked before
    gap      bigint   NOT NULL DEFAULT 0,        -- what it wants between two questions
    PRIMARY KEY (bucket, host)
);

CREATE TABLE IF NOT EXISTS addresses (
    bucket     smallint NOT NULL,
    id         bigint   NOT NULL GENERATED ALWAYS AS IDENTITY,
    key        text     NOT NULL,                -- equal for addresses of the same page
    url        text     NOT NULL,
    host       text     NOT NULL,
    state      smallint NOT NULL,                -- 0 waits, 1 done, 2 failed, 3 never asked for
    reason     text,
    priority   double precision NOT NULL,
    depth      integer  NOT NULL,
    hops       integer  NOT NULL,
    kind       text,
    found_on   bigint,
    attempts   integer  NOT NULL DEFAULT 0,
    not_before bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (bucket, key)
);
CREATE UNIQUE INDEX IF NOT EXISTS address_ids ON addresses (bucket, id);
CREATE INDEX IF NOT EXISTS addresses_by_id ON addresses (id);
CREATE INDEX IF NOT EXISTS frontier ON addresses (bucket, host, priority DESC, id) WHERE state = 0;

CREATE TABLE IF NOT EXISTS pages (
    bucket  smallint NOT NULL,
    address bigint   NOT NULL,
    url     text     NOT NULL,
    at      bigint   NOT NULL,
    status  integer  NOT NULL,
    headers text     NOT NULL,
    n_bytes bigint   NOT NULL,
    hash    bigint,
    "like"  bigint,
    kind    text,
    title   text,
    texts   bytea    NOT NULL,                   -- what was learned from it, as in the table of this name of a file
    body    bytea    NOT NULL,
    PRIMARY KEY (bucket, address)
);
CREATE INDEX IF NOT EXISTS pages_in_order ON pages (address);

CREATE TABLE IF NOT EXISTS links (
    bucket smallint NOT NULL,
    page   bigint   NOT NULL,
    nth    integer  NOT NULL,
    target bigint   NOT NULL,
    text   text     NOT NULL,
    PRIMARY KEY (bucket, page, nth)
);

CREATE TABLE IF NOT EXISTS findings (
    bucket smallint NOT NULL,
    page   bigint   NOT NULL,
    nth    integer  NOT NULL,
    kind   text     NOT NULL,
    data   text     NOT NULL,
    PRIMARY KEY (bucket, page, nth)
);

CREATE TABLE IF NOT EXISTS fetches (
    bucket  smallint NOT NULL,
    id      bigint   NOT NULL GENERATED ALWAYS AS IDENTITY,
    address bigint,
    url     text     NOT NULL,
    at      bigint   NOT NULL,
    ms      bigint   NOT NULL,
    status  integer,
    n_bytes bigint   NOT NULL,
    reason  text,
    owner   text     NOT NULL,
    PRIMARY KEY (bucket, id)
);
CREATE INDEX IF NOT EXISTS fetches_in_time ON fetches (at);

CREATE TABLE IF NOT EXISTS origins (
    bucket smallint NOT NULL,
    origin text     NOT NULL,
    at     bigint   NOT NULL,
    status integer,
    robots bytea    NOT NULL,
    PRIMARY KEY (bucket, origin)
);

CREATE TABLE IF NOT EXISTS patterns (
    bucket    smallint NOT NULL,
    pattern   text     NOT NULL,
    n_fetched bigint   NOT NULL,
    n_new     bigint   NOT NULL,
    PRIMARY KEY (bucket, pattern)
);
