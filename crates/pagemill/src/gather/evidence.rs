//! What the pages of a store say: units, people, and what each page is about.

use super::recipe::{Gives, Recipe};
use crate::gather::GatherError;
use crawl::media::ContentType;
use crawl::{PageRow, Store, address};
use network::merge::{Evidence, PageFacts, Part, Place, Player, Root};
use page::{LeafKind, Leaves, NodeId, NodeKind, Page};
use regions::{Person, Unit};
use std::collections::{HashMap, HashSet};
use url::Url;

/// Read all pages of a store.
pub(super) fn read(
    store: &Store,
    recipe: &Recipe,
    config: &regions::Config,
    watch: &mut dyn FnMut(u64),
) -> Result<Evidence, GatherError> {
    let mut evidence = Evidence::default();
    let mut numbers: HashMap<i64, usize> = HashMap::new();
    let has_kinds = !store.counts()?.kinds.is_empty();
    let mut last = i64::MIN;
    while let Some(row) = store.page_after(last)? {
        last = row.id;
        let Ok(url) = Url::parse(&row.url) else { continue };
        let page = parse(&row);
        let found_on = store.led_by(row.id)?.and_then(|from| numbers.get(&from).copied());
        let reader = Reader::new(&page, &url, &row, config);
        if evidence.pages.is_empty() {
            evidence.root = reader.root(&recipe.root);
        }
        numbers.insert(row.id, evidence.pages.len());
        evidence.pages.push(reader.facts(recipe, found_on, has_kinds));
        watch(evidence.pages.len() as u64);
    }
    Ok(evidence)
}

fn parse(row: &PageRow) -> Page {
    let media = row.header("content-type").unwrap_or_default();
    let config = page::ParseConfig::default();
    let config = match ContentType::parse(&media).charset {
        Some(charset) => config.with_charset(charset),
        None => config,
    };
    page::parse_with(&row.body, &config)
}

/// One page.
struct Reader<'a> {
    page: &'a Page,
    leaves: Leaves,
    url: &'a Url,
    row: &'a PageRow,
    config: &'a regions::Config,
    /// The largest heading that says something.
    heading: Option<String>,
    title: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(
        page: &'a Page,
        url: &'a Url,
        row: &'a PageRow,
        config: &'a regions::Config,
    ) -> Reader<'a> {
        let leaves = page.leaves();
        let heading = ["h1", "h2"].iter().find_map(|tag| heading(page, &leaves, tag));
        let title = page.find(page.document(), "title").map(|it| page.text_content(it));
        let title = title.and_then(|it| said(&it));
        Reader { page, leaves, url, row, config, heading, title }
    }

    /// What the home page is about: the name that is on its sign, or in its title.
    fn root(&self, class: &str) -> Root {
        let signs = [self.meta("og:site_name"), self.title.clone(), self.heading.clone()];
        let name = signs.into_iter().flatten().map(|it| first_part(&it)).find(|it| !it.is_empty());
        let host = || self.url.host_str().unwrap_or("").to_owned();
        Root { class: class.to_owned(), name: name.unwrap_or_else(host), url: self.same(self.url) }
    }

    /// What is to be read off the page: what its kind gives. Where a crawl went by no plan, pages have no kind; then what is
    /// found tells.
    fn gives<'r>(&self, recipe: &'r Recipe, has_kinds: bool) -> Vec<&'r Gives> {
        match has_kinds {
            true => recipe.gives(self.row.kind.as_deref()).into_iter().collect(),
            false => recipe.gives.iter().collect(),
        }
    }

    fn facts(&self, recipe: &Recipe, found_on: Option<usize>, has_kinds: bool) -> PageFacts {
        let gives = self.gives(recipe, has_kinds);
        let parts = gives.iter().flat_map(|gives| self.parts(gives)).collect();
        let players: Vec<Player> =
            gives.iter().flat_map(|gives| self.players(recipe, gives)).collect();
        PageFacts {
            url: self.same(self.url),
            headings: self.heading.iter().chain(&self.title).cloned().collect(),
            found_on,
            names_itself: !players.is_empty(),
            parts,
            players,
            at: self.row.at,
        }
    }

    fn parts(&self, gives: &Gives) -> Vec<Part> {
        let Some(class) = &gives.units else { return Vec::new() };
        let units = regions::units_in(self.page, &self.leaves, self.config);
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
        for above in self.page.ancestors(unit.node).take(MAX_CLIMB) {
            if self.page.descendants(above).take(MAX_ENTRY + 1).count() > MAX_ENTRY
                || self.page.descendants(above).any(is_other)
            {
                break;
            }
            entry = Some(above);
        }
        let nodes = entry.into_iter().flat_map(|it| self.page.descendants(it));
        nodes.filter_map(|it| self.absolute(self.page.attr(it, "href")?)).collect()
    }

    fn players(&self, recipe: &Recipe, gives: &Gives) -> Vec<Player> {
        let Some(role) = &gives.people else { return Vec::new() };
        let people = regions::people_in(self.page, &self.leaves, self.config);
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
        let heading = heading.filter(|it| self.heading.as_deref() != Some(*it));
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
        Place { url: self.row.url.clone(), span, at: self.row.at }
    }

    /// A link as an address that can be compared with others.
    fn absolute(&self, link: &str) -> Option<String> {
        let base = self.page.find(self.page.document(), "base");
        let base = base.and_then(|it| self.url.join(self.page.attr(it, "href")?).ok());
        let url = base.as_ref().unwrap_or(self.url).join(link.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| self.same(&url))
    }

    /// One spelling for all addresses of a page.
    fn same(&self, url: &Url) -> String {
        address::tidy(url).map_or_else(|| url.to_string(), |it| it.to_string())
    }

    fn meta(&self, property: &str) -> Option<String> {
        let metas = self.page.descendants(self.page.document());
        let mut metas = metas.filter(|it| matches!(self.page.kind(*it), NodeKind::Element));
        let found = metas.find(|it| self.page.attr(*it, "property") == Some(property))?;
        said(self.page.attr(found, "content")?)
    }
}

/// The first heading of a rank that says something.
fn heading(page: &Page, leaves: &Leaves, tag: &str) -> Option<String> {
    let mut all = page.descendants(page.document()).filter(|node| page.tag(*node) == Some(tag));
    all.find_map(|element| {
        let inside = |node: NodeId| page.ancestors(node).any(|it| it == element);
        let texts = leaves.iter().filter(|it| it.kind == LeafKind::Text && inside(it.node));
        let texts: Vec<&str> = texts.map(|it| it.text).collect();
        said(&texts.join(" "))
    })
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

fn said(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// `Home | University of X` says two things, the longer of which is the name.
fn first_part(title: &str) -> String {
    let parts = title.split(['|', '–', '—', '·', '•', ':', '»']).flat_map(|it| it.split(" - "));
    let longest = parts.map(str::trim).max_by_key(|it| it.len());
    longest.unwrap_or("").trim_start_matches("Welcome to ").to_owned()
}
