use crate::harness::{Run, corpus};
use expect_test::expect;

const PAGE: &[u8] = b"<title>Shop</title><ul>\
    <li><a href='/dune'>Dune</a> <b>$9.99</b>\
    <li><img src=a.png alt='A cat'> since <time datetime=2024-03-15>March</time></ul>";

#[test]
fn json_lines_hold_all_there_is_to_know() {
    let run = Run::with(&[("a.html", PAGE)]);
    expect![[r#"
        {"page":"a.html","n":0,"kind":"text","type":"string","path":"html/head/title","text":"Shop","xpath":"/html/head/title/text()","selector":"html > head > title","nth":0,"span":[7,11]}
        {"page":"a.html","n":1,"kind":"text","type":"string","path":"html/body/ul/li/a","text":"Dune","link":"/dune","xpath":"/html/body/ul/li[1]/a/text()","selector":"html > body > ul > li:nth-of-type(1) > a","nth":0,"span":[43,47]}
        {"page":"a.html","n":2,"kind":"text","type":"money","path":"html/body/ul/li/b","text":"$9.99","xpath":"/html/body/ul/li[1]/b/text()","selector":"html > body > ul > li:nth-of-type(1) > b","nth":0,"span":[55,60]}
        {"page":"a.html","n":3,"kind":"image","type":"url","path":"html/body/ul/li/img/@src","text":"A cat","src":"a.png","xpath":"/html/body/ul/li[2]/img/@src","selector":"html > body > ul > li:nth-of-type(2) > img","nth":0,"span":[77,82]}
        {"page":"a.html","n":4,"kind":"text","type":"string","path":"html/body/ul/li","text":"since","xpath":"/html/body/ul/li[2]/text()","selector":"html > body > ul > li:nth-of-type(2)","nth":0,"span":[96,101]}
        {"page":"a.html","n":5,"kind":"value","type":"date","path":"html/body/ul/li/time/@datetime","text":"2024-03-15","xpath":"/html/body/ul/li[2]/time/@datetime","selector":"html > body > ul > li:nth-of-type(2) > time","nth":0,"span":[117,127]}
        {"page":"a.html","n":6,"kind":"text","type":"string","path":"html/body/ul/li/time","text":"March","xpath":"/html/body/ul/li[2]/time/text()","selector":"html > body > ul > li:nth-of-type(2) > time","nth":1,"span":[128,133]}
        exit 0
    "#]].assert_eq(&run.run(&["leaves", "a.html"]).all());
}

#[test]
fn a_table_holds_what_people_want() {
    let run = Run::with(&[("a.html", PAGE), ("b.html", b"\xFF<meta charset=utf-8>\xFF")]);
    expect![[r#"
        a.html  UTF-8  7 leaves
        0  string      head/title            Shop
        1  string      ul/li/a               Dune → /dune
        2  money       ul/li/b               $9.99
        3  image       ul/li/img/@src        A cat → a.png
        4  string      ul/li                 since
        5  value date  ul/li/time/@datetime  2024-03-15
        6  string      ul/li/time            March

        b.html  UTF-8  2 leaves
        0  string  body  �
        1  string  body  �
        pagemill: "b.html": some bytes are not valid in the page's encoding
        exit 0
    "#]]
    .assert_eq(&run.run(&["leaves", "--table", "a.html", "b.html"]).all());
}

#[test]
fn a_table_fits_the_width() {
    let page = "<div><div><div><div><div>a text that is longer than a narrow terminal is <a href=/x>語</a>";
    let run = Run::with(&[("a.html", page.as_bytes())]);
    let output =
        run.command(&["leaves", "--table", "a.html"]).env("COLUMNS", "50").output().unwrap();
    expect![[r#"
        a.html  UTF-8  2 leaves
        0  string  …/div/div/div     a text that is longe…
        1  string  …/div/div/div/a   語 → /x
    "#]]
    .assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn leaves_can_be_chosen() {
    let run = Run::with(&[("a.html", PAGE), ("b.html", b"<p>5 EUR<p>6 EUR")]);
    expect![[r#"
        ./a.html  UTF-8  2 of 7 leaves
        2  money       ul/li/b               $9.99
        5  value date  ul/li/time/@datetime  2024-03-15

        ./b.html  UTF-8  2 leaves
        0  money  p  5 EUR
        1  money  p  6 EUR
        exit 0
    "#]]
    .assert_eq(&run.run(&["leaves", "--table", "--types", "money,date", "."]).all());
    expect![[r#"
        ./a.html  UTF-8  1 of 7 leaves
        0  string  head/title  Shop

        ./b.html  UTF-8  1 of 2 leaves
        0  money  p  5 EUR
        exit 0
    "#]]
    .assert_eq(&run.run(&["leaves", "--table", "--limit", "1", "."]).all());
}

#[test]
fn a_type_includes_those_below_it() {
    let page = b"<p>1<p>$2<p>3%<p>4 kg<p>5 min<p>2024-03-15<p>2024-03-15T14:32Z<p>text";
    let run = Run::with(&[("a.html", page)]);
    let of = |types| run.run(&["leaves", "--table", "--types", types, "a.html"]).all();
    expect![[r#"
        a.html  UTF-8  5 of 8 leaves
        0  number    p  1
        1  money     p  $2
        2  percent   p  3%
        3  quantity  p  4 kg
        4  duration  p  5 min
        exit 0
    "#]]
    .assert_eq(&of("number"));
    expect![[r#"
        a.html  UTF-8  4 of 8 leaves
        3  quantity  p  4 kg
        4  duration  p  5 min
        5  date      p  2024-03-15
        6  datetime  p  2024-03-15T14:32Z
        exit 0
    "#]]
    .assert_eq(&of("quantity,Date"));
    expect![[r#"
        a.html  UTF-8  2 of 8 leaves
        1  money     p  $2
        6  datetime  p  2024-03-15T14:32Z
        exit 0
    "#]]
    .assert_eq(&of("datetime,MONEY"));
    expect![[r#"
        a.html  UTF-8  1 of 8 leaves
        7  string  p  text
        exit 0
    "#]]
    .assert_eq(&of("string"));
}

#[test]
fn spans_are_in_the_bytes_as_they_came() {
    let bytes = b"<meta charset=koi8-r><p>\xC1\xC2<p>x";
    let run = Run::with(&[("a.html", bytes)]);
    let x = run.run(&["leaves", "a.html"]).stdout.lines().last().unwrap().to_owned();
    assert!(x.contains(r#""text":"x""#) && x.ends_with(r#""span":[29,30]}"#), "{x}");
}

#[test]
fn a_charset_can_be_forced() {
    let run = Run::with(&[("a.html", b"<meta charset=utf-8>\xB1")]);
    let outcome = run.run(&["leaves", "--table", "--charset", "iso-8859-2", "a.html"]);
    assert!(
        outcome.stdout.contains("ISO-8859-2") && outcome.stdout.contains('ą'),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_byte_order_mark_is_stronger_than_a_forced_charset() {
    let run = Run::with(&[("a.html", "\u{FEFF}<p>ą".as_bytes())]);
    let outcome = run.run(&["leaves", "--table", "--charset", "iso-8859-2", "a.html"]);
    assert!(outcome.stdout.contains("UTF-8") && outcome.stdout.contains('ą'), "{}", outcome.stdout);
}

/// What the parser has to say is no data, whatever the data looks like, and follows it.
#[test]
fn notes_go_to_stderr() {
    let run = Run::with(&[("a.html", b"<meta charset=utf-8>\xFF"), ("b.html", b"<p>1")]);
    for format in ["--table", "--json"] {
        let outcome = run.run(&["leaves", format, "a.html", "b.html"]);
        let note = "pagemill: \"a.html\": some bytes are not valid in the page's encoding\n";
        assert_eq!((&*outcome.stderr, outcome.code), (note, Some(0)), "{format}");
        assert!(!outcome.stdout.contains("not valid"), "{format}");
    }
}

/// Every line of every page of the corpus is JSON whose span leads to bytes of the page.
#[test]
fn the_corpus_comes_out_whole() {
    let outcome = Run::with(&[]).run(&["leaves", &corpus("odd"), &corpus("newspaper")]);
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.stdout.lines().count() > 1000);
    for line in outcome.stdout.lines() {
        let leaf: serde_json::Value = serde_json::from_str(line).unwrap();
        let n_bytes = std::fs::metadata(leaf["page"].as_str().unwrap()).unwrap().len();
        let is_within = leaf["span"].is_null() || leaf["span"][1].as_u64().unwrap() <= n_bytes;
        assert!(is_within, "{line}");
    }
}
