//! Work on all cores: independent parts of a long comparison, with results in a fixed order.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// The stack of a thread: models may be deep.
const STACK: usize = 64 << 20;

/// The results of a function for the numbers below `count`, in their order. Threads take the numbers
/// one by one.
///
/// # Panics
///
/// When the function does.
pub fn map<T: Send>(count: usize, result: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return own;
            }
            own.push((at, result(at)));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut found = thread::scope(|scope| {
        let start = |_| {
            let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.expect("a thread can be started")
        };
        let threads: Vec<_> = (0..cores.min(count)).map(start).collect();
        let results = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.flatten().collect::<Vec<(usize, T)>>()
    });
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        let squares: Vec<usize> = (0..1000).map(|at| at * at).collect();
        assert_eq!(super::map(1000, |at| at * at), squares);
        assert!(super::map(0, |at| at).is_empty());
    }
}
