use super::*;
use expect_test::{Expect, expect};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::fmt::Write as _;

fn check(written: &Written, sql: &str, expected: Expect) {
    let database = Connection::open(&written.path).unwrap();
    let mut statement = database.prepare(sql).unwrap();
    let n_columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut shown = String::new();
    while let Some(row) = rows.next().unwrap() {
        for index in 0..n_columns {
            let separator = if index == 0 { "" } else { " | " };
            match row.get_ref(index).unwrap() {
                ValueRef::Null => write!(shown, "{separator}NULL"),
                ValueRef::Integer(n) => write!(shown, "{separator}{n}"),
                other => write!(shown, "{separator}{}", other.as_str().unwrap()),
            }
            .unwrap();
        }
        shown.push('\n');
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_table_a_set_joined_by_keys() {
    let written = Written::books("a.db");
    check(
        &written,
        "SELECT sql FROM sqlite_master",
        expect![[r#"
            CREATE TABLE "pages" ("id" INTEGER PRIMARY KEY, "page" TEXT NOT NULL, "status" TEXT NOT NULL, "problems" TEXT NOT NULL, "title" TEXT)
            CREATE TABLE "books" ("id" INTEGER PRIMARY KEY, "page_id" INTEGER NOT NULL REFERENCES "pages"(id), "position" INTEGER NOT NULL, "title" TEXT, "price" TEXT)
            CREATE INDEX "books_by_page_id" ON "books"("page_id")
            CREATE TABLE "books_authors" ("id" INTEGER PRIMARY KEY, "books_id" INTEGER NOT NULL REFERENCES "books"(id), "position" INTEGER NOT NULL, "name" TEXT)
            CREATE INDEX "books_authors_by_books_id" ON "books_authors"("books_id")
            CREATE TABLE "books_offers" ("id" INTEGER PRIMARY KEY, "books_id" INTEGER NOT NULL REFERENCES "books"(id), "position" INTEGER NOT NULL, "shop" TEXT, "price" TEXT)
            CREATE INDEX "books_offers_by_books_id" ON "books_offers"("books_id")
            CREATE TABLE "links" ("id" INTEGER PRIMARY KEY, "page_id" INTEGER NOT NULL REFERENCES "pages"(id), "position" INTEGER NOT NULL, "link" TEXT)
            CREATE INDEX "links_by_page_id" ON "links"("page_id")
        "#]],
    );
    check(
        &written,
        "SELECT * FROM pages",
        expect![[r#"
            1 | 1.html | verified | [] | Sea
            2 | 2.html | partial | ["no price","no \"name\""] | Empty
            3 | 3.html | failed | ["no price","no \"name\""] | NULL
        "#]],
    );
    check(
        &written,
        "SELECT page, books.position, books.title, books.price, authors.position, name FROM pages
         JOIN books ON page_id = pages.id JOIN books_authors AS authors ON books_id = books.id",
        expect![[r#"
            1.html | 1 | Herring | -5 | 1 | Ada
            1.html | 1 | Herring | -5 | 2 | Bo
            1.html | 2 | Fog, "thick" | NULL | 1 | Cy
        "#]],
    );
    check(
        &written,
        "SELECT * FROM books_offers",
        expect![[r#"
            1 | 1 | 1 | Quay | 4
            2 | 1 | 2 | Mole | NULL
        "#]],
    );
    check(&written, "PRAGMA foreign_key_check", expect![""]);
    check(&written, "PRAGMA integrity_check", expect!["ok\n"]);
}

#[test]
fn names_of_strangers_are_only_names() {
    let schema = schema(vec![
        column("id"),
        column("Select"),
        column("select"),
        column("a\"; DROP TABLE pages; --"),
        column("nul\0"),
        set("Pages", 1, vec![column("position"), column("page_id")]),
        set("sqlite_master", 1, vec![column("rowid"), column("x")]),
        set("a", 1, vec![set("b", 1, vec![column("x")])]),
        set("a_b", 1, vec![column("größe"), column("GRÖSSE")]),
    ]);
    let pages = [json!({
        "id": "7", "Select": "S", "select": "s", "a\"; DROP TABLE pages; --": "quoted", "nul\0": "n",
        "Pages": [{ "position": "p", "page_id": "i" }],
        "sqlite_master": [{ "rowid": "r", "x": "x" }],
        "a": [{ "b": [{ "x": "inner" }] }],
        "a_b": [{ "größe": "g", "GRÖSSE": "G" }],
    })];
    let written = Written::new("a.sqlite3", &schema, &SinkConfig::default(), &pages);
    check(
        &written,
        "SELECT id, id_2, \"Select\", select_2, \"a\"\"; DROP TABLE pages; --\", nul_ FROM pages",
        expect![[r#"
            1 | 7 | S | s | quoted | n
        "#]],
    );
    check(
        &written,
        "SELECT name FROM sqlite_master WHERE type = 'table'",
        expect![[r#"
            pages
            Pages_2
            set_sqlite_master
            a
            a_b
            a_b_2
        "#]],
    );
    check(&written, "SELECT * FROM Pages_2", expect![["1 | 1 | 1 | p | i\n"]]);
    check(&written, "SELECT * FROM a_b", expect![["1 | 1 | 1 | inner\n"]]);
    check(&written, "SELECT * FROM a_b_2", expect![["1 | 1 | 1 | g | G\n"]]);
}

#[test]
fn more_columns_than_sqlite_takes_is_an_error_that_says_so() {
    let fields = (0..2000).map(|index| column(&format!("c{index}"))).collect();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let error = Sink::create(&path, &schema(fields), &SinkConfig::default()).err().unwrap();
    assert!(error.to_string().ends_with(
        r#"its table "pages" would have 2004 columns, and SQLite takes 2000; write .jsonl or .parquet instead"#
    ));
}

#[test]
fn hostile_texts_come_back() {
    let hostile = hostile();
    let borrowed: Vec<&str> = hostile.iter().map(String::as_str).collect();
    let written = texts("a.db", &borrowed);
    let database = Connection::open(&written.path).unwrap();
    let mut statement = database.prepare("SELECT text FROM pages ORDER BY id").unwrap();
    let back = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(back.map(Result::unwrap).collect::<Vec<_>>(), hostile);
}

#[test]
fn batches_leave_no_gaps() {
    let pages: Vec<Json> = (0..2_500).map(|_| pages().remove(0)).collect();
    let written = Written::new("a.db", &books(), &SinkConfig::default(), &pages);
    check(
        &written,
        "SELECT count(*), max(id), (SELECT count(*) FROM books_authors) FROM pages",
        expect![["2500 | 2500 | 7500\n"]],
    );
    assert_eq!(fs::read_dir(written.folder.path()).unwrap().count(), 1);
}
