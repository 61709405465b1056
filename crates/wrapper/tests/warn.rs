use crate::corpus;
use page::Page;
use wrapper::{Extraction, Extractor, LearnConfig, Status, WarningKind, Wrapper};

/// The wrapper of a folder's pages, and these.
fn learnt(folder: &str) -> (Wrapper, Vec<String>) {
    let pages: Vec<Page> = corpus(folder).iter().map(|(_, bytes)| page::parse(bytes)).collect();
    let html = pages.iter().map(|page| page.source().to_owned()).collect();
    let learnt = wrapper::learn(pages, &LearnConfig::default()).expect("there is something");
    (learnt.wrapper, html)
}

fn extract(wrapper: &Wrapper, html: &str) -> Extraction {
    Extractor::new(wrapper).extract(&crate::parse(html))
}

fn told(found: &Extraction) -> Vec<String> {
    found.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn what_was_learnt_from_is_usual() {
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        let (wrapper, pages) = learnt(folder);
        for html in &pages {
            assert_eq!(told(&extract(&wrapper, html)), [""; 0], "{folder}");
        }
    }
}

/// A book's page with another price.
fn with_price(html: &str, price: &str) -> String {
    let start =
        html.find("<span class=\"price\">").expect("a price") + "<span class=\"price\">".len();
    let end = start + html[start..].find("</span>").expect("an end");
    format!("{}{price}{}", &html[..start], &html[end..])
}

#[test]
fn a_value_that_makes_no_sense_is_told_and_kept() {
    let (wrapper, pages) = learnt("bookshop/detail/pages");
    let html = pages.iter().find(|html| html.contains("<span class=\"price\">")).expect("one");
    let check = |price: &str, is_kind: fn(&WarningKind) -> bool| {
        let found = extract(&wrapper, &with_price(html, price));
        assert_eq!(found.status, Status::Verified, "{price}: {:?}", found.problems);
        assert_eq!(found.data["price"], price);
        let warnings = &found.warnings;
        let of_price = warnings.iter().find(|it| it.field.to_string() == "price");
        let warning = of_price.unwrap_or_else(|| panic!("{price}: {warnings:?}"));
        assert!(is_kind(&warning.kind), "{price}: {warning}");
        assert_eq!(warning.value.as_deref(), Some(price));
    };
    check("N/A", |it| matches!(it, WarningKind::NoDigits | WarningKind::Letters { .. }));
    check("By Dawn", |it| matches!(it, WarningKind::NoDigits | WarningKind::Letters { .. }));
    check("$22.00", |it| matches!(it, WarningKind::Unit { .. }));
    check("22,00 €", |it| matches!(it, WarningKind::Unit { .. }));
    check("12 May 2024", |it| matches!(it, WarningKind::Unit { .. }));
    let found = extract(&wrapper, &with_price(html, "£9.50"));
    assert_eq!(told(&found), [""; 0]);
}

#[test]
fn in_records_too() {
    let (wrapper, pages) = learnt("bookshop/list/pages");
    let found = extract(&wrapper, &with_price(&pages[0], "$6.99"));
    let warning = &found.warnings[0];
    assert_eq!(warning.field.to_string(), "book_items[0].price");
    assert_eq!(
        warning.to_string(),
        "book_items[0].price is \"$6.99\", of unit \"$\", where all 70 values had \"£\""
    );
}

fn book(title: &str, price: &str, author: &str) -> String {
    format!("<h1>{title}</h1><p class=price>{price}</p><p class=author>{author}</p>")
}

fn books() -> Wrapper {
    let page = |n: usize| {
        let author = ["Ada Quill", "Bo Inkwell", "Cy Pen"][n % 3];
        crate::parse(&book(&format!("Tome {n}"), &format!("${n}.50"), author))
    };
    let pages = (1..=12).map(page).collect();
    wrapper::learn(pages, &LearnConfig::default()).expect("alike").wrapper
}

#[test]
fn columns_that_changed_places() {
    let found = extract(&books(), &book("Tome 40", "Ada Quill", "$7.50"));
    let fields: Vec<String> = found.warnings.iter().map(|it| it.field.to_string()).collect();
    assert_eq!(fields, ["price"], "{:?}", found.warnings);
}

#[test]
fn what_all_had_is_missed() {
    let found =
        extract(&books(), "<h1>Tome 40</h1><p class=price></p><p class=author>Ada Quill</p>");
    assert_eq!(told(&found), ["price is empty, where all 12 had something"]);
}

#[test]
fn letters_of_another_script_and_texts_without_end() {
    let wrapper = books();
    let found = extract(&wrapper, &book("Tome 40", "$4.50", "Ада Перо"));
    assert_eq!(
        told(&found),
        ["author is \"Ада Перо\", with cyrillic letters, which none of 12 had"]
    );
    let found = extract(&wrapper, &book("Tome 40", "$4.50", &"Ada Quill ".repeat(9)));
    assert_eq!(found.warnings[0].kind.name(), "length");
}

#[test]
fn sets_that_shrink_or_grow() {
    let list = |n: usize| {
        let row = |it: usize| format!("<li><b>Thing {}</b> <i>{}.{it}</i>", it * n * 31, n * it);
        let rows: String = (0..n).map(row).collect();
        format!("<h1>{n} rows</h1><ul class=rows>{rows}</ul>")
    };
    let pages = (12..22).map(|n| crate::parse(&list(n))).collect();
    let wrapper = wrapper::learn(pages, &LearnConfig::default()).expect("alike").wrapper;
    assert_eq!(told(&extract(&wrapper, &list(25))), [""; 0]);
    let few = told(&extract(&wrapper, &list(2)));
    assert_eq!(few, ["rows has 2 records, where 10 pages had 12 to 21"]);
    let many = told(&extract(&wrapper, &list(200)));
    assert_eq!(many, ["rows has 200 records, where 10 pages had 12 to 21"]);
}
