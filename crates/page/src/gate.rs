//! Between the tokenizer and html5ever's tree construction: decides which tags may pass.
//!
//! The builder's stack of open elements and its list of formatting elements are private and unbounded, and
//! nearly every tag searches them. What can be known of them from outside is what
//! [`TreeBuilder::trace_handles`] walks over: all elements that are open or will be reopened. So the
//! gate keeps an upper bound (one more with each start tag) and looks again whenever the bound
//! reaches a limit. On top of that it meters the work the sink saw against the bytes read so far: in
//! debt, tags are left out and only text passes, until the bytes read have paid for it.
//!
//! A tag left out leaves out its end tag too. Tags whose content is raw text (`<script>`, `<style>` …)
//! pass all the same: without them their content would turn into text of the page. In SVG and MathML, where they are
//! elements like any other, they have no such right.

use crate::limits::Limits;
use crate::note::Note;
use crate::sink::{Handle, Sink, TokenPlace};
use crate::tree::Span;
use foldhash::fast::FixedState;
use html5ever::interface::{Tracer, TreeSink as _};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink as _, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name, ns};
use std::cell::RefCell;
use std::collections::HashMap;

/// Work that a page may do ahead of its bytes, so that small pages never meet the meter: a few milliseconds.
const CREDIT_AT_START: i64 = 1 << 20;

/// What a tag name means to the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagClass {
    /// Opens an element that is reopened after each block until it is closed.
    Formatting,
    /// Has no content, so it never stays open.
    Void,
    /// Has raw text for content.
    Raw,
    Other,
}

impl TagClass {
    pub(crate) fn of(name: &LocalName) -> TagClass {
        match *name {
            local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u") => TagClass::Formatting,
            local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr") => TagClass::Void,
            local_name!("iframe")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("noscript")
            | local_name!("plaintext")
            | local_name!("script")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("xmp") => TagClass::Raw,
            _ => TagClass::Other,
        }
    }
}

/// How the text after a start tag is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentModel {
    Markup,
    Raw(RawKind),
    Plaintext,
}

/// So many formatting elements are open at once on harmless pages, too.
const FIRST_LOOK: u32 = 32;

#[derive(Clone, Copy, Default)]
struct Cuts {
    too_deep: u32,
    formatting: u32,
    work: u32,
}

pub(crate) struct Gate<'n, 's> {
    builder: TreeBuilder<Handle<'n>, Sink<'n, 's>>,
    limits: Limits,
    open: Open,
    /// How many formatting elements may be open before they are counted anew.
    look_at: u32,
    credit: i64,
    /// Start tags left out whose end tags are still to come.
    left_out: HashMap<LocalName, u32, FixedState>,
    cuts: Cuts,
    text: TextRun,
}

/// The text tokens since the last tag or comment: the builder may hold them back and place them later.
#[derive(Clone, Copy, Default)]
struct TextRun {
    span: Span,
    is_decoded: bool,
    is_over: bool,
}

impl TextRun {
    fn add(&mut self, span: Span, is_decoded: bool) {
        if self.is_over || self.span.is_empty() {
            *self = TextRun { span, is_decoded, is_over: false };
        } else {
            self.span = self.span.hull(span);
            self.is_decoded |= is_decoded;
        }
    }

    fn place(self) -> TokenPlace {
        TokenPlace::text(self.span, self.is_decoded)
    }
}

/// Upper bounds on what the builder holds open.
#[derive(Clone, Copy, Default)]
struct Open {
    elements: u32,
    formatting: u32,
    /// Whether nothing has reached the builder since these were counted, so that counting again is in vain.
    is_exact: bool,
}

impl<'n, 's> Gate<'n, 's> {
    pub(crate) fn new(builder: TreeBuilder<Handle<'n>, Sink<'n, 's>>, limits: Limits) -> Self {
        Gate {
            builder,
            limits,
            open: Open::default(),
            look_at: FIRST_LOOK,
            credit: CREDIT_AT_START,
            left_out: HashMap::default(),
            cuts: Cuts::default(),
            text: TextRun::default(),
        }
    }

    /// A start tag. The answer says how to read what follows it.
    pub(crate) fn start_tag(&mut self, tag: Tag, class: TagClass, span: Span) -> ContentModel {
        self.pay_for(span);
        let must_pass = class == TagClass::Raw && !self.in_foreign_content();
        if !must_pass && !self.may_open(&tag, class) {
            if class != TagClass::Void {
                *self.left_out.entry(tag.name).or_default() += 1;
            }
            return ContentModel::Markup;
        }
        if class == TagClass::Formatting {
            self.tighten_formatting();
            self.charge(self.formatting_compare_work(&tag));
        }
        self.open.elements = self.open.elements.saturating_add(n_opened(&tag.name));
        self.open.formatting =
            self.open.formatting.saturating_add(u32::from(class == TagClass::Formatting));
        self.builder.sink.place(self.text.place().with_tag(span));
        self.text.is_over = true;
        self.send(Token::TagToken(tag))
    }

    /// An end tag.
    pub(crate) fn end_tag(&mut self, name: LocalName, span: Span) {
        self.pay_for(span);
        if self.is_end_of_left_out(&name) {
            return;
        }
        let must_pass = TagClass::of(&name) == TagClass::Raw && !self.in_foreign_content();
        if self.credit < 0 && !must_pass {
            self.cuts.work += 1;
            return;
        }
        let tag = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.builder.sink.place(self.text.place());
        self.text.is_over = true;
        self.send(Token::TagToken(tag));
    }

    /// Characters, with the stretch of source they were written in, and whether they differ from it.
    pub(crate) fn text(&mut self, text: StrTendril, span: Span, is_decoded: bool) {
        self.pay_for(span);
        self.text.add(span, is_decoded);
        // Text that is placed at once stands in the token's own stretch.
        self.builder.sink.place(TokenPlace::text(span, is_decoded));
        let is_exact = self.open.is_exact;
        self.send(Token::CharacterTokens(text));
        // Text closes nothing. What it reopens was counted as formatting.
        self.open.is_exact = is_exact;
    }

    pub(crate) fn null(&mut self) {
        self.builder.sink.place(self.text.place());
        self.send(Token::NullCharacterToken);
    }

    pub(crate) fn comment(&mut self, text: StrTendril, span: Span) {
        self.pay_for(span);
        self.builder.sink.place(self.text.place());
        self.text.is_over = true;
        self.send(Token::CommentToken(text));
    }

    pub(crate) fn doctype(&mut self, doctype: Doctype) {
        self.send(Token::DoctypeToken(doctype));
    }

    /// Whether `<![CDATA[` means something here.
    pub(crate) fn in_foreign_content(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// The end of the page.
    pub(crate) fn finish(mut self) -> (Sink<'n, 's>, Vec<Note>) {
        self.builder.sink.place(self.text.place());
        self.send(Token::EOFToken);
        self.builder.end();
        (self.builder.sink.finish(), self.cuts.notes())
    }

    fn send(&mut self, token: Token) -> ContentModel {
        // Line numbers are for error messages, which nobody reads here: the builder starts at line 1.
        let answer = self.builder.process_token(token, 1);
        self.open.is_exact = false;
        self.credit -= i64::try_from(self.builder.sink.take_work()).unwrap_or(i64::MAX);
        match answer {
            TokenSinkResult::RawData(kind) => ContentModel::Raw(kind),
            TokenSinkResult::Plaintext => ContentModel::Plaintext,
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => ContentModel::Markup,
        }
    }

    /// Bytes read are what work is paid with. Credit is capped, else a long harmless start would pay for a long
    /// pause later.
    fn pay_for(&mut self, span: Span) {
        let bytes = i64::from(span.end.saturating_sub(span.start));
        let credit = self.credit.saturating_add(bytes * i64::from(self.limits.work_per_byte));
        self.credit = credit.min(CREDIT_AT_START);
    }

    fn charge(&mut self, work: i64) {
        self.credit -= work;
    }

    /// End tags do not lower the bounds, so a page that opens and closes link after link would pay for more and more of
    /// them. Looking again each time the bound has doubled costs little and keeps it near the truth.
    fn tighten_formatting(&mut self) {
        if self.open.formatting >= self.look_at && !self.open.is_exact {
            self.look_again();
            self.look_at = self.open.formatting.saturating_mul(2).max(FIRST_LOOK);
        }
    }

    /// Before a formatting element opens, the builder compares its attributes, sorted anew, with those of
    /// every open one of that name.
    fn formatting_compare_work(&self, tag: &Tag) -> i64 {
        const ATTRIBUTE_COMPARE_WORK: i64 = 16;
        let entries = i64::from(self.open.formatting.min(self.limits.formatting));
        entries * (1 + ATTRIBUTE_COMPARE_WORK * i64::try_from(tag.attrs.len()).unwrap_or(i64::MAX))
    }

    fn may_open(&mut self, tag: &Tag, class: TagClass) -> bool {
        if self.credit < 0 {
            self.cuts.work += 1;
            return false;
        }
        if class == TagClass::Void || tag.self_closing && self.in_foreign_content() {
            return true;
        }
        if self.is_full(class) && !self.open.is_exact {
            self.look_again();
        }
        if self.open.elements >= self.limits.depth {
            self.cuts.too_deep += 1;
            return false;
        }
        if class == TagClass::Formatting && self.open.formatting >= self.limits.formatting {
            self.cuts.formatting += 1;
            return false;
        }
        true
    }

    fn is_full(&self, class: TagClass) -> bool {
        self.open.elements >= self.limits.depth
            || class == TagClass::Formatting && self.open.formatting >= self.limits.formatting
    }

    fn is_end_of_left_out(&mut self, name: &LocalName) -> bool {
        if self.left_out.is_empty() {
            return false;
        }
        let Some(n) = self.left_out.get_mut(name) else { return false };
        *n -= 1;
        if *n == 0 {
            self.left_out.remove(name);
        }
        true
    }

    /// Replace the bounds by what the builder really holds.
    fn look_again(&mut self) {
        /// Handles are copied and sorted.
        const WORK_PER_HANDLE: i64 = 4;
        let census = Census::default();
        self.builder.trace_handles(&census);
        let (open, n_traced) = census.count();
        self.open = open;
        self.charge(n_traced * WORK_PER_HANDLE);
    }
}

impl Cuts {
    fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |count: u32, note: fn(u32) -> Note| {
            if count > 0 {
                notes.push(note(count));
            }
        };
        note(self.too_deep, Note::TooDeep);
        note(self.formatting, Note::TooMuchFormatting);
        note(self.work, Note::TooMuchWork);
        notes
    }
}

/// All elements the builder holds: the open ones from the root on, then the formatting list, then a few
/// single pointers.
#[derive(Default)]
struct Census<'n> {
    traced: RefCell<Vec<Handle<'n>>>,
}

impl<'n> Tracer for Census<'n> {
    type Handle = Handle<'n>;

    fn trace_handle(&self, node: &Handle<'n>) {
        self.traced.borrow_mut().push(*node);
    }
}

impl Census<'_> {
    /// Upper bounds, and how many handles were looked at.
    ///
    /// Where the open elements end and the list begins is not told. But no element is open twice nor
    /// listed twice, and the list holds formatting elements only. So there are at most as many open as there
    /// are different ones, and at most as many listed as the last run of formatting elements has different
    /// ones.
    fn count(self) -> (Open, i64) {
        let mut traced = self.traced.into_inner();
        let n_traced = traced.len();
        while traced.last().is_some_and(|handle| !is_formatting(handle)) && traced.len() > 1 {
            traced.pop();
        }
        let n_dropped = n_traced - traced.len();
        let run = traced.iter().rev().take_while(|handle| is_formatting(handle)).count();
        let mut listed = traced.split_off(traced.len() - run);
        sort_and_dedup(&mut listed);
        let formatting = count(listed.len());
        traced.append(&mut listed);
        sort_and_dedup(&mut traced);
        let elements = count(traced.len() + n_dropped);
        let open = Open { elements, formatting, is_exact: true };
        (open, i64::try_from(n_traced).unwrap_or(i64::MAX))
    }
}

/// How many elements a start tag may open: parts of tables imply those they belong in.
fn n_opened(name: &LocalName) -> u32 {
    match *name {
        local_name!("td") | local_name!("th") => 3,
        local_name!("tr") => 2,
        _ => 1,
    }
}

fn is_formatting(handle: &Handle<'_>) -> bool {
    handle.name.ns == ns!(html) && TagClass::of(&handle.name.local) == TagClass::Formatting
}

fn sort_and_dedup(handles: &mut Vec<Handle<'_>>) {
    handles.sort_unstable_by_key(|handle| handle.id);
    handles.dedup_by_key(|handle| handle.id);
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
