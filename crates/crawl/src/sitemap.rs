//! Lists of addresses that sites publish: sitemaps and their indexes, plain lists, and feeds.
//!
//! In come the bytes of a file that is not packed any more; out come the absolute addresses of the web in it, tidied, in
//! their order. What else is in the file is passed over. Nothing is expanded: an address with an entity that XML does
//! not know by itself is dropped. A file that breaks off counts up to there.

use crate::address;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::reader::Reader;
use url::Url;

/// Limits of the protocol (sitemaps.org): a map that follows it is never cut.
const MAX_ADDRESSES: usize = 50_000;
const MAX_BYTES: usize = 50 << 20;
/// What is longer is no address; spaces around one are allowed for.
const MAX_TEXT_LEN: usize = 4 * address::MAX_LEN;

/// What a map lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages.
    pub pages: Vec<Url>,
    /// Further maps, and the next parts of a feed.
    pub maps: Vec<Url>,
    /// Whether there may be more: the file is too long, or broken.
    pub is_cut: bool,
}

/// Read the map that was found at an address.
///
/// ```
/// # use url::Url;
/// let at = Url::parse("https://shop.example/map.xml")?;
/// let map = crawl::sitemap::read(b"<urlset><url><loc>https://shop.example/1</loc></url></urlset>", &at);
/// assert_eq!(map.pages, [Url::parse("https://shop.example/1")?]);
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn read(bytes: &[u8], at: &Url) -> Sitemap {
    let is_cut = bytes.len() > MAX_BYTES;
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches(|it: char| it.is_whitespace() || it == '\u{FEFF}');
    let mut list = List { at: address::key(at), map: Sitemap { is_cut, ..Sitemap::default() } };
    if text.starts_with('<') {
        read_xml(text, &mut list);
    } else {
        read_lines(text, &mut list);
    }
    list.map
}

/// A map under construction.
struct List {
    /// The key of the map itself, which need not be read again.
    at: String,
    map: Sitemap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    Map,
}

impl List {
    fn is_full(&self) -> bool {
        self.map.pages.len() + self.map.maps.len() >= MAX_ADDRESSES
    }

    fn push(&mut self, kind: Kind, text: &str) {
        let text = text.trim();
        // Without a scheme it is relative, and what it is relative to is anyone's guess.
        let Ok(url) = Url::parse(text) else { return };
        let url = match url.scheme() {
            "http" | "https" => address::tidy(&url),
            _ => None,
        };
        let Some(url) = url else { return };
        if self.is_full() {
            self.map.is_cut = true;
        } else if kind == Kind::Page {
            self.map.pages.push(url);
        } else if address::key(&url) != self.at {
            self.map.maps.push(url);
        }
    }
}

fn read_lines(text: &str, list: &mut List) {
    let mut lines = text.lines();
    if list.map.is_cut {
        // The last one may be half an address.
        lines.next_back();
    }
    for line in lines {
        if list.is_full() {
            list.map.is_cut = true;
            return;
        }
        if line.len() <= MAX_TEXT_LEN && !line.trim().is_empty() {
            list.push(Kind::Page, line);
        }
    }
}

fn read_xml(text: &str, list: &mut List) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut walk = Walk { entry: None, pending: None, list };
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return,
            Ok(_) if walk.list.map.is_cut && walk.list.is_full() => return,
            Ok(event) => walk.step(&event),
            Err(_) => {
                list.map.is_cut = true;
                return;
            }
        }
    }
}

/// Where in a file reading is. Only the innermost entry counts, so depth costs nothing.
struct Walk<'l> {
    entry: Option<Entry>,
    /// The text of an address that is not yet at its end.
    pending: Option<Pending>,
    list: &'l mut List,
}

/// An element that holds one address among other things.
struct Entry {
    name: String,
    kind: Kind,
    /// The name of the element whose text is the address: of the same prefix, or pictures would be pages.
    address: String,
}

struct Pending {
    text: String,
    is_spoilt: bool,
}

impl Walk<'_> {
    fn step(&mut self, event: &Event) {
        match event {
            Event::Start(start) => self.open(start),
            Event::Empty(start) => self.link(start),
            Event::End(end) => self.close(end.name().as_ref()),
            Event::Text(text) => self.add(Some(text)),
            Event::CData(text) => self.add(Some(text)),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => self.add(Some(character.encode_utf8(&mut [0; 4]))),
                _ => self.add(predefined(reference)),
            },
            _ => {}
        }
    }

    fn open(&mut self, start: &BytesStart) {
        if let Some(entry) = Entry::of(start.name()) {
            (self.entry, self.pending) = (Some(entry), None);
        } else if self.entry.as_ref().is_some_and(|entry| entry.address == start.name().as_ref()) {
            self.pending = Some(Pending { text: String::new(), is_spoilt: false });
        }
        self.link(start);
    }

    fn close(&mut self, name: &str) {
        let Some(entry) = self.entry.as_ref() else { return };
        if entry.address == name {
            if let Some(pending) = self.pending.take().filter(|pending| !pending.is_spoilt) {
                self.list.push(entry.kind, &pending.text);
            }
        } else if entry.name == name {
            (self.entry, self.pending) = (None, None);
        }
    }

    /// More of the address; none if it cannot be told.
    fn add(&mut self, text: Option<&str>) {
        let Some(pending) = &mut self.pending else { return };
        match text {
            Some(text) if pending.text.len() + text.len() <= MAX_TEXT_LEN => {
                pending.text.push_str(text);
            }
            _ => pending.is_spoilt = true,
        }
    }

    /// Atom has its addresses in attributes: of pages in entries, of its next part outside of them.
    fn link(&mut self, start: &BytesStart) {
        if start.local_name().as_ref() != "link" {
            return;
        }
        let attribute = |name: &str| {
            let attribute = start.try_get_attribute(name).ok()??;
            Some(attribute.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
        };
        let Some(address) = attribute("href") else { return };
        let relation = attribute("rel");
        match (relation.as_deref(), &self.entry) {
            (None | Some("alternate"), Some(Entry { name, .. })) if name.ends_with("entry") => {
                self.list.push(Kind::Page, &address);
            }
            (Some("next"), None) => self.list.push(Kind::Map, &address),
            _ => {}
        }
    }
}

impl Entry {
    fn of(name: QName) -> Option<Entry> {
        let (kind, address) = match name.local_name().into_inner() {
            "url" => (Kind::Page, "loc"),
            "sitemap" => (Kind::Map, "loc"),
            "item" => (Kind::Page, "link"),
            // Its links have no text.
            "entry" => (Kind::Page, ""),
            _ => return None,
        };
        let prefix = name.prefix().map(|prefix| prefix.into_inner());
        let address = match prefix {
            Some(prefix) => format!("{prefix}:{address}"),
            None => address.to_owned(),
        };
        Some(Entry { name: name.into_inner().to_owned(), kind, address })
    }
}

fn predefined(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
