//! Looks by a browser: a Chromium on this machine, for pages whose scripts write them.
//!
//! It is spoken to by the DevTools protocol through a pair of pipes: no port is open that others could speak to, and all
//! that is needed is JSON. It has no network: pages are given as text, each in a context of its own, and what they link to
//! does not resolve. A browser that dies or hangs is ended and started anew.

mod markup;
mod pipe;

use crate::engine::sheets::Sheets;
use crate::engine::{Config, Rendering, Trouble};
use crate::look::{Align, Area, Look, Rgb};
use crate::rules::by_rules;
use markup::{MARK, marked};
use page::{Leaf, LeafKind, Leaves, NodeId, NodeKind, Page};
use pipe::{Pipe, PipeError};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a browser may be, under the names that systems give it.
const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "headless_shell",
];

/// Reads how elements look, after layout.
const READ: &str = include_str!("chromium/read.js");

/// After so long a page's scripts have written what they will without a network.
const SETTLED: Duration = Duration::from_millis(500);

/// The browser on the `PATH`, if there is one.
pub fn find_chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = NAMES.iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    candidates.into_iter().find(|it| it.is_file())
}

/// A browser to render pages with, one after the other.
#[derive(Debug)]
pub struct Chromium {
    program: PathBuf,
    config: Config,
    pipe: Option<Pipe>,
}

impl Chromium {
    /// A browser that is started when it is needed.
    pub fn new(program: &Path, config: Config) -> Chromium {
        Chromium { program: program.to_owned(), config, pipe: None }
    }

    /// How the leaves of a page look. No script of it runs.
    pub fn render(&mut self, page: &Page, leaves: &Leaves, url: Option<&str>) -> Rendering {
        let mut looks = by_rules(page, leaves);
        let lines = vec![Vec::new(); looks.len()];
        let sheets = Sheets::new(page, url, self.config.fetch.clone());
        let found = self.with_tab(&marked(page, sheets), Scripts::Off, |tab| tab.read(leaves));
        let trouble = match found {
            Ok(found) => {
                set_all(page, leaves, &found, &mut looks);
                None
            }
            Err(trouble) => Some(trouble),
        };
        Rendering { looks, lines, trouble }
    }

    /// The page after its own scripts have run, those that it fetches excepted, as HTML to parse again.
    pub fn settle(&mut self, html: &str) -> Result<String, Trouble> {
        self.with_tab(html, Scripts::On, |tab| {
            std::thread::sleep(SETTLED.min(tab.time_left()));
            let html = tab.evaluate("'<!DOCTYPE html>' + document.documentElement.outerHTML")?;
            Ok(html.as_str().unwrap_or_default().to_owned())
        })
    }

    fn with_tab<T>(
        &mut self,
        html: &str,
        scripts: Scripts,
        work: impl FnOnce(&mut Tab<'_>) -> Result<T, PipeError>,
    ) -> Result<T, Trouble> {
        let mut pipe = match self.pipe.take().filter(Pipe::is_alive) {
            Some(pipe) => pipe,
            None => Pipe::start(&self.program).map_err(|error| {
                Trouble::Failed(format!("cannot start {:?}: {error}", self.program))
            })?,
        };
        let until = Instant::now() + self.config.deadline;
        let result = Tab::open(&mut pipe, &self.config, until).and_then(|mut tab| {
            let result = tab.show(html, scripts).and_then(|()| work(&mut tab));
            tab.close().and(result)
        });
        match result {
            Ok(value) => {
                self.pipe = Some(pipe);
                Ok(value)
            }
            // What state it is in is not known; the next page gets another.
            Err(PipeError::Late) => Err(Trouble::Late(self.config.deadline)),
            Err(PipeError::Failed(message)) => Err(Trouble::Failed(message)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scripts {
    On,
    Off,
}

/// One page in the browser, in a context that shares nothing with others.
struct Tab<'p> {
    pipe: &'p mut Pipe,
    context: String,
    session: String,
    until: Instant,
}

impl<'p> Tab<'p> {
    fn open(pipe: &'p mut Pipe, config: &Config, until: Instant) -> Result<Tab<'p>, PipeError> {
        let context = pipe.call(None, "Target.createBrowserContext", json!({}), until)?;
        let context = text(&context, "browserContextId");
        let target = json!({"url": "about:blank", "browserContextId": context});
        let target = text(&pipe.call(None, "Target.createTarget", target, until)?, "targetId");
        let attach = json!({"targetId": target, "flatten": true});
        let session = text(&pipe.call(None, "Target.attachToTarget", attach, until)?, "sessionId");
        let mut tab = Tab { pipe, context, session, until };
        tab.call("Network.enable", json!({}))?;
        tab.call("Network.setBlockedURLs", json!({"urls": ["*://*"]}))?;
        let window = json!({"width": config.width, "height": config.height, "deviceScaleFactor": 1, "mobile": false});
        tab.call("Emulation.setDeviceMetricsOverride", window)?;
        Ok(tab)
    }

    fn call(&mut self, method: &str, parameters: Value) -> Result<Value, PipeError> {
        self.pipe.call(Some(&self.session), method, parameters, self.until)
    }

    fn show(&mut self, html: &str, scripts: Scripts) -> Result<(), PipeError> {
        let is_off = scripts == Scripts::Off;
        self.call("Emulation.setScriptExecutionDisabled", json!({"value": is_off}))?;
        let tree = self.call("Page.getFrameTree", json!({}))?;
        let frame = text(&tree["frameTree"]["frame"], "id");
        self.call("Page.setDocumentContent", json!({"frameId": frame, "html": html}))?;
        Ok(())
    }

    fn evaluate(&mut self, expression: &str) -> Result<Value, PipeError> {
        let parameters = json!({"expression": expression, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", parameters)?;
        match answer.get("exceptionDetails") {
            Some(wrong) => Err(PipeError::Failed(text(wrong, "text"))),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// What is known of the elements of leaves, by their numbers.
    fn read(&mut self, leaves: &Leaves) -> Result<HashMap<usize, Value>, PipeError> {
        let mut wanted: Vec<usize> = leaves.iter().map(|leaf| leaf.element.index()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let call = format!("({READ})({}, {})", json!(MARK), json!(wanted));
        let Value::Array(found) = self.evaluate(&call)? else {
            return Err(PipeError::Failed("it did not say how the page looks".to_owned()));
        };
        Ok(wanted.into_iter().zip(found).collect())
    }

    fn time_left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    fn close(self) -> Result<(), PipeError> {
        let context = json!({"browserContextId": self.context});
        self.pipe.call(None, "Target.disposeBrowserContext", context, self.until)?;
        Ok(())
    }
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn set_all(page: &Page, leaves: &Leaves, found: &HashMap<usize, Value>, looks: &mut [Look]) {
    let numbers = text_numbers(page);
    for (leaf, look) in leaves.iter().zip(looks) {
        match found.get(&leaf.element.index()).filter(|it| it.is_object()) {
            Some(element) => set(page, &leaf, element, numbers[leaf.node.index()], look),
            None => look.is_visible = false,
        }
    }
}

fn set(page: &Page, leaf: &Leaf<'_>, element: &Value, nth_text: usize, look: &mut Look) {
    let number = |value: &Value| value.as_f64().unwrap_or_default() as f32;
    look.size = number(&element["size"]);
    look.weight = number(&element["weight"]).round() as u16;
    look.is_italic = element["italic"] == true;
    look.colour = colour(&element["colour"]).unwrap_or(Rgb::BLACK);
    look.background = colour(&element["background"]);
    look.align = align(element);
    let place = match leaf.kind {
        LeafKind::Text if page.tag(leaf.element) != Some("textarea") => &element["texts"][nth_text],
        _ => &element["box"],
    };
    let area = place.as_array().and_then(|it| {
        let [x, y, width, height] = it.as_slice() else { return None };
        Some(Area { x: number(x), y: number(y), width: number(width), height: number(height) })
    });
    look.is_visible &= element["visible"] == true;
    look.area = area.filter(|area| look.is_visible && !area.is_empty());
    look.is_visible &= look.area.is_some();
}

/// By node: the number of a text among those of its element.
fn text_numbers(page: &Page) -> Vec<usize> {
    let mut numbers = vec![0; page.n_nodes()];
    let mut n_texts = vec![0; page.n_nodes()];
    let is_text = |node: &NodeId| page.kind(*node) == NodeKind::Text;
    for node in page.descendants(page.document()).filter(is_text) {
        if let Some(parent) = page.parent(node) {
            numbers[node.index()] = n_texts[parent.index()];
            n_texts[parent.index()] += 1;
        }
    }
    numbers
}

fn colour(value: &Value) -> Option<Rgb> {
    crate::colour::css(value.as_str()?)
}

fn align(element: &Value) -> Align {
    let is_rtl = element["rtl"] == true;
    match element["align"].as_str().unwrap_or_default() {
        "center" | "-webkit-center" => Align::Centre,
        "right" | "-webkit-right" => Align::Right,
        "justify" => Align::Justify,
        "end" if !is_rtl => Align::Right,
        "start" if is_rtl => Align::Right,
        _ => Align::Left,
    }
}

#[cfg(test)]
mod tests;
