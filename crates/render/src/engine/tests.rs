use super::{Config, Detail, Fetch, Renderer, Trouble};
use crate::look::{Align, Look, Rgb};
use std::sync::Arc;
use std::time::Duration;

fn render(config: Config, html: &str) -> Vec<(String, Look)> {
    let page = page::parse(html.as_bytes());
    let leaves = page.leaves();
    let rendering =
        Renderer::new(config).render(&page, &leaves, Some("http://a.example/shop/1.html"));
    assert_eq!(rendering.trouble, None);
    leaves.iter().map(|leaf| leaf.text.to_owned()).zip(rendering.looks).collect()
}

fn find(looks: &[(String, Look)], text: &str) -> Look {
    looks.iter().find(|(it, _)| it == text).unwrap_or_else(|| panic!("{text} is a leaf")).1
}

#[test]
fn style_sheets_apply() {
    let looks = render(
        Config::default(),
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><html xmlns='http://www.w3.org/1999/xhtml'>
         <style>.price { color: rgb(200, 0, 10); font-weight: 600; font-size: 150% } div > p { text-align: right }
         body { background: #fafafa } .off { display: none } i { font-style: normal } a & b {}</style>
         <div><p>left<p class=price>price<p class=off>off<p><i>i</i> <em>em</em></div>",
    );
    let price = find(&looks, "price");
    assert_eq!((price.size, price.weight, price.align), (24.0, 600, Align::Right));
    assert_eq!((price.colour, price.background), (Rgb::of(0xc8_000a), Some(Rgb::of(0xfa_fafa))));
    assert!(!find(&looks, "off").is_visible);
    assert!(find(&looks, "em").is_italic && !find(&looks, "i").is_italic);
}

#[test]
fn linked_sheets_come_from_the_caller() {
    let fetch: Fetch = Arc::new(|url| {
        (url == "http://a.example/shop/a.css").then(|| b"p { color: #010203 }".to_vec())
    });
    let html = "<link rel=stylesheet href=a.css><link rel=stylesheet href='http://[bad'><p>text";
    let with = render(Config { fetch: Some(fetch), ..Config::default() }, html);
    assert_eq!(find(&with, "text").colour, Rgb::of(0x01_0203));
    let without = render(Config::default(), html);
    assert_eq!(find(&without, "text").colour, Rgb::BLACK);
}

#[test]
fn leaves_have_places() {
    let looks = render(
        Config { width: 600, ..Config::default() },
        "<style>body { margin: 0 } .a { position: absolute; top: 400px; left: 50px }
         .r { float: right } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden }</style>
         <p class=a>abs</p><h1>head</h1>one <b>two</b> three<br>four <i>five</i>
         <div class=r>right</div><ul style='list-style: inside decimal'><li>item <b>bold</b> last</ul>
         <span class=sr>unseen</span><img src='::' width=30 height=20 alt=img><input value=field>
         <p style='text-transform: uppercase'>straße <b>x</b> ende</p><p style='direction:rtl'>שלום <b>עולם</b></p>",
    );
    let area = |text: &str| find(&looks, text).area.unwrap_or_else(|| panic!("{text} has a place"));
    assert_eq!((area("abs").x, area("abs").y.round() > 400.0), (50.0, true));
    let (one, two, three, four) = (area("one"), area("two"), area("three"), area("four"));
    assert!(area("head").y < one.y);
    assert!(one.x < two.x && two.x < three.x && one.x + one.width <= two.x);
    assert!((one.y - three.y).abs() < 2.0 && four.y > one.y && four.x == one.x);
    assert!(four.x + four.width < area("five").x);
    let right = area("right");
    assert!((right.x + right.width - 600.0).abs() < 1.0, "{right:?}");
    let (item, bold, last) = (area("item"), area("bold"), area("last"));
    assert!(item.x < bold.x && bold.x < last.x && item.x + item.width <= bold.x);
    assert!(!find(&looks, "unseen").is_visible);
    assert_eq!((area("img").width, area("img").height), (30.0, 20.0));
    assert!(area("field").width > 50.0);
    assert!(area("straße").x < area("x").x && area("x").x < area("ende").x);
    assert!(area("שלום").x > area("עולם").x);
}

#[test]
fn tables_are_laid_out_as_in_browsers() {
    let looks = render(
        Config { width: 800, ..Config::default() },
        "<style>body { margin: 0 } table { border-spacing: 0 } td { padding: 0 } .t caption { color: #010203; text-align: left }</style>
         <table class=t><caption>above</caption><tr><td>below<td>beside</table>
         <table width='100%'><tr valign=TOP><td width='25%'>one<br>more<br>most<td width='25%'>two<td width='50%' valign=bottom>three</table>
         <table><tr><td>tall<br>er<td>middle</table>",
    );
    let area = |text: &str| find(&looks, text).area.unwrap_or_else(|| panic!("{text} has a place"));
    assert_eq!(find(&looks, "above").colour, Rgb::of(0x01_0203));
    assert_eq!((area("above").x, area("above").y < area("below").y), (0.0, true));
    assert!(area("beside").x > area("above").x && area("beside").y == area("below").y);
    assert_eq!((area("one").x, area("two").x, area("three").x), (0.0, 200.0, 400.0));
    assert_eq!((area("two").y, area("three").y), (area("one").y, area("most").y));
    assert!(area("middle").y > area("tall").y && area("middle").y < area("er").y);
}

#[test]
fn controls_have_the_size_that_browsers_give_them() {
    let looks = render(
        Config::default(),
        "<body style='font: bold 30px/3 serif'><input value=field> <button>push</button> <button style='font: inherit'>large</button>",
    );
    let (field, push) = (find(&looks, "field"), find(&looks, "push"));
    assert_eq!((field.weight, push.weight, push.size.round()), (400, 400, 13.0));
    assert!(field.area.is_some_and(|it| it.width > 150.0 && it.width < 200.0), "{field:?}");
    assert!(push.area.is_some_and(|it| it.height < 25.0), "{push:?}");
    assert_eq!((find(&looks, "large").size, find(&looks, "large").weight), (30.0, 700));
}

#[test]
fn pictures_that_are_not_there_keep_their_shape() {
    let html = "<style>img { max-width: 100%; height: auto }</style><div style='width: 200px'>
                <img src=a.png alt=wide width=400 height=300><img src=b.png alt=odd width=4x height=-1>";
    let looks = render(Config::default(), html);
    let area = find(&looks, "wide").area.expect("it has a place");
    assert_eq!((area.width, area.height), (200.0, 150.0));
    assert!(find(&looks, "odd").area.is_none());
}

#[test]
fn style_alone_is_the_same_style() {
    let html = "<style>p { color: red; font-size: 3em }</style><p>a<details><summary>b</summary>c</details>";
    let boxes = render(Config::default(), html);
    let styles = render(Config { detail: Detail::Style, ..Config::default() }, html);
    for ((_, boxed), (_, styled)) in boxes.iter().zip(&styles) {
        assert_eq!(&Look { area: None, ..*boxed }, styled);
        assert_eq!(boxed.area.is_some(), boxed.is_visible);
    }
    assert_eq!(styles[0].1.size, 48.0);
    assert!(styles[1].1.is_visible && !styles[2].1.is_visible);
}

#[test]
fn a_page_that_hides_until_its_scripts_run_is_seen() {
    let html =
        "<style>html, body { visibility: hidden !important; opacity: 0; display: none }</style>
                <body style='display: none'><p>text";
    for detail in [Detail::Style, Detail::Boxes] {
        let looks = render(Config { detail, ..Config::default() }, html);
        assert!(find(&looks, "text").is_visible, "{detail:?}");
    }
}

#[test]
fn pages_with_nothing_or_much_are_fine() {
    for html in
        ["", "<html></html>", "text", "<svg><text>t</text></svg>", "<math><mi>x</mi></math>"]
    {
        render(Config::default(), html);
    }
    render(Config::default(), &"<div>x".repeat(600));
    render(Config::default(), &"<table><tr><td>x".repeat(100));
}

#[test]
fn a_late_page_falls_back_to_the_rules_and_the_next_is_rendered() {
    // The caller's own function hangs for a while, as the engine may.
    let fetch: Fetch = Arc::new(|url| {
        if url.ends_with("slow.css") {
            std::thread::sleep(Duration::from_millis(400));
        }
        None
    });
    let config =
        Config { deadline: Duration::from_millis(200), fetch: Some(fetch), ..Config::default() };
    let deadline = config.deadline;
    let mut renderer = Renderer::new(config);
    let page = page::parse(b"<link rel=stylesheet href=slow.css><h1>head</h1>");
    let late = renderer.render(&page, &page.leaves(), None);
    assert_eq!(late.trouble, Some(Trouble::Late(deadline)));
    assert_eq!((late.looks[0].size, late.looks[0].area), (32.0, None));
}

#[test]
fn a_panic_costs_one_page() {
    let fetch: Fetch = Arc::new(|url| match url.ends_with("bad.css") {
        true => panic!("no such sheet"),
        false => None,
    });
    let mut renderer = Renderer::new(Config { fetch: Some(fetch), ..Config::default() });
    let page = page::parse(b"<link rel=stylesheet href=bad.css><h1>head</h1>");
    let failed = renderer.render(&page, &page.leaves(), None);
    assert_eq!(failed.trouble, Some(Trouble::Failed("no such sheet".to_owned())));
    assert_eq!(failed.looks[0].size, 32.0);
    let page = page::parse(b"<h1>head</h1>");
    let next = renderer.render(&page, &page.leaves(), None);
    assert!(next.trouble.is_none() && next.looks[0].area.is_some());
}
