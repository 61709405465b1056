use super::*;

fn rules(body: &str) -> Rules {
    Rules::of_answer(200, body.as_bytes(), "pagemill")
}

fn url(path: &str) -> Url {
    Url::parse(&format!("https://shop.example{path}")).unwrap()
}

#[track_caller]
fn check(body: &str, allowed: &[&str], refused: &[&str]) {
    let rules = rules(body);
    for path in allowed {
        assert!(rules.allows(&url(path)), "{path} is allowed by {body:?}");
    }
    for path in refused {
        assert!(!rules.allows(&url(path)), "{path} is not allowed by {body:?}");
    }
}

/// With one rule for all.
#[track_caller]
fn check_rule(rule: &str, refused: &[&str], allowed: &[&str]) {
    check(&format!("User-agent: *\nDisallow: {rule}\n"), allowed, refused);
}

#[test]
fn the_answer_decides() {
    let body = b"User-agent: *\nDisallow: /a";
    let allows = |status, path| Rules::of_answer(status, body, "pagemill").allows(&url(path));
    for status in [200, 204, 206, 299] {
        assert!(!allows(status, "/a") && allows(status, "/b"), "{status}");
    }
    for status in [400, 401, 403, 404, 410, 429, 499] {
        assert!(allows(status, "/a") && allows(status, "/b"), "{status}");
    }
    for status in [0, 100, 199, 300, 301, 304, 399, 500, 503, 599, 600, 999] {
        assert!(!allows(status, "/a") && !allows(status, "/b"), "{status}");
        assert!(allows(status, "/robots.txt"), "{status}");
    }
    assert!(!Rules::unreachable().allows(&url("/")));
    assert!(Rules::unreachable().allows(&url("/robots.txt")));
}

#[test]
fn rules_are_prefixes_of_paths() {
    check_rule("/", &["/", "/a", "/?q"], &["/robots.txt"]);
    check_rule("", &[], &["/", "/a"]);
    check_rule(
        "/fish",
        &["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=a", "/fish#x"],
        &["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish", "/"],
    );
    check_rule(
        "/fish/",
        &["/fish/", "/fish/?id=a", "/fish/x"],
        &["/fish", "/fish.html", "/a/fish/"],
    );
    check_rule("/a?b=", &["/a?b=1", "/a?b="], &["/a", "/a?c=1&b="]);
    check_rule("/robots.txt", &["/robots.txt?x"], &["/robots.txt"]);
    // Not a path, strictly; what is meant is clear.
    check_rule("fish", &["/fish"], &["/catfish"]);
}

#[test]
fn wildcards_and_ends() {
    check_rule("*", &["/", "/a?b"], &[]);
    check_rule("/*", &["/", "/a?b"], &[]);
    check_rule("/fish*", &["/fish", "/fishheads/yummy.html"], &["/Fish", "/catfish"]);
    check_rule("/*.php", &["/index.php", "/a/b.php?c", "/a.php/", "/a.php5"], &["/", "/a.PHP"]);
    check_rule("/*.php$", &["/a.php", "/a/b.php"], &["/a.php?c", "/a.php/", "/a.php5", "/a.PHP"]);
    check_rule("/fish*.php", &["/fish.php", "/fishheads/cat.php?x"], &["/Fish.PHP", "/fish.ph"]);
    check_rule("/$", &["/"], &["/a", "/?q", "//"]);
    check_rule("/a$b", &["/a$b", "/a$bc"], &["/a"]);
    check_rule("/*ab*ab$", &["/abab", "/xabyab"], &["/ab", "/ababx"]);
    check_rule("/*aba*ba$", &["/ababa", "/ababba"], &["/abab", "/aba"]);
    check_rule("*.gif$", &["/a.gif", "/a/b.gif"], &["/a.gif?b"]);
    check_rule("/a***b", &["/ab", "/axb"], &["/a"]);
    check_rule("/*?", &["/?a", "/b?c"], &["/", "/b"]);
}

#[test]
fn the_longest_match_wins() {
    let both = |allow, disallow| format!("User-agent: *\nDisallow: {disallow}\nAllow: {allow}\n");
    check(&both("/p", "/"), &["/page"], &["/", "/q"]);
    check(&both("/folder", "/folder"), &["/folder/page"], &[]);
    check(&both("/page", "/*.htm"), &[], &["/page.htm"]);
    check(&both("/page", "/*.ph"), &["/page.php5"], &[]);
    check(&both("/$", "/"), &["/"], &["/page.htm"]);
    check(&both("/a/b", "/a/b/c"), &["/a/b", "/a/bc"], &["/a/b/c"]);
    let order = "User-agent: *\nAllow: /example/page/\nDisallow: /example/page/no.gif\n";
    check(order, &["/example/page/yes", "/other"], &["/example/page/no.gif"]);
    check("User-agent: *\nAllow: /a\nDisallow: *\n", &["/a/b"], &["/b"]);
}

#[test]
fn encoded_and_bare_are_the_same() {
    check_rule("/foo/bar/%62%61%7A", &["/foo/bar/baz", "/foo/bar/%62%61z"], &["/foo/bar/Baz"]);
    check_rule(
        "/foo/bar/ツ",
        &["/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"],
        &["/foo"],
    );
    check_rule("/foo/bar/%e3%83%84", &["/foo/bar/ツ", "/foo/bar/%E3%83%84"], &["/foo/bar"]);
    check_rule(
        "/foo/bar?baz=https://foo.bar",
        &["/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"],
        &["/foo/bar?baz=http"],
    );
    check_rule("/a b", &["/a%20b", "/a b"], &["/a+b"]);
    check_rule("/it's", &["/it's", "/it%27s"], &["/its"]);
    check_rule("/?q='", &["/?q='", "/?q=%27"], &["/?q="]);
    check_rule("/a^b|c", &["/a^b|c", "/a%5Eb%7cc"], &["/a"]);
    check_rule("/100%", &["/100%", "/100%25"], &["/100"]);
    // Escaped, the special characters are just characters.
    check_rule("/with-a-%2A.html", &["/with-a-*.html", "/with-a-%2a.html"], &["/with-a-b.html"]);
    check_rule("/foo-%24", &["/foo-$", "/foo-%24", "/foo-$bar"], &["/foo-"]);
}

#[test]
fn bytes_need_not_be_utf8() {
    let rules = Rules::of_answer(200, b"User-agent: *\nDisallow: /caf\xE9\n", "pagemill");
    assert!(!rules.allows(&url("/caf%E9")));
    assert!(rules.allows(&url("/caf%C3%A9")));
}

#[test]
fn groups_are_for_tokens() {
    let two = "User-agent: *\nDisallow: /\n\nUser-agent: pagemill\nDisallow: /a\n";
    check(two, &["/", "/b"], &["/a"]);
    for agent in [
        "PageMill",
        "PAGEMILL",
        "pagemill/1.0",
        "Pagemill/2.1 (+http://x.example)",
        "pagemill # ours",
        "  pagemill\t ",
        "pagemill *",
    ] {
        check(&two.replace("pagemill", agent), &["/", "/b"], &["/a"]);
    }
    for agent in
        ["pagemill-images", "pagemillbot", "mypagemill", "page", "", "page mill", "/pagemill"]
    {
        check(&two.replace("pagemill", agent), &[], &["/", "/b"]);
    }
    // One group for several, in any order, and several for one.
    check("User-agent: a\nUser-agent: pagemill\nDisallow: /a\n", &["/b"], &["/a"]);
    let split = "User-agent: pagemill\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\n\
                 User-agent: b\nUser-agent: Pagemill/3\nDisallow: /b\n";
    check(split, &["/c"], &["/a", "/b"]);
    let stars =
        "User-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: *\nDisallow: /c";
    check(stars, &["/b"], &["/a", "/c"]);
    // A group without rules for us allows all; rules without a group are nobody's.
    check("User-agent: pagemill\n\nUser-agent: *\nDisallow: /", &[], &["/"]);
    check("User-agent: pagemill\nDisallow:\n\nUser-agent: *\nDisallow: /", &["/"], &[]);
    check("Disallow: /a\nUser-agent: *\nDisallow: /b", &["/a"], &["/b"]);
    check("User-agent: b\nDisallow: /", &["/"], &[]);
    // Blank lines, comments and maps do not end a group.
    check(
        "User-agent: pagemill\n\n# x\nSitemap: http://a.example/\n\nDisallow: /a",
        &["/"],
        &["/a"],
    );
}

#[test]
fn lines_are_read_in_all_spellings() {
    for body in [
        "User-agent: *\rDisallow: /a\r",
        "User-agent: *\r\nDisallow: /a\r\n",
        "User-agent: *\nDisallow: /a",
        "\u{FEFF}User-agent: *\nDisallow: /a",
        "\u{FEFF}User-agent: Pagemill/1\nDisallow: /a",
        "USER-AGENT:*\nDISALLOW:/a",
        "  user-agent : * \n\tdisallow\t:\t/a\t",
        "User-agent: * # all\nDisallow: /a # but not this",
        "# a comment\n\n\nUser-agent: *\n\n\n# more\nDisallow: /a",
        "User agent: *\nDissallow: /a",
        "User-agent *\nDisallow /a",
        "User-agent: *\nunknown: /\nnonsense\n:\nDisallow: /a",
    ] {
        check(body, &["/", "/b"], &["/a", "/ab"]);
    }
    check("<!doctype html>\n<title>Not found</title>", &["/"], &[]);
    check("", &["/"], &[]);
}

#[test]
fn what_else_it_says() {
    let body = "Sitemap: https://shop.example/map.xml\nUser-agent: *\nCrawl-delay: 2.5\n\
                Sitemap: http://other.example/m\nSitemap: /relative.xml\nsitemap: nonsense\n";
    let rules = rules(body);
    assert_eq!(rules.delay(), Some(Duration::from_millis(2_500)));
    let maps: Vec<_> = rules.sitemaps().iter().map(Url::as_str).collect();
    assert_eq!(maps, ["https://shop.example/map.xml", "http://other.example/m"]);
    for nonsense in ["-1", "NaN", "inf", "1e999", "soon", "", "5s"] {
        let body = format!("User-agent: *\nCrawl-delay: {nonsense}");
        assert_eq!(super::Rules::of_answer(200, body.as_bytes(), "x").delay(), None, "{nonsense}");
    }
    let ours = "User-agent: *\nCrawl-delay: 9\nUser-agent: Pagemill/1\nCrawl-delay: 3\n";
    assert_eq!(
        super::Rules::of_answer(200, ours.as_bytes(), "pagemill").delay(),
        Some(Duration::from_secs(3))
    );
    assert_eq!(Rules::unreachable().delay(), None);
}

#[test]
fn large_files_are_cut_at_a_line() {
    let rule = |len: usize| format!("Disallow: /{}\n", "a".repeat(len));
    let head = "User-agent: *\nDisallow: /first\n";
    let filler = format!("#{}\n", "x".repeat(BYTE_LIMIT - head.len() - 30));
    // The last rule begins inside and ends outside; half of it would refuse too much.
    let body = format!("{head}{filler}{}Disallow: /last", rule(100));
    check(&body, &["/aaaa", "/last", "/other"], &["/first"]);
    let maps = "Sitemap: http://a.example/\n".repeat(2 * MAX_SITEMAPS);
    assert_eq!(rules(&maps).sitemaps().len(), MAX_SITEMAPS);
}

#[test]
fn hostile_files_cost_little() {
    let wild: String = (0..20_000).map(|n| format!("Disallow:/q*{n}x*z\n")).collect();
    let body = format!("User-agent: *\nAllow: /q*q*q*q*q*q*q*q\n{wild}");
    let rules = rules(&body);
    let start = std::time::Instant::now();
    let path = format!("/{}", "q".repeat(1_900));
    for _ in 0..20 {
        rules.allows(&url(&path));
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    // What is beyond the limit still refuses, if anything too much.
    check(&body, &["/"], &["/q1x-z", "/q19999x-z"]);
    check(&"User-agent: pagemill/".repeat(30_000), &["/"], &[]);
}
