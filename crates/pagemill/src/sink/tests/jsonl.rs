use super::*;
use expect_test::expect;
use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::{Arc, Mutex};

#[test]
fn a_line_a_page_with_everything() {
    expect![[r#"
        {"page":"1.html","status":"verified","data":{"title":"Sea","books":[{"title":"Herring","price":"-5","price_text":"now -5","authors":[{"name":"Ada"},{"name":"Bo"}],"offers":[{"shop":"Quay","price":"4"},{"shop":"Mole"}]},{"title":"Fog, \"thick\"","authors":[{"name":"Cy"}]}],"links":[{"link":"Home"},{"link":"Contact"}]},"problems":[]}
        {"page":"2.html","status":"partial","data":{"title":"Empty","books":[],"unknown":"kept by JSON lines only"},"problems":["no price","no \"name\""]}
        {"page":"3.html","status":"failed","data":null,"problems":["no price","no \"name\""]}
    "#]]
    .assert_eq(&Written::books("a.jsonl").text());
}

#[test]
fn packed_is_the_same() {
    let packed = Written::books("a.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(fs::File::open(&packed.path).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, Written::books("a.jsonl").text());
}

#[test]
fn hostile_texts_come_back_and_hold_no_controls() {
    let hostile = hostile();
    let borrowed: Vec<&str> = hostile.iter().map(String::as_str).collect();
    let text = texts("a.jsonl", &borrowed).text();
    assert!(!text.contains(|it: char| it != '\n' && (it.is_control() || it == '\u{2028}')));
    let back = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let back: Vec<Json> = back.map(|line| line["data"]["text"].clone()).collect();
    assert_eq!(back, hostile);
}

/// A stream whose bytes can be seen from outside.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_stream_gets_lines_as_they_come() {
    let shared = Shared::default();
    let mut sink = Sink::json_lines(shared.clone());
    write_pages(&mut sink, &pages());
    let seen = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
    assert_eq!(seen, Written::books("a.jsonl").text());
    sink.finish().unwrap();
}
