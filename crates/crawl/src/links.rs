//! Where a page leads.

use page::{NodeId, NodeKind, Page};
use url::Url;

/// A link of a page.
#[derive(Debug, Clone)]
pub struct Link {
    /// Where it leads.
    pub url: Url,
    /// What it says: its text, or that of its pictures; white space collapsed.
    pub text: String,
    /// The element.
    pub node: NodeId,
}

/// More links than these are no page for readers.
const MAX_LINKS: usize = 5_000;
/// More of a text says nothing more of where it leads.
const MAX_TEXT: usize = 200;

/// The links of a page that came from an address, in order; none if the page asks for them not to be followed.
pub fn links(page: &Page, at: &Url) -> Vec<Link> {
    let base = base(page).and_then(|it| at.join(it).ok()).unwrap_or_else(|| at.clone());
    if is_nofollow(page) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for node in page.descendants(page.document()) {
        let Some(target) = target(page, node) else { continue };
        let Ok(url) = base.join(target.trim()) else { continue };
        if !matches!(url.scheme(), "http" | "https" | "file")
            || url.scheme() == "file" && at.scheme() != "file"
        {
            continue;
        }
        found.push(Link { url, text: text(page, node), node });
        if found.len() == MAX_LINKS {
            break;
        }
    }
    found
}

/// The page's title.
pub fn title(page: &Page) -> Option<String> {
    let title = page.find(page.document(), "title")?;
    let title = text(page, title);
    (!title.is_empty()).then_some(title)
}

/// The page's largest heading that says something.
pub fn heading(page: &Page) -> Option<String> {
    ["h1", "h2"].iter().find_map(|tag| {
        let all = page.descendants(page.document()).filter(|node| page.tag(*node) == Some(tag));
        all.map(|it| text(page, it)).find(|it| !it.is_empty())
    })
}

fn base(page: &Page) -> Option<&str> {
    page.find(page.document(), "base").and_then(|it| page.attr(it, "href"))
}

fn is_nofollow(page: &Page) -> bool {
    let metas = page.descendants(page.document()).filter(|node| page.tag(*node) == Some("meta"));
    let mut robots = metas.filter(|node| {
        page.attr(*node, "name").is_some_and(|name| name.eq_ignore_ascii_case("robots"))
    });
    robots.any(|node| {
        let content = page.attr(node, "content").unwrap_or("").to_ascii_lowercase();
        content.split(',').any(|it| matches!(it.trim(), "nofollow" | "none"))
    })
}

/// Where an element leads, as written.
fn target(page: &Page, node: NodeId) -> Option<&str> {
    match page.tag(node)? {
        "a" | "area" => page.attr(node, "href"),
        "frame" | "iframe" => page.attr(node, "src"),
        "link" => {
            let rel = page.attr(node, "rel")?.to_ascii_lowercase();
            let leads = rel.split_ascii_whitespace().any(|it| matches!(it, "next" | "prev"));
            page.attr(node, "href").filter(|_| leads)
        }
        "meta" => refresh(page, node),
        _ => None,
    }
}

/// Where a page sends its reader by itself.
fn refresh(page: &Page, node: NodeId) -> Option<&str> {
    page.attr(node, "http-equiv").filter(|it| it.eq_ignore_ascii_case("refresh"))?;
    let content = page.attr(node, "content")?;
    let (_, place) = content.split_once([';', ','])?;
    let (name, place) = place.split_once('=')?;
    let place = place.trim().trim_matches(['"', '\'']);
    (name.trim().eq_ignore_ascii_case("url") && !place.is_empty()).then_some(place)
}

fn text(page: &Page, node: NodeId) -> String {
    let mut text = String::new();
    let inside = page.descendants(node).chain([node]);
    for it in inside {
        let piece = match page.kind(it) {
            NodeKind::Text => page.text_content(it),
            _ if page.tag(it) == Some("img") || page.tag(it) == Some("area") => {
                page.attr(it, "alt").unwrap_or("").to_owned()
            }
            _ => continue,
        };
        for word in piece.split_whitespace() {
            if text.len() + word.len() > MAX_TEXT {
                return text;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    if text.is_empty() {
        let title = page.attr(node, "title").or_else(|| page.attr(node, "aria-label"));
        text.extend(title.unwrap_or("").chars().take(MAX_TEXT));
    }
    text
}
