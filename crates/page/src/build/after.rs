//! After the body (13.2.6.4.19, 13.2.6.4.22), and pages of frames (13.2.6.4.20, 13.2.6.4.21, 13.2.6.4.23).

use super::{Builder, Mode, StartTag};
use crate::arena::Text;
use crate::names::TagName;
use crate::tag::Tag;

impl Builder<'_> {
    /// Whatever comes after the body goes into it.
    pub(super) fn after_body_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            _ => self.start_again_in(Mode::InBody, token),
        }
    }

    pub(super) fn after_body_end(&mut self, name: TagName) {
        if name.tag != Tag::Html {
            self.end_again_in(Mode::InBody, name);
        } else if self.context.is_none() {
            self.mode = Mode::AfterAfterBody;
        }
    }

    pub(super) fn after_body_text(&mut self, text: Text) {
        let (space, rest) = self.split_space(text);
        if let Some(space) = space {
            self.body_text(space);
        }
        if let Some(rest) = rest {
            self.mode = Mode::InBody;
            self.body_text(rest);
        }
    }

    pub(super) fn frameset_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Frameset => _ = self.insert(token),
            Tag::Frame => _ = self.insert_closed(token),
            Tag::Noframes => self.head_start(token),
            _ => {}
        }
    }

    pub(super) fn frameset_end(&mut self, name: TagName) {
        if name.tag != Tag::Frameset || self.stack.len() == 1 {
            return;
        }
        self.stack.pop();
        if self.context.is_none() && self.stack.current().tag != Tag::Frameset {
            self.mode = Mode::AfterFrameset;
        }
    }

    /// Of text among frames, white space is kept.
    pub(super) fn frameset_text(&mut self, text: Text) {
        let mut rest = Some(text);
        while let Some(text) = rest {
            let (space, others) = self.split_space(text);
            match space {
                Some(space) if self.mode == Mode::AfterAfterFrameset => self.body_text(space),
                Some(space) => self.insert_text(space),
                None => {}
            }
            rest = others.and_then(|others| self.skip_ink(others));
        }
    }

    /// What follows the first run of anything but white space.
    pub(super) fn skip_ink(&self, text: Text) -> Option<Text> {
        self.split_run(text, |byte| !byte.is_ascii_whitespace()).1
    }

    pub(super) fn after_frameset_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Noframes => self.head_start(token),
            _ => {}
        }
    }

    pub(super) fn after_frameset_end(&mut self, name: TagName) {
        if name.tag == Tag::Html {
            self.mode = Mode::AfterAfterFrameset;
        }
    }
}
