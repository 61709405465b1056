//! From instances of one template place to the slots below it.
//!
//! An instance is a forest: the children of an element, or the siblings that make up a record. The children of all
//! instances are sorted into classes; classes that repeat become rows with labels, positions, or sets of records;
//! and what belongs together over all instances becomes a slot, into which the same procedure descends.

use crate::classes;
use crate::journal::Journal;
use crate::runs;
use crate::schema::{Hints, Place, Reading, Shape, Slot, Value};
use crate::sets;
use crate::twig::{Bough, Symbol, Symbols, Twig, TwigId};

/// One instance of a place in the template.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    pub(crate) page: usize,
    pub(crate) twigs: Vec<TwigId>,
}

/// What every step of an induction knows.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) boughs: &'a [Bough],
    pub(crate) symbols: &'a Symbols,
    pub(crate) journal: &'a Journal,
    /// How deep in the pages.
    pub(crate) depth: usize,
}

impl Context<'_> {
    fn deeper(self) -> Self {
        Context { depth: self.depth + 1, ..self }
    }

    /// Note something about what is decided here.
    pub(crate) fn note(&self, text: impl FnOnce() -> String) {
        self.journal.note(self.depth, text);
    }

    /// How a twig is called in notes.
    pub(crate) fn called(&self, twig: &Twig) -> String {
        let mut name = self.symbols.name(twig.tag).to_owned();
        for class in self.symbols.name(twig.class).split(' ').filter(|it| !it.is_empty()) {
            name.push('.');
            name.push_str(class);
        }
        name
    }
}

/// The slots of some instances, and by instance and slot the values.
pub(crate) struct Built {
    pub(crate) slots: Vec<Slot>,
    pub(crate) values: Vec<Vec<Value>>,
}

/// What a slot is made from.
pub(crate) struct Column {
    /// By instance, the first twig that it has.
    pub(crate) members: Vec<Option<TwigId>>,
    pub(crate) label: Option<String>,
    pub(crate) kind: ColumnKind,
}

pub(crate) enum ColumnKind {
    /// At most one twig an instance.
    Single,
    /// Records, by instance, each a forest.
    Records(Vec<Vec<Vec<TwigId>>>),
}

/// Deeper than this, nothing is told apart any more. Pages this deep are broken or hostile.
const MAX_DEPTH: usize = 400;

pub(crate) fn induce(context: Context<'_>, instances: &[Forest]) -> Built {
    let mut built = Built { slots: Vec::new(), values: vec![Vec::new(); instances.len()] };
    if context.depth > MAX_DEPTH {
        add_all_as_one(&context, instances, &mut built);
        return built;
    }
    let mut classes = classes::classify(&context, instances);
    runs::add(&context, instances, &mut classes, &mut built);
    for column in sets::columns(&context, instances, classes) {
        add_column(context, instances, column, &mut built);
    }
    built
}

/// One text for all that is below.
fn add_all_as_one(context: &Context<'_>, instances: &[Forest], built: &mut Built) {
    for (instance, out) in instances.iter().zip(&mut built.values) {
        let twig = |id: Option<&TwigId>| id.map(|id| context.boughs[instance.page].twig(*id));
        let ends = twig(instance.twigs.first()).zip(twig(instance.twigs.last()));
        out.push(ends.map_or(Value::Missing, |(first, last)| {
            let leaves = first.leaves.start..last.leaves.end;
            Value::Basic(Place { page: instance.page, leaves })
        }));
    }
    built.slots.push(Slot::new(Shape::Text(Reading::Prose), Hints::default()));
}

fn add_column(context: Context<'_>, instances: &[Forest], column: Column, built: &mut Built) {
    let hints = hints(&context, instances, &column);
    match column.kind {
        ColumnKind::Records(records) => {
            add_set(context, instances, records, hints, built);
        }
        ColumnKind::Single => add_single(context, instances, &column, hints, built),
    }
}

fn add_set(
    context: Context<'_>,
    instances: &[Forest],
    records: Vec<Vec<Vec<TwigId>>>,
    hints: Hints,
    built: &mut Built,
) {
    let mut forests = Vec::new();
    let mut counts = Vec::new();
    for (instance, records) in instances.iter().zip(records) {
        counts.push(records.len());
        forests.extend(records.into_iter().map(|twigs| Forest { page: instance.page, twigs }));
    }
    context.note(|| note_of_set(&context, &forests));
    let inner = induce(context.deeper(), &forests);
    let mut values = inner.values.into_iter();
    for (count, out) in counts.into_iter().zip(&mut built.values) {
        out.push(match count {
            0 => Value::Missing,
            _ => Value::Set(values.by_ref().take(count).collect()),
        });
    }
    built.slots.push(Slot::new(Shape::Set(inner.slots), hints));
}

fn add_single(
    context: Context<'_>,
    instances: &[Forest],
    column: &Column,
    hints: Hints,
    built: &mut Built,
) {
    let present: Vec<(usize, TwigId)> = column
        .members
        .iter()
        .enumerate()
        .filter_map(|(instance, twig)| twig.map(|twig| (instance, twig)))
        .collect();
    let twig = |instance: usize, id: TwigId| context.boughs[instances[instance].page].twig(id);
    let is_leaf = present.iter().all(|(instance, id)| twig(*instance, *id).leaf.is_some());
    if is_leaf {
        add_values(built, &present, |instance, id| {
            let leaves = twig(instance, id).leaves.clone();
            Value::Basic(Place { page: instances[instance].page, leaves })
        });
        built.slots.push(Slot::new(Shape::Text(Reading::Leaf), hints));
        return;
    }
    context.note(|| {
        let name = context.called(twig(present[0].0, present[0].1));
        let label = hints.label.as_ref().map_or_else(String::new, |it| format!(" labelled {it:?}"));
        format!("{name}{label} in {} of {}", present.len(), instances.len())
    });
    let forests: Vec<Forest> = present
        .iter()
        .map(|(instance, id)| Forest {
            page: instances[*instance].page,
            twigs: twig(*instance, *id).children.clone(),
        })
        .collect();
    let inner = induce(context.deeper(), &forests);
    let mut values = inner.values.into_iter();
    add_values(built, &present, |_, _| Value::Tuple(values.next().unwrap_or_default()));
    built.slots.push(Slot::new(Shape::Tuple(inner.slots), hints));
}

fn add_values(
    built: &mut Built,
    present: &[(usize, TwigId)],
    mut value: impl FnMut(usize, TwigId) -> Value,
) {
    for out in &mut built.values {
        out.push(Value::Missing);
    }
    for (instance, id) in present {
        if let Some(last) = built.values[*instance].last_mut() {
            *last = value(*instance, *id);
        }
    }
}

/// How many records, and what the longest is made of.
fn note_of_set(context: &Context<'_>, records: &[Forest]) -> String {
    let longest = records.iter().max_by_key(|record| record.twigs.len());
    let parts = longest.map(|record| {
        let name = |id: &TwigId| context.called(context.boughs[record.page].twig(*id));
        record.twigs.iter().take(12).map(name).collect::<Vec<_>>().join(" + ")
    });
    format!("set of {} records: {}", records.len(), parts.unwrap_or_default())
}

fn hints(context: &Context<'_>, instances: &[Forest], column: &Column) -> Hints {
    let twigs = || {
        let firsts = column.members.iter().zip(instances);
        firsts.filter_map(|(twig, instance)| {
            twig.map(|twig| context.boughs[instance.page].twig(twig))
        })
    };
    let Some(twig) = twigs().next() else { return Hints::default() };
    let name = |symbol: Symbol| context.symbols.name(symbol).to_owned();
    // What names a place is the same wherever it is.
    let common = |of: fn(&Twig) -> Symbol| {
        let is_common = twigs().all(|it| of(it) == of(twig));
        Some(name(of(twig))).filter(|name| is_common && !name.is_empty())
    };
    Hints {
        label: column.label.clone(),
        header: common(|it| it.header),
        aria: common(|it| it.aria),
        tag: name(twig.tag),
        class: name(twig.class),
        id: name(twig.id),
    }
}
