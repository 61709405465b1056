//! Tree construction (HTML standard, 13.2.6): tokens in, a tree in the [`Arena`] out.
//!
//! The insertion modes of the standard are functions of the [`Builder`], named after it:
//!
//! - `head`: all modes up to the `<body>`
//! - `body`: in body, start tags; `body_end`: end tags
//! - `table`: tables and their parts
//! - `template`: templates, and how to find back into a mode
//! - `after`: after the body, and framesets
//! - `foreign`: SVG and MathML, with what is spelled otherwise there in `spelling`
//!
//! and below them:
//!
//! - `stack`: the stack of open elements
//! - `formatting`: the list of active formatting elements; `adoption`: what happens when they are not nested
//! - `insert`: where nodes go
//! - `quirks`: which doctypes ask for quirks
//! - `replica`: the same machine on nothing but the elements that are open, for [`skim`](crate::skim)
//!
//! Parse errors are not told: nobody would read them. What is left unclosed at the end stays as it is.

mod adoption;
mod after;
mod body;
mod body_end;
mod foreign;
mod formatting;
mod head;
mod insert;
mod quirks;
mod replica;
mod spelling;
mod stack;
mod table;
mod template;
#[cfg(test)]
mod tests;

use crate::arena::{Arena, AttrRange, DOCUMENT, Place, Text};
use crate::names::TagName;
use crate::tag::Tag;
use crate::tree::{NodeId, Slice, Span};
use formatting::Formatting;
use stack::{Open, Stack};

pub(crate) use quirks::DoctypeToken;
pub(crate) use replica::{Config, Made, Maker, Outcome, Replica, Token};

/// A start tag, its attributes being the last in the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartTag {
    pub(crate) name: TagName,
    pub(crate) attrs: AttrRange,
    pub(crate) is_self_closing: bool,
    pub(crate) span: Span,
}

/// How the text after a start tag is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ContentModel {
    Markup,
    /// Text up to the end tag of that name; none of a fragment, which is never left.
    Raw(RawKind, Option<Tag>),
    Plaintext,
}

/// What counts in raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RawKind {
    /// Character references: `<title>`, `<textarea>`
    Rcdata,
    /// Nothing: `<style>`, `<iframe>` …
    Rawtext,
    /// Comments that hold scripts.
    Script,
}

/// The insertion mode (13.2.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// Steps taken, to be paid with bytes: see [`gate`](crate::gate).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work(u64);

impl Work {
    #[inline]
    fn add(&mut self, steps: usize) {
        self.0 += steps as u64;
    }
}

pub(crate) struct Builder<'t> {
    pub(crate) arena: Arena<'t>,
    stack: Stack,
    formatting: Formatting,
    mode: Mode,
    /// Where to go on after raw text, or after text in a table.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    /// Text in a table that is held back until it is known whether it is all white space.
    table_text: Vec<Text>,
    head: Option<NodeId>,
    form: Option<NodeId>,
    may_have_frames: bool,
    /// Whether a newline that comes next is passed over.
    skips_newline: bool,
    /// Whether what has no place in a table goes before it.
    fosters: bool,
    has_quirks: bool,
    runs_scripts: bool,
    /// What a fragment is parsed inside of.
    context: Option<Open>,
    content: ContentModel,
    work: Work,
}

impl<'t> Builder<'t> {
    pub(crate) fn new(arena: Arena<'t>, runs_scripts: bool) -> Builder<'t> {
        Builder {
            arena,
            stack: Stack::default(),
            formatting: Formatting::default(),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            table_text: Vec::new(),
            head: None,
            form: None,
            may_have_frames: true,
            skips_newline: false,
            fosters: false,
            has_quirks: false,
            runs_scripts,
            context: None,
            content: ContentModel::Markup,
            work: Work::default(),
        }
    }

    /// A start tag. The answer says how to read what follows it.
    #[inline]
    pub(crate) fn start_tag(&mut self, token: &StartTag) -> ContentModel {
        self.skips_newline = false;
        self.place_table_text();
        self.content = ContentModel::Markup;
        self.start(token);
        self.content
    }

    /// A start tag, by the rules of where we are.
    #[inline]
    fn start(&mut self, token: &StartTag) {
        if self.is_foreign_start(token.name.tag) {
            self.foreign_start(token);
        } else {
            self.start_in(self.mode, token);
        }
    }

    fn start_in(&mut self, mode: Mode, token: &StartTag) {
        match mode {
            Mode::Initial => self.initial_start(token),
            Mode::BeforeHtml => self.before_html_start(token),
            Mode::BeforeHead => self.before_head_start(token),
            Mode::InHead => self.head_start(token),
            Mode::InHeadNoscript => self.noscript_start(token),
            Mode::AfterHead => self.after_head_start(token),
            Mode::InBody => self.body_start(token),
            // Neither meets a start tag: raw text holds none, and text in a table was placed.
            Mode::Text | Mode::InTableText => {}
            Mode::InTable => self.table_start(token),
            Mode::InCaption => self.caption_start(token),
            Mode::InColumnGroup => self.column_group_start(token),
            Mode::InTableBody => self.table_body_start(token),
            Mode::InRow => self.row_start(token),
            Mode::InCell => self.cell_start(token),
            Mode::InTemplate => self.template_start(token),
            Mode::InFrameset => self.frameset_start(token),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.after_frameset_start(token),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_start(token),
        }
    }

    fn start_again_in(&mut self, mode: Mode, token: &StartTag) {
        self.mode = mode;
        self.start(token);
    }

    /// An end tag.
    #[inline]
    pub(crate) fn end_tag(&mut self, name: TagName) {
        self.skips_newline = false;
        self.place_table_text();
        self.end(name);
    }

    fn end(&mut self, name: TagName) {
        if self.is_foreign() {
            self.foreign_end(name);
        } else {
            self.end_in(self.mode, name);
        }
    }

    fn end_in(&mut self, mode: Mode, name: TagName) {
        match mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => self.before_head_end(name),
            Mode::InHead => self.head_end(name),
            Mode::InHeadNoscript => self.noscript_end(name),
            Mode::AfterHead => self.after_head_end(name),
            Mode::InBody => self.body_end(name),
            Mode::Text => self.leave_raw_text(),
            Mode::InTable => self.table_end(name),
            Mode::InTableText => {}
            Mode::InCaption => self.caption_end(name),
            Mode::InColumnGroup => self.column_group_end(name),
            Mode::InTableBody => self.table_body_end(name),
            Mode::InRow => self.row_end(name),
            Mode::InCell => self.cell_end(name),
            Mode::InTemplate => self.template_end(name),
            Mode::AfterBody => self.after_body_end(name),
            Mode::InFrameset => self.frameset_end(name),
            Mode::AfterFrameset => self.after_frameset_end(name),
            Mode::AfterAfterBody => self.end_again_in(Mode::InBody, name),
            Mode::AfterAfterFrameset => {}
        }
    }

    fn end_again_in(&mut self, mode: Mode, name: TagName) {
        self.mode = mode;
        self.end(name);
    }

    /// Characters other than NUL.
    #[inline]
    pub(crate) fn text(&mut self, text: Text) {
        let mut text = text;
        if std::mem::take(&mut self.skips_newline) && self.arena.text(text.slice).starts_with('\n')
        {
            text = text.split_at(1).1;
        }
        match text.slice.len {
            0 => {}
            _ if self.is_foreign_text() => self.foreign_text(text),
            _ => self.text_in_mode(text),
        }
    }

    fn text_in_mode(&mut self, text: Text) {
        match self.mode {
            Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                self.body_text(text)
            }
            Mode::Text => self.insert_text(text),
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.text_in_table(text),
            Mode::InTableText => self.table_text.push(text),
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => self.before_head_text(text),
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead => self.head_text(text),
            Mode::InColumnGroup => self.column_group_text(text),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_text(text),
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                self.frameset_text(text);
            }
        }
    }

    /// NUL between tags. It has no place in HTML, but may open the body.
    pub(crate) fn null(&mut self) {
        self.skips_newline = false;
        if self.is_foreign_text() {
            let slice = self.arena.store("\u{FFFD}");
            return self.insert_text(Text { slice, span: Span::default() });
        }
        match self.mode {
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => self.open_body(),
            Mode::AfterBody | Mode::AfterAfterBody => self.mode = Mode::InBody,
            Mode::InColumnGroup => _ = self.leave_column_group(),
            _ => {}
        }
    }

    /// A comment.
    pub(crate) fn comment(&mut self, text: Slice) {
        self.skips_newline = false;
        self.place_table_text();
        let comment = self.arena.push_comment(text);
        let place = match self.mode {
            _ if self.is_foreign() => self.place(),
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                Place::last_in(DOCUMENT)
            }
            Mode::AfterBody => Place::last_in(self.stack.root()),
            _ => self.place(),
        };
        self.arena.attach(place, comment);
    }

    /// A doctype, which counts only before all else.
    pub(crate) fn doctype(&mut self, doctype: DoctypeToken) {
        self.skips_newline = false;
        if self.mode == Mode::Initial {
            self.has_quirks = doctype.asks_for_quirks();
            self.arena.push_doctype(doctype.into_node());
            self.mode = Mode::BeforeHtml;
        }
    }

    /// The end of the page: what it left out is made up for.
    pub(crate) fn finish(mut self) -> Arena<'t> {
        self.place_table_text();
        while self.is_unfinished() {}
        self.arena
    }

    /// One step of the end of the page; says whether another follows.
    fn is_unfinished(&mut self) -> bool {
        match self.mode {
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => {
                self.open_body();
                true
            }
            Mode::Text => {
                self.leave_raw_text();
                true
            }
            Mode::AfterBody
            | Mode::AfterAfterBody
            | Mode::InFrameset
            | Mode::AfterFrameset
            | Mode::AfterAfterFrameset => false,
            _ => self.leave_template(),
        }
    }

    /// How deep we are.
    #[inline]
    pub(crate) fn n_open(&self) -> usize {
        self.stack.len()
    }

    /// How many formatting elements are open or will be reopened.
    #[inline]
    pub(crate) fn n_formatting(&self) -> usize {
        self.formatting.n_elements()
    }

    /// The work done since this was asked last.
    #[inline]
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work).0
    }
}
