//! Running `pagemill` and the referee, with a time limit, and measuring it.

use crate::shell::{root, run};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// A run takes seconds; what takes longer than this is stuck.
const LIMIT: Duration = Duration::from_secs(120);

/// The code of the binary where some pages failed.
const SOME_FAILED: i32 = 3;

/// The binary to run: the one given, or the release binary, built now.
pub(crate) fn binary(given: Option<&Path>) -> Result<PathBuf> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            run("cargo", &["build", "--release"])?;
            let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
            root().join(target).join("release/pagemill")
        }
    };
    path.canonicalize().with_context(|| format!("no binary {path:?}"))
}

/// Run a command of the binary to its end, with a limit.
pub(crate) fn pagemill(binary: &Path, args: impl FnOnce(&mut Command)) -> Result<Run> {
    let mut command = Command::new(binary);
    args(&mut command);
    measured(&command, LIMIT)
}

/// A program that has ended, well or not.
pub(crate) struct Run {
    pub(crate) wall: Duration,
    /// Of all its threads and of the programs that it ran.
    pub(crate) cpu: Duration,
    status: ExitStatus,
    /// Was it ended because it took too long?
    timed_out: bool,
    stdout: String,
    stderr: String,
}

impl Run {
    /// What it said on standard error.
    pub(crate) fn said(&self) -> &str {
        &self.stderr
    }

    /// The same, if what was asked for was found or not: pages that fail are a result.
    pub(crate) fn tolerated(self) -> Result<()> {
        match self.status.code() {
            Some(0 | 1 | SOME_FAILED) => Ok(()),
            _ => self.success().map(drop),
        }
    }

    /// Its standard output; or, if it failed, an error with the line that says why.
    pub(crate) fn success(self) -> Result<String> {
        if self.status.success() {
            return Ok(self.stdout);
        }
        if self.timed_out {
            bail!("no result after {:.0} s", self.wall.as_secs_f64());
        }
        match complaint(&self.stderr) {
            Some(line) => bail!("{line}"),
            None => bail!("{}", self.status),
        }
    }
}

/// The first line of what a program said; the last, if that is Python's account of where it was.
fn complaint(stderr: &str) -> Option<&str> {
    let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next()?;
    if first.starts_with("Traceback") { lines.next_back().or(Some(first)) } else { Some(first) }
}

/// Run a command until it ends or the limit is reached.
pub(crate) fn measured(command: &Command, limit: Duration) -> Result<Run> {
    // Files, because a pipe that nobody empties would stop the program.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = limited(command, limit);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let used = child.wait4().context("cannot wait for a program")?;
    let wall = started.elapsed();
    Ok(Run {
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        status: used.status,
        timed_out: !used.status.success() && wall >= limit,
        stdout: content(&mut stdout)?,
        stderr: content(&mut stderr)?,
    })
}

/// The same command, below a program that ends it after `limit`.
fn limited(command: &Command, limit: Duration) -> Command {
    let mut limited = Command::new("timeout");
    // In the foreground, an interrupt from the terminal ends the program too.
    limited.args(["--foreground", "--kill-after=5", &limit.as_secs_f64().to_string()]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited
}

fn content(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Run {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        measured(&command, limit).unwrap()
    }

    fn error(script: &str, limit: Duration) -> String {
        shell(script, limit).success().unwrap_err().to_string()
    }

    #[test]
    fn says_why_a_program_failed() {
        assert_eq!(shell("echo fine", LIMIT).success().unwrap(), "fine\n");
        assert_eq!(error("echo >&2; echo first >&2; echo second >&2; exit 3", LIMIT), "first");
        assert_eq!(error("exit 2", LIMIT), "exit status: 2");
        let traceback =
            "echo Traceback of calls: >&2; echo '  a line' >&2; echo KeyError >&2; exit 1";
        assert_eq!(error(traceback, LIMIT), "KeyError");
    }

    #[test]
    fn ends_what_takes_too_long() {
        let limit = Duration::from_millis(50);
        assert_eq!(error("exec sleep 60", limit), "no result after 0 s");
    }

    #[test]
    fn counts_processor_time_of_the_program() {
        let run = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", LIMIT);
        assert!(run.cpu > Duration::ZERO && run.wall > Duration::ZERO);
    }
}
