//! From instances of one template place to the slots below it.
//!
//! An instance is a forest: the children of an element, or the siblings that make up a record. The children of all
//! instances are sorted into classes; classes that repeat become rows with labels, positions, or sets of records;
//! and what belongs together over all instances becomes a slot, into which the same procedure descends.

use crate::classes;
use crate::runs;
use crate::schema::{Hints, Place, Shape, Slot, Value};
use crate::sets;
use crate::twig::{Bough, Symbols, TwigId};

/// One instance of a place in the template.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    pub(crate) page: usize,
    pub(crate) twigs: Vec<TwigId>,
}

pub(crate) struct Context<'a> {
    pub(crate) boughs: &'a [Bough],
    pub(crate) symbols: &'a Symbols,
}

/// The slots of some instances, and by instance and slot the values.
pub(crate) struct Built {
    pub(crate) slots: Vec<Slot>,
    pub(crate) values: Vec<Vec<Value>>,
}

/// What a slot is made from: by instance, the twigs it has.
pub(crate) struct Column {
    pub(crate) members: Vec<Vec<TwigId>>,
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

pub(crate) fn induce(context: &Context<'_>, instances: &[Forest], depth: usize) -> Built {
    let mut built = Built { slots: Vec::new(), values: vec![Vec::new(); instances.len()] };
    if depth > MAX_DEPTH {
        return built;
    }
    let classes = classes::classify(context, instances);
    runs::add(context, instances, &classes, &mut built);
    for column in sets::columns(context, instances, classes) {
        add_column(context, instances, column, depth, &mut built);
    }
    built
}

fn add_column(
    context: &Context<'_>,
    instances: &[Forest],
    column: Column,
    depth: usize,
    built: &mut Built,
) {
    let hints = hints(context, instances, &column);
    match column.kind {
        ColumnKind::Records(records) => {
            add_set(context, instances, records, hints, depth, built);
        }
        ColumnKind::Single => add_single(context, instances, &column, hints, depth, built),
    }
}

fn add_set(
    context: &Context<'_>,
    instances: &[Forest],
    records: Vec<Vec<Vec<TwigId>>>,
    hints: Hints,
    depth: usize,
    built: &mut Built,
) {
    let mut forests = Vec::new();
    let mut counts = Vec::new();
    for (instance, records) in instances.iter().zip(records) {
        counts.push(records.len());
        forests.extend(records.into_iter().map(|twigs| Forest { page: instance.page, twigs }));
    }
    let inner = induce(context, &forests, depth + 1);
    let mut values = inner.values.into_iter();
    for (count, out) in counts.into_iter().zip(&mut built.values) {
        out.push(match count {
            0 => Value::Missing,
            _ => Value::Set(values.by_ref().take(count).collect()),
        });
    }
    built.slots.push(Slot { shape: Shape::Set(inner.slots), hints });
}

fn add_single(
    context: &Context<'_>,
    instances: &[Forest],
    column: &Column,
    hints: Hints,
    depth: usize,
    built: &mut Built,
) {
    let present: Vec<(usize, TwigId)> = column
        .members
        .iter()
        .enumerate()
        .filter_map(|(instance, twigs)| twigs.first().map(|twig| (instance, *twig)))
        .collect();
    let twig = |instance: usize, id: TwigId| context.boughs[instances[instance].page].twig(id);
    let is_leaf = present.iter().all(|(instance, id)| twig(*instance, *id).leaf.is_some());
    if is_leaf {
        add_values(built, &present, |instance, id| {
            let leaves = twig(instance, id).leaves.clone();
            Value::Basic(Place { page: instances[instance].page, leaves })
        });
        built.slots.push(Slot { shape: Shape::Leaf, hints });
        return;
    }
    let forests: Vec<Forest> = present
        .iter()
        .map(|(instance, id)| Forest {
            page: instances[*instance].page,
            twigs: twig(*instance, *id).children.clone(),
        })
        .collect();
    let inner = induce(context, &forests, depth + 1);
    let mut values = inner.values.into_iter();
    add_values(built, &present, |_, _| Value::Tuple(values.next().unwrap_or_default()));
    built.slots.push(Slot { shape: Shape::Tuple(inner.slots), hints });
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

fn hints(context: &Context<'_>, instances: &[Forest], column: &Column) -> Hints {
    let first = column
        .members
        .iter()
        .zip(instances)
        .find_map(|(twigs, instance)| twigs.first().map(|twig| (instance.page, *twig)));
    let Some((page, id)) = first else { return Hints::default() };
    let twig = context.boughs[page].twig(id);
    Hints {
        label: column.label.clone(),
        tag: context.symbols.name(twig.tag).to_owned(),
        class: context.symbols.name(twig.class).to_owned(),
        id: context.symbols.name(twig.id).to_owned(),
    }
}
