//! Pages made to hurt: what they cost grows with their bytes and with nothing else.

use super::model;
use crate::Kind;
use cpu_time::ThreadTime;
use std::time::Duration;

/// Several times what the slowest takes on a slow machine; what is quadratic takes a hundred times that.
const MAX_PER_MB: Duration = Duration::from_secs(3);

fn repeat(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

#[test]
fn hostile_pages_cost_what_their_bytes_cost() {
    let tags = ["b", "i", "u", "em", "span", "small", "sub", "sup"];
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let pages = [
        ("authors", repeat(15_000, |n| format!("<p class=author>Written by Ann{n} Lee"))),
        ("siblings", repeat(40_000, |n| format!("<x{n}>a</x{n}>"))),
        ("paths", repeat(100_000, |n| format!("<{}>{}", tags[n * n / 7 % 8], letter(n)))),
        (
            "many paths",
            repeat(30_000, |n| {
                let (a, b, c) = (tags[n % 8], tags[n / 8 % 8], tags[n / 64 % 8]);
                format!("<{a}><{b}><{c}>x</{c}></{b}></{a}>")
            }),
        ),
        (
            "deep",
            repeat(400, |_| "<div class='a b'>".to_owned())
                + &repeat(60_000, |_| "<p>x".to_owned()),
        ),
        (
            "days",
            repeat(5_000, |n| {
                format!("<p>{}", repeat(12, |m| format!("{m} May 20{:02} | ", n % 99)))
            }),
        ),
        ("no days", repeat(5_000, |_| format!("<p>{}", repeat(30, |m| format!("{m}.{m} ç "))))),
        (
            "classes",
            repeat(10_000, |n| {
                format!(
                    "<p class='{}'>x",
                    repeat(9, |m| format!("w{}{}-", letter(n + m), letter(m)))
                )
            }),
        ),
        (
            "titles",
            repeat(200, |_| format!("<meta property=og:title content='{}'>", "a".repeat(300)))
                + &repeat(3_000, |_| format!("<p>{}", "a".repeat(290))),
        ),
        (
            "ids",
            format!(
                "<script type=application/ld+json>[{}0]</script><p>x",
                repeat(20_000, |n| format!("{{\"@id\":\"{n}\",\"b\":{{\"@id\":\"{n}x\"}}}},"))
            ),
        ),
    ];
    let model = model(Kind::Tree, &[0, 1, 2, 3, 4, 5]);
    for (name, source) in pages {
        let page = page::parse(format!("<html>{source}").as_bytes());
        let start = ThreadTime::now();
        model.annotate(&page);
        let took = start.elapsed();
        let most = MAX_PER_MB.mul_f64(source.len().max(100_000) as f64 / 1e6);
        println!("{name}: {took:?} for {} KB", source.len() / 1000);
        assert!(took < most, "{name}: {took:?} for {} KB", source.len() / 1000);
    }
}
