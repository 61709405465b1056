//! From words and marks to a name: where it starts, where it ends, and what follows.

use super::east_asian::is_romanised;
use super::part::{Kind, Mark, Part};
use super::weigh::{self, Shape};
use super::{Form, HALF_BYTES, LEAST_ODDS, NameReading};
use crate::dictionary::fold::Folded;
use crate::dictionary::{Dictionary, Flags};
use crate::title::Rank;
use std::ops::Range;

/// More words have no name.
const MAX_PARTS: usize = 7;

/// Read a name at the start of some parts.
pub(super) fn read(
    text: &str,
    is_cut: bool,
    parts: &[Part],
    folded: &Folded,
    dictionary: &Dictionary,
) -> Option<NameReading> {
    let reader = Reader { text, is_cut, parts, folded, dictionary };
    let (start, title, has_address) = reader.skip_titles();
    let found = reader.name_at(start, has_address);
    match (found, title) {
        (Some(found), title) => Some(NameReading { title, ..found }),
        // What looked like a title may be a name: `Dean Martin`.
        (None, _) if start > 0 => reader.name_at(0, false),
        (None, _) => None,
    }
}

struct Reader<'a> {
    text: &'a str,
    is_cut: bool,
    parts: &'a [Part],
    folded: &'a Folded,
    dictionary: &'a Dictionary,
}

/// Parts that make up a name, or half of one.
#[derive(Clone, Debug)]
struct Run {
    parts: Range<usize>,
    /// How many are words that a person is called by; not particles or suffixes.
    n_words: usize,
}

impl Reader<'_> {
    /// Past forms of address and titles before a name: where the name starts, where a title stands, and whether somebody is addressed.
    fn skip_titles(&self) -> (usize, Option<Range<usize>>, bool) {
        let mut start = 0;
        let mut title: Option<Range<usize>> = None;
        let mut has_address = false;
        while let Some(part) = self.parts.get(start) {
            let next = match (part.mark, part.phrase) {
                (Mark::Word, Some((n_words, meaning))) if meaning.rank.is_some() => {
                    let Some(next) = self.part_after(part.words.start + n_words) else { break };
                    if meaning.rank == Some(Rank::Honorific) {
                        // `Jun` and `Sri` are names as well; before a name they are written short, or the name has two words more.
                        let is_short = part.text(self.text).ends_with('.');
                        let n_after =
                            self.parts[next..].iter().take_while(|it| it.is_word()).count();
                        if part.flags.is_name() && !is_short && n_after < 2 {
                            break;
                        }
                        has_address = true;
                    } else {
                        let end = self.parts[next - 1].place.end;
                        title = Some(title.map_or(part.place.start, |it| it.start)..end);
                    }
                    next
                }
                (Mark::Word, _) if start > 0 && is_of(part) && title.is_some() => start + 1,
                // `Dr. rer. nat.`
                (Mark::Word, _)
                    if has_address
                        && part.kind == Kind::Lower
                        && part.text(self.text).ends_with('.') =>
                {
                    start + 1
                }
                (Mark::Word, Some((n_words, meaning)))
                    if title.is_some() && meaning.is_discipline =>
                {
                    let Some(next) = self.part_after(part.words.start + n_words) else { break };
                    title = title.map(|it| it.start..self.parts[next - 1].place.end);
                    next
                }
                (Mark::Word, _) if self.is_leading_degree(part) => start + 1,
                (Mark::Word, _) if self.is_spaced_degree(start) => start + 2,
                (Mark::Break | Mark::Comma | Mark::Bracket, _) => start + 1,
                _ => break,
            };
            start = next;
        }
        let is_something_left = self.parts[start..].iter().any(Part::is_word);
        if is_something_left { (start, title, has_address) } else { (0, None, false) }
    }

    /// `M.Sc.` before a name; `M.A.` there is initials.
    fn is_leading_degree(&self, part: &Part) -> bool {
        let text = part.text(self.text);
        part.kind == Kind::Degree
            && text.trim_end_matches('.').contains('.')
            && text.contains(char::is_lowercase)
    }

    /// `M. Sc.`: a degree in two parts, each written short.
    fn is_spaced_degree(&self, place: usize) -> bool {
        let Some([first, second]) = self.parts.get(place..place + 2) else { return false };
        let is_short = |part: &Part| {
            part.is_word() && part.place.len() <= 4 && part.text(self.text).ends_with('.')
        };
        let has_small = |part: &Part| part.text(self.text).contains(char::is_lowercase);
        if !is_short(first) || !is_short(second) || !(has_small(first) || has_small(second)) {
            return false;
        }
        let word = |part: &Part| self.folded.word(part.words.start);
        let joined = format!("{}{}", word(first), word(second));
        self.dictionary.word(&joined).has(Flags::DEGREE)
    }

    /// The part that starts with a folded word or after it.
    fn part_after(&self, word: usize) -> Option<usize> {
        self.parts.iter().position(|part| part.is_word() && part.words.start >= word)
    }

    fn name_at(&self, start: usize, has_address: bool) -> Option<NameReading> {
        let start = (start..self.parts.len()).find(|index| self.parts[*index].is_word())?;
        let first = self.run(start)?;
        let given = self.turned(&first);
        let last = given.as_ref().unwrap_or(&first);
        let n_words = first.n_words + given.as_ref().map_or(0, |it| it.n_words);
        let end = self.with_suffix(last.parts.end);
        let after = self.past_degrees(end, &first);
        let form = self.form(after, n_words);
        // What goes on as a sentence is no name, but for the first half of one.
        if form == Form::Prose && self.text.len() > HALF_BYTES {
            return None;
        }
        let shape =
            Shape { is_turned: given.is_some(), has_address, has_degree: after > end, form };
        let odds = self.odds(&first, given.as_ref(), shape);
        let place = self.parts[start].place.start..self.end_of_name(end);
        let rest = self
            .parts
            .get(after..)
            .and_then(|rest| rest.iter().find(|part| part.is_word() || part.mark == Mark::Foreign));
        let rest = rest.map_or(self.text.len(), |part| part.place.start);
        let name = match odds > LEAST_ODDS {
            true => self.name_of(&first, given.as_ref(), end),
            false => String::new(),
        };
        Some(NameReading { name, place, odds, form, title: None, n_words, rest })
    }

    fn odds(&self, first: &Run, given: Option<&Run>, shape: Shape) -> f64 {
        // Runs go a little further than they may where a nickname ends them.
        let mut words = [&self.parts[first.parts.start]; 2 * (MAX_PARTS + 4)];
        let runs = std::iter::once(first).chain(given);
        let all = runs.flat_map(|run| &self.parts[run.parts.clone()]).filter(|it| it.is_word());
        let mut n = 0;
        for (place, word) in words.iter_mut().zip(all) {
            *place = word;
            n += 1;
        }
        weigh::odds(self.text, &words[..n], self.folded, shape)
    }

    /// The words of the name, without titles between them: `Berg, Dr. Eva`.
    fn name_of(&self, first: &Run, given: Option<&Run>, end: usize) -> String {
        let text = |run: &Run| {
            &self.text[self.parts[run.parts.start].place.start..self.end_of_name(run.parts.end)]
        };
        let last = given.unwrap_or(first).parts.end;
        let suffix = &self.text[self.end_of_name(last)..self.end_of_name(end)];
        match given {
            Some(given) => [text(first), ", ", text(given), suffix].concat(),
            None => [text(first), suffix].concat(),
        }
    }

    /// Words that may be a name, from one on.
    fn run(&self, start: usize) -> Option<Run> {
        let mut end = start;
        let mut n_words = 0;
        while let Some(part) = self.parts.get(end).filter(|_| end - start < MAX_PARTS) {
            if part.mark == Mark::Bracket {
                match self.nickname(end).filter(|_| n_words > 0) {
                    Some(after) => {
                        end = after;
                        continue;
                    }
                    None => break,
                }
            }
            if !part.is_word() || n_words >= 2 && self.ends_before(part) {
                break;
            }
            match part.kind {
                Kind::Name | Kind::Initial => n_words += 1,
                Kind::Degree if n_words < 2 && self.goes_on(end) => n_words += 1,
                // `Xiaomei MA`: nobody has a degree after half a name.
                Kind::Degree if n_words == 1 && part.flags.is_name() => n_words += 1,
                Kind::Particle => {}
                Kind::Suffix if n_words >= 2 => {}
                Kind::Suffix => n_words += 1,
                // Some write all names in lower case.
                Kind::Lower if n_words < 3 && self.is_small_name(part) => n_words += 1,
                Kind::Degree | Kind::Lower | Kind::None => break,
            }
            end += 1;
        }
        // A particle at the end belongs to what follows: `Professor of`.
        while end > start && n_words > 0 && self.is_loose_particle(&self.parts[end - 1], end) {
            end -= 1;
        }
        (n_words > 0 && end > start).then_some(Run { parts: start..end, n_words })
    }

    /// Whether a word comes next: `MA Lin` is a name, `MA, Oxford` is not.
    fn goes_on(&self, place: usize) -> bool {
        self.parts.get(place + 1).is_some_and(Part::is_word)
    }

    /// Whether a particle belongs to no name: one in capitals may be a name itself, `Minh Le`.
    fn is_loose_particle(&self, part: &Part, end: usize) -> bool {
        let is_at_end = self.parts.get(end).is_none_or(|next| !next.is_word());
        let is_name = part.flags.is_name() && part.text(self.text).starts_with(char::is_uppercase);
        part.kind == Kind::Particle && !(is_name && is_at_end)
    }

    /// Whether a title or a field of study begins after a name that is whole: `Eva Berg Associate Professor`.
    fn ends_before(&self, part: &Part) -> bool {
        let is_title = part.phrase.is_some_and(|(n_words, meaning)| {
            meaning.rank.is_some() && (n_words > 1 || !part.flags.is_name())
        });
        part.kind == Kind::Degree || is_title && part.kind != Kind::Suffix
    }

    fn is_small_name(&self, part: &Part) -> bool {
        let mut words = part.words.clone();
        let is_known =
            part.flags.is_name() || words.all(|word| is_romanised(self.folded.word(word)));
        is_known && !part.flags.is_word() && part.words.len() == 1 && part.place.len() > 1
    }

    /// `(Bill)` or `"Bill"` inside a name: the part after it, if the name goes on there.
    fn nickname(&self, open: usize) -> Option<usize> {
        let close = (open + 1..(open + 4).min(self.parts.len()))
            .find(|index| self.parts[*index].mark == Mark::Bracket)?;
        let inside = &self.parts[open + 1..close];
        let is_name = !inside.is_empty()
            && inside.iter().all(|part| matches!(part.kind, Kind::Name | Kind::Initial));
        let goes_on = self
            .parts
            .get(close + 1)
            .is_some_and(|part| matches!(part.kind, Kind::Name | Kind::Initial));
        (is_name && goes_on).then_some(close + 1)
    }

    /// The given names of `Last, First`.
    fn turned(&self, surname: &Run) -> Option<Run> {
        let comma = self.parts.get(surname.parts.end).filter(|part| part.mark == Mark::Comma)?;
        debug_assert!(comma.place.start >= self.end_of_name(surname.parts.end));
        let given = self.run(self.past_addresses(surname.parts.end + 1))?;
        let first = &self.parts[given.parts.start];
        let last = &self.parts[surname.parts.start];
        let is_title = self.parts[given.parts.clone()].iter().any(|part| {
            part.phrase
                .is_some_and(|(_, it)| it.rank.is_some() || it.is_discipline || it.unit.is_some())
                && !part.flags.has(weigh::GIVEN)
        });
        let is_degree = matches!(first.kind, Kind::Degree | Kind::Suffix)
            || self.is_spaced_degree(given.parts.start)
            || self.is_acronym(given.parts.start, surname);
        if is_title || is_degree || given.n_words > 3 || surname.n_words > 3 {
            return None;
        }
        let looks_given =
            first.kind == Kind::Initial || first.flags.has(weigh::GIVEN) || !first.flags.is_word();
        // `Eva Berg, Dan Wu` are two people: one who has two names already takes no more.
        let is_whole = surname.n_words >= 2
            && (last.kind == Kind::Initial
                || last.flags.has(weigh::GIVEN) && !last.flags.has(weigh::SURNAME));
        let is_other_whole = given.n_words >= 2 && surname.n_words >= 2;
        let ends =
            self.parts.get(given.parts.end).is_none_or(|part| !matches!(part.kind, Kind::Lower));
        (looks_given && !is_whole && !is_other_whole && ends).then_some(given)
    }

    /// Past `Dr.` and the like.
    fn past_addresses(&self, start: usize) -> usize {
        let is_address = |part: &&Part| {
            let is_known = part.phrase.is_some_and(|(_, it)| it.rank == Some(Rank::Honorific));
            is_known && part.text(self.text).ends_with('.')
        };
        start + self.parts[start..].iter().take_while(is_address).count()
    }

    /// Past `, Jr.` and the like.
    fn with_suffix(&self, end: usize) -> usize {
        let is_comma = self.parts.get(end).is_some_and(|part| part.mark == Mark::Comma);
        let place = end + usize::from(is_comma);
        match self.parts.get(place) {
            Some(part) if part.kind == Kind::Suffix => place + 1,
            _ => end,
        }
    }

    /// Past degrees, and the commas before and between them.
    fn past_degrees(&self, end: usize, name: &Run) -> usize {
        let mut after = end;
        let mut place = end;
        while let Some(part) = self.parts.get(place) {
            let is_between = matches!(part.mark, Mark::Comma | Mark::Bracket | Mark::Break);
            let is_named = place > end && name.n_words >= 2 && self.is_acronym(place, name);
            if place > end && self.is_spaced_degree(place) {
                place += 1;
                after = place + 1;
            } else if part.kind == Kind::Degree || is_named {
                after = place + 1;
            } else if !is_between {
                break;
            }
            place += 1;
        }
        after
    }

    /// Whether a word after a name is written as degrees and orders are: `MSPAS`, `DrPH`. In a name that is all capitals, none is.
    fn is_acronym(&self, place: usize, name: &Run) -> bool {
        let n_capitals = |text: &str| text.chars().filter(|letter| letter.is_uppercase()).count();
        let has_small = |text: &str| text.chars().any(char::is_lowercase);
        let word = self.parts[place].text(self.text);
        let is_small_name = self.parts[name.parts.clone()].iter().all(|part| {
            !part.is_word() || part.kind != Kind::Name || has_small(part.text(self.text))
        });
        let is_capitals = !has_small(word) || n_capitals(word) >= 3 && !word.contains('-');
        let n_letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
        self.parts[place].kind == Kind::Name
            && is_small_name
            && is_capitals
            && (2..=7).contains(&n_letters)
    }

    fn end_of_name(&self, end: usize) -> usize {
        self.parts[end - 1].place.end
    }

    /// What stands after the name.
    fn form(&self, after: usize, n_words: usize) -> Form {
        let rest = self.parts.get(after..).unwrap_or_default();
        let says_more = |part: &&Part| part.is_word() || part.mark == Mark::Foreign;
        let Some(first) = rest.iter().find(says_more) else {
            return match (self.is_cut, n_words) {
                (true, _) => Form::Prose,
                (false, 1) => Form::Half,
                (false, _) => Form::Whole,
            };
        };
        let is_apart = rest[0].mark != Mark::Word;
        if self.is_described(rest) {
            return Form::Described;
        }
        let is_number = first.mark == Mark::Foreign && !is_apart;
        if is_apart || is_number { Form::Followed } else { Form::Prose }
    }

    /// Whether what follows is what is known to follow names, within a few words.
    fn is_described(&self, rest: &[Part]) -> bool {
        let says = |part: &Part| {
            let is_title = part.phrase.is_some_and(|(_, meaning)| meaning.rank.is_some());
            let is_field =
                part.phrase.is_some_and(|(n_words, meaning)| meaning.is_discipline && n_words > 1);
            is_title || is_field || part.text(self.text).contains('@')
        };
        let is_mark = |part: &Part| matches!(part.mark, Mark::Comma | Mark::Break | Mark::Bracket);
        let starts_apart = rest
            .first()
            .is_some_and(|part| is_mark(part) || says(part) || part.text(self.text).contains('@'));
        starts_apart && rest.iter().take(6).any(says) || self.is_contact(rest)
    }

    /// An e-mail address or a telephone number.
    fn is_contact(&self, rest: &[Part]) -> bool {
        let Some(first) = rest.iter().find(|part| part.is_word() || part.mark == Mark::Foreign)
        else {
            return false;
        };
        let text = &self.text[first.place.start..];
        let word = text.split_whitespace().next().unwrap_or_default();
        word.contains('@') || text.bytes().take(16).filter(u8::is_ascii_digit).count() >= 6
    }
}

fn is_of(part: &Part) -> bool {
    part.kind == Kind::Particle
}
