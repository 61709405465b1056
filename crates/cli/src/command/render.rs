//! `pagemill render`: a picture of a page, as the engine sees it.

#[cfg(feature = "engine")]
mod place;

use super::inputs::Reading;
use super::{model_file, wrapper_file};
use crate::exit::Exit;
use crate::output::{file, talk};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pagemill::annotate::Model;
use pagemill::regions::{Boxes, Rect};
use pagemill::render::{self, Area, Drawing, Line, Look, Marks};
#[cfg(feature = "engine")]
use pagemill::render::{Config, Renderer, Rendering};
use pagemill::{InputPage, Leaves, Page, Status, Wrapper, fields};
#[cfg(feature = "engine")]
use place::Place;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill render page.html -o page.png                   the page's leaves, outlined by type
  pagemill render page.html -o page.png --wrapper w.json  by the columns that a wrapper reads
  pagemill render page.html -o page.png --model m.json    by the elements that a model finds
  pagemill render page.html -o page.svg --width 400       as on a telephone
  pagemill render site/a/b.html -o b.png --root site      with the style sheets of its site
  pagemill render crawl.warc.gz -o page.png               with those recorded beside it

Style sheets are those in the page, and those it links to: of a file, in its own folder (or --root)
and below; of a page in a web archive, in the same archive. Nothing is fetched, and no script runs
but those in the page with --engine chromium. The picture shows what Pagemill knows of the page, not
all that its designer wanted; what its colours mean stands below it.

A pagemill built as usual draws leaves one below the other, by tags alone (--engine rules). Layout
with style sheets is built in by cargo build --release --features engine, which takes Python 3 and
some minutes more; --features chromium adds --engine chromium. Exit code 1 says that the page shows
nothing, 3 that it could not be read, or is nothing that the wrapper or model reads.";

/// Draw a page: where its leaves stand, how they look, of what types or fields they are
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// A file, or a web archive of which the first page is drawn
    #[arg(value_name = "PAGE")]
    page: OsString,

    /// Where the picture goes; .svg or .png
    #[arg(short, long, value_name = "FILE", value_parser = picture_file)]
    output: PathBuf,

    /// Colour leaves by the columns that this wrapper reads them as; pagemill learn -o makes one
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    wrapper: Option<PathBuf>,

    /// Colour leaves by the elements that this model finds them to be; pagemill train -o makes one
    #[arg(long, value_name = "FILE")]
    model: Option<String>,

    /// What tells how the page looks
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,

    /// The width of the window in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    width: u32,

    /// The folder that style sheets may come from, if not the page's own; addresses that begin with / start there
    #[arg(long, value_name = "FOLDER", value_parser = folder)]
    root: Option<PathBuf>,

    /// The browser for --engine chromium, if it is not the one on the PATH
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Style sheets and layout, built in
    #[cfg_attr(feature = "engine", default)]
    Embedded,
    /// Tags and attributes alone; leaves stand one below the other
    #[cfg_attr(not(feature = "engine"), default)]
    Rules,
    /// A browser of this system, which runs the scripts in the page
    Chromium,
}

/// A page and how it looks.
struct View {
    page: Page,
    leaves: Leaves,
    looks: Vec<Look>,
    lines: Vec<Vec<Line>>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let reader = match Reader::of(flags) {
        Ok(reader) => reader,
        Err(exit) => return Ok(exit),
    };
    let mut pages = flags.reading.pages(std::slice::from_ref(&flags.page));
    let Some(input) = pages.next() else { return Ok(Exit::of(0, pages.n_failed)) };
    let view = flags.view(&input)?;
    let (marks, is_read) = reader.marks(&input, &view);
    let drawing = render::draw(&view.leaves, &view.looks, &view.lines, &marks, flags.width);
    if drawing.n_leaves == 0 {
        talk::say(format_args!("{:?} shows nothing", input.id));
        return Ok(Exit::of(0, pages.n_failed));
    }
    write(&flags.output, &drawing)?;
    if pages.next().is_some() {
        talk::say(format_args!("drew {:?}, the first page of {:?}", input.id, flags.page));
    }
    Ok(Exit::of(drawing.n_leaves, pages.n_failed + usize::from(!is_read)))
}

/// Draw a page as [`run`] does by default, outlined by fields that the caller tells. Gives the number of leaves in the picture.
pub(super) fn draw_fields(
    input: &InputPage,
    place: &OsStr,
    output: &Path,
    fields: impl FnOnce(&Page, &Leaves, Option<&Boxes>) -> Vec<Option<String>>,
) -> Result<usize> {
    let flags = Flags {
        page: place.to_owned(),
        output: output.to_owned(),
        wrapper: None,
        model: None,
        engine: Engine::default(),
        width: WIDTH,
        root: None,
        browser: None,
        reading: Reading::default(),
    };
    let view = flags.view(input)?;
    // Leaves that stand one below the other stand nowhere.
    let boxes = (!view.lines.is_empty()).then(|| view.boxes());
    let by_leaf = fields(&view.page, &view.leaves, boxes.as_deref());
    let marks = Marks::fields(&by_leaf);
    let drawing = render::draw(&view.leaves, &view.looks, &view.lines, &marks, WIDTH);
    if drawing.n_leaves > 0 {
        write(output, &drawing)?;
    }
    Ok(drawing.n_leaves)
}

impl View {
    fn boxes(&self) -> Vec<Option<Rect>> {
        let area = |look: &Look| look.area.filter(|_| look.is_visible);
        let rect = |Area { x, y, width, height }| Rect { x, y, width, height };
        self.looks.iter().map(|look| area(look).map(rect)).collect()
    }
}

/// The width of a window, in pixels.
const WIDTH: u32 = 1280;

/// What tells the fields of leaves.
enum Reader {
    Types,
    Wrapper(Box<Wrapper>),
    Model(Box<Model>),
}

impl Reader {
    fn of(flags: &Flags) -> Result<Reader, Exit> {
        Ok(match (&flags.wrapper, &flags.model) {
            (Some(path), _) => Reader::Wrapper(Box::new(wrapper_file::read(path)?)),
            (None, Some(name)) => Reader::Model(Box::new(model_file::read(name)?)),
            (None, None) => Reader::Types,
        })
    }

    /// How leaves are outlined, and whether the page is one that can be read so.
    fn marks(&self, input: &InputPage, view: &View) -> (Marks, bool) {
        let mut found = match self {
            Reader::Types => return (Marks::types(&view.leaves), true),
            Reader::Wrapper(wrapper) => fields::by_wrapper(wrapper, &view.page),
            Reader::Model(model) => fields::by_model(model, &view.page),
        };
        // The colours are for what is in the picture.
        for (field, look) in found.by_leaf.iter_mut().zip(&view.looks) {
            field.take_if(|_| look.area.is_none());
        }
        let is_read = found.status != Status::Failed;
        if !is_read {
            let wanted = if matches!(self, Reader::Model(_)) { "model" } else { "wrapper" };
            talk::say(format_args!("the {wanted} finds nothing on {:?}", input.id));
        }
        if !found.unseen.is_empty() {
            let names = found.unseen.join(", ");
            talk::say(format_args!(
                "not in the picture, as {:?} tells it to machines only: {names}",
                input.id
            ));
        }
        (Marks::fields(&found.by_leaf), is_read)
    }
}

impl Flags {
    fn view(&self, input: &InputPage) -> Result<View> {
        match self.engine {
            Engine::Rules => Ok(self.by_rules(input.parse())),
            Engine::Embedded => self.embedded(input),
            Engine::Chromium => self.chromium(input),
        }
    }

    fn by_rules(&self, page: Page) -> View {
        let leaves = page.leaves();
        let mut looks = render::by_rules(&page, &leaves);
        render::stack(&leaves, &mut looks, self.width);
        View { page, leaves, looks, lines: Vec::new() }
    }

    #[cfg(feature = "engine")]
    fn embedded(&self, input: &InputPage) -> Result<View> {
        let place = Place::of(input, &self.page, self.root.as_deref());
        let page = input.parse();
        let leaves = page.leaves();
        let mut renderer = Renderer::new(self.config(&place));
        let rendering = renderer.render(&page, &leaves, place.url.as_deref());
        Ok(self.rendered(input, page, leaves, rendering))
    }

    #[cfg(feature = "engine")]
    fn config(&self, place: &Place) -> Config {
        Config { width: self.width, fetch: place.fetch(), ..Config::default() }
    }

    /// What was rendered, or what the tags tell where that went wrong.
    #[cfg(feature = "engine")]
    fn rendered(&self, input: &InputPage, page: Page, leaves: Leaves, it: Rendering) -> View {
        if let Some(trouble) = it.trouble {
            talk::say(format_args!("{:?} is drawn by its tags alone: {trouble}", input.id));
            return self.by_rules(page);
        }
        View { page, leaves, looks: it.looks, lines: it.lines }
    }

    #[cfg(not(feature = "engine"))]
    fn embedded(&self, _: &InputPage) -> Result<View> {
        anyhow::bail!(
            "this pagemill was built without its renderer; use --engine rules, or build it with --features engine"
        )
    }

    #[cfg(all(feature = "chromium", unix))]
    fn chromium(&self, input: &InputPage) -> Result<View> {
        let program = self.browser.clone().or_else(render::find_chromium);
        let program =
            program.context("there is no Chromium on the PATH; name one with --browser")?;
        let place = Place::of(input, &self.page, self.root.as_deref());
        let mut config = self.config(&place);
        config.deadline = BROWSER_DEADLINE;
        let mut browser = render::Chromium::new(&program, config);
        let page = match browser.settle(input.parse().source()) {
            Ok(html) => pagemill::parse(html.as_bytes()),
            Err(trouble) => anyhow::bail!("the browser could not show {:?}: {trouble}", input.id),
        };
        let leaves = page.leaves();
        let rendering = browser.render(&page, &leaves, place.url.as_deref());
        Ok(self.rendered(input, page, leaves, rendering))
    }

    #[cfg(not(all(feature = "chromium", unix)))]
    fn chromium(&self, _: &InputPage) -> Result<View> {
        anyhow::bail!(
            "this pagemill was built without a way to a browser; build it with --features chromium, on Unix"
        )
    }
}

/// Browsers take their time to start.
#[cfg(all(feature = "chromium", unix))]
const BROWSER_DEADLINE: std::time::Duration = std::time::Duration::from_secs(60);

fn write(path: &Path, drawing: &Drawing) -> Result<()> {
    if is_png(path) {
        let picture = drawing.to_png().with_context(|| format!("cannot write {path:?}"))?;
        if picture.height < drawing.height {
            talk::say(format_args!(
                "the picture is cut: it has the first {} of {} pixels; an .svg has all",
                picture.height, drawing.height
            ));
        }
        return file::write(path, |out| out.write_all(&picture.png));
    }
    file::write(path, |out| out.write_all(drawing.svg.as_bytes()))
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"))
}

fn folder(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.is_dir() { Ok(path) } else { Err("it is no folder".to_owned()) }
}

pub(super) fn picture_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_svg = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg"));
    if is_svg || is_png(&path) {
        return Ok(path);
    }
    Err("pictures are .svg or .png".to_owned())
}
