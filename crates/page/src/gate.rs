//! Between the tokenizer and tree construction: decides which tags may pass.
//!
//! Tree construction searches the stack of open elements and the list of formatting elements for nearly every tag, and
//! HTML bounds neither. The gate does, and it meters the steps of these searches against the bytes read so far: in
//! debt, tags are left out and only text passes, until the bytes read have paid for it.
//!
//! A tag left out leaves out its end tag too. Tags whose content is raw text (`<script>`, `<style>` …)
//! pass all the same: without them their content would turn into text of the page. In SVG and MathML, where they are
//! elements like any other, they have no such right.

use crate::arena::{Arena, Text};
use crate::build::{Builder, ContentModel, DoctypeToken, StartTag};
use crate::limits::Limits;
use crate::names::TagName;
use crate::note::Note;
use crate::tag::{Tag, Traits};
use crate::tree::{NameId, Slice, Span};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Work that a page may do ahead of its bytes, so that small pages never meet the meter: a few milliseconds.
const CREDIT_AT_START: i64 = 1 << 20;

#[derive(Clone, Copy, Default)]
struct Cuts {
    too_deep: u32,
    formatting: u32,
    work: u32,
}

pub(crate) struct Gate<'t> {
    builder: Builder<'t>,
    depth: usize,
    formatting: usize,
    work_per_byte: i64,
    credit: i64,
    /// Start tags left out whose end tags are still to come.
    left_out: HashMap<NameId, u32, FixedState>,
    cuts: Cuts,
}

impl<'t> Gate<'t> {
    pub(crate) fn new(builder: Builder<'t>, limits: Limits) -> Self {
        Gate {
            builder,
            depth: limits.depth as usize,
            formatting: limits.formatting as usize,
            work_per_byte: i64::from(limits.work_per_byte),
            credit: CREDIT_AT_START,
            left_out: HashMap::default(),
            cuts: Cuts::default(),
        }
    }

    #[inline]
    pub(crate) fn arena(&mut self) -> &mut Arena<'t> {
        &mut self.builder.arena
    }

    /// A start tag. The answer says how to read what follows it.
    #[inline]
    pub(crate) fn start_tag(&mut self, token: &StartTag) -> ContentModel {
        self.pay_for(token.span);
        if !self.may_open(token) {
            self.leave_out(token);
            return ContentModel::Markup;
        }
        let content = self.builder.start_tag(token);
        self.settle();
        content
    }

    /// An end tag.
    #[inline]
    pub(crate) fn end_tag(&mut self, name: TagName, span: Span) {
        self.pay_for(span);
        if !self.left_out.is_empty() && self.is_end_of_left_out(name.id) {
            return;
        }
        if self.credit < 0 && !self.must_pass(name.tag) {
            self.cuts.work += 1;
            return;
        }
        self.builder.end_tag(name);
        self.settle();
    }

    #[inline]
    pub(crate) fn text(&mut self, text: Text) {
        self.pay_for(text.span);
        self.builder.text(text);
        self.settle();
    }

    pub(crate) fn null(&mut self) {
        self.builder.null();
    }

    pub(crate) fn comment(&mut self, text: Slice, span: Span) {
        self.pay_for(span);
        self.builder.comment(text);
        self.settle();
    }

    pub(crate) fn doctype(&mut self, doctype: DoctypeToken) {
        self.builder.doctype(doctype);
    }

    /// Whether `<![CDATA[` means something here.
    pub(crate) fn is_foreign(&self) -> bool {
        self.builder.is_foreign()
    }

    /// The end of the page.
    pub(crate) fn finish(self) -> (Arena<'t>, Vec<Note>) {
        (self.builder.finish(), self.cuts.notes())
    }

    /// Bytes read are what work is paid with. Credit is capped, else a long harmless start would pay for a long
    /// pause later.
    #[inline]
    fn pay_for(&mut self, span: Span) {
        let bytes = i64::from(span.end.saturating_sub(span.start));
        self.credit = (self.credit + bytes * self.work_per_byte).min(CREDIT_AT_START);
    }

    #[inline]
    fn settle(&mut self) {
        self.credit -= i64::try_from(self.builder.take_work()).unwrap_or(i64::MAX >> 1);
    }

    fn must_pass(&self, tag: Tag) -> bool {
        tag.is(Traits::RAW) && !self.builder.is_foreign()
    }

    #[inline]
    fn may_open(&mut self, token: &StartTag) -> bool {
        let has_room =
            self.builder.n_open() + self.builder.n_formatting() < self.depth.min(self.formatting);
        has_room && self.credit >= 0 || self.may_open_yet(token)
    }

    /// The same where something is scarce.
    #[cold]
    fn may_open_yet(&mut self, token: &StartTag) -> bool {
        let tag = token.name.tag;
        if self.must_pass(tag) {
            return true;
        }
        let closes_at_once =
            tag.is(Traits::VOID) || token.is_self_closing && self.builder.is_foreign();
        let is_formatting = tag.is(Traits::FORMATTING);
        let cut = if self.credit < 0 {
            &mut self.cuts.work
        } else if !closes_at_once && self.is_too_deep() {
            &mut self.cuts.too_deep
        } else if is_formatting && self.builder.n_formatting() >= self.formatting {
            &mut self.cuts.formatting
        } else {
            return true;
        };
        *cut += 1;
        false
    }

    /// Whether no more elements may be open. Those that the next tag would reopen count as well.
    fn is_too_deep(&mut self) -> bool {
        let n_open = self.builder.n_open();
        n_open + self.builder.n_formatting() >= self.depth
            && n_open + self.builder.n_closed_formatting() >= self.depth
    }

    #[cold]
    fn leave_out(&mut self, token: &StartTag) {
        self.builder.arena.attrs.truncate(token.attrs.start as usize);
        if !token.name.tag.is(Traits::VOID) {
            *self.left_out.entry(token.name.id).or_default() += 1;
        }
    }

    #[cold]
    fn is_end_of_left_out(&mut self, name: NameId) -> bool {
        let Some(n) = self.left_out.get_mut(&name) else { return false };
        *n -= 1;
        if *n == 0 {
            self.left_out.remove(&name);
        }
        true
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
