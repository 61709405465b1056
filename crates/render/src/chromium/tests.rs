//! With the browser of this machine, if there is one.

use super::{Chromium, find_chromium};
use crate::engine::{Config, Trouble};
use std::time::Duration;

fn browser(config: Config) -> Option<Chromium> {
    let program = find_chromium();
    if program.is_none() {
        eprintln!("no browser on the PATH: nothing is tested");
    }
    program.map(|program| Chromium::new(&program, config))
}

#[test]
fn a_browser_tells_looks_and_places() {
    let Some(mut browser) =
        browser(Config { deadline: Duration::from_secs(60), ..Config::default() })
    else {
        return;
    };
    let page = page::parse(
        b"<!doctype html><style>body { background: #fafafa } b { color: #010203; font-size: 30px } .off { display: none }</style>
          <p>one<!-- --> two <b>three</b> four<br>five</p><p class=off>six</p><img width=30 height=20 alt=i src=x>",
    );
    let leaves = page.leaves();
    for _ in 0..2 {
        let rendering = browser.render(&page, &leaves, None);
        assert_eq!(rendering.trouble, None);
        let looks = &rendering.looks;
        let x = |n: usize| looks[n].area.map(|area| area.x).unwrap_or_default();
        assert!(x(0) < x(1) && x(1) < x(2) && x(2) < x(3) && x(4) == x(0), "{looks:?}");
        assert_eq!((looks[2].size, looks[2].weight), (30.0, 700));
        assert_eq!(looks[2].colour.to_string(), "#010203");
        assert_eq!(looks[2].background.map(|it| it.to_string()).as_deref(), Some("#fafafa"));
        assert!(!looks[5].is_visible);
        assert_eq!(looks[6].area.map(|area| (area.width, area.height)), Some((30.0, 20.0)));
    }
}

#[test]
fn scripts_run_where_they_are_asked_to() {
    let Some(mut browser) =
        browser(Config { deadline: Duration::from_secs(60), ..Config::default() })
    else {
        return;
    };
    let html = "<p id=a>before</p><script>document.getElementById('a').textContent = 'af' + 'ter'</script>";
    let settled = browser.settle(html).expect("it runs");
    assert!(settled.contains(">after</p>"), "{settled}");
    let page = page::parse(html.as_bytes());
    assert!(browser.render(&page, &page.leaves(), None).looks[0].is_visible);
}

#[test]
fn a_page_that_hangs_costs_the_browser_and_the_next_gets_another() {
    let Some(mut browser) =
        browser(Config { deadline: Duration::from_secs(5), ..Config::default() })
    else {
        return;
    };
    let hangs = browser.settle("<script>for (;;) {}</script>");
    assert_eq!(hangs, Err(Trouble::Late(Duration::from_secs(5))));
    let settled = browser.settle("<p>fine").expect("it runs");
    assert!(settled.contains("fine"));
}

#[test]
fn a_browser_that_is_none_is_told() {
    let mut browser = Chromium::new("/no/such/browser".as_ref(), Config::default());
    let page = page::parse(b"<p>x");
    let rendering = browser.render(&page, &page.leaves(), None);
    assert!(matches!(rendering.trouble, Some(Trouble::Failed(_))));
    assert_eq!(rendering.looks.len(), 1);
}
