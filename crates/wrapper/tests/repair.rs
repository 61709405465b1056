use crate::{corpus, learn, parse};
use page::Page;
use serde_json::Value as Json;
use wrapper::{Edit, Extractor, Fate, LearnConfig, Repaired, Status, Value, Wrapper, repair};

const BOOKS: [(&str, &str, &str, &str); 6] = [
    ("Dune", "F. Herbert", "$9.99", "412"),
    ("Emma", "J. Austen", "$7.50", "474"),
    ("Kim", "R. Kipling", "$5.25", "368"),
    ("Ubik", "P. Dick", "$8.10", "202"),
    ("Momo", "M. Ende", "$6.40", "304"),
    ("Solaris", "S. Lem", "$4.00", "204"),
];

/// Books have three to five reviews.
fn reviews(of: [&str; 4], review: impl Fn(&str, String) -> String) -> String {
    let [title, author, ..] = of;
    let words = ["good", "long", "dull", "odd", "thick"];
    let n = 3 + title.len() % 3;
    let one = |(n, word): (usize, &&str)| {
        review(&format!("{word} {author}"), format!("{title} {} is {n} times {word}", n * 7))
    };
    words[..n].iter().enumerate().map(one).collect()
}

fn old_page((title, author, price, pages): (&str, &str, &str, &str)) -> String {
    let review = |who: &str, said: String| {
        format!("<li><b class=who>{who}</b><i class=said>{said}</i></li>")
    };
    let reviews = reviews([title, author, price, pages], review);
    format!(
        "<h1 class=name>{title}</h1><table><tr><th>Author</th><td>{author}</td></tr>\
         <tr><th>Price</th><td>{price}</td></tr><tr><th>Pages</th><td>{pages}</td></tr></table>\
         <ul class=reviews>{reviews}</ul>"
    )
}

/// Other tags, other classes, another order, other labels; and the pages are gone.
fn new_page((title, author, price, pages): (&str, &str, &str, &str)) -> String {
    let review =
        |who: &str, said: String| format!("<section><p>{said}</p><em>{who}</em></section>");
    let reviews = reviews([title, author, price, pages], review);
    format!(
        "<main><div class=x><dl><dt>Our price</dt><dd>{price}</dd><dt>Written by</dt><dd>{author}</dd></dl>\
         <h2>{title}</h2></div><div class=z>{reviews}</div></main>"
    )
}

fn wrapper_of_old() -> Wrapper {
    let pages = BOOKS.map(old_page);
    learn(&pages.iter().map(String::as_str).collect::<Vec<_>>()).wrapper
}

fn repaired(old: &Wrapper, pages: &[String]) -> Repaired {
    let pages = pages.iter().map(|html| parse(html)).collect();
    repair(old, pages, &LearnConfig::default()).expect("there is something to learn")
}

fn fate(repaired: &Repaired, path: &str) -> Option<Fate> {
    repaired.changes.iter().find(|change| change.path == path).map(|change| change.fate)
}

#[test]
fn another_design_keeps_its_names() {
    let repaired = repaired(&wrapper_of_old(), &BOOKS.map(new_page));
    let found = Extractor::new(&repaired.wrapper).extract(&parse(&new_page(BOOKS[1])));
    assert_eq!(found.status, Status::Verified, "{:?}", found.problems);
    let data = Json::from(found.data);
    let read = |path: &str| data.pointer(path).and_then(Json::as_str).map(str::to_owned);
    assert_eq!(read("/name").as_deref(), Some("Emma"), "{data:#}");
    assert_eq!(read("/author").as_deref(), Some("J. Austen"), "{data:#}");
    assert_eq!(read("/price").as_deref(), Some("$7.50"), "{data:#}");
    assert_eq!(fate(&repaired, "price"), Some(Fate::Moved));
    assert_eq!(fate(&repaired, "pages"), Some(Fate::Gone));
    assert_eq!(repaired.n_unfit, BOOKS.len());
}

#[test]
fn what_has_not_changed_is_kept_as_it_is() {
    let old = wrapper_of_old();
    let repaired = repaired(&old, &BOOKS.map(old_page));
    assert!(
        repaired.changes.iter().all(|change| change.fate == Fate::Kept),
        "{:?}",
        repaired.changes
    );
    assert_eq!(repaired.wrapper.to_json().unwrap(), old.to_json().unwrap());
    assert_eq!(repaired.n_unfit, 0);
    assert!(repaired.is_unchanged);
}

fn json(wrapper: &Wrapper, page: &str) -> Json {
    let found = Extractor::new(wrapper).extract(&parse(page));
    assert_eq!(found.status, Status::Verified, "{:?}", found.problems);
    found.data.into()
}

/// Some pages have what none of those at hand has.
#[test]
fn new_clothes_make_nothing_forget() {
    let rare = |n: usize| {
        let award = format!("<p class=award>Award of {}</p>", 1950 + n);
        old_page(BOOKS[n]).replace("</h1>", &format!("</h1>{}", if n < 3 { &award } else { "" }))
    };
    let pages: Vec<String> = (0..BOOKS.len()).map(rare).collect();
    let old = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>()).wrapper;
    assert_eq!(json(&old, &pages[0])["award"], "Award of 1950");
    let dressed = |page: &String| {
        let renamed = page.replace("class=", "class=v2-").replace("Price", "Our price");
        format!("<div id=app class=shell>{renamed}</div>")
    };
    let repaired = repaired(&old, &pages[3..].iter().map(dressed).collect::<Vec<_>>());
    assert!(!repaired.is_unchanged);
    for page in &pages {
        assert_eq!(json(&repaired.wrapper, &dressed(page)), json(&old, page));
    }
}

/// Pages of which one is odd: a wrapper that was learnt from them alone would know less.
#[test]
fn an_odd_page_changes_nothing() {
    let old = wrapper_of_old();
    let mut pages = BOOKS[..4].iter().map(|book| old_page(*book)).collect::<Vec<_>>();
    pages.push("<h1>Not found</h1><p>Try again".to_owned());
    let repaired = repaired(&old, &pages);
    assert!(repaired.is_unchanged);
    assert_eq!(repaired.n_unfit, 1);
    assert_eq!(repaired.wrapper.to_json().unwrap(), old.to_json().unwrap());
}

#[test]
fn edits_are_made_again() {
    let mut old = wrapper_of_old();
    let edits = [
        Edit::rename("price", "cost"),
        Edit::drop("author"),
        Edit::merge_as(["pages", "name"], "about"),
    ];
    old.edit_all(edits).unwrap();
    let repaired = repaired(&old, &BOOKS.map(new_page));
    let found = Extractor::new(&repaired.wrapper).extract(&parse(&new_page(BOOKS[2])));
    assert_eq!(found.data["cost"], "$5.25");
    assert!(found.data.get("author").is_none());
    // The pages are gone, so what is left of the merge is the name.
    assert_eq!(found.data["about"], "Kim");
    assert!(repaired.lost_edits.is_empty(), "{:?}", repaired.lost_edits);
    let mut old = wrapper_of_old();
    old.edit(Edit::rename("pages", "length")).unwrap();
    let repaired = self::repaired(&old, &BOOKS.map(new_page));
    assert_eq!(repaired.lost_edits.len(), 1);
    assert_eq!(fate(&repaired, "length"), Some(Fate::Gone));
}

#[test]
fn a_few_pages_of_the_new_design_are_not_lost_among_the_old() {
    let mut pages = BOOKS.map(old_page).to_vec();
    pages.extend(BOOKS[..4].iter().map(|book| new_page(*book)));
    let repaired = repaired(&wrapper_of_old(), &pages);
    assert_eq!(repaired.n_unfit, 4);
    assert!(repaired.learnt_from[6..].iter().all(|it| *it), "{:?}", repaired.learnt_from);
    let found = Extractor::new(&repaired.wrapper).extract(&parse(&new_page(BOOKS[1])));
    let price = found.data.get("price").and_then(|it| it.as_str());
    assert_eq!(price, Some("$7.50"), "{}{:?}", repaired.wrapper.schema(), found);
}

/// Every class of a real shop renamed, and all of it in one more element.
#[test]
fn a_shop_in_new_clothes_is_read_as_before() {
    let pages = corpus("bookshop/detail/pages");
    let texts: Vec<String> =
        pages.iter().map(|(_, bytes)| String::from_utf8(bytes.clone()).expect("UTF-8")).collect();
    let (before, after) = texts.split_at(12);
    let parsed = |texts: &[String]| -> Vec<Page> { texts.iter().map(|it| parse(it)).collect() };
    let old = wrapper::learn(parsed(before), &LearnConfig::default()).unwrap().wrapper;
    let changed: Vec<String> = after
        .iter()
        .map(|text| {
            text.replace("class=\"", "class=\"v2-")
                .replace("<header class=\"v2-site", "<div id=app><header class=\"v2-site")
        })
        .collect();
    let repaired = repaired(&old, &changed);
    let (mut was, mut is) = (Extractor::new(&old), Extractor::new(&repaired.wrapper));
    let (mut n, mut n_same) = (0, 0);
    for (original, changed) in after.iter().zip(&changed) {
        let (original, changed) =
            (was.extract(&parse(original)).data, is.extract(&parse(changed)).data);
        n += original.len();
        n_same += original.iter().filter(|(name, value)| changed.get(name) == Some(value)).count();
    }
    assert!(n_same * 100 >= n * 85, "{n_same} of {n}");
}

/// Records keep the names of their set and columns too.
#[test]
fn a_list_in_new_clothes_is_read_as_before() {
    let pages = corpus("bookshop/list/pages");
    let texts: Vec<String> =
        pages.iter().map(|(_, bytes)| String::from_utf8(bytes.clone()).expect("UTF-8")).collect();
    let parsed = texts.iter().map(|it| parse(it)).collect();
    let old = wrapper::learn(parsed, &LearnConfig::default()).unwrap().wrapper;
    let changed: Vec<String> =
        texts.iter().map(|text| text.replace("class=\"", "class=\"v2-")).collect();
    let repaired = repaired(&old, &changed);
    let was = Extractor::new(&old).extract(&parse(&texts[2])).data;
    let is = Extractor::new(&repaired.wrapper).extract(&parse(&changed[2])).data;
    let books = |books: &Value, column: &str| -> Vec<Option<Value>> {
        books.as_records().expect("records").iter().map(|book| book.get(column).cloned()).collect()
    };
    for column in ["title", "title_url", "price", "old_price"] {
        let (was, is) = (books(&was["book_items"], column), books(&is["book_items"], column));
        assert_eq!(was, is, "{column}");
    }
}
