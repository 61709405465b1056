//! In body (13.2.6.4.7): end tags.

use super::{Builder, Mode};
use crate::names::TagName;
use crate::tag::{Tag, Traits};

impl Builder<'_> {
    pub(super) fn body_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Template => self.close_template(),
            Tag::Body => {
                if self.stack.has_in_scope(Tag::Body, &mut self.work) {
                    self.mode = Mode::AfterBody;
                }
            }
            Tag::Html => {
                if self.stack.has_in_scope(Tag::Body, &mut self.work) {
                    self.end_again_in(Mode::AfterBody, name);
                }
            }
            Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Button
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
            | Tag::Listing
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::Pre
            | Tag::Search
            | Tag::Section
            | Tag::Select
            | Tag::Summary
            | Tag::Ul => {
                self.close_block(name.tag);
            }
            Tag::Form => self.close_form(),
            Tag::P => self.end_paragraph(),
            Tag::Li => {
                if self.stack.has_in_list_scope(Tag::Li, &mut self.work) {
                    self.stack.close_implied_but(Tag::Li);
                    self.stack.close(Tag::Li);
                }
            }
            Tag::Dd | Tag::Dt => {
                if self.stack.has_in_scope(name.tag, &mut self.work) {
                    self.stack.close_implied_but(name.tag);
                    self.stack.close(name.tag);
                }
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                if self.stack.has_any_in_scope(Traits::HEADING, &mut self.work) {
                    self.stack.close_implied();
                    self.stack.close_any(Traits::HEADING);
                }
            }
            Tag::A
            | Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::Nobr
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => self.adopt(name),
            Tag::Applet | Tag::Marquee | Tag::Object => {
                if self.close_block(name.tag) {
                    self.formatting.clear_to_marker();
                }
            }
            Tag::Br => self.break_for_end(name),
            _ => self.close_any_other(name),
        }
    }

    /// Close an element in scope, with what is implied inside it; says whether there was one.
    #[inline]
    fn close_block(&mut self, tag: Tag) -> bool {
        let is_open = self.stack.has_in_scope(tag, &mut self.work);
        if is_open {
            self.stack.close_implied();
            self.stack.close(tag);
        }
        is_open
    }

    fn close_form(&mut self) {
        if self.stack.has(Tag::Template, &mut self.work) {
            self.close_block(Tag::Form);
            return;
        }
        let Some(form) = self.form.take() else { return };
        if self.stack.has_node_in_scope(form, &mut self.work) {
            self.stack.close_implied();
            self.stack.remove(form, &mut self.work);
        }
    }

    /// `</p>` without a paragraph makes an empty one.
    fn end_paragraph(&mut self) {
        if !self.stack.has_in_button_scope(Tag::P, &mut self.work) {
            self.insert_implied(Tag::P);
        }
        self.stack.close_implied_but(Tag::P);
        self.stack.close(Tag::P);
    }

    /// Any other end tag closes the innermost element of its name, unless a special one is open inside it.
    pub(super) fn close_any_other(&mut self, name: TagName) {
        let mut n_looks = 0;
        let found = self
            .stack
            .upwards()
            .inspect(|_| n_looks += 1)
            .position(|open| open.name == name.id || open.is(Traits::SPECIAL));
        self.work.add(n_looks);
        let Some(index) = found.map(|n_above| self.stack.len() - 1 - n_above) else { return };
        if self.stack.get(index).is_some_and(|open| open.name == name.id) {
            self.stack.truncate(index);
        }
    }
}
