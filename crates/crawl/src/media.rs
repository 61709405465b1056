//! What a body is, by its `Content-Type`.

/// The value of a `Content-Type` field.
///
/// ```
/// let media = crawl::media::ContentType::parse("Text/HTML; charset=\"koi8-r\"");
/// assert!(media.is_html());
/// assert_eq!(media.charset, Some("koi8-r"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentType<'a> {
    /// Type and subtype, as they came.
    pub essence: &'a str,
    /// The encoding that is named, if one is.
    pub charset: Option<&'a str>,
}

impl<'a> ContentType<'a> {
    /// Read a value, which may be any text.
    pub fn parse(value: &'a str) -> ContentType<'a> {
        let mut parts = value.split(';');
        let essence = parts.next().unwrap_or_default().trim();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
        });
        ContentType { essence, charset }
    }

    /// Whether it is a page.
    pub fn is_html(&self) -> bool {
        self.is_one_of(&["text/html", "application/xhtml+xml"])
    }

    /// Whether it is a style sheet.
    pub fn is_css(&self) -> bool {
        self.is_one_of(&["text/css"])
    }

    fn is_one_of(&self, known: &[&str]) -> bool {
        known.iter().any(|known| self.essence.eq_ignore_ascii_case(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_are_read() {
        let check = |value, is_html, charset| {
            let media = ContentType::parse(value);
            assert_eq!((media.is_html(), media.charset), (is_html, charset), "{value}");
        };
        check("text/html", true, None);
        check("Text/HTML ; Charset=\"koi8-r\"", true, Some("koi8-r"));
        check("application/xhtml+xml; q=1; charset=utf-8", true, Some("utf-8"));
        check("text/html; charset='utf-8'", true, Some("utf-8"));
        check("text/html; charset=", true, None);
        check("text/htmlx", false, None);
        check("", false, None);
        assert!(ContentType::parse("Text/CSS; charset=utf-8").is_css());
    }
}
