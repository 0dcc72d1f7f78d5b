//! Limits of the exploration of abstract spaces.

use beeline_kernel::Deadline;

/// Steps that are looked at and taken, for each state that a database may have.
const WORK: usize = 40;

/// How much may be explored.
#[derive(Clone, Copy, Debug)]
pub struct PatternBudget {
    /// Abstract states of one database, at most.
    pub states: usize,
    /// Steps looked at and taken in all that is explored, at most; counts down.
    pub work: usize,
    /// Abstract states that have been explored, of all patterns that were tried; counts up.
    pub explored: usize,
    /// Memory for what is explored at a time, about.
    pub bytes: usize,
    /// Until when; then there is no work left.
    pub deadline: Deadline,
    /// What ran out that would not have with other limits of the whole run.
    pub short_of: Option<PatternShortage>,
}

/// What may run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternShortage {
    /// There was no time.
    Time,
    /// There was no memory.
    Bytes,
}

impl PatternShortage {
    /// What to say about tables that are not complete for it.
    pub(crate) fn remark(self) -> String {
        let what = match self {
            PatternShortage::Time => "its time was over",
            PatternShortage::Bytes => "its share of the memory was used up (--memory)",
        };
        format!("pdb is cut short: {what}")
    }
}

impl PatternBudget {
    /// For databases of at most so many states.
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

/// A pattern has too many abstract states, or steps between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternTooLarge;
