//! Three shops with templates of their own: what is learnt from two names the columns of the third.

use super::*;
use annotate::{ColumnModel, Example, Label, Labels, Lesson, TrainConfig, train};

const SCHEMA: &str = "<!ELEMENT book (title, author, price, isbn?)>";

const TITLES: [&str; 8] = [
    "The Salt Road",
    "A Winter of Bees",
    "Nine Lamps",
    "Under the Slate",
    "Harbour Songs",
    "The Glass Orchard",
    "Letters to a Mill",
    "Low Tide",
];
const AUTHORS: [&str; 8] =
    ["Ann Lee", "Bo Stone", "Eva Berg", "Dan Wu", "Ida Holm", "Per Vik", "Una Moss", "Tom Reed"];

fn price(n: usize) -> String {
    format!("${}.9{n}", 7 + 3 * n)
}

fn isbn(n: usize) -> String {
    format!("97803065{:05}", 10_007 + 1_201 * n)
}

/// Page `n` of a shop, by the shop's template.
fn page(shop: usize, n: usize) -> Page {
    let (title, author, price, isbn) = (TITLES[n], AUTHORS[n], price(n), isbn(n));
    let html = match shop {
        0 => format!(
            "<title>{title} - Shop</title><h1>{title}</h1><p>by <a href=/a{n}>{author}</a></p>
             <table><tr><th>Price<td>{price}<tr><th>ISBN<td>{isbn}<tr><th>Stock<td>{n} left</table>"
        ),
        1 => format!(
            "<title>Buy {title}</title><div class=nav><a href=/>Home</a></div>
             <h2 class=name>{title}</h2><div>Author: <b>{author}</b></div>
             <div>Our price: <b class=price>{price}</b></div><div>ISBN: <b>{isbn}</b></div>
             <div>Rank: <b>#{}</b></div>",
            40 + n
        ),
        _ => format!(
            "<title>{title} | Books</title><ul><li><a href=/x>All books</a></ul><h1>{title}</h1>
             <dl><dt>Author<dd>{author}<dt>Pages<dd>{}<dt>Price<dd>{price}<dt>ISBN<dd>{isbn}</dl>",
            100 + 7 * n
        ),
    };
    crate::parse(html.as_bytes())
}

fn shop(shop: usize) -> Vec<Page> {
    (0..TITLES.len()).map(|n| page(shop, n)).collect()
}

fn labels() -> Vec<Labels> {
    let all = (0..TITLES.len()).map(|n| {
        let values = [TITLES[n].to_owned(), AUTHORS[n].to_owned(), price(n), isbn(n)];
        Labels::new(values.into_iter().enumerate().map(|(e, it)| Label::Value(e, it)).collect())
    });
    all.collect()
}

/// What is learnt from the first two shops.
fn model() -> Model {
    let target = Target::parse(SCHEMA).unwrap();
    let shops = [shop(0), shop(1)];
    let lessons: Vec<Lesson> = shops
        .iter()
        .map(|pages| {
            let cut = cut(&pages.iter().collect::<Vec<_>>(), NonZeroUsize::MIN).unwrap();
            let known: Vec<Labels> = cut.numbers.iter().map(|it| labels()[*it].clone()).collect();
            Lesson::new(&target, &cut.site, &known)
        })
        .collect();
    assert!(lessons.iter().all(|lesson| lesson.n_known() >= 4));
    let examples: Vec<Example<'_>> = shops[0]
        .iter()
        .zip(labels())
        .map(|(page, labels)| Example { page, site: "one".into(), labels })
        .collect();
    let model = train(&target, &examples, &TrainConfig::default());
    model.with_columns(ColumnModel::train(&target, &lessons.iter().collect::<Vec<_>>()))
}

#[test]
fn columns_of_a_site_never_seen_get_the_names_of_the_schema() {
    let pages = shop(2);
    let cut = cut(&pages.iter().collect::<Vec<_>>(), NonZeroUsize::MIN).unwrap();
    let named = cut.named(&model()).unwrap();
    let data = Extractor::new(&named.wrapper).extract(&pages[3]).data;
    let names: Vec<&str> = data.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["title", "author", "price", "isbn"], "and nothing else");
    assert_eq!(data["title"], TITLES[3]);
    assert_eq!(data["author"], AUTHORS[3]);
    assert_eq!(data["price"], price(3).as_str());
    assert_eq!(data["isbn"], isbn(3).as_str());
}

#[test]
fn a_model_of_columns_survives_its_file() {
    let model = model();
    let again = Model::from_json(&model.to_json()).unwrap();
    assert_eq!(again.to_json(), model.to_json());
    let page = page(2, 5);
    let found = again.annotate(&page).data(again.target());
    assert_eq!(found["title"], TITLES[5]);
    assert_eq!(found["price"], price(5).as_str());
    let damaged = model.to_json().replacen("\"categories\":7", "\"categories\":0", 1);
    assert!(Model::from_json(&damaged).is_err());
}

#[test]
fn a_model_without_columns_names_none() {
    let target = Target::parse(SCHEMA).unwrap();
    let pages = shop(0);
    let examples: Vec<Example<'_>> = pages
        .iter()
        .zip(labels())
        .map(|(page, labels)| Example { page, site: "one".into(), labels })
        .collect();
    let model = train(&target, &examples, &TrainConfig::default());
    let cut = cut(&pages.iter().collect::<Vec<_>>(), NonZeroUsize::MIN).unwrap();
    assert!(cut.named(&model).is_none());
}
