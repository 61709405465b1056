//! The elements that leaves sit in, as a trie: an element is known by its tag, its role, and the element around it.

use crate::twig::{ROLE_ATTRIBUTES, RoleKeys, Roles, Symbol, Symbols, hash};
use foldhash::fast::FixedState;
use page::{Eye, NodeId, Page};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// An element of the template. The document is step 0.
pub(crate) type StepId = u32;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(crate) struct Steps {
    steps: Vec<Step>,
    children: HashMap<(StepId, u64), StepId, FixedState>,
    /// Words of roles that mean something: others are names of single elements.
    words: HashMap<String, (), FixedState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) parent: StepId,
    pub(crate) tag: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) role: String,
}

/// What of it is written: the rest follows.
#[derive(Clone, Serialize, Deserialize)]
struct Stored(Vec<Step>);

impl From<Steps> for Stored {
    fn from(steps: Steps) -> Stored {
        Stored(steps.steps)
    }
}

impl TryFrom<Stored> for Steps {
    type Error = String;

    fn try_from(Stored(stored): Stored) -> Result<Steps, String> {
        let mut steps = Steps::new();
        for (index, step) in stored.into_iter().enumerate().skip(1) {
            if step.parent as usize >= index {
                return Err(format!("step {}, which comes later, holds step {index}", step.parent));
            }
            for word in step.role.split(' ').filter(|word| !word.is_empty()) {
                steps.words.insert(word.to_owned(), ());
            }
            steps.push(step.parent, step.tag, step.role);
        }
        Ok(steps)
    }
}

impl Steps {
    pub(crate) fn new() -> Steps {
        let root = Step { parent: 0, tag: String::new(), role: String::new() };
        Steps { steps: vec![root], children: HashMap::default(), words: HashMap::default() }
    }

    /// Take words as meaningful that come more than once, or all words of a single page.
    pub(crate) fn learn_words(
        &mut self,
        symbols: &Symbols,
        counts: &BTreeMap<Symbol, usize>,
        n_pages: usize,
    ) {
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        for (role, n) in counts {
            for word in symbols.name(*role).split(' ').filter(|word| !word.is_empty()) {
                *words.entry(word).or_default() += n;
            }
        }
        for (word, n) in words {
            if n > 1 || n_pages == 1 {
                self.words.insert(word.to_owned(), ());
            }
        }
    }

    /// The words of a role that mean something.
    pub(crate) fn meaning(&self, role: &str) -> String {
        let mut out = String::with_capacity(role.len());
        for word in role.split(' ').filter(|word| self.words.contains_key(*word)) {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
        out
    }

    /// The step of an element, made if it is new.
    pub(crate) fn intern(&mut self, parent: StepId, tag: &str, role: &str) -> StepId {
        match self.children.get(&(parent, key(tag, role))) {
            Some(step) => *step,
            None => self.push(parent, tag.to_owned(), role.to_owned()),
        }
    }

    fn push(&mut self, parent: StepId, tag: String, role: String) -> StepId {
        let id = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        self.children.insert((parent, key(&tag, &role)), id);
        self.steps.push(Step { parent, tag, role });
        id
    }

    /// All of them, each after the one around it.
    pub(crate) fn all(&self) -> &[Step] {
        &self.steps
    }

    /// Those of a list, in which each must come after the one around it.
    pub(crate) fn made_of(steps: Vec<Step>) -> Option<Steps> {
        Steps::try_from(Stored(steps)).ok()
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn parent(&self, step: StepId) -> StepId {
        self.steps[step as usize].parent
    }

    /// The tags from the root to a step, hashed.
    pub(crate) fn tag_paths(&self) -> Vec<u64> {
        let mut paths = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            let above = if index == 0 { 0 } else { paths[step.parent as usize] };
            paths.push(if index == 0 { 0 } else { tag_step(above, &step.tag) });
        }
        paths
    }
}

fn key(tag: &str, role: &str) -> u64 {
    hash(&(tag, hash(&role)))
}

fn tag_step(above: u64, tag: &str) -> u64 {
    hash(&(above, tag))
}

/// Where an element of a page is in the template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    /// The step, or the nearest one around the element that is known.
    pub(crate) step: StepId,
    pub(crate) is_known: bool,
    /// Whether it is or stands in an element in which anything may stand.
    pub(crate) is_free: bool,
    pub(crate) depth: u16,
    /// The tags from the root to it, hashed.
    pub(crate) tags: u64,
}

impl Found {
    /// Where the document is.
    fn document(facts: &StepFacts) -> Found {
        Found { step: 0, is_known: true, is_free: facts.is_free[0], depth: 0, tags: 0 }
    }

    /// Where an element inside of it is, if it is that of a step, or else by its tag.
    fn inside(self, facts: &StepFacts, step: Option<StepId>, tag: &str) -> Found {
        let depth = self.depth.saturating_add(1);
        match step {
            Some(step) => Found {
                step,
                is_known: true,
                is_free: self.is_free || facts.is_free[step as usize],
                depth,
                tags: facts.tag_paths[step as usize],
            },
            None => Found { is_known: false, depth, tags: tag_step(self.tags, tag), ..self },
        }
    }
}

/// Where the element of a leaf is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) found: Found,
    /// How deep the elements go that it has in common with the leaf before.
    pub(crate) common: u16,
}

/// What is asked of steps again and again.
#[derive(Clone, Debug)]
pub(crate) struct StepFacts {
    /// By step, the tags from the root to it, hashed.
    pub(crate) tag_paths: Vec<u64>,
    /// By step, whether anything may stand in it.
    pub(crate) is_free: Vec<bool>,
}

/// Finds the elements of one page after another.
#[derive(Default)]
pub(crate) struct Locator {
    /// By element, where it is, and on which page that was.
    found: Vec<(u64, Found)>,
    n_pages: u64,
    open: Vec<NodeId>,
    /// By the step around an element and all of its markup that counts, its own step.
    known: HashMap<Box<[u8]>, Option<StepId>, FixedState>,
    key: Vec<u8>,
    /// Of the page at hand, once they are needed.
    role_keys: Option<RoleKeys>,
    roles: Roles,
}

/// More markup than this is that of single elements, and not worth keeping.
const MAX_KNOWN: usize = 20_000;
const MAX_KEY: usize = 300;

impl Locator {
    /// About how much memory it holds, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        let known = self.known.keys().map(|key| key.len() + size_of::<(Box<[u8]>, StepId)>());
        self.found.capacity() * size_of::<(u64, Found)>() + known.sum::<usize>()
    }

    /// Start with a new page.
    pub(crate) fn start(&mut self, page: &Page) {
        self.n_pages += 1;
        self.role_keys = None;
        if self.found.len() < page.n_nodes() {
            self.found.resize(page.n_nodes(), (0, Found::default()));
        }
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
    }

    /// Where an element is, and how deep the elements go that it has in common with the one before it, if they come in the
    /// order of the page: the innermost one around it that was met.
    pub(crate) fn find(
        &mut self,
        steps: &Steps,
        facts: &StepFacts,
        page: &Page,
        element: NodeId,
    ) -> Place {
        let mut at = Found::document(facts);
        let mut next = Some(element);
        while let Some(node) = next {
            if let Some(found) = self.again(node) {
                at = found;
                break;
            }
            if node == page.document() {
                break;
            }
            self.open.push(node);
            next = page.parent(node);
        }
        let common = at.depth;
        while let Some(node) = self.open.pop() {
            at = self.inside(steps, facts, page, at, node);
            self.found[node.index()] = (self.n_pages, at);
        }
        Place { found: at, common }
    }

    /// Where an element is that was met before.
    fn again(&self, element: NodeId) -> Option<Found> {
        let (page, found) = self.found[element.index()];
        (page == self.n_pages).then_some(found)
    }

    fn inside(
        &mut self,
        steps: &Steps,
        facts: &StepFacts,
        page: &Page,
        around: Found,
        node: NodeId,
    ) -> Found {
        let step = self.step(steps, page, around, node);
        around.inside(facts, step, page.tag(node).unwrap_or_default())
    }

    fn step(&mut self, steps: &Steps, page: &Page, around: Found, node: NodeId) -> Option<StepId> {
        if !around.is_known {
            return None;
        }
        self.key.clear();
        self.key.extend_from_slice(&around.step.to_le_bytes());
        let keys = self.role_keys.get_or_insert_with(|| Roles::keys(page));
        Roles::push_markup(page, keys, node, &mut self.key);
        if let Some(step) = self.known.get(&*self.key) {
            return *step;
        }
        let meaning = steps.meaning(self.roles.of(page, node));
        let key = key(page.tag(node).unwrap_or_default(), &meaning);
        let step = steps.children.get(&(around.step, key)).copied();
        if self.key.len() <= MAX_KEY {
            self.known.insert(self.key.as_slice().into(), step);
        }
        step
    }
}

/// The same without a page: where elements are, as numbers for those who only [skim](page::Skimmer) pages.
#[derive(Default)]
pub(crate) struct Marks {
    /// By mark, where its elements are; by meaning, the words that mean something.
    found: Vec<Found>,
    marks: HashMap<Found, u32, FixedState>,
    meanings: Vec<String>,
    meaning_ids: HashMap<String, u32, FixedState>,
    roles: Roles,
}

impl Marks {
    /// About how much memory they hold, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        let words = self.meanings.iter().map(|words| 2 * (words.len() + size_of::<String>()));
        self.found.capacity() * 2 * size_of::<(Found, u32)>() + words.sum::<usize>()
    }

    /// Where the elements of a mark are.
    pub(crate) fn found(&self, mark: u32) -> Found {
        self.found[mark as usize]
    }
}

/// Sees elements as the machine does.
pub(crate) struct Look<'a> {
    pub(crate) marks: &'a mut Marks,
    pub(crate) steps: &'a Steps,
    pub(crate) facts: &'a StepFacts,
}

impl Eye for Look<'_> {
    fn attributes(&self) -> &'static [&'static str] {
        &ROLE_ATTRIBUTES
    }

    fn meaning(&mut self, values: &[Option<&str>]) -> u32 {
        let Marks { meanings, meaning_ids, roles, .. } = &mut *self.marks;
        let meaning = self.steps.meaning(roles.made_of(values));
        *meaning_ids.entry(meaning).or_insert_with_key(|meaning| {
            meanings.push(meaning.clone());
            number(meanings.len() - 1)
        })
    }

    fn mark(&mut self, around: u32, tag: &str, meaning: u32) -> u32 {
        let Marks { found, marks, meanings, .. } = &mut *self.marks;
        let around = found[around as usize];
        let key = key(tag, &meanings[meaning as usize]);
        let step = self.steps.children.get(&(around.step, key)).filter(|_| around.is_known);
        let inside = around.inside(self.facts, step.copied(), tag);
        *marks.entry(inside).or_insert_with(|| {
            found.push(inside);
            number(found.len() - 1)
        })
    }

    fn forget(&mut self) {
        *self.marks = Marks::default();
        self.marks.found.push(Found::document(self.facts));
    }
}

/// Far fewer are kept.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
