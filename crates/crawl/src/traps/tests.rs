use super::*;

fn url(path: &str) -> Url {
    Url::parse(&format!("http://a.example{path}")).unwrap()
}

#[track_caller]
fn check(path: &str, expected: Option<Trap>) {
    let limits = Limits { year: Some(2026), ..Limits::default() };
    assert_eq!(limits.judge(&url(path), 1), expected, "{path}");
}

#[test]
fn usual_addresses_are_no_traps() {
    for path in [
        "/",
        "/a/b/c.html?x=1&y=2",
        "/en/news/en/",
        "/2024/01/01/01/01/01/",
        "/1/1/1/1/1",
        "/departments/people/faculty/people/",
        "/search?q=a&page=2&sort=b&size=20&lang=en&x=1&y=2&z=3",
    ] {
        check(path, None);
    }
}

#[test]
fn shapes_of_traps_are_seen() {
    check(&"/a/b".repeat(3), Some(Trap::Repeating));
    check("/x/y/x/z/x/", Some(Trap::Repeating));
    check(&(0..17).map(|n| format!("/s{n}")).collect::<String>(), Some(Trap::TooManySegments));
    check(&"/1".repeat(17), Some(Trap::TooManySegments));
    check(&format!("/{}", "a".repeat(1_000)), Some(Trap::TooLong));
    check(&format!("/?{}", "f=1&".repeat(11)), Some(Trap::TooManyParameters));
    check(&format!("/?{}", "f=1&".repeat(10)), None);
    let limits = Limits::default();
    assert_eq!(limits.judge(&url("/"), limits.depth), None);
    assert_eq!(limits.judge(&url("/"), limits.depth + 1), Some(Trap::TooDeep));
}

#[test]
fn calendars_end() {
    for far in [
        "/calendar/2029/01",
        "/events/2035/1/12/",
        "/events/1985/12",
        "/events/2031-05-12/",
        "/events/1950-05",
        "/events/month/0001-01",
        "/?year=2031&month=5",
        "/?m=5&y=1901",
        "/?calendar_year=9999",
        "/?from=2031-05-12T08:00&x=1",
        "/?tribe-bar-date=1970-01-01",
        "/?date=20310512",
        "/?eventDate=203105",
    ] {
        check(far, Some(Trap::Calendar));
    }
    for near in [
        "/calendar/2028/12",
        "/calendar/1986/01",
        "/news/1996/05/12/title",
        "/books/1984",
        "/books/1984/99",
        "/books/1850",
        "/?year=1850",
        "/?year=2027&month=5",
        "/?id=20990101",
        "/products/9999/a",
        "/blog/2050-roadmap",
        "/blog/2050-10-things-to-do",
        "/?model=3100-05x",
        "/?date=99999999",
    ] {
        check(near, None);
    }
    assert_eq!(Limits::default().judge(&url("/calendar/9999/01"), 0), None);
}

fn count(found: &mut Yield, pattern: &str, n_pages: u32, is_new: bool) {
    (0..n_pages).for_each(|_| found.count(pattern, is_new));
}

#[test]
fn shapes_that_bring_nothing_are_left() {
    let mut found = Yield::new(&Limits::default());
    count(&mut found, "a.example/day/#", 49, false);
    assert!(!found.is_barren("a.example/day/#"));
    count(&mut found, "a.example/day/#", 1, false);
    assert!(found.is_barren("a.example/day/#"));
    assert!(!found.is_barren("a.example/day/#?x"));
    assert!(!found.is_barren("b.example/day/#"));
    // A tenth that is new is enough.
    (0..1_000).for_each(|n| found.count("a.example/item/#", n % 10 == 0));
    assert!(!found.is_barren("a.example/item/#"));
}

#[test]
fn what_was_rich_can_become_barren() {
    let pattern = "a.example/day/#";
    let mut found = Yield::new(&Limits::default());
    count(&mut found, pattern, 10_000, true);
    count(&mut found, pattern, 150, false);
    assert!(!found.is_barren(pattern));
    count(&mut found, pattern, 150, false);
    assert!(found.is_barren(pattern));
}

#[test]
fn counts_can_be_stored() {
    let limits = Limits::default();
    let mut found = Yield::new(&limits);
    count(&mut found, "a.example/b/#", 60, false);
    count(&mut found, "a.example/a/#", 3, true);
    let stored = || found.counts().map(|(it, count)| (it.to_owned(), count.fetched, count.new));
    assert_eq!(stored().next(), Some(("a.example/a/#".to_owned(), 3, 3)));
    let again = Yield::from_counts(stored(), &limits);
    assert!(again.counts().eq(found.counts()));
    assert!(again.is_barren("a.example/b/#") && !again.is_barren("a.example/a/#"));
    // Totals of a whole crawl will do.
    let totals = [("a.example/x".to_owned(), 1_000_000, 9), ("a.example/y".to_owned(), 5_000, 900)];
    let again = Yield::from_counts(totals, &limits);
    assert!(again.is_barren("a.example/x") && !again.is_barren("a.example/y"));
}

#[test]
fn a_host_of_endless_shapes_is_one_shape() {
    let mut found = Yield::new(&Limits::default());
    (0..MAX_PATTERNS + 60).for_each(|n| found.count(&format!("a.example/{n}"), false));
    assert_eq!(found.counts().count() as u32, MAX_PATTERNS + 1);
    assert!(found.is_barren("a.example/never/seen/before"));
    assert!(!found.is_barren("a.example/5"));
    assert!(!found.is_barren("b.example/never/seen/before"));
}
