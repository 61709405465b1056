use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[track_caller]
fn check_tidy(from: &str, expected: &str) {
    let tidied = tidy(&url(from)).unwrap();
    assert_eq!(tidied.as_str(), expected);
    assert_eq!(tidy(&tidied), Some(tidied.clone()), "tidy once is tidy");
    assert_eq!(key(&tidied), key(&url(from)));
}

#[test]
fn the_table_is_sorted() {
    assert!(TRACKING.is_sorted());
}

#[test]
fn what_the_server_need_not_know_is_dropped() {
    check_tidy("http://a.example", "http://a.example/");
    check_tidy("http://u:p@a.example/x#y", "http://a.example/x");
    check_tidy("http://a.example/?utm_source=x&UTM_Medium=y", "http://a.example/");
    check_tidy("http://a.example/?a=1&gclid=x&b=2", "http://a.example/?a=1&b=2");
    check_tidy("http://a.example/?fbclid&msclkid=1&mc_eid=2&q", "http://a.example/?q");
    check_tidy("http://a.example/?", "http://a.example/");
    check_tidy("http://a.example/?PHPSESSID=abc&x=1", "http://a.example/?x=1");
    check_tidy("http://a.example/?ASPSESSIONIDQQBSTQDA=K", "http://a.example/");
    check_tidy("http://a.example/b;jsessionid=0A1B/c", "http://a.example/b/c");
    check_tidy("http://a.example/b;v=1;JSESSIONID=0A?x=1", "http://a.example/b;v=1?x=1");
    check_tidy("http://a.example/(S(lit3py55t21z5v55vlm25s55))/b", "http://a.example/b");
    check_tidy("http://a.example/?cfid=123456&cftoken=98765432", "http://a.example/");
    check_tidy("http://a.example/?sid=9f86d081884c7d659a2feaa0c55ad015", "http://a.example/");
}

#[test]
fn what_may_mean_something_is_kept() {
    for kept in [
        "http://a.example/?sid=12",
        "http://a.example/?sid=winter",
        "http://a.example/?session=spring-of-young-people",
        "http://a.example/?cfid=12",
        "http://a.example/?utm=33",
        "http://a.example/?b=2&a=1",
        "http://a.example/?q=a%20b&q=c",
        "http://a.example/a;b=1/c",
        "http://a.example:8080/(S(short))/",
        "file:///home/a.html#b",
    ] {
        check_tidy(kept, kept);
    }
}

#[test]
fn what_is_no_page_is_refused() {
    for refused in ["ftp://a.example/", "mailto:a@b.example", "data:text/html,x", "about:blank"] {
        assert_eq!(tidy(&url(refused)), None, "{refused}");
    }
    assert_eq!(tidy(&url(&format!("http://a.example/{}", "x".repeat(MAX_LEN)))), None);
    let noise = format!("http://a.example/?utm_x={}", "x".repeat(MAX_LEN));
    check_tidy(&noise, "http://a.example/");
    assert_eq!(tidy(&url(&format!("{noise}{}", "x".repeat(MAX_RAW_LEN)))), None);
}

#[test]
fn spellings_of_one_page_have_one_key() {
    for (spelling, expected) in [
        ("http://a.example", "a.example"),
        ("https://www.a.example/", "a.example"),
        ("https://a.example.:443/#x", "a.example"),
        ("http://a.example:8080/", "a.example:8080"),
        ("http://www.com/", "www.com"),
        ("http://a.example/b/", "a.example/b"),
        ("http://a.example/b//", "a.example/b"),
        ("http://a.example/./b/../b", "a.example/b"),
        ("http://A.example/%7Ejo/%c3%a4 b", "a.example/~jo/%C3%A4%20b"),
        ("http://a.example/ä%20b", "a.example/%C3%A4%20b"),
        ("http://a.example/a%2fb", "a.example/a%2Fb"),
        ("http://a.example/100%", "a.example/100%25"),
        ("http://a.example/?b=2&a=1", "a.example?b=2&a=1"),
        ("http://a.example/?&a=1&", "a.example?a=1"),
        ("http://a.example/?q=a%20b", "a.example?q=a+b"),
        ("http://a.example/?q=a+b", "a.example?q=a+b"),
        ("http://a.example/?q=it's", "a.example?q=it%27s"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("file:///a/b.html", "file:/a/b.html"),
        ("http://[::1]/", "[::1]"),
    ] {
        assert_eq!(key(&url(spelling)), expected, "{spelling}");
    }
}

#[test]
fn numbers_and_values_have_no_part_in_a_shape() {
    for (address, expected) in [
        ("http://www.a.example/", "a.example"),
        ("http://a.example/item/12/", "a.example/item/#"),
        ("http://a.example/2024/05/x-7b", "a.example/#/#/x-#b"),
        ("http://a.example/%C3%A4/1", "a.example/%C3%A4/#"),
        ("http://a.example/d41d8cd98f00b204e9800998ecf8427e.html", "a.example/#"),
        ("http://a.example/f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "a.example/#"),
        ("http://a.example/deadbeef", "a.example/deadbeef"),
        ("http://a.example/?b=1&a=2&b=3", "a.example?a&b"),
        ("http://a.example/?f[10]=1&f[2]=1", "a.example?f[#]"),
        ("http://a.example/x%", "a.example/x%"),
    ] {
        assert_eq!(pattern(&url(address)), expected, "{address}");
    }
}

#[test]
fn hostile_addresses_are_quick() {
    let long =
        url(&format!("http://a.example/{}?{}", ";a/%".repeat(1 << 18), "&=%".repeat(1 << 18)));
    assert_eq!(tidy(&long), None);
    assert!(pattern(&long).len() < 3 * MAX_LEN);
    assert!(key(&long).len() > MAX_LEN);
}
