//! Runs the binary in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with some pages, and the binary run in it.
pub(crate) struct Run {
    dir: TempDir,
}

/// What came of it.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Run {
        let run = Run { dir: TempDir::new().unwrap() };
        for (name, bytes) in files {
            run.write(name, bytes);
        }
        run
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join(name)).unwrap()
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pagemill"));
        command.args(args).current_dir(self.dir.path()).env_remove("COLUMNS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Outcome {
        self.run_with_stdin(args, b"")
    }

    pub(crate) fn run_with_stdin<S: AsRef<OsStr>>(&self, args: &[S], stdin: &[u8]) -> Outcome {
        let mut child = self.command(args).spawn().unwrap();
        // Whether it reads its input is up to the program.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        Outcome::of(child.wait_with_output().unwrap())
    }
}

impl Outcome {
    pub(crate) fn of(output: Output) -> Outcome {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// All of it, as on a screen.
    pub(crate) fn all(&self) -> String {
        format!("{}{}exit {}\n", self.stdout, self.stderr, self.code.unwrap_or(-1))
    }
}

/// A page or folder of the corpus.
pub(crate) fn corpus(name: &str) -> String {
    format!("{}/../../corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}
