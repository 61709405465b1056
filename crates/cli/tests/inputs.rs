use crate::harness::Run;
use expect_test::expect;

fn response(url: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n");
    let n_bytes = http.len() + body.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {n_bytes}\r\n\r\n"
    );
    [header.as_bytes(), http.as_bytes(), body, b"\r\n\r\n"].concat()
}

#[test]
fn folders_patterns_and_files_come_in_order() {
    let run = Run::with(&[
        ("b.html", b"<p>b"),
        ("site/2.html", b"<p>2"),
        ("site/1.htm", b"<p>1"),
        ("site/x.css", b"p {}"),
    ]);
    expect![[r#"
        site/1.htm  UTF-8  1 leaf
        0  number  p  1

        site/2.html  UTF-8  1 leaf
        0  number  p  2

        b.html  UTF-8  1 leaf
        0  string  p  b

        site/2.html  UTF-8  1 leaf
        0  number  p  2
        exit 0
    "#]]
    .assert_eq(&run.run(&["leaves", "--table", "site", "b.html", "s*/?.html"]).all());
}

#[test]
fn a_list_comes_from_stdin() {
    let run = Run::with(&[("a.html", b"<p>a"), ("b.html", b"<p>b")]);
    let args = ["leaves", "--table", "-"];
    expect![[r#"
        b.html  UTF-8  1 leaf
        0  string  p  b

        a.html  UTF-8  1 leaf
        0  string  p  a
        pagemill: cannot read "no.html": no such file or folder
        exit 3
    "#]]
    .assert_eq(&run.run_with_stdin(&args, b"b.html\nno.html\na.html").all());
    expect![[r#"
        pagemill: stdin is a page, not a list of paths: pass /dev/stdin to read it as a page
        exit 3
    "#]]
    .assert_eq(&run.run_with_stdin(&args, b"<!doctype html>\n<p>a\n").all());
    let marked = "\u{FEFF}<!doctype html>\n<p>a\n";
    expect![[r#"
        pagemill: stdin is a page, not a list of paths: pass /dev/stdin to read it as a page
        exit 3
    "#]]
    .assert_eq(&run.run_with_stdin(&args, marked.as_bytes()).all());
    expect![[r#"
        pagemill: no paths on stdin: - reads a list of them, one a line
        exit 3
    "#]]
    .assert_eq(&run.run_with_stdin(&args, b"").all());
}

/// A list from nowhere is an empty one, and none of this is a panic.
#[cfg(unix)]
#[test]
fn stdin_may_be_gone() {
    let run = Run::with(&[("a.html", b"<p>a")]);
    let shell = |script: &str| {
        let output = std::process::Command::new("sh")
            .args(["-c", script, "sh", env!("CARGO_BIN_EXE_pagemill")])
            .current_dir(run.path())
            .output()
            .unwrap();
        format!("{}exit {:?}\n", String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    expect![[r#"
        pagemill: no paths on stdin: - reads a list of them, one a line
        exit Some(3)
    "#]]
    .assert_eq(&shell("exec <&-; \"$1\" leaves -"));
    expect![[r#"
        pagemill: cannot read the list on stdin: is a directory
        exit Some(3)
    "#]]
    .assert_eq(&shell("\"$1\" leaves - < ."));
    expect![[r#"
        pagemill: no paths on stdin: - reads a list of them, one a line
        exit Some(3)
    "#]]
    .assert_eq(&shell("\"$1\" leaves - 0> out"));
    expect![[r#"
        exit Some(0)
    "#]]
    .assert_eq(&shell("\"$1\" leaves a.html <&- >&-"));
    expect![[r#"
        exit Some(3)
    "#]]
    .assert_eq(&shell("\"$1\" leaves no.html <&- 2>&-"));
    expect![[r#"
        pagemill: no pages in folder ".": it has no .html, .htm, .xhtml or .warc file; name others one by one
        pagemill: no file matches "*.html"
        pagemill: cannot read "x.html": no such file or folder
        exit Some(3)
    "#]]
        .assert_eq(&shell("mkdir d; cd d; rmdir ../d; \"$1\" leaves . '*.html' x.html"));
}

#[test]
fn how_large_pages_may_be_can_be_set() {
    let run = Run::with(&[("a.html", b"<p>1<!-- 1 -->"), ("b.html", b"<p>2")]);
    let args = ["leaves", "--table", "--max-bytes", "10", "a.html", "b.html"];
    expect![[r#"
        b.html  UTF-8  1 leaf
        0  number  p  2
        pagemill: cannot read "a.html": larger than the limit of 10 bytes; raise it with --max-bytes
        exit 3
    "#]]
    .assert_eq(&run.run(&args).all());
    assert_eq!(run.run(&["leaves", "--max-bytes", "1K", "a.html"]).code, Some(0));
    expect![[r#"
        error: invalid value 'big' for '--max-bytes <SIZE>': a size is a whole number of bytes, K, M or G, such as 64M

        For more information, try '--help'.
        exit 2
    "#]].assert_eq(&run.run(&["leaves", "--max-bytes", "big", "a.html"]).all());
}

#[test]
fn patterns_may_start_with_a_dot() {
    let run = Run::with(&[(".hidden.html", b"<p>1"), ("a.html", b"<p>2"), ("d/b.html", b"<p>3")]);
    let ids = |pattern| {
        let stdout = run.run(&["leaves", "--table", pattern]).stdout;
        stdout.lines().step_by(3).map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    let check = |pattern, expected: &[&str]| {
        let ids: Vec<String> = ids(pattern);
        assert_eq!(ids, expected, "{pattern}");
    };
    check(".h*.html", &[".hidden.html"]);
    check(".*.html", &[".hidden.html"]);
    check("*.html", &["a.html"]);
    check("./*.html", &["./a.html"]);
    check(".//d//*.html", &["./d/b.html"]);
    check("d//*.html", &["d/b.html"]);
    check("./.h*", &["./.hidden.html"]);
    check("**/*.html", &["a.html", "d/b.html"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_may_come_from_a_pipe() {
    let run = Run::with(&[]);
    expect![[r#"
        /dev/stdin  UTF-8  1 leaf
        0  string  p  piped
        exit 0
    "#]]
    .assert_eq(&run.run_with_stdin(&["leaves", "--table", "/dev/stdin"], b"<p>piped").all());
}

#[test]
fn archives_give_pages_with_their_encoding() {
    let mut archive = response("http://x/1", "text/html; charset=iso-8859-2", b"<p>\xB1");
    archive.extend(response("http://x/2", "image/png", b"png"));
    archive.extend(response("http://x/3", "text/html", b"<p>cut"));
    archive.truncate(archive.len() - 6);
    let run = Run::with(&[("a.warc", &archive)]);
    expect![[r#"
        http://x/1  ISO-8859-2  1 leaf
        0  string  p  ą
        pagemill: cannot read all of "a.warc": it is cut off in record 3; the pages found were kept
        exit 3
    "#]]
    .assert_eq(&run.run(&["leaves", "--table", "a.warc"]).all());
}
