//! One question: asked as often as need be, and what comes of its answer.

use super::now;
use crate::digest::Digester;
use crate::failure::Failure;
use crate::fetch::{Answer, Request, Source};
use crate::hosts::Politeness;
use crate::store::{Job, Outcome, Visit};
use crate::unpack::unpack;
use std::time::{Duration, SystemTime};
use url::Url;

/// What an answer says of its host.
pub(super) struct Health {
    pub(super) is_well: bool,
    /// Whether it asks for patience, and for how long.
    pub(super) patience: Option<Option<Duration>>,
}

/// Ask for a server's robots.txt, more than once if need be.
pub(crate) async fn robots(
    source: &Source,
    origin: &str,
    politeness: &Politeness,
) -> Result<Answer, Failure> {
    /// By RFC 9309.
    const MAX_BYTES: usize = 500 << 10;
    /// Far more than is read; a bomb is no list of rules.
    const MAX_UNPACKED: usize = 8 << 20;
    const MAX_REDIRECTS: u32 = 5;
    let Ok(url) = Url::parse(&format!("{origin}/robots.txt")) else { return Err(Failure::Nowhere) };
    let mut tried = 1;
    loop {
        // A list of rules that is too long, or never ends, is read as far as it may go.
        let request = Request { url: &url, known: None, max_bytes: MAX_BYTES, takes_start: true };
        let answer = source.ask_on(request, MAX_REDIRECTS, |_| true).await;
        let answer = answer.and_then(|asked| unpacked(asked.answer, MAX_UNPACKED));
        let may_pass = match &answer {
            Ok(answer) => (500..600).contains(&answer.status),
            Err(failure) => failure.may_pass(),
        };
        if !may_pass || tried >= politeness.tries {
            return answer;
        }
        tokio::time::sleep(politeness.backoff.max(politeness.gap) * tried).await;
        tried += 1;
    }
}

/// An answer with its body unpacked.
fn unpacked(answer: Answer, max: usize) -> Result<Answer, Failure> {
    let encodings = answer.header("content-encoding").unwrap_or_default().to_owned();
    let body = unpack(&encodings, answer.body, max)?.bytes;
    Ok(Answer { body, ..answer })
}

/// What comes of an answer.
pub(super) fn visit(
    digester: &Digester,
    politeness: &Politeness,
    job: Job,
    asked: (i64, u32),
    answer: Result<Answer, Failure>,
) -> Visit {
    let status = answer.as_ref().ok().map(|answer| answer.status);
    let n_bytes = answer.as_ref().map_or(0, |answer| answer.body.len());
    let wait = answer.as_ref().ok().and_then(retry_after);
    let outcome = match answer.and_then(|answer| digester.digest(&job, answer)) {
        Ok(outcome) => outcome,
        Err(failure) if failure.may_pass() && job.attempts + 1 < politeness.tries => {
            let pause = politeness.backoff * 2_u32.saturating_pow(job.attempts.min(10));
            let pause = wait.map_or(pause, |wait| wait.clamp(pause, MOST_PATIENCE.max(pause)));
            let pause = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
            Outcome::Later(failure.to_string(), now().saturating_add(pause))
        }
        Err(failure) => Outcome::Failed(failure.to_string()),
    };
    Visit { job, asked: Some(asked), status, n_bytes, outcome }
}

impl Health {
    pub(super) fn of(answer: &Result<Answer, Failure>) -> Health {
        match answer {
            Ok(answer) => {
                let is_slow = matches!(answer.status, 429 | 503);
                Health { is_well: true, patience: is_slow.then(|| retry_after(answer)) }
            }
            Err(failure) => Health {
                is_well: !matches!(
                    failure,
                    Failure::Unresolved
                        | Failure::Connect
                        | Failure::Refused
                        | Failure::TooSlow
                        | Failure::Stalled
                ),
                patience: None,
            },
        }
    }
}

/// No longer than this an address is left alone because its server asked for that.
const MOST_PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a server wants us to wait, as seconds or as a date.
fn retry_after(answer: &Answer) -> Option<Duration> {
    let said = answer.header("retry-after")?.trim();
    if let Ok(seconds) = said.parse() {
        return Some(Duration::from_secs(seconds));
    }
    // A time that is past asks for nothing.
    let at = httpdate::parse_http_date(said).ok()?;
    Some(at.duration_since(SystemTime::now()).unwrap_or_default())
}
