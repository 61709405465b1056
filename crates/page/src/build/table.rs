//! Tables and their parts (13.2.6.4.9 to 13.2.6.4.15).

use super::{Builder, Mode, StartTag};
use crate::arena::Text;
use crate::names::TagName;
use crate::tag::{Tag, Traits};

impl Builder<'_> {
    pub(super) fn table_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Caption => {
                self.stack.clear_to(Traits::TABLE_SCOPE);
                self.formatting.mark();
                self.insert(token);
                self.mode = Mode::InCaption;
            }
            Tag::Colgroup => {
                self.stack.clear_to(Traits::TABLE_SCOPE);
                self.insert(token);
                self.mode = Mode::InColumnGroup;
            }
            Tag::Col => {
                self.stack.clear_to(Traits::TABLE_SCOPE);
                self.insert_implied(Tag::Colgroup);
                self.start_again_in(Mode::InColumnGroup, token);
            }
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                self.stack.clear_to(Traits::TABLE_SCOPE);
                self.insert(token);
                self.mode = Mode::InTableBody;
            }
            Tag::Td | Tag::Th | Tag::Tr => {
                self.stack.clear_to(Traits::TABLE_SCOPE);
                self.insert_implied(Tag::Tbody);
                self.start_again_in(Mode::InTableBody, token);
            }
            Tag::Table => {
                if self.close_table() {
                    self.start(token);
                }
            }
            Tag::Style | Tag::Script | Tag::Template => self.head_start(token),
            Tag::Input if self.is_hidden_input(token) => _ = self.insert_closed(token),
            Tag::Form => self.form_in_table(token),
            _ => self.fostering(|builder| builder.body_start(token)),
        }
    }

    pub(super) fn table_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Table => _ = self.close_table(),
            Tag::Body
            | Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {}
            Tag::Template => self.close_template(),
            _ => self.fostering(|builder| builder.body_end(name)),
        }
    }

    /// Close the innermost table; says whether there was one.
    fn close_table(&mut self) -> bool {
        let is_open = self.stack.has_in_table_scope(Tag::Table, &mut self.work);
        if is_open {
            self.stack.close(Tag::Table);
            self.reset_mode();
        }
        is_open
    }

    /// A form around the rows of a table cannot hold them, so it stays empty.
    fn form_in_table(&mut self, token: &StartTag) {
        if self.form.is_none() && !self.stack.has(Tag::Template, &mut self.work) {
            self.form = Some(self.insert_closed(token));
        }
    }

    /// Do what is done in the body, for something that has no place in a table.
    fn fostering(&mut self, in_body: impl FnOnce(&mut Self)) {
        self.fosters = true;
        in_body(self);
        self.fosters = false;
    }

    /// Text between the parts of a table is held back, to see whether it is all white space.
    pub(super) fn text_in_table(&mut self, text: Text) {
        if self.stack.current().is(Traits::FOSTERS) {
            self.original_mode = self.mode;
            self.mode = Mode::InTableText;
            self.table_text.push(text);
        } else {
            self.fostering(|builder| builder.body_text(text));
        }
    }

    /// Place the text that was held back: white space in the table, anything else before it.
    #[inline]
    pub(super) fn place_table_text(&mut self) {
        if self.mode == Mode::InTableText {
            self.place_held_text();
        }
    }

    fn place_held_text(&mut self) {
        self.mode = self.original_mode;
        let mut held = std::mem::take(&mut self.table_text);
        let is_space = held.iter().all(|text| self.is_space(*text));
        for text in held.drain(..) {
            if is_space {
                self.insert_text(text);
            } else {
                self.fostering(|builder| builder.body_text(text));
            }
        }
        self.table_text = held;
    }

    pub(super) fn caption_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {
                if self.leave_caption() {
                    self.start(token);
                }
            }
            _ => self.body_start(token),
        }
    }

    pub(super) fn caption_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Caption => _ = self.leave_caption(),
            Tag::Table => {
                if self.leave_caption() {
                    self.end(name);
                }
            }
            Tag::Body
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {}
            _ => self.body_end(name),
        }
    }

    fn leave_caption(&mut self) -> bool {
        let is_open = self.stack.has_in_table_scope(Tag::Caption, &mut self.work);
        if is_open {
            self.stack.close_implied();
            self.stack.close(Tag::Caption);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub(super) fn column_group_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Html => self.body_start(token),
            Tag::Col => _ = self.insert_closed(token),
            Tag::Template => self.head_start(token),
            _ => {
                if self.leave_column_group() {
                    self.start(token);
                }
            }
        }
    }

    pub(super) fn column_group_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Colgroup => _ = self.leave_column_group(),
            Tag::Col => {}
            Tag::Template => self.close_template(),
            _ => {
                if self.leave_column_group() {
                    self.end(name);
                }
            }
        }
    }

    pub(super) fn column_group_text(&mut self, text: Text) {
        let mut rest = Some(text);
        while let Some(text) = rest {
            let (space, others) = self.split_space(text);
            if let Some(space) = space {
                self.insert_text(space);
            }
            let Some(others) = others else { return };
            if self.leave_column_group() {
                return self.text_in_mode(others);
            }
            rest = self.skip_ink(others);
        }
    }

    pub(super) fn leave_column_group(&mut self) -> bool {
        let is_current = self.stack.current().tag == Tag::Colgroup;
        if is_current {
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        is_current
    }

    pub(super) fn table_body_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Tr => {
                self.stack.clear_to(Traits::HOLDS_ROWS);
                self.insert(token);
                self.mode = Mode::InRow;
            }
            Tag::Th | Tag::Td => {
                self.stack.clear_to(Traits::HOLDS_ROWS);
                self.insert_implied(Tag::Tr);
                self.start_again_in(Mode::InRow, token);
            }
            Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                if self.leave_table_body() {
                    self.start(token);
                }
            }
            _ => self.table_start(token),
        }
    }

    pub(super) fn table_body_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                if self.stack.has_in_table_scope(name.tag, &mut self.work) {
                    self.stack.clear_to(Traits::HOLDS_ROWS);
                    self.stack.pop();
                    self.mode = Mode::InTable;
                }
            }
            Tag::Table => {
                if self.leave_table_body() {
                    self.end(name);
                }
            }
            Tag::Body
            | Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Td
            | Tag::Th
            | Tag::Tr => {}
            _ => self.table_end(name),
        }
    }

    fn leave_table_body(&mut self) -> bool {
        let bodies = [Tag::Table, Tag::Tbody, Tag::Tfoot];
        let is_open = self.stack.has_any_in_table_scope(&bodies, &mut self.work);
        if is_open {
            self.stack.clear_to(Traits::HOLDS_ROWS);
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub(super) fn row_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Th | Tag::Td => {
                self.stack.clear_to(Traits::HOLDS_CELLS);
                self.insert(token);
                self.mode = Mode::InCell;
                self.formatting.mark();
            }
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Tbody
            | Tag::Tfoot
            | Tag::Thead
            | Tag::Tr => {
                if self.leave_row() {
                    self.start(token);
                }
            }
            _ => self.table_start(token),
        }
    }

    pub(super) fn row_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Tr => _ = self.leave_row(),
            Tag::Table => {
                if self.leave_row() {
                    self.end(name);
                }
            }
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                let is_open = self.stack.has_in_table_scope(name.tag, &mut self.work);
                if is_open && self.leave_row() {
                    self.end(name);
                }
            }
            Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html | Tag::Td | Tag::Th => {
            }
            _ => self.table_end(name),
        }
    }

    fn leave_row(&mut self) -> bool {
        let is_open = self.stack.has_in_table_scope(Tag::Tr, &mut self.work);
        if is_open {
            self.stack.clear_to(Traits::HOLDS_CELLS);
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        is_open
    }

    pub(super) fn cell_start(&mut self, token: &StartTag) {
        match token.name.tag {
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {
                if self.stack.has_any_in_table_scope(&[Tag::Td, Tag::Th], &mut self.work) {
                    self.leave_cell();
                    self.start(token);
                }
            }
            _ => self.body_start(token),
        }
    }

    pub(super) fn cell_end(&mut self, name: TagName) {
        match name.tag {
            Tag::Td | Tag::Th => {
                if self.stack.has_in_table_scope(name.tag, &mut self.work) {
                    self.stack.close_implied();
                    self.stack.close(name.tag);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
            }
            Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html => {}
            Tag::Table | Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Tr => {
                if self.stack.has_in_table_scope(name.tag, &mut self.work) {
                    self.leave_cell();
                    self.end(name);
                }
            }
            _ => self.body_end(name),
        }
    }

    fn leave_cell(&mut self) {
        self.stack.close_implied();
        self.stack.close_any(Traits::CELL);
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
    }
}
