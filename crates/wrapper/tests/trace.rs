use crate::{corpus, learn, parse};
use page::Page;
use wrapper::{Extractor, How, LearnConfig, Loss, ProblemKind, Trace, Traced, Wrapper};

fn wrapper_of(folder: &str) -> (Wrapper, Vec<Page>) {
    let pages: Vec<Page> = corpus(folder).iter().map(|(_, bytes)| page::parse(bytes)).collect();
    let learnt = wrapper::learn(pages.clone(), &LearnConfig::default()).expect("alike");
    (learnt.wrapper, pages)
}

fn value<'t>(trace: &'t Trace, field: &str) -> &'t Traced {
    trace.values.iter().find(|it| it.field.to_string() == field).expect("the field is there")
}

#[test]
fn a_trace_has_what_extraction_gives_and_every_place_leads_back() {
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        let (wrapper, pages) = wrapper_of(folder);
        let mut extractor = Extractor::new(&wrapper);
        for page in &pages {
            let trace = extractor.trace(page);
            assert_eq!(trace.extraction, extractor.extract(page), "{folder}");
            assert!(!trace.values.is_empty());
            let leaves = page.leaves();
            let addresses = page.addresses(&leaves);
            for traced in &trace.values {
                assert!(!traced.sources.is_empty(), "{}", traced.field);
                for source in &traced.sources {
                    let leaf = addresses.find(&source.address.xpath);
                    let is_leaf = leaf.is_some_and(|leaf| leaf.position == source.leaf);
                    let is_attribute = source.address.xpath.contains("/@");
                    assert!(is_leaf || is_attribute, "{}: {}", traced.field, source.address.xpath);
                }
            }
        }
    }
}

/// The choice that is told is the choice that was made, and by what is told nothing else would be better.
#[test]
fn rivals_score_no_better_than_what_was_chosen() {
    let (mut n_rivals, mut n_better) = (0, 0);
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        let (wrapper, pages) = wrapper_of(folder);
        let mut extractor = Extractor::new(&wrapper);
        for traced in pages.iter().flat_map(|page| extractor.trace(page).values) {
            n_rivals += traced.state.rivals.len();
            n_better += traced.state.rivals.iter().filter(|it| it.loss == Loss::Elsewhere).count();
        }
    }
    assert!(n_rivals > 100, "{n_rivals}");
    assert!(n_better * 100 < n_rivals, "{n_better} of {n_rivals}");
}

#[test]
fn a_link_is_traced_to_its_attribute_and_affixes_are_left_out() {
    let html =
        |n: usize| format!("<h1>T{n}</h1><p>Weight: {n}0 g</p><a href='/x?{n}&amp;y'>See {n}</a>");
    let pages: Vec<String> = (1..6).map(html).collect();
    let learnt = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let page = parse(&html(7));
    let trace = Extractor::new(&learnt.wrapper).trace(&page);
    let written = |field: &str| &page.source()[value(&trace, field).span.range()];
    assert_eq!((written("weight"), &*value(&trace, "weight").prefix), ("70 g", "Weight: "));
    let link = trace.values.iter().find(|it| it.value == "/x?7&y").expect("a link");
    assert_eq!(&page.source()[link.span.range()], "/x?7&amp;y");
    assert_eq!(link.sources[0].address.xpath, "/html/body/a/@href");
}

#[test]
fn how_a_place_was_found() {
    let html = |title: &str, class: &str| {
        format!("<div class='{class}'><h1>{title}</h1><p>by {title} Sr</p></div>")
    };
    let pages = ["Ada", "Bo", "Cy", "Di"].map(|it| html(it, "book"));
    let learnt = learn(&pages.each_ref().map(String::as_str));
    let mut extractor = Extractor::new(&learnt.wrapper);
    let how = |trace: &Trace| value(trace, "title").state.how;
    assert_eq!(how(&extractor.trace(&parse(&html("Ed", "book")))), How::Exactly);
    assert_eq!(how(&extractor.trace(&parse(&html("Ed", "libro")))), How::ByTags);
}

#[test]
fn a_problem_says_what_was_expected_and_what_is_nearest() {
    let html = |n: usize, rest: &str| {
        format!(
            "<div class=main><div class=book><h1>Tome {n}</h1><p class=price>${n}</p>{rest}</div></div><p>End {n}</p>"
        )
    };
    let pages: Vec<String> = (1..8).map(|n| html(n, "")).collect();
    let learnt = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let mut extractor = Extractor::new(&learnt.wrapper);
    let found = extractor.extract(&parse(&html(9, "<em>Sold out</em>")));
    let problem = &found.problems[0];
    assert_eq!(problem.kind, ProblemKind::New);
    assert_eq!((&*problem.text, &*problem.path), ("Sold out", "html/body/div/div/em"));
    assert_eq!(problem.after.as_deref(), Some("price"));
    assert!(matches!(problem.nearest.as_deref(), Some("title" | "price")), "{problem:?}");

    let found = extractor.extract(&parse("<ul><li>a<li>b</ul>"));
    let kinds: Vec<ProblemKind> = found.problems.iter().map(|it| it.kind).collect();
    assert_eq!(kinds[0], ProblemKind::New);
    assert!(matches!(kinds.last(), Some(ProblemKind::Missing { .. })), "{kinds:?}");
    assert_eq!(found.problems[0].expected, ["title"]);
}
