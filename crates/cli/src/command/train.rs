//! `pagemill train`: from a schema and labelled pages to a model.

use super::inputs::{self, Reading};
use super::{model_file, schema_file};
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use anyhow::Result;
use clap::{Args, ValueEnum};
use pagemill::annotate::{Example, Kind, Score, Spans, Target, TrainConfig, cross_validate};
use pagemill::labelled::{Helpers, Known, LeftOut, Material, MaterialError};
use pagemill::{pipeline, site};
use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill train --schema news labels.jsonl -o news.json         a model for pagemill annotate
  pagemill train --schema shop.dtd a.jsonl b.jsonl --report      how well it would do
  pagemill train --schema news marked/ -o news.json              pages with <h1 data-label=\"title\">
  pagemill train --schema news l/ --span-class top=title -o m    pages with <b class=\"top\">

A file of labels has a JSON object a line, as pagemill label writes them:
  {\"page\": \"a.html\", \"xpath\": \"/html/body/h1\", \"element\": \"title\"}
  {\"page\": \"a.html\", \"selector\": \"p.by > b\", \"element\": \"author\"}
  {\"page\": \"b.html\", \"url\": \"https://post.example/b\", \"values\": {\"title\": [\"Rain\"]}}
Pages are found from the file's folder, or in a folder pages beside it. \"site\", or the host of
\"url\", or the page's folder tells which pages are of one site. Label all that a page has: what has
no label is taken to be something else. Pages of several sites teach what holds on others; of sites
with five pages or more it learns what whole columns are like, which tells more than leaves do.";

/// Train a model from labelled pages: it maps pages of any site to a schema
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// Files of labels (.jsonl), or pages that are labelled in their markup
    #[arg(value_name = "LABELLED", required = true)]
    labelled: Vec<OsString>,

    /// What pages are mapped to: a DTD, or news, product, job, event, recipe, person
    #[arg(long, value_name = "SCHEMA")]
    schema: String,

    /// Write the model
    #[arg(short, long, value_name = "FILE", required_unless_present = "report")]
    output: Option<PathBuf>,

    /// The network that judges; if not given, naive for few sites
    #[arg(long, value_enum)]
    kind: Option<Network>,

    /// Tell precision and recall of each element, on sites that a model has not seen: page by page, and by columns where sites have
    /// five pages or more
    #[arg(long)]
    report: bool,

    /// Into how many parts sites are dealt for the report
    #[arg(long, value_name = "N", default_value = "5", requires = "report")]
    folds: NonZeroUsize,

    /// The attribute that labels an element of a page
    #[arg(long, value_name = "ATTR", default_value = "data-label")]
    spans: String,

    /// What is in elements of CLASS is of ELEMENT, or of none if that is empty
    #[arg(long = "span-class", value_name = "CLASS=ELEMENT", value_parser = class)]
    classes: Vec<(String, String)>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Network {
    /// Features may depend on one another
    Tree,
    /// Each feature speaks for itself
    Naive,
}

fn class(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((class, element)) if !class.is_empty() => Ok((class.into(), element.into())),
        _ => Err("write a class and an element, such as headline=title".into()),
    }
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let target = match schema_file::read(&flags.schema) {
        Ok(target) => target,
        Err(exit) => return Ok(exit),
    };
    let Some(spans) = flags.spans(&target) else { return Ok(Exit::Usage) };
    let progress = Progress::pages("reading");
    let helpers = Helpers {
        read: &|input: &OsStr| Box::new(flags.reading.read(&[input.to_owned()])),
        tell: &|what| match what {
            LeftOut::Input(error) => inputs::tell(error),
            LeftOut::NoLabel(_) => progress.pause(|| {
                talk::say(format_args!("{what}; --spans and --span-class say how to know them"))
            }),
            LeftOut::Other(what) => progress.pause(|| talk::say(what)),
        },
        watch: &|| progress.advance(),
    };
    let mut material = Material::new(&target, spans, helpers);
    for labelled in &flags.labelled {
        if let Err(error) = material.add(labelled) {
            progress.pause(|| talk::say(&error));
            return Ok(match error {
                MaterialError::Unreadable(_) => Exit::SomeFailed,
                MaterialError::Wrong(_) => Exit::Usage,
            });
        }
    }
    let Material { pages, n_failed, .. } = material;
    if pages.is_empty() {
        drop(progress);
        talk::say("nothing to learn from: none of the pages has a label of the schema");
        return Ok(if n_failed > 0 { Exit::SomeFailed } else { Exit::Nothing });
    }
    let examples: Vec<Example<'_>> = pages.iter().map(Known::example).collect();
    let config = TrainConfig { kind: flags.kind(), ..TrainConfig::default() };
    if flags.report {
        progress.now("trying");
        let n_folds = flags.folds.get();
        let alone = cross_validate(&target, &examples, &config, n_folds);
        let together =
            site::cross_validate(&target, &examples, &config, n_folds, pipeline::all_cores());
        progress.pause(|| {
            let way = if together.is_some() { "page by page" } else { "element" };
            tell(&target, way, &alone);
            together.iter().for_each(|it| tell(&target, "by columns", it));
        });
    }
    if let Some(path) = &flags.output {
        progress.now("learning");
        let model = site::train(&target, &examples, &config, pipeline::all_cores());
        model_file::write(path, &model)?;
    }
    drop(progress);
    tell_numbers(&target, &pages);
    Ok(Exit::of(pages.len(), n_failed))
}

impl Flags {
    fn kind(&self) -> Option<Kind> {
        self.kind.map(|kind| match kind {
            Network::Tree => Kind::Tree,
            Network::Naive => Kind::Naive,
        })
    }

    /// How pages label themselves; none if by elements that there are not.
    fn spans(&self, target: &Target) -> Option<Spans> {
        let mut spans = Spans::default().with_attribute(&self.spans);
        for (class, element) in &self.classes {
            if !element.is_empty() && target.find(element).is_none() {
                let known: Vec<String> =
                    target.elements().iter().map(|it| it.full_name()).collect();
                talk::say(format_args!(
                    "the schema has no element {element:?}; it has {}",
                    known.join(", ")
                ));
                return None;
            }
            spans = spans.with_class(class, element);
        }
        Some(spans)
    }
}

fn tell_numbers(target: &Target, pages: &[Known]) {
    let mut sites: Vec<&str> = pages.iter().map(|page| page.site.as_str()).collect();
    sites.sort_unstable();
    sites.dedup();
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    talk::say(format_args!(
        "{} of {} learnt from {} of {}",
        count(target.elements().len(), "element"),
        target.name(),
        count(pages.len(), "page"),
        count(sites.len(), "site")
    ));
}

/// A table: an element a line.
fn tell(target: &Target, way: &str, scores: &[Score]) {
    let names: Vec<String> = target.elements().iter().map(|it| it.full_name()).collect();
    let width = names.iter().map(String::len).fold(way.len(), usize::max);
    let mut table = format!("{way:width$}  precision  recall     F1   known   found\n");
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |it| format!("{it:.3}"));
    for (name, score) in names.iter().zip(scores) {
        let (precision, recall, f1) =
            (share(score.precision()), share(score.recall()), share(score.f1()));
        let Score { n_known, n_found, .. } = score;
        table += &format!(
            "{name:width$}  {precision:>9}  {recall:>6}  {f1:>5}  {n_known:>6}  {n_found:>6}\n"
        );
    }
    talk::say_block(&table);
}
