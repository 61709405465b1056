//! Leaves as JSON lines.

use super::{Selection, Show};
use pagemill::Leaf;
use pagemill::page::{Addresses, RawMap};
use pagemill::wrapper::escape::Escaping;
use serde::Serialize;
use std::io::{self, Write};

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
struct Line<'a> {
    page: &'a str,
    n: usize,
    kind: &'static str,
    #[serde(rename = "type")]
    data_type: &'static str,
    path: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    src: Option<&'a str>,
    xpath: String,
    selector: String,
    nth: usize,
    span: Option<[usize; 2]>,
}

/// Writes leaves as JSON lines.
#[derive(Default)]
pub(crate) struct JsonLeaves {
    /// Path by number, of the page at hand; leaves share theirs with many.
    paths: Vec<String>,
}

impl Show for JsonLeaves {
    fn show(&mut self, selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
        let addresses = selection.page.addresses(selection.leaves);
        let raw_map = selection.page.raw_map(&selection.input.bytes);
        self.paths.clear();
        self.paths.resize(selection.leaves.paths().len(), String::new());
        for leaf in &selection.chosen {
            let path = &mut self.paths[leaf.path.index()];
            if path.is_empty() {
                *path = selection.leaves.paths().display(leaf.path).to_string();
            }
            let line = line(&selection.input.id, leaf, path, &addresses, &raw_map);
            line.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

fn line<'a>(
    page: &'a str,
    leaf: &Leaf<'a>,
    path: &'a str,
    addresses: &Addresses<'_>,
    raw_map: &RawMap,
) -> Line<'a> {
    let address = addresses.of(leaf);
    let span = raw_map.range(leaf.span);
    Line {
        page,
        n: leaf.position,
        kind: leaf.kind.name(),
        data_type: leaf.data_type().name(),
        path,
        text: leaf.text,
        link: leaf.link,
        src: leaf.src,
        xpath: address.xpath,
        selector: address.selector,
        nth: address.nth,
        span: (!leaf.span.is_empty()).then_some([span.start, span.end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut json = Vec::new();
        text.serialize(&mut serde_json::Serializer::with_formatter(&mut json, Escaping)).unwrap();
        assert_eq!(String::from_utf8(json.clone()).unwrap(), expected);
        assert_eq!(serde_json::from_slice::<String>(&json).unwrap(), text);
    }

    #[test]
    fn controls_of_all_kinds_are_escaped() {
        check("a \"b\" \u{1b}[0m\n", r#""a \"b\" \u001b[0m\n""#);
        check("\u{7f}x\u{9b}y\u{202e}", r#""\u007fx\u009by\u202e""#);
        check("naïve “quotes” – ©", r#""naïve “quotes” – ©""#);
    }
}
