//! A page of a store, as it is read: what it says of itself, where its links lead, and where on it something stands.

use crate::InputPage;
use crawl::media::ContentType;
use crawl::{PageRow, address};
use network::merge::{Place, Root};
use page::{Leaves, NodeKind, Page};
use url::Url;

/// A page with what is known of it.
pub(super) struct StoredPage {
    pub(super) page: Page,
    pub(super) leaves: Leaves,
    pub(super) url: Url,
    pub(super) kind: Option<String>,
    /// When it was fetched, in milliseconds since 1970.
    pub(super) at: i64,
    /// The largest heading that says something.
    pub(super) heading: Option<String>,
    pub(super) title: Option<String>,
    /// The address as the store has it.
    name: String,
    /// What links are relative to.
    base: Url,
}

/// A row of a store as a page to learn from.
pub(super) fn input(row: PageRow) -> InputPage {
    let media = row.header("content-type").unwrap_or_default();
    let charset = ContentType::parse(&media).charset.map(str::to_owned);
    InputPage { id: row.url.clone(), bytes: row.body, charset, url: Some(row.url) }
}

impl StoredPage {
    /// Parse a row of a store; none if its address is none.
    pub(super) fn parse(mut row: PageRow) -> Option<StoredPage> {
        let url = Url::parse(&row.url).ok()?;
        let (name, at, kind) = (row.url.clone(), row.at, row.kind.take());
        let page = input(row).parse();
        let leaves = page.leaves();
        let base = page.find(page.document(), "base");
        let base = base.and_then(|it| url.join(page.attr(it, "href")?).ok());
        let base = base.unwrap_or_else(|| url.clone());
        let heading = crawl::heading(&page).map(|first| shown_heading(&page, &leaves, first));
        let title = crawl::title(&page);
        Some(StoredPage { page, leaves, url, kind, at, heading, title, name, base })
    }

    /// What the home page is about: the name that is on its sign, or in its title.
    pub(super) fn root(&self, class: &str) -> Root {
        let signs = [self.meta("og:site_name"), self.title.clone(), self.heading.clone()];
        let name = signs.into_iter().flatten().map(|it| main_part(&it)).find(|it| !it.is_empty());
        let host = || self.url.host_str().unwrap_or("").to_owned();
        Root { class: class.to_owned(), name: name.unwrap_or_else(host), url: self.address() }
    }

    /// Where something stands.
    pub(super) fn place(&self, span: std::ops::Range<usize>) -> Place {
        Place { url: self.name.clone(), span, at: self.at }
    }

    /// Its own address, as links to it are given.
    pub(super) fn address(&self) -> String {
        same(&self.url)
    }

    /// A link as an address that can be compared with others. A page of the network leads to no file.
    pub(super) fn absolute(&self, link: &str) -> Option<String> {
        let url = self.base.join(link.trim()).ok()?;
        let is_page = matches!(url.scheme(), "http" | "https")
            || url.scheme() == "file" && self.url.scheme() == "file";
        is_page.then(|| same(&url))
    }

    fn meta(&self, property: &str) -> Option<String> {
        let metas = self.page.descendants(self.page.document());
        let mut metas = metas.filter(|it| matches!(self.page.kind(*it), NodeKind::Element));
        let found = metas.find(|it| self.page.attr(*it, "property") == Some(property))?;
        said(self.page.attr(found, "content")?)
    }
}

/// The first of the largest headings that shows something, if the first of all does not: pages hide what scripts bring up later, such as
/// that something was put into a basket.
fn shown_heading(page: &Page, leaves: &Leaves, first: String) -> String {
    let shown = |tag: &str| {
        leaves.iter().find_map(|leaf| {
            let mut around = std::iter::once(leaf.element).chain(page.ancestors(leaf.element));
            let is_inside = leaves.paths().steps(leaf.path).contains(&tag);
            around.find(|node| is_inside && page.tag(*node) == Some(tag))
        })
    };
    // What shows a picture has no text of its own.
    let text = shown("h1").or_else(|| shown("h2")).and_then(|it| said(&page.text_content(it)));
    text.filter(|text| !text.starts_with(&first)).unwrap_or(first)
}

/// One spelling for all addresses of a page.
fn same(url: &Url) -> String {
    address::tidy(url).map_or_else(|| url.to_string(), |it| it.to_string())
}

/// A text with its white space collapsed, if it says anything.
pub(super) fn said(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// `Home | University of X` says two things, the longer of which is the name.
fn main_part(title: &str) -> String {
    let parts = title.split(['|', '–', '—', '·', '•', ':', '»']).flat_map(|it| it.split(" - "));
    let longest = parts.map(str::trim).max_by_key(|it| it.len());
    longest.unwrap_or("").trim_start_matches("Welcome to ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_headings_are_not_what_a_page_is_about() {
        let check = |html: &str, expected: &str| {
            let page = page::parse(html.as_bytes());
            let first = crawl::heading(&page).unwrap();
            assert_eq!(shown_heading(&page, &page.leaves(), first), expected);
        };
        check("<div style='display:none'><h1>Added to your cart</h1></div><h1>Dune</h1>", "Dune");
        check("<h1>Dune</h1><h1>Emma</h1>", "Dune");
        check("<h1><img src=a alt=Shop></h1><h2>Dune</h2>", "Shop");
        check("<div hidden><h1>Added</h1></div><h2>Dune</h2>", "Dune");
    }
}
