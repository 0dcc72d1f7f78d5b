//! Computations on sets of states that an observer watches.
//!
//! Such a computation is not divided into slices. It has a thread of its own, and polls its limits
//! there; the observer is polled meanwhile, and a reason to stop reaches the limits.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use beeline_kernel::Stop;
use beeline_search::Stats;
use beeline_symbolic::DiagramLimits;

use crate::observe::{Event, Observer};

/// Between two polls of the observer.
const PAUSE: Duration = Duration::from_millis(10);

/// The stack of the thread: diagrams are as deep as a system has factors.
pub(crate) const STACK: usize = 64 << 20;

/// What the thread and the observer tell each other.
#[derive(Default)]
struct Watch {
    stop: Mutex<Option<Stop>>,
    bytes: AtomicUsize,
}

impl Watch {
    fn stop(&self) -> Option<Stop> {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the limits of decision diagrams.
pub(crate) type MakeLimits<'m> = dyn Fn() -> DiagramLimits + Sync + 'm;

/// Runs a computation with limits: this memory, and the observer.
pub(crate) fn watched<T: Send>(
    phase: &str,
    bytes: Option<usize>,
    observer: &mut dyn Observer,
    compute: impl FnOnce(&MakeLimits<'_>) -> T + Send,
) -> T {
    observer.on_event(&Event::Phase(phase));
    let watch = Arc::new(Watch::default());
    let own = Arc::clone(&watch);
    let limits = move || {
        let watch = Arc::clone(&own);
        let interrupt = Box::new(move |bytes| {
            watch.bytes.store(bytes, Ordering::Relaxed);
            watch.stop()
        });
        let bytes = bytes.unwrap_or(usize::MAX);
        DiagramLimits { bytes, interrupt, ..DiagramLimits::default() }
    };
    let waiting = thread::current();
    thread::scope(|scope| {
        let run = || {
            let result = compute(&limits);
            waiting.unpark();
            result
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.expect("a thread can be started");
        while !thread.is_finished() {
            let store_bytes = watch.bytes.load(Ordering::Relaxed) as u64;
            let stats = Stats { store_bytes, ..Stats::default() };
            if let ControlFlow::Break(stop) = observer.poll(&stats) {
                *watch.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
                break;
            }
            thread::park_timeout(PAUSE);
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
