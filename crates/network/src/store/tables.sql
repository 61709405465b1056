CREATE TABLE net_meta (key {text} PRIMARY KEY, value {text} NOT NULL);
-- The texts of the schema, in the order in which they came; numbers of classes and properties follow from them.
CREATE TABLE net_schema (nth {id}, definitions {text} NOT NULL);
CREATE TABLE net_class (id {id}, name {text} NOT NULL, parent bigint);
CREATE TABLE net_definition (
    id {id}, class bigint NOT NULL, kind {text} NOT NULL, name {text} NOT NULL, path {text} NOT NULL,
    generic bigint, role bigint, type {text} NOT NULL, many bigint NOT NULL, inverse {text}, identification {text}
);
CREATE TABLE net_source (id {id}, page {text} NOT NULL, wrapper {text} NOT NULL, UNIQUE (page, wrapper));
-- Facts have one sequence of numbers, so that what belongs to one needs to say no more than its number.
-- A container of 0 is none.
CREATE TABLE net_object (
    id {id}, class bigint NOT NULL, name {text} NOT NULL, nth bigint NOT NULL, container bigint NOT NULL, part bigint NOT NULL,
    source bigint NOT NULL, place {text} NOT NULL, confidence double precision NOT NULL,
    first_seen bigint NOT NULL, last_seen bigint NOT NULL, gone bigint NOT NULL
);
CREATE UNIQUE INDEX net_object_name ON net_object (name, class, container, nth);
CREATE INDEX net_object_container ON net_object (container, part);
CREATE INDEX net_object_class ON net_object (class);
CREATE TABLE net_alias (name {text} NOT NULL, object bigint NOT NULL, PRIMARY KEY (name, object));
CREATE TABLE net_attribute (
    id {id}, owner bigint NOT NULL, definition bigint NOT NULL, value {text} NOT NULL, number double precision,
    source bigint NOT NULL, place {text} NOT NULL, confidence double precision NOT NULL,
    first_seen bigint NOT NULL, last_seen bigint NOT NULL, gone bigint NOT NULL
);
CREATE UNIQUE INDEX net_attribute_owner ON net_attribute (owner, definition, value);
CREATE INDEX net_attribute_value ON net_attribute (value, definition);
CREATE TABLE net_edge (
    id {id}, origin bigint NOT NULL, relationship bigint NOT NULL, target bigint NOT NULL,
    source bigint NOT NULL, place {text} NOT NULL, confidence double precision NOT NULL,
    first_seen bigint NOT NULL, last_seen bigint NOT NULL, gone bigint NOT NULL
);
CREATE UNIQUE INDEX net_edge_origin ON net_edge (origin, relationship, target);
CREATE INDEX net_edge_target ON net_edge (target, relationship);
-- A role is a context: its number owns the attributes and edges that are true of the player in it.
CREATE TABLE net_role (
    id {id}, unit bigint NOT NULL, role bigint NOT NULL, player bigint NOT NULL,
    source bigint NOT NULL, place {text} NOT NULL, confidence double precision NOT NULL,
    first_seen bigint NOT NULL, last_seen bigint NOT NULL, gone bigint NOT NULL
);
CREATE UNIQUE INDEX net_role_unit ON net_role (unit, role, player);
CREATE INDEX net_role_player ON net_role (player, role);
-- Where else a fact was read.
CREATE TABLE net_evidence (
    fact bigint NOT NULL, source bigint NOT NULL, place {text} NOT NULL, confidence double precision NOT NULL, seen bigint NOT NULL,
    PRIMARY KEY (fact, source)
);
-- What may be wrong: a and b are objects, b is 0 where there is one only. States are open, joined and split.
CREATE TABLE doubt (
    id {id}, kind {text} NOT NULL, a bigint NOT NULL, b bigint NOT NULL, reason {text} NOT NULL,
    confidence double precision NOT NULL, state {text} NOT NULL
);
CREATE UNIQUE INDEX doubt_pair ON doubt (a, b, kind);
-- What a join did, to be undone.
CREATE TABLE net_join (doubt {id}, undo {text} NOT NULL);
