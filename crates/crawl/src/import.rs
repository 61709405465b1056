//! Pages that others fetched.

use crate::digest::Digester;
use crate::engine::CrawlError;
use crate::fetch::Answer;
use crate::focus::{Focus, Seen, Strategy};
use crate::scope::{Reach, Scope};
use crate::store::{Outcome, Store, Visit};
use crate::traps::Limits;
use std::sync::Mutex;

/// Take recorded answers into a store, each with when it came. Gives how many pages there were. Their links are kept, and not
/// followed: what waits is what was asked for by a crawl.
pub fn import(
    store: &mut Store,
    answers: impl Iterator<Item = (Answer, Option<i64>)>,
) -> Result<usize, CrawlError> {
    let digester = Digester {
        focus: Focus::new(Strategy::Breadth, Seen::default()),
        scope: Scope::new(Reach::Host, &[]),
        limits: Limits::default(),
        max_unpacked: usize::MAX,
        large: Mutex::default(),
        usual: Mutex::new(store.usual()?),
    };
    let mut n_pages = 0;
    for (answer, at) in answers {
        let Some(candidate) = digester.candidate(answer.url.clone(), 0.0, 0, None) else {
            continue;
        };
        let Some(job) = store.take_up(&candidate)? else { continue };
        let (status, n_bytes) = (Some(answer.status), answer.body.len());
        let Ok(outcome @ Outcome::Page(_)) = digester.digest(&job, answer) else { continue };
        let visit = Visit { job, asked: Some((at.unwrap_or(0), 0)), status, n_bytes, outcome };
        store.keep(&[visit])?;
        n_pages += 1;
    }
    Ok(n_pages)
}
