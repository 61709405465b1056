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
        <g stroke-width="2">
        <rect x="10" y="134.0" width="12" height="12" fill="none" stroke="#c4ccd4"/>
        <text x="28" y="144.5" font-size="12">string 3</text>
        <rect x="100" y="134.0" width="12" height="12" fill="none" stroke="#2ca02c"/>
        <text x="118" y="144.5" font-size="12">money 1</text>
        </g>
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

/// The colour that leaves of a field have, by the legend of a drawing.
fn colour_of(svg: &str, field: &str) -> String {
    let lines: Vec<&str> = svg.lines().collect();
    let name = lines.iter().rposition(|line| line.contains(&format!(">{field} "))).unwrap();
    let colour = lines[name - 1].split("stroke=\"").nth(1).unwrap();
    colour.split('"').next().unwrap().to_owned()
}

/// Whether the outline before a text has a colour.
fn is_outlined(svg: &str, text: &str, colour: &str) -> bool {
    let lines: Vec<&str> = svg.lines().collect();
    let words = lines.iter().position(|line| line.contains(&format!(">{text}<"))).unwrap();
    lines[words - 1].contains(&format!("stroke=\"{colour}\""))
}

fn shop_page(title: &str, price: &str) -> String {
    format!(
        "<title>Shop</title><h1>{title}</h1><p>Price: <b>{price}</b><p><a href=/by/{price}>More</a><p>All of it by hand"
    )
}

#[test]
fn leaves_are_coloured_by_the_columns_of_a_wrapper() {
    let books = [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5"), ("Ubik", "$8")];
    let run = Run::with(&[("other.html", b"<table><tr><td>1<td>2<td>3<td>4</table>")]);
    for (title, price) in books {
        run.write(format!("shop/{title}.html"), shop_page(title, price).as_bytes());
    }
    run.run(&["learn", "shop", "-o", "w.json"]);
    let draw = |page: &str| {
        let args = ["render", page, "-o", "a.svg", "--engine", "rules", "--wrapper", "w.json"];
        run.run(&args).all()
    };
    assert_eq!(draw("shop/Kim.html"), "exit 0\n");
    let svg = run.read("a.svg");
    let (title, price) = (colour_of(&svg, "title"), colour_of(&svg, "price"));
    assert_ne!(title, price);
    assert!(is_outlined(&svg, "Kim", &title) && is_outlined(&svg, "$5", &price), "{svg}");
    assert!(is_outlined(&svg, "All of it by hand", &colour_of(&svg, "no field")), "{svg}");
    expect![[r#"
        pagemill: the wrapper finds nothing on "other.html"
        exit 3
    "#]]
    .assert_eq(&draw("other.html"));
    expect![[r#"
        pagemill: cannot use "no.json" as a wrapper: no such file; pagemill learn PAGES -o FILE makes one
        exit 2
    "#]]
    .assert_eq(&run.run(&["render", "other.html", "-o", "b.svg", "--wrapper", "no.json"]).all());
}

#[test]
fn leaves_are_coloured_by_the_elements_of_a_model() {
    let run = Run::with(&[("s.dtd", b"<!ELEMENT book (name, cost)>")]);
    let books = [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5"), ("Ubik", "$8"), ("She", "$4")];
    let mut labels = String::new();
    for (title, price) in books {
        let page = format!("{title}.html");
        run.write(&page, shop_page(title, price).as_bytes());
        let (name, cost) = (format!("name={title}"), format!("cost={price}"));
        labels += &run.run(&["label", &page, &name, &cost]).stdout;
    }
    run.write("labels.jsonl", labels.as_bytes());
    run.run(&["train", "--schema", "s.dtd", "labels.jsonl", "-o", "m.json"]);
    run.write("new.html", shop_page("Ulysses", "$6").as_bytes());
    let args = ["render", "new.html", "-o", "a.svg", "--engine", "rules", "--model", "m.json"];
    let outcome = run.run(&args);
    assert_eq!(outcome.all(), "exit 0\n");
    let svg = run.read("a.svg");
    let (name, cost) = (colour_of(&svg, "name"), colour_of(&svg, "cost"));
    assert_ne!(name, cost);
    assert!(is_outlined(&svg, "Ulysses", &name) && is_outlined(&svg, "$6", &cost), "{svg}");
}

#[test]
#[cfg(feature = "engine")]
fn style_sheets_come_from_the_archive_of_the_page() {
    let record = |url: &str, kind: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        let n_bytes = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {n_bytes}\r\n\r\n{block}\r\n\r\n"
        )
    };
    let page = "<link rel=stylesheet href=../css/main.css><link rel=stylesheet href=beside.css><h1>Dune</h1>";
    let archive = [
        record("https://shop.example/books/dune", "text/html", page),
        record(
            "https://shop.example/css/main.css",
            "text/css",
            "@import 'more.css'; h1 { color: #123456 }",
        ),
        record(
            "https://shop.example/css/more.css",
            "text/css",
            "h1 { position: absolute; left: 70px }",
        ),
    ]
    .concat();
    let run = Run::with(&[
        ("a.warc", archive.as_bytes()),
        ("beside.css", b"h1 { color: red !important }"),
    ]);
    assert_eq!(run.run(&["render", "a.warc", "-o", "a.svg"]).all(), "exit 0\n");
    let svg = run.read("a.svg");
    let title = svg.lines().find(|line| line.contains(">Dune<")).unwrap();
    assert!(title.contains("x=\"70.0\"") && title.contains("#123456"), "{title}");
}
