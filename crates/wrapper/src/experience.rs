//! What extractors have found out about templates, for those that come after them.
//!
//! The first pages of a template take ten times as long as others, because what they do is yet to be found out. Who asks for a
//! few pages at a time, again and again, would have first pages only. So what an extractor knows is laid aside when it is done,
//! and the next one for the same wrapper goes on with it. All wrappers share the room that there is for that; what lay there
//! the longest makes place for others.

use crate::machine::{Reader, Scratch, Tables};
use page::{Leaves, Skimmer};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What an extractor has found out, and its memory for the next page.
#[derive(Default)]
pub(crate) struct Experience {
    pub(crate) scratch: Scratch,
    /// None until a page is skimmed, and while the extractor is at work.
    pub(crate) skimmer: Option<Skimmer>,
    pub(crate) leaves: Leaves,
    pub(crate) reader: Reader,
    /// The wrapper's tables, by which others find it; none if it is for nobody else.
    of: Option<Arc<Tables>>,
}

impl Experience {
    /// What an earlier extractor had, or nothing yet; others get it when it is dropped.
    pub(crate) fn of_others(tables: &Arc<Tables>) -> Experience {
        let mut own = shelf().take(tables).unwrap_or_default();
        own.of = Some(Arc::clone(tables));
        own
    }

    /// About how much memory it holds.
    fn n_bytes(&self) -> usize {
        let skimmer = self.skimmer.as_ref().map_or(0, Skimmer::n_bytes);
        skimmer + self.scratch.n_bytes() + self.leaves.n_bytes() + self.reader.n_bytes()
    }
}

impl Drop for Experience {
    fn drop(&mut self) {
        // Where a page was not finished something went wrong, and what is half done is for nobody.
        if let Some(of) = self.of.take()
            && self.skimmer.is_some()
        {
            let laid = Laid::new(&of, take(self));
            let gone = shelf().lay(laid);
            // To free it takes a while, for which nobody need wait.
            drop(gone);
        }
    }
}

/// In bytes, of all that lies there, and of one: most have 1 to 5 MB, some 15.
const MAX_LAID: usize = 64 << 20;
const MAX_EACH: usize = MAX_LAID / 2;

/// What nobody uses at the moment.
static SHELF: Mutex<Shelf> = Mutex::new(Shelf { laid: Vec::new() });

fn shelf() -> MutexGuard<'static, Shelf> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Shelf {
    /// What lies there the longest comes first.
    laid: Vec<Laid>,
}

struct Laid {
    /// The wrapper may be gone by now.
    of: Weak<Tables>,
    n_bytes: usize,
    it: Experience,
}

impl Laid {
    fn new(of: &Arc<Tables>, it: Experience) -> Laid {
        Laid { of: Arc::downgrade(of), n_bytes: it.n_bytes(), it }
    }
}

impl Shelf {
    /// What was laid there last of a wrapper's.
    fn take(&mut self, of: &Arc<Tables>) -> Option<Experience> {
        let is_own = |laid: &Laid| std::ptr::eq(laid.of.as_ptr(), Arc::as_ptr(of));
        let at = self.laid.iter().rposition(is_own)?;
        Some(self.laid.remove(at).it)
    }

    /// Lay something there; gives what has no place any more.
    fn lay(&mut self, new: Laid) -> Vec<Laid> {
        self.laid.push(new);
        let is_useless = |laid: &mut Laid| laid.of.strong_count() == 0 || laid.n_bytes > MAX_EACH;
        let mut gone: Vec<Laid> = self.laid.extract_if(.., is_useless).collect();
        let n_bytes: usize = self.laid.iter().map(|laid| laid.n_bytes).sum();
        let mut excess = n_bytes.saturating_sub(MAX_LAID);
        while excess > 0 {
            let oldest = self.laid.remove(0);
            excess = excess.saturating_sub(oldest.n_bytes);
            gone.push(oldest);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn;

    fn tables() -> Arc<Tables> {
        let pages = ["<h1>Dune</h1>", "<h1>Emma</h1>"].map(|html| page::parse(html.as_bytes()));
        let learnt = learn(pages.into(), &Default::default()).unwrap();
        Arc::new(Tables::new(learnt.wrapper.machine()))
    }

    /// One that says of itself how large it is.
    fn laid(of: &Arc<Tables>, n_bytes: usize) -> Laid {
        Laid { n_bytes, ..Laid::new(of, Experience::default()) }
    }

    fn sizes(laid: &[Laid]) -> Vec<usize> {
        laid.iter().map(|laid| laid.n_bytes).collect()
    }

    #[test]
    fn each_wrapper_gets_what_is_its_own() {
        let (one, other) = (tables(), tables());
        let mut shelf = Shelf { laid: vec![laid(&one, 1), laid(&one, 2), laid(&other, 3)] };
        assert!(shelf.take(&tables()).is_none());
        assert!(shelf.take(&one).is_some());
        assert_eq!(sizes(&shelf.laid), [1, 3]);
        assert!(shelf.take(&one).is_some() && shelf.take(&one).is_none());
    }

    #[test]
    fn what_is_old_or_large_or_for_nobody_makes_place() {
        let (own, gone) = (tables(), tables());
        let mut shelf = Shelf { laid: vec![laid(&gone, 7)] };
        drop(gone);
        assert_eq!(sizes(&shelf.lay(laid(&own, MAX_EACH + 1))), [7, MAX_EACH + 1]);
        assert!(shelf.lay(laid(&own, MAX_EACH)).is_empty());
        assert!(shelf.lay(laid(&own, MAX_EACH - 1)).is_empty());
        assert_eq!(sizes(&shelf.lay(laid(&own, 100))), [MAX_EACH]);
        assert_eq!(sizes(&shelf.laid), [MAX_EACH - 1, 100]);
    }

    #[test]
    fn what_is_half_done_is_for_nobody() {
        let own = tables();
        for is_done in [false, true] {
            let mut experience = Experience::of_others(&own);
            experience.skimmer = is_done.then(Skimmer::default);
            drop(experience);
            assert_eq!(shelf().take(&own).is_some(), is_done);
        }
    }
}
