//! Deadlines for long computations before a search, such as building a heuristic. They poll the
//! deadline; a search instead returns control after each slice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A point in time, a flag, or both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline {
    end: Option<Instant>,
    /// Raised to end the computation at once.
    stop: Option<&'static AtomicBool>,
}

impl Deadline {
    /// No limit.
    pub const NEVER: Deadline = Deadline { end: None, stop: None };

    /// A duration from now; no limit if the clock cannot represent the end.
    pub fn after(time: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(time), stop: None }
    }

    /// The same, or as soon as this flag is raised. A program has at most one such flag.
    #[must_use]
    pub fn or_raised(self, stop: &'static AtomicBool) -> Deadline {
        Deadline { stop: Some(stop), ..self }
    }

    /// The earlier of two deadlines.
    #[must_use]
    pub fn or(self, other: Deadline) -> Deadline {
        let end = [self.end, other.end].into_iter().flatten().min();
        Deadline { end, stop: self.stop.or(other.stop) }
    }

    /// Whether it has passed.
    #[inline]
    pub fn is_over(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_first_ends_it() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let hour = Duration::from_secs(3600);
        assert!(!Deadline::NEVER.is_over() && !Deadline::after(Duration::MAX).is_over());
        assert!(Deadline::after(Duration::ZERO).is_over());
        assert!(Deadline::after(Duration::ZERO).or(Deadline::after(hour)).is_over());
        assert!(Deadline::after(hour).or(Deadline::after(Duration::ZERO)).is_over());
        let both = Deadline::after(hour).or(Deadline::NEVER.or_raised(&STOP));
        assert!(!both.is_over());
        STOP.store(true, Ordering::Relaxed);
        assert!(both.is_over());
    }
}
