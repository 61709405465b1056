use super::*;
use crate::store::{Candidate, Store};
use std::path::PathBuf;
use tempfile::TempDir;

/// A store, hosts, and a clock that stands still.
struct Scene {
    folder: TempDir,
    store: Store,
    hosts: Hosts,
    now: Instant,
}

impl Scene {
    fn new(concurrency: usize) -> Scene {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("a.db"), false).unwrap();
        let politeness = Politeness {
            gap: Duration::ZERO,
            per_host: 8,
            obeys_robots: false,
            ..Politeness::default()
        };
        let hosts = Hosts::new(politeness, concurrency, false);
        Scene { folder, store, hosts, now: Instant::now() + Duration::from_secs(1) }
    }

    fn add(&mut self, path: &str, priority: f64) {
        let url = Url::parse(&format!("http://{path}")).unwrap();
        let (depth, hops, kind, found_on, refused) = Default::default();
        let candidate = Candidate { url, priority, depth, hops, kind, found_on, refused };
        let changes = self.store.add_all(&[candidate]).unwrap();
        changes.new.into_iter().for_each(|job| self.hosts.hear_new(job));
        changes.risen.iter().for_each(|(host, priority)| self.hosts.hear(host, *priority));
    }

    /// The path of the address whose turn it is.
    fn turn(&mut self) -> Option<Job> {
        match self.hosts.turn(&mut self.store, (self.now, 0)).unwrap() {
            Turn::Page(job) => Some(job),
            Turn::Wait(_) => None,
            _ => panic!("there are no rules"),
        }
    }

    fn paths(&mut self) -> Vec<String> {
        let jobs = std::iter::from_fn(|| self.turn());
        jobs.map(|job| job.url.path().to_owned()).collect()
    }

    fn db(&self) -> rusqlite::Connection {
        let path: PathBuf = self.folder.path().join("a.db");
        rusqlite::Connection::open(path).unwrap()
    }
}

/// What came in is known without asking the store again: here it would not know.
#[test]
fn the_store_is_not_asked_for_what_is_known() {
    let mut scene = Scene::new(100);
    scene.add("a.example/1", 1.0);
    assert_eq!(scene.turn().unwrap().url.path(), "/1");
    for (path, priority) in [("a.example/2", 1.0), ("a.example/3", 3.0), ("a.example/4", 1.0)] {
        scene.add(path, priority);
    }
    scene.db().execute("UPDATE addresses SET state = 2", []).unwrap();
    assert_eq!(scene.paths(), ["/3", "/2", "/4"]);
    assert_eq!(scene.paths(), [""; 0]);
}

/// More than is at hand waits in the store, and comes in the same order.
#[test]
fn what_is_beyond_waits_in_the_store() {
    let mut scene = Scene::new(10_000);
    scene.hosts.politeness.per_host = usize::MAX;
    for nth in 0..500 {
        scene.add(&format!("a.example/{nth}"), f64::from(nth % 7));
    }
    let mut expected: Vec<i32> = (0..500).collect();
    expected.sort_by_key(|nth| (-(nth % 7), *nth));
    let expected: Vec<String> = expected.iter().map(|nth| format!("/{nth}")).collect();
    assert_eq!(scene.paths(), expected);
}

#[test]
fn what_rises_comes_sooner() {
    let mut scene = Scene::new(100);
    scene.add("a.example/1", 1.0);
    scene.add("a.example/2", 2.0);
    assert_eq!(scene.turn().unwrap().url.path(), "/2");
    scene.add("a.example/3", 1.0);
    scene.add("a.example/3", 5.0);
    assert_eq!(scene.paths(), ["/3", "/1"]);
}

/// Hosts that do not answer leave places for those that do.
#[test]
fn silent_hosts_do_not_get_all_places() {
    let mut scene = Scene::new(8);
    for nth in 0..20 {
        scene.add(&format!("h{nth}.example/1"), 9.0);
    }
    scene.add("well.example/1", 10.0);
    let first = scene.turn().unwrap();
    assert_eq!(first.host, "well.example");
    scene.hosts.hear_done(&first, scene.now, true);
    assert_eq!(scene.paths().len(), 6);
    scene.add("well.example/2", 1.0);
    assert_eq!(scene.paths(), ["/2"]);
    // Who fails is no better than who was never asked.
    let job = Job { id: 99, ..first };
    scene.hosts.hear_done(&job, scene.now, false);
    scene.add("well.example/3", 1.0);
    assert_eq!(scene.paths(), [""; 0]);
}

/// What asks for a day is no reason to wait for a day.
#[test]
fn nobody_waits_for_a_day() {
    let mut scene = Scene::new(8);
    scene.add("a.example/1", 1.0);
    let day = 24 * 60 * 60 * 1000;
    scene.db().execute("UPDATE addresses SET not_before = ?1", [day]).unwrap();
    scene.hosts.hear_again("a.example");
    assert!(matches!(scene.hosts.turn(&mut scene.store, (scene.now, 0)), Ok(Turn::Wait(None))));
    scene.db().execute("UPDATE addresses SET not_before = 5000", []).unwrap();
    scene.hosts.hear_again("a.example");
    scene.hosts.hear("a.example", 1.0);
    let Ok(Turn::Wait(Some(at))) = scene.hosts.turn(&mut scene.store, (scene.now, 0)) else {
        panic!()
    };
    assert_eq!(at, scene.now + Duration::from_secs(5));
}
