//! What the server says to the front end; `web/src/wire.ts` has the same in its language.

use pagemill::wrapper::Edit;
use serde::{Deserialize, Serialize};

/// What is open.
#[derive(Serialize)]
pub(crate) struct StartView {
    pub(crate) version: &'static str,
    /// Where files are written.
    pub(crate) folder: String,
    pub(crate) pages: Vec<String>,
    /// More than those above, if these are a sample.
    pub(crate) n_pages: usize,
    pub(crate) unreadable: Vec<String>,
    pub(crate) has_wrapper: bool,
    pub(crate) has_store: bool,
    pub(crate) has_network: bool,
    pub(crate) schemas: Vec<SchemaView>,
}

#[derive(Clone, Serialize)]
pub(crate) struct SchemaView {
    pub(crate) name: String,
    pub(crate) fields: Vec<FieldView>,
}

/// An element of a target schema.
#[derive(Clone, Serialize)]
pub(crate) struct FieldView {
    pub(crate) name: String,
    pub(crate) is_required: bool,
    pub(crate) repeats: bool,
}

/// One page, beside its view.
#[derive(Serialize)]
pub(crate) struct PageView {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    pub(crate) leaves: Vec<LeafView>,
}

#[derive(Serialize)]
pub(crate) struct LeafView {
    pub(crate) text: String,
    pub(crate) kind: &'static str,
    #[serde(rename = "type")]
    pub(crate) data_type: &'static str,
    pub(crate) path: String,
}

/// The label desk.
#[derive(Serialize)]
pub(crate) struct DeskView {
    pub(crate) schema: Option<SchemaView>,
    /// The ones to look at next first, then those that are done.
    pub(crate) pages: Vec<DeskPage>,
    pub(crate) labels_file: Option<String>,
    /// How many labels were read from the file.
    pub(crate) n_read: usize,
    pub(crate) is_learning: bool,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    pub(crate) trouble: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct DeskPage {
    pub(crate) number: usize,
    pub(crate) n_labels: usize,
    pub(crate) is_done: bool,
    /// How unsure the model is, from 0 to 1; none before it has learnt.
    pub(crate) doubt: Option<f32>,
}

/// What is known and thought of one page.
#[derive(Serialize)]
pub(crate) struct MarksView {
    pub(crate) page: usize,
    pub(crate) is_done: bool,
    pub(crate) labels: Vec<MarkView>,
    pub(crate) predictions: Vec<MarkView>,
    pub(crate) is_learning: bool,
    /// The page to look at next.
    pub(crate) next: Option<usize>,
}

#[derive(Clone, Serialize)]
pub(crate) struct MarkView {
    /// The number of a field.
    pub(crate) field: usize,
    /// None of what the page says to machines only, or of a part of a leaf that was labelled as a value.
    pub(crate) leaves: Vec<usize>,
    /// Where to show it: its leaves, or those that it is a part of.
    pub(crate) near: Vec<usize>,
    pub(crate) text: String,
    pub(crate) probability: Option<f32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SchemaAsk {
    /// One that is built in.
    Name(String),
    Dtd(String),
    /// `title, author*, date?`
    Fields(String),
}

#[derive(Deserialize)]
pub(crate) struct MarkAsk {
    pub(crate) page: usize,
    pub(crate) leaves: Vec<usize>,
    /// None to take labels away.
    pub(crate) field: Option<usize>,
}

#[derive(Deserialize)]
pub(crate) struct ValueAsk {
    pub(crate) page: usize,
    pub(crate) field: usize,
    pub(crate) text: String,
    /// Whether it is one, or none.
    pub(crate) is_it: bool,
}

#[derive(Deserialize)]
pub(crate) struct PageAsk {
    pub(crate) page: usize,
}

#[derive(Serialize)]
pub(crate) struct TrainView {
    pub(crate) scores: Vec<ScoreView>,
    pub(crate) n_pages: usize,
    pub(crate) n_sites: usize,
    pub(crate) file: String,
}

#[derive(Serialize)]
pub(crate) struct ScoreView {
    pub(crate) field: String,
    pub(crate) precision: Option<f64>,
    pub(crate) recall: Option<f64>,
    pub(crate) f1: Option<f64>,
    pub(crate) n_known: usize,
    pub(crate) n_found: usize,
}

/// A file that was written.
#[derive(Serialize)]
pub(crate) struct SavedView {
    pub(crate) file: String,
    pub(crate) n_rows: Option<usize>,
}

/// How far learning templates is.
#[derive(Serialize)]
pub(crate) struct TablesView {
    /// `idle`, `learning`, `ready` or `failed`.
    pub(crate) stage: &'static str,
    pub(crate) message: String,
    pub(crate) groups: Vec<GroupView>,
}

#[derive(Serialize)]
pub(crate) struct GroupView {
    pub(crate) pages: Vec<usize>,
    /// Why there is no table of it.
    pub(crate) trouble: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct TableView {
    pub(crate) group: usize,
    pub(crate) columns: Vec<ColumnView>,
    /// What a row can be: `""` for a page, or the path of a set.
    pub(crate) sets: Vec<String>,
    pub(crate) rows_of: String,
    pub(crate) header: Vec<HeaderView>,
    pub(crate) rows: Vec<RowView>,
    pub(crate) n_rows: usize,
    /// What was changed, in words, the last one last.
    pub(crate) edits: Vec<String>,
    pub(crate) redo: Vec<String>,
    pub(crate) dropped: Vec<String>,
    pub(crate) types: Vec<&'static str>,
    /// Where the wrapper is saved, if it has a file.
    pub(crate) file: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct ColumnView {
    pub(crate) name: String,
    pub(crate) path: String,
    /// A type, or `set`.
    #[serde(rename = "type")]
    pub(crate) data_type: &'static str,
    /// In thousandths.
    pub(crate) density: u32,
    pub(crate) examples: Vec<String>,
    pub(crate) label: Option<String>,
    pub(crate) n_records: Option<usize>,
    /// Others that are read where it has no value.
    pub(crate) otherwise: Vec<String>,
    pub(crate) fields: Vec<ColumnView>,
}

#[derive(Serialize)]
pub(crate) struct HeaderView {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) is_set: bool,
}

#[derive(Serialize)]
pub(crate) struct RowView {
    pub(crate) page: usize,
    pub(crate) status: &'static str,
    /// Which record: `books[3]`; empty for a page.
    pub(crate) at: String,
    pub(crate) cells: Vec<CellView>,
}

#[derive(Serialize)]
pub(crate) struct CellView {
    pub(crate) text: Option<String>,
    pub(crate) n_records: Option<usize>,
}

#[derive(Deserialize)]
pub(crate) struct TableAsk {
    #[serde(default)]
    pub(crate) rows_of: Option<String>,
    #[serde(default)]
    pub(crate) limit: Option<usize>,
}

#[derive(Deserialize)]
pub(crate) struct EditAsk {
    pub(crate) edits: Vec<Edit>,
}

/// Whether pages fit, those that do not first.
#[derive(Serialize)]
pub(crate) struct FitView {
    pub(crate) page: usize,
    pub(crate) status: &'static str,
    pub(crate) problems: Vec<String>,
    pub(crate) n_warnings: usize,
}

#[derive(Serialize)]
pub(crate) struct WhyPageView {
    pub(crate) page: usize,
    pub(crate) status: &'static str,
    pub(crate) problems: Vec<ProblemView>,
    pub(crate) warnings: Vec<String>,
    pub(crate) values: Vec<ValueView>,
}

#[derive(Serialize)]
pub(crate) struct ProblemView {
    pub(crate) message: String,
    pub(crate) kind: &'static str,
    pub(crate) leaf: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct ValueView {
    /// `books[3].price`
    pub(crate) field: String,
    /// `books.price`
    pub(crate) column: String,
    pub(crate) value: String,
    pub(crate) leaves: Vec<usize>,
}

#[derive(Deserialize)]
pub(crate) struct FieldAsk {
    pub(crate) field: String,
}

/// Where one value comes from, or where it would be.
#[derive(Serialize)]
pub(crate) struct WhyView {
    pub(crate) field: String,
    pub(crate) value: Option<String>,
    pub(crate) leaves: Vec<usize>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) bytes: Option<[usize; 2]>,
    /// Before, inside and after.
    pub(crate) snippet: Option<[String; 3]>,
    pub(crate) xpath: Option<String>,
    pub(crate) selector: Option<String>,
    pub(crate) read_as: String,
    pub(crate) rule: String,
    pub(crate) score: Option<f32>,
    pub(crate) rivals: Vec<RivalView>,
}

#[derive(Serialize)]
pub(crate) struct RivalView {
    pub(crate) name: String,
    pub(crate) score: f32,
    pub(crate) how: &'static str,
    pub(crate) lost: &'static str,
}

#[derive(Serialize)]
pub(crate) struct NetworkView {
    pub(crate) store: String,
    pub(crate) classes: Vec<ClassView>,
    /// Where to begin.
    pub(crate) tops: Vec<ObjectLink>,
    pub(crate) doubts: usize,
}

#[derive(Serialize)]
pub(crate) struct ClassView {
    pub(crate) name: String,
    pub(crate) n: usize,
}

#[derive(Serialize)]
pub(crate) struct ObjectLink {
    pub(crate) id: i64,
    pub(crate) class: String,
    pub(crate) name: String,
}

#[derive(Serialize)]
pub(crate) struct ObjectView {
    pub(crate) id: i64,
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    /// The innermost first.
    pub(crate) containers: Vec<ObjectLink>,
    pub(crate) parts: Vec<ObjectLink>,
    pub(crate) facts: Vec<FactView>,
    /// What it is in others.
    pub(crate) roles: Vec<RoleView>,
    /// Who is what in it.
    pub(crate) players: Vec<RoleView>,
    pub(crate) pages: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct FactView {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) pages: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct RoleView {
    pub(crate) role: String,
    pub(crate) with: ObjectLink,
}

#[derive(Deserialize)]
pub(crate) struct TextAsk {
    pub(crate) text: String,
}

#[derive(Serialize)]
pub(crate) struct AnswerView {
    pub(crate) truth: Option<bool>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<AnswerCell>>,
    pub(crate) n_rows: usize,
}

#[derive(Serialize)]
pub(crate) struct AnswerCell {
    pub(crate) text: String,
    /// The number of an object.
    pub(crate) id: Option<i64>,
}

#[derive(Serialize)]
pub(crate) struct CrawlView {
    pub(crate) store: String,
    pub(crate) is_running: bool,
    pub(crate) process: Option<u32>,
    pub(crate) pages: u64,
    pub(crate) pages_per_second: f64,
    pub(crate) bytes: u64,
    pub(crate) alike: u64,
    pub(crate) waiting: u64,
    pub(crate) hosts_waiting: u64,
    pub(crate) fetches: u64,
    pub(crate) kinds: Vec<(String, u64)>,
    pub(crate) failed: Vec<(String, u64)>,
    pub(crate) refused: Vec<(String, u64)>,
    pub(crate) hosts: Vec<(String, u64)>,
}
