use crate::{corpus, learn, parse};
use page::Page;
use wrapper::{LearnConfig, LearnError, Learnt};

fn learn_bytes(pages: &[&[u8]]) -> Learnt {
    let pages = pages.iter().map(|bytes| page::parse(bytes)).collect();
    wrapper::learn(pages, &LearnConfig::default()).expect("there is something to learn")
}

fn schema_json(learnt: &Learnt) -> String {
    serde_json::to_string(learnt.schema()).expect("a schema is plain data")
}

#[test]
fn the_order_of_pages_leaves_no_trace() {
    let pages = corpus("bookshop/detail/pages");
    let mut pages: Vec<&[u8]> = pages.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let first = learn_bytes(&pages);
    for turn in 1..4 {
        pages.rotate_left(turn * 3);
        pages.swap(0, turn);
        assert_eq!(schema_json(&learn_bytes(&pages)), schema_json(&first));
    }
    pages.reverse();
    let again = learn_bytes(&pages);
    assert_eq!(schema_json(&again), schema_json(&first));
}

#[test]
fn data_comes_in_the_order_of_the_pages() {
    let learnt = learn(&["<h1>Dune</h1><p>a", "<h1>Emma</h1><p>b", "<h1>Ulysses</h1><p>c"]);
    let titles: Vec<_> =
        learnt.data.iter().map(|data| data.as_ref().expect("learnt")["title"].clone()).collect();
    assert_eq!(titles, ["Dune", "Emma", "Ulysses"]);
}

#[test]
fn pages_of_another_template_are_set_aside() {
    let book =
        |title: &str| format!("<div><h1>{title}</h1><p>Price <b>$5</b><ul><li>x<li>y</ul></div>");
    let pages = [book("A"), "<table><tr><td>404</table>".into(), book("B"), book("C")];
    let learnt = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(learnt.n_set_aside(), 1);
    assert!(learnt.data[1].is_none());
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let nothing = |pages: Vec<Page>| wrapper::learn(pages, &LearnConfig::default()).err();
    assert_eq!(nothing(Vec::new()), Some(LearnError::NoPages));
    assert_eq!(nothing(vec![parse(""), parse("<p> ")]), Some(LearnError::NothingShown(2)));
}

#[test]
fn one_page_and_the_same_page_twice_are_pages_too() {
    let page =
        "<h1>Books</h1><ul><li><a href=1>A</a> $1<li><a href=2>B</a> $2<li><a href=3>C</a> $3</ul>";
    for pages in [vec![page], vec![page, page]] {
        let learnt = learn(&pages);
        let data = learnt.data[0].as_ref().expect("learnt");
        assert_eq!(data["items"].as_records().map(<[_]>::len), Some(3), "{data:?}");
    }
}

#[test]
fn a_page_of_many_leaves_takes_no_time_to_speak_of() {
    let rows = |n: usize| -> String {
        (0..n).map(|i| format!("<tr><td>{i}<td>name {i}<td>${i}.00")).collect()
    };
    let start = std::time::Instant::now();
    let pages = [format!("<table>{}</table>", rows(7_000)), format!("<table>{}</table>", rows(10))];
    let learnt = learn(&[&pages[0], &pages[1]]);
    assert_eq!(
        learnt.data[0].as_ref().expect("learnt")["rows"].as_records().map(<[_]>::len),
        Some(7_000)
    );
    // A square of the leaves would take minutes; this bound only has to tell the two apart.
    assert!(start.elapsed().as_secs() < 20);
}
