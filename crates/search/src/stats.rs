//! What a search has done, in the words of SPIN.

use beeline_kernel::{Estimate, Expansion};

/// Counters of a search. Those about estimates stay empty where there are none.
///
/// Of a complete exploration, everything is the same in each order except for
/// `depth`, and `store_bytes` where states differ in length. Before the end,
/// `stored` counts open states, too: depth-first, SPIN would
/// not have stored these yet, so its number at an error is our `expanded`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Different states, the initial one included.
    pub stored: u64,
    /// Transitions to a state that was already stored.
    pub matched: u64,
    /// States whose successors were generated.
    pub expanded: u64,
    /// Successors generated, one for each transition: `stored + matched - 1`.
    pub generated: u64,
    /// Transitions from the initial state, whose depth is 0, to the deepest expanded
    /// state, on the path the search took: breadth-first, the number of the last
    /// layer; depth-first, the longest stack. A transition goes from stored state to
    /// stored state, so an atomic sequence is one transition. Directed searches count steps
    /// instead of transitions.
    pub depth: u64,
    /// Steps inside of transitions, to states that were not stored.
    pub atomic_steps: u64,
    /// Faults and deadlocks found.
    pub errors: u64,
    /// Length of the longest state.
    pub state_bytes: u64,
    /// Memory of the store: table, states, and where each begins.
    pub store_bytes: u64,
    /// The part of it that hash tables hold.
    pub table_bytes: u64,
    /// Estimates asked for.
    pub evaluated: u64,
    /// What the heuristic did for these, and a reducer for its proposals, in about as many
    /// nanoseconds, where it is worth counting.
    pub effort: u64,
    /// States that were expanded and had to be expanded again, for there was a cheaper
    /// way to them.
    pub reopened: u64,
    /// The estimate of the initial state; `None` if there is none, or a dead end.
    pub h_initial: Option<u32>,
    /// The least estimate, dead ends left aside.
    pub h_min: Option<u32>,
    /// The greatest estimate, dead ends left aside.
    pub h_max: Option<u32>,
    /// States of which a reduction kept only some transitions.
    pub reduced: u64,
    /// States of which it kept all transitions, for what was proposed did not meet its condition.
    pub refused: u64,
    /// States of which it kept all transitions, for nothing was proposed.
    pub unreduced: u64,
    /// Transitions that it pruned.
    pub cut: u64,
    /// States that were passed without being stored, each time that one was.
    pub passed: u64,
    /// Transitions that were counted without being executed, since they were known to lead to stored states.
    pub slept: u64,
}

impl Stats {
    /// Counts a state that was expanded, so deep, with all that is wrong there.
    #[inline]
    pub(crate) fn count(&mut self, expansion: &Expansion, depth: u32) {
        self.expanded += 1;
        self.depth = self.depth.max(u64::from(depth));
        self.atomic_steps += expansion.hidden_steps;
        let errors = expansion.faults.len() + expansion.violated_invariants.len();
        self.errors += errors as u64 + u64::from(expansion.deadlock);
    }

    /// What SPIN calls transitions: each transition to a state, with the initial state
    /// counted as one.
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }

    /// Adds what another search did: counts are added up, what is greatest stays.
    pub fn add(&mut self, other: &Stats) {
        self.stored += other.stored;
        self.matched += other.matched;
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.depth = self.depth.max(other.depth);
        self.atomic_steps += other.atomic_steps;
        self.errors += other.errors;
        self.state_bytes = self.state_bytes.max(other.state_bytes);
        self.store_bytes = self.store_bytes.max(other.store_bytes);
        self.table_bytes = self.table_bytes.max(other.table_bytes);
        self.evaluated += other.evaluated;
        self.effort += other.effort;
        self.reopened += other.reopened;
        self.h_initial = self.h_initial.or(other.h_initial);
        self.h_min = [self.h_min, other.h_min].into_iter().flatten().min();
        self.h_max = self.h_max.max(other.h_max);
        self.reduced += other.reduced;
        self.refused += other.refused;
        self.unreduced += other.unreduced;
        self.cut += other.cut;
        self.passed += other.passed;
        self.slept += other.slept;
    }

    /// Records estimates.
    pub(crate) fn evaluate(&mut self, estimates: &[Estimate]) {
        self.evaluated += estimates.len() as u64;
        for h in estimates.iter().filter_map(|estimate| estimate.finite()) {
            self.h_min = Some(self.h_min.map_or(h.0, |least| least.min(h.0)));
            self.h_max = Some(self.h_max.map_or(h.0, |greatest| greatest.max(h.0)));
        }
    }
}
