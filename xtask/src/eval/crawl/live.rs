//! The same site over HTTP and from its archive: do the same pages come in?
//!
//! `replay.py` beside the benchmark data serves an archive as a proxy, by code that is not ours.

use super::Scene;
use anyhow::{Context, Result, bail, ensure};
use pagemill::crawl::address;
use pagemill::crawl::guard::Guard;
use pagemill::crawl::{
    Archive, FetchLimits, Files, Network, NetworkConfig, Source, Store, Strategy,
};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use url::Url;

/// One after the other: which shapes of addresses look like traps depends on what came before.
const N_SLOTS: usize = 1;

/// How many pages come in both ways; an error if they are not the same, to the byte.
pub(super) fn same_pages(scene: &Scene, shared: &Path, folder: &Path) -> Result<usize> {
    let archive: Arc<dyn Archive> = Arc::clone(&scene.recorded) as _;
    let recorded = pages(scene, Source::Archive(archive))?;
    let proxy = Proxy::start(shared, &folder.join("site.warc.gz"))?;
    let served = pages(scene, Source::Network(Arc::new(proxy.network()?)))?;
    for (url, body) in &recorded {
        match served.get(url) {
            Some(other) if other == body => {}
            Some(_) => bail!("{}: {url} is another page over HTTP", scene.name),
            None => bail!("{}: {url} does not come over HTTP", scene.name),
        }
    }
    let more = served.keys().find(|url| !recorded.contains_key(*url));
    ensure!(more.is_none(), "{}: {more:?} comes only over HTTP", scene.name);
    ensure!(!recorded.is_empty(), "{}: no pages at all", scene.name);
    Ok(recorded.len())
}

/// The pages of a crawl by what makes addresses the same.
fn pages(scene: &Scene, from: Source) -> Result<BTreeMap<String, Vec<u8>>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("store.db");
    scene.crawl(&path, Strategy::Breadth, from, N_SLOTS)?;
    let store = Store::read(&path)?;
    let (mut pages, mut last) = (BTreeMap::new(), i64::MIN);
    while let Some(page) = store.page_after(last)? {
        last = page.id;
        // Links spell one address in several ways.
        let key = Url::parse(&page.url).map(|url| address::key(&url));
        pages.insert(key.unwrap_or(page.url), page.body);
    }
    Ok(pages)
}

/// A proxy that answers from an archive. It ends with this.
struct Proxy {
    child: Child,
    url: Url,
}

impl Proxy {
    fn start(shared: &Path, archive: &Path) -> Result<Proxy> {
        let mut child = Command::new("python3")
            .arg(shared.join("eval/replay.py"))
            .arg(archive)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run python3")?;
        // Its first line is its port.
        let mut port = String::new();
        let said = child.stdout.take().context("no output")?;
        BufReader::new(said).read_line(&mut port)?;
        let url = Url::parse(&format!("http://127.0.0.1:{}", port.trim()));
        Ok(Proxy { child, url: url.context("the proxy did not start")? })
    }

    fn network(&self) -> Result<Network> {
        let guard = Guard::new(false, [].into_iter());
        guard.allow_host(self.url.host_str().unwrap_or_default());
        Ok(Network::new(NetworkConfig {
            agent: "pagemill".to_owned(),
            limits: FetchLimits {
                max_packed: 64 << 20,
                max_unpacked: 64 << 20,
                ..FetchLimits::default()
            },
            guard,
            // It answers for what was recorded by https, too, but does not speak it.
            is_plain: true,
            authorities: Vec::new(),
            files: Files::default(),
            proxy: Some(self.url.clone()),
        })?)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
