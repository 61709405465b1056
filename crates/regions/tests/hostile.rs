use crate::sets_of;
use cpu_time::ThreadTime;
use page::{Limits, Page, ParseConfig};
use regions::{Method, RepeatConfig, SetConfig, record_sets};
use std::time::Duration;

/// What is linear takes a second at most, on a busy machine. A square of the siblings takes longer.
const GENEROUS: Duration = Duration::from_secs(8);

/// How many records the main set of a page has, found in time by our way and by the paper's.
#[track_caller]
fn n_records(page: &Page) -> usize {
    let start = ThreadTime::now();
    let sets = sets_of(page);
    assert!(start.elapsed() < GENEROUS, "took {:?}", start.elapsed());
    let start = ThreadTime::now();
    let config = SetConfig {
        repeat: RepeatConfig { method: Method::Scan, ..RepeatConfig::default() },
        ..SetConfig::default()
    };
    record_sets(page, &page.leaves(), None, &config);
    assert!(start.elapsed() < GENEROUS, "the scan took {:?}", start.elapsed());
    sets.first().map_or(0, |set| set.records.len())
}

fn of(n: usize, part: impl Fn(usize) -> String) -> Page {
    page::parse((0..n).map(part).collect::<String>().as_bytes())
}

#[test]
fn many_equal_siblings() {
    assert_eq!(n_records(&of(100_000, |_| "<p><b>x</b><i>y</i></p>".into())), 0);
}

#[test]
fn many_siblings_that_say_different_things() {
    assert_eq!(n_records(&of(100_000, |n| format!("<p><b>{n}</b><i>y{n}</i></p>"))), 100_000);
}

/// Each sibling has a tree of its own.
#[test]
fn many_siblings_that_are_all_different() {
    let tags = ["b", "i", "u", "em", "tt"];
    let tree = |mut n: usize| {
        let mut html = String::new();
        while n > 0 {
            html.push_str(&format!("<{}>x</{0}>", tags[n % tags.len()]));
            n /= tags.len();
        }
        format!("<div>{html}</div>")
    };
    n_records(&of(50_000, tree));
}

#[test]
fn siblings_of_as_many_classes() {
    n_records(&of(50_000, |n| format!("<div class=c{}><b>x{n}</b><i>y</i></div>", letters(n))));
}

fn letters(mut n: usize) -> String {
    let mut word = String::new();
    while n > 0 {
        word.extend(char::from_digit(u32::try_from(n % 26).unwrap_or_default() + 10, 36));
        n /= 26;
    }
    word
}

#[test]
fn deep_pages() {
    let config = ParseConfig::default().with_limits(Limits { depth: 6000, ..Limits::default() });
    let html = format!("{}x", "<div>a<p>b</p>".repeat(5000));
    n_records(&page::parse_with(html.as_bytes(), &config));
    n_records(&page::parse(html.as_bytes()));
}

/// Trees in trees, each of two halves that are alike but for one leaf.
#[test]
fn records_within_records() {
    fn tree(depth: usize, n: &mut usize) -> String {
        *n += 1;
        match depth {
            0 => format!("<b>{n}</b>"),
            _ => format!("<div>{}{}<i>{n}</i></div>", tree(depth - 1, n), tree(depth - 1, n)),
        }
    }
    n_records(&page::parse(tree(15, &mut 0).as_bytes()));
}

#[test]
fn pages_that_show_nothing() {
    for html in ["", "<p>", "<table><tr><td></table>", "Hello", "<img>"] {
        assert!(sets_of(&page::parse(html.as_bytes())).is_empty(), "{html:?}");
    }
}
