//! What a view may have: elements and attributes that are known to do nothing.

use pagemill::page::{Namespace, NodeId, NodeKind, Page};

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept<'p> {
    /// It is left out, with all that is in it.
    Not,
    /// It is written under this name.
    As(&'p str),
}

pub(super) fn element(page: &Page, node: NodeId) -> Kept<'_> {
    if page.kind(node) != NodeKind::Element {
        return Kept::Not;
    }
    let tag = page.tag(node).unwrap_or_default();
    match page.namespace(node) {
        Some(Namespace::Svg) => svg(tag),
        Some(Namespace::MathMl) => math(tag),
        _ => html(tag),
    }
}

/// Elements that HTML has no rules for are harmless; names that are no names are not written.
fn html(tag: &str) -> Kept<'_> {
    match tag {
        // What runs, loads, or is shown only where something else is not. Style sheets stand in the head.
        "script" | "noscript" | "template" | "iframe" | "frame" | "frameset" | "noframes"
        | "noembed" | "embed" | "base" | "meta" | "link" | "style" | "video" | "audio"
        | "canvas" | "source" | "track" | "param" | "bgsound" | "keygen" | "datalist"
        | "portal" | "fencedframe" | "basefont" | "nextid" => Kept::Not,
        // Their texts could not be escaped.
        "xmp" | "plaintext" | "listing" => Kept::As("pre"),
        "object" | "applet" | "marquee" | "image" | "dialog" | "menuitem" | "selectedcontent" => {
            Kept::As("div")
        }
        tag if is_name(tag) => Kept::As(tag),
        _ => Kept::As("span"),
    }
}

fn svg(tag: &str) -> Kept<'_> {
    match tag {
        "svg" | "g" | "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon"
        | "text" | "tspan" | "defs" | "linearGradient" | "radialGradient" | "stop" | "clipPath"
        | "mask" | "pattern" | "title" | "desc" | "foreignObject" => Kept::As(tag),
        "script" | "style" | "use" | "image" | "feImage" | "animate" | "set"
        | "animateTransform" | "animateMotion" | "animateColor" | "handler" | "listener"
        | "discard" | "mpath" | "cursor" | "filter" | "iframe" | "audio" | "video" => Kept::Not,
        _ => Kept::As("g"),
    }
}

fn math(tag: &str) -> Kept<'_> {
    match tag {
        "math" | "mi" | "mn" | "mo" | "ms" | "mtext" | "mrow" | "mfrac" | "msqrt" | "mroot"
        | "msub" | "msup" | "msubsup" | "munder" | "mover" | "munderover" | "mtable" | "mtr"
        | "mtd" | "mspace" | "semantics" => Kept::As(tag),
        "annotation" | "annotation-xml" => Kept::Not,
        _ => Kept::As("mrow"),
    }
}

/// A name that can be written as a tag and is none of ours.
fn is_name(tag: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    tag.starts_with(|it: char| it.is_ascii_lowercase())
        && tag.bytes().all(is_plain)
        && !tag.starts_with("pm-")
        && tag.len() <= 64
}

/// Attributes that say how something looks or what it is, and lead nowhere.
pub(super) fn attribute(page: &Page, node: NodeId, name: &str, value: &str) -> bool {
    if page.namespace(node) != Some(Namespace::Html) {
        // A paint may be an address; one within the page is none.
        let is_near =
            !value.to_ascii_lowercase().contains("url(") || value.trim_start().starts_with("url(#");
        return is_near && (DRAWN.contains(&name) || matches!(name, "class" | "id" | "style"));
    }
    let tag = page.tag(node).unwrap_or_default();
    match name {
        // Elements of forms and pictures are found by their ids as if they were properties of the form, or of the document.
        "id" => !matches!(
            tag,
            "input"
                | "select"
                | "textarea"
                | "button"
                | "fieldset"
                | "output"
                | "img"
                | "object"
                | "form"
        ),
        "type" => {
            matches!(tag, "input" | "ol" | "ul" | "li" | "button")
                && !matches!(value.trim().to_ascii_lowercase().as_str(), "image" | "file")
        }
        "style" | "class" => true,
        "open" => tag != "details",
        _ => {
            PLAIN.contains(&name)
                || name.starts_with("aria-")
                    && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'-')
        }
    }
}

const PLAIN: &[&str] = &[
    "abbr",
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "checked",
    "clear",
    "color",
    "cols",
    "colspan",
    "compact",
    "datetime",
    "dir",
    "disabled",
    "face",
    "headers",
    "height",
    "hidden",
    "high",
    "hspace",
    "itemprop",
    "itemscope",
    "label",
    "lang",
    "low",
    "max",
    "maxlength",
    "min",
    "multiple",
    "noshade",
    "nowrap",
    "optimum",
    "placeholder",
    "readonly",
    "reversed",
    "role",
    "rows",
    "rowspan",
    "rules",
    "scope",
    "selected",
    "size",
    "span",
    "start",
    "summary",
    "title",
    "valign",
    "value",
    "vspace",
    "width",
    "wrap",
];

const DRAWN: &[&str] = &[
    "clip-path",
    "clip-rule",
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "fill-rule",
    "font-family",
    "font-size",
    "font-weight",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "height",
    "mask",
    "offset",
    "opacity",
    "patternUnits",
    "points",
    "preserveAspectRatio",
    "r",
    "rx",
    "ry",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

pub(super) fn is_void(tag: &str) -> bool {
    matches!(tag, "area" | "br" | "col" | "hr" | "img" | "input" | "wbr")
}

pub(super) fn escape(html: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\0' => html.push('\u{fffd}'),
            _ => html.push(letter),
        }
    }
}
