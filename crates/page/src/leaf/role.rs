//! What elements mean to a reader: which are shown, which carry a value.

use crate::tree::{Name, NameId, Namespace, Page};

/// What an element is to the leaf view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Never shown, with all that is in it.
    Skip,
    /// Shown only when open.
    Dialog,
    Link,
    Image,
    Input,
    Time,
    Data,
    /// `<meter>` and `<progress>`
    Gauge,
    Meta,
    Plain,
}

impl Role {
    pub(crate) fn of(name: &Name) -> Role {
        match name.namespace {
            Namespace::Html => html_role(&name.local),
            Namespace::Svg => match &*name.local {
                "a" => Role::Link,
                "title" | "desc" | "metadata" | "defs" | "style" | "script" | "symbol" => {
                    Role::Skip
                }
                _ => Role::Plain,
            },
            Namespace::MathMl => match &*name.local {
                "annotation" | "annotation-xml" => Role::Skip,
                _ => Role::Plain,
            },
            _ => Role::Plain,
        }
    }
}

fn html_role(tag: &str) -> Role {
    match tag {
        // Not shown, or only where something better is not.
        "script" | "style" | "template" | "noscript" | "noframes" | "noembed" | "iframe"
        | "datalist" | "rp" | "video" | "audio" | "canvas" => Role::Skip,
        "dialog" => Role::Dialog,
        "a" => Role::Link,
        "img" => Role::Image,
        "input" => Role::Input,
        "time" => Role::Time,
        "data" => Role::Data,
        "meter" | "progress" => Role::Gauge,
        "meta" => Role::Meta,
        _ => Role::Plain,
    }
}

/// Whether an element is part of a line of text rather than a block of its own.
pub(crate) fn is_inline(name: &Name) -> bool {
    let is_phrase = matches!(
        &*name.local,
        "a" | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "nobr"
            | "q"
            | "ruby"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    );
    is_phrase && name.namespace == Namespace::Html
}

/// The names of attributes that are asked for at every element, if the page has them at all.
pub(super) struct AttrNames {
    pub(super) href: Option<NameId>,
    pub(super) hidden: Option<NameId>,
    pub(super) style: Option<NameId>,
    pub(super) popover: Option<NameId>,
}

impl AttrNames {
    pub(super) fn of(page: &Page) -> AttrNames {
        let find = |local: &str| {
            let is_name = |name: &Name| name.namespace == Namespace::None && &*name.local == local;
            page.names.iter().position(is_name).map(|index| NameId(crate::tree::offset(index)))
        };
        AttrNames {
            href: find("href"),
            hidden: find("hidden"),
            style: find("style"),
            popover: find("popover"),
        }
    }
}

/// Whether an inline style makes its element vanish. Of several declarations the last one counts.
pub(crate) fn hides(style: &str) -> bool {
    let mut is_hidden = [false; 2];
    for (name, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = value.trim_start();
        let is =
            |word: &str| value.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        match name.trim() {
            name if name.eq_ignore_ascii_case("display") => is_hidden[0] = is("none"),
            name if name.eq_ignore_ascii_case("visibility") => {
                is_hidden[1] = is("hidden") || is("collapse");
            }
            _ => {}
        }
    }
    is_hidden.contains(&true)
}

/// Pictures of a pixel or two are there for layout or for counting visitors.
pub(crate) fn is_spacer<'a>(attr: impl Fn(&str) -> Option<&'a str>) -> bool {
    let is_tiny = |name: &str| {
        let size = attr(name).map(|size| size.trim().trim_end_matches("px"));
        matches!(size, Some("0" | "1" | "2"))
    };
    is_tiny("width") && is_tiny("height")
}

/// The attributes that leaves are made of.
pub(crate) const ATTRIBUTES: [&str; 11] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "src",
    "data-srcset",
    "srcset",
    "alt",
    "datetime",
    "value",
    "content",
];
/// Where the address of a picture may be, the most telling attribute first.
const PICTURES: [&str; 5] = ["data-src", "data-original", "data-lazy-src", "data-lazy", "src"];
/// Where several may be, for screens of several sizes.
const PICTURE_SETS: [&str; 2] = ["data-srcset", "srcset"];

/// Where the picture of an image element really is: pages that load pictures late keep the address in
/// another attribute and a placeholder in `src`.
pub(crate) fn picture<'a>(
    attr: impl Fn(&str) -> Option<&'a str>,
) -> Option<(&'static str, &'a str)> {
    let address = |attribute| attr(attribute).map(str::trim).filter(|it| !it.is_empty());
    let single = PICTURES.into_iter().find_map(|it| address(it).map(|src| (it, src)));
    single.or_else(|| {
        let (attribute, set) =
            PICTURE_SETS.into_iter().find_map(|it| address(it).map(|set| (it, set)))?;
        let first = set.split_ascii_whitespace().next()?;
        Some((attribute, first.trim_end_matches(',')))
    })
}

/// Whether a person sees an `<input>`'s value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    Shown,
    Image,
    Silent,
}

pub(crate) fn input_kind(kind: Option<&str>) -> InputKind {
    const SILENT: [&str; 6] = ["hidden", "checkbox", "radio", "password", "file", "color"];
    let kind = kind.unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("image") {
        InputKind::Image
    } else if SILENT.iter().any(|silent| kind.eq_ignore_ascii_case(silent)) {
        InputKind::Silent
    } else {
        InputKind::Shown
    }
}

/// Whether a `<meta>` speaks of the page's subject and not of its machinery: microdata, Open Graph and its kin, and
/// the classical names.
pub(crate) fn is_subject_meta<'a>(attr: impl Fn(&str) -> Option<&'a str>) -> bool {
    const NAMES: [&str; 7] =
        ["author", "date", "description", "keywords", "news_keywords", "publisher", "title"];
    const FAMILIES: [&str; 8] =
        ["og:", "article:", "book:", "product:", "profile:", "dc.", "dcterms.", "citation_"];
    if attr("itemprop").is_some() {
        return true;
    }
    let name = attr("property").or_else(|| attr("name")).unwrap_or_default();
    let starts_with =
        |family: &str| name.get(..family.len()).is_some_and(|it| it.eq_ignore_ascii_case(family));
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || FAMILIES.iter().any(|family| starts_with(family))
}

/// Whether a script will move an element into its place, by its `id`: React streams what takes a while to the end of the
/// page, in `<div hidden id="S:1">`, the number being hexadecimal.
pub(crate) fn is_streamed(id: Option<&str>) -> bool {
    let number = id.and_then(|id| id.strip_prefix("S:"));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|c| c.is_ascii_hexdigit()))
}

/// The step that a path takes into an attribute.
pub(crate) fn attribute_step(attribute: &str) -> &'static str {
    match attribute {
        "alt" => "@alt",
        "datetime" => "@datetime",
        "value" => "@value",
        "content" => "@content",
        _ => "@src",
    }
}
