//! Which object each page is about.
//!
//! Pages are gone through twice: what a page is about may be known only from a list that was met later.

use super::mention::{Evidence, PageFacts, Part, Place, Rules};
use super::name;
use std::collections::{BTreeMap, BTreeSet};

/// The number of an object among the drafts; the root is the first.
pub(super) type Number = usize;

/// An object while it is put together.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) class: String,
    /// Every name with how often it was met.
    pub(super) names: BTreeMap<String, u32>,
    /// The name under which it was met first.
    pub(super) first_name: String,
    pub(super) urls: Vec<String>,
    /// What was said to contain it, and how often.
    pub(super) containers: BTreeMap<Number, u32>,
    /// The lists that have it: pages, and which of their lists.
    pub(super) lists: BTreeSet<(usize, usize)>,
    pub(super) places: Vec<Place>,
    pub(super) confidence: f64,
}

/// What is known after reading all pages.
pub(super) struct About {
    pub(super) drafts: Vec<Draft>,
    /// By page.
    pub(super) subjects: Vec<Number>,
}

pub(super) struct Reader<'a> {
    evidence: &'a Evidence,
    rules: &'a Rules,
    drafts: Vec<Draft>,
    by_key: BTreeMap<String, Vec<Number>>,
    by_link: BTreeMap<String, BTreeSet<Number>>,
    /// Folders that belong to one object: its own page stands there.
    folders: BTreeMap<String, Number>,
    subjects: Vec<Number>,
}

pub(super) const ROOT: Number = 0;

impl<'a> Reader<'a> {
    pub(super) fn new(evidence: &'a Evidence, rules: &'a Rules) -> Reader<'a> {
        let root = &evidence.root;
        let root = Draft {
            class: root.class.clone(),
            names: BTreeMap::from([(root.name.clone(), 1)]),
            first_name: root.name.clone(),
            urls: vec![root.url.clone()],
            confidence: 1.0,
            ..Draft::default()
        };
        let (by_key, by_link, folders) = Default::default();
        let subjects = vec![ROOT; evidence.pages.len()];
        Reader { evidence, rules, drafts: vec![root], by_key, by_link, folders, subjects }
    }

    pub(super) fn read(mut self) -> About {
        for is_again in [false, true] {
            self.drafts.iter_mut().for_each(|draft| draft.containers.clear());
            for (number, page) in self.evidence.pages.iter().enumerate() {
                let subject = self.subject(page);
                self.subjects[number] = subject;
                for part in &page.parts {
                    self.take(part, subject, number, is_again);
                }
            }
        }
        self.hear_headings();
        About { drafts: self.drafts, subjects: self.subjects }
    }

    /// Pages that are about an object say what it is called.
    fn hear_headings(&mut self) {
        for (page, subject) in self.evidence.pages.iter().zip(&self.subjects) {
            if *subject == ROOT {
                continue;
            }
            let draft = &self.drafts[*subject];
            let keys: BTreeSet<String> =
                draft.names.keys().map(|it| name::key(it, self.rules)).collect();
            let said = page.headings.iter().filter_map(|heading| {
                let forms = name::candidates(heading, self.rules).into_iter();
                forms
                    .map(|it| name::upright(&it))
                    .find(|it| keys.contains(&name::key(it, self.rules)))
            });
            let said: Vec<String> = said.collect();
            for form in said {
                *self.drafts[*subject].names.entry(form).or_default() += 1;
            }
        }
    }

    /// What a page is about, by all that is known so far.
    fn subject(&mut self, page: &PageFacts) -> Number {
        let parent = page.found_on.map_or(ROOT, |from| self.subjects[from]);
        let named = self.named(page);
        let linked = self.linked(page);
        let below = |one: Number| named.iter().any(|it| self.is_below(one, *it));
        let deepest = |all: &[Number]| all.iter().copied().max_by_key(|it| (self.depth(*it), *it));
        let refined: Vec<Number> = linked.iter().copied().filter(|it| below(*it)).collect();
        let found = deepest(&refined).or_else(|| deepest(&named)).or_else(|| deepest(&linked));
        match found {
            Some(found) => found,
            None if page.url == self.evidence.root.url => ROOT,
            None => self.itself(page, parent).unwrap_or(parent),
        }
    }

    /// Objects that the headings of a page name.
    fn named(&self, page: &PageFacts) -> Vec<Number> {
        let forms = page.headings.iter().flat_map(|it| name::candidates(it, self.rules));
        let keys: BTreeSet<String> = forms.map(|it| name::key(&it, self.rules)).collect();
        keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect()
    }

    /// Objects whose entries link to a page, or in whose folder it stands.
    fn linked(&self, page: &PageFacts) -> Vec<Number> {
        let entries = self.by_link.get(&page.url).filter(|all| all.len() == 1);
        let mut found: Vec<Number> = entries.into_iter().flatten().copied().collect();
        let mut rest = page.url.as_str();
        while let Some((folder, _)) = rest.trim_end_matches('/').rsplit_once('/') {
            let with_slash = &page.url[..folder.len() + 1];
            if let Some(number) = self.folders.get(with_slash) {
                found.push(*number);
                break;
            }
            rest = folder;
        }
        if let Some(number) = self.folders.get(&page.url) {
            found.push(*number);
        }
        found
    }

    /// The object that only the page itself names.
    fn itself(&mut self, page: &PageFacts, parent: Number) -> Option<Number> {
        if !page.names_itself {
            return None;
        }
        let heading = page.headings.first()?;
        let name = name::without_page_words(heading, self.rules);
        let class = self.class_of(&name)?;
        let root_key = name::key(&self.evidence.root.name, self.rules);
        if name.is_empty() || name::key(&name, self.rules) == root_key {
            return None;
        }
        let place = Place { url: page.url.clone(), span: 0..0, at: page.at };
        let part = Part { class, name, place, confidence: SELF_NAMED, ..Part::default() };
        Some(self.draft(&part, parent))
    }

    /// The class that the words of a name tell.
    fn class_of(&self, name: &str) -> Option<String> {
        let words = format!(" {} ", name::words(name).join(" "));
        let tells = |it: &&(String, Vec<String>)| {
            it.1.iter()
                .any(|phrase| words.contains(&format!(" {} ", name::words(phrase).join(" "))))
        };
        self.rules.classes.iter().find(tells).map(|it| it.0.clone())
    }

    /// Take in a part that a page lists.
    fn take(&mut self, part: &Part, subject: Number, on: usize, is_again: bool) {
        let page = &self.evidence.pages[on];
        let class = self.class_of(&part.name).unwrap_or_else(|| part.class.clone());
        let part = Part { class, name: name::upright(&part.name), ..part.clone() };
        let key = name::key(&part.name, self.rules);
        if key.is_empty() || key == name::key(&self.evidence.root.name, self.rules) {
            return;
        }
        let Some(container) = self.fitting(subject, &part.class) else { return };
        let number =
            self.same(&part, &key, container).unwrap_or_else(|| self.draft(&part, container));
        if number == container {
            return;
        }
        let is_listed_below =
            part.url.as_deref().is_some_and(|url| url.starts_with(&folder(&page.url)));
        let weight = if is_listed_below { 2 } else { 1 };
        *self.drafts[number].containers.entry(container).or_default() += weight;
        self.drafts[number].lists.insert((on, part.list));
        if !is_again {
            self.note(number, &part);
        }
    }

    /// The object, or the nearest above it, that may contain something of a class.
    fn fitting(&self, mut number: Number, class: &str) -> Option<Number> {
        loop {
            if self.rules.may_contain(&self.drafts[number].class, class) {
                return Some(number);
            }
            if number == ROOT {
                return None;
            }
            number = self.container(number);
        }
    }

    /// The object that a part is, if it is known.
    fn same(&self, part: &Part, key: &str, container: Number) -> Option<Number> {
        let known = self.by_key.get(key)?;
        let same_class = |it: &&Number| self.drafts[**it].class == part.class;
        let shares = |it: &Number| {
            let urls = &self.drafts[*it].urls;
            part.url.as_ref().is_none_or(|url| urls.is_empty() || urls.contains(url))
        };
        let related = |it: &Number| {
            let own = self.container(*it);
            own == container || self.is_below(own, container) || self.is_below(container, own)
        };
        known.iter().filter(same_class).copied().find(|it| shares(it) || related(it))
    }

    fn draft(&mut self, part: &Part, container: Number) -> Number {
        let number = self.drafts.len();
        self.drafts.push(Draft {
            class: part.class.clone(),
            first_name: part.name.clone(),
            containers: BTreeMap::from([(container, 1)]),
            ..Draft::default()
        });
        self.note(number, part);
        number
    }

    /// What an entry says of its object.
    fn note(&mut self, number: Number, part: &Part) {
        let key = name::key(&part.name, self.rules);
        let numbers = self.by_key.entry(key).or_default();
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        for link in part.links.iter().chain(&part.url) {
            self.by_link.entry(link.clone()).or_default().insert(number);
        }
        if let Some(url) = &part.url {
            self.own(url, number);
        }
        let draft = &mut self.drafts[number];
        *draft.names.entry(part.name.clone()).or_default() += 1;
        draft.confidence = draft.confidence.max(part.confidence);
        if !draft.places.contains(&part.place) {
            draft.places.push(part.place.clone());
        }
        if let Some(url) = part.url.as_ref().filter(|url| !draft.urls.contains(url)) {
            draft.urls.push(url.clone());
        }
    }

    /// A page in a folder of its own has the folder.
    fn own(&mut self, url: &str, number: Number) {
        let Some((before, file)) = url.rsplit_once('/') else { return };
        let is_index =
            file.is_empty() || file.starts_with("index.") || file.starts_with("default.");
        let root = folder(&self.evidence.root.url);
        let folder = format!("{before}/");
        if is_index && folder != root {
            self.folders.entry(folder).or_insert(number);
        }
    }

    fn container(&self, number: Number) -> Number {
        let said = self.drafts[number].containers.iter();
        said.max_by_key(|(at, n)| (**n, std::cmp::Reverse(**at))).map_or(ROOT, |(at, _)| *at)
    }

    fn is_below(&self, mut number: Number, above: Number) -> bool {
        for _ in 0..MAX_DEPTH {
            if number == ROOT {
                return false;
            }
            number = self.container(number);
            if number == above {
                return true;
            }
        }
        false
    }

    fn depth(&self, mut number: Number) -> usize {
        let mut depth = 0;
        while number != ROOT && depth < MAX_DEPTH {
            number = self.container(number);
            depth += 1;
        }
        depth
    }
}

/// How deep containers are followed; what goes deeper is a ring.
pub(super) const MAX_DEPTH: usize = 32;
/// How sure it is that the heading of a page names an object that no list has.
const SELF_NAMED: f64 = 0.6;

/// The folder of an address.
pub(super) fn folder(url: &str) -> String {
    let after_host = url.find("://").map_or(0, |at| at + 3);
    match url[after_host..].rfind('/') {
        Some(at) => url[..after_host + at + 1].to_owned(),
        None => format!("{url}/"),
    }
}
