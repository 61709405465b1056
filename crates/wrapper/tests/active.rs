use crate::corpus;
use page::Page;
use std::borrow::Borrow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use wrapper::active::train_on;
use wrapper::{ActiveConfig, Extractor, LearnError, Status, Trained, train};

/// A book's page; some have a notice, some reviews, some two rows in another order, few a prize.
fn book(n: usize) -> String {
    let row = |label: &str, value: String| format!("<tr><th>{label}</th><td>{value}</td></tr>");
    let (pages, weight) = (row("Pages", format!("{}", 90 + n)), row("Weight", format!("{n} g")));
    let rows = if n % 4 == 1 { weight + &pages } else { pages + &weight };
    let sold = if n % 7 == 3 { "<p class=sold>Sold out <b>until May</b></p>" } else { "" };
    let reviews: String = (0..n % 3)
        .map(|i| format!("<li><b>Reader {i}{n}</b> said <i>{n} stars</i></li>"))
        .collect();
    let reviews = if n % 11 == 5 { format!("<ul>{reviews}<li></ul>") } else { String::new() };
    // As large as what others have in its place, so that size does not tell.
    let prize = match n % 13 {
        6 => format!("<address>Prize of <b>{n}</b></address>"),
        _ => format!("<p>Shelf <i>{n}</i></p>"),
    };
    format!(
        "<div><h1>Book {n}</h1>{prize}{sold}<table>{rows}</table>{reviews}<em>{n} sold</em></div>"
    )
}

fn books(n: usize) -> Vec<Page> {
    (0..n).map(|n| page::parse(book(n).as_bytes())).collect()
}

fn trained(pages: &[Page], config: &ActiveConfig) -> Trained {
    train_on(pages, config).expect("there is something to learn")
}

fn json(trained: &Trained) -> String {
    trained.learnt.wrapper.to_json().expect("plain data")
}

#[test]
fn few_pages_are_enough_for_all() {
    let trained = trained(&books(200), &ActiveConfig::default());
    assert_eq!(trained.n(Status::Verified), 200);
    assert!(trained.taken.len() <= 20, "{:?}", trained.taken);
    assert!(trained.n_rounds > 1, "what few pages have is not learnt at once");
}

#[test]
fn neither_order_nor_threads_leave_a_trace() {
    let mut pages = books(60);
    let first = json(&trained(&pages, &ActiveConfig::default()));
    let threads = NonZeroUsize::new(3).expect("three");
    assert_eq!(json(&trained(&pages, &ActiveConfig::default().with_threads(threads))), first);
    pages.reverse();
    assert_eq!(json(&trained(&pages, &ActiveConfig::default())), first);
    pages.rotate_left(17);
    assert_eq!(json(&trained(&pages, &ActiveConfig::default())), first);
}

#[test]
fn statuses_are_those_of_extraction() {
    let mut pages = books(40);
    pages.push(page::parse(b"<div><h1>Book 1</h1><table><caption>new</caption></table></div>"));
    let trained = trained(&pages, &ActiveConfig::default());
    let mut extractor = Extractor::new(&trained.learnt.wrapper);
    let expected: Vec<Status> = pages.iter().map(|page| extractor.extract(page).status).collect();
    assert_eq!(trained.statuses, expected);
    assert_eq!(trained.learnt.data.len(), trained.taken.len());
}

#[test]
fn no_more_pages_are_taken_or_held_than_wanted() {
    /// A page that knows how many others there are.
    struct Counted<'a>(Page, &'a AtomicUsize);
    impl Borrow<Page> for Counted<'_> {
        fn borrow(&self) -> &Page {
            &self.0
        }
    }
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::Relaxed);
        }
    }
    let (n_held, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let page = |n: usize| {
        most.fetch_max(n_held.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        Counted(page::parse(book(n).as_bytes()), &n_held)
    };
    for max_pages in [1, 3, 7] {
        let config = ActiveConfig::default().with_max_pages(max_pages);
        let trained = train(90, page, &config, |_| ()).expect("there is something to learn");
        assert!((1..=max_pages).contains(&trained.taken.len()), "{:?}", trained.taken);
        assert_eq!(trained.statuses.len(), 90);
        assert!(most.load(Ordering::Relaxed) <= max_pages + 1);
    }
}

#[test]
fn pages_of_other_templates_teach_nothing() {
    let books = corpus("bookshop/detail/pages");
    let news = corpus("newspaper/pages");
    let errors = (0..5).map(|n| format!("<table><tr><td>Error <i>{n}</i></td></tr></table>"));
    let mut pages: Vec<Page> =
        news.iter().chain(&books).map(|(_, bytes)| page::parse(bytes)).collect();
    pages.extend(errors.map(|html| page::parse(html.as_bytes())));
    let trained = trained(&pages, &ActiveConfig::default());
    let is_book = |number: &usize| (news.len()..news.len() + books.len()).contains(number);
    assert!(trained.taken.iter().all(is_book), "{:?}", trained.taken);
    for (number, status) in trained.statuses.iter().enumerate() {
        match is_book(&number) {
            true => assert_ne!(*status, Status::Failed, "{number}"),
            false => assert_ne!(*status, Status::Verified, "{number}"),
        }
    }
}

#[test]
fn copies_count_once_and_nothing_is_an_error() {
    let page = |n: usize| page::parse(book(n % 2).as_bytes());
    let trained = train(50, page, &ActiveConfig::default(), |_| ()).expect("two pages");
    assert_eq!((trained.taken.len(), trained.n(Status::Verified)), (2, 50));
    let nothing = |n| train(n, |_| page::parse(b"<p>"), &ActiveConfig::default(), |_| ()).err();
    assert_eq!(nothing(0), Some(LearnError::NoPages));
    assert_eq!(nothing(3), Some(LearnError::NothingShown(3)));
}
