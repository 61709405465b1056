//! Repair: a site has changed, and what is learnt from its new pages is to be called as before.
//!
//! First the old wrapper is tried as it is, then in new clothes (`dress`): with the classes that elements have now, in one
//! more element, with the words that the template says now. If pages still do not fit, they are learnt from as if nothing
//! was known, and what reads more under the old names is taken (`gain`): a repair is never worse than none.
//!
//! To name what was learnt anew, its sets and columns are set against those of the old wrapper: by what the old wrapper
//! still reads from the pages, by the values it was learnt from, by label, name, type, place and order (`evidence`, `score`).
//! Which is which is an assignment problem (`assignment`): the names that agree best in all are given (`names`). Edits are
//! made again on what comes out.

mod assignment;
mod dress;
mod evidence;
mod gain;
mod names;
mod score;
mod structure;

use crate::data::Data;
use crate::edit::{Edit, EditError};
use crate::extract::{Extractor, Status, Wrapper};
use crate::learn::{LearnConfig, LearnError, learn};
use crate::machine::Machine;
use crate::schema::{Column, Field};
use evidence::{Elements, Seen, Side};
use gain::Gain;
use page::Page;

/// A wrapper that was learnt anew, with the old names.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The new wrapper; the old one if nothing better was learnt.
    pub wrapper: Wrapper,
    /// Whether it is the old one.
    pub is_unchanged: bool,
    /// What became of each column and set that was extracted, in the old order; then what is new.
    pub changes: Vec<Change>,
    /// Edits that cannot be made any more, and why.
    pub lost_edits: Vec<(Edit, EditError)>,
    /// How many of the pages did not fit the old wrapper.
    pub n_unfit: usize,
    /// Whether each page was learnt from. Where the wrapper is a new one, others are of another template.
    pub learnt_from: Vec<bool>,
}

/// What became of a column or set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path, the same before and after.
    pub path: String,
    /// What became of it.
    pub fate: Fate,
    /// Whether what speaks for it is weak: better look at its values.
    pub is_doubtful: bool,
}

/// What became of a column or set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// It stands where it stood.
    Kept,
    /// It was found in other elements.
    Moved,
    /// Nothing on the new pages is like it.
    Gone,
    /// The old wrapper had nothing like it.
    New,
}

impl Fate {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Kept => "kept",
            Fate::Moved => "moved",
            Fate::Gone => "gone",
            Fate::New => "new",
        }
    }
}

/// Make a wrapper fit pages that do not fit it any more: change what its elements are called, or learn it again from all pages
/// and give its columns their old names. It stays as it is where nothing better is found.
///
/// ```
/// use wrapper::{Extractor, learn, repair};
///
/// let parse = |html: &String| page::parse(html.as_bytes());
/// let books = [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5"), ("Ubik", "$8")];
/// let old = books.map(|(title, price)| format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>"));
/// let new = books.map(|(title, price)| format!("<div><i>{price}</i><h1>{title}</h1></div>"));
/// let old = learn(old.iter().map(parse).collect(), &Default::default())?.wrapper;
///
/// let repaired = repair(&old, new.iter().map(parse).collect(), &Default::default())?;
/// let found = Extractor::new(&repaired.wrapper).extract(&parse(&new[1]));
/// assert_eq!(found.data["price"], "$7");
/// # Ok::<(), wrapper::LearnError>(())
/// ```
pub fn repair(
    old: &Wrapper,
    pages: Vec<Page>,
    config: &LearnConfig,
) -> Result<Repaired, LearnError> {
    let n_unfit = n_unfit(old, &pages);
    let is_strange = Gain::of(old, &pages, old.schema()).is_strange();
    let before = Before::of(old, &pages);
    if before.gain.is_fit(MIN_UNFIT) {
        return Ok(before.repaired(old, pages.len(), n_unfit));
    }
    let (anew, gain) = learnt_anew(old, &before, &pages, &is_strange, config)?;
    let n_read = |gain: &Gain| gain.n_values(&is_strange) as f64;
    let is_new_look = is_strange.iter().filter(|it| **it).count() >= MIN_UNFIT
        && n_read(&gain) > n_read(&before.gain) * MIN_GAIN;
    if !is_new_look && before.gain.is_as_good_as(&gain) {
        return Ok(before.repaired(old, pages.len(), n_unfit));
    }
    Ok(Repaired { n_unfit, ..anew })
}

fn n_unfit(wrapper: &Wrapper, pages: &[Page]) -> usize {
    let mut extractor = Extractor::new(wrapper);
    pages.iter().filter(|page| extractor.extract(page).status != Status::Verified).count()
}

/// The old wrapper, or in new clothes if these fit better.
struct Before {
    wrapper: Wrapper,
    gain: Gain,
    is_unchanged: bool,
}

impl Before {
    fn of(old: &Wrapper, pages: &[Page]) -> Before {
        let gain = |wrapper: &Wrapper| Gain::of(wrapper, pages, old.schema());
        let mut best = Before { wrapper: old.clone(), gain: gain(old), is_unchanged: true };
        if best.gain.is_fit(1) {
            return best;
        }
        for wrapper in dress::dressed(old, pages) {
            let gain = gain(&wrapper);
            if gain.is_better_than(&best.gain) {
                best = Before { wrapper, gain, is_unchanged: false };
            }
        }
        best
    }

    fn repaired(self, old: &Wrapper, n_pages: usize, n_unfit: usize) -> Repaired {
        let Before { wrapper, is_unchanged, .. } = self;
        Repaired {
            changes: changes(old, &wrapper, &[]),
            wrapper,
            is_unchanged,
            lost_edits: Vec::new(),
            n_unfit,
            learnt_from: vec![!is_unchanged; n_pages],
        }
    }
}

/// A wrapper that was learnt from all pages, or from those that do not fit.
fn learnt_anew(
    old: &Wrapper,
    before: &Before,
    pages: &[Page],
    is_strange: &[bool],
    config: &LearnConfig,
) -> Result<(Repaired, Gain), LearnError> {
    // What the wrapper reads in new clothes says more about what is what.
    let mut extractor = Extractor::new(&before.wrapper);
    let found: Vec<Data> = pages.iter().map(|page| extractor.read_as_learnt(page).1).collect();
    let gain = |it: &Repaired| Gain::of(&it.wrapper, pages, old.schema());
    let best = repair_from(old, pages, &found, &vec![true; pages.len()], config)?;
    let after = gain(&best);
    let n_strange = is_strange.iter().filter(|it| **it).count();
    if (MIN_UNFIT..pages.len()).contains(&n_strange) {
        // Pages of the old look may be in the way of learning the new one.
        let of_strange = repair_from(old, pages, &found, is_strange, config)?;
        let gain = gain(&of_strange);
        if gain.n_values(is_strange) as f64 > after.n_values(is_strange) as f64 * MIN_GAIN {
            return Ok((of_strange, gain));
        }
    }
    Ok((best, after))
}

/// Fewer pages that do not fit are odd ones among many, not a new look; and too few to learn from.
const MIN_UNFIT: usize = 4;
/// By so much more must be read of them to leave out the pages that fit, or to leave what was known of these.
const MIN_GAIN: f64 = 1.2;

/// Learn from some of the pages.
fn repair_from(
    old: &Wrapper,
    pages: &[Page],
    found: &[Data],
    is_taken: &[bool],
    config: &LearnConfig,
) -> Result<Repaired, LearnError> {
    let taken: Vec<usize> = (0..pages.len()).filter(|index| is_taken[*index]).collect();
    let learnt = learn(taken.iter().map(|index| pages[*index].clone()).collect(), config)?;
    let mut learnt_from = vec![false; pages.len()];
    let (mut old_data, mut new_data) = (Vec::new(), Vec::new());
    for (index, data) in taken.into_iter().zip(learnt.data) {
        if let Some(data) = data {
            learnt_from[index] = true;
            old_data.push(&found[index]);
            new_data.push(data);
        }
    }
    let (schema, machine) = (learnt.wrapper.schema(), learnt.wrapper.machine());
    let old_side = Side::new(old.learnt(), old.machine(), Seen::of(old_data));
    let new_side = Side::new(schema, machine, Seen::of(&new_data));
    let given = names::give(&old_side, &new_side, &names_in(old.edits()));
    let mut wrapper = Wrapper::new(given.schema, machine.clone());
    let lost_edits = edit_again(&mut wrapper, old.edits());
    let changes = changes(old, &wrapper, &given.doubtful);
    Ok(Repaired { wrapper, is_unchanged: false, changes, lost_edits, n_unfit: 0, learnt_from })
}

/// The names that edits give or ask for: nothing new may have them.
fn names_in(edits: &[Edit]) -> Vec<String> {
    let mut names = Vec::new();
    for edit in edits {
        match edit {
            Edit::Rename { path, name } => names.extend([path.clone(), name.clone()]),
            Edit::Merge { paths, name } => names.extend(paths.iter().chain([name]).cloned()),
            Edit::Split { path }
            | Edit::Drop { path }
            | Edit::Keep { path }
            | Edit::Type { path, .. } => names.push(path.clone()),
        }
    }
    let own = |path: &String| path.rsplit('.').next().unwrap_or_default().to_owned();
    names.iter().map(own).collect()
}

/// Make edits again, and give back those that cannot be made.
fn edit_again(wrapper: &mut Wrapper, edits: &[Edit]) -> Vec<(Edit, EditError)> {
    let mut lost = Vec::new();
    for edit in edits {
        let Err(error) = wrapper.edit(edit.clone()) else { continue };
        let rest = match edit {
            Edit::Merge { paths, name } => merge_of_rest(wrapper, paths, name),
            _ => None,
        };
        if rest.is_none_or(|rest| wrapper.edit(rest).is_err()) {
            lost.push((edit.clone(), error));
        }
    }
    lost
}

/// A merge of what is still there.
fn merge_of_rest(wrapper: &Wrapper, paths: &[String], name: &str) -> Option<Edit> {
    let is_there = |path: &&String| wrapper.schema().field(path).is_some();
    let there: Vec<&String> = paths.iter().filter(is_there).collect();
    match there[..] {
        [] => None,
        [only] => Some(Edit::rename(only, name)),
        _ => Some(Edit::merge_as(there, name)),
    }
}

/// What became of everything that is extracted.
fn changes(old: &Wrapper, new: &Wrapper, doubtful: &[Vec<usize>]) -> Vec<Change> {
    let (before, after) = (Elements::of(old.machine()), Elements::of(new.machine()));
    let mut changes = Vec::new();
    for (path, field) in old.schema().paths().into_iter().filter(|(_, field)| field.is_data()) {
        let found = new.schema().field(&path).filter(|it| it.is_data());
        let is_doubtful =
            found.is_some_and(|it| doubtful.iter().any(|slots| slots == slots_of(it)));
        let fate = match found {
            None => Fate::Gone,
            Some(found)
                if stand_alike(field, old.machine(), &before, found, new.machine(), &after) =>
            {
                Fate::Kept
            }
            Some(_) => Fate::Moved,
        };
        changes.push(Change { path, fate, is_doubtful });
    }
    for (path, _) in new.schema().paths().into_iter().filter(|(_, field)| field.is_data()) {
        let was_there = old.schema().field(&path).is_some_and(Field::is_data);
        if !was_there {
            changes.push(Change { path, fate: Fate::New, is_doubtful: false });
        }
    }
    changes
}

fn slots_of(field: &Field) -> &Vec<usize> {
    match field {
        Field::Column(Column { slots, .. }) => slots,
        Field::Set(set) => &set.slots,
    }
}

/// Whether two fields stand in the same elements.
fn stand_alike(
    left: &Field,
    left_machine: &Machine,
    left_elements: &Elements,
    right: &Field,
    right_machine: &Machine,
    right_elements: &Elements,
) -> bool {
    let place = |field: &Field, machine: &Machine, elements: &Elements| {
        slots_of(field).iter().find_map(|slot| elements.of_slot(machine, *slot).cloned())
    };
    match (place(left, left_machine, left_elements), place(right, right_machine, right_elements)) {
        (Some(left), Some(right)) => left == right,
        (left, right) => left.is_none() && right.is_none(),
    }
}
