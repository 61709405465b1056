//! Looks by a style and layout engine: style sheets apply, and leaves have places.
//!
//! The engine is blitz (style by stylo, layout by taffy, lines of text by parley). It is given our own tree, node by node,
//! so its nodes are ours without matching, and nothing of the page reaches it that could run, fetch or confuse it.
//!
//! A page may make it panic or never end. It works on a thread of its own with a deadline; such a page costs that thread,
//! gets its looks by the rules, and the rendering says why. Absolute places differ a little from those of browsers, by
//! the fonts at hand above all: use order and relative places.

mod boxes;
pub(crate) mod document;
mod fonts;
pub(crate) mod sheets;
mod styles;
mod tables;
mod worker;

use crate::look::{Line, Look};
use crate::rules::by_rules;
use page::{Leaves, Page};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use worker::{Found, Job, Worker};

/// Gives the bytes of a style sheet by its absolute URL, if it is at hand.
pub type Fetch = Arc<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync>;

/// How much is worked out of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Styles alone. Shaping text is most of the work, so this is several times cheaper.
    Style,
    /// Styles and places.
    #[default]
    Boxes,
}

/// How pages are rendered.
#[derive(Clone)]
pub struct Config {
    /// The width of the window in CSS pixels.
    pub width: u32,
    /// The height of the window, which style sheets may ask for.
    pub height: u32,
    /// How much is worked out.
    pub detail: Detail,
    /// How long one page may take.
    pub deadline: Duration,
    /// Where linked style sheets come from; none are used without it.
    pub fetch: Option<Fetch>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            width: 1280,
            height: 800,
            detail: Detail::default(),
            deadline: Duration::from_secs(10),
            fetch: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("detail", &self.detail)
            .field("deadline", &self.deadline)
            .field("fetch", &self.fetch.is_some())
            .finish()
    }
}

/// How one page looks.
#[derive(Clone, Debug)]
pub struct Rendering {
    /// One a leaf, in the order of the leaves.
    pub looks: Vec<Look>,
    /// The lines of each leaf, by its number; none of those that are not texts or have no place.
    pub lines: Vec<Vec<Line>>,
    /// Why the looks are those of the rules, if they are.
    pub trouble: Option<Trouble>,
}

/// Why a page was not rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// It has more nodes than are rendered.
    Large {
        /// How many it has.
        nodes: usize,
    },
    /// The renderer failed on it, with this message.
    Failed(String),
    /// It took longer than the deadline.
    Late(Duration),
    /// Pages before it are still being rendered though their time is over, and no more threads are spent.
    Stuck,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Large { nodes } => {
                write!(f, "it has {nodes} nodes, and pages are rendered up to {MAX_NODES}")
            }
            Trouble::Failed(message) => write!(f, "the renderer failed: {message}"),
            Trouble::Late(deadline) => {
                write!(f, "it took longer than {:.1} seconds", deadline.as_secs_f32())
            }
            Trouble::Stuck => f.write_str("too many pages before it never came to an end"),
        }
    }
}

/// No page of a person's has as many, and one that does would take minutes and gigabytes.
const MAX_NODES: usize = 300_000;
/// Threads that may hang at once. Each keeps a core busy for as long as the process lives.
const MAX_LOST: usize = 4;

/// Renders pages, one after the other. Make one for each thread that has pages to render.
///
/// ```
/// let page = page::parse(b"<style>h1 { color: #c00; font-size: 40px }</style><h1>Dune</h1><p>A novel");
/// let mut renderer = render::Renderer::new(render::Config::default());
/// let rendering = renderer.render(&page, &page.leaves(), None);
/// let [title, text] = &rendering.looks[..] else { panic!("two leaves") };
/// assert_eq!((title.size, title.colour), (40.0, render::Rgb::of(0xcc0000)));
/// let (title, text) = (title.area.unwrap(), text.area.unwrap());
/// assert!(title.y < text.y && title.height > text.height);
/// ```
#[derive(Debug)]
pub struct Renderer {
    config: Arc<Config>,
    worker: Option<Worker>,
    /// Workers that did not end in time.
    lost: Vec<Worker>,
}

impl Renderer {
    /// A renderer that has done nothing yet.
    pub fn new(config: Config) -> Renderer {
        Renderer { config: Arc::new(config), worker: None, lost: Vec::new() }
    }

    /// How the leaves of a page look. `url` is where the page was found; links to style sheets start from it.
    pub fn render(&mut self, page: &Page, leaves: &Leaves, url: Option<&str>) -> Rendering {
        let ruled = by_rules(page, leaves);
        match self.run(page, leaves, url, &ruled) {
            Ok((looks, lines)) => Rendering { looks, lines, trouble: None },
            Err(trouble) => Rendering {
                lines: vec![Vec::new(); ruled.len()],
                looks: ruled,
                trouble: Some(trouble),
            },
        }
    }

    fn run(
        &mut self,
        page: &Page,
        leaves: &Leaves,
        url: Option<&str>,
        ruled: &[Look],
    ) -> Result<Found, Trouble> {
        if page.n_nodes() > MAX_NODES {
            return Err(Trouble::Large { nodes: page.n_nodes() });
        }
        self.lost.retain(|worker| !worker.is_over());
        if self.lost.len() >= MAX_LOST {
            return Err(Trouble::Stuck);
        }
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start()?,
        };
        // A worker that hangs keeps what it was given, so it gets its own.
        let result = worker.render(
            Job {
                page: page.clone(),
                leaves: leaves.clone(),
                url: url.map(str::to_owned),
                looks: ruled.to_vec(),
                config: Arc::clone(&self.config),
            },
            self.config.deadline,
        );
        match &result {
            Ok(_) => self.worker = Some(worker),
            Err(Trouble::Late(_)) => self.lost.push(worker),
            // The engine keeps state on its thread, which a panic leaves half done.
            Err(_) => {}
        }
        result
    }
}

#[cfg(test)]
mod tests;
