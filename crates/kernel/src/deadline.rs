//! Until when something that takes long may go on. Searches are looked at from outside, slice by
//! slice; what is made before a search begins asks here whether it is time to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Until when there is time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline {
    end: Option<Instant>,
    /// Raised when it is over at once.
    stop: Option<&'static AtomicBool>,
}

impl Deadline {
    /// For ever.
    pub const NEVER: Deadline = Deadline { end: None, stop: None };

    /// So long from now on; for ever where no clock goes that far.
    pub fn after(time: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(time), stop: None }
    }

    /// The same, or until this is raised: there is one such flag, if any.
    #[must_use]
    pub fn or_raised(self, stop: &'static AtomicBool) -> Deadline {
        Deadline { stop: Some(stop), ..self }
    }

    /// Whichever is over first.
    #[must_use]
    pub fn or(self, other: Deadline) -> Deadline {
        let end = [self.end, other.end].into_iter().flatten().min();
        Deadline { end, stop: self.stop.or(other.stop) }
    }

    /// Whether it is over.
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
