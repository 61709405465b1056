//! The yardstick: html5ever over the same arena, without gate or limits; and the entry points that conformance tests
//! need. For tests, fuzzing and benches only.

mod sink;

use crate::arena::Arena;
use crate::build::{Builder, ContentModel, RawKind};
use crate::decode::{Decoded, prescan};
use crate::gate::Gate;
use crate::limits::Limits;
use crate::parse::RUNS_SCRIPTS;
use crate::tag::Tag;
use crate::token::Tokenizer;
use crate::tree::{Namespace, Page};
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    Token, TokenSink, TokenSinkResult, Tokenizer as Html5everTokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use sink::{Handle, Sink};
use std::borrow::Cow;

/// Parse with html5ever.
pub fn parse(html: &str) -> Page {
    let sink = Sink::new(Arena::new(html, &Limits::UNBOUNDED));
    let opts = TreeBuilderOpts { scripting_enabled: RUNS_SCRIPTS, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(sink, opts);
    let opts = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Html5everTokenizer::new(WithoutErrors { builder }, opts);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let tree = tokenizer.sink.builder.sink.into_arena().finish();
    tree.into_page(decoded(html), Vec::new())
}

/// Keeps parse errors from the builder, which takes one after `<pre>` for the end of the place where a newline
/// is passed over: `<pre>&#10x` would keep its newline for want of a semicolon.
struct WithoutErrors<'t> {
    builder: TreeBuilder<Handle, Sink<'t>>,
}

impl TokenSink for WithoutErrors<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// What a fragment is parsed inside of.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// `svg`, `math`, or empty for HTML.
    pub namespace: &'a str,
    /// The element's name.
    pub tag: &'a str,
}

/// How a conformance test wants its page parsed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conformance<'a> {
    /// The element that `innerHTML` is set on.
    pub context: Option<Context<'a>>,
    /// Whether the page is parsed as by a browser that runs scripts.
    pub scripting: bool,
}

/// Parse without limits, as a conformance test says.
pub fn parse_conformance(html: &str, test: Conformance<'_>) -> Page {
    let limits = Limits::UNBOUNDED;
    let builder = Builder::new(Arena::new(html, &limits), test.scripting);
    let (builder, content) = match test.context {
        None => (builder, ContentModel::Markup),
        Some(context) => inside(builder, context, test.scripting),
    };
    let tokenizer = Tokenizer::new(html, Gate::new(builder, limits), limits).inside(content);
    let (tree, notes) = tokenizer.run();
    tree.into_page(decoded(html), notes)
}

fn inside<'t>(
    builder: Builder<'t>,
    context: Context<'_>,
    scripting: bool,
) -> (Builder<'t>, ContentModel) {
    let namespace = match context.namespace {
        "svg" => Namespace::Svg,
        "math" => Namespace::MathMl,
        _ => Namespace::Html,
    };
    let content = match namespace {
        Namespace::Html => content_of(Tag::of(context.tag), scripting),
        _ => ContentModel::Markup,
    };
    (builder.inside(namespace, context.tag), content)
}

/// How the text inside an element is read that no tag opened.
fn content_of(tag: Tag, scripting: bool) -> ContentModel {
    match tag {
        Tag::Title | Tag::Textarea => ContentModel::Raw(RawKind::Rcdata, None),
        Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes => {
            ContentModel::Raw(RawKind::Rawtext, None)
        }
        Tag::Script => ContentModel::Raw(RawKind::Script, None),
        Tag::Noscript if scripting => ContentModel::Raw(RawKind::Rawtext, None),
        Tag::Plaintext => ContentModel::Plaintext,
        _ => ContentModel::Markup,
    }
}

fn decoded(html: &str) -> Decoded<'_> {
    let encoding = encoding_rs::UTF_8;
    Decoded { text: Cow::Borrowed(html), encoding, bom_len: 0, notes: Vec::new() }
}

/// The encoding that a page declares in its first bytes, by name.
pub fn declared_encoding(bytes: &[u8]) -> Option<&'static str> {
    let marked = encoding_rs::Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    marked.or_else(|| prescan(bytes)).map(encoding_rs::Encoding::name)
}
