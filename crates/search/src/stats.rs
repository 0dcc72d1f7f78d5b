//! Counters of searches, as SPIN defines them.

use beeline_kernel::{Estimate, Expansion};

/// Counters of a search. Those about estimates stay empty without a heuristic.
///
/// The counters of a complete exploration are the same in each order, except for `depth`, and
/// `store_bytes` if states differ in length. Before the end, `stored` includes open states, which a
/// depth-first SPIN has not stored yet: its number at an error is our `expanded`.
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
    /// Steps inside transitions, to states that were not stored.
    pub atomic_steps: u64,
    /// Faults and deadlocks found.
    pub errors: u64,
    /// Length of the longest state.
    pub state_bytes: u64,
    /// Memory of the store: table, states, and offsets.
    pub store_bytes: u64,
    /// Its part in hash tables.
    pub table_bytes: u64,
    /// Number of estimates.
    pub evaluated: u64,
    /// Work of the heuristic for these, and of a reducer for its proposals, in approximate
    /// nanoseconds; 0 if negligible.
    pub effort: u64,
    /// States that were expanded again, since a cheaper path to them was found.
    pub reopened: u64,
    /// The estimate of the initial state; `None` if there is none, or a dead end.
    pub h_initial: Option<u32>,
    /// The least finite estimate.
    pub h_min: Option<u32>,
    /// The greatest finite estimate.
    pub h_max: Option<u32>,
    /// States of which a reduction kept only some transitions.
    pub reduced: u64,
    /// States of which it kept all transitions, since no proposed set met the condition.
    pub refused: u64,
    /// States of which it kept all transitions, since no set was proposed.
    pub unreduced: u64,
    /// Transitions that it pruned.
    pub cut: u64,
    /// States that path compression did not store, counted at each visit.
    pub passed: u64,
    /// Transitions that were pruned by sleep sets, and counted, since their targets are stored.
    pub slept: u64,
    /// Stored states that later ones cover.
    pub covered: u64,
    /// States among them that were not expanded, although they count as such.
    pub skipped: u64,
}

impl Stats {
    /// Counts a state that was expanded at this depth, with its errors.
    #[inline]
    pub(crate) fn count(&mut self, expansion: &Expansion, depth: u32) {
        self.expanded += 1;
        self.depth = self.depth.max(u64::from(depth));
        self.atomic_steps += expansion.hidden_steps;
        let errors = expansion.faults.len() + expansion.violated_invariants.len();
        self.errors += errors as u64 + u64::from(expansion.deadlock);
    }

    /// What SPIN calls transitions: each transition to a state, and one for the initial state.
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }

    /// Adds the counters of another search; maxima are combined.
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
        self.covered += other.covered;
        self.skipped += other.skipped;
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
