//! Our page as a document of the engine.

use super::Config;
use super::sheets::Sheets;
use super::tables;
use blitz_dom::{
    Attribute, BaseDocument, DocumentConfig, DocumentMutator, FontContext, LocalName,
    NodeId as EngineId, QualName, UserAgentStylesheet, ns,
};
use blitz_traits::shell::{ColorScheme, Viewport};
use fontique::{Collection, SourceCache};
use page::{Namespace, NodeId, NodeKind, Page};

pub(super) struct Document {
    pub(super) inner: BaseDocument,
    /// By our node: theirs.
    ids: Vec<Option<EngineId>>,
}

impl Document {
    pub(super) fn id(&self, node: NodeId) -> Option<EngineId> {
        self.ids[node.index()]
    }

    pub(super) fn node(&self, node: NodeId) -> Option<&blitz_dom::Node> {
        self.inner.get_node(self.id(node)?)
    }

    /// Display what the page's own sheets hide as a whole, until a script says otherwise; says whether there was such.
    pub(super) fn show_page(&mut self, page: &Page) -> bool {
        let is_hidden = |node: &blitz_dom::Node| {
            node.primary_styles().is_some_and(|style| style.clone_display().is_none())
        };
        let parts = ["html", "body"].map(|tag| page.find(page.document(), tag));
        let hidden = parts.into_iter().flatten().find(|it| self.node(*it).is_some_and(is_hidden));
        let Some(id) = hidden.and_then(|it| self.id(it)) else { return false };
        let name = QualName::new(None, ns!(), LocalName::from("style"));
        self.inner.mutate().set_attribute(id, name, "display: block !important");
        true
    }

    pub(super) fn has_root(&self) -> bool {
        self.inner.try_root_element().is_some()
    }
}

pub(super) fn of(
    page: &Page,
    url: Option<&str>,
    config: &Config,
    (collection, source_cache): (Collection, SourceCache),
) -> Document {
    let sheets = Sheets::new(page, url, config.fetch.clone());
    let mut inner = BaseDocument::new(DocumentConfig {
        viewport: Some(Viewport::new(config.width, config.height, 1.0, ColorScheme::Light)),
        base_url: Some(sheets.base().to_string()),
        ua_stylesheets: vec![
            UserAgentStylesheet::default_sheet(),
            UserAgentStylesheet::parse(SEEN),
            UserAgentStylesheet::parse(AGENT),
        ],
        font_ctx: Some(FontContext { collection, source_cache }),
        ..DocumentConfig::default()
    });
    let root = inner.root_node().id;
    let builder =
        Builder { page, sheets, mutator: inner.mutate(), ids: vec![None; page.n_nodes()] };
    let ids = builder.build(root);
    Document { inner, ids }
}

const AGENT: &str = include_str!("agent.css");

/// Pages that hide until their scripts have run are shown, as leaves have it.
pub(crate) const SEEN: &str =
    "html, body { visibility: visible !important; opacity: 1 !important }";

struct Builder<'p, 'd> {
    page: &'p Page,
    sheets: Sheets,
    mutator: DocumentMutator<'d>,
    ids: Vec<Option<EngineId>>,
}

/// An element whose children are being made.
struct Open {
    node: NodeId,
    id: EngineId,
    children: Vec<EngineId>,
}

impl Builder<'_, '_> {
    fn build(mut self, root: EngineId) -> Vec<Option<EngineId>> {
        let document = self.page.document();
        let mut open = vec![Open { node: document, id: root, children: Vec::new() }];
        let mut next = self.page.first_child(document);
        while let Some(top) = open.last_mut() {
            let Some(node) = next else {
                self.mutator.append_children(top.id, &top.children);
                next = self.page.next_sibling(top.node);
                open.pop();
                continue;
            };
            let Some(id) = self.node(node) else {
                next = self.page.next_sibling(node);
                continue;
            };
            let outer = match self.page.tag(node) {
                Some("caption") => self.row_around(id),
                _ => id,
            };
            top.children.push(outer);
            self.ids[node.index()] = Some(id);
            if self.page.kind(node) == NodeKind::Element && has_inside(self.page, node) {
                open.push(Open { node, id, children: Vec::new() });
                next = self.page.first_child(node);
            } else {
                next = self.page.next_sibling(node);
            }
        }
        self.ids
    }

    fn node(&mut self, node: NodeId) -> Option<EngineId> {
        match self.page.kind(node) {
            NodeKind::Text => Some(self.mutator.create_text_node(&self.page.text_content(node))),
            NodeKind::Element => self.element(node),
            _ => None,
        }
    }

    fn element(&mut self, node: NodeId) -> Option<EngineId> {
        let page = self.page;
        match page.tag(node)? {
            "style" => self.sheets.inside(page, node).map(|css| self.sheet(&css)),
            "link" => self.sheets.linked(page, node).map(|css| self.sheet(&css)),
            // What runs, what is not shown, and what would be another page.
            "script" | "noscript" | "template" | "meta" | "base" | "noframes" | "noembed" => None,
            tag => {
                let name = QualName::new(None, namespace(page, node), LocalName::from(tag));
                let attributes = attributes(page, node);
                Some(self.mutator.create_element(name, attributes))
            }
        }
    }

    fn row_around(&mut self, caption: EngineId) -> EngineId {
        let name = QualName::new(None, ns!(html), LocalName::from("caption-row"));
        let style = attribute("style", tables::CAPTION_ROW.to_owned());
        let row = self.mutator.create_element(name, vec![style]);
        self.mutator.append_children(row, &[caption]);
        row
    }

    fn sheet(&mut self, css: &str) -> EngineId {
        let name = QualName::new(None, ns!(html), LocalName::from("style"));
        let element = self.mutator.create_element(name, Vec::new());
        // The engine takes references such as `&gt;` for what they stand for, which browsers do not.
        let text = self.mutator.create_text_node(&css.replace('&', "&amp;"));
        self.mutator.append_children(element, &[text]);
        element
    }
}

/// Whether what is inside an element is shown as part of the page.
fn has_inside(page: &Page, node: NodeId) -> bool {
    !matches!(
        page.tag(node),
        Some("style" | "link" | "iframe" | "video" | "audio" | "canvas" | "meter" | "progress")
    )
}

fn namespace(page: &Page, node: NodeId) -> blitz_dom::Namespace {
    match page.namespace(node) {
        Some(Namespace::Svg) => ns!(svg),
        Some(Namespace::MathMl) => ns!(mathml),
        _ => ns!(html),
    }
}

fn attributes(page: &Page, node: NodeId) -> Vec<Attribute> {
    let kept = page.attrs(node).filter(|(name, _)| !is_dangerous(name));
    let mut attributes: Vec<Attribute> =
        kept.map(|(name, value)| attribute(name, value.to_owned())).collect();
    let style = page.attr(node, "style");
    let style = match page.tag(node) {
        Some("html" | "body") => style.map(shown),
        Some("img") => ratio(page, node).map(|ratio| ratio + style.unwrap_or_default()),
        Some("table") if tables::is_shared_out(page, node) => {
            Some(format!("table-layout: fixed;{}", style.unwrap_or_default()))
        }
        _ => None,
    };
    if page.tag(node) == Some("caption") {
        attributes.push(attribute("colspan", tables::n_columns(page, node).to_string()));
    }
    if let Some(style) = style {
        attributes.retain(|it| it.name.local != *"style");
        attributes.push(attribute("style", style));
    }
    attributes
}

fn attribute(name: &str, value: String) -> Attribute {
    Attribute { name: QualName::new(None, ns!(), LocalName::from(name)), value }
}

/// The shape of a picture that is not loaded, by its attributes: what most sheets go by to scale it.
fn ratio(page: &Page, node: NodeId) -> Option<String> {
    let side = |name: &str| {
        let side: f32 = page.attr(node, name)?.trim().parse().ok()?;
        (side.is_finite() && side >= 1.0).then_some(side)
    };
    Some(format!("aspect-ratio: {} / {};", side("width")?, side("height")?))
}

/// An inline style without what hides.
pub(crate) fn shown(style: &str) -> String {
    let is_kept = |it: &&str| !it.trim_start().to_ascii_lowercase().starts_with("display");
    style.split(';').filter(is_kept).collect::<Vec<_>>().join(";")
}

/// What could run or be fetched; the engine ends where such an address is malformed.
fn is_dangerous(name: &str) -> bool {
    name.starts_with("on")
        || matches!(name, "src" | "srcset" | "srcdoc" | "data" | "poster" | "background")
}
