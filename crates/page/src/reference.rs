//! The yardstick: the same tree construction behind html5ever's own tokenizer, without gate or limits;
//! and the entry points that conformance tests need. For tests, fuzzing and benches only.

use crate::decode::{Decoded, prescan};
use crate::gate::{ContentModel, Gate};
use crate::limits::Limits;
use crate::parse::builder_options;
use crate::sink::{Handle, Sink};
use crate::token::Tokenizer;
use crate::tree::Page;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElementFlags, TreeSink as _};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    Token, TokenSink, TokenSinkResult, Tokenizer as Html5everTokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, TokenizerResult, ns};
use std::borrow::Cow;
use typed_arena::Arena;

/// Parse with html5ever's tokenizer.
pub fn parse(html: &str) -> Page {
    let source = StrTendril::from_slice(html);
    let names = Arena::new();
    let builder = TreeBuilder::new(Sink::new(&source, &names), builder_options());
    let opts = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Html5everTokenizer::new(WithoutErrors { builder }, opts);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.builder.sink.into_page(decoded(html), Vec::new())
}

/// Keeps parse errors from the builder, which takes one after `<pre>` for the end of the place where a newline
/// is passed over: `<pre>&#10x` would keep its newline for want of a semicolon.
struct WithoutErrors<'n, 's> {
    builder: TreeBuilder<Handle<'n>, Sink<'n, 's>>,
}

impl<'n> TokenSink for WithoutErrors<'n, '_> {
    type Handle = Handle<'n>;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle<'n>> {
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
    let source = StrTendril::from_slice(html);
    let names = Arena::new();
    let sink = Sink::new(&source, &names);
    let opts = TreeBuilderOpts { scripting_enabled: test.scripting, ..builder_options() };
    let limits = Limits::UNBOUNDED;
    let (sink, notes) = match test.context {
        None => {
            let gate = Gate::new(TreeBuilder::new(sink, opts), limits);
            Tokenizer::new(&source, gate, limits).run()
        }
        Some(context) => {
            let element = context_element(&sink, context);
            let builder = TreeBuilder::new_for_fragment(sink, element, None, opts);
            let state = builder.tokenizer_state_for_context_elem(test.scripting);
            let gate = Gate::new(builder, limits);
            Tokenizer::new(&source, gate, limits).inside(content_model(state)).run()
        }
    };
    sink.into_page(decoded(html), notes)
}

fn context_element<'n>(sink: &Sink<'n, '_>, context: Context<'_>) -> Handle<'n> {
    let namespace = match context.namespace {
        "svg" => ns!(svg),
        "math" => ns!(mathml),
        _ => ns!(html),
    };
    let name = QualName::new(None, namespace, LocalName::from(context.tag));
    let mut flags = ElementFlags::default();
    flags.template = context.tag == "template";
    sink.create_element(name, Vec::new(), flags)
}

fn content_model(state: State) -> ContentModel {
    match state {
        State::RawData(kind @ (RawKind::Rcdata | RawKind::Rawtext | RawKind::ScriptData)) => {
            ContentModel::Raw(kind)
        }
        State::Plaintext => ContentModel::Plaintext,
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
