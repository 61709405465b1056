//! Reading DTDs: element declarations with their content models, and our processing instructions.
//!
//! Attribute lists, entities and notations are passed over: values are texts. Everything is bounded, because a schema
//! may come from strangers.

use super::{Cardinality, DtdError, DtdProblem, Element, Group, Pattern, Target};
use crate::map::Clusters;
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;

/// Elements nest no deeper.
const MAX_DEPTH: usize = 16;
/// A schema has no more elements that hold text.
const MAX_ELEMENTS: usize = 256;
/// A compiled pattern takes no more memory.
const MAX_PATTERN: usize = 1 << 20;

pub(super) fn parse(dtd: &str) -> Result<Target, DtdError> {
    let mut reader = Reader { text: dtd, at: 0, declared: Vec::new(), instructions: Vec::new() };
    reader.document()?;
    reader.target()
}

/// `<!ELEMENT name content>`.
struct Declaration<'a> {
    name: &'a str,
    at: usize,
    /// The elements inside, with how many there are of each.
    children: Vec<(&'a str, Cardinality)>,
}

/// `<?pagemill name key="value" …?>`.
struct Instruction<'a> {
    name: &'a str,
    at: usize,
    pairs: Vec<(&'a str, &'a str, usize)>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    declared: Vec<Declaration<'a>>,
    instructions: Vec<Instruction<'a>>,
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, at: usize, problem: DtdProblem) -> DtdError {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        DtdError { line, column, problem }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, DtdError> {
        Err(self.error(self.at, DtdProblem::Expected(what)))
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Blanks, then a token.
    fn take_next(&mut self, token: &str) -> bool {
        self.blanks();
        self.take(token)
    }

    fn name(&mut self, what: &'static str) -> Result<&'a str, DtdError> {
        self.blanks();
        let rest = self.rest();
        let len = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        if len == 0 {
            return self.expected(what);
        }
        self.at += len;
        Ok(&rest[..len])
    }

    fn document(&mut self) -> Result<(), DtdError> {
        loop {
            self.blanks();
            let start = self.at;
            if self.rest().is_empty() {
                return Ok(());
            } else if self.take("<!--") {
                self.skip_past("-->", start, "the comment")?;
            } else if self.take("<?pagemill") {
                self.instruction(start)?;
            } else if self.take("<?") {
                self.skip_past("?>", start, "the instruction")?;
            } else if self.take("<!ELEMENT") {
                self.declaration(start)?;
            } else if ["<!ATTLIST", "<!ENTITY", "<!NOTATION"].iter().any(|it| self.take(it)) {
                self.skip_declaration(start)?;
            } else {
                return self.expected("a declaration, such as <!ELEMENT news (title, date?)>");
            }
        }
    }

    fn skip_past(
        &mut self,
        end: &str,
        start: usize,
        what: &'static str,
    ) -> Result<&'a str, DtdError> {
        let rest = self.rest();
        let Some(len) = rest.find(end) else {
            return Err(self.error(start, DtdProblem::Unclosed(what)));
        };
        self.at += len + end.len();
        Ok(&rest[..len])
    }

    /// To the `>` that is in no quotes.
    fn skip_declaration(&mut self, start: usize) -> Result<(), DtdError> {
        let mut quote = None;
        for (place, c) in self.rest().char_indices() {
            match (quote, c) {
                (None, '>') => {
                    self.at += place + 1;
                    return Ok(());
                }
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), _) if open == c => quote = None,
                _ => {}
            }
        }
        Err(self.error(start, DtdProblem::Unclosed("the declaration")))
    }

    fn declaration(&mut self, start: usize) -> Result<(), DtdError> {
        let name = self.name("the name of an element")?;
        if self.declared.iter().any(|declared| declared.name == name) {
            return Err(self.error(start, DtdProblem::Twice(name.to_owned())));
        }
        self.blanks();
        let mut children = Vec::new();
        if !self.take("EMPTY") && !self.take("ANY") {
            if !self.take("(") {
                return self.expected("(, EMPTY or ANY");
            }
            self.group(&mut children, 0)?;
        }
        if !self.take_next(">") {
            return self.expected("> at the end of the declaration");
        }
        self.declared.push(Declaration { name, at: start, children });
        Ok(())
    }

    /// What follows `(`, to the mark after `)`. Recursion is bounded by the depth that schemas have.
    fn group(
        &mut self,
        children: &mut Vec<(&'a str, Cardinality)>,
        depth: usize,
    ) -> Result<(), DtdError> {
        if depth > MAX_DEPTH {
            return Err(self.error(self.at, DtdProblem::TooLarge));
        }
        let first = children.len();
        let mut is_choice = false;
        loop {
            self.particle(children, depth)?;
            self.blanks();
            if self.take("|") {
                is_choice = true;
            } else if !self.take(",") {
                break;
            }
        }
        if !self.take_next(")") {
            return self.expected("a comma, | or )");
        }
        let mut outer = self.cardinality();
        if is_choice {
            outer = Cardinality::Optional.within(outer);
        }
        for (_, cardinality) in &mut children[first..] {
            *cardinality = cardinality.within(outer);
        }
        Ok(())
    }

    fn particle(
        &mut self,
        children: &mut Vec<(&'a str, Cardinality)>,
        depth: usize,
    ) -> Result<(), DtdError> {
        if self.take_next("#PCDATA") {
            return Ok(());
        }
        if self.take("(") {
            return self.group(children, depth + 1);
        }
        let name = self.name("the name of an element, #PCDATA or (")?;
        let cardinality = self.cardinality();
        match children.iter_mut().find(|(known, _)| *known == name) {
            // Named in several places, it may be there several times.
            Some((_, known)) => *known = Cardinality::Many,
            None => children.push((name, cardinality)),
        }
        Ok(())
    }

    fn cardinality(&mut self) -> Cardinality {
        let marks = [Cardinality::Optional, Cardinality::Many, Cardinality::Some];
        marks.into_iter().find(|it| self.take(it.mark())).unwrap_or(Cardinality::One)
    }

    fn instruction(&mut self, start: usize) -> Result<(), DtdError> {
        let name = self.name("the name of an instruction: features, type, thesaurus or mapping")?;
        let mut pairs = Vec::new();
        loop {
            self.blanks();
            if self.take("?>") {
                break;
            }
            let at = self.at;
            let key = self.name("a name, or ?>")?;
            if !self.take_next("=") {
                return self.expected("= and a value in quotes");
            }
            self.blanks();
            let quote = if self.take("\"") {
                "\""
            } else if self.take("'") {
                "'"
            } else {
                return self.expected("a value in quotes");
            };
            let value = self.skip_past(quote, at, "the value")?;
            pairs.push((key, value, at));
        }
        self.instructions.push(Instruction { name, at: start, pairs });
        Ok(())
    }

    fn target(&self) -> Result<Target, DtdError> {
        let is_child = |name: &str| {
            self.declared
                .iter()
                .any(|it| it.name != name && it.children.iter().any(|c| c.0 == name))
        };
        let root = self.declared.iter().find(|it| !is_child(it.name)).or(self.declared.first());
        let Some(root) = root else { return Err(self.error(self.at, DtdProblem::Empty)) };
        let mut target = Target {
            name: root.name.to_owned(),
            source: self.text.to_owned(),
            elements: Vec::new(),
            groups: Group::ALL.to_vec(),
            patterns: Vec::new(),
            thesaurus: BTreeMap::new(),
            options: BTreeMap::new(),
        };
        self.elements(root, &mut vec![root.name], Cardinality::One, &mut target.elements)?;
        if target.elements.is_empty() {
            return Err(self.error(root.at, DtdProblem::Empty));
        }
        for instruction in &self.instructions {
            self.follow(instruction, &mut target)?;
        }
        Ok(target)
    }

    /// The elements inside a declared one that hold text. Recursion is bounded by the path, which has no name twice.
    fn elements(
        &self,
        declaration: &Declaration<'a>,
        path: &mut Vec<&'a str>,
        outer: Cardinality,
        elements: &mut Vec<Element>,
    ) -> Result<(), DtdError> {
        for (name, cardinality) in &declaration.children {
            if path.contains(name) {
                let problem = DtdProblem::Recursive((*name).to_owned());
                return Err(self.error(declaration.at, problem));
            }
            if path.len() >= MAX_DEPTH || elements.len() >= MAX_ELEMENTS {
                return Err(self.error(declaration.at, DtdProblem::TooLarge));
            }
            path.push(name);
            let cardinality = cardinality.within(outer);
            let inner = self.declared.iter().find(|it| it.name == *name);
            match inner.filter(|inner| !inner.children.is_empty()) {
                Some(inner) => self.elements(inner, path, cardinality, elements)?,
                None => {
                    let path = path[1..].iter().map(|name| (*name).to_owned()).collect();
                    elements.push(Element { path, cardinality });
                }
            }
            path.pop();
        }
        Ok(())
    }

    fn follow(&self, instruction: &Instruction<'a>, target: &mut Target) -> Result<(), DtdError> {
        let unknown =
            |at, text: &str| Err(self.error(at, DtdProblem::Instruction(text.to_owned())));
        match instruction.name {
            "features" => {
                for (key, value, at) in &instruction.pairs {
                    let Some(group) = Group::from_name(key) else { return unknown(*at, key) };
                    match *value {
                        "on" if !target.uses(group) => target.groups.push(group),
                        "on" => {}
                        "off" => target.groups.retain(|it| *it != group),
                        _ => return unknown(*at, value),
                    }
                }
            }
            "type" => {
                for (name, value, at) in &instruction.pairs {
                    target.patterns.push(self.pattern(name, value, *at)?);
                }
            }
            "thesaurus" => {
                for (name, value, at) in &instruction.pairs {
                    if target.find(name).is_none() {
                        let problem = DtdProblem::NoElement((*name).to_owned());
                        return Err(self.error(*at, problem));
                    }
                    let texts = value.split(',').map(|text| text.trim().to_lowercase());
                    let known = target.thesaurus.entry((*name).to_owned()).or_default();
                    known.extend(texts.filter(|text| !text.is_empty()));
                }
            }
            "mapping" => {
                for (name, value, at) in &instruction.pairs {
                    self.check_option(name, value, *at)?;
                    target.options.insert((*name).to_owned(), (*value).to_owned());
                }
            }
            other => return unknown(instruction.at, other),
        }
        Ok(())
    }

    /// What nobody reads would be taken for set.
    fn check_option(&self, name: &str, value: &str, at: usize) -> Result<(), DtdError> {
        let known = match name {
            "clusters" if Clusters::NAMES.contains(&value) => return Ok(()),
            "dominance" if value.parse::<f32>().is_ok_and(|it| it.is_finite() && it >= 1.0) => {
                return Ok(());
            }
            "clusters" => Clusters::NAMES.join(", "),
            "dominance" => "numbers from 1 on".to_owned(),
            _ => {
                let known = "clusters, dominance".to_owned();
                let problem = DtdProblem::Option { text: name.to_owned(), known };
                return Err(self.error(at, problem));
            }
        };
        Err(self.error(at, DtdProblem::Option { text: value.to_owned(), known }))
    }

    fn pattern(&self, name: &str, pattern: &str, at: usize) -> Result<Pattern, DtdError> {
        let whole = format!("^(?:{pattern})$");
        let regex: Result<Regex, _> = RegexBuilder::new(&whole).size_limit(MAX_PATTERN).build();
        let regex =
            regex.map_err(|error| self.error(at, DtdProblem::Pattern(error.to_string())))?;
        Ok(Pattern { name: name.to_owned(), regex })
    }
}
