//! Inputs made in a folder of their own, and what comes out of them.

use super::*;
use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::read::GzEncoder;
use std::fmt::Write;
use tempfile::TempDir;

/// A folder with some files.
struct Folder {
    dir: TempDir,
}

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder { dir: TempDir::new().unwrap() };
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn pages(&self, input: &str) -> Pages {
        pages([self.path(input)])
    }

    /// One line per item, with the folder's own path left out.
    fn show(&self, pages: Pages) -> String {
        let mut shown = String::new();
        for page in pages {
            match page {
                Ok(page) => writeln!(shown, "{} {}", page.id, page.bytes.escape_ascii()),
                Err(error) => writeln!(shown, "error: {error}"),
            }
            .unwrap();
        }
        shown.replace(&format!("{}/", self.dir.path().display()), "")
    }

    #[track_caller]
    fn check(&self, input: &str, expected: Expect) {
        expected.assert_eq(&self.show(self.pages(input)));
    }

    #[track_caller]
    fn check_list(&self, list: impl AsRef<[u8]>, expected: Expect) {
        let list = io::Cursor::new(list.as_ref().to_vec());
        expected.assert_eq(&self.show(pages(["-"]).with_list(list)));
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::default()).read_to_end(&mut packed).unwrap();
    packed
}

fn record(kind: &str, header: &str, block: &str) -> Vec<u8> {
    let n_bytes = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{header}Content-Length: {n_bytes}\r\n\r\n{block}\r\n\r\n"
    )
    .into()
}

fn response(url: &str, header: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n{body}");
    record("response", &format!("WARC-Target-URI: {url}\r\n"), &block)
}

fn html(name: &str) -> Vec<u8> {
    response(&format!("http://x/{name}"), "Content-Type: text/html", &format!("<p>{name}"))
}

#[test]
fn a_file_is_read_whatever_its_name() {
    let folder = Folder::new(&[("a.html", b"<p>1"), ("b.php", b"<p>2"), ("empty.html", b"")]);
    folder.check(
        "a.html",
        expect![[r#"
        a.html <p>1
    "#]],
    );
    folder.check(
        "b.php",
        expect![[r#"
        b.php <p>2
    "#]],
    );
    folder.check(
        "empty.html",
        expect![[r#"
        empty.html 
    "#]],
    );
}

#[test]
fn a_packed_page_is_unpacked() {
    let members = [gzip(b"<p>1"), gzip(b"2")].concat();
    let folder =
        Folder::new(&[("a.html.gz", &members), ("b", &members), ("cut.html.gz", &members[..30])]);
    folder.check(
        "a.html.gz",
        expect![[r#"
        a.html.gz <p>12
    "#]],
    );
    folder.check(
        "b",
        expect![[r#"
        b <p>12
    "#]],
    );
    folder.check(
        "cut.html.gz",
        expect![[r#"
        error: cannot read "cut.html.gz": its compressed data is corrupt or cut off
    "#]],
    );
}

#[test]
fn a_folder_gives_its_pages_by_name() {
    let folder = Folder::new(&[
        ("site/b.html", b"2"),
        ("site/a/z.HTM", b"1"),
        ("site/c/x.xhtml", b"3"),
        ("site/c/y.html.gz", &gzip(b"4")),
        ("site/d.warc", &html("5")),
        ("site/style.css", b""),
        ("site/page.gz", b""),
        ("site/html", b""),
        ("site/.hidden.html", b""),
        ("site/.git/x.html", b""),
        ("bare/style.css", b""),
    ]);
    folder.check(
        "site",
        expect![[r#"
        site/a/z.HTM 1
        site/b.html 2
        site/c/x.xhtml 3
        site/c/y.html.gz 4
        http://x/5 <p>5
    "#]],
    );
    folder.check("bare", expect![[r#"
        error: no pages in folder "bare": it has no .html, .htm, .xhtml or .warc file; name others one by one
    "#]]);
}

#[test]
fn a_pattern_gives_the_files_that_match() {
    let folder = Folder::new(&[
        ("a.html", b"1"),
        ("b.txt", b"2"),
        ("c/a.html", b"3"),
        ("c/d/a.html", b"4"),
        (".e/a.html", b"5"),
        ("x[1].html", b"6"),
    ]);
    folder.check(
        "*",
        expect![[r#"
        a.html 1
        b.txt 2
        x[1].html 6
    "#]],
    );
    folder.check(
        "**/?.html",
        expect![[r#"
        a.html 1
        c/a.html 3
        c/d/a.html 4
    "#]],
    );
    folder.check(
        "*/a.{html,txt}",
        expect![[r#"
        c/a.html 3
    "#]],
    );
    folder.check(
        ".*/a.html",
        expect![[r#"
        .e/a.html 5
    "#]],
    );
    folder.check(
        "x[1].html",
        expect![[r#"
        x[1].html 6
    "#]],
    );
    folder.check(
        "c//*.html",
        expect![[r#"
        c/a.html 3
    "#]],
    );
    folder.check(
        ".//c///d//a.ht*",
        expect![[r#"
        ./c/d/a.html 4
    "#]],
    );
    folder.check(
        "*.htm",
        expect![[r#"
        error: no file matches "*.htm"
    "#]],
    );
    folder.check(
        "nowhere/*.htm",
        expect![[r#"
        error: no file matches "nowhere/*.htm"
    "#]],
    );
    folder.check(
        "a[.html",
        expect![[r#"
        error: cannot use the pattern "a[.html": unclosed character class; missing ']'
    "#]],
    );
}

#[test]
fn one_bad_input_does_not_stop_the_others() {
    let folder = Folder::new(&[("a.html", b"1"), ("b.html", b"2")]);
    let inputs = ["a.html", "missing.html", "a.html/b", "nul\0.html", "b.html"]
        .map(|name| folder.path(name));
    expect![[r#"
        a.html 1
        error: cannot read "missing.html": no such file or folder
        error: cannot read "a.html/b": not a directory
        error: cannot read "nul\0.html": file name contained an unexpected NUL byte
        b.html 2
    "#]]
    .assert_eq(
        &folder.show(pages(inputs)).replace(&format!("{}/", folder.dir.path().display()), ""),
    );
    let url = pages(["http://127.0.0.1:9/?q"]).next().unwrap().unwrap_err();
    expect![[r#"cannot get "http://127.0.0.1:9/?q": connection refused"#]]
        .assert_eq(&url.to_string());
}

#[test]
fn a_list_names_inputs_of_all_kinds() {
    let folder = Folder::new(&[("a.html", b"1"), ("site/b.html", b"2")]);
    let root = folder.dir.path().display();
    folder.check_list(
        format!("{root}/a.html\r\n\n{root}/site\n-\n{root}/no.html\n{root}/*.html"),
        expect![[r#"
            a.html 1
            site/b.html 2
            error: cannot read "-" in the list on stdin: a list cannot name itself
            error: cannot read "no.html": no such file or folder
            a.html 1
        "#]],
    );
    folder.check_list(
        "\n\n",
        expect![[r#"
        error: no paths on stdin: - reads a list of them, one a line
    "#]],
    );
    folder.check_list(
        "\n <html>\n<p>\n",
        expect![[r#"
        error: stdin is a page, not a list of paths: pass /dev/stdin to read it as a page
    "#]],
    );
    folder.check_list(
        "\u{FEFF}<html>\n<p>\n",
        expect![[r#"
        error: stdin is a page, not a list of paths: pass /dev/stdin to read it as a page
    "#]],
    );
    folder.check_list(
        b"\xFF\xFE<\0p\0>\0\n\0",
        expect![[r#"
        error: stdin is a page, not a list of paths: pass /dev/stdin to read it as a page
    "#]],
    );
    folder.check_list(
        ["x".repeat(100_000), format!("\n{root}/a.html")].concat(),
        expect![[r#"
        error: cannot read line 1 of the list on stdin: too long for a path
        a.html 1
    "#]],
    );
    let twice = pages(["-", "-"]).with_list(io::empty());
    expect![[r#"
        error: no paths on stdin: - reads a list of them, one a line
        error: cannot read stdin twice: pass - once
    "#]]
    .assert_eq(&folder.show(twice));
}

#[test]
fn large_pages_are_left_out() {
    let packed = gzip(b"12345");
    let archive = [html("long"), html("1")].concat();
    let files: [(&str, &[u8]); 5] = [
        ("a.html", b"12345"),
        ("b.html.gz", &packed),
        ("c.html", b"1234"),
        ("d.html", b""),
        ("e.warc", &archive),
    ];
    let folder = Folder::new(&files);
    expect![[r#"
        error: cannot read "a.html": larger than the limit of 4 bytes
        error: cannot read "b.html.gz": larger than the limit of 4 bytes
        c.html 1234
        d.html 
        error: cannot read "http://x/long": larger than the limit of 4 bytes
        http://x/1 <p>1
    "#]]
    .assert_eq(&folder.show(folder.pages("").with_max_bytes(4)));
}

#[test]
fn an_archive_gives_its_html_responses() {
    let not_found =
        record("response", "", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>no");
    let archive = [
        record("warcinfo", "", "software: x\r\n"),
        record("request", "", "GET / HTTP/1.1\r\n\r\n"),
        html("a"),
        not_found,
        response("http://x/style.css", "Content-Type: text/css", "p {}"),
        response("http://x/untyped", "Server: x", "\n<HTML>"),
        response("http://x/unlike", "Server: x", "{}"),
        response("<http://x/old>", "content-type: TEXT/HTML; charset=koi8-r", "old"),
        record(
            "resource",
            "WARC-Target-URI: file:///r\r\nContent-Type: text/html\r\n",
            "<p>resource",
        ),
        record("resource", "Content-Type: image/png\r\n", "png"),
        record("response", "", "HTTP/1.0 200\nContent-Type: application/xhtml+xml\n\nnameless"),
        response("http://x/bad", "Content-Type: text/html\r\nContent-Encoding: gzip", "nonsense"),
        response(
            "http://x/chunked",
            "Content-Type: text/html\r\nTransfer-Encoding: chunked",
            "1\r\nx\r\n0\r\n\r\n",
        ),
    ]
    .concat();
    let folder = Folder::new(&[("a.warc", &archive), ("no-ending", &gzip(&archive))]);
    folder.check(
        "a.warc",
        expect![[r#"
        http://x/a <p>a
        http://x/untyped \n<HTML>
        http://x/old old
        file:///r <p>resource
        a.warc#11 nameless
        error: cannot read "http://x/bad" in "a.warc": its gzip data is corrupt
        http://x/chunked x
    "#]],
    );
    let old = folder.pages("no-ending").nth(2).unwrap().unwrap();
    assert_eq!(
        (old.charset.as_deref(), old.url.as_deref()),
        (Some("koi8-r"), Some("http://x/old"))
    );
}

#[test]
fn an_archive_has_style_sheets_too() {
    let css = |name: &str, body: &str| {
        response(&format!("https://x/{name}"), "Content-Type: text/css; charset=utf-8", body)
    };
    let archive = [
        html("a"),
        css("a.css?v=1", "a {}"),
        css("a.css?v=1", "later {}"),
        css("large.css", &"b {}".repeat(1 << 20)),
        record("resource", "WARC-Target-URI: http://x/r.css\r\nContent-Type: text/css\r\n", "r {}"),
        response("https://x/untyped.css", "Server: x", "u {}"),
        response("https://x/bad.css", "Content-Type: text/css\r\nContent-Encoding: gzip", "no"),
    ]
    .concat();
    let folder = Folder::new(&[("a.warc.gz", &gzip(&archive)), ("b.css", b"no archive")]);
    let sheets = StyleSheets::read([folder.path("a.warc.gz"), folder.path("b.css")]);
    let get = |url: &str| sheets.get(url).map(<[u8]>::escape_ascii).map(|it| it.to_string());
    assert_eq!(get("https://x/a.css?v=1").as_deref(), Some("a {}"));
    assert_eq!(get("http://x/a.css?v=1#top").as_deref(), Some("a {}"));
    assert_eq!(get("http://x/r.css").as_deref(), Some("r {}"));
    for url in ["https://x/a.css", "https://x/a", "https://x/untyped.css", "https://x/bad.css", ""]
    {
        assert_eq!(get(url), None, "{url}");
    }
    assert_eq!(get("https://x/large.css").map(|it| it.len()), Some(4 << 20));
    assert!(StyleSheets::read(["no-such.warc"]).get("https://x/a.css").is_none());
}

#[test]
fn an_archive_without_pages_is_told() {
    let info = record("warcinfo", "", "software: x\r\n");
    let folder = Folder::new(&[("a.warc", &info), ("b.warc.gz", b""), ("c.warc", b"\r\n")]);
    folder.check(
        "",
        expect![[r#"
        error: no pages in archive "a.warc": it has no HTML response of status 200 to 299
        error: no pages in archive "b.warc.gz": it has no HTML response of status 200 to 299
        error: no pages in archive "c.warc": it has no HTML response of status 200 to 299
    "#]],
    );
}

/// Wherever an archive is cut, the pages before the cut come out, and then one error.
#[test]
fn a_clipped_archive_gives_what_is_whole() {
    let records = [html("1"), html("2"), html("3")];
    let members: Vec<_> = records.iter().map(|record| gzip(record)).collect();
    for (parts, name) in [(records.to_vec(), "a.warc"), (members, "a.warc.gz")] {
        let ends: Vec<usize> =
            (1..=parts.len()).map(|n_parts| parts[..n_parts].concat().len()).collect();
        let archive = parts.concat();
        for cut in 1..archive.len() {
            let folder = Folder::new(&[(name, &archive[..cut])]);
            let items: Vec<_> = folder.pages(name).collect();
            let n_pages = items.iter().filter(|item| item.is_ok()).count();
            let n_whole = ends.iter().filter(|end| **end <= cut).count();
            // What closes a record or a member may be missing without loss.
            let n_nearly = ends.iter().filter(|end| **end <= cut + 16).count();
            assert!(
                (n_whole..=n_nearly).contains(&n_pages),
                "{n_pages} pages in {cut} bytes of {name}"
            );
            assert!(
                items.iter().rev().skip(1).all(Result::is_ok),
                "an error in the midst at {cut}"
            );
            assert!(
                n_pages == n_nearly || items.last().is_some_and(Result::is_err),
                "silent at {cut}"
            );
        }
    }
}

/// Whatever byte is broken, all other members come out, though unpacking may run on into them before it fails.
#[test]
fn a_corrupt_member_costs_no_other() {
    for n_members in [3, 8] {
        let names: Vec<String> = (1..=n_members).map(|name| name.to_string()).collect();
        let members: Vec<_> = names.iter().map(|name| gzip(&html(name))).collect();
        let start = members[0].len();
        for broken in start..start + members[1].len() {
            let mut archive = members.concat();
            archive[broken] ^= 0x55;
            let mut found = names_found(&archive);
            found.retain(|name| name != "2");
            let others: Vec<_> = names.iter().filter(|name| *name != "2").collect();
            assert_eq!(found.iter().collect::<Vec<_>>(), others, "byte {broken}");
        }
    }
}

/// Wherever a member is cut, those behind it come out, and nothing of the cut one that is not its own.
#[test]
fn a_cut_member_costs_no_other() {
    let members = ["1", "2", "3"].map(|name| gzip(&html(name)));
    for cut in 1..members[1].len() {
        let archive = [&*members[0], &members[1][..cut], &members[2]].concat();
        assert_eq!(names_found(&archive), ["1", "3"], "cut after {cut} bytes");
    }
}

/// A member too long to be kept whole.
#[test]
fn a_long_cut_member_costs_no_other() {
    // Digits of a number that repeats late enough do not pack well.
    let mut state = 1_u64;
    let noise: String = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{:016x}", state)
    })
    .take(300_000)
    .collect();
    let long = gzip(&response("http://x/2", "Content-Type: text/html", &noise));
    let archive = [&*gzip(&html("1")), &long[..long.len() - 9], &gzip(&html("3"))].concat();
    assert!(long.len() > 2 << 20);
    assert_eq!(names_found(&archive), ["1", "3"]);
}

/// Last steps of the ids of an archive's pages, which hold what their ids say.
fn names_found(archive: &[u8]) -> Vec<String> {
    let folder = Folder::new(&[("a.warc.gz", archive)]);
    let pages = folder.pages("a.warc.gz").flatten();
    pages
        .map(|page| {
            let name = page.id.rsplit('/').next().unwrap().to_owned();
            assert_eq!(page.bytes, format!("<p>{name}").into_bytes());
            name
        })
        .collect()
}

#[test]
fn what_follows_gzip_is_ignored_but_in_archives_told() {
    let page = gzip(b"<p>1");
    let newline = [&*page, b"\n"].concat();
    let waste = [&*page, b"\0\0\r\nsignature"].concat();
    let cut = [&*page, b"\x1F"].concat();
    let archive = [&*gzip(&html("1")), b"\n", &gzip(&html("2")), b"\r\n\0"].concat();
    let bad_archive = [&*gzip(&html("1")), b"waste", &gzip(&html("2")), b"waste"].concat();
    let folder = Folder::new(&[
        ("a.html.gz", &newline),
        ("b.html.gz", &waste),
        ("c.html.gz", &cut),
        ("d.warc.gz", &archive),
        ("e.warc.gz", &bad_archive),
    ]);
    folder.check("", expect![[r#"
        a.html.gz <p>1
        b.html.gz <p>1
        error: cannot read "c.html.gz": its compressed data is corrupt or cut off
        http://x/1 <p>1
        http://x/2 <p>2
        http://x/1 <p>1
        http://x/2 <p>2
        error: cannot read all of "e.warc.gz": its compressed data is corrupt at record 2; the pages found were kept
    "#]]);
}

#[test]
fn a_page_whose_body_is_cut_is_given_and_told() {
    let chunked = "Content-Type: text/html\r\nTransfer-Encoding: chunked";
    let archive = [
        response("http://x/cut", chunked, "9\r\n<p>on"),
        response("http://x/plain", chunked, "<?xml version='1.0'?><p>"),
        html("3"),
        response("http://x/last", chunked, "3\r\n<p>\r\n"),
    ]
    .concat();
    let folder = Folder::new(&[("a.warc", &archive)]);
    folder.check("a.warc", expect![[r#"
        http://x/cut <p>on
        error: cannot read all of "http://x/cut" in "a.warc": its chunked data is cut off; its start was kept
        http://x/plain <?xml version=\'1.0\'?><p>
        http://x/3 <p>3
        http://x/last <p>
        error: cannot read all of "http://x/last" in "a.warc": its chunked data is cut off; its start was kept
    "#]]);
}

#[test]
fn a_damaged_record_costs_no_other() {
    let mut bad_length = html("bad");
    bad_length.splice(..0, *b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\n");
    let archive =
        [html("1"), b"nonsense\nWaste\n".to_vec(), html("2"), bad_length, html("3")].concat();
    let folder = Folder::new(&[("a.warc", &archive), ("b.warc", b"<html>")]);
    folder.check("a.warc", expect![[r#"
        http://x/1 <p>1
        http://x/2 <p>2
        http://x/bad <p>bad
        http://x/3 <p>3
        error: cannot read all of "a.warc": it has no valid header at record 2; the pages found were kept
    "#]]);
    folder.check("b.warc", expect![[r#"
        error: cannot read all of "b.warc": it has no valid header at record 1; the pages found were kept
    "#]]);
}

/// Lengths and headers are claims of strangers.
#[test]
fn hostile_archives_end() {
    let endless_header = [b"WARC/1.0\r\n".to_vec(), b"x: y\r\n".repeat(100_000)].concat();
    let magics = b"\x1F\x8B\x08".repeat(1_000_000);
    // Each start of a member reads on to the one name that ends, half a megabyte away.
    let nameless = [b"\x1F\x8B\x08\x08".repeat(130_000), b"\0\xFF".repeat(100)].concat();
    let nameless = nameless.repeat(8);
    let huge = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 18446744073709551615\r\n\r\nHTTP/1.1 200\r\n\r\n";
    let folder = Folder::new(&[
        ("a.warc", &endless_header),
        ("b.warc.gz", &magics),
        ("c.warc", huge),
        ("d.warc.gz", &nameless),
    ]);
    folder.check("", expect![[r#"
        error: cannot read all of "a.warc": it has no valid header at record 1; the pages found were kept
        error: cannot read all of "b.warc.gz": its compressed data is corrupt at record 1; the pages found were kept
        error: cannot read all of "c.warc": it is cut off in record 1; the pages found were kept
        error: cannot read all of "d.warc.gz": its compressed data is corrupt at record 1; the pages found were kept
    "#]]);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9\x1B[31m.html");
    folder.write(name, b"1");
    expect![[r#"
        caf�[31m.html 1
    "#]]
    .assert_eq(&folder.show(folder.pages("")).replace('\x1B', ""));
    expect![[r#"
        caf�[31m.html 1
    "#]]
    .assert_eq(&folder.show(folder.pages("*.html")).replace('\x1B', ""));
    let missing =
        pages([std::ffi::OsStr::from_bytes(b"\xE9\x1B\xE2\x80\xAE*")]).next().unwrap().unwrap_err();
    expect![[r#"cannot read "\xE9\u{1b}\u{202e}*": no such file or folder"#]]
        .assert_eq(&missing.to_string());
    let line = [folder.dir.path().as_os_str().as_bytes(), b"/caf\xE9\x1B[31m.html\n"].concat();
    assert!(pages(["-"]).with_list(io::Cursor::new(line)).next().unwrap().is_ok());
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_loops_are_not() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[("site/a.html", b"1"), ("b.html", b"2")]);
    symlink("..", folder.path("site/loop")).unwrap();
    symlink("../b.html", folder.path("site/b.html")).unwrap();
    symlink("nowhere", folder.path("site/c.html")).unwrap();
    folder.check(
        "site",
        expect![[r#"
        site/a.html 1
        site/b.html 2
    "#]],
    );
    folder.check(
        "site/c.html",
        expect![[r#"
        error: cannot read "site/c.html": no such file or folder
    "#]],
    );
}
