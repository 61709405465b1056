use super::*;
use crate::beside::Beside;
use expect_test::{Expect, expect};
use pagemill::InputPage;

fn view(html: &str) -> String {
    let input = InputPage { id: "none.html".into(), bytes: html.into(), ..InputPage::default() };
    let page = input.parse();
    let leaves = page.leaves();
    let beside = Beside::new(&[], Vec::new());
    let html = inert(&Parsed { page, leaves }, &beside.of(&input, None));
    html.replace("<meta charset=\"utf-8\">", "")
        .replace(&format!("<style>{OWN}</style>"), "")
        .replace(PIXEL, "PIXEL")
}

fn check(html: &str, expected: Expect) {
    expected.assert_eq(&view(html));
}

#[test]
fn leaves_can_be_found_again() {
    check(
        "<title>T</title><h1>One</h1><p>Two <b>three</b> four</p><img src=x.png alt=five><time datetime=2024-01-02>six</time><input value=seven>",
        expect![[
            r##"<html><head><title data-pm="0">T</title></head><body><h1 data-pm="1">One</h1><p><pm-t data-pm="2">Two </pm-t><b data-pm="3">three</b><pm-t data-pm="4"> four</pm-t></p><img alt="five" src="PIXEL" data-pm-gone="" data-pm-a="5"><time datetime="2024-01-02" data-pm="7" data-pm-a="6">six</time><input value="seven" data-pm-a="8"></body></html>"##
        ]],
    );
}

#[test]
fn what_runs_or_is_fetched_is_gone() {
    check(
        "<base href=//x><meta http-equiv=refresh content=0><link rel=preconnect href=//x><body onload=x() background=x.png>\
         <a href=javascript:x() ping=//x name=body>link</a><form id=f action=//x><input id=getAttribute name=body formaction=//x>\
         <iframe src=//x></iframe><object data=//x>old</object><svg onload=x()><use href=//x /><a xlink:href=javascript:x()><text>t</text></a>\
         <script>x()</script><rect fill='url(//x)' width=1 /></svg><xmp><script>x()</script></xmp>",
        expect![[
            r##"<html><head></head><body><a href="#" data-pm="0">link</a><form><input><div data-pm="1">old</div><svg><g><text data-pm="2">t</text></g><rect width="1"></rect></svg><pre data-pm="3">
&lt;script&gt;x()&lt;/script&gt;</pre></form></body></html>"##
        ]],
    );
}

#[test]
fn style_sheets_stand_in_the_head_and_stay_there() {
    check(
        "<p>a</p><svg><style>p{}</style></svg><style media=print>b{content:'</sty' '<img>'}@media (width <9px){}</style>",
        expect![[r##"<html><head><style>p{}</style><style>@media print {
b{content:'\3c /sty' '\3c img>'}@media (width <9px){}
}</style></head><body><p data-pm="0">a</p><svg></svg></body></html>"##]],
    );
}

#[test]
fn sheets_and_pictures_come_from_the_folder_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("one")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    };
    write("secret.css", "secret{}");
    write("site/css/a.css", "@import 'b.css'; a{}");
    write("site/css/b.css", "@import 'a.css'; b{}");
    write("site/x.png", "png");
    write("site/notes.txt", "notes");
    let page = write(
        "site/sub/page.html",
        "<link rel=stylesheet href=../css/a.css><link rel=stylesheet href=../../secret.css><link rel=stylesheet href=../notes.txt>\
         <img src=../x.png><img src=../../secret.css><img src=file:///etc/hostname>",
    );
    let bytes = std::fs::read(&page).expect("it is there");
    let input =
        InputPage { id: page.to_string_lossy().into_owned(), bytes, ..InputPage::default() };
    let page = input.parse();
    let leaves = page.leaves();
    let beside = Beside::new(&[folder.path().join("site")], Vec::new());
    let html = inert(&Parsed { page, leaves }, &beside.of(&input, None));
    assert!(html.contains("b{}</style><style>@import 'b.css'; a{}</style>"), "{html}");
    assert!(!html.contains("secret") && !html.contains("notes"), "{html}");
    assert_eq!(html.matches("data:image/png;base64,cG5n").count(), 1, "{html}");
    assert_eq!(html.matches("data-pm-gone").count(), 2 + 1, "{html}");
}
