//! The same work on many things, by some threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `work` gives for each number, in order, by some threads; each has its own `work`.
pub(crate) fn for_each<T: Send, W: FnMut(usize) -> T>(
    numbers: Vec<usize>,
    n_threads: NonZeroUsize,
    work: impl Fn() -> W + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut work = work();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(number) = numbers.get(index) else { return done };
            done.push((index, work(*number)));
        }
    };
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads.get()).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
