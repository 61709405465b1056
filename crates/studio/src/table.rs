//! Tables: the templates of the pages, what each has in columns, and changes of these.
//!
//! Learning is what `pagemill get` and `pagemill learn` do, rows are what `pagemill extract` gives, changes are those of `pagemill
//! columns`.

mod rows;

use crate::error::Refusal;
use crate::pages::Pages;
use crate::save::{self, SaveAs};
use crate::state::Studio;
use crate::wire::{ColumnView, GroupView, SavedView, TableAsk, TableView, TablesView};
use pagemill::learning::{Learning, has_data};
use pagemill::pipeline::{self, Extracted};
use pagemill::sink::{Sink, SinkConfig, SinkError};
use pagemill::wrapper::{Edit, Field, Set};
use pagemill::{DataType, InputPage, Wrapper};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// So many rows are sent at once.
const N_ROWS: usize = 200;

pub(crate) struct Tables {
    stage: Stage,
    groups: Vec<Group>,
}

enum Stage {
    Idle,
    Learning,
    Ready,
    Failed(String),
}

/// Pages of one template.
struct Group {
    pages: Vec<usize>,
    wrapper: Result<Wrapper, String>,
    /// Where it came from, or was saved.
    file: Option<PathBuf>,
    redo: Vec<Edit>,
    /// What its pages have, until something is changed.
    rows: Option<Arc<Vec<Extracted>>>,
}

/// A wrapper, and what it gave of some pages.
pub(crate) struct Explained {
    pub(crate) wrapper: Wrapper,
    pub(crate) pages: Vec<usize>,
    pub(crate) rows: Arc<Vec<Extracted>>,
}

impl Tables {
    pub(crate) fn new(wrapper: Option<(PathBuf, Wrapper)>, n_pages: usize) -> Tables {
        match wrapper {
            None => Tables { stage: Stage::Idle, groups: Vec::new() },
            Some((file, wrapper)) => {
                let group = Group {
                    pages: (0..n_pages).collect(),
                    wrapper: Ok(wrapper),
                    file: Some(file),
                    redo: Vec::new(),
                    rows: None,
                };
                Tables { stage: Stage::Ready, groups: vec![group] }
            }
        }
    }

    fn view(&self) -> TablesView {
        let (stage, message) = match &self.stage {
            Stage::Idle => ("idle", String::new()),
            Stage::Learning => ("learning", String::new()),
            Stage::Ready => ("ready", String::new()),
            Stage::Failed(why) => ("failed", why.clone()),
        };
        let group = |it: &Group| GroupView {
            pages: it.pages.clone(),
            trouble: it.wrapper.as_ref().err().cloned(),
        };
        TablesView { stage, message, groups: self.groups.iter().map(group).collect() }
    }

    fn group(&mut self, number: usize) -> Result<&mut Group, Refusal> {
        self.groups
            .get_mut(number)
            .ok_or_else(|| Refusal::missing("nothing was learnt of these pages yet"))
    }
}

impl Group {
    fn wrapper(&self) -> Result<&Wrapper, Refusal> {
        self.wrapper.as_ref().map_err(|why| Refusal::bad(why.clone()))
    }

    fn rows(&mut self, pages: &Pages) -> Result<Arc<Vec<Extracted>>, Refusal> {
        if let Some(rows) = &self.rows {
            return Ok(rows.clone());
        }
        let inputs = self.pages.iter().map(|page| pages.input(*page).cloned());
        let inputs: Vec<InputPage> = inputs.collect::<Result<_, Refusal>>()?;
        let mut rows = Vec::new();
        let inputs = inputs.into_iter().map(Ok);
        let taken = pipeline::extract(self.wrapper()?, inputs, pipeline::all_cores(), |found| {
            rows.extend(found.map(Extracted::take));
            Ok::<(), Refusal>(())
        });
        taken?;
        let rows = Arc::new(rows);
        self.rows = Some(rows.clone());
        Ok(rows)
    }
}

impl Studio {
    pub(crate) fn tables_view(&self) -> TablesView {
        self.tables().view()
    }

    /// Begin to learn the templates, if nobody has.
    pub(crate) fn learn_tables(self: &Arc<Studio>) -> TablesView {
        let mut tables = self.tables();
        if matches!(tables.stage, Stage::Idle | Stage::Failed(_)) {
            tables.stage = Stage::Learning;
            let studio = self.clone();
            std::thread::spawn(move || studio.learn_all());
        }
        tables.view()
    }

    fn learn_all(&self) {
        let learnt = catch_unwind(AssertUnwindSafe(|| groups(&self.pages)));
        let mut tables = self.tables();
        match learnt {
            Ok(groups) if groups.is_empty() => {
                let why = match self.pages.len() {
                    0 => "no pages are open",
                    _ => "none of the pages shows anything: they may need scripts to be read",
                };
                tables.stage = Stage::Failed(why.into());
            }
            Ok(groups) => {
                tables.groups = groups;
                tables.stage = Stage::Ready;
            }
            Err(_) => {
                tables.stage =
                    Stage::Failed("learning failed: a bug of pagemill, worth a report".into())
            }
        }
    }

    pub(crate) fn table(&self, number: usize, ask: &TableAsk) -> Result<TableView, Refusal> {
        let mut tables = self.tables();
        let group = tables.group(number)?;
        let extracted = group.rows(&self.pages)?;
        let wrapper = group.wrapper()?;
        let schema = wrapper.schema();
        let sets: Vec<String> = schema
            .paths()
            .into_iter()
            .filter(|(_, field)| matches!(field, Field::Set(_)))
            .map(|(path, _)| path)
            .collect();
        let about = || pagemill::sink::main_set(schema).map(str::to_owned).unwrap_or_default();
        let rows_of = ask
            .rows_of
            .clone()
            .filter(|it| it.is_empty() || sets.contains(it))
            .unwrap_or_else(about);
        let (header, all) = rows::rows(schema, &rows_of, &group.pages, &extracted);
        let limit = ask.limit.unwrap_or(N_ROWS);
        Ok(TableView {
            group: number,
            columns: columns(&schema.fields, ""),
            n_rows: all.len(),
            rows: all.into_iter().take(limit).collect(),
            header,
            rows_of,
            sets,
            edits: wrapper.edits().iter().map(in_words).collect(),
            redo: group.redo.iter().map(in_words).collect(),
            dropped: dropped(wrapper.edits()),
            types: DataType::ALL.iter().map(|it| it.name()).collect(),
            file: group.file.as_ref().map(|it| it.to_string_lossy().into_owned()),
        })
    }

    pub(crate) fn edit(&self, number: usize, edits: Vec<Edit>) -> Result<(), Refusal> {
        self.change(number, |wrapper, redo| {
            wrapper.edit_all(edits).map_err(|error| Refusal::bad(error.to_string()))?;
            redo.clear();
            Ok(())
        })
    }

    pub(crate) fn undo_edit(&self, number: usize) -> Result<(), Refusal> {
        self.change(number, |wrapper, redo| {
            redo.push(
                wrapper.undo().ok_or_else(|| {
                    Refusal::bad("nothing to take back: this is as it was learnt")
                })?,
            );
            Ok(())
        })
    }

    pub(crate) fn redo_edit(&self, number: usize) -> Result<(), Refusal> {
        self.change(number, |wrapper, redo| {
            let edit = redo.pop().ok_or_else(|| Refusal::bad("nothing to make again"))?;
            wrapper.edit(edit).map_err(|error| Refusal::bad(error.to_string()))
        })
    }

    fn change(
        &self,
        number: usize,
        change: impl FnOnce(&mut Wrapper, &mut Vec<Edit>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut tables = self.tables();
        let group = tables.group(number)?;
        let wrapper = group.wrapper.as_mut().map_err(|why| Refusal::bad(why.clone()))?;
        change(wrapper, &mut group.redo)?;
        group.rows = None;
        Ok(())
    }

    /// Write the data of all pages: the rows of `pagemill extract`.
    pub(crate) fn export(&self, number: usize, ask: &SaveAs) -> Result<SavedView, Refusal> {
        let path = self.place(ask, None, &[".csv", ".jsonl", ".parquet", ".db"])?;
        // As it is now; others go on while it is written.
        let Explained { wrapper, rows, .. } = self.explained(number)?;
        let mut n_rows = 0;
        let told = |error: SinkError| Refusal::failed(error.to_string());
        let mut sink =
            Sink::create(&path, wrapper.schema(), &SinkConfig::default()).map_err(told)?;
        match &self.config.reread {
            // Those of other templates are among them, and say so.
            Some(reread) => pipeline::extract(&wrapper, reread(), pipeline::all_cores(), |found| {
                let Ok(found) = found else { return Ok(()) };
                n_rows += 1;
                sink.write(&found.row())
            })
            .map_err(told)?,
            None => {
                for found in rows.iter() {
                    n_rows += 1;
                    sink.write(&found.row()).map_err(told)?;
                }
            }
        }
        sink.finish().map_err(told)?;
        Ok(SavedView { file: ask.file.trim().to_owned(), n_rows: Some(n_rows) })
    }

    pub(crate) fn save_wrapper(&self, number: usize, ask: &SaveAs) -> Result<SavedView, Refusal> {
        let mut tables = self.tables();
        let group = tables.group(number)?;
        let path = self.place(ask, group.file.as_deref(), &[".json"])?;
        let text =
            group.wrapper()?.to_json().map_err(|error| Refusal::failed(error.to_string()))?;
        save::write(&path, text.as_bytes())?;
        group.file = Some(PathBuf::from(ask.file.trim()));
        Ok(SavedView { file: ask.file.trim().to_owned(), n_rows: None })
    }

    /// A group as it is now, for those who explain it.
    pub(crate) fn explained(&self, number: usize) -> Result<Explained, Refusal> {
        let mut tables = self.tables();
        let group = tables.group(number)?;
        let rows = group.rows(&self.pages)?;
        Ok(Explained { wrapper: group.wrapper()?.clone(), pages: group.pages.clone(), rows })
    }
}

/// Tell templates apart and learn each.
fn groups(pages: &Pages) -> Vec<Group> {
    let group = |numbers: &Vec<usize>| {
        let wrapper = wrapper_of(pages, numbers);
        Group { pages: numbers.clone(), wrapper, file: None, redo: Vec::new(), rows: None }
    };
    pages.groups().iter().map(group).collect()
}

fn wrapper_of(pages: &Pages, numbers: &[usize]) -> Result<Wrapper, String> {
    let inputs = numbers.iter().filter_map(|number| pages.input(*number).ok());
    let learnt = Learning::default().from_group(&inputs.collect::<Vec<&InputPage>>());
    let wrapper = learnt.map_err(|error| error.to_string())?.wrapper;
    match has_data(&wrapper.schema().fields, numbers.len()) {
        true => Ok(wrapper),
        false if numbers.len() == 1 => Err("this is the only page of its kind: open more pages of the same kind to compare it with".into()),
        false => Err("these pages all say the same: open more pages of the same kind".into()),
    }
}

fn columns(fields: &[Field], within: &str) -> Vec<ColumnView> {
    let view = |field: &Field| {
        let path = format!("{within}{}", field.name());
        match field {
            Field::Column(column) => ColumnView {
                name: column.name.clone(),
                data_type: column.data_type.name(),
                density: column.density,
                examples: column.examples.iter().take(5).map(|it| rows::clipped(it)).collect(),
                label: column.label.clone(),
                n_records: None,
                otherwise: column.otherwise.iter().map(|it| it.name.clone()).collect(),
                fields: Vec::new(),
                path,
            },
            Field::Set(Set { name, density, n_records, fields, .. }) => ColumnView {
                name: name.clone(),
                data_type: "set",
                density: *density,
                examples: Vec::new(),
                label: None,
                n_records: Some(*n_records),
                otherwise: Vec::new(),
                fields: columns(fields, &format!("{path}.")),
                path,
            },
        }
    };
    fields.iter().filter(|field| field.is_data()).map(view).collect()
}

/// What was dropped and not brought back.
fn dropped(edits: &[Edit]) -> Vec<String> {
    let mut dropped: Vec<String> = Vec::new();
    for edit in edits {
        match edit {
            Edit::Drop { path } => dropped.push(path.clone()),
            Edit::Keep { path } => dropped.retain(|it| it != path),
            _ => {}
        }
    }
    dropped
}

/// As `pagemill columns` would be told.
fn in_words(edit: &Edit) -> String {
    match edit {
        Edit::Rename { path, name } => format!("rename {path} to {name}"),
        Edit::Merge { paths, name } => format!("merge {} as {name}", paths.join(", ")),
        Edit::Split { path } => format!("split {path}"),
        Edit::Drop { path } => format!("drop {path}"),
        Edit::Keep { path } => format!("keep {path}"),
        Edit::Type { path, data_type } => format!("take {path} as {}", data_type.name()),
        _ => "a change".into(),
    }
}
