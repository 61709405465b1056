use crate::harness::{Run, corpus};
use expect_test::expect;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

#[test]
fn found_is_0_and_nothing_is_1() {
    let run = Run::with(&[("a.html", b"<p>1"), ("empty.html", b"")]);
    assert_eq!(run.run(&["leaves", "a.html", "empty.html"]).code, Some(0));
    expect![[r#"
        exit 1
    "#]]
    .assert_eq(&run.run(&["leaves", "empty.html"]).all());
    expect![[r#"
        exit 1
    "#]]
    .assert_eq(&run.run(&["leaves", "--types", "isbn", "a.html"]).all());
}

#[test]
fn wrong_usage_is_2() {
    let run = Run::with(&[("a.html", b"<p>1")]);
    let code = |args: &[&str]| run.run(args).code;
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["leaves"]), Some(2));
    assert_eq!(code(&["leaves", "--no-such-flag", "a.html"]), Some(2));
    assert_eq!(code(&["leaves", "--json", "--table", "a.html"]), Some(2));
    assert_eq!(code(&["leaves", "--limit", "some", "a.html"]), Some(2));
    expect![[r#"
        error: invalid value 'mony' for '--types <TYPE,…>': types are string, number, money, percent, quantity, duration, range, date, datetime, time, url, email, phone, postal_code, isbn

        For more information, try '--help'.
        exit 2
    "#]].assert_eq(&run.run(&["leaves", "--types", "mony", "a.html"]).all());
    expect![[r#"
        error: invalid value 'klingon' for '--charset <LABEL>': no encoding of the web has this label; try utf-8, windows-1252, shift_jis

        For more information, try '--help'.
        exit 2
    "#]].assert_eq(&run.run(&["leaves", "--charset", "klingon", "a.html"]).all());
    expect![[r#"
        error: unrecognized subcommand 'a.html'

        Usage: pagemill <COMMAND>

        For more information, try '--help'.
        pagemill: to see what is in "a.html", run pagemill leaves "a.html"
        exit 2
    "#]]
    .assert_eq(&run.run(&["a.html"]).all());
}

#[test]
fn one_bad_input_is_told_and_skipped() {
    let run =
        Run::with(&[("a.html", b"<p>1"), ("bad.html.gz", b"\x1F\x8B\x08"), ("none/x.css", b"")]);
    let inputs = ["leaves", "--table", "no.html", "a.html", "bad.html.gz", "none", "x*"];
    expect![[r#"
        a.html  UTF-8  1 leaf
        0  number  p  1
        pagemill: cannot read "no.html": no such file or folder
        pagemill: cannot read "bad.html.gz": its compressed data is corrupt or cut off
        pagemill: no pages in folder "none": it has no .html, .htm, .xhtml or .warc file; name others one by one
        pagemill: no file matches "x*"
        exit 3
    "#]].assert_eq(&run.run(&inputs).all());
}

#[test]
fn a_closed_pipe_is_success_and_silent() {
    let run = Run::with(&[]);
    let args = ["leaves", &corpus("newspaper"), &corpus("bookshop"), "no-such.html"];
    let mut child = run.command(&args).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with('{'), "{line}");
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let run = Run::with(&[("a.html", b"<p>1")]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = run.command(&["leaves", "a.html"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    expect![[r#"
        pagemill: cannot write to stdout: No space left on device (os error 28)
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[cfg(unix)]
#[test]
fn interrupted_is_130() {
    let run = Run::with(&[("a.html", b"<p>1")]);
    let mut child = run.command(&["leaves", "-"]).stderr(Stdio::null()).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    list.write_all(b"a.html\n").unwrap();
    // The first page is out, so the program runs and waits for the next.
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
