//! In body (13.2.6.4.7): text and start tags.

use super::formatting::Entry;
use super::{Builder, ContentModel, Mode, RawKind, StartTag};
use crate::arena::Text;
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::Namespace;

impl Builder<'_> {
    #[inline]
    pub(super) fn body_text(&mut self, text: Text) {
        self.reopen_formatting();
        self.note_ink(text);
        self.insert_text(text);
    }

    /// A page that shows text has no frames.
    #[inline]
    pub(super) fn note_ink(&mut self, text: Text) {
        if self.may_have_frames {
            self.may_have_frames = self.is_space(text);
        }
    }

    pub(super) fn is_space(&self, text: Text) -> bool {
        self.arena.text(text.slice).bytes().all(|byte| byte.is_ascii_whitespace())
    }

    pub(super) fn body_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.add_to_root(token),
            Tag::Body => self.add_to_body(token),
            tag if tag.is(Traits::HEAD_CONTENT) => self.head_start(token),
            Tag::Frameset => self.frameset_for_body(token),
            Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Center
            | Tag::Details
            | Tag::Dialog
            | Tag::Dir
            | Tag::Div
            | Tag::Dl
            | Tag::Fieldset
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::Header
            | Tag::Hgroup
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::P
            | Tag::Search
            | Tag::Section
            | Tag::Summary
            | Tag::Ul => {
                self.close_paragraph();
                self.insert(token);
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.heading(token),
            Tag::Pre | Tag::Listing => self.preformatted(token),
            Tag::Form => self.form(token),
            Tag::Li => self.item(token, |tag| tag == Tag::Li),
            Tag::Dd | Tag::Dt => self.item(token, |tag| matches!(tag, Tag::Dd | Tag::Dt)),
            Tag::Plaintext => {
                self.close_paragraph();
                self.insert(token);
                self.content = ContentModel::Plaintext;
            }
            Tag::Button => self.button(token),
            Tag::A => {
                self.end_open_link(token.name);
                self.reopen_formatting();
                self.insert_formatting(token);
            }
            Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => {
                self.reopen_formatting();
                self.insert_formatting(token);
            }
            Tag::Nobr => self.nobr(token),
            Tag::Applet | Tag::Marquee | Tag::Object => {
                self.reopen_formatting();
                self.insert(token);
                self.formatting.mark();
                self.may_have_frames = false;
            }
            Tag::Table => self.table(token),
            Tag::Area | Tag::Br | Tag::Embed | Tag::Img | Tag::Keygen | Tag::Wbr => {
                self.reopen_formatting();
                self.insert_closed(token);
                self.may_have_frames = false;
            }
            Tag::Image => {
                let name = self.arena.names.implied(Tag::Img);
                self.body_start(&StartTag { name, ..*token });
            }
            Tag::Input => self.input(token),
            Tag::Param | Tag::Source | Tag::Track => {
                self.insert_closed(token);
            }
            Tag::Hr => self.rule(token),
            Tag::Textarea => {
                self.insert_raw(token, RawKind::Rcdata);
                self.skips_newline = true;
                self.may_have_frames = false;
            }
            Tag::Xmp => {
                self.close_paragraph();
                self.reopen_formatting();
                self.may_have_frames = false;
                self.insert_raw(token, RawKind::Rawtext);
            }
            Tag::Iframe => {
                self.may_have_frames = false;
                self.insert_raw(token, RawKind::Rawtext);
            }
            Tag::Noembed => self.insert_raw(token, RawKind::Rawtext),
            Tag::Noscript if self.runs_scripts => self.insert_raw(token, RawKind::Rawtext),
            Tag::Select => self.select(token),
            Tag::Option | Tag::Optgroup => self.option(token),
            Tag::Rb | Tag::Rtc => self.ruby_part(token, Tag::Other),
            Tag::Rp | Tag::Rt => self.ruby_part(token, Tag::Rtc),
            Tag::Math => self.enter_foreign(token, Namespace::MathMl),
            Tag::Svg => self.enter_foreign(token, Namespace::Svg),
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Frame
            | Tag::Head
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {}
            _ => {
                self.reopen_formatting();
                self.insert(token);
            }
        }
    }

    fn add_to_root(&mut self, token: &StartTag) {
        if !self.stack.has(Tag::Template, &mut self.work) {
            self.add_attrs(self.stack.root(), token.attrs);
        }
    }

    fn add_to_body(&mut self, token: &StartTag) {
        let Some(body) = self.stack.body() else { return };
        if !self.stack.has(Tag::Template, &mut self.work) {
            self.may_have_frames = false;
            self.add_attrs(body, token.attrs);
        }
    }

    /// A body that shows nothing yet gives way to frames.
    fn frameset_for_body(&mut self, token: &StartTag) {
        let Some(body) = self.stack.body().filter(|_| self.may_have_frames) else { return };
        self.arena.detach(body);
        self.stack.truncate(1);
        self.insert(token);
        self.mode = Mode::InFrameset;
    }

    /// End the open `<p>`, if there is one that a block cannot stand in.
    #[inline]
    pub(super) fn close_paragraph(&mut self) {
        if self.stack.has_in_button_scope(Tag::P, &mut self.work) {
            self.stack.close_implied_but(Tag::P);
            self.stack.close(Tag::P);
        }
    }

    fn heading(&mut self, token: &StartTag) {
        self.close_paragraph();
        if self.stack.current().is(Traits::HEADING) {
            self.stack.pop();
        }
        self.insert(token);
    }

    fn preformatted(&mut self, token: &StartTag) {
        self.close_paragraph();
        self.insert(token);
        self.skips_newline = true;
        self.may_have_frames = false;
    }

    fn form(&mut self, token: &StartTag) {
        let is_in_template = self.stack.has(Tag::Template, &mut self.work);
        if self.form.is_some() && !is_in_template {
            return;
        }
        self.close_paragraph();
        let form = self.insert(token);
        if !is_in_template {
            self.form = Some(form);
        }
    }

    /// An item of a list, which ends the one before it.
    fn item(&mut self, token: &StartTag, is_sibling: impl Fn(Tag) -> bool) {
        self.may_have_frames = false;
        let mut n_looks = 0;
        let before = self.stack.upwards().inspect(|_| n_looks += 1).find(|open| {
            is_sibling(open.tag) || open.is(Traits::SPECIAL) && !open.is(Traits::CLOSES_THROUGH)
        });
        if let Some(tag) = before.map(|open| open.tag).filter(|tag| is_sibling(*tag)) {
            self.stack.close_implied_but(tag);
            self.stack.close(tag);
        }
        self.work.add(n_looks);
        self.close_paragraph();
        self.insert(token);
    }

    fn button(&mut self, token: &StartTag) {
        if self.stack.has_in_scope(Tag::Button, &mut self.work) {
            self.stack.close_implied();
            self.stack.close(Tag::Button);
        }
        self.reopen_formatting();
        self.insert(token);
        self.may_have_frames = false;
    }

    #[inline]
    fn insert_formatting(&mut self, token: &StartTag) {
        let node = self.insert(token);
        let tag_len = token.span.end - token.span.start;
        self.list_formatting(Entry { node, name: token.name, attrs: token.attrs, tag_len });
    }

    fn nobr(&mut self, token: &StartTag) {
        self.reopen_formatting();
        if self.stack.has_in_scope(Tag::Nobr, &mut self.work) {
            self.adopt(token.name);
            self.reopen_formatting();
        }
        self.insert_formatting(token);
    }

    fn table(&mut self, token: &StartTag) {
        if !self.has_quirks {
            self.close_paragraph();
        }
        self.insert(token);
        self.may_have_frames = false;
        self.mode = Mode::InTable;
    }

    fn input(&mut self, token: &StartTag) {
        if self.is_inside_select() {
            return;
        }
        if self.stack.has_in_scope(Tag::Select, &mut self.work) {
            self.stack.close(Tag::Select);
        }
        self.reopen_formatting();
        self.insert_closed(token);
        if !self.is_hidden_input(token) {
            self.may_have_frames = false;
        }
    }

    pub(super) fn is_hidden_input(&self, token: &StartTag) -> bool {
        let kind = self.attr(token.attrs, "type");
        kind.is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    /// Whether this is a fragment of a `<select>`.
    fn is_inside_select(&self) -> bool {
        self.context.is_some_and(|context| context.tag == Tag::Select)
    }

    fn rule(&mut self, token: &StartTag) {
        self.close_paragraph();
        if self.stack.has_in_scope(Tag::Select, &mut self.work) {
            self.stack.close_implied();
        }
        self.insert_closed(token);
        self.may_have_frames = false;
    }

    fn select(&mut self, token: &StartTag) {
        if self.is_inside_select() {
            return;
        }
        if self.stack.has_in_scope(Tag::Select, &mut self.work) {
            return self.stack.close(Tag::Select);
        }
        self.reopen_formatting();
        self.insert(token);
        self.may_have_frames = false;
    }

    fn option(&mut self, token: &StartTag) {
        let is_option = token.name.tag == Tag::Option;
        if self.stack.has_in_scope(Tag::Select, &mut self.work) {
            // A group ends the one before it, an option stays in it.
            self.stack.close_implied_but(if is_option { Tag::Optgroup } else { Tag::Other });
        } else if self.stack.current().tag == Tag::Option {
            self.stack.pop();
        }
        self.reopen_formatting();
        self.insert(token);
    }

    fn ruby_part(&mut self, token: &StartTag, stays_open: Tag) {
        if self.stack.has_in_scope(Tag::Ruby, &mut self.work) {
            self.stack.close_implied_but(stays_open);
        }
        self.insert(token);
    }

    /// `</br>` is taken for `<br>`.
    pub(super) fn break_for_end(&mut self, name: TagName) {
        self.reopen_formatting();
        self.insert_implied(name.tag);
        self.stack.pop();
        self.may_have_frames = false;
    }
}
