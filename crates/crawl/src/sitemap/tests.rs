use super::*;

fn read_text(text: &str) -> Sitemap {
    read(text.as_bytes(), &Url::parse("https://a.example/map.xml").unwrap())
}

#[track_caller]
fn check(text: &str, pages: &[&str], maps: &[&str], is_cut: bool) {
    let map = read_text(text);
    let texts = |urls: &[Url]| urls.iter().map(|url| url.to_string()).collect::<Vec<_>>();
    assert_eq!(texts(&map.pages), pages, "pages of {text}");
    assert_eq!(texts(&map.maps), maps, "maps of {text}");
    assert_eq!(map.is_cut, is_cut, "end of {text}");
}

#[test]
fn maps_of_pages() {
    check(
        r#"<?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://i.example">
          <url><loc> https://a.example/1?x=1&amp;y=2#z
          </loc><lastmod>2024-01-01</lastmod>
            <image:image><image:loc>https://a.example/1.jpg</image:loc></image:image></url>
          <url><image:image><image:loc>https://a.example/0.jpg</image:loc></image:image>
            <loc><![CDATA[https://a.example/2?a&b]]></loc></url>
          <url><loc>https://a.example/&#x33;?utm_source=map</loc></url>
          <loc>https://a.example/stray</loc>
        </urlset>"#,
        &["https://a.example/1?x=1&y=2", "https://a.example/2?a&b", "https://a.example/3"],
        &[],
        false,
    );
    check(
        "\u{FEFF} <s:urlset><s:url><s:loc>http://a.example/</s:loc></s:url></s:urlset>",
        &["http://a.example/"],
        &[],
        false,
    );
}

#[test]
fn maps_of_maps() {
    check(
        "<sitemapindex><sitemap><loc>https://a.example/b.xml.gz</loc></sitemap>
         <sitemap><loc>http://www.a.example/map.xml</loc></sitemap>
         <sitemap><loc>https://b.example/c.xml</loc></sitemap></sitemapindex>",
        &[],
        &["https://a.example/b.xml.gz", "https://b.example/c.xml"],
        false,
    );
}

#[test]
fn plain_lists() {
    check(
        "\u{FEFF}http://a.example/1\r\n\n  http://a.example/ä  \nnonsense\n/2\nhttp://a.example/3",
        &["http://a.example/1", "http://a.example/%C3%A4", "http://a.example/3"],
        &[],
        false,
    );
    check("", &[], &[], false);
    check("Not found", &[], &[], false);
}

#[test]
fn feeds() {
    check(
        r#"<rss version="2.0"><channel><link>https://a.example/home</link>
        <atom:link href="https://a.example/feed?page=2" rel="next"/>
        <atom:link href="https://a.example/feed" rel="self"/>
        <item><title>One</title><link>https://a.example/1</link><comments>https://a.example/c</comments>
          <guid>https://a.example/guid</guid></item>
        <item><link>https://a.example/2</link></item></channel></rss>"#,
        &["https://a.example/1", "https://a.example/2"],
        &["https://a.example/feed?page=2"],
        false,
    );
    check(
        r#"<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="https://a.example/more"/>
        <link href="https://a.example/"/><entry><link href="https://a.example/1?a=1&amp;b=2"/>
        <link rel="enclosure" href="https://a.example/1.mp3"/></entry>
        <entry><link rel="alternate" href='https://a.example/2'></link><link href="/relative"/></entry></feed>"#,
        &["https://a.example/1?a=1&b=2", "https://a.example/2"],
        &["https://a.example/more"],
        false,
    );
}

#[test]
fn what_is_no_page_of_the_web_is_dropped() {
    let entry = |loc: &str| format!("<urlset><url><loc>{loc}</loc></url></urlset>");
    for loc in [
        "/relative",
        "//a.example/1",
        "ftp://a.example/1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "",
        "http://",
        "https://a.example/&unknown;",
        &format!("https://a.example/{}", "x".repeat(MAX_TEXT_LEN)),
    ] {
        check(&entry(loc), &[], &[], false);
    }
    check(&entry("https://a.example/?a=1&b=2"), &["https://a.example/?a=1&b=2"], &[], false);
    check(
        "<!doctype html><title>404</title><link rel=stylesheet href=https://a.example/x>",
        &[],
        &[],
        false,
    );
}

#[test]
fn broken_maps_count_up_to_where_they_break() {
    let page = "<urlset><url><loc>https://a.example/1</loc></url>";
    let found = &["https://a.example/1"];
    check(page, found, &[], false);
    check(&format!("{page}<url><loc>https://a.example/2"), found, &[], false);
    check(&format!("{page}<url"), found, &[], true);
    check(&format!("{page}<!-- never closed"), found, &[], true);
    check(&format!("{page}</url></a></b></urlset></x>"), found, &[], false);
    check(&format!("{page}\0<\u{1}>"), found, &[], false);
    let mut bytes = page.as_bytes().to_vec();
    bytes.extend(b"<url><loc>https://a.example/\xFF</loc></url>");
    let map = read(&bytes, &Url::parse("https://a.example/map.xml").unwrap());
    assert_eq!(map.pages.len(), 2);
}

#[test]
fn bombs_do_not_go_off() {
    let laughs = r#"<!DOCTYPE lolz [<!ENTITY a "https://a.example/"><!ENTITY b "&a;&a;&a;&a;">
        <!ENTITY x SYSTEM "file:///etc/passwd">]>
        <urlset><url><loc>&b;</loc></url><url><loc>&x;</loc></url>
        <url><loc>https://a.example/1</loc></url></urlset>"#;
    check(laughs, &["https://a.example/1"], &[], false);
    let deep = format!("{}<url><loc>https://a.example/1</loc></url>", "<url>".repeat(200_000));
    check_deep(&deep);
    check_deep(&format!("<url>{}<loc>https://a.example/1</loc>", "<x>".repeat(200_000)));
    let wide = format!("<url {}/>", "a='1' ".repeat(200_000));
    assert_eq!(read_text(&wide), Sitemap::default());
    let links = format!("<link {}/>", "a='1' ".repeat(200_000));
    assert_eq!(read_text(&links), Sitemap::default());
}

#[track_caller]
fn check_deep(text: &str) {
    assert_eq!(read_text(text).pages.len(), 1);
}

#[test]
fn long_maps_are_cut() {
    let map = |n: usize| {
        let pages = (0..n).map(|n| format!("<url><loc>https://a.example/{n}</loc></url>"));
        read_text(&format!("<urlset>{}</urlset>", pages.collect::<String>()))
    };
    let (full, more) = (map(MAX_ADDRESSES), map(MAX_ADDRESSES + 9));
    assert_eq!((full.pages.len(), full.is_cut), (MAX_ADDRESSES, false));
    assert_eq!((more.pages.len(), more.is_cut), (MAX_ADDRESSES, true));
    let lines = "https://a.example/\n".repeat(MAX_ADDRESSES + 9);
    let lines = read_text(&lines);
    assert_eq!((lines.pages.len(), lines.is_cut), (MAX_ADDRESSES, true));
    let blank = format!(
        "https://a.example/1{}https://a.example/2",
        (" ".repeat(1_023) + "\n").repeat(MAX_BYTES >> 10)
    );
    let blank = read_text(&blank);
    assert_eq!((blank.pages.len(), blank.is_cut), (1, true));
}
