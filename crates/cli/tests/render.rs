use crate::harness::{Run, corpus};
use expect_test::expect;

const PAGE: &[u8] = b"<!doctype html><link rel=stylesheet href='css/a%20b.css?v=1'><link rel=stylesheet href=../out.css>\
    <link rel=stylesheet href=file:///etc/passwd>\
    <h1>Dune &lt;&amp;&gt;</h1><p>by <i>Frank Herbert</i><p class=price>$9.99<script>document.body.remove()</script>";

#[test]
fn a_page_is_drawn_by_its_tags() {
    let run = Run::with(&[("a.html", PAGE)]);
    expect![[r#"
        exit 0
    "#]]
    .assert_eq(
        &run.run(&["render", "a.html", "-o", "a.svg", "--engine", "rules", "--width", "300"]).all(),
    );
    expect![[r##"
        <svg xmlns="http://www.w3.org/2000/svg" width="300" height="158" viewBox="0 0 300 158" font-family="Liberation Sans, Arial, Helvetica, sans-serif">
        <rect width="300" height="158" fill="#ffffff"/>
        <rect x="8.0" y="8.0" width="128.0" height="43.2" fill="none" stroke="#c4ccd4"/>
        <text x="8.0" y="40.8" font-size="32.0" fill="#000000" font-weight="700" xml:space="preserve">Dune &lt;&amp;&gt;</text>
        <rect x="8.0" y="51.2" width="16.0" height="21.6" fill="none" stroke="#c4ccd4"/>
        <text x="8.0" y="67.6" font-size="16.0" fill="#000000" xml:space="preserve">by</text>
        <rect x="8.0" y="72.8" width="104.0" height="21.6" fill="none" stroke="#c4ccd4"/>
        <text x="8.0" y="89.2" font-size="16.0" fill="#000000" font-style="italic" xml:space="preserve">Frank Herbert</text>
        <rect x="8.0" y="94.4" width="40.0" height="21.6" fill="none" stroke="#2ca02c"/>
        <text x="8.0" y="110.8" font-size="16.0" fill="#000000" xml:space="preserve">$9.99</text>
        <rect x="10" y="134.0" width="12" height="12" fill="none" stroke="#c4ccd4" stroke-width="2"/>
        <text x="28" y="144.5" font-size="12">string 3</text>
        <rect x="100" y="134.0" width="12" height="12" fill="none" stroke="#2ca02c" stroke-width="2"/>
        <text x="118" y="144.5" font-size="12">money 1</text>
        </svg>
    "##]].assert_eq(&run.read("a.svg"));
}

#[test]
#[cfg(feature = "engine")]
fn style_sheets_come_from_the_folder_of_the_page_alone() {
    let run = Run::with(&[
        ("site/a.html", PAGE),
        (
            "site/css/a b.css",
            b".price { color: #123456; position: absolute; left: 70px; top: 9px }",
        ),
        ("out.css", b"h1 { color: #ff0000 }"),
    ]);
    assert_eq!(run.run(&["render", "site/a.html", "-o", "a.svg"]).all(), "exit 0\n");
    let svg = run.read("a.svg");
    let price = svg.lines().find(|line| line.contains("$9.99")).unwrap();
    assert!(price.contains("x=\"70.0\"") && price.contains("#123456"), "{price}");
    assert!(!svg.contains("#ff0000"), "{svg}");
    run.run(&["render", "site/a.html", "-o", "a.svg", "--root", "."]);
    assert!(run.read("a.svg").contains("#ff0000"));
}

#[test]
fn pictures_are_png_too() {
    let run = Run::with(&[]);
    for folder in ["bookshop/list/pages", "newspaper/pages", "university/site"] {
        let entries = std::fs::read_dir(corpus(folder)).unwrap();
        let is_page = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "html");
        let page = entries.map(|entry| entry.unwrap().path()).filter(is_page).min().unwrap();
        let outcome =
            run.run(&["render".as_ref(), page.as_os_str(), "-o".as_ref(), "a.PNG".as_ref()]);
        assert_eq!(outcome.all(), "exit 0\n");
        let bytes = std::fs::read(run.path().join("a.PNG")).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{page:?}: {}", bytes.len());
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let run = Run::with(&[("a.html", PAGE), ("empty.html", b"<!-- nothing -->")]);
    let all = |args: &[&str]| run.run(args).all();
    expect![[r#"
        pagemill: "empty.html" shows nothing
        exit 1
    "#]]
    .assert_eq(&all(&["render", "empty.html", "-o", "a.svg"]));
    expect![[r#"
        error: invalid value 'a.gif' for '--output <FILE>': pictures are .svg or .png

        For more information, try '--help'.
        exit 2
    "#]]
    .assert_eq(&all(&["render", "a.html", "-o", "a.gif"]));
    expect![[r#"
        pagemill: cannot read "none.html": no such file or folder
        exit 3
    "#]]
    .assert_eq(&all(&["render", "none.html", "-o", "a.svg"]));
    expect![[r#"
        pagemill: cannot write "no/folder/a.svg": No such file or directory (os error 2)
        exit 3
    "#]]
    .assert_eq(&all(&["render", "a.html", "-o", "no/folder/a.svg"]));
    assert!(!run.path().join("a.svg").exists());
}
