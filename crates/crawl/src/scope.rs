//! How far a crawl goes.

use crate::address::bare_host;
use std::fmt;
use std::str::FromStr;
use url::Url;

/// Which hosts count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Those of the seeds, exactly but for `www.`.
    Host,
    /// Those of the seeds, and what is below them.
    #[default]
    Site,
    /// All.
    Any,
}

impl FromStr for Reach {
    type Err = String;

    fn from_str(text: &str) -> Result<Reach, String> {
        match text {
            "host" => Ok(Reach::Host),
            "site" => Ok(Reach::Site),
            "any" => Ok(Reach::Any),
            _ => Err(format!("unknown scope {text:?}; known are host, site and any")),
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reach::Host => "host",
            Reach::Site => "site",
            Reach::Any => "any",
        })
    }
}

/// The hosts that a crawl may ask.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    reach: Reach,
    hosts: Vec<String>,
    /// The folders of seeds that are files, as addresses have them.
    folders: Vec<String>,
}

impl Scope {
    pub(crate) fn new(reach: Reach, seeds: &[Url]) -> Scope {
        let (files, others): (Vec<&Url>, Vec<&Url>) =
            seeds.iter().partition(|seed| seed.scheme() == "file");
        let mut hosts: Vec<String> = others.iter().map(|seed| bare_host(seed).to_owned()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let folders = files.iter().map(|seed| folder(seed).to_owned()).collect();
        Scope { reach, hosts, folders }
    }

    pub(crate) fn has(&self, url: &Url) -> bool {
        if url.scheme() == "file" {
            return self.folders.iter().any(|folder| url.path().starts_with(folder));
        }
        let host = bare_host(url);
        let below = |seed: &String| {
            host.strip_suffix(seed.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        match self.reach {
            Reach::Any => true,
            Reach::Host => self.hosts.iter().any(|seed| seed == host),
            Reach::Site => self.hosts.iter().any(below),
        }
    }
}

/// The path of a file's address up to its name; of a folder's, all of it.
fn folder(url: &Url) -> &str {
    let path = url.path();
    let is_folder = url.to_file_path().is_ok_and(|place| place.is_dir());
    match path.rfind('/') {
        Some(at) if !is_folder => &path[..=at],
        _ => path,
    }
}
