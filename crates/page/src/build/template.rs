//! Templates (13.2.6.4.18), and how to find back into an insertion mode (13.2.4.1).

use super::stack::Open;
use super::{Builder, Mode, StartTag};
use crate::names::TagName;
use crate::tag::{Tag, Traits};

impl Builder<'_> {
    pub(super) fn open_template(&mut self, token: &StartTag) {
        self.formatting.mark();
        self.may_have_frames = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
        self.insert(token);
    }

    pub(super) fn close_template(&mut self) {
        if self.stack.has(Tag::Template, &mut self.work) {
            self.stack.close_all_implied();
            self.pop_template();
        }
    }

    fn pop_template(&mut self) {
        self.stack.close(Tag::Template);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    /// At the end of the page, close the innermost template; says whether there was one.
    pub(super) fn leave_template(&mut self) -> bool {
        let is_open =
            !self.template_modes.is_empty() && self.stack.has(Tag::Template, &mut self.work);
        if is_open {
            self.pop_template();
        }
        is_open
    }

    /// The first tag in a template tells what it is a template of.
    pub(super) fn template_start(&mut self, token: &StartTag) {
        let mode = match token.name.tag {
            tag if tag.is(Traits::HEAD_CONTENT) => return self.head_start(token),
            Tag::Caption | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => Mode::InTable,
            Tag::Col => Mode::InColumnGroup,
            Tag::Tr => Mode::InTableBody,
            Tag::Td | Tag::Th => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.start_again_in(mode, token);
    }

    pub(super) fn template_end(&mut self, name: TagName) {
        if name.tag == Tag::Template {
            self.close_template();
        }
    }

    /// Reset the insertion mode appropriately: by the innermost open element that tells one.
    pub(super) fn reset_mode(&mut self) {
        let n_open = self.stack.len();
        self.work.add(n_open);
        let found = self.stack.upwards().enumerate().find_map(|(n_above, open)| {
            let is_last = n_above + 1 == n_open;
            let open = self.context.filter(|_| is_last).unwrap_or(*open);
            self.mode_inside(open, is_last)
        });
        self.mode = found.unwrap_or(Mode::InBody);
    }

    fn mode_inside(&self, open: Open, is_last: bool) -> Option<Mode> {
        match open.tag {
            Tag::Td | Tag::Th if !is_last => Some(Mode::InCell),
            Tag::Tr => Some(Mode::InRow),
            Tag::Tbody | Tag::Thead | Tag::Tfoot => Some(Mode::InTableBody),
            Tag::Caption => Some(Mode::InCaption),
            Tag::Colgroup => Some(Mode::InColumnGroup),
            Tag::Table => Some(Mode::InTable),
            Tag::Template => self.template_modes.last().copied(),
            Tag::Head if !is_last => Some(Mode::InHead),
            Tag::Body => Some(Mode::InBody),
            Tag::Frameset => Some(Mode::InFrameset),
            Tag::Html if self.head.is_none() => Some(Mode::BeforeHead),
            Tag::Html => Some(Mode::AfterHead),
            _ => None,
        }
    }
}
