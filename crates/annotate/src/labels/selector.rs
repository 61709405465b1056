//! CSS selectors of labels: those that people write by hand, that browsers copy, and that `pagemill label` writes.
//!
//! Tags, classes, ids, attributes, places among siblings, and all four ways to combine them. What else CSS has is told to be
//! unknown, with its column: a label that quietly names nothing would teach that the page has no such thing.

use crate::text::Map;
use page::{NodeId, NodeKind, Page};
use std::fmt;

/// A selector that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selector {
    /// What stands between commas.
    ways: Vec<Vec<Step>>,
    source: String,
}

/// One part of a selector, and how it stands to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    relation: Relation,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// ` `; the first step of a selector is anywhere below the page.
    Inside,
    /// `>`.
    Child,
    /// `+`.
    Next,
    /// `~`.
    After,
}

/// What is asked of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Any,
    Tag(String),
    Id(String),
    Class(String),
    Attribute { name: String, matches: Match, value: String },
    Place { among: Among, end: End, nth: usize },
}

/// How the value of an attribute is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match {
    Present,
    Equal,
    Word,
    Start,
    End,
    Part,
    Language,
}

/// The siblings that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    All,
    OfTag,
}

/// Where counting starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// What is not understood in a selector, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unknown {
    /// From 1, in characters.
    pub(super) column: usize,
    pub(super) what: String,
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.source)
    }
}

impl Selector {
    pub(super) fn parse(source: &str) -> Result<Selector, Unknown> {
        let mut reader = Reader { source, at: 0 };
        let mut ways = Vec::new();
        loop {
            ways.push(reader.way()?);
            if !reader.take(",") {
                break;
            }
        }
        if !reader.rest().is_empty() {
            return reader.unknown();
        }
        Ok(Selector { ways, source: source.to_owned() })
    }

    /// Whether it asks for places among siblings.
    fn counts(&self) -> bool {
        let mut tests = self.ways.iter().flatten().flat_map(|step| &step.tests);
        tests.any(|test| matches!(test, Test::Place { .. }))
    }

    /// The elements it selects, in the order of the page.
    pub(super) fn select(&self, page: &Page) -> Vec<NodeId> {
        let elements: Vec<NodeId> = page
            .descendants(page.document())
            .filter(|node| page.kind(*node) == NodeKind::Element)
            .collect();
        let places = if self.counts() { Places::of(page, &elements) } else { Places::default() };
        let field = Field { page, elements: &elements, places: &places };
        let selected: Vec<Vec<bool>> = self.ways.iter().map(|way| field.marks(way)).collect();
        let is_selected = |node: &NodeId| selected.iter().any(|marks| marks[node.index()]);
        elements.into_iter().filter(is_selected).collect()
    }
}

/// What is selected from.
struct Field<'p> {
    page: &'p Page,
    /// In the order of the page: parents and earlier siblings come first.
    elements: &'p [NodeId],
    places: &'p Places,
}

impl Field<'_> {
    /// By node: whether the steps lead to it. Step by step over the whole page, so that no order of steps has to be tried twice.
    fn marks(&self, way: &[Step]) -> Vec<bool> {
        let mut reached: Option<Vec<bool>> = None;
        for step in way {
            let related = reached.map(|reached| self.related(step.relation, &reached));
            let mut next = vec![false; self.page.n_nodes()];
            for node in self.elements {
                let is_related = related.as_ref().is_none_or(|it| it[node.index()]);
                next[node.index()] =
                    is_related && step.tests.iter().all(|test| self.holds(test, *node));
            }
            reached = Some(next);
        }
        reached.unwrap_or_default()
    }

    /// By node: whether one that was reached stands to it as a relation says.
    fn related(&self, relation: Relation, reached: &[bool]) -> Vec<bool> {
        let mut related = vec![false; reached.len()];
        // By parent: the last of its children so far.
        let mut last: Vec<Option<NodeId>> = vec![None; reached.len()];
        for node in self.elements {
            let Some(parent) = self.page.parent(*node) else { continue };
            let before = last[parent.index()].replace(*node);
            let is_it = |it: NodeId| reached[it.index()];
            let is_it_or_further = |it: NodeId| is_it(it) || related[it.index()];
            let holds = match relation {
                Relation::Inside => is_it_or_further(parent),
                Relation::Child => is_it(parent),
                Relation::Next => before.is_some_and(is_it),
                Relation::After => before.is_some_and(is_it_or_further),
            };
            related[node.index()] = holds;
        }
        related
    }

    fn holds(&self, test: &Test, node: NodeId) -> bool {
        let attr = |name: &str| self.page.attr(node, name);
        match test {
            Test::Any => true,
            Test::Tag(tag) => self.page.tag(node) == Some(tag),
            Test::Id(id) => attr("id") == Some(id),
            Test::Class(class) => {
                attr("class").is_some_and(|it| it.split_ascii_whitespace().any(|it| it == class))
            }
            Test::Attribute { name, matches, value } => {
                attr(name).is_some_and(|it| matches.holds(it, value))
            }
            Test::Place { among, end, nth } => self.places.get(node, *among, *end) == *nth,
        }
    }
}

/// Where elements stand among their siblings. Counted once, because lists may be long.
#[derive(Default)]
struct Places {
    /// By node: its place among all, and among those of its tag, from 1.
    places: Vec<[usize; 2]>,
    /// By node: how many there are of each.
    totals: Vec<[usize; 2]>,
}

impl Places {
    fn of(page: &Page, elements: &[NodeId]) -> Places {
        let mut counts: Map<(NodeId, Option<&str>), usize> = Map::default();
        let keys = |node: NodeId| {
            let parent = page.parent(node).unwrap_or(page.document());
            [(parent, None), (parent, page.tag(node))]
        };
        let mut places = vec![[0; 2]; page.n_nodes()];
        for node in elements {
            places[node.index()] = keys(*node).map(|key| {
                let count = counts.entry(key).or_default();
                *count += 1;
                *count
            });
        }
        let mut totals = vec![[0; 2]; page.n_nodes()];
        for node in elements {
            totals[node.index()] = keys(*node).map(|key| counts.get(&key).copied().unwrap_or(0));
        }
        Places { places, totals }
    }

    fn get(&self, node: NodeId, among: Among, end: End) -> usize {
        let place = self.places[node.index()][among as usize];
        match end {
            End::First => place,
            End::Last => self.totals[node.index()][among as usize] + 1 - place,
        }
    }
}

impl Match {
    fn holds(self, found: &str, value: &str) -> bool {
        let is_some = !value.is_empty();
        match self {
            Match::Present => true,
            Match::Equal => found == value,
            Match::Word => found.split_ascii_whitespace().any(|it| it == value),
            Match::Start => is_some && found.starts_with(value),
            Match::End => is_some && found.ends_with(value),
            Match::Part => is_some && found.contains(value),
            Match::Language => {
                found.strip_prefix(value).is_some_and(|it| it.is_empty() || it.starts_with('-'))
            }
        }
    }
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
}

/// What is meant when something else stands there.
const KNOWN: &str = "known are tags, .class, #id, [attribute=\"value\"], :nth-child(2), :nth-of-type(2), \
                     :first-child, :last-child and the like, between them blanks, >, + and ~";

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn take(&mut self, token: &str) -> bool {
        let is_there = self.rest().starts_with(token);
        self.at += if is_there { token.len() } else { 0 };
        is_there
    }

    /// Passes over blanks; whether there were any.
    fn blanks(&mut self) -> bool {
        let rest = self.rest().trim_start();
        let n = self.rest().len() - rest.len();
        self.at += n;
        n > 0
    }

    fn wrong<T>(&self, at: usize, what: String) -> Result<T, Unknown> {
        Err(Unknown { column: self.source[..at].chars().count() + 1, what })
    }

    fn unknown<T>(&self) -> Result<T, Unknown> {
        let what = match self.rest().chars().next() {
            None => format!("something is missing at its end; {KNOWN}"),
            Some(c) => format!("{:?} is not understood; {KNOWN}", c.to_string()),
        };
        self.wrong(self.at, what)
    }

    /// Steps, to a comma or the end.
    fn way(&mut self) -> Result<Vec<Step>, Unknown> {
        self.blanks();
        let mut steps = vec![Step { relation: Relation::Inside, tests: self.tests()? }];
        loop {
            let is_apart = self.blanks();
            if self.rest().is_empty() || self.rest().starts_with(',') {
                return Ok(steps);
            }
            let relation = match () {
                () if self.take(">") => Relation::Child,
                () if self.take("+") => Relation::Next,
                () if self.take("~") => Relation::After,
                () if is_apart => Relation::Inside,
                () => return self.unknown(),
            };
            self.blanks();
            steps.push(Step { relation, tests: self.tests()? });
        }
    }

    /// What is asked of one element.
    fn tests(&mut self) -> Result<Vec<Test>, Unknown> {
        let mut tests = Vec::new();
        if self.take("*") {
            tests.push(Test::Any);
        } else if self.starts_name() {
            tests.push(Test::Tag(self.name()?.to_ascii_lowercase()));
        }
        loop {
            let start = self.at;
            tests.push(match () {
                () if self.take(".") => Test::Class(self.name()?),
                () if self.take("#") => Test::Id(self.name()?),
                () if self.take("[") => self.attribute()?,
                () if self.take(":") => self.place(start)?,
                () if tests.is_empty() => return self.unknown(),
                () => return Ok(tests),
            });
        }
    }

    fn starts_name(&self) -> bool {
        self.rest().starts_with(|c| is_name(c) || c == '\\')
    }

    /// A name, with its escapes resolved.
    fn name(&mut self) -> Result<String, Unknown> {
        let mut name = String::new();
        while let Some(c) = self.rest().chars().next() {
            if is_name(c) {
                self.at += c.len_utf8();
                name.push(c);
            } else if c == '\\' {
                self.at += 1;
                name.push(self.escaped()?);
            } else {
                break;
            }
        }
        if name.is_empty() { self.unknown() } else { Ok(name) }
    }

    /// What follows a backslash: up to six digits of a character's number and a blank, or the character itself.
    fn escaped(&mut self) -> Result<char, Unknown> {
        let rest = self.rest();
        let n = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if n == 0 {
            let Some(c) = rest.chars().next() else { return self.unknown() };
            self.at += c.len_utf8();
            return Ok(c);
        }
        let number = u32::from_str_radix(&rest[..n], 16).unwrap_or(0);
        self.at += n;
        self.take(" ");
        Ok(char::from_u32(number).filter(|c| *c != '\0').unwrap_or('\u{FFFD}'))
    }

    /// What follows `[`.
    fn attribute(&mut self) -> Result<Test, Unknown> {
        self.blanks();
        let name = self.name()?.to_ascii_lowercase();
        self.blanks();
        let matches = match () {
            () if self.take("]") => {
                return Ok(Test::Attribute { name, matches: Match::Present, value: String::new() });
            }
            () if self.take("=") => Match::Equal,
            () if self.take("~=") => Match::Word,
            () if self.take("^=") => Match::Start,
            () if self.take("$=") => Match::End,
            () if self.take("*=") => Match::Part,
            () if self.take("|=") => Match::Language,
            () => return self.unknown(),
        };
        self.blanks();
        let value = match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
            _ => self.name()?,
        };
        self.blanks();
        match self.take("]") {
            true => Ok(Test::Attribute { name, matches, value }),
            false => self.unknown(),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Unknown> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            match c {
                _ if c == quote => return Ok(text),
                '\\' => text.push(self.escaped()?),
                _ => text.push(c),
            }
        }
        self.wrong(start, "the quote is not closed".to_owned())
    }

    /// What follows `:`.
    fn place(&mut self, start: usize) -> Result<Test, Unknown> {
        let name = if self.starts_name() { self.name()? } else { String::new() };
        let (among, end, is_counted) = match &*name {
            "first-child" => (Among::All, End::First, false),
            "last-child" => (Among::All, End::Last, false),
            "first-of-type" => (Among::OfTag, End::First, false),
            "last-of-type" => (Among::OfTag, End::Last, false),
            "nth-child" => (Among::All, End::First, true),
            "nth-last-child" => (Among::All, End::Last, true),
            "nth-of-type" => (Among::OfTag, End::First, true),
            "nth-last-of-type" => (Among::OfTag, End::Last, true),
            _ => {
                let what = format!("{:?} is not understood; {KNOWN}", format!(":{name}"));
                return self.wrong(start, what);
            }
        };
        let nth = if is_counted { self.number(&name)? } else { 1 };
        Ok(Test::Place { among, end, nth })
    }

    /// A number in brackets.
    fn number(&mut self, of: &str) -> Result<usize, Unknown> {
        let start = self.at;
        let inside = self.rest().strip_prefix('(').and_then(|it| it.split_once(')'));
        let number = inside.and_then(|(it, _)| Some((it.len(), it.trim().parse().ok()?)));
        match number.filter(|(_, number)| *number > 0) {
            Some((len, number)) => {
                self.at += len + 2;
                Ok(number)
            }
            None => self.wrong(start, format!("write a number, such as :{of}(2)")),
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &[u8] =
        b"<div id=top class='a b'><p>1<p class=b lang=en-GB>2<span>3</span><p id='2 x'>4</div>
        <ul><li>5<li>6<li><b><ul><li>7</ul></b></ul><a href='/Shop/x.pdf' title='one two'>8</a>";

    /// The first texts of what is selected.
    #[track_caller]
    fn check(selector: &str, expected: &str) {
        let page = page::parse(PAGE);
        let selected = Selector::parse(selector).unwrap().select(&page);
        let first = |node: NodeId| page.text_content(node).trim().chars().next().unwrap_or('-');
        assert_eq!(selected.into_iter().map(first).collect::<String>(), expected, "{selector}");
    }

    #[test]
    fn elements_are_selected() {
        check("p", "124");
        check("P.b, span", "23");
        check("div#top > p.b", "2");
        check("#\\32\\ x", "4");
        check("#top *", "1234");
        check("p + p", "24");
        check(".b ~ p", "4");
        check("p:nth-of-type(2)", "2");
        check("body > :nth-child(2) > li:last-child", "7");
        check("ul ul > li", "7");
        check("ul > li li", "7");
        check("li:first-of-type", "57");
        check("li:nth-last-child(2)", "6");
        check("[href^='/Shop'][href$=\".pdf\"]", "8");
        check("[title~=two][title*='ne t'][title]", "8");
        check("[lang|=en]", "2");
        check("[title^='']", "");
        check("table", "");
    }

    /// Whoever takes the nearest ancestor that fits a step may miss the one that fits the steps before it too.
    #[test]
    fn further_ancestors_count_too() {
        let page = page::parse(
            b"<div class=a><div class=b><div><div class=b><em>x</em></div></div></div></div>",
        );
        assert_eq!(Selector::parse(".a > .b em").unwrap().select(&page).len(), 1);
        assert_eq!(Selector::parse(".a > em").unwrap().select(&page).len(), 0);
    }

    #[test]
    fn what_is_unknown_is_told_with_its_column() {
        let error = |selector: &str| {
            let Unknown { column, what } = Selector::parse(selector).unwrap_err();
            format!("{column}: {}", what.split("; known").next().unwrap_or_default())
        };
        assert_eq!(error("p:hover"), "2: \":hover\" is not understood");
        assert_eq!(error("p::before"), "2: \":\" is not understood");
        assert_eq!(error("ä p:nth-child(2n)"), "14: write a number, such as :nth-child(2)");
        assert_eq!(error("p >"), "4: something is missing at its end");
        assert_eq!(error(""), "1: something is missing at its end");
        assert_eq!(error("a || b"), "3: \"|\" is not understood");
        assert_eq!(error("a[href"), "7: something is missing at its end");
        assert_eq!(error("a[href='x]"), "8: the quote is not closed");
        assert_eq!(error("p, "), "4: something is missing at its end");
    }
}
