//! A browser's process, and calls to it.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The browser listens on its third and answers on its fourth stream, which the shell makes of its own two: the standard
/// library has no other safe way to hand them on.
const SHELL: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// Without a window, a network, a sandbox that containers do not allow, and all that asks the world for something.
const FLAGS: [&str; 14] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
];

#[derive(Debug)]
pub(super) enum PipeError {
    /// No answer in time.
    Late,
    /// It said no, or is gone.
    Failed(String),
}

#[derive(Debug)]
pub(super) struct Pipe {
    child: Child,
    calls: ChildStdin,
    answers: Receiver<Value>,
    n_calls: u64,
    profile: TempDir,
}

impl Pipe {
    pub(super) fn start(program: &Path) -> io::Result<Pipe> {
        let profile = tempfile::Builder::new().prefix("pagemill-chromium-").tempdir()?;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SHELL]).arg(program).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let gone = || io::Error::other("its streams are closed");
        let calls = child.stdin.take().ok_or_else(gone)?;
        let output = child.stdout.take().ok_or_else(gone)?;
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || listen(output, &sender));
        Ok(Pipe { child, calls, answers, n_calls: 0, profile })
    }

    pub(super) fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
        until: Instant,
    ) -> Result<Value, PipeError> {
        self.n_calls += 1;
        let id = self.n_calls;
        let mut call = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            call["sessionId"] = json!(session);
        }
        let failed = |error: io::Error| PipeError::Failed(format!("{method}: {error}"));
        let mut bytes = call.to_string().into_bytes();
        bytes.push(0);
        self.calls.write_all(&bytes).and_then(|()| self.calls.flush()).map_err(failed)?;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut answer = self.answers.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => PipeError::Late,
                RecvTimeoutError::Disconnected => PipeError::Failed("the browser has ended".into()),
            })?;
            // Others are events, or late answers.
            if answer["id"] != id {
                continue;
            }
            return match answer["error"]["message"].as_str() {
                Some(message) => Err(PipeError::Failed(format!("{method}: {message}"))),
                None => Ok(answer["result"].take()),
            };
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        // An answer channel ends with the browser.
        !matches!(self.answers.try_recv(), Err(mpsc::TryRecvError::Disconnected))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may be gone already. Its helpers end with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its helpers take a moment longer, and may write until then.
        for _ in 0..40 {
            if std::fs::remove_dir_all(self.profile.path()).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Messages end with a zero.
fn listen(output: ChildStdout, answers: &mpsc::Sender<Value>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output.read_until(0, &mut bytes).is_ok_and(|n_bytes| n_bytes > 0) {
        bytes.pop();
        if let Ok(answer) = serde_json::from_slice(&bytes)
            && answers.send(answer).is_err()
        {
            return;
        }
        bytes.clear();
    }
}

/// The browser's own sandbox refuses to start for root, as in most containers.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}
