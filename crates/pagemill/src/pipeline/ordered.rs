//! Work on many items by several threads, with the results in the order of the items.
//!
//! One thread takes items from an iterator, and some work on them. The caller's is one of these: when the next result is there it
//! takes it, and else it works like the others, so that there are no more threads than were asked for and none is woken for a
//! result alone. From the moment an item is read until its result is taken it counts against [`Bounds`], so that neither a slow
//! item at the front nor a slow taker lets anything pile up.
//!
//! Results are lent to the taker. What is left of them goes back to the thread that made them and is freed there, where its
//! memory is at hand for the next: threads that free for each other wait for each other's caches.
//!
//! A page may take less time than it takes to wake a thread. So threads pass on some items at a time where there are some, nobody
//! is woken who does not wait, and who waits for room is woken when there is room for many.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How much may be under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    n_threads: NonZeroUsize,
    max_items: usize,
    /// One item may be larger; it is then alone.
    max_bytes: usize,
}

impl Bounds {
    pub(super) fn of(n_threads: NonZeroUsize) -> Bounds {
        // Enough that threads do not wait for each other where one page takes as long as a dozen others; as many bytes
        // as the largest page may have, because a page takes several times its bytes while it is worked on.
        Bounds { n_threads, max_items: 16 * n_threads.get(), max_bytes: 64 << 20 }
    }
}

/// Lend what `worker` makes of each item to `take`, until it fails. Each thread has a worker of its own.
pub(super) fn for_each<I, O, E, W>(
    items: impl Iterator<Item = I> + Send + 'static,
    bounds: Bounds,
    weigh: impl Fn(&I) -> usize + Send + 'static,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut O) -> Result<(), E>,
) -> Result<(), E>
where
    I: Send + 'static,
    O: Send,
    W: FnMut(I) -> O,
{
    let flow = Arc::new(Flow::new(bounds));
    // Not one of the scope below: it may wait for a line on stdin when all others are done.
    let reader = thread::spawn({
        let flow = Arc::clone(&flow);
        move || read(&flow, items, weigh)
    });
    let results = Results::new(bounds.n_threads);
    let taken = thread::scope(|scope| {
        for by in 1..bounds.n_threads.get() {
            let (flow, results, worker) = (&flow, &results, &worker);
            scope.spawn(move || work(flow, results, by, worker()));
        }
        let _at_the_end = Stop(&flow);
        take_in_order(&flow, &results, worker(), take)
    });
    if taken.is_ok()
        && let Err(panic) = reader.join()
    {
        resume_unwind(panic);
    }
    taken
}

/// An item under way: its number, how many bytes it counts for, and itself.
struct Numbered<I> {
    nth: u64,
    n_bytes: usize,
    it: I,
}

/// What came of an item, and which thread made it.
struct Made<O> {
    nth: u64,
    n_bytes: usize,
    it: O,
    by: usize,
}

/// The caller's thread.
const CALLER: usize = 0;

fn read<I>(flow: &Flow<I>, items: impl Iterator<Item = I>, weigh: impl Fn(&I) -> usize) {
    let _at_the_end = Complete(flow);
    for (nth, it) in (0..).zip(items) {
        let n_bytes = weigh(&it);
        if !flow.put(Numbered { nth, n_bytes, it }) {
            break;
        }
    }
}

fn work<I, O>(flow: &Flow<I>, results: &Results<O>, by: usize, mut worker: impl FnMut(I) -> O) {
    let _if_it_panics = Broken(flow);
    while let Some(items) = flow.next() {
        results.free(by);
        results.add(make(items, by, &mut worker));
        flow.tell_caller();
    }
}

fn make<I, O>(items: Vec<Numbered<I>>, by: usize, worker: &mut impl FnMut(I) -> O) -> Vec<Made<O>> {
    let made = |Numbered { nth, n_bytes, it }| Made { nth, n_bytes, it: worker(it), by };
    items.into_iter().map(made).collect()
}

/// Take results as they come in order, and work where there are none.
fn take_in_order<I, O, E>(
    flow: &Flow<I>,
    results: &Results<O>,
    mut worker: impl FnMut(I) -> O,
    mut take: impl FnMut(&mut O) -> Result<(), E>,
) -> Result<(), E> {
    let mut early: BTreeMap<u64, Made<O>> = BTreeMap::new();
    let mut next = 0;
    loop {
        early.extend(results.made().into_iter().map(|result| (result.nth, result)));
        let (mut n_taken, mut n_bytes) = (0, 0);
        while let Some(mut result) = early.remove(&next) {
            take(&mut result.it)?;
            n_taken += 1;
            n_bytes += result.n_bytes;
            next += 1;
            results.give_back(result);
        }
        flow.leave(n_taken, n_bytes);
        match flow.next_of_caller() {
            Turn::Work(items) => results.add(make(items, CALLER, &mut worker)),
            Turn::Look => {}
            Turn::End => return Ok(()),
        }
    }
}

/// What goes between the threads that work and the caller.
struct Results<O> {
    made: Mutex<Vec<Made<O>>>,
    /// By thread, those that were taken.
    spent: Vec<Mutex<Vec<O>>>,
}

impl<O> Results<O> {
    fn new(n_threads: NonZeroUsize) -> Results<O> {
        let spent = (0..n_threads.get()).map(|_| Mutex::default()).collect();
        Results { made: Mutex::default(), spent }
    }

    fn add(&self, made: Vec<Made<O>>) {
        lock(&self.made).extend(made);
    }

    /// What was made since it was last asked.
    fn made(&self) -> Vec<Made<O>> {
        std::mem::take(&mut *lock(&self.made))
    }

    /// A result was taken.
    fn give_back(&self, Made { it, by, .. }: Made<O>) {
        if by != CALLER {
            lock(&self.spent[by]).push(it);
        }
    }

    /// Free what a thread made and the caller took, on that thread.
    fn free(&self, by: usize) {
        let spent = std::mem::take(&mut *lock(&self.spent[by]));
        drop(spent);
    }
}

/// Nothing that may panic is done under a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the threads share.
struct Flow<I> {
    bounds: Bounds,
    state: Mutex<State<I>>,
    has_item: Condvar,
    has_room: Condvar,
    /// That the caller has something to do.
    has_news: Condvar,
}

/// So many items a thread takes at once, if there are as many for the others too.
const MAX_AT_ONCE: usize = 8;

struct State<I> {
    waiting: VecDeque<Numbered<I>>,
    /// Who waits for an item, and whether the reader waits for room.
    n_idle: usize,
    is_full: bool,
    /// Whether the caller waits, and whether there are results that it does not know of.
    is_caller_idle: bool,
    has_made: bool,
    /// Read and not yet taken.
    n_items: usize,
    n_bytes: usize,
    is_complete: bool,
    is_stopped: bool,
}

/// What the caller does next.
enum Turn<I> {
    Work(Vec<Numbered<I>>),
    /// There are results.
    Look,
    End,
}

impl<I> State<I> {
    /// Some of the items that wait, at least one of which there is, so that others get as many.
    fn some(&mut self, n_threads: NonZeroUsize) -> Vec<Numbered<I>> {
        let n = (self.waiting.len() / n_threads).clamp(1, MAX_AT_ONCE);
        self.waiting.drain(..n).collect()
    }
}

impl<I> Flow<I> {
    fn new(bounds: Bounds) -> Flow<I> {
        let state = State {
            waiting: VecDeque::new(),
            n_idle: 0,
            is_full: false,
            is_caller_idle: false,
            has_made: false,
            n_items: 0,
            n_bytes: 0,
            is_complete: false,
            is_stopped: false,
        };
        let [has_item, has_room, has_news] = [(); 3].map(|()| Condvar::new());
        Flow { bounds, state: Mutex::new(state), has_item, has_room, has_news }
    }

    /// Add an item as soon as there is room. False if nobody wants it any more.
    fn put(&self, item: Numbered<I>) -> bool {
        let is_full = |state: &mut State<I>| {
            let n_bytes = state.n_bytes.saturating_add(item.n_bytes);
            let is_full = state.n_items >= self.bounds.max_items || n_bytes > self.bounds.max_bytes;
            state.is_full = is_full && state.n_items > 0 && !state.is_stopped;
            state.is_full
        };
        let waited = self.has_room.wait_while(lock(&self.state), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            return false;
        }
        state.n_items += 1;
        state.n_bytes += item.n_bytes;
        state.waiting.push_back(item);
        if state.n_idle > 0 {
            self.has_item.notify_one();
        }
        if state.is_caller_idle {
            self.has_news.notify_one();
        }
        true
    }

    /// The next items, as soon as there are any; none at the end.
    fn next(&self) -> Option<Vec<Numbered<I>>> {
        let is_empty = |state: &mut State<I>| {
            state.waiting.is_empty() && !state.is_complete && !state.is_stopped
        };
        let mut state = lock(&self.state);
        state.n_idle += 1;
        let waited = self.has_item.wait_while(state, is_empty);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.n_idle -= 1;
        if state.is_stopped || state.waiting.is_empty() {
            return None;
        }
        Some(state.some(self.bounds.n_threads))
    }

    /// What the caller, who has taken all that came in order, does next, as soon as there is something.
    fn next_of_caller(&self) -> Turn<I> {
        let has_nothing = |state: &mut State<I>| {
            let is_over = state.is_complete && state.n_items == 0 || state.is_stopped;
            state.is_caller_idle = !state.has_made && state.waiting.is_empty() && !is_over;
            state.is_caller_idle
        };
        let waited = self.has_news.wait_while(lock(&self.state), has_nothing);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut state.has_made) {
            Turn::Look
        } else if state.waiting.is_empty() || state.is_stopped {
            Turn::End
        } else {
            Turn::Work(state.some(self.bounds.n_threads))
        }
    }

    /// There are results.
    fn tell_caller(&self) {
        let mut state = lock(&self.state);
        state.has_made = true;
        if state.is_caller_idle {
            self.has_news.notify_one();
        }
    }

    /// The results of some items were taken.
    fn leave(&self, n_items: usize, n_bytes: usize) {
        let mut state = lock(&self.state);
        state.n_items -= n_items;
        state.n_bytes -= n_bytes;
        if state.is_full && state.n_items <= self.bounds.max_items / 2 {
            self.has_room.notify_one();
        }
    }
}

/// No more items come, however reading ended.
struct Complete<'f, I>(&'f Flow<I>);

impl<I> Drop for Complete<'_, I> {
    fn drop(&mut self) {
        lock(&self.0.state).is_complete = true;
        self.0.has_item.notify_all();
        self.0.has_news.notify_all();
    }
}

/// A worker that panics ends the others: a result that never comes would be waited for.
struct Broken<'f, I>(&'f Flow<I>);

impl<I> Drop for Broken<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            drop(Stop(self.0));
        }
    }
}

/// No more items are wanted.
struct Stop<'f, I>(&'f Flow<I>);

impl<I> Drop for Stop<'_, I> {
    fn drop(&mut self) {
        lock(&self.0.state).is_stopped = true;
        self.0.has_item.notify_all();
        self.0.has_room.notify_all();
        self.0.has_news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    fn bounds(n_threads: usize, max_items: usize, max_bytes: usize) -> Bounds {
        Bounds { n_threads: NonZeroUsize::new(n_threads).unwrap(), max_items, max_bytes }
    }

    fn collect(n_items: u64, bounds: Bounds) -> Vec<u64> {
        let mut taken = Vec::new();
        let worker = || {
            |item: u64| {
                // Some items take longer than those after them.
                (0..item % 7 * 1000).for_each(|it| _ = std::hint::black_box(it));
                item * 2
            }
        };
        let take = |item: &mut u64| {
            taken.push(*item);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = for_each(0..n_items, bounds, |_| 10, worker, take);
        taken
    }

    #[test]
    fn results_come_in_order_whatever_the_bounds() {
        for n_items in [0, 1, 500] {
            let expected: Vec<u64> = (0..n_items).map(|it| it * 2).collect();
            for (n_threads, max_items, max_bytes) in
                [(1, 1, 1), (4, 2, 1000), (4, 100, 5), (8, 64, 1000)]
            {
                assert_eq!(collect(n_items, bounds(n_threads, max_items, max_bytes)), expected);
            }
        }
    }

    #[test]
    fn no_more_than_the_bounds_is_under_way() {
        let n_read = Arc::new(AtomicUsize::new(0));
        let items = (0..1000).inspect({
            let n_read = Arc::clone(&n_read);
            move |_| _ = n_read.fetch_add(1, Ordering::SeqCst)
        });
        let mut n_taken = 0;
        let take = |_: &mut i32| {
            // One more is read, and waits at the door.
            assert!(n_read.load(Ordering::SeqCst) - n_taken <= 8 + 1);
            n_taken += 1;
            Ok::<(), Infallible>(())
        };
        let Ok(()) = for_each(items, bounds(4, 8, 1000), |_| 1, || |item: i32| item, take);
        assert_eq!(n_taken, 1000);
    }

    #[test]
    fn a_taker_that_fails_ends_it_though_the_items_never_end() {
        let take = |item: &mut u64| if *item < 20 { Ok(()) } else { Err(*item) };
        assert_eq!(for_each(0.., bounds(3, 6, 1000), |_| 1, || |item| item, take), Err(20));
        // Nor does it wait for an item that never comes.
        let (sender, items) = mpsc::channel();
        sender.send(1).unwrap();
        let take = |item: &mut u64| Err::<(), u64>(*item);
        let failed = for_each(items.into_iter(), bounds(3, 6, 1000), |_| 1, || |it| it, take);
        assert_eq!(failed, Err(1));
        drop(sender);
    }

    #[test]
    fn a_panic_anywhere_reaches_the_caller() {
        let run = |read_fails: bool, work_fails: bool, take_fails: bool| {
            let fail = |fails: bool, item: u64| assert!(!fails || item < 30, "on purpose");
            let items = (0..100).inspect(move |item| fail(read_fails, *item));
            let worker = || move |item| fail(work_fails, item);
            let mut n_taken = 0;
            let take = |(): &mut ()| {
                n_taken += 1;
                fail(take_fails, n_taken);
                Ok::<(), Infallible>(())
            };
            let Ok(()) = for_each(items, bounds(3, 6, 1000), |_| 1, worker, take);
        };
        run(false, false, false);
        for (read, work, take) in [(true, false, false), (false, true, false), (false, false, true)]
        {
            assert!(std::panic::catch_unwind(|| run(read, work, take)).is_err());
        }
    }

    #[test]
    fn what_is_left_is_freed_by_the_thread_that_made_it() {
        /// Counts those that another thread frees.
        struct Result(thread::ThreadId, Arc<AtomicUsize>);
        impl Drop for Result {
            fn drop(&mut self) {
                let is_own = self.0 == thread::current().id();
                self.1.fetch_add(usize::from(!is_own), Ordering::SeqCst);
            }
        }
        let n_elsewhere = Arc::new(AtomicUsize::new(0));
        let worker = || |_| Result(thread::current().id(), Arc::clone(&n_elsewhere));
        let take = |_: &mut Result| Ok::<(), Infallible>(());
        let Ok(()) = for_each(0..1000, bounds(2, 8, 1000), |_| 1, worker, take);
        // The last ones have nobody to go back to.
        assert!(n_elsewhere.load(Ordering::SeqCst) <= 8 + 2 * MAX_AT_ONCE);
    }
}
