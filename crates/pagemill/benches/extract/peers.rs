//! What others need for the same pages. They are Python packages, and `peers.py` runs them in a process of its own.

use crate::site::Site;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Scrapely needs many times what we need, so it gets fewer pages.
pub(crate) const N_FEW: usize = 6;

pub(crate) struct Peers {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What a peer needed for some pages.
#[derive(Clone, Copy, Default)]
pub(crate) struct Took {
    pub(crate) time: Duration,
    /// How much of what it was asked for it found, from 0 to 1.
    pub(crate) found: f64,
}

/// What the peers needed for the pages of one site; none for one that cannot be had, or that could not be taught.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) parsel: Option<Took>,
    pub(crate) scrapely: Option<Took>,
}

impl Peers {
    pub(crate) fn start(python: &Path) -> io::Result<Peers> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/extract/peers.py");
        let mut child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("no pipe to the peers");
        let requests = child.stdin.take().ok_or_else(missing)?;
        let answers = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Peers { child, requests, answers })
    }

    /// parsel on all other pages of a site, Scrapely on a few of them.
    pub(crate) fn measure(&mut self, site: &Site) -> io::Result<Answer> {
        let names = |files: &[crate::site::File]| -> Vec<String> {
            files.iter().map(|file| file.name.clone()).collect()
        };
        let few: Vec<String> = few(&site.others).map(|file| file.name.clone()).collect();
        let request = json!({
            "folder": site.folder.to_string_lossy(),
            "learnt": names(&site.learnt),
            "pages": names(&site.others),
            "few": few,
        });
        writeln!(self.requests, "{request}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        Ok(Answer { parsel: took(&answer["parsel"]), scrapely: took(&answer["scrapely"]) })
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn took(answer: &Value) -> Option<Took> {
    let time = Duration::from_secs_f64(answer["seconds"].as_f64()?);
    Some(Took { time, found: answer["found"].as_f64()? })
}

/// Evenly spaced, those that Scrapely gets.
pub(crate) fn few<T>(pages: &[T]) -> impl Iterator<Item = &T> {
    pages.iter().step_by(pages.len().div_ceil(N_FEW).max(1))
}
