use crate::corpus;
use page::{Page, ParseConfig};
use std::path::PathBuf;
use wrapper::{
    Data, Edit, Extraction, Extractor, Field, LearnConfig, Learnt, Schema, Status, Wrapper,
};

fn learn_from(pages: &[(PathBuf, Vec<u8>)]) -> Learnt {
    let pages: Vec<Page> = pages.iter().map(|(_, bytes)| page::parse(bytes)).collect();
    wrapper::learn(pages, &LearnConfig::default()).expect("there is something to learn")
}

fn extract_all(learnt: &Learnt, pages: &[(PathBuf, Vec<u8>)]) -> Vec<Extraction> {
    let mut extractor = Extractor::new(&learnt.wrapper);
    pages.iter().map(|(_, bytes)| extractor.extract(&page::parse(bytes))).collect()
}

/// How many values of its own some data has, and how many of them other data has too, records compared as wholes.
fn n_same(schema: &Schema, data: &Data, other: &Data) -> (usize, usize) {
    let columns: Vec<&str> =
        schema.fields.iter().filter(|it| it.is_data()).map(Field::name).collect();
    let own = data.iter().filter(|(column, _)| columns.contains(column));
    let same = own.clone().filter(|(column, value)| other.get(column) == Some(value));
    (own.count(), same.count())
}

#[test]
fn pages_that_were_learnt_from_fit_and_give_what_was_learnt() {
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        let pages = corpus(folder);
        let learnt = learn_from(&pages);
        let (mut n_values, mut n_equal) = (0, 0);
        for (index, found) in extract_all(&learnt, &pages).into_iter().enumerate() {
            let name = pages[index].0.display();
            assert_eq!(found.status, Status::Verified, "{name}: {:?}", found.problems);
            let data = learnt.data[index].as_ref().expect("of the template");
            let (n, same) = n_same(learnt.schema(), data, &found.data);
            n_values += n;
            n_equal += same;
        }
        assert!(n_equal * 100 >= n_values * 99, "{folder}: {n_equal} of {n_values}");
    }
}

#[test]
fn a_page_of_another_template_does_not_fit() {
    let books = corpus("bookshop/detail/pages");
    let learnt = learn_from(&books);
    for folder in ["bookshop/list/pages", "newspaper/pages"] {
        for (found, (name, _)) in extract_all(&learnt, &corpus(folder)).iter().zip(corpus(folder)) {
            assert_ne!(found.status, Status::Verified, "{}", name.display());
            assert!(!found.problems.is_empty(), "{}", name.display());
        }
    }
}

#[test]
fn a_page_that_nobody_saw_is_read_and_told_what_does_not_fit() {
    let book = |title: &str, rows: &str| format!("<h1>{title}</h1><table>{rows}</table>");
    let row = |label: &str, value: &str| format!("<tr><th>{label}</th><td>{value}</td></tr>");
    let pages: Vec<Page> = (0..8)
        .map(|i| {
            let pages = row("Pages", &format!("{}", 100 + i));
            let weight = row("Weight", &format!("{} g", 200 + i));
            let rows = match i % 3 {
                0 => pages + &weight,
                1 => weight + &pages,
                _ => pages,
            };
            page::parse(book(&format!("Book {i}"), &rows).as_bytes())
        })
        .collect();
    let wrapper = wrapper::learn(pages, &LearnConfig::default()).expect("alike").wrapper;
    let mut extractor = Extractor::new(&wrapper);
    let mut extract = |html: String| extractor.extract(&page::parse(html.as_bytes()));

    let found = extract(book("Emma", &row("Pages", "474")));
    assert_eq!(found.status, Status::Verified, "{:?}", found.problems);
    assert_eq!((&found.data["title"], &found.data["pages"]), (&"Emma".into(), &"474".into()));

    let found = extract(book("Emma", &(row("Pages", "474") + "<caption>Facts</caption>")));
    assert_eq!(found.status, Status::Partial);
    assert_eq!(found.data["pages"], "474");
    assert!(found.problems[0].to_string().contains("Facts"), "{}", found.problems[0]);
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A page with something in it that its template does not have.
fn mutated(html: &[u8], dice: &mut Dice) -> Vec<u8> {
    const JUNK: [&str; 16] = [
        "<b>",
        "</b>",
        "<p>",
        "</div>",
        "</table>",
        "<table>x<tr>",
        "<a href=/x?a=1&amp;b=2>y</a>",
        "<img src=z.png alt='a picture'>",
        "text",
        "<!-- -->",
        "<div hidden>",
        "<td>",
        "&nbsp;",
        "<script>x",
        "<form><input value=1>",
        "<li class=new>$5.00",
    ];
    let mut html = html.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(html.len());
        let end = (at + dice.below(200)).min(html.len());
        match dice.below(3) {
            0 => drop(html.drain(at..end)),
            1 => html.splice(at..at, html[at..end].to_vec()).for_each(drop),
            _ => html.splice(at..at, JUNK[dice.below(JUNK.len())].bytes()).for_each(drop),
        }
    }
    html
}

/// Whether from its bytes or from its tree, a page gives the same: data, status, problems and warnings. So it does with what
/// extractors before found out.
#[test]
fn bytes_give_what_the_tree_gives() {
    let folders = [
        "bookshop/detail/pages",
        "bookshop/list/pages",
        "newspaper/pages",
        "articles/pages",
        "odd",
    ];
    let mut dice = Dice(1);
    for folder in folders {
        let pages = corpus(folder);
        let Ok(learnt) = wrapper::learn(
            pages.iter().step_by(2).map(|(_, bytes)| page::parse(bytes)).collect(),
            &LearnConfig::default(),
        ) else {
            continue;
        };
        let (mut by_tree, mut by_bytes) =
            (Extractor::new(&learnt.wrapper), Extractor::new(&learnt.wrapper));
        let others = corpus("newspaper/pages");
        let mut check = |bytes: &[u8], name: &str| {
            let expected = by_tree.extract(&page::parse(bytes));
            let found = by_bytes.extract_bytes(bytes, &ParseConfig::default());
            assert_eq!(found, expected, "{name}: {:?}", String::from_utf8_lossy(bytes));
            let mut after_others = learnt.wrapper.extractor();
            let found = after_others.extract_bytes(bytes, &ParseConfig::default());
            assert_eq!(found, expected, "{name}: {:?}", String::from_utf8_lossy(bytes));
        };
        for round in 0..3 {
            for (name, bytes) in pages.iter().chain(others.iter().take(3)) {
                check(bytes, &name.to_string_lossy());
                if round > 0 {
                    check(&mutated(bytes, &mut dice), &name.to_string_lossy());
                }
            }
        }
    }
}

/// What was found out with a wrapper serves those that it is copied to, and is no hindrance when they are edited.
#[test]
fn what_others_found_out_serves_edited_wrappers() {
    let pages = corpus("bookshop/list/pages");
    let wrapper = learn_from(&pages).wrapper;
    let rename = |wrapper: &Wrapper| {
        let first = wrapper.schema().fields[0].name().to_owned();
        let mut edited = wrapper.clone();
        edited.edit(Edit::rename(&first, "renamed")).expect("it is there");
        edited
    };
    // Copied before anybody extracts, and after.
    let before = rename(&wrapper);
    let read = |wrapper: &Wrapper, bytes: &[u8]| {
        let expected = Extractor::new(wrapper).extract(&page::parse(bytes));
        let found = wrapper.extractor().extract_bytes(bytes, &ParseConfig::default());
        assert_eq!(found, expected);
    };
    read(&wrapper, &pages[0].1);
    let after = rename(&wrapper);
    for (_, bytes) in pages.iter().chain(&pages) {
        [&before, &wrapper, &after].into_iter().for_each(|wrapper| read(wrapper, bytes));
    }
}

/// Bytes are read in the charset that came with them.
#[test]
fn bytes_are_read_in_their_charset() {
    let pages = ["<h1>Dune</h1><b>a</b>", "<h1>Emma</h1><b>b</b>", "<h1>Kim</h1><b>c</b>"];
    let learnt = crate::learn(&pages);
    let config = ParseConfig::default().with_charset("iso-8859-2");
    let mut extractor = Extractor::new(&learnt.wrapper);
    for _ in 0..3 {
        let found = extractor.extract_bytes(b"<h1>\xB1</h1><b>d</b>", &config);
        assert_eq!(found.data["title"], "ą");
    }
}
