//! Rows that a label picks out: attribute tables, definition lists, lines such as `Publisher: …`.
//!
//! A repeated class is keyed by its labels when these come again on other instances and are unique within each. Then
//! `Publisher` is the same place everywhere, whatever its row number.

use crate::classes::{At, Classes, twig_at};
use crate::induce::{Context, Forest};
use foldhash::fast::FixedState;
use page::DataType;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Share of rows whose label must come again elsewhere.
const RECURRING: f64 = 0.6;
/// Share of rows whose label must be the only one of its kind in its instance.
const UNIQUE: f64 = 0.9;
/// Longer texts are no labels.
const MAX_LABEL: usize = 60;

/// One for each row, or none.
type Labels = Vec<Option<String>>;

pub(crate) fn apply(context: &Context<'_>, instances: &[Forest], classes: &mut Classes) {
    if instances.len() < 2 {
        return;
    }
    let mut anchors: HashSet<usize> = HashSet::new();
    for (class, places) in classes.places().into_iter().enumerate() {
        if !is_repeated(&places) {
            continue;
        }
        let n_with_value = places.iter().filter(|at| has_value(context, instances, **at)).count();
        let has_values = n_with_value * 2 > places.len();
        let n_rich = places.iter().filter(|at| is_rich(context, instances, **at)).count();
        let is_rich = n_rich * 2 > places.len();
        // A text that stands alone is a label only if it is nearly always there; else it is a value that recurs. So
        // is the first text of something with parts enough to be a record.
        let presence = match (is_rich, has_values) {
            (true, _) => 0.8,
            (false, false) => 0.5,
            (false, true) if are_amounts(context, instances, &places) => 0.6,
            (false, true) => 0.2,
        };
        let ids = || places.iter().map(|at| id_label(context, instances, *at)).collect();
        let texts = || places.iter().map(|at| text_label(context, instances, *at)).collect();
        let words = || match is_rich {
            true => Vec::new(),
            false => word_labels(context, instances, &places),
        };
        let candidates: [(&str, f64, &dyn Fn() -> Labels); 3] =
            [("ids", 0.4, &ids), ("first texts", presence, &texts), ("words", 0.5, &words)];
        let candidates = candidates
            .into_iter()
            .map(|(kind, presence, labels)| Candidate { kind, presence, labels: labels() })
            .filter(|it| !it.labels.is_empty());
        let keys = candidates.into_iter().find(|candidate| {
            let fit = Fit::of(instances.len(), &places, &candidate.labels);
            let are_keys = fit.are_keys(candidate.presence);
            context.note(|| note(context, instances, places[0], candidate, &fit, are_keys));
            are_keys
        });
        if let Some(Candidate { labels, .. }) = keys {
            let is_anchor =
                places.iter().all(|at| twig_at(context, instances, *at).leaves.len() == 1);
            let labels =
                if has_values { labels } else { frequent(instances.len(), &places, labels) };
            let new = split_by_label(classes, class, &places, &labels);
            if is_anchor {
                anchors.extend(new.into_iter().filter(|id| classes.labels[*id].is_some()));
            }
        }
    }
    if !anchors.is_empty() {
        follow(classes, &anchors);
    }
}

/// Whether there are parts enough for a record of its own.
fn is_rich(context: &Context<'_>, instances: &[Forest], at: At) -> bool {
    let twig = twig_at(context, instances, at);
    twig.n_paths() > 2 && twig.leaves.len() > 2
}

/// Whether the rows are nothing but amounts of one kind, as in a list of prices: then what looks like a label is the name
/// of a record, unless nearly all instances have it.
fn are_amounts(context: &Context<'_>, instances: &[Forest], places: &[At]) -> bool {
    let amount = |at: &At| {
        let twig = twig_at(context, instances, *at);
        let value = context.boughs[instances[at.0].page].leaf(twig.leaves.end - 1).data_type();
        let is_amount = matches!(value, DataType::Money | DataType::Number | DataType::Percent);
        (twig.leaves.len() == 2 && is_amount).then_some(value)
    };
    let amounts: Vec<Option<DataType>> = places.iter().map(amount).collect();
    let n_alike = amounts.iter().filter(|it| it.is_some() && **it == amounts[0]).count();
    n_alike * 10 >= places.len() * 9
}

/// Whether there is something besides the label.
fn has_value(context: &Context<'_>, instances: &[Forest], at: At) -> bool {
    let twig = twig_at(context, instances, at);
    if twig.leaves.len() > 1 {
        return true;
    }
    let text = context.boughs[instances[at.0].page].leaf(twig.leaves.start).text;
    text.split_once([':', '：']).is_some_and(|(_, value)| !value.trim().is_empty())
}

/// Only labels that many instances have. The others are values, which follow a label.
fn frequent(n_instances: usize, places: &[At], labels: Labels) -> Labels {
    let numbered = Numbered::of(places, labels.iter().map(Option::as_deref));
    let is_frequent: Vec<bool> = numbered
        .of
        .iter()
        .map(|label| label.is_some_and(|it| numbered.n_instances(it) * 5 >= n_instances * 2))
        .collect();
    labels.into_iter().zip(is_frequent).map(|(label, is)| label.filter(|_| is)).collect()
}

/// The words of some rows as numbers, and how often each comes in instances.
struct Numbered {
    /// By row.
    of: Vec<Option<usize>>,
    /// By word, the instances that have it once, and those that have it several times.
    counts: Vec<(usize, usize)>,
}

impl Numbered {
    /// Of places in order, each with one word or none.
    fn of<'a>(places: &[At], words: impl Iterator<Item = Option<&'a str>>) -> Numbered {
        let mut numbers: HashMap<&str, usize, FixedState> = HashMap::default();
        let mut number = |word| {
            let next = numbers.len();
            *numbers.entry(word).or_insert(next)
        };
        let of: Vec<Option<usize>> = words.map(|word| word.map(&mut number)).collect();
        let said = of.iter().zip(places).filter_map(|(word, at)| Some(((*word)?, at.0)));
        let counts = count_instances(said.collect(), numbers.len());
        Numbered { of, counts }
    }

    fn n_instances(&self, word: usize) -> usize {
        self.counts[word].0 + self.counts[word].1
    }
}

/// By word, in how many instances it comes once, and in how many several times.
fn count_instances(mut said: Vec<(usize, usize)>, n_words: usize) -> Vec<(usize, usize)> {
    said.sort_unstable();
    let mut counts = vec![(0, 0); n_words];
    for same in said.chunk_by(|a, b| a == b) {
        let (once, several) = &mut counts[same[0].0];
        *if same.len() == 1 { once } else { several } += 1;
    }
    counts
}

fn is_repeated(places: &[At]) -> bool {
    places.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

fn id_label(context: &Context<'_>, instances: &[Forest], at: At) -> Option<String> {
    let twig = twig_at(context, instances, at);
    let id = context.symbols.name(twig.id);
    (!id.is_empty()).then(|| id.to_owned())
}

/// The first text of a row, or what stands before its colon.
fn text_label(context: &Context<'_>, instances: &[Forest], at: At) -> Option<String> {
    let twig = twig_at(context, instances, at);
    let bough = &context.boughs[instances[at.0].page];
    let text = bough.leaf(twig.leaves.start).text;
    let label = match text.split_once([':', '：']) {
        Some((label, value)) if !value.trim().is_empty() => label,
        _ => text,
    };
    let label = label.trim().trim_end_matches([':', '：']).trim_end();
    let is_label = !label.is_empty()
        && label.len() <= MAX_LABEL
        && label.chars().any(char::is_alphabetic)
        && label.chars().filter(|it| it.is_ascii_digit()).count() * 2 < label.len();
    is_label.then(|| label.to_lowercase())
}

/// Words that nearly every instance has, in one of its members only: `2.0L I-4 engine` is the one with `engine`.
fn word_labels(context: &Context<'_>, instances: &[Forest], places: &[At]) -> Labels {
    let mut numbers: HashMap<String, usize, FixedState> = HashMap::default();
    // The words of each row, one after the other.
    let mut words: Vec<usize> = Vec::new();
    let mut ends = Vec::with_capacity(places.len());
    for at in places {
        let start = words.len();
        each_word(context, instances, *at, |word| {
            words.push(match numbers.get(word) {
                Some(known) => *known,
                None => {
                    numbers.insert(word.to_owned(), numbers.len());
                    numbers.len() - 1
                }
            });
        });
        // Each once; in a row there are few.
        let mut kept = start;
        for index in start..words.len() {
            if !words[start..kept].contains(&words[index]) {
                words[kept] = words[index];
                kept += 1;
            }
        }
        words.truncate(kept);
        ends.push(kept);
    }
    let starts = || std::iter::once(0).chain(ends.iter().copied());
    let rows = || starts().zip(&ends).map(|(start, end)| &words[start..*end]);
    let said = rows().zip(places).flat_map(|(row, at)| row.iter().map(|word| (*word, at.0)));
    let counts = count_instances(said.collect(), numbers.len());
    let is_key = |word: &&usize| {
        let (n, n_several) = counts[**word];
        n * 2 >= instances.len() && n_several * 10 <= n
    };
    let mut names = vec![""; numbers.len()];
    for (name, number) in &numbers {
        names[*number] = name;
    }
    let label = |row: &[usize]| {
        let keys = row.iter().filter(is_key);
        let best = keys.max_by_key(|word| (counts[**word].0, std::cmp::Reverse(names[**word])))?;
        Some(names[*best].to_owned())
    };
    rows().map(label).collect()
}

/// The first words of a row, in lower case.
fn each_word(context: &Context<'_>, instances: &[Forest], at: At, mut say: impl FnMut(&str)) {
    let twig = twig_at(context, instances, at);
    let bough = &context.boughs[instances[at.0].page];
    let mut lower = String::new();
    for leaf in twig.leaves.clone().take(4) {
        let text = bough.leaf(leaf).text;
        let parts = text.split(|it: char| !it.is_alphabetic()).filter(|it| it.chars().count() > 1);
        for part in parts.take(12) {
            if part.is_ascii() {
                lower.clear();
                lower.push_str(part);
                lower.make_ascii_lowercase();
                say(&lower);
            } else {
                say(&part.to_lowercase());
            }
        }
    }
}

/// Labels that might tell the rows of a class apart.
struct Candidate {
    kind: &'static str,
    /// The share of instances that must have a label, on the mean.
    presence: f64,
    labels: Labels,
}

/// How well some labels tell rows apart.
struct Fit {
    /// The share of rows whose label comes again elsewhere.
    recurring: f64,
    /// The share of rows whose label is the only one of its kind in its instance.
    unique: f64,
    /// The mean share of instances that have a label.
    presence: f64,
}

impl Fit {
    fn of(n_instances: usize, places: &[At], labels: &[Option<String>]) -> Fit {
        let numbered = Numbered::of(places, labels.iter().map(Option::as_deref));
        let said = || numbered.of.iter().flatten().map(|label| numbered.n_instances(*label));
        let n_recurring = said().filter(|n| *n > 1).count();
        // A label that comes once in an instance is one row there.
        let n_unique: usize = numbered.counts.iter().map(|(once, _)| once).sum();
        let share = |n: usize| n as f64 / places.len() as f64;
        Fit {
            recurring: share(n_recurring),
            unique: share(n_unique),
            presence: said().sum::<usize>() as f64 / (places.len() * n_instances) as f64,
        }
    }

    fn are_keys(&self, presence: f64) -> bool {
        self.recurring >= RECURRING && self.unique >= UNIQUE && self.presence >= presence
    }
}

fn note(
    context: &Context<'_>,
    instances: &[Forest],
    first: At,
    candidate: &Candidate,
    fit: &Fit,
    are_keys: bool,
) -> String {
    format!(
        "- {}: {} {} as labels: recurring {:.2} of {RECURRING:.2}, unique {:.2} of {UNIQUE:.2}, present {:.2} of {:.2}",
        context.called(twig_at(context, instances, first)),
        candidate.kind,
        if are_keys { "taken" } else { "rejected" },
        fit.recurring,
        fit.unique,
        fit.presence,
        candidate.presence,
    )
}

/// Make a class of its own for each label.
fn split_by_label(
    classes: &mut Classes,
    class: usize,
    places: &[At],
    labels: &[Option<String>],
) -> Vec<usize> {
    let mut by_label: BTreeMap<&Option<String>, Vec<At>> = BTreeMap::new();
    for (at, label) in places.iter().zip(labels) {
        by_label.entry(label).or_default().push(*at);
    }
    let mut new = Vec::new();
    for (index, (label, members)) in by_label.into_iter().enumerate() {
        let id = if index == 0 { class } else { classes.add() };
        classes.labels[id].clone_from(label);
        for (instance, position) in members {
            classes.of[instance][position] = id;
        }
        new.push(id);
    }
    new
}

/// What follows labels that stand alone belongs to them: `<dt>Publisher<dd>…`, `<b>Publisher</b> …`.
fn follow(classes: &mut Classes, anchors: &HashSet<usize>) {
    let mut by_anchor: BTreeMap<At, Vec<At>> = BTreeMap::new();
    let mut n_members: BTreeMap<usize, At> = BTreeMap::new();
    for (instance, ids) in classes.of.iter().enumerate() {
        let mut anchor = None;
        for (position, id) in ids.iter().enumerate() {
            if anchors.contains(id) {
                anchor = Some(*id);
                continue;
            }
            let n = n_members.entry(*id).or_default();
            n.1 += 1;
            if let Some(anchor) = anchor {
                n.0 += 1;
                by_anchor.entry((*id, anchor)).or_default().push((instance, position));
            }
        }
    }
    for ((id, anchor), members) in by_anchor {
        let (n_after, n_all) = n_members[&id];
        if classes.labels[id].is_some() || n_after * 10 < n_all * 8 {
            continue;
        }
        let new = classes.add();
        classes.labels[new] = classes.labels[anchor].clone();
        for (instance, position) in members {
            classes.of[instance][position] = new;
        }
    }
}

impl Classes {
    fn add(&mut self) -> usize {
        self.labels.push(None);
        self.n_classes += 1;
        self.n_classes - 1
    }
}
