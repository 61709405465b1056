//! Training and annotating, end to end, on pages of sites that differ in everything but what they are.

mod hostile;

use crate::{
    Clusters, Example, Kind, Label, Labels, MapConfig, Model, Place, Target, TrainConfig, train,
};
use page::Page;

const NEWS: &str = "<!ELEMENT news (title, author?, date?, content*)>";

/// An article as one of several sites would lay it out.
fn article(site: usize, nth: usize) -> String {
    let names = ["Ann Lee", "Bob Stone", "Carla Diaz", "Dan Wu", "Eva Berg"];
    let topics = ["Harbour", "Library", "Festival", "Railway", "Orchard"];
    let (author, topic) = (names[(site + nth) % 5], topics[(site * 3 + nth) % 5]);
    let day = 1 + (site * 7 + nth * 3) % 27;
    let sentence = |n: usize| {
        format!(
            "The {topic} was number {n} on the list, and the council said on record that it would stay open for as long as people came, which they did."
        )
    };
    let paragraphs = |tag: &str, class: &str| -> String {
        (0..5)
            .map(|n| format!("<{tag} class={class}>{} {}</{tag}>", sentence(n), sentence(n + 9)))
            .collect()
    };
    let menu = |tag: &str| -> String {
        ["Home", "Sports", "Weather", "About us", "Contact"]
            .map(|it| format!("<{tag}><a href=/x>{it}</a></{tag}>"))
            .concat()
    };
    let title = format!("{topic} to stay open after all, says council {nth}");
    match site % 3 {
        0 => format!(
            "<html><head><title>{title} | Daily {site}</title><meta property=og:title content='{title}'></head><body><ul class=nav>{}</ul>
             <article><h1 class=headline>{title}</h1><p class=byline>By {author}</p><time datetime=2024-03-{day:02}>March {day}, 2024</time>
             {}</article><footer class=footer><p>Copyright 2019 Daily {site}</p></footer></body></html>",
            menu("li"), paragraphs("p", "text"),
        ),
        1 => format!(
            "<html><head><title>Gazette {site} - {title}</title></head><body><table><tr><td class=menu>{}</td><td class=main>
             <h2 class=title>{title}</h2><div class=author>Written by <b>{author}</b></div><div class=date>{day} March 2024</div>
             <div class=story>{}</div></td></tr></table><div class=copyright>All rights reserved</div></body></html>",
            menu("div"), paragraphs("div", "par"),
        ),
        _ => format!(
            "<html><body><nav>{}</nav><main><header><h1>{title}</h1><span class=author-name>{author}</span> | <span>2024-03-{day:02}</span></header>
             <section class=content>{}</section></main><aside class=related><h3>Related</h3>{}</aside></body></html>",
            menu("span"), paragraphs("p", "copy"), menu("p"),
        ),
    }
}

/// What is on it, as labels.
fn labels(site: usize, nth: usize) -> Labels {
    let names = ["Ann Lee", "Bob Stone", "Carla Diaz", "Dan Wu", "Eva Berg"];
    let topics = ["Harbour", "Library", "Festival", "Railway", "Orchard"];
    let topic = topics[(site * 3 + nth) % 5];
    let day = 1 + (site * 7 + nth * 3) % 27;
    let page = page::parse(article(site, nth).as_bytes());
    let mut labels = vec![
        Label::Value(0, format!("{topic} to stay open after all, says council {nth}")),
        Label::Value(1, names[(site + nth) % 5].to_owned()),
        Label::Value(2, format!("2024-03-{day:02}")),
    ];
    let prose = page
        .leaves()
        .iter()
        .filter(|it| it.text.len() > 100)
        .map(|it| it.text.to_owned())
        .collect::<Vec<_>>();
    labels.extend(prose.into_iter().map(|text| Label::Value(3, text)));
    Labels::new(labels)
}

fn model(kind: Kind, order: &[usize]) -> Model {
    let target = Target::parse(NEWS).unwrap();
    let pages: Vec<(usize, Page)> =
        order.iter().map(|site| (*site, page::parse(article(*site, *site).as_bytes()))).collect();
    let examples: Vec<Example<'_>> = pages
        .iter()
        .map(|(site, page)| Example {
            page,
            site: format!("site {site}"),
            labels: labels(*site, *site),
        })
        .collect();
    train(&target, &examples, &TrainConfig { kind: Some(kind), ..TrainConfig::default() })
}

fn values(model: &Model, page: &Page) -> serde_json::Value {
    model.annotate(page).data(model.target())
}

#[test]
fn sites_never_seen_are_annotated() {
    for kind in [Kind::Naive, Kind::Tree] {
        let model = model(kind, &[0, 1, 2, 3, 4, 5]);
        for site in 6..12 {
            let page = page::parse(article(site, 40 + site).as_bytes());
            let data = values(&model, &page);
            let day = 1 + (site * 7 + (40 + site) * 3) % 27;
            assert!(
                data["title"].as_str().unwrap().ends_with(&format!("says council {}", 40 + site)),
                "{kind:?} {data}"
            );
            assert_eq!(
                data["author"],
                ["Ann Lee", "Bob Stone", "Carla Diaz", "Dan Wu", "Eva Berg"]
                    [(site + 40 + site) % 5],
                "{kind:?}"
            );
            assert_eq!(data["date"], format!("2024-03-{day:02}"), "{kind:?}");
            assert_eq!(data["content"].as_array().unwrap().len(), 5, "{kind:?} {data}");
        }
    }
}

#[test]
fn values_point_to_their_bytes() {
    let model = model(Kind::Tree, &[0, 1, 2, 3, 4, 5]);
    let page = page::parse(article(6, 2).as_bytes());
    for value in model.annotate(&page).values {
        let source = &page.source()[value.span.range()];
        let is_day = model.target().elements()[value.element].name() == "date";
        assert!(is_day || source.contains(&value.text), "{source:?} {value:?}");
        assert!(matches!(value.place, Place::Leaves(_)));
    }
}

#[test]
fn the_paper_s_clusters_find_the_text_too() {
    let model = model(Kind::Tree, &[0, 1, 2, 3, 4, 5]);
    let page = page::parse(article(7, 3).as_bytes());
    let all = [
        Clusters::None,
        Clusters::Unit,
        Clusters::Ancestor(30.0),
        Clusters::Region,
        Clusters::Blocks,
    ];
    for clusters in all {
        let data = model.annotate_with(&page, &MapConfig { clusters }).data(model.target());
        let content = data["content"].as_array().unwrap();
        assert!(content.len() >= 5, "{clusters:?} {data}");
    }
}

#[test]
fn models_are_files_and_their_order_leaves_no_trace() {
    let model_file = model(Kind::Tree, &[0, 1, 2, 3]).to_json();
    assert_eq!(Model::from_json(&model_file).unwrap().to_json(), model_file);
    assert_eq!(model(Kind::Tree, &[2, 0, 3, 1]).to_json(), model_file);
}

#[test]
fn damaged_models_are_refused() {
    let file = model(Kind::Tree, &[0, 1]).to_json();
    assert!(Model::from_json("{}").is_err());
    assert!(Model::from_json(&file[..file.len() / 2]).is_err());
    let newer = file.replacen("\"pagemill_model\":1", "\"pagemill_model\":9", 1);
    assert_eq!(
        Model::from_json(&newer).err().unwrap().to_string(),
        "the model has version 9, this program reads up to 1; update pagemill"
    );
    let mut json: serde_json::Value = serde_json::from_str(&file).unwrap();
    json["elements"][0]["first"]["network"]["nodes"][0]["logs"] = serde_json::json!([0.0]);
    assert!(Model::from_json(&json.to_string()).is_err());
}

#[test]
fn shipped_schemas_are_read() {
    for name in ["news", "product", "job", "event", "recipe", "person"] {
        let file = format!("{}/../../schemas/{name}.dtd", env!("CARGO_MANIFEST_DIR"));
        let target = Target::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(target.name(), name);
        assert!(target.elements().len() >= 5);
    }
}

/// A book of a shop whose lists have no labels, and numbers in any order: that of a book is even.
fn book(nth: usize) -> (String, String) {
    let letters = ["QX", "ZW", "KV", "JY", "PU"][nth % 5];
    let number = format!("{letters}{}", 1_000 + nth * 34);
    let other = |n: usize| format!("{letters}{}", 1_001 + nth * 34 + n);
    let mut lines = [number.clone(), other(0), other(20), other(400)];
    lines.rotate_left(nth % 4);
    let tag = ["li", "p", "td", "div"][nth % 4];
    let lines = lines.map(|it| format!("<{tag}>{it}</{tag}>")).concat();
    (format!("<h1>Book {nth}</h1><table><tr>{lines}</table>"), number)
}

#[test]
fn types_of_a_schema_are_evidence() {
    let found = |instruction: &str| {
        let dtd = format!("<!ELEMENT book (title, isbn?)>{instruction}");
        let target = Target::parse(&dtd).unwrap();
        let pages: Vec<(Page, String)> =
            (0..6).map(book).map(|(html, isbn)| (page::parse(html.as_bytes()), isbn)).collect();
        let examples = pages.iter().enumerate().map(|(nth, (page, isbn))| Example {
            page,
            site: format!("shop {nth}"),
            labels: Labels::new(vec![
                Label::Value(0, format!("Book {nth}")),
                Label::Value(1, isbn.clone()),
            ]),
        });
        let model = train(&target, &examples.collect::<Vec<_>>(), &TrainConfig::default());
        let is_found = |nth: &usize| {
            let (html, isbn) = book(*nth);
            values(&model, &page::parse(html.as_bytes()))["isbn"] == isbn
        };
        (20..40).filter(is_found).count()
    };
    let with = found("<?pagemill type isbn='[A-Z]+[0-9]*[02468]'?>");
    assert!(with == 20 && found("") < 20, "{with} with, {} without", found(""));
}

#[test]
fn the_thesaurus_of_a_schema_is_evidence() {
    let target = Target::parse(
        "<!ELEMENT book (title, price?)><?pagemill thesaurus price='our price, unser preis'?>",
    )
    .unwrap();
    let page =
        page::parse(b"<h1>Dune</h1><p>Our price</p><p>9.50</p><p>List price</p><p>12.00</p>");
    let labels = vec![Label::Value(0, "Dune".to_owned()), Label::Value(1, "9.50".to_owned())];
    let example = Example { page: &page, site: "a".to_owned(), labels: Labels::new(labels) };
    let model = train(&target, &[example], &TrainConfig::default());
    let worth = |label: &str| {
        let file: serde_json::Value = serde_json::from_str(&model.to_json()).unwrap();
        file["words"]["label"][label][1].as_f64().unwrap_or(0.0)
    };
    // One was told and seen, one was only told, one was seen at something else.
    assert!(worth("=our price") > 0.7 && worth("=unser preis") > 0.7, "{}", worth("=unser preis"));
    assert!(worth("=list price") <= 0.0);
}

#[test]
fn what_hardly_any_page_has_is_left_open() {
    let target = Target::parse("<!ELEMENT book (title, isbn?)>").unwrap();
    let open = |n_labelled: usize| {
        let pages: Vec<(Page, String)> =
            (0..41).map(book).map(|(html, isbn)| (page::parse(html.as_bytes()), isbn)).collect();
        let examples = pages.iter().enumerate().map(|(nth, (page, isbn))| {
            let isbn = (nth < n_labelled).then(|| Label::Value(1, isbn.clone()));
            let title = Label::Value(0, format!("Book {nth}"));
            let labels = Labels::new(std::iter::once(title).chain(isbn).collect());
            Example { page, site: format!("shop {nth}"), labels }
        });
        let model = train(&target, &examples.collect::<Vec<_>>(), &TrainConfig::default());
        (model.is_open(0), model.is_open(1))
    };
    assert_eq!((open(2), open(3)), ((false, true), (false, false)));
}

#[test]
fn pages_of_any_kind_are_borne() {
    let model = model(Kind::Tree, &[0, 1]);
    for html in
        ["", "<p>", "plain", "<title>x</title>", "<script type=application/ld+json>{}</script>"]
    {
        values(&model, &page::parse(html.as_bytes()));
    }
    let deep = "<div>".repeat(5_000) + "text";
    values(&model, &page::parse(deep.as_bytes()));
}
