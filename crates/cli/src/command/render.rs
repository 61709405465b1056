//! `pagemill render`: a picture of a page, as the engine sees it.

#[cfg(feature = "engine")]
mod place;

use super::inputs::Reading;
use crate::exit::Exit;
use crate::output::{file, talk};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pagemill::{InputPage, Leaves, Page};
#[cfg(feature = "engine")]
use place::Place;
#[cfg(feature = "engine")]
use render::{Config, Renderer, Rendering};
use render::{Drawing, Line, Look};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill render page.html -o page.png                 the page's leaves, outlined by type
  pagemill render page.html -o page.svg --width 400     as on a telephone
  pagemill render page.html -o page.svg --engine rules  by tags alone, one below the other
  pagemill render site/a/b.html -o b.png --root site    with the style sheets of its site

Style sheets are those in the page, and those it links to in its own folder (or --root) and below.
Nothing is fetched, and no script runs but those in the page with --engine chromium. The picture
shows what Pagemill knows of the page, not all that its designer wanted.";

/// Draw a page: where its leaves stand, what they look like, and of what types they are
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// A file, or a web archive of which the first page is drawn
    #[arg(value_name = "PAGE")]
    page: OsString,

    /// Where the picture goes; .svg or .png
    #[arg(short, long, value_name = "FILE", value_parser = picture_file)]
    output: PathBuf,

    /// What tells how the page looks
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,

    /// The width of the window in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1280, value_parser = clap::value_parser!(u32).range(100..=10_000))]
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
    leaves: Leaves,
    looks: Vec<Look>,
    lines: Vec<Vec<Line>>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let mut pages = flags.reading.pages(std::slice::from_ref(&flags.page));
    let Some(input) = pages.next() else { return Ok(Exit::of(0, pages.n_failed)) };
    let View { leaves, looks, lines } = flags.view(&input)?;
    let drawing = render::draw(&leaves, &looks, &lines, flags.width);
    if drawing.n_leaves == 0 {
        talk::say(format_args!("{:?} shows nothing", input.id));
        return Ok(Exit::of(0, pages.n_failed));
    }
    write(&flags.output, &drawing)?;
    if pages.next().is_some() {
        talk::say(format_args!("drew {:?}, the first page of {:?}", input.id, flags.page));
    }
    Ok(Exit::of(drawing.n_leaves, pages.n_failed))
}

impl Flags {
    fn view(&self, input: &InputPage) -> Result<View> {
        match self.engine {
            Engine::Rules => Ok(self.by_rules(&input.parse())),
            Engine::Embedded => self.embedded(input),
            Engine::Chromium => self.chromium(input),
        }
    }

    fn by_rules(&self, page: &Page) -> View {
        let leaves = page.leaves();
        let mut looks = render::by_rules(page, &leaves);
        render::stack(&leaves, &mut looks, self.width);
        View { leaves, looks, lines: Vec::new() }
    }

    #[cfg(feature = "engine")]
    fn embedded(&self, input: &InputPage) -> Result<View> {
        let place = Place::of(input, Path::new(&self.page), self.root.as_deref());
        let page = input.parse();
        let leaves = page.leaves();
        let mut renderer = Renderer::new(self.config(&place));
        let rendering = renderer.render(&page, &leaves, place.url.as_deref());
        Ok(self.rendered(input, &page, leaves, rendering))
    }

    #[cfg(feature = "engine")]
    fn config(&self, place: &Place) -> Config {
        Config { width: self.width, fetch: place.fetch(), ..Config::default() }
    }

    /// What was rendered, or what the tags tell where that went wrong.
    #[cfg(feature = "engine")]
    fn rendered(&self, input: &InputPage, page: &Page, leaves: Leaves, it: Rendering) -> View {
        if let Some(trouble) = it.trouble {
            talk::say(format_args!("{:?} is drawn by its tags alone: {trouble}", input.id));
            return self.by_rules(page);
        }
        View { leaves, looks: it.looks, lines: it.lines }
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
        let place = Place::of(input, Path::new(&self.page), self.root.as_deref());
        let mut config = self.config(&place);
        config.deadline = BROWSER_DEADLINE;
        let mut browser = render::Chromium::new(&program, config);
        let page = match browser.settle(input.parse().source()) {
            Ok(html) => pagemill::parse(html.as_bytes()),
            Err(trouble) => anyhow::bail!("the browser could not show {:?}: {trouble}", input.id),
        };
        let leaves = page.leaves();
        let rendering = browser.render(&page, &leaves, place.url.as_deref());
        Ok(self.rendered(input, &page, leaves, rendering))
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

fn picture_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_svg = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg"));
    if is_svg || is_png(&path) {
        return Ok(path);
    }
    Err("pictures are .svg or .png".to_owned())
}
