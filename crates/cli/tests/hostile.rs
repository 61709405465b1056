use crate::harness::Run;
use expect_test::expect;

const PAGE: &str =
    "<p>red \u{1b}[31m <a href='\u{9b}2J'>\u{202e}txt\u{7f}</a> <b\u{1b}[0m>x</b\u{1b}[0m>";

fn is_harmful(character: char) -> bool {
    let is_line_end = character == '\n';
    character.is_control() && !is_line_end
        || matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn nothing_of_a_page_steers_the_terminal() {
    let run = Run::with(&[("a.html", PAGE.as_bytes())]);
    let table = run.run(&["leaves", "--table", "a.html"]).all();
    assert!(!table.contains(is_harmful), "{table:?}");
    expect![[r#"
        a.html  UTF-8  3 leaves
        0  string  p        red ␛[31m
        1  string  p/a      <U+202E>txt␡ → <U+009B>2J
        2  string  p/b␛[0m  x
        exit 0
    "#]]
    .assert_eq(&table);
    let json = run.run(&["leaves", "a.html"]).all();
    assert!(!json.contains(is_harmful), "{json:?}");
    expect![[r#"
        {"page":"a.html","n":0,"kind":"text","type":"string","path":"html/body/p","text":"red \u001b[31m","xpath":"/html/body/p/text()[1]","selector":"html > body > p","nth":0,"span":[3,12]}
        {"page":"a.html","n":1,"kind":"text","type":"string","path":"html/body/p/a","text":"\u202etxt\u007f","link":"\u009b2J","xpath":"/html/body/p/a/text()","selector":"html > body > p > a","nth":0,"span":[28,35]}
        {"page":"a.html","n":2,"kind":"text","type":"string","path":"html/body/p/b\u001b[0m","text":"x","xpath":"/html/body/p/*[2]/text()","selector":"html > body > p > :nth-child(2)","nth":0,"span":[47,48]}
        exit 0
    "#]].assert_eq(&json);
}

#[cfg(unix)]
#[test]
fn nothing_of_a_file_name_steers_the_terminal() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let run = Run::with(&[]);
    let name = OsStr::from_bytes(b"\x1B[31m\xFF\xE2\x80\xAElmth.html");
    run.write(name, b"<p>1");
    let table = run.run(&["leaves", "--table", "."]).all();
    assert!(!table.contains(is_harmful), "{table:?}");
    expect![[r#"
        ./␛[31m�<U+202E>lmth.html  UTF-8  1 leaf
        0  number  p  1
        exit 0
    "#]]
    .assert_eq(&table);
    let missing =
        run.run(&[OsStr::new("leaves"), OsStr::from_bytes(b"no\x1B[31m\n\xFF.html")]).all();
    expect![[r#"
        pagemill: cannot read "no\u{1b}[31m\n\xFF.html": no such file or folder
        exit 3
    "#]]
    .assert_eq(&missing);
    let flag = run.run(&[OsStr::new("leaves"), OsStr::from_bytes(b"--no\x1B[31m.html")]).all();
    assert!(!flag.contains(is_harmful), "{flag:?}");
    let command = run.run(&[name]).all();
    assert!(!command.contains(is_harmful), "{command:?}");
}
