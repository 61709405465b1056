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
    expect![[r#"
        pagemill: no paths on stdin: - reads a list of them, one a line
        exit 3
    "#]]
    .assert_eq(&run.run_with_stdin(&args, b"").all());
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
