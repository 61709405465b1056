//! Large, broken and hostile pages: learning ends in time, and what can be found is found.

use crate::{learn, parse};
use cpu_time::ThreadTime;
use page::Page;
use std::collections::BTreeSet;
use std::time::Duration;
use wrapper::{Data, Field, LearnConfig, LearnError, Learnt};

/// What is linear takes a second at most, unoptimised and on a busy machine. A square of the leaves takes longer.
const GENEROUS: Duration = Duration::from_secs(5);

/// Learn, within processor time that other tests and programs do not change.
#[track_caller]
fn learn_in_time(pages: &[String]) -> Learnt {
    let start = ThreadTime::now();
    let learnt = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let elapsed = start.elapsed();
    assert!(elapsed < GENEROUS, "took {elapsed:?}");
    learnt
}

fn repeat(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

fn data(learnt: &Learnt, page: usize) -> &Data {
    learnt.data[page].as_ref().expect("of the template")
}

/// The only set of a page, and how many records it has there.
#[track_caller]
fn only_set(learnt: &Learnt, page: usize) -> Vec<&Data> {
    let sets: Vec<_> =
        data(learnt, page).iter().filter_map(|(_, value)| value.as_records()).collect();
    assert_eq!(sets.len(), 1, "{}", learnt.schema());
    sets[0].iter().collect()
}

/// All values of some data, those of records too.
fn values(data: &Data) -> Vec<String> {
    let mut found = Vec::new();
    for (_, value) in data.iter() {
        match value.as_records() {
            Some(records) => found.extend(records.iter().flat_map(values)),
            None => found.extend(value.as_str().map(str::to_owned)),
        }
    }
    found
}

/// How many columns that are data, those of records too.
fn n_columns(fields: &[Field]) -> usize {
    let n = |field: &Field| match field {
        Field::Column(_) => usize::from(field.is_data()),
        Field::Set(set) => n_columns(&set.fields),
    };
    fields.iter().map(n).sum()
}

/// A word of letters only, another for each number: numbers in names of classes are looked through.
fn word(number: usize) -> String {
    let mut rest = number * 2_654_435 % 26_usize.pow(5);
    let mut word = String::new();
    for _ in 0..5 {
        word.extend(char::from_digit((rest % 26) as u32 + 10, 36));
        rest /= 26;
    }
    word
}

#[test]
fn a_table_of_20_000_leaves() {
    let table = |n_rows, page| {
        let row = |i| format!("<tr><td>{}<td>n{page}.{i}<td>${i}.00", i * 7 + page);
        format!("<h1>Page {page}</h1><table>{}</table>", repeat(n_rows, row))
    };
    let learnt = learn_in_time(&[table(6_700, 0), table(12, 1)]);
    let rows = only_set(&learnt, 0);
    assert_eq!((rows.len(), only_set(&learnt, 1).len()), (6_700, 12));
    assert_eq!(values(rows[6_699]), ["46893", "n0.6699", "$6699.00"]);
    assert!(rows.iter().all(|row| row.len() == 3));
    assert_eq!(n_columns(&learnt.schema().fields), 4, "{}", learnt.schema());
}

#[test]
fn a_list_of_20_000_leaves() {
    let list = |n_items, page| {
        let item = |i| {
            let sale = if i % 3 == 0 { "<u>Sale</u>" } else { "" };
            format!(
                "<li><h3>{} {page}</h3><p>by {}</p>{sale}<div>${i}.50</div></li>",
                word(i),
                word(i + 9)
            )
        };
        format!("<ul class=books>{}</ul>", repeat(n_items, item))
    };
    let learnt = learn_in_time(&[list(6_000, 0), list(5_000, 1)]);
    let items = only_set(&learnt, 0);
    assert_eq!((items.len(), only_set(&learnt, 1).len()), (6_000, 5_000));
    assert_eq!(
        values(items[1]),
        [format!("{} 0", word(1)), word(10), format!("by {}", word(10)), "$1.50".into()]
    );
    assert_eq!(items.iter().filter(|item| item.len() == 5).count(), 2_000);
    assert_eq!(n_columns(&learnt.schema().fields), 4, "{}", learnt.schema());
}

#[test]
fn a_list_of_short_links() {
    let item = |i| format!("<li><a href=/{i}>{}</a></li>", word(i));
    let learnt = learn_in_time(&[format!("<ul>{}</ul>", repeat(5_000, item))]);
    assert_eq!(only_set(&learnt, 0).len(), 5_000);
}

#[test]
fn a_paragraph_of_20_000_leaves() {
    let run = |page: usize| {
        let part = |i| {
            format!("{} <b>{}</b> ", word(page * 50_000 + 2 * i), word(page * 50_000 + 2 * i + 1))
        };
        format!("<p>{}</p>", repeat(10_000, part))
    };
    let learnt = learn_in_time(&[run(0), run(1)]);
    let found: BTreeSet<String> = values(data(&learnt, 0)).into_iter().collect();
    assert!((0..20_000).all(|i| found.contains(&word(i))), "some text is lost");
    assert!(n_columns(&learnt.schema().fields) < 10, "{}", learnt.schema());
}

#[test]
fn lines_that_markup_breaks() {
    let line = |i| format!("line {} <b>{}</b><br>", word(i), word(i + 20_000));
    let learnt = learn_in_time(&[format!("<p>{}</p>", repeat(10_000, line))]);
    assert!(
        n_columns(&learnt.schema().fields) < 10,
        "{} columns",
        n_columns(&learnt.schema().fields)
    );
}

#[test]
fn rows_of_10_000_cells() {
    let row = |page, row| format!("<tr>{}", repeat(10_000, |i| format!("<td>{page} {row} {i}")));
    let table = |page| format!("<table>{}</table>", repeat(2, |n| row(page, n)));
    let learnt = learn_in_time(&[table(0), table(1)]);
    assert!(values(data(&learnt, 1)).contains(&"1 1 9999".into()));
}

#[test]
fn a_table_of_5_000_labels() {
    let row = |page| move |i| format!("<tr><th>{}<td>{} {page}", word(i), word(i + 20_000));
    let learnt =
        learn_in_time(&[0, 1].map(|page| format!("<table>{}</table>", repeat(5_000, row(page)))));
    assert_eq!(n_columns(&learnt.schema().fields), 5_000);
    assert_eq!(data(&learnt, 1)[&word(77)], format!("{} 1", word(20_077)));
}

#[test]
fn siblings_that_are_all_built_differently() {
    // Each number, in binary, another path.
    let path = |i: usize, text: String| {
        (0..13).fold(text, |inner, bit| match i >> bit & 1 {
            0 => format!("<span>{inner}</span>"),
            _ => format!("<em>{inner}</em>"),
        })
    };
    let page = |page| {
        format!(
            "<div>{}</div>",
            repeat(8_000, |i| format!("<div>{}</div>", path(i, format!("{page} {i}"))))
        )
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    let found = values(data(&learnt, 0));
    assert!(["0 0", "0 4000", "0 7999"].iter().all(|text| found.contains(&(*text).into())));
}

#[test]
fn pages_with_nothing_in_common() {
    let pages = [
        "<h1>Dune</h1><h2>A novel</h2>",
        "<table><tr><td>404<td>not found</table>",
        "<ul><li>a<li>b<li>c</ul>",
        "<form><label>Name</label><textarea>none</textarea></form>",
    ];
    let learnt = learn(&pages);
    assert_eq!(learnt.n_set_aside(), 3, "{}", learnt.schema());
    let kept = learnt.data.iter().position(Option::is_some).expect("one is kept");
    assert_eq!(learnt.schema(), learn(&[pages[kept]]).schema());
    assert!(!values(data(&learnt, kept)).is_empty());
}

#[test]
fn two_thousand_pages_with_nothing_in_common() {
    let page = |n: usize| repeat(20, |i| format!("<{0}-{i}>{0} {i}</{0}-{i}>", word(n)));
    let learnt = learn_in_time(&(0..2_000).map(page).collect::<Vec<_>>());
    assert_eq!(learnt.n_set_aside(), 1_999);
}

#[test]
fn one_page_shows_its_records() {
    let learnt = learn(&["<h1>Books</h1><div class=list>\
        <article><h2>Dune</h2><p>Frank Herbert</p><i>$9.99</i></article>\
        <article><h2>Emma</h2><p>Jane Austen</p></article>\
        <article><h2>Ubik</h2><p>Philip K. Dick</p><i>$7.50</i></article></div>"]);
    let records = only_set(&learnt, 0);
    assert_eq!(records.len(), 3);
    assert_eq!(values(records[0]), ["Dune", "Frank Herbert", "$9.99"]);
    assert_eq!(values(records[1]), ["Emma", "Jane Austen"]);
    assert_eq!(values(records[2]), ["Ubik", "Philip K. Dick", "$7.50"]);
    assert_eq!(data(&learnt, 0)["title"], "Books");
}

#[test]
fn empty_pages_are_an_error() {
    let nothing = |pages: &[&str]| {
        let pages: Vec<Page> = pages.iter().map(|html| parse(html)).collect();
        wrapper::learn(pages, &LearnConfig::default()).err()
    };
    assert_eq!(nothing(&[""]), Some(LearnError::NothingShown(1)));
    let empty =
        ["", " ", "<!doctype html><html><body></body></html>", "<script>x()</script>", "<!-- -->"];
    assert_eq!(nothing(&empty), Some(LearnError::NothingShown(5)));
}

#[test]
fn an_empty_page_among_good_ones_changes_nothing() {
    let good = ["<h1>Dune</h1><p>$9", "<h1>Emma</h1><p>$7", "<h1>Ubik</h1><p>$5"];
    for empty in ["", "<!doctype html><body></body>"] {
        for place in 0..=good.len() {
            let mut pages = good.to_vec();
            pages.insert(place, empty);
            let learnt = learn(&pages);
            assert_eq!(learnt.schema(), learn(&good).schema());
            assert!(learnt.data[place].is_none());
            assert_eq!(learnt.n_set_aside(), 1);
        }
    }
}

#[test]
fn a_page_that_comes_twice_counts_once() {
    let pages = ["<h1>Dune</h1><h2>Price</h2><p>$9</p>", "<h1>Emma</h1><h2>Price</h2><p>$7</p>"];
    let once = learn(&pages);
    let twice = learn(&[pages[0], pages[1], pages[0], pages[0]]);
    assert_eq!(twice.schema(), once.schema());
    assert_eq!(twice.data[0], once.data[0]);
    assert_eq!(twice.data[1], once.data[1]);
    assert_eq!(twice.data[2..], [once.data[0].clone(), once.data[0].clone()]);
    // Alone, it is as if it had come once: nothing that it says is template for being said twice.
    assert_eq!(learn(&[pages[0], pages[0]]).schema(), learn(&[pages[0]]).schema());
    assert_eq!(values(data(&learn(&[pages[0], pages[0]]), 1)), ["Dune", "Price", "$9"]);
}

#[test]
fn what_stands_above_5_000_levels_is_found() {
    let page =
        |page| format!("<h1>Title {page}</h1>{}", repeat(5_000, |i| format!("<div>{page} at {i}")));
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(data(&learnt, 1)["title"], "Title 1");
    let found = values(data(&learnt, 1));
    assert!((0..390).all(|i| found.contains(&format!("1 at {i}"))));
}

#[test]
fn what_stands_below_5_000_levels_is_found() {
    let page = |page| format!("{}<p>deep {page}</p>", "<div>".repeat(5_000));
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(values(data(&learnt, 0)), ["deep 0"]);
    assert_eq!(values(data(&learnt, 1)), ["deep 1"]);
}

#[test]
fn lists_in_lists_5_000_levels_deep() {
    let page = |page| repeat(5_000, |i| format!("<ul><li>{page} first {i}<li>{page} second {i}"));
    let learnt = learn_in_time(&[page(0), page(1)]);
    let found = values(data(&learnt, 0));
    assert!((0..100).all(|i| found.contains(&format!("0 first {i}"))), "{}", learnt.schema());
}

#[test]
fn many_leaves_below_many_levels() {
    let page = |page| {
        let spans = repeat(10_000, |i| format!("<span>{page} {i}</span> "));
        format!("{}{spans}", "<span>".repeat(380))
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(only_set(&learnt, 0).len(), 10_000);
}

#[test]
fn siblings_of_3_000_classes_are_3_000_columns() {
    let page = |page| {
        format!(
            "<div>{}</div>",
            repeat(3_000, |i| format!("<div class={}>{page} {i}</div>", word(i)))
        )
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(n_columns(&learnt.schema().fields), 3_000);
    assert!((0..3_000).all(|i| data(&learnt, 1)[&word(i)] == format!("1 {i}")));
}

#[test]
fn records_that_have_3_000_classes_are_one_set() {
    let record = |i| {
        format!(
            "<div class={}><h3>{}</h3><p>{i} pages</p><i>${i}.00</i></div>",
            word(i),
            word(i + 9)
        )
    };
    let learnt = learn_in_time(&[format!("<div>{}</div>", repeat(3_000, record))]);
    assert_eq!(only_set(&learnt, 0).len(), 3_000);
    assert!(n_columns(&learnt.schema().fields) < 10);
}

#[test]
fn classes_that_come_twice_each() {
    let page = |page| {
        format!(
            "<div>{}</div>",
            repeat(4_000, |i| format!("<div class={}>{page} {i}</div>", word(i / 2)))
        )
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    let found: BTreeSet<String> = values(data(&learnt, 1)).into_iter().collect();
    assert!((0..4_000).all(|i| found.contains(&format!("1 {i}"))));
}

#[test]
fn parts_of_records_that_have_classes_of_their_own_are_one_column() {
    let page = |page: usize| {
        let record =
            |i| format!("<li><b class={}>{page} {i}</b><i>${i}</i></li>", word(page * 5_000 + i));
        format!("<ul>{}</ul>", repeat(1_000, record))
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(only_set(&learnt, 0).len(), 1_000);
    assert!(
        n_columns(&learnt.schema().fields) < 10,
        "{} columns",
        n_columns(&learnt.schema().fields)
    );
}

#[test]
fn two_hundred_pages_of_one_template() {
    let page = |page: usize| {
        let item = |i| format!("<li><h3>{}</h3><p>${i}.{page:02}</p></li>", word(page * 40 + i));
        format!(
            "<h1>{}</h1><dl><dt>Pages<dd>{page}<dt>Weight<dd>{page} kg</dl><ul>{}</ul>",
            word(page),
            repeat(3 + page % 9, item)
        )
    };
    let learnt = learn_in_time(&(0..200).map(page).collect::<Vec<_>>());
    assert_eq!(learnt.n_set_aside(), 0);
    for page in [0, 7, 199] {
        assert_eq!(data(&learnt, page)["title"], word(page));
        assert_eq!(data(&learnt, page)["pages"], page.to_string());
        assert_eq!(data(&learnt, page)["weight"], format!("{page} kg"));
        assert_eq!(only_set(&learnt, page).len(), 3 + page % 9);
    }
    assert_eq!(n_columns(&learnt.schema().fields), 5, "{}", learnt.schema());
}

#[test]
fn attributes_that_are_megabytes_long() {
    let long = "x".repeat(3_000_000);
    let page = |page| {
        format!(
            "<h1 class={long} id={long}{page}>Title {page}</h1>\
             <a href=/{page}{long}>Link {page}</a><img src={page}.png alt='{page} {long}' title={long}>"
        )
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert!(values(data(&learnt, 1)).contains(&"Title 1".into()));
    assert!(values(data(&learnt, 1)).contains(&"Link 1".into()));
    assert!(values(data(&learnt, 1)).contains(&format!("/1{long}")));
    let longest = |field: &Field| match field {
        Field::Column(column) => column.name.len(),
        Field::Set(set) => set.name.len(),
    };
    assert!(learnt.schema().fields.iter().map(longest).max() < Some(60));
}

#[test]
fn classes_of_40_000_words() {
    let words = |from: usize| repeat(40_000, |i| format!("{} ", word(from + i)));
    let page = |page: usize| {
        format!(
            "<div class='{}'>first {page}</div><div class='{}'>second {page}</div>",
            words(0),
            words(40_000)
        )
    };
    let learnt = learn_in_time(&[page(0), page(1)]);
    assert_eq!(values(data(&learnt, 0)), ["first 0", "second 0"]);
    assert_eq!(values(data(&learnt, 1)), ["first 1", "second 1"]);
}

#[test]
fn leaves_that_are_all_equal_are_no_data() {
    let pages = [20_000, 12_345].map(|n| format!("<div>{}</div>", "<p>same</p>".repeat(n)));
    let learnt = learn_in_time(&pages);
    assert_eq!(n_columns(&learnt.schema().fields), 0, "{}", learnt.schema());
    assert!(learnt.data.iter().flatten().all(Data::is_empty));
    let pages = pages.iter().map(|html| parse(html)).collect();
    let learnt = wrapper::learn(pages, &LearnConfig::default().with_template(true)).expect("shown");
    assert_eq!((only_set(&learnt, 0).len(), only_set(&learnt, 1).len()), (20_000, 12_345));
    assert!(values(data(&learnt, 0)).iter().all(|text| text == "same"));
}
