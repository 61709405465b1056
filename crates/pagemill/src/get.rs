//! From pages of any kinds to their data, without a step in between.
//!
//! In come pages as they are; out come [`Group`]s, the largest first: pages of one template, with what was learnt of it and the
//! data of each. Of a page that is the only one of its kind, the records it is about are given, which needs no other page to compare
//! with. All pages are held in memory.

use crate::input::InputPage;
use crate::learning::{Learning, SET_ASIDE, has_data};
use crate::pipeline::{self, Extracted};
use regions::SetConfig;
use wrapper::{LearnError, Schema, Status, Wrapper, templates};

/// Pages of one template, and what is on them.
#[derive(Clone, Debug)]
pub struct Group {
    /// What they have in common.
    pub schema: Schema,
    /// What reads other pages of their kind; none of a page alone that was only read.
    pub wrapper: Option<Wrapper>,
    /// The pages, as they came.
    pub pages: Vec<Extracted>,
}

/// What came of some pages.
#[derive(Clone, Debug, Default)]
pub struct Got {
    /// The largest first.
    pub groups: Vec<Group>,
    /// The ids of pages of one kind that have nothing to tell data by: alone without records, or all the same.
    pub without_data: Vec<Vec<String>>,
    /// The ids of pages that show nothing.
    pub without_leaves: Vec<String>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Templates are told apart.
    Sorting,
    /// One is learnt, from so many pages.
    Learning(usize),
}

/// What is done with a page that is the only one of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Single {
    /// The records it is about are given.
    #[default]
    Read,
    /// It is learnt too, and all its records are given.
    Learn,
}

/// Get the data of pages.
///
/// ```
/// use pagemill::{get, input};
///
/// let pages = input::pages(["../../corpus/bookshop"]).collect::<Result<_, _>>()?;
/// let got = get::get(pages, get::Single::Read, |_| ())?;
/// let sizes: Vec<usize> = got.groups.iter().map(|group| group.pages.len()).collect();
/// assert_eq!(sizes[..2], [20, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn get(
    mut pages: Vec<InputPage>,
    single: Single,
    mut watch: impl FnMut(Step),
) -> Result<Got, LearnError> {
    watch(Step::Sorting);
    let numbers = templates(pages.len(), |number| pages[number].parse(), pipeline::all_cores());
    if numbers.is_empty() {
        return Err(match pages.len() {
            0 => LearnError::NoPages,
            n => LearnError::NothingShown(n),
        });
    }
    let mut got = Got::default();
    for numbers in numbers {
        watch(Step::Learning(numbers.len()));
        let members = numbers.into_iter().map(|number| std::mem::take(&mut pages[number]));
        let members: Vec<InputPage> = members.collect();
        let ids: Vec<String> = members.iter().map(|page| page.id.clone()).collect();
        let group = match &members[..] {
            [page] if single == Single::Read => alone(page),
            _ => learnt(members)?,
        };
        match group {
            Some(group) => got.groups.push(group),
            None => got.without_data.push(ids),
        }
    }
    // What is left shows nothing.
    got.without_leaves =
        pages.into_iter().map(|page| page.id).filter(|id| !id.is_empty()).collect();
    Ok(got)
}

/// Repeats that score less are there on every page.
const MIN_SCORE: f64 = 0.05;

/// What a page alone is about: its main record set.
fn alone(input: &InputPage) -> Option<Group> {
    let page = input.parse();
    let config = SetConfig { max_sets: 1, ..SetConfig::default() };
    let sets = regions::record_sets(&page, &page.leaves(), None, &config);
    let (schema, data) = sets.into_iter().find(|set| set.score >= MIN_SCORE)?.into_page();
    let page = Extracted {
        page: input.id.clone(),
        status: Status::Verified,
        data: Some(data),
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    Some(Group { schema, wrapper: None, pages: vec![page] })
}

/// What some pages of one template have; none if there is nothing that tells data from template.
fn learnt(inputs: Vec<InputPage>) -> Result<Option<Group>, LearnError> {
    let learning = Learning::default();
    let learnt = learning.from_group(&inputs)?;
    if !learning.is_from_all(inputs.len()) {
        let mut pages = Vec::new();
        let inputs = inputs.into_iter().map(Ok);
        pipeline::extract(&learnt.wrapper, inputs, pipeline::all_cores(), |found| {
            pages.extend(found.map(Extracted::take));
            Ok::<(), LearnError>(())
        })?;
        return Ok(Some(Group::new(learnt.wrapper, pages)));
    }
    if !has_data(&learnt.schema().fields, inputs.len()) {
        return Ok(None);
    }
    let pages = inputs.into_iter().zip(learnt.data).map(|(input, data)| {
        let (status, problems) = match data {
            Some(_) => (Status::Verified, Vec::new()),
            None => (Status::Failed, vec![SET_ASIDE.to_owned()]),
        };
        Extracted { page: input.id, status, data, problems, warnings: Vec::new() }
    });
    let pages = pages.collect();
    Ok(Some(Group::new(learnt.wrapper, pages)))
}

impl Group {
    fn new(wrapper: Wrapper, pages: Vec<Extracted>) -> Group {
        Group { schema: wrapper.schema().clone(), wrapper: Some(wrapper), pages }
    }
}
