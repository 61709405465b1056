//! What the pages of a store say: units, people, and what each page is about.

use super::recipe::{Gives, Recipe};
use super::stored::StoredPage;
use super::{FindPeople, GatherError, Watch, go_on};
use crawl::Pages;
use network::merge::{Evidence, PageFacts, Part, Place, Player};
use page::NodeId;
use regions::{Person, Unit};
use std::collections::{HashMap, HashSet};

/// Pages that were read, each with when it was fetched, in milliseconds since 1970.
pub(super) type PagesRead = Vec<(String, i64)>;

/// Read all pages of a store. Those that are not there any more are read too, and say nothing.
pub(super) fn read(
    store: &mut dyn Pages,
    recipe: &Recipe,
    (config, people): (&regions::Config, &FindPeople),
    watch: &mut Watch<'_>,
) -> Result<(Evidence, PagesRead), GatherError> {
    let mut evidence = Evidence::default();
    let mut pages = Vec::new();
    let mut numbers: HashMap<i64, usize> = HashMap::new();
    let has_kinds = store.has_kinds()?;
    let mut last = i64::MIN;
    while let Some(row) = store.page_after(last)? {
        last = row.id;
        pages.push((row.url.clone(), row.at));
        if row.is_gone {
            continue;
        }
        let (id, found_on) = (row.id, store.led_by(row.id)?);
        let found_on = found_on.and_then(|from| numbers.get(&from).copied());
        let Some(stored) = StoredPage::parse(row) else { continue };
        if evidence.pages.is_empty() {
            evidence.root = stored.root(&recipe.root);
        }
        numbers.insert(id, evidence.pages.len());
        let reader = Reader { stored: &stored, config, people };
        evidence.pages.push(reader.facts(recipe, found_on, has_kinds));
        go_on(watch, evidence.pages.len() as u64)?;
    }
    Ok((evidence, pages))
}

/// One page.
struct Reader<'a> {
    stored: &'a StoredPage,
    config: &'a regions::Config,
    people: &'a FindPeople,
}

impl Reader<'_> {
    /// What is to be read off the page: what its kind gives. Where a crawl went by no plan, pages have no kind; then what is
    /// found tells.
    fn gives<'r>(&self, recipe: &'r Recipe, has_kinds: bool) -> Vec<&'r Gives> {
        match has_kinds {
            true => recipe.gives(self.stored.kind.as_deref()).into_iter().collect(),
            false => recipe.gives.iter().collect(),
        }
    }

    fn facts(&self, recipe: &Recipe, found_on: Option<usize>, has_kinds: bool) -> PageFacts {
        let gives = self.gives(recipe, has_kinds);
        let parts = gives.iter().flat_map(|gives| self.parts(gives)).collect();
        let players: Vec<Player> =
            gives.iter().flat_map(|gives| self.players(recipe, gives)).collect();
        PageFacts {
            url: self.stored.address(),
            headings: self.stored.heading.iter().chain(&self.stored.title).cloned().collect(),
            found_on,
            names_itself: !players.is_empty(),
            parts,
            players,
            at: self.stored.at,
        }
    }

    fn parts(&self, gives: &Gives) -> Vec<Part> {
        let Some(class) = &gives.units else { return Vec::new() };
        let units = regions::units_in(&self.stored.page, &self.stored.leaves, self.config);
        let names: HashSet<NodeId> = units.iter().map(|unit| unit.node).collect();
        units.iter().map(|unit| self.part(unit, class, &names)).collect()
    }

    fn part(&self, unit: &Unit, class: &str, names: &HashSet<NodeId>) -> Part {
        let links = self.entry_links(unit, names);
        Part {
            class: class.to_owned(),
            // What opens a list of links after the name is not part of it.
            name: unit.name.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')').to_owned(),
            url: unit.url.as_deref().and_then(|it| self.absolute(it)),
            list: unit.group,
            links,
            place: self.place(unit.span.range()),
            confidence: unit.score,
        }
    }

    /// All links of a unit's entry: of the largest element around its name that has no other unit in it.
    fn entry_links(&self, unit: &Unit, names: &HashSet<NodeId>) -> Vec<String> {
        let is_other = |node: NodeId| node != unit.node && names.contains(&node);
        let mut entry = None;
        for above in self.stored.page.ancestors(unit.node).take(MAX_CLIMB) {
            if self.stored.page.descendants(above).take(MAX_ENTRY + 1).count() > MAX_ENTRY
                || self.stored.page.descendants(above).any(is_other)
            {
                break;
            }
            entry = Some(above);
        }
        let nodes = entry.into_iter().flat_map(|it| self.stored.page.descendants(it));
        nodes.filter_map(|it| self.absolute(self.stored.page.attr(it, "href")?)).collect()
    }

    fn players(&self, recipe: &Recipe, gives: &Gives) -> Vec<Player> {
        let Some(role) = &gives.people else { return Vec::new() };
        let people = (self.people)(&self.stored.page, &self.stored.leaves, self.config);
        if people.len() < gives.at_least {
            return Vec::new();
        }
        people.iter().map(|person| self.player(person, recipe, role)).collect()
    }

    fn player(&self, person: &Person, recipe: &Recipe, role: &str) -> Player {
        let text = |field: &Option<regions::Field>| field.as_ref().map(|it| it.text.clone());
        let link = |field: &Option<regions::Field>| self.absolute(&field.as_ref()?.text);
        let homepage = link(&person.homepage);
        let (title, rank) = self.title_of(person);
        let said = [
            ("title", title),
            ("email", text(&person.email)),
            ("phone", text(&person.phone)),
            ("url", homepage.clone()),
            ("photo", link(&person.photo)),
        ];
        let context = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Player {
            class: "Person".to_owned(),
            name: person.name.clone(),
            role: role.to_owned(),
            specific: rank.and_then(|rank| recipe.ranks.get(rank.name()).cloned()),
            context: context.collect(),
            marks: text(&person.email).into_iter().collect(),
            place: self.place(person.span.range()),
            confidence: person.score,
        }
    }

    /// What someone is here: what is said beside the name, or what the name stands under. `Emeritus` beside one of many below
    /// `Professors` is a remark, and `Professor, History` below `Affiliated Faculty` is what someone is elsewhere.
    fn title_of(&self, person: &Person) -> (Option<String>, Option<regions::Rank>) {
        let dictionary = &self.config.dictionary;
        let own = person.title.as_ref().map(|title| title.text.as_str());
        // What the whole page stands under says what the page is.
        let heading = person.heading.as_ref().map(|heading| heading.text.as_str());
        let heading = heading.filter(|it| self.stored.heading.as_deref() != Some(*it));
        let above = heading.and_then(|it| Some((it, regions::rank(it, dictionary)?)));
        let names_unit = |it: &str| {
            it.split_once(", ").is_some_and(|(_, unit)| regions::is_unit(unit, dictionary))
        };
        let is_elsewhere = own.is_some_and(names_unit);
        let is_weak = own.is_none() || person.rank.is_some_and(is_remark);
        let says_more = |rank: regions::Rank| {
            is_elsewhere || own.is_none() || is_weak && !is_crowd(rank) && !is_remark(rank)
        };
        match above.filter(|(_, rank)| says_more(*rank)) {
            Some((heading, rank)) => (Some(singular(heading)), Some(rank)),
            None => (own.map(singular), person.rank),
        }
    }

    fn place(&self, span: std::ops::Range<usize>) -> Place {
        self.stored.place(span)
    }

    fn absolute(&self, link: &str) -> Option<String> {
        self.stored.absolute(link)
    }
}

/// An entry is not larger, in nodes and in levels.
const MAX_ENTRY: usize = 200;
const MAX_CLIMB: usize = 6;

/// What is said of people who are something else too.
fn is_remark(rank: regions::Rank) -> bool {
    use regions::Rank::{Adjunct, Emeritus, Head, Visiting};
    matches!(rank, Emeritus | Head | Adjunct | Visiting)
}

/// What says of a whole list no more than that it is one.
fn is_crowd(rank: regions::Rank) -> bool {
    use regions::Rank::{Honorific, Member, Staff};
    matches!(rank, Member | Staff | Honorific)
}

/// What a heading over many says of one: `Associate Professors` are each an `Associate Professor`.
fn singular(title: &str) -> String {
    const MANY: [&str; 8] = [
        "professors",
        "lecturers",
        "instructors",
        "readers",
        "fellows",
        "scientists",
        "researchers",
        "directors",
    ];
    let title = title.trim().trim_end_matches(':').trim_end();
    let last = title.rsplit(' ').next().unwrap_or(title);
    match MANY.contains(&last.to_lowercase().as_str()) {
        true => title[..title.len() - 1].to_owned(),
        false => title.to_owned(),
    }
}
