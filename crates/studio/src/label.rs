//! The label desk: a schema, what was labelled, and what the model of that makes of all pages.
//!
//! Each change is written to the file of labels and learnt from in the background (`apprentice`). A page whose labelling is not
//! done says nothing of the fields it has no label of, so what the model thinks of these is taken as given meanwhile: else the first
//! label of a page would unteach all others.

mod apprentice;
mod file;
mod schema;

pub(crate) use apprentice::learn_forever;
pub(crate) use schema::{fields_of, read as read_schema};

use crate::error::Refusal;
use crate::pages::Pages;
use crate::save::{self, SaveAs};
use crate::state::Studio;
use crate::wire::{
    DeskPage, DeskView, MarkAsk, MarkView, MarksView, SavedView, SchemaAsk, SchemaView, ScoreView,
    TrainView, ValueAsk,
};
use pagemill::annotate::{Example, Label, Labels, Model, Target, TrainConfig, cross_validate};
use pagemill::{pipeline, site};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Into how many parts labelled pages are dealt to be tried; as `pagemill train --report` does.
const N_FOLDS: usize = 5;
/// From so many labelled pages on there is something to try.
const MIN_TRIED: usize = 2;

/// What was labelled, and what comes of it.
pub(crate) struct Desk {
    target: Option<Arc<Target>>,
    file: Option<PathBuf>,
    /// Lines of the file that are about other pages.
    others: Vec<String>,
    n_read: usize,
    marked: Vec<Marked>,
    thoughts: Vec<Thoughts>,
    history: History,
    /// Goes up with each change.
    version: u64,
    /// What the thoughts are of.
    learnt: u64,
    /// The page that is looked at.
    current: usize,
    model: Option<(u64, Arc<Model>)>,
    trouble: Option<String>,
}

/// What a person said of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marked {
    /// Fields by leaf.
    leaves: BTreeMap<usize, usize>,
    /// Values that are no whole leaves.
    values: BTreeSet<(usize, String)>,
    /// What is not what the model thinks: leaves and fields.
    rejected: BTreeSet<(usize, usize)>,
    rejected_values: BTreeSet<(usize, String)>,
    is_done: bool,
}

/// What the model thinks of a page.
#[derive(Clone, Default)]
struct Thoughts {
    values: Vec<MarkView>,
    doubt: Option<f32>,
}

#[derive(Default)]
struct History {
    past: Vec<(usize, Marked)>,
    future: Vec<(usize, Marked)>,
}

impl Marked {
    fn is_empty(&self) -> bool {
        self.leaves.is_empty() && self.values.is_empty()
    }

    fn len(&self) -> usize {
        self.leaves.len() + self.values.len()
    }

    fn has(&self, field: usize) -> bool {
        self.leaves.values().any(|it| *it == field) || self.values.iter().any(|it| it.0 == field)
    }

    fn labels(&self) -> Labels {
        let leaves = self.leaves.iter().map(|(leaf, field)| Label::Leaf(*leaf, *field));
        let values = self.values.iter().map(|(field, text)| Label::Value(*field, text.clone()));
        Labels::new(leaves.chain(values).collect())
    }

    fn take(&mut self, thought: &MarkView) {
        match thought.leaves.is_empty() {
            true => {
                self.values.insert((thought.field, thought.text.clone()));
            }
            false => self.leaves.extend(thought.leaves.iter().map(|leaf| (*leaf, thought.field))),
        }
    }

    /// Whether something the model thinks is still open: neither labelled nor rejected.
    fn is_open(&self, thought: &MarkView) -> bool {
        if thought.leaves.is_empty() {
            let value = (thought.field, thought.text.clone());
            return !self.values.contains(&value) && !self.rejected_values.contains(&value);
        }
        let is_known = |leaf: &usize| {
            self.leaves.contains_key(leaf) || self.rejected.contains(&(*leaf, thought.field))
        };
        !thought.leaves.iter().all(is_known)
    }
}

impl Desk {
    pub(crate) fn new(n_pages: usize) -> Desk {
        Desk {
            target: None,
            file: None,
            others: Vec::new(),
            n_read: 0,
            marked: vec![Marked::default(); n_pages],
            thoughts: vec![Thoughts::default(); n_pages],
            history: History::default(),
            version: 0,
            learnt: 0,
            current: 0,
            model: None,
            trouble: None,
        }
    }

    fn is_learning(&self) -> bool {
        self.target.is_some()
            && self.learnt != self.version
            && self.marked.iter().any(|it| !it.is_empty())
    }

    /// What the model thinks and nobody has said anything about.
    fn open_thoughts(&self, page: usize) -> impl Iterator<Item = &MarkView> {
        let marked = &self.marked[page];
        let repeats = |field: usize| {
            self.target.as_ref().is_some_and(|it| it.elements()[field].cardinality.repeats())
        };
        // Of a field that is there once, a label leaves nothing to think.
        let is_wanted = move |it: &&MarkView| {
            marked.is_open(it) && (repeats(it.field) || !marked.has(it.field))
        };
        let is_done = marked.is_done;
        self.thoughts[page].values.iter().filter(move |_| !is_done).filter(is_wanted)
    }

    fn change(&mut self, page: usize, marked: Marked) {
        if self.marked[page] != marked {
            let old = std::mem::replace(&mut self.marked[page], marked);
            self.history.past.push((page, old));
            self.history.future.clear();
            self.version += 1;
        }
    }

    /// Pages in the order in which to look at them: the one at hand, those in doubt, those without labels, those that are done.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.marked.len()).collect();
        let key = |page: &usize| {
            let doubt = self.thoughts[*page].doubt.unwrap_or(0.0);
            (self.marked[*page].is_done, std::cmp::Reverse((doubt * 1000.0) as u32), *page)
        };
        order.sort_by_key(key);
        order
    }

    fn next(&self, after: usize) -> Option<usize> {
        self.order().into_iter().find(|page| *page != after && !self.marked[*page].is_done)
    }

    fn view(&self) -> DeskView {
        let page = |number: usize| DeskPage {
            number,
            n_labels: self.marked[number].len(),
            is_done: self.marked[number].is_done,
            doubt: self.thoughts[number].doubt,
        };
        DeskView {
            schema: self
                .target
                .as_ref()
                .map(|it| SchemaView { name: it.name().to_owned(), fields: fields_of(it) }),
            pages: self.order().into_iter().map(page).collect(),
            labels_file: self
                .file
                .as_ref()
                .and_then(|it| Some(it.file_name()?.to_string_lossy().into_owned())),
            n_read: self.n_read,
            is_learning: self.is_learning(),
            can_undo: !self.history.past.is_empty(),
            can_redo: !self.history.future.is_empty(),
            trouble: self.trouble.clone(),
        }
    }

    fn marks(&self, pages: &Pages, page: usize) -> Result<MarksView, Refusal> {
        let parsed = pages.parsed(page)?;
        let marked = &self.marked[page];
        let text = |leaf: usize| parsed.leaves.get(leaf).text.to_owned();
        let mut labels: Vec<MarkView> = Vec::new();
        for (leaf, field) in &marked.leaves {
            labels.push(MarkView {
                field: *field,
                leaves: vec![*leaf],
                near: vec![*leaf],
                text: text(*leaf),
                probability: None,
            });
        }
        for (field, text) in &marked.values {
            let near = file::near(&parsed, text);
            labels.push(MarkView {
                field: *field,
                leaves: Vec::new(),
                near,
                text: text.clone(),
                probability: None,
            });
        }
        Ok(MarksView {
            page,
            is_done: marked.is_done,
            labels,
            predictions: self.open_thoughts(page).cloned().collect(),
            is_learning: self.is_learning(),
            next: self.next(page),
        })
    }

    /// Pages with labels, for a model that is to be kept: what was said, and nothing else.
    fn examples<'p>(
        &self,
        parsed: &'p [(usize, String, Arc<crate::pages::Parsed>)],
    ) -> Vec<Example<'p>> {
        let example = |(page, site, parsed): &'p (usize, String, Arc<crate::pages::Parsed>)| {
            Example { page: &parsed.page, site: site.clone(), labels: self.marked[*page].labels() }
        };
        parsed.iter().map(example).collect()
    }

    fn labelled(&self) -> Vec<usize> {
        (0..self.marked.len()).filter(|page| !self.marked[*page].is_empty()).collect()
    }
}

impl Studio {
    pub(crate) fn label_view(&self) -> DeskView {
        self.desk().view()
    }

    pub(crate) fn choose_schema(&self, ask: &SchemaAsk) -> Result<DeskView, Refusal> {
        let target = read_schema(&self.config.schemas, ask)?;
        let file = self.config.folder.join(format!("{}-labels.jsonl", file::plain(target.name())));
        let read = file::read(&file, &target, &self.pages)?;
        let mut desk = self.desk();
        // Goes up over all schemas: what is still being learnt of the one before is older than anything of this one.
        let version = desk.version + 1;
        *desk = Desk::new(self.pages.len());
        desk.learnt = version - 1;
        desk.target = Some(Arc::new(target));
        desk.file = Some(file);
        desk.n_read = read.marked.values().map(Marked::len).sum();
        desk.others = read.others;
        desk.trouble = read.trouble;
        for (page, marked) in read.marked {
            desk.marked[page] = marked;
        }
        desk.version = version;
        self.labelled.notify_all();
        Ok(desk.view())
    }

    pub(crate) fn marks(&self, page: usize) -> Result<MarksView, Refusal> {
        let mut desk = self.desk();
        let view = desk.marks(&self.pages, page)?;
        desk.current = page;
        Ok(view)
    }

    /// Label leaves, or take their labels away.
    pub(crate) fn put_label(&self, ask: &MarkAsk) -> Result<MarksView, Refusal> {
        self.relabel(
            ask.page,
            |marked| {
                for leaf in &ask.leaves {
                    match ask.field {
                        Some(field) => {
                            marked.leaves.insert(*leaf, field);
                            marked.rejected.remove(&(*leaf, field));
                        }
                        None => {
                            marked.leaves.remove(leaf);
                        }
                    }
                }
            },
            ask.field,
            &ask.leaves,
        )
    }

    /// Say that leaves are not what the model thinks.
    pub(crate) fn reject(&self, ask: &MarkAsk) -> Result<MarksView, Refusal> {
        let field = ask.field.ok_or_else(|| Refusal::bad("say what the leaves are not"))?;
        self.relabel(
            ask.page,
            |marked| {
                for leaf in &ask.leaves {
                    marked.rejected.insert((*leaf, field));
                    if marked.leaves.get(leaf) == Some(&field) {
                        marked.leaves.remove(leaf);
                    }
                }
            },
            ask.field,
            &ask.leaves,
        )
    }

    /// Say that a value is on the page, or that it is not what the model thinks.
    pub(crate) fn put_value(&self, ask: &ValueAsk) -> Result<MarksView, Refusal> {
        let value = (ask.field, ask.text.trim().to_owned());
        self.relabel(
            ask.page,
            |marked| match ask.is_it {
                true => {
                    marked.rejected_values.remove(&value);
                    marked.values.insert(value);
                }
                false => {
                    marked.values.remove(&value);
                    marked.rejected_values.insert(value);
                }
            },
            Some(ask.field),
            &[],
        )
    }

    /// Take what the model thinks of a page, and be done with it; or take it up again.
    pub(crate) fn accept(&self, page: usize) -> Result<MarksView, Refusal> {
        let open: Vec<MarkView> = {
            let desk = self.desk();
            if page >= desk.marked.len() {
                return Err(Refusal::missing(format!("there is no page {page}")));
            }
            desk.open_thoughts(page).cloned().collect()
        };
        self.relabel(
            page,
            |marked| {
                if !marked.is_done {
                    open.iter().for_each(|thought| marked.take(thought));
                }
                marked.is_done = !marked.is_done && !marked.is_empty();
            },
            None,
            &[],
        )
    }

    fn relabel(
        &self,
        page: usize,
        change: impl FnOnce(&mut Marked),
        field: Option<usize>,
        leaves: &[usize],
    ) -> Result<MarksView, Refusal> {
        let n_leaves = self.pages.parsed(page)?.leaves.len();
        let mut desk = self.desk();
        let target = desk.target.clone().ok_or_else(no_schema)?;
        if field.is_some_and(|it| it >= target.elements().len())
            || leaves.iter().any(|leaf| *leaf >= n_leaves)
        {
            return Err(Refusal::bad("there is no such field or leaf"));
        }
        let mut marked = desk.marked[page].clone();
        change(&mut marked);
        desk.current = page;
        desk.change(page, marked);
        self.keep_labels(&desk)?;
        self.labelled.notify_all();
        desk.marks(&self.pages, page)
    }

    /// Take back a change of labels, or make it again.
    pub(crate) fn undo_label(&self, is_redo: bool) -> Result<MarksView, Refusal> {
        let mut desk = self.desk();
        let step = match is_redo {
            true => desk.history.future.pop(),
            false => desk.history.past.pop(),
        };
        let Some((page, marked)) = step else {
            let what = if is_redo { "nothing to make again" } else { "nothing to take back" };
            return Err(Refusal::bad(what));
        };
        let old = std::mem::replace(&mut desk.marked[page], marked);
        match is_redo {
            true => desk.history.past.push((page, old)),
            false => desk.history.future.push((page, old)),
        }
        desk.version += 1;
        desk.current = page;
        self.keep_labels(&desk)?;
        self.labelled.notify_all();
        desk.marks(&self.pages, page)
    }

    pub(crate) fn labels_file(&self) -> Option<PathBuf> {
        self.desk().file.clone()
    }

    fn keep_labels(&self, desk: &Desk) -> Result<(), Refusal> {
        let (Some(target), Some(path)) = (&desk.target, &desk.file) else { return Ok(()) };
        let inputs = &self.config.inputs;
        let text = file::text(&desk.marked, &desk.others, target, &self.pages, inputs, path)?;
        save::write(path, &text)
    }

    /// Train a model of what was labelled, and say how well such a model does.
    pub(crate) fn train(&self) -> Result<TrainView, Refusal> {
        let (target, version, labelled) = {
            let desk = self.desk();
            (desk.target.clone().ok_or_else(no_schema)?, desk.version, desk.labelled())
        };
        if labelled.is_empty() {
            return Err(Refusal::bad(
                "nothing is labelled yet: click something on a page and press the number of its field",
            ));
        }
        let parsed = labelled
            .iter()
            .map(|page| Ok((*page, self.pages.site(*page), self.pages.parsed(*page)?)));
        let parsed: Vec<_> = parsed.collect::<Result<_, Refusal>>()?;
        let desk = self.desk();
        if desk.version != version {
            return Err(Refusal::bad("labels have changed meanwhile: train again"));
        }
        let examples = desk.examples(&parsed);
        drop(desk);
        let config = TrainConfig::default();
        let scores = match examples.len() >= MIN_TRIED {
            true => cross_validate(&target, &examples, &config, N_FOLDS),
            false => Vec::new(),
        };
        let model = site::train(&target, &examples, &config, pipeline::all_cores());
        let mut sites: Vec<&str> = examples.iter().map(|it| it.site.as_str()).collect();
        sites.sort_unstable();
        sites.dedup();
        let scores = target.elements().iter().zip(&scores).map(|(element, score)| ScoreView {
            field: element.full_name(),
            precision: score.precision(),
            recall: score.recall(),
            f1: score.f1(),
            n_known: score.n_known,
            n_found: score.n_found,
        });
        let view = TrainView {
            scores: scores.collect(),
            n_pages: examples.len(),
            n_sites: sites.len(),
            file: format!("{}.json", file::plain(target.name())),
        };
        self.desk().model = Some((version, Arc::new(model)));
        Ok(view)
    }

    pub(crate) fn save_model(&self, ask: &SaveAs) -> Result<SavedView, Refusal> {
        let model = {
            let desk = self.desk();
            let fresh = desk.model.as_ref().filter(|(version, _)| *version == desk.version);
            fresh.map(|(_, model)| model.clone())
        };
        let model = model.ok_or_else(|| {
            Refusal::bad("labels have changed since it was trained: train it again first")
        })?;
        let path = self.place(ask, None, &[".json", ".model"])?;
        save::write(&path, model.to_json().as_bytes())?;
        Ok(SavedView { file: ask.file.trim().to_owned(), n_rows: None })
    }
}

fn no_schema() -> Refusal {
    Refusal::bad("choose a schema first")
}
