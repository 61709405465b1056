//! A schema while it is edited: what was dropped and what was merged is still there.

use super::nearest::nearest;
use super::{Edit, EditError, check_name, own_name};
use crate::machine::Machine;
use crate::schema::{AsRead, Column, Field, SEPARATOR, Schema, Set};
use page::DataType;

/// The fields of a page.
pub(super) struct Tree {
    top: Level,
}

/// The fields of a page or record.
#[derive(Clone, Default)]
struct Level {
    entries: Vec<Entry>,
    /// Alternatives, by the numbers of entries, which stay when names change.
    either: Vec<Vec<Vec<usize>>>,
    next: usize,
}

#[derive(Clone)]
struct Entry {
    id: usize,
    /// A set without its fields.
    field: Field,
    /// The fields of a set.
    level: Level,
    /// What it was before it was merged.
    merged: Vec<Entry>,
    is_dropped: bool,
}

/// Where an entry stands: the sets on the way, and its place in the last.
struct Found {
    sets: Vec<usize>,
    index: usize,
}

impl Tree {
    pub(super) fn of(schema: &Schema) -> Tree {
        Tree { top: Level::of(&schema.fields, &schema.either) }
    }

    pub(super) fn schema(self) -> Schema {
        let (fields, either) = self.top.into_fields();
        Schema { fields, either, unfit: 0 }
    }

    pub(super) fn apply(&mut self, edit: &Edit, machine: &Machine) -> Result<(), EditError> {
        match edit {
            Edit::Rename { path, name } => self.rename(path, name),
            Edit::Merge { paths, name } => self.merge(paths, name),
            Edit::Split { path } => self.split(path, machine),
            Edit::Drop { path } => {
                self.entry(path)?.is_dropped = true;
                Ok(())
            }
            Edit::Keep { path } => self.keep(path),
            Edit::Type { path, data_type } => self.set_type(path, *data_type),
        }
    }

    fn rename(&mut self, path: &str, name: &str) -> Result<(), EditError> {
        check_name(name)?;
        let Found { sets, index } = self.find(path, false)?;
        let level = self.level(&sets);
        level.make_free(name, &[index], path)?;
        level.entries[index].set_name(name);
        Ok(())
    }

    fn merge(&mut self, paths: &[String], name: &str) -> Result<(), EditError> {
        check_name(name)?;
        let [first, rest @ ..] = paths else { return Err(EditError::TooFew) };
        if rest.is_empty() {
            return Err(EditError::TooFew);
        }
        let place = self.find(first, false)?;
        let mut indexes = vec![place.index];
        for path in rest {
            let other = self.find(path, false)?;
            if other.sets != place.sets {
                return Err(EditError::Apart { left: first.clone(), right: path.clone() });
            }
            if indexes.contains(&other.index) {
                return Err(EditError::Twice { path: path.clone() });
            }
            indexes.push(other.index);
        }
        let level = self.level(&place.sets);
        level.check_like(&indexes, paths)?;
        level.make_free(name, &indexes, first)?;
        level.merge(&indexes, name);
        Ok(())
    }

    fn split(&mut self, path: &str, machine: &Machine) -> Result<(), EditError> {
        let Found { sets, index } = self.find(path, false)?;
        let level = self.level(&sets);
        let entry = &mut level.entries[index];
        let parts = match (&entry.field, entry.merged.is_empty()) {
            (_, false) => std::mem::take(&mut entry.merged),
            (Field::Column(column), true) if column.slots.len() > 1 => by_slot(column, machine),
            _ => return Err(EditError::Single { path: path.to_owned() }),
        };
        level.entries.remove(index);
        for (offset, mut part) in parts.into_iter().enumerate() {
            let name = level.free_name(part.field.name());
            part.set_name(&name);
            part.id = level.new_id();
            level.entries.insert(index + offset, part);
        }
        Ok(())
    }

    fn keep(&mut self, path: &str) -> Result<(), EditError> {
        let Ok(Found { sets, index }) = self.find(path, true) else { return self.untemplate(path) };
        let level = self.level(&sets);
        let name = level.entries[index].field.name().to_owned();
        level.make_free(&name, &[], path)?;
        level.entries[index].is_dropped = false;
        Ok(())
    }

    /// Give what says the same everywhere.
    fn untemplate(&mut self, path: &str) -> Result<(), EditError> {
        match &mut self.entry(path)?.field {
            Field::Column(column) if column.is_template => column.is_template = false,
            _ => return Err(EditError::NotDropped { path: path.to_owned() }),
        }
        Ok(())
    }

    fn set_type(&mut self, path: &str, data_type: DataType) -> Result<(), EditError> {
        match &mut self.entry(path)?.field {
            Field::Column(column) => column.data_type = data_type,
            Field::Set(_) => return Err(EditError::SetType { path: path.to_owned() }),
        }
        Ok(())
    }

    fn entry(&mut self, path: &str) -> Result<&mut Entry, EditError> {
        let Found { sets, index } = self.find(path, false)?;
        Ok(&mut self.level(&sets).entries[index])
    }

    /// The fields of the set that some steps lead to.
    fn level(&mut self, sets: &[usize]) -> &mut Level {
        sets.iter().fold(&mut self.top, |level, index| &mut level.entries[*index].level)
    }

    /// Where a path leads, among what was dropped or among the rest. The sets on the way are those that are there.
    fn find(&self, path: &str, is_dropped: bool) -> Result<Found, EditError> {
        let unknown = || {
            let all = self.top.paths("", is_dropped);
            let near = nearest(path, all.iter().map(String::as_str));
            EditError::Unknown {
                path: path.to_owned(),
                nearest: near.into_iter().map(str::to_owned).collect(),
            }
        };
        let mut level = &self.top;
        let mut sets = Vec::new();
        let (within, name) = match path.rsplit_once(SEPARATOR) {
            Some((within, name)) => (Some(within), name),
            None => (None, path),
        };
        for set in within.into_iter().flat_map(|within| within.split(SEPARATOR)) {
            let index = level.position(set, false).ok_or_else(unknown)?;
            sets.push(index);
            level = &level.entries[index].level;
        }
        let index = level.position(name, is_dropped).ok_or_else(unknown)?;
        Ok(Found { sets, index })
    }
}

impl Level {
    fn of(fields: &[Field], either: &[Vec<Vec<String>>]) -> Level {
        let entries: Vec<Entry> = fields.iter().enumerate().map(Entry::of).collect();
        let id = |name: &String| fields.iter().position(|field| field.name() == name);
        let branch = |names: &Vec<String>| names.iter().filter_map(id).collect();
        let either = either.iter().map(|branches| branches.iter().map(branch).collect()).collect();
        Level { next: entries.len(), entries, either }
    }

    fn into_fields(self) -> (Vec<Field>, Vec<Vec<Vec<String>>>) {
        let shown: Vec<Entry> = self.entries.into_iter().filter(|it| !it.is_dropped).collect();
        let name = |id: &usize| {
            let entry = shown.iter().find(|entry| entry.id == *id)?;
            Some(entry.field.name().to_owned())
        };
        let branch = |ids: &Vec<usize>| -> Vec<String> { ids.iter().filter_map(name).collect() };
        let either = self.either.iter().map(|branches| branches.iter().map(branch).collect());
        // Where a branch is gone there is nothing left to choose.
        let is_whole = |branches: &Vec<Vec<String>>| branches.iter().all(|it| !it.is_empty());
        let either = either.filter(is_whole).collect();
        (shown.into_iter().map(Entry::into_field).collect(), either)
    }

    /// The last of what was dropped under a name, or what has it now.
    fn position(&self, name: &str, is_dropped: bool) -> Option<usize> {
        let is_it = |entry: &Entry| entry.is_dropped == is_dropped && entry.field.name() == name;
        self.entries.iter().rposition(is_it)
    }

    fn paths(&self, within: &str, is_dropped: bool) -> Vec<String> {
        let mut paths = Vec::new();
        for entry in &self.entries {
            let path = format!("{within}{}", entry.field.name());
            if !entry.is_dropped {
                paths.extend(entry.level.paths(&format!("{path}{SEPARATOR}"), is_dropped));
            }
            if entry.is_dropped == is_dropped && !entry.field.is_template() {
                paths.push(path);
            }
        }
        paths
    }

    /// See that a name is free, but for some entries. What is template has no right to one.
    fn make_free(&mut self, name: &str, but_for: &[usize], beside: &str) -> Result<(), EditError> {
        let Some(index) = self.position(name, false).filter(|it| !but_for.contains(it)) else {
            return Ok(());
        };
        if !self.entries[index].field.is_template() {
            let within = &beside[..beside.len() - own_name(beside).len()];
            return Err(EditError::Taken { path: format!("{within}{name}") });
        }
        let other = self.free_name(name);
        self.entries[index].set_name(&other);
        Ok(())
    }

    /// A name, or the first of `name_2`, `name_3` and so on that is free.
    fn free_name(&self, name: &str) -> String {
        let is_free = |name: &String| self.position(name, false).is_none();
        let mut names =
            std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}_{n}")));
        names.find(is_free).unwrap_or_default()
    }

    fn new_id(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn check_like(&self, indexes: &[usize], paths: &[String]) -> Result<(), EditError> {
        let is_set = |index: &usize| matches!(self.entries[*index].field, Field::Set(_));
        let set = indexes.iter().position(&is_set);
        let column = indexes.iter().position(|index| !is_set(index));
        match (column, set) {
            (Some(column), Some(set)) => {
                Err(EditError::Mixed { column: paths[column].clone(), set: paths[set].clone() })
            }
            _ => Ok(()),
        }
    }

    /// Put one entry in place of the first of some.
    fn merge(&mut self, indexes: &[usize], name: &str) {
        let parts: Vec<Entry> = indexes.iter().map(|index| self.entries[*index].clone()).collect();
        let mut merged = parts.iter().cloned().reduce(Entry::merged_with).unwrap_or_else(|| {
            unreachable!("a merge has at least two parts");
        });
        merged.set_name(name);
        merged.merged = parts;
        merged.id = self.new_id();
        self.entries[indexes[0]] = merged;
        let mut gone = indexes[1..].to_vec();
        gone.sort_unstable();
        for index in gone.into_iter().rev() {
            self.entries.remove(index);
        }
    }
}

impl Entry {
    fn of((id, field): (usize, &Field)) -> Entry {
        let (field, level) = match field {
            Field::Column(_) => (field.clone(), Level::default()),
            Field::Set(set) => {
                let bare = Set {
                    fields: Vec::new(),
                    either: Vec::new(),
                    slots: set.slots.clone(),
                    name: set.name.clone(),
                    ..*set
                };
                (Field::Set(bare), Level::of(&set.fields, &set.either))
            }
        };
        Entry { id, field, level, merged: Vec::new(), is_dropped: false }
    }

    fn into_field(self) -> Field {
        match self.field {
            Field::Column(column) => Field::Column(column),
            Field::Set(set) => {
                let (fields, either) = self.level.into_fields();
                Field::Set(Set { fields, either, ..set })
            }
        }
    }

    fn set_name(&mut self, name: &str) {
        match &mut self.field {
            Field::Column(column) => column.name = name.to_owned(),
            Field::Set(set) => set.name = name.to_owned(),
        }
    }

    /// One that has what either has. Both are columns, or both are sets.
    fn merged_with(mut self, other: Entry) -> Entry {
        match (&mut self.field, other.field) {
            (Field::Column(column), Field::Column(other)) => merge_columns(column, other),
            (Field::Set(set), Field::Set(more)) => {
                self.level.weigh(set.n_records, set.n_records + more.n_records);
                let mut theirs = other.level;
                theirs.weigh(more.n_records, set.n_records + more.n_records);
                self.level.take_over(theirs);
                set.slots.extend(more.slots);
                set.n_records += more.n_records;
                set.as_read = both_read((set.as_read, set.density), (more.as_read, more.density));
                set.density = (set.density + more.density).min(1000);
            }
            _ => {}
        }
        self
    }
}

impl Level {
    /// Take shares of some records as shares of more.
    fn weigh(&mut self, n_records: usize, of: usize) {
        let weighed = |density: u32| {
            let share = u64::from(density) * n_records as u64 / of.max(1) as u64;
            u32::try_from(share).unwrap_or(1000)
        };
        for entry in &mut self.entries {
            match &mut entry.field {
                Field::Column(column) => {
                    column.density = weighed(column.density);
                    column.as_read.iter_mut().for_each(|it| it.density = weighed(it.density));
                }
                Field::Set(set) => {
                    set.density = weighed(set.density);
                    set.as_read.iter_mut().for_each(|it| it.density = weighed(it.density));
                }
            }
        }
    }

    /// Have the fields of another too: those of one name and kind become one.
    fn take_over(&mut self, other: Level) {
        self.either.clear();
        for entry in other.entries {
            let twin = self.position(entry.field.name(), false);
            let twin = twin.filter(|twin| {
                let is_set = |field: &Field| matches!(field, Field::Set(_));
                is_set(&self.entries[*twin].field) == is_set(&entry.field) && !entry.is_dropped
            });
            match twin {
                Some(index) => {
                    let twin = self.entries[index].clone();
                    self.entries[index] = twin.merged_with(entry);
                }
                None => {
                    let id = self.new_id();
                    let name = self.free_name(entry.field.name());
                    let mut entry = Entry { id, ..entry };
                    entry.set_name(&name);
                    self.entries.push(entry);
                }
            }
        }
    }
}

/// Let a column read another where it has no value.
fn merge_columns(column: &mut Column, mut other: Column) {
    // Who merges columns takes them for alternatives, and these exclude each other.
    column.as_read = both_read((column.as_read, column.density), (other.as_read, other.density));
    column.density = (column.density + other.density).min(1000);
    column.data_type = both(column.data_type, other.data_type);
    column.is_template &= other.is_template;
    column.label = column.label.take().or_else(|| other.label.clone());
    column.examples.truncate(2);
    column.examples.extend(other.examples.iter().take(3 - column.examples.len()).cloned());
    let more = std::mem::take(&mut other.otherwise);
    column.otherwise.push(other);
    column.otherwise.extend(more);
}

/// How two are read as one, if either is read otherwise than it was learnt.
fn both_read(left: (Option<AsRead>, u32), right: (Option<AsRead>, u32)) -> Option<AsRead> {
    left.0.or(right.0)?;
    let of =
        |(as_read, density): (Option<AsRead>, u32)| as_read.unwrap_or(AsRead { density, odd: 0 });
    let (left, right) = (of(left), of(right));
    Some(AsRead { density: (left.density + right.density).min(1000), odd: left.odd.max(right.odd) })
}

/// The narrowest type that values of two types have.
fn both(left: DataType, right: DataType) -> DataType {
    let mut common = left;
    while !right.is_a(common) {
        match common.parent() {
            Some(parent) => common = parent,
            None => return DataType::String,
        }
    }
    common
}

/// A column a place.
fn by_slot(column: &Column, machine: &Machine) -> Vec<Entry> {
    let counts: Vec<u64> = column.slots.iter().map(|slot| machine.n_seen(*slot)).collect();
    let all = counts.iter().sum::<u64>().max(1);
    let part = |(slot, n): (&usize, &u64)| {
        let density = u32::try_from(u64::from(column.density) * n / all).unwrap_or(1000);
        // Which of the examples stood where is not known any more.
        let part = Column {
            slots: vec![*slot],
            density,
            examples: Vec::new(),
            as_read: None,
            ..column.clone()
        };
        Entry::of((0, &Field::Column(part)))
    };
    column.slots.iter().zip(&counts).map(part).collect()
}
