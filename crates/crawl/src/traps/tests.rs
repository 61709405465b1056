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

fn record(found: &mut Yield, path: &str, n_pages: u32, is_new: bool) {
    (0..n_pages).for_each(|n| found.record(&url(&path.replace('#', &n.to_string())), is_new));
}

#[test]
fn shapes_that_bring_nothing_are_left() {
    let mut found = Yield::new(&Limits::default());
    record(&mut found, "/day/#", 49, false);
    assert_eq!(found.judge(&url("/day/1000")), None);
    record(&mut found, "/day/#", 1, false);
    assert_eq!(found.judge(&url("/day/1000")), Some(Trap::Barren));
    assert_eq!(found.judge(&url("/day/1000?x=1")), None);
    assert_eq!(found.judge(&url("/item/1000")), None);
    // A tenth that is new is enough.
    for n in 0..1_000 {
        found.record(&url(&format!("/item/{n}")), n % 10 == 0);
    }
    assert_eq!(found.judge(&url("/item/1000")), None);
}

#[test]
fn what_was_rich_can_become_barren() {
    let mut found = Yield::new(&Limits::default());
    record(&mut found, "/day/#", 10_000, true);
    assert_eq!(found.judge(&url("/day/1")), None);
    record(&mut found, "/day/#", 150, false);
    assert_eq!(found.judge(&url("/day/1")), None);
    record(&mut found, "/day/#", 150, false);
    assert_eq!(found.judge(&url("/day/1")), Some(Trap::Barren));
}

#[test]
fn counts_can_be_stored() {
    let mut found = Yield::new(&Limits::default());
    record(&mut found, "/b/#", 60, false);
    record(&mut found, "/a/#", 3, true);
    let stored: Vec<(String, Count)> =
        found.counts().map(|(pattern, count)| (pattern.to_owned(), count)).collect();
    assert_eq!(stored[0], ("a.example/a/#".to_owned(), Count { fetched: 3, new: 3 }));
    let mut again = Yield::new(&Limits::default());
    stored.iter().for_each(|(pattern, count)| again.restore(pattern, *count));
    assert!(again.counts().eq(found.counts()));
    assert_eq!(again.judge(&url("/b/7")), Some(Trap::Barren));
}

#[test]
fn a_host_of_endless_shapes_is_one_shape() {
    let mut found = Yield::new(&Limits::default());
    let letters = |n: u32| n.to_string().bytes().map(|it| char::from(it + 49)).collect::<String>();
    for n in 0..MAX_PATTERNS + 60 {
        found.record(&url(&format!("/{}", letters(n))), false);
    }
    assert_eq!(found.counts().count() as u32, MAX_PATTERNS + 1);
    assert_eq!(found.judge(&url("/never/seen/before")), Some(Trap::Barren));
    assert_eq!(found.judge(&url(&format!("/{}", letters(5)))), None);
    let other = Url::parse("http://b.example/never/seen/before").unwrap();
    assert_eq!(found.judge(&other), None);
}
