//! `kill -9` at any moment of `extract -o`: what is under the final name is whole, the old file or the new one.

use crate::crawl;
use crate::harness::Run;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const N_PAGES: usize = 300;
/// Of each format.
const N_KILLS: u32 = 50;

/// A folder with an archive, its wrapper, and an older, smaller file in the format.
struct Scene {
    run: Run,
    output: &'static str,
    /// The bytes of the file that was there, and of the file that a run makes.
    old: Vec<u8>,
    new: Vec<u8>,
    /// How long a run takes.
    whole: Duration,
}

impl Scene {
    fn new(output: &'static str) -> Scene {
        let run = Run::with(&[]);
        crawl::write(&run.path().join("old.warc.gz"), 20).unwrap();
        crawl::write(&run.path().join("new.warc.gz"), N_PAGES).unwrap();
        assert_eq!(run.run(&["learn", &crawl::books(), "-o", "shop.json"]).code, Some(0));
        let mut scene = Scene { run, output, old: vec![], new: vec![], whole: Duration::ZERO };
        scene.finish("old.warc.gz");
        scene.old = scene.bytes().unwrap();
        let times = [(); 3].map(|()| {
            let start = Instant::now();
            scene.finish("new.warc.gz");
            start.elapsed()
        });
        scene.whole = times.into_iter().min().unwrap();
        scene.new = scene.bytes().unwrap();
        assert_ne!(scene.old, scene.new);
        scene
    }

    fn extract(&self, archive: &str) -> Command {
        let mut command = self.run.command(&["extract", "shop.json", archive, "-o", self.output]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn finish(&self, archive: &str) {
        assert!(self.extract(archive).status().unwrap().success());
    }

    /// As `kill -9` does, some time after the start. Whether that was before its end.
    fn kill_after(&self, time: Duration) -> bool {
        let mut child = self.extract("new.warc.gz").spawn().unwrap();
        thread::sleep(time);
        child.kill().unwrap();
        !child.wait().unwrap().success()
    }

    /// What is under the final name.
    fn bytes(&self) -> Option<Vec<u8>> {
        fs::read(self.run.path().join(self.output)).ok()
    }

    fn place(&self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.run.write(self.output, bytes),
            None => _ = fs::remove_file(self.run.path().join(self.output)),
        }
    }

    /// Everything in the folder but what was put there.
    fn left_over(&self) -> Vec<String> {
        let entries = fs::read_dir(self.run.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let known = ["old.warc.gz", "new.warc.gz", "shop.json", self.output];
        names.filter(|name| !known.contains(&name.as_str())).collect()
    }
}

/// Moments in all parts of a run, the same in every run: in each of so many stretches one, somewhere within it. The last lie
/// behind the end, because no two runs are equally fast.
fn moments(whole: Duration) -> impl Iterator<Item = Duration> {
    // Numerical Recipes, 7.1; it need not be good.
    let mut state = 20_u32;
    (0..N_KILLS).map(move |nth| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let within = f64::from(state >> 8) / f64::from(1 << 24);
        whole.mul_f64(1.1 * (f64::from(nth) + within) / f64::from(N_KILLS))
    })
}

fn check(output: &'static str) {
    let scene = Scene::new(output);
    let mut n_killed = 0;
    for (nth, moment) in moments(scene.whole).enumerate() {
        // By turns over an older file, and where there is none.
        let before = (nth % 2 == 0).then_some(&*scene.old);
        scene.place(before);
        let is_killed = scene.kill_after(moment);
        n_killed += u32::from(is_killed);
        let told = format!("killed after {moment:?} of {:?}", scene.whole);
        match scene.bytes() {
            // What is done after the rename may be cut short, too.
            Some(bytes) if bytes == scene.new => {}
            bytes => assert!(is_killed && bytes.as_deref() == before, "{told}"),
        }
        // Its own, and none of those that were killed before.
        let left_over = scene.left_over();
        assert!(left_over.len() <= 1, "{told}: {left_over:?}");
        assert!(left_over.iter().all(|name| name.starts_with('.') && name.ends_with(".partial")));
        if nth % 10 == 9 {
            scene.finish("new.warc.gz");
            assert!(scene.bytes().unwrap() == scene.new, "after one that was {told}");
            assert_eq!(scene.left_over(), [""; 0], "after one that was {told}");
        }
    }
    assert!(n_killed >= N_KILLS / 2, "only {n_killed} were killed before their end");
}

#[test]
fn json_lines_are_whole_whenever_it_is_killed() {
    check("a.jsonl");
}

#[test]
fn csv_is_whole_whenever_it_is_killed() {
    check("a.csv");
}

#[test]
fn parquet_is_whole_whenever_it_is_killed() {
    check("a.parquet");
}

#[test]
fn a_database_is_whole_whenever_it_is_killed() {
    check("a.db");
}
