//! From the start of a page to its `<body>` (13.2.6.4.1 to 13.2.6.4.6).

use super::stack::Open;
use super::{Builder, Mode, RawKind, StartTag};
use crate::arena::{AttrRange, DOCUMENT, Place, Text};
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::Span;

impl Builder<'_> {
    pub(super) fn initial_start(&mut self, token: &StartTag) {
        self.has_quirks = true;
        self.start_again_in(Mode::BeforeHtml, token);
    }

    pub(super) fn before_html_start(&mut self, token: &StartTag) {
        if token.name.tag == Tag::Html {
            self.open_root(token.attrs, token.span);
            self.mode = Mode::BeforeHead;
        } else {
            self.open_root(AttrRange::default(), Span::default());
            self.start_again_in(Mode::BeforeHead, token);
        }
    }

    pub(super) fn before_head_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Head => {
                self.head = Some(self.insert(token));
                self.mode = Mode::InHead;
            }
            _ => {
                self.open_head();
                self.start(token);
            }
        }
    }

    /// An end tag before the head: those of later parts open it, others mean nothing.
    pub(super) fn before_head_end(&mut self, name: TagName) {
        if self.mode == Mode::Initial {
            self.has_quirks = true;
            self.mode = Mode::BeforeHtml;
        }
        if let Tag::Head | Tag::Body | Tag::Html | Tag::Br = name.tag {
            self.open_head();
            self.end(name);
        }
    }

    pub(super) fn before_head_text(&mut self, text: Text) {
        let (_, rest) = self.split_space(text);
        if let Some(rest) = rest {
            self.open_body();
            self.text_in_mode(rest);
        }
    }

    pub(super) fn head_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta => {
                self.insert_closed(token);
            }
            Tag::Title => self.insert_raw(token, RawKind::Rcdata),
            Tag::Noscript if !self.runs_scripts => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
            }
            Tag::Noframes | Tag::Style | Tag::Noscript => self.insert_raw(token, RawKind::Rawtext),
            Tag::Script => self.insert_raw(token, RawKind::Script),
            Tag::Template => self.open_template(token),
            Tag::Head => {}
            _ => {
                self.stack.pop();
                self.start_again_in(Mode::AfterHead, token);
            }
        }
    }

    pub(super) fn head_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Head => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
            }
            Tag::Body | Tag::Html | Tag::Br => {
                self.stack.pop();
                self.end_again_in(Mode::AfterHead, name);
            }
            Tag::Template => self.close_template(),
            _ => {}
        }
    }

    /// White space stays in or after the head; other text opens the body.
    pub(super) fn head_text(&mut self, text: Text) {
        let (space, rest) = self.split_space(text);
        if let Some(space) = space {
            self.insert_text(space);
        }
        if let Some(rest) = rest {
            self.open_body();
            self.text_in_mode(rest);
        }
    }

    pub(super) fn noscript_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta | Tag::Noframes | Tag::Style => {
                self.head_start(token)
            }
            Tag::Head | Tag::Noscript => {}
            _ => {
                self.stack.pop();
                self.start_again_in(Mode::InHead, token);
            }
        }
    }

    pub(super) fn noscript_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Noscript => {
                self.stack.pop();
                self.mode = Mode::InHead;
            }
            Tag::Br => {
                self.stack.pop();
                self.end_again_in(Mode::InHead, name);
            }
            _ => {}
        }
    }

    pub(super) fn after_head_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Body => {
                self.insert(token);
                self.may_have_frames = false;
                self.mode = Mode::InBody;
            }
            Tag::Frameset => {
                self.insert(token);
                self.mode = Mode::InFrameset;
            }
            tag if tag.is(Traits::HEAD_CONTENT) => self.back_in_head(token),
            Tag::Head => {}
            _ => {
                self.insert_implied(Tag::Body);
                self.start_again_in(Mode::InBody, token);
            }
        }
    }

    /// Something that belongs in the head came too late: it goes there all the same.
    fn back_in_head(&mut self, token: &StartTag) {
        let Some(head) = self.head else { return };
        let name = self.arena.names.implied(Tag::Head);
        self.stack.push(Open::html(head, name));
        self.head_start(token);
        self.stack.remove(head, &mut self.work);
    }

    pub(super) fn after_head_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Template => self.close_template(),
            Tag::Body | Tag::Html | Tag::Br => {
                self.insert_implied(Tag::Body);
                self.end_again_in(Mode::InBody, name);
            }
            _ => {}
        }
    }

    pub(super) fn open_root(&mut self, attrs: AttrRange, span: Span) {
        let name = self.arena.names.implied(Tag::Html);
        let root = self.arena.push_element(name.id, attrs, span);
        self.arena.attach(Place::last_in(DOCUMENT), root);
        self.stack.push(Open::html(root, name));
    }

    /// What has to be there before anything in the head.
    fn open_head(&mut self) {
        if self.mode == Mode::Initial {
            self.has_quirks = true;
            self.mode = Mode::BeforeHtml;
        }
        if self.mode == Mode::BeforeHtml {
            self.open_root(AttrRange::default(), Span::default());
            self.mode = Mode::BeforeHead;
        }
        if self.mode == Mode::BeforeHead {
            self.head = Some(self.insert_implied(Tag::Head));
            self.mode = Mode::InHead;
        }
    }

    /// What has to be there before anything in the body, from wherever in the head we are.
    pub(super) fn open_body(&mut self) {
        self.open_head();
        if self.mode == Mode::InHeadNoscript {
            self.stack.pop();
            self.mode = Mode::InHead;
        }
        if self.mode == Mode::InHead {
            self.stack.pop();
            self.mode = Mode::AfterHead;
        }
        if self.mode == Mode::AfterHead {
            self.insert_implied(Tag::Body);
            self.mode = Mode::InBody;
        }
    }

    /// White space at the start of a text, and what follows it.
    pub(super) fn split_space(&self, text: Text) -> (Option<Text>, Option<Text>) {
        self.split_run(text, |byte| byte.is_ascii_whitespace())
    }

    /// The longest start of a text that is all of a kind, and what follows it.
    pub(super) fn split_run(
        &self,
        text: Text,
        is_of_kind: impl Fn(&u8) -> bool,
    ) -> (Option<Text>, Option<Text>) {
        let bytes = self.arena.text(text.slice).as_bytes();
        match bytes.iter().position(|byte| !is_of_kind(byte)) {
            None => (Some(text), None),
            Some(0) => (None, Some(text)),
            Some(len) => {
                let (run, rest) = text.split_at(len);
                (Some(run), Some(rest))
            }
        }
    }
}
