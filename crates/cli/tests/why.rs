use crate::harness::{Run, corpus};
use expect_test::expect;
use serde_json::Value as Json;
use std::fs;

/// A folder with the wrapper of a shop's books, `books.json`, and of its lists, `list.json`.
fn shop() -> Run {
    let run = Run::with(&[]);
    for (folder, wrapper) in [("detail", "books.json"), ("list", "list.json")] {
        let pages = corpus(&format!("bookshop/{folder}/pages"));
        let outcome = run.run(&["learn", &pages, "-o", wrapper]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
    let book = fs::read(corpus("bookshop/detail/pages/bread-before-dawn.html")).unwrap();
    run.write("book.html", &book);
    run
}

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn pages(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(corpus(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    let mut pages: Vec<String> = paths.filter(|path| path.ends_with(".html")).collect();
    pages.sort();
    pages
}

/// All values of some data, as `books[3].price` and the value.
fn flat(within: &str, data: &Json, out: &mut Vec<(String, String)>) {
    for (name, value) in data.as_object().unwrap() {
        let path = format!("{within}{name}");
        match value {
            Json::Array(records) => {
                for (index, record) in records.iter().enumerate() {
                    flat(&format!("{path}[{index}]."), record, out);
                }
            }
            value => out.push((path, value.as_str().unwrap().to_owned())),
        }
    }
}

#[test]
fn every_value_leads_to_its_bytes() {
    let run = shop();
    let mut n_exact = 0;
    for (wrapper, folder) in
        [("books.json", "bookshop/detail/pages"), ("list.json", "bookshop/list/pages")]
    {
        for page in pages(folder) {
            let outcome = run.run(&["why", wrapper, &page, "--json"]);
            assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
            let whole = &lines(&outcome.stdout)[0];
            let extracted = &lines(&run.run(&["extract", wrapper, &page]).stdout)[0];
            let mut expected = Vec::new();
            flat("", &extracted["data"], &mut expected);
            let values = whole["values"].as_array().unwrap();
            let text = |value: &Json, key: &str| value[key].as_str().unwrap().to_owned();
            let told: Vec<(String, String)> =
                values.iter().map(|it| (text(it, "field"), text(it, "value"))).collect();
            assert_eq!(told, expected, "{page}");

            let bytes = fs::read(&page).unwrap();
            for value in values {
                let range = &value["at"]["bytes"];
                let [start, end] = [0, 1].map(|it| range[it].as_u64().unwrap() as usize);
                let written = String::from_utf8_lossy(&bytes[start..end]).into_owned();
                let found = text(value, "value");
                // Where neither markup nor references nor blanks stand between, the bytes are the value.
                let is_plain = !written.contains(['<', '&', '\n']) && !written.contains("  ");
                assert!(!is_plain || written.trim() == found, "{page}: {value}: {written}");
                n_exact += usize::from(is_plain);
            }
        }
    }
    assert!(n_exact > 500, "{n_exact}");
}

#[test]
fn a_value_with_its_place_and_reasons() {
    let run = shop();
    expect![[r#"
        title = "Bread Before Dawn by Tamsin Corraway, Yusuf Ilderton"
          at        line 6, column 8, bytes 141..193
          source    A-Compatible" content="IE=edge"> <title>[[Bread Before Dawn by Tamsin Corraway, Yusuf Ilderton]] | Lantern &amp; Quill Books</title> <me
          xpath     /html/head/title/text()
          selector  html > head > title (leaf 0)
          read as   the value, without " | Lantern & Quill Books" after it
          state     4, title: its elements have the tags and classes that they have there
          rivals    none: leaves of such elements are always this
        exit 0
    "#]].assert_eq(&run.run(&["why", "books.json", "book.html", "title"]).all());
}

#[test]
fn one_record_or_all() {
    let run = shop();
    let page = &pages("bookshop/list/pages")[0];
    let fields = |field: &str| -> Vec<String> {
        let outcome = run.run(&["why", "list.json", page, field, "--json"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let field = |line: &Json| line["field"].as_str().unwrap().to_owned();
        lines(&outcome.stdout).iter().map(field).collect()
    };
    let all = fields("book_items.title");
    assert!(all.len() > 5, "{all:?}");
    assert_eq!(fields("book_items[3].title"), ["book_items[3].title"]);
    let record = fields("book_items[3]");
    assert!(record.len() > 3 && record.iter().all(|it| it.starts_with("book_items[3].")));
}

#[test]
fn a_field_that_there_is_not() {
    let run = shop();
    let told = |field: &str| run.run(&["why", "books.json", "book.html", field]).all();
    expect![[r#"
        pagemill: no field of the wrapper is called "titel"; is it title or reviews.title or title_2?
        exit 2
        pagemill: no field of the wrapper is called "no_such_thing"; pagemill why WRAPPER PAGE lists those that a page has
        exit 2
        pagemill: "title" is a column, with nothing inside
        exit 2
        error: invalid value 'a[b]' for '[FIELD]': "a[b]" names no field: write names with points between them, and records by number, such as books[3].price

        For more information, try '--help'.
        exit 2
        error: invalid value 'a..b' for '[FIELD]': "a..b" names no field: write names with points between them, and records by number, such as books[3].price

        For more information, try '--help'.
        exit 2
    "#]]
        .assert_eq(&["titel", "no_such_thing", "title.x", "a[b]", "a..b"].map(told).concat());
}

/// Pages of books, of which some have a price.
fn priced() -> Run {
    let page = |title: &str, price: &str| {
        format!("<h1>{title}</h1>\n<div id=buy>{price}<p>Ships: <i>{title}day</i></p></div>")
    };
    let run = Run::with(&[]);
    for (index, title) in ["Dune", "Emma", "Kim", "She", "Ubik", "Watt"].iter().enumerate() {
        let price = match index % 3 {
            0 => String::new(),
            _ => format!("<b class=price>${index}.50</b>"),
        };
        run.write(format!("shop/{title}.html"), page(title, &price).as_bytes());
    }
    run.write("free.html", page("Momo", "").as_bytes());
    run.write("sale.html", page("Momo", "<em>Sold out</em>").as_bytes());
    run.write("other.html", b"<table><tr><td>1<td>2</table>");
    run.run(&["learn", "shop", "-o", "w.json"]);
    run
}

#[test]
fn a_field_that_is_empty_here() {
    let run = priced();
    expect![[r#"
        price is empty here; 66% of those learnt from have it
          states    7
          usually   after title, before "Ships:"
          here      after "Momo" at line 1, column 5 (title)
          instead   "Ships:" at line 2, column 16 ("Ships:")
        exit 1
    "#]]
    .assert_eq(&run.run(&["why", "w.json", "free.html", "price"]).all());
    let line = &lines(&run.run(&["why", "w.json", "free.html", "price", "--json"]).stdout)[0];
    assert_eq!((&line["value"], &line["density"]), (&Json::Null, &666.into()));
    assert_eq!(line["instead"]["source"]["text"], "Ships:");
}

#[test]
fn a_page_that_does_not_fit() {
    let run = priced();
    expect![[r#"
        sale.html is partial: some parts do not fit
                    "Sold out" at html/body/div/em is new; after title, price or "Ships:" is expected; the nearest place is ships
              1:5  title = "Momo"
             2:33  buy_text = "Ships: Momoday"
             2:43  ships = "Momoday"
        exit 0
    "#]].assert_eq(&run.run(&["why", "w.json", "sale.html"]).all());
    expect![[r#"
        other.html is failed: it is a page of something else
                    "1" at html/body/table/tbody/tr/td is new; title is expected first
                    "2" at html/body/table/tbody/tr/td is new; title is expected first
                    the page must not end with "2" at html/body/table/tbody/tr/td; title is expected first
                    3 of 3 things are missing that every page had: title, "Ships:", ships
        exit 3
    "#]].assert_eq(&run.run(&["why", "w.json", "other.html"]).all());
    expect![[r#"
        other.html is failed: it is a page of something else
                    "1" at html/body/table/tbody/tr/td is new; title is expected first
                    "2" at html/body/table/tbody/tr/td is new; title is expected first
                    the page must not end with "2" at html/body/table/tbody/tr/td; title is expected first
                    3 of 3 things are missing that every page had: title, "Ships:", ships
        price is not on this page: it is a page of something else, of which nothing is read
        exit 3
    "#]].assert_eq(&run.run(&["why", "w.json", "other.html", "price"]).all());
    let line = &lines(&run.run(&["why", "w.json", "sale.html", "--json"]).stdout)[0];
    assert_eq!(line["problems"][0]["kind"], "new");
    assert_eq!(line["problems"][0]["text"], "Sold out");
}

#[test]
fn pages_that_cannot_be_read_and_wrappers_that_are_none() {
    let run = priced();
    assert_eq!(run.run(&["why", "w.json", "none.html"]).code, Some(3));
    assert_eq!(run.run(&["why", "sale.html", "free.html"]).code, Some(2));
    assert_eq!(run.run(&["why", "w.json"]).code, Some(2));
}

#[test]
fn nothing_on_a_page_reaches_the_terminal() {
    let page = |title: &str| format!("<h1>{title}</h1><p>\x1B[31m{title}\u{202E}</p>");
    let run = Run::with(&[]);
    for title in ["Dune", "Emma", "Kim"] {
        run.write(format!("shop/{title}.html"), page(title).as_bytes());
    }
    run.run(&["learn", "shop", "-o", "w.json"]);
    for args in [&["text"][..], &["text", "--json"], &[], &["--json"]] {
        let outcome = run.run(&[&["why", "w.json", "shop/Kim.html"], args].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(!outcome.stdout.contains(['\x1B', '\u{202E}']), "{}", outcome.stdout);
    }
}

/// Bytes are those of the page as it came, whatever its encoding.
#[test]
fn bytes_of_another_encoding() {
    let page = |title: &str| format!("<meta charset=utf-16le><h1>É{title}</h1><p>x</p>");
    let bytes = |title: &str| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(page(title).encode_utf16().collect::<Vec<_>>());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let run =
        Run::with(&[("a.html", &bytes("a")), ("b.html", &bytes("b")), ("c.html", &bytes("c"))]);
    run.run(&["learn", "a.html", "b.html", "-o", "w.json"]);
    let line = &lines(&run.run(&["why", "w.json", "c.html", "title", "--json"]).stdout)[0];
    let [start, end] = [0, 1].map(|it| line["at"]["bytes"][it].as_u64().unwrap() as usize);
    let written: Vec<u8> = "Éc".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!((&line["value"], &bytes("c")[start..end]), (&"Éc".into(), &written[..]));
}
