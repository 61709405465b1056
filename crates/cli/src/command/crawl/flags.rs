//! The flags of `pagemill crawl`.

use clap::Args;
use pagemill::crawl::Reach;
use pagemill::fetching::{Job, contact, seed};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

const EXAMPLES: &str = "\
Examples:
  pagemill crawl https://example.org/ --store site.db
  pagemill crawl https://example.edu/ --store u.db --plan university --max-pages 500
  pagemill crawl https://example.org/ --store site.db --renew     what has changed since
  pagemill crawl http://example.edu/ --store u.db --replay site.warc.gz
  pagemill crawl file:///home/me/mirror/index.html --store m.db    pages of a folder
  pagemill status site.db                                         how far it is
  pagemill get site.db                                            the data of its pages

The same command goes on where it was, however it ended. Ctrl-C once finishes what is under way,
twice stops now; nothing is lost either way. A plan is a TOML file that names kinds of pages, the
words of links that lead to them and how a page shows that it is one; university, shop and news are
built in. Without a plan, --keyword asks first for the links of pages that are most like the words;
without either, pages come as they are met.

robots.txt is followed, and each host is asked once a second at most. Addresses of this machine and
of private networks are not connected to, unless a seed names one or --allow-private is given.
Several processes, on several machines, may work on one crawl: --store postgres://user@host/database.
Each host is asked by one of them at a time, and what a dead one had is taken over.

Files are read if a seed is one: those in its folder and below. Proxies are taken from HTTP_PROXY,
HTTPS_PROXY and NO_PROXY. Servers have to show certificates that the system trusts, or that
--ca-file, SSL_CERT_FILE or SSL_CERT_DIR name.";

/// Fetch a site into a store, politely, to go on with at any time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::command) struct Flags {
    /// Where to begin
    #[arg(value_name = "SEED", required = true, value_parser = seed)]
    seeds: Vec<Url>,

    /// The file that pages, links and what waits are kept in; or postgres://…, where several may work on one crawl
    #[arg(long, value_name = "FILE")]
    pub(super) store: PathBuf,

    /// In a shared store: a process of which nothing was heard for this time is taken for dead
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = lease)]
    lease: Duration,

    /// Which kinds of pages are wanted, and what leads there: university, shop, news, or a file
    #[arg(long, value_name = "PLAN")]
    plan: Option<String>,

    /// Follow the links of pages first that are most like these words
    #[arg(long = "keyword", value_name = "WORDS", conflicts_with = "plan")]
    keywords: Vec<String>,

    /// plan, best-first or breadth; if not given, what --plan or --keyword say, else breadth
    #[arg(long, value_name = "NAME", value_parser = ["plan", "best-first", "breadth"])]
    strategy: Option<String>,

    /// Which hosts count: host (those of the seeds), site (and what is below them) or any
    #[arg(long, value_name = "SCOPE", default_value_t)]
    scope: Reach,

    /// Ask for this many pages at most, earlier runs included
    #[arg(long, value_name = "N")]
    max_pages: Option<u64>,

    /// Follow this many links from a seed at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_depth: u32,

    /// Ask an archive (.warc, .warc.gz) instead of the network
    #[arg(long, value_name = "FILE", conflicts_with = "renew")]
    replay: Option<PathBuf>,

    /// Throw away what the store has, and start over
    #[arg(long)]
    fresh: bool,

    /// Ask again for the pages that are there, and for those that failed; what is unchanged is not sent again
    #[arg(long)]
    renew: bool,

    /// Between an answer and the next question to the same host, such as 500ms or 2s; robots.txt may ask for more
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    gap: Duration,

    /// Questions to one host at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    per_host: NonZeroUsize,

    /// Questions at the same time
    #[arg(long, value_name = "N", default_value = "32")]
    concurrency: NonZeroUsize,

    /// How often an address is tried that may yet answer
    #[arg(long, value_name = "N", default_value = "3")]
    tries: NonZeroU32,

    /// Wait so long before the second try, and twice as long before each after it
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    backoff: Duration,

    /// An answer must be there after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    timeout: Duration,

    /// Read the sitemaps that robots.txt names
    #[arg(long)]
    sitemaps: bool,

    /// How you can be reached: a mail address or a page, told to every server
    #[arg(long, value_name = "TEXT", value_parser = contact)]
    contact: Option<String>,

    /// Trust the authorities in this file, too: certificates in PEM
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,

    /// Connect to addresses of this machine and of private networks, too
    #[arg(long)]
    allow_private: bool,

    /// Ask for what robots.txt forbids, too; for sites of your own
    #[arg(long)]
    ignore_robots: bool,

    /// Ask for https pages by http: for proxies on this machine that replay recordings
    #[arg(long)]
    https_as_http: bool,
}

impl Flags {
    pub(super) fn job(&self) -> Job {
        Job {
            seeds: self.seeds.clone(),
            store: self.store.clone(),
            lease: self.lease,
            plan: self.plan.clone(),
            keywords: self.keywords.clone(),
            strategy: self.strategy.clone(),
            scope: self.scope,
            max_pages: self.max_pages,
            max_depth: self.max_depth,
            replay: self.replay.clone(),
            fresh: self.fresh,
            renew: self.renew,
            gap: self.gap,
            per_host: self.per_host,
            concurrency: self.concurrency,
            tries: self.tries,
            backoff: self.backoff,
            timeout: self.timeout,
            sitemaps: self.sitemaps,
            contact: self.contact.clone(),
            ca_file: self.ca_file.clone(),
            allow_private: self.allow_private,
            ignore_robots: self.ignore_robots,
            https_as_http: self.https_as_http,
        }
    }
}

pub(in crate::command) fn duration(text: &str) -> Result<Duration, String> {
    let unknown = || format!("{text:?} is no time such as 500ms, 2s or 1m");
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.trim().parse().map_err(|_| unknown())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" | "" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(unknown()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| unknown())
}

/// Shorter ones would end while a database is busy.
fn lease(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    match time >= Duration::from_secs(1) {
        true => Ok(time),
        false => Err("at least a second is needed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    #[test]
    fn the_library_has_the_same_defaults() {
        let line = Line::try_parse_from(["crawl", "https://example.org/", "--store", "a.db"]);
        let job = line.unwrap_or_else(|error| panic!("{error}")).flags.job();
        let default = Job { seeds: job.seeds.clone(), store: job.store.clone(), ..Job::default() };
        assert_eq!(job, default);
    }
}
