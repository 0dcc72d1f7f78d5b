//! Limits of the exploration of abstract spaces.

use beeline_kernel::Deadline;

/// Work per abstract state of a database: visited operators and edges.
const WORK: usize = 40;

/// Limits of exploration.
#[derive(Clone, Copy, Debug)]
pub struct PatternBudget {
    /// Abstract states of one database.
    pub states: usize,
    /// Remaining work in total: visited operators and edges.
    pub work: usize,
    /// Abstract states explored so far, over all patterns.
    pub explored: usize,
    /// Approximate bytes of one exploration.
    pub bytes: usize,
    /// Time limit; afterwards no work is left.
    pub deadline: Deadline,
    /// The exhausted limit of the whole run, if any.
    pub short_of: Option<PatternShortage>,
}

/// An exhausted limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternShortage {
    /// Time.
    Time,
    /// Memory.
    Bytes,
}

impl PatternShortage {
    /// The remark for the user about incomplete tables.
    pub(crate) fn remark(self) -> String {
        let what = match self {
            PatternShortage::Time => "its time limit was reached",
            PatternShortage::Bytes => "its share of the memory was used up (--memory)",
        };
        format!("pdb is cut short: {what}")
    }
}

impl PatternBudget {
    /// Limits for databases of at most this many states.
    pub fn new(states: usize) -> PatternBudget {
        let (bytes, deadline) = (usize::MAX, Deadline::NEVER);
        let work = states.saturating_mul(WORK);
        PatternBudget { states, work, explored: 0, bytes, deadline, short_of: None }
    }

    pub(crate) fn spend(&mut self, work: usize) -> Result<(), PatternTooLarge> {
        self.work = self.work.saturating_sub(work);
        if self.deadline.is_over() {
            (self.work, self.short_of) = (0, Some(PatternShortage::Time));
        }
        if self.work == 0 { Err(PatternTooLarge) } else { Ok(()) }
    }
}

/// The abstract space of a pattern exceeds the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternTooLarge;
