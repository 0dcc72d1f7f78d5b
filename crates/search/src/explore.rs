//! Exploring a state space: blind search for everything, in one loop.
//!
//! Each stored state is expanded once, in the chosen [`Order`]; each successor is
//! stored unless it is known. Since every way to a successor is looked up in the
//! store exactly once, `stored`, `matched` and `errors` of a complete exploration
//! are the same in every order. They are defined as SPIN defines them.
//!
//! Promises: an exploration is [`Outcome::Complete`] only when every reachable
//! state was expanded. In breadth-first order, the first finding of a kind has a
//! path with the fewest possible moves between stored states; an atomic sequence
//! is one such move, however many steps it takes, so a path with the fewest moves
//! need not be one with the fewest steps. A fault lies one move behind the state
//! of its finding, a deadlock in it.
//!
//! It works in slices, without recursion and without a clock: a time limit is
//! the caller's, who looks at the clock between slices.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Expander, Expansion, Failure, Fault, Space, StateId, Stop};

use crate::finding::{Finding, FindingKind, Findings, Until};
use crate::frontier::{Frontier, Order, Turn};
use crate::limits::{Budget, Limits, Outcome, Progress};
use crate::stats::Stats;
use crate::store::{Ahead, Ceiling, ExactStore, Inserted, StateStore};
use crate::tree::Tree;

/// The stop flag is looked at once in so many expansions.
const POLL: u64 = 1024;

/// How to explore. The default is everything, breadth-first, without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Which state comes next.
    pub order: Order,
    /// What ends the exploration early.
    pub until: Until,
    /// What it may use up.
    pub limits: Limits,
    /// How many findings of each kind to keep: at least one, even if 0 is given.
    pub keep: usize,
    /// Raised when the exploration should stop, from wherever. It is looked at
    /// when a slice begins, and after about a thousand expansions again.
    pub stop: Option<&'a AtomicBool>,
}

/// A walk through a state space, with the states kept in a store of type `T`.
pub struct Exploration<'a, T: StateStore = ExactStore> {
    expander: Box<dyn Expander + 'a>,
    store: T,
    tree: Tree,
    frontier: Frontier,
    findings: Findings,
    stats: Stats,
    outcome: Option<Outcome>,
    max_bytes: usize,
    stop: Option<&'a AtomicBool>,
    /// States under way. Kept for their memory, as is what follows.
    batch: Vec<Job>,
    successors: Vec<StateId>,
}

/// A state that was expanded, and whose successors are not stored yet.
struct Job {
    turn: Turn,
    expansion: Expansion,
    ahead: Ahead,
}

impl<'a> Exploration<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to explore.
    pub fn new<S: Space + ?Sized>(space: &'a S, options: Options<'a>) -> Result<Self, Fault> {
        Self::with_store(space, options)
    }
}

impl<'a, T: StateStore> Exploration<'a, T> {
    /// Stores the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to explore.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        options: Options<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let limits = options.limits;
        let max_bytes = limits.bytes.unwrap_or(usize::MAX);
        let states = limits.states.unwrap_or(usize::MAX);
        let root = StateId::new(0).expect("there is a first number");
        let mut exploration = Exploration {
            expander: space.expander(),
            store: T::new(Ceiling { bytes: max_bytes, states }),
            tree: Tree::new(),
            frontier: Frontier::new(options.order, root, limits.depth.unwrap_or(u32::MAX)),
            findings: Findings::new(options.keep, options.until),
            stats: Stats::default(),
            outcome: None,
            max_bytes,
            stop: options.stop,
            batch: Vec::new(),
            successors: Vec::new(),
        };
        if exploration.store.insert(&initial) == Inserted::Full {
            exploration.outcome = Some(Outcome::Incomplete(Stop::Memory));
        } else {
            exploration.tree.add(root);
            exploration.stats.state_bytes = initial.len() as u64;
        }
        Ok(exploration)
    }

    /// Goes on until the budget is used up or the exploration is over.
    pub fn advance(&mut self, budget: Budget) -> Progress {
        self.poll();
        let begin = self.stats.expanded;
        let mut next_poll = begin + POLL;
        while self.outcome.is_none() {
            let done = self.stats.expanded - begin;
            if done >= budget.expansions {
                break;
            }
            if self.stats.expanded >= next_poll {
                next_poll = self.stats.expanded + POLL;
                self.poll();
            }
            let most = (budget.expansions - done).min(T::BATCH as u64) as usize;
            self.outcome = self.outcome.or_else(|| self.take_turns(most));
        }
        self.outcome.map_or(Progress::Paused, Progress::Done)
    }

    /// Goes on until the exploration is over.
    pub fn finish(&mut self) -> Outcome {
        loop {
            if let Progress::Done(outcome) = self.advance(Budget::UNLIMITED) {
                return outcome;
            }
        }
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        let (stored, store_bytes) = (self.store.len() as u64, self.store.bytes() as u64);
        let table_bytes = self.store.table_bytes() as u64;
        Stats { stored, store_bytes, table_bytes, ..self.stats }
    }

    /// What was found so far, in the order found.
    pub fn findings(&self) -> &[Finding] {
        self.findings.kept()
    }

    /// The states from the initial one to this one, both included, on the path
    /// the exploration took.
    ///
    /// # Panics
    ///
    /// When the id comes from another exploration.
    pub fn path_to(&self, state: StateId) -> Vec<StateId> {
        self.tree.path_to(state)
    }

    /// A stored state.
    ///
    /// # Panics
    ///
    /// When the id comes from another exploration.
    pub fn state(&self, id: StateId) -> Vec<u8> {
        let mut state = Vec::new();
        self.store.load(id, &mut state);
        state
    }

    /// Memory held by the store, the parents and the frontier.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.tree.bytes() + self.frontier.bytes()
    }

    fn poll(&mut self) {
        let raised = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if raised && self.outcome.is_none() {
            self.outcome = Some(Outcome::Incomplete(Stop::Interrupted));
        }
    }

    /// Expands the next state, and up to `most` where the order allows it: all of them
    /// before the successors of any are stored, so that the store can look ahead.
    /// Says how the exploration ended, if it did.
    fn take_turns(&mut self, most: usize) -> Option<Outcome> {
        let Some(first) = self.frontier.pop(self.store.len(), &mut self.tree) else {
            // A stored state was not expanded, but none is waiting.
            return Some(Outcome::Incomplete(Stop::Depth));
        };
        self.expand(0, first);
        let mut count = 1;
        while count < most
            && let Some(turn) = self.frontier.pop_beside()
        {
            self.expand(count, turn);
            count += 1;
        }
        for job in &mut self.batch[..count] {
            self.store.look_closer(&mut job.ahead);
        }
        (0..count).find_map(|at| self.settle(at))
    }

    /// Expands a state as this job of the batch.
    fn expand(&mut self, at: usize, turn: Turn) {
        if at == self.batch.len() {
            let (expansion, ahead) = (Expansion::default(), Ahead::default());
            self.batch.push(Job { turn, expansion, ahead });
        }
        let job = &mut self.batch[at];
        job.turn = turn;
        self.expander.expand(self.store.open(turn.id), &mut job.expansion);
        self.store.look_ahead(&job.expansion, &mut job.ahead);
    }

    /// Takes in what was found for a job of the batch.
    fn settle(&mut self, at: usize) -> Option<Outcome> {
        let Job { turn, expansion, .. } = &self.batch[at];
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(turn.depth));
        self.stats.atomic_steps += expansion.hidden_steps;
        if self.record_findings(at) {
            return Some(Outcome::Found);
        }
        if !self.store_successors(at) {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        if self.stats.expanded == self.store.len() as u64 {
            return Some(Outcome::Complete);
        }
        (self.bytes() > self.max_bytes).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Says whether the exploration has found what it was looking for.
    fn record_findings(&mut self, at: usize) -> bool {
        let Job { turn, expansion, .. } = &self.batch[at];
        let state = turn.id;
        let mut met = false;
        for &Failure { fault, .. } in &expansion.faults {
            self.stats.errors += 1;
            met |= self.findings.record(Finding { state, kind: FindingKind::Fault(fault) });
        }
        for &invariant in &expansion.broken {
            self.stats.errors += 1;
            met |= self.findings.record(Finding { state, kind: FindingKind::Broken(invariant) });
        }
        if expansion.deadlock {
            self.stats.errors += 1;
            met |= self.findings.record(Finding { state, kind: FindingKind::Deadlock });
        }
        met
    }

    /// Says whether there was room for all of them.
    fn store_successors(&mut self, at: usize) -> bool {
        let Job { turn, expansion, ahead } = &self.batch[at];
        let turn = *turn;
        self.successors.clear();
        let mut longest = 0;
        let mut room = true;
        let (tree, successors, stats) = (&mut self.tree, &mut self.successors, &mut self.stats);
        self.store.insert_all(expansion, ahead, |inserted, state| match inserted {
            Inserted::New(id) => {
                tree.add(turn.id);
                longest = longest.max(state.len());
                successors.push(id);
            }
            Inserted::Old(id) => {
                stats.matched += 1;
                successors.push(id);
            }
            Inserted::Full => room = false,
        });
        self.stats.generated += self.successors.len() as u64;
        self.stats.state_bytes = self.stats.state_bytes.max(longest as u64);
        self.frontier.push(turn, &self.successors);
        room
    }
}
