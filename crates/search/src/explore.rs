//! Exploration of a state space: blind search in one loop.
//!
//! Each stored state is expanded once, in the chosen [`ExplorationOrder`]; each successor is
//! inserted into the store. Since every transition is looked up exactly once, `stored`, `matched`
//! and `errors` of a complete exploration are the same in every order. They are defined as SPIN
//! defines them.
//!
//! Promises: an exploration is [`Outcome::Complete`] only when every reachable state was expanded.
//! In breadth-first order, the first finding of a kind has a path with the fewest transitions
//! between stored states. An atomic sequence is one transition, however many steps it takes, so
//! such a path need not have the fewest steps. A fault lies one transition after the state of its
//! finding, a deadlock in it.
//!
//! With a [`Reduction`], all this holds for the reduced space: every state of it is expanded, and
//! paths need not be shortest. Findings are those of all transitions of the remaining states.
//!
//! It works in slices, without recursion and without a clock: a caller with a time limit checks the
//! clock between slices.

mod as_search;
mod pipelined_dfs;
mod reduced_successors;
mod sleep_sets;
mod store_migration;
mod successor_predictor;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use beeline_kernel::{Expander, Expansion, Fault, SleepSet, Space, StateId, StatePath, Stop};

use crate::finding::{Finding, FindingKind, Findings, StopCondition};
use crate::frontier::{ExplorationOrder, Frontier, FrontierEntry};
use crate::limits::{Limits, Outcome, Progress, SliceBudget};
use crate::reduction::{CycleCondition, PathCompression, Reduction, Refusal};
use crate::search::Search;
use crate::search_tree::SearchTree;
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, ProbeBatch, StateStore, StoreLimits};

use sleep_sets::SleepSetQueue;
pub use store_migration::{MigrationStatus, StoreMigration};
use successor_predictor::SuccessorPredictor;

/// Expansions of a pipelined depth-first search between two checks of memory.
const PIPELINE_SLICE: u64 = 64;

/// Options of an exploration. The default is everything, breadth-first, without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplorationOptions<'a> {
    /// The order of expansion.
    pub order: ExplorationOrder,
    /// The condition that ends the exploration early.
    pub until: StopCondition,
    /// Limits on depth, states and memory.
    pub limits: Limits,
    /// The number of findings of each kind to keep, at least one.
    pub keep: usize,
    /// Set to stop the exploration from another thread. It is polled when a slice begins, and
    /// once in about a thousand expansions.
    pub stop: Option<&'a AtomicBool>,
    /// Whether paths need not be shortest, whatever the order is: a state is not expanded if a later
    /// one covers it, however late.
    pub any_paths: bool,
}

/// An exploration of a state space, with the states in a store of type `T`.
pub struct Exploration<'a, T: StateStore = ExactStore> {
    expander: Box<dyn Expander + 'a>,
    store: T,
    tree: SearchTree,
    frontier: Frontier,
    findings: Findings,
    stats: Stats,
    outcome: Option<Outcome>,
    max_bytes: usize,
    stop: Option<&'a AtomicBool>,
    reduction: Option<Box<Reduction<'a>>>,
    path_compression: Option<Box<PathCompression<'a>>>,
    any_paths: bool,
    /// Sleep sets of the states in the frontier.
    sleep_sets: SleepSetQueue,
    work: Workspace,
}

/// Scratch memory of an exploration, reused between expansions.
#[derive(Default)]
struct Workspace {
    /// Expanded states whose successors are not stored yet.
    batch: Vec<Expanded>,
    /// Their successors.
    current: Box<ExpansionBatch>,
    /// Ids of the successors that were stored, in order.
    successors: Vec<StateId>,
    /// Depth-first only: the successors of the state that is expanded ahead.
    next: Box<ExpansionBatch>,
    /// Depth-first only: successors that are inserted after the others.
    deferred: Vec<usize>,
    predictor: SuccessorPredictor,
}

/// The successors of one or several states, and their probes.
#[derive(Default)]
struct ExpansionBatch {
    expansion: Expansion,
    probes: ProbeBatch,
}

/// An expanded state, whose successors are a part of an [`ExpansionBatch`].
#[derive(Clone, Copy)]
struct Expanded {
    entry: FrontierEntry,
    /// The processes whose transitions were pruned.
    asleep: SleepSet,
    /// Start and end of its part of the batch.
    begin: Offsets,
    end: Offsets,
    deadlock: bool,
}

/// A position in an expansion, and the counters there.
#[derive(Clone, Copy, Default)]
struct Offsets {
    successors: usize,
    faults: usize,
    violated_invariants: usize,
    hidden_steps: u64,
    pruned_by_sleep: u64,
}

impl Offsets {
    /// The end of an expansion.
    #[inline]
    fn of(expansion: &Expansion) -> Offsets {
        Offsets {
            successors: expansion.len(),
            faults: expansion.faults.len(),
            violated_invariants: expansion.violated_invariants.len(),
            hidden_steps: expansion.hidden_steps,
            pruned_by_sleep: expansion.pruned_by_sleep,
        }
    }
}

impl Expanded {
    /// The range of its successors in the batch.
    #[inline]
    fn successors(&self) -> Range<usize> {
        self.begin.successors..self.end.successors
    }

    /// The range of its faults in the batch.
    #[inline]
    fn faults(&self) -> Range<usize> {
        self.begin.faults..self.end.faults
    }

    /// Whether it has a fault, a violated invariant or a deadlock.
    #[inline]
    fn has_findings(&self) -> bool {
        self.deadlock
            || self.begin.faults != self.end.faults
            || self.begin.violated_invariants != self.end.violated_invariants
    }
}

impl<'a> Exploration<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// If the model fails before its first step: there is nothing to explore.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        options: ExplorationOptions<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, options)
    }
}

impl<'a, T: StateStore> Exploration<'a, T> {
    /// Stores the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// If the model fails before its first step: there is nothing to explore.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        options: ExplorationOptions<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let limits = options.limits;
        let max_bytes = limits.bytes.unwrap_or(usize::MAX);
        let states = limits.states.unwrap_or(usize::MAX);
        let root = StateId::new(0).expect("0 is an id");
        let mut exploration = Exploration {
            expander: space.expander(),
            store: T::new(StoreLimits { bytes: max_bytes, states }),
            tree: SearchTree::new(),
            frontier: Frontier::new(options.order, root, limits.depth.unwrap_or(u32::MAX)),
            findings: Findings::new(options.keep, options.until),
            stats: Stats::default(),
            outcome: None,
            max_bytes,
            stop: options.stop,
            // A state within the limit may be covered by one at its edge.
            any_paths: options.any_paths && limits.depth.is_none(),
            reduction: None,
            path_compression: None,
            sleep_sets: SleepSetQueue::new(options.order == ExplorationOrder::Breadth),
            work: Workspace::default(),
        };
        if exploration.store.insert(&initial) == Inserted::Full {
            exploration.outcome = Some(Outcome::Incomplete(Stop::Memory));
        } else {
            exploration.tree.add(root);
        }
        Ok(exploration)
    }

    /// Applies a reduction. To be called before the exploration begins.
    ///
    /// # Errors
    ///
    /// If it has begun, or if the cycle condition needs a stack and the order is not depth-first.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        let reduction = reduction.suited(self.frontier.conditions(), self.stats.expanded)?;
        if reduction.condition().needs_stack() {
            self.frontier.track_path();
        }
        self.reduction = Some(Box::new(reduction));
        self.sleep_sets = SleepSetQueue::new(false);
        Ok(self)
    }

    /// Does not store states of which the reduction keeps a single transition, if there is a
    /// reduction without a cycle condition. To be called before the exploration begins.
    #[must_use]
    pub fn with_passage(mut self, passage: PathCompression<'a>) -> Self {
        let has_condition =
            |reduction: &Reduction<'_>| reduction.condition() != CycleCondition::None;
        if self.stats.expanded == 0 && !self.reduction.as_deref().is_none_or(has_condition) {
            self.path_compression = Some(Box::new(passage));
        }
        self
    }

    /// Whether there is a reduction, with which paths need not be shortest.
    pub fn is_reduced(&self) -> bool {
        self.reduction.is_some()
    }

    /// Continues until the budget is used up or the exploration is over.
    pub fn advance(&mut self, budget: SliceBudget) -> Progress {
        Search::advance(self, budget)
    }

    /// Continues until the exploration is over.
    pub fn finish(&mut self) -> Outcome {
        Search::finish(self)
    }

    /// The counters so far.
    pub fn stats(&self) -> Stats {
        let (stored, store_bytes) = (self.store.len() as u64, self.store.bytes() as u64);
        let table_bytes = self.store.table_bytes() as u64;
        let state_bytes = self.store.longest() as u64;
        let covered = self.store.covered() as u64;
        let stats = Stats { stored, store_bytes, table_bytes, state_bytes, covered, ..self.stats };
        self.reduction.as_ref().map_or(stats, |reduction| reduction.stats(stats))
    }

    /// The findings so far, in the order found.
    pub fn findings(&self) -> &[Finding] {
        self.findings.kept()
    }

    /// The states from the initial one to this one, both included, on the path of the exploration.
    ///
    /// # Panics
    ///
    /// If the id comes from another exploration.
    pub fn path_to(&self, state: StateId) -> Vec<StateId> {
        self.tree.path_to(state)
    }

    /// A path of stored states, completed by the states between them that path compression did not
    /// store.
    pub(crate) fn with_passed(&self, path: StatePath) -> StatePath {
        let Some(compression) = &self.path_compression else { return path };
        let mut whole: StatePath = path.first().into_iter().collect();
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            whole.extend(compression.between(from, to));
            whole.push(to);
        }
        whole
    }

    /// A stored state.
    ///
    /// # Panics
    ///
    /// If the id comes from another exploration.
    pub fn state(&self, id: StateId) -> Vec<u8> {
        let mut state = Vec::new();
        self.store.load(id, &mut state);
        state
    }

    /// Memory held by store, tree and frontier.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.tree.bytes() + self.frontier.bytes() + self.sleep_sets.bytes()
    }

    /// Moves the states to another store, in slices.
    pub fn migrate<U: StateStore>(self) -> StoreMigration<'a, T, U> {
        StoreMigration::new(self)
    }

    /// Expands the next state, and up to `most` states where the order allows it: all of them
    /// before any successor is inserted, so that the store can prefetch. Returns how the
    /// exploration ended, if it did.
    fn expand_batch(&mut self, most: u64) -> Option<Outcome> {
        let most = most.min(self.store.batch_size() as u64) as usize;
        let Some(first) = self.frontier.pop(self.store.len(), &mut self.tree) else {
            // The frontier is empty although some stored state was not expanded.
            return Some(Outcome::Incomplete(Stop::Depth));
        };
        self.work.batch.clear();
        self.work.current.expansion.clear();
        let (mut entry, mut begin) = (first, Offsets::default());
        loop {
            begin = self.expand(entry, begin);
            if self.work.batch.len() == most {
                break;
            }
            let Some(next) = self.frontier.pop_beside() else { break };
            entry = next;
        }
        let ExpansionBatch { expansion, probes } = &mut *self.work.current;
        self.store.prefetch_slots(&expansion.successors, probes);
        self.store.prefetch_candidates(0..expansion.len(), probes);
        for at in 0..self.work.batch.len() {
            let outcome = self.settle(self.work.batch[at]);
            if outcome.is_some() {
                return outcome;
            }
        }
        self.check_memory()
    }

    /// Ends the exploration if it holds more memory than allowed.
    #[inline]
    fn check_memory(&self) -> Option<Outcome> {
        (self.bytes() > self.max_bytes).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Expands a state into the batch, from offset `begin` on. Returns the end of its part.
    #[inline]
    fn expand(&mut self, entry: FrontierEntry, begin: Offsets) -> Offsets {
        let asleep = self.sleep_sets.take(entry.id);
        let cover = self.store.covered_by(entry.id);
        let (state, expansion) = (self.store.open(entry.id), &mut self.work.current.expansion);
        expansion.deadlock = false;
        // What can happen in a covered state can happen in the one that covers it, as early.
        if cover.is_some_and(|cover| self.any_paths || self.frontier.is_no_later(cover)) {
            self.stats.skipped += 1;
        } else {
            self.expander.expand_except(state, asleep, expansion);
        }
        let (end, deadlock) = (Offsets::of(expansion), expansion.deadlock);
        self.work.batch.push(Expanded { entry, asleep, begin, end, deadlock });
        end
    }

    /// Records findings and stores successors of a state of the batch.
    #[inline]
    fn settle(&mut self, expanded: Expanded) -> Option<Outcome> {
        if self.count(expanded) {
            return Some(Outcome::Found);
        }
        let reduced = match self.reduction {
            None => None,
            Some(_) => self.store_reduced(expanded),
        };
        let stored = self.store.len();
        self.sleep_sets.begin();
        let has_room = match reduced {
            None => self.store_successors(expanded.entry, expanded.successors()),
            Some(has_room) => has_room,
        };
        if !self.sleep_sets.new_successors.is_empty() {
            self.assign_sleep_sets(expanded, stored);
        }
        if !has_room {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        (self.stats.expanded == self.store.len() as u64).then_some(Outcome::Complete)
    }

    /// Counts an expanded state. Returns whether its findings end the exploration.
    #[inline]
    fn count(&mut self, expanded: Expanded) -> bool {
        let Expanded { entry, begin, end, .. } = expanded;
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(entry.depth));
        self.stats.atomic_steps += end.hidden_steps - begin.hidden_steps;
        // A pruned transition leads to a stored state, and counts as one that was looked up.
        let pruned = end.pruned_by_sleep - begin.pruned_by_sleep;
        self.stats.slept += pruned;
        self.stats.matched += pruned;
        self.stats.generated += pruned;
        expanded.has_findings() && self.record_findings(expanded)
    }

    /// Returns whether the findings end the exploration.
    #[cold]
    fn record_findings(&mut self, expanded: Expanded) -> bool {
        let Expanded { entry, begin, end, deadlock, .. } = expanded;
        let expansion = &self.work.current.expansion;
        let violated = begin.violated_invariants..end.violated_invariants;
        let violated = &expansion.violated_invariants[violated];
        let faults = expansion.faults[expanded.faults()].iter();
        let kinds = faults.map(|failure| FindingKind::Fault(failure.fault));
        let kinds =
            kinds.chain(violated.iter().map(|&invariant| FindingKind::Invariant(invariant)));
        let kinds = kinds.chain(deadlock.then_some(FindingKind::Deadlock));
        let mut ends = false;
        for kind in kinds {
            self.stats.errors += 1;
            ends |= self.findings.record(Finding { state: entry.id, kind });
        }
        ends
    }

    /// Stores successors, and adds them to the frontier. Returns whether there was room for all.
    #[inline]
    fn store_successors(&mut self, from: FrontierEntry, range: Range<usize>) -> bool {
        self.work.successors.clear();
        let has_room = self.store_range(from, range);
        if self.frontier.wants_successors() {
            self.frontier.push(from, &self.work.successors);
        }
        has_room
    }

    /// Stores successors, and notes their ids if the frontier needs them. Returns whether there was
    /// room for all.
    #[inline]
    fn store_range(&mut self, from: FrontierEntry, range: Range<usize>) -> bool {
        let wants_successors = self.frontier.wants_successors();
        let (mut has_room, mut matched, before) = (true, 0, self.store.len());
        let (tree, successors) = (&mut self.tree, &mut self.work.successors);
        let SleepSetQueue { is_recording, new_successors, .. } = &mut self.sleep_sets;
        let mut at = range.start;
        let ExpansionBatch { expansion, probes } = &*self.work.current;
        self.store.insert_batch(&expansion.successors, range, probes, |inserted| {
            at += 1;
            let id = match inserted {
                Inserted::New(id) => {
                    tree.add(from.id);
                    if *is_recording {
                        new_successors.push(at - 1);
                    }
                    id
                }
                Inserted::Old(id) => {
                    matched += 1;
                    id
                }
                // A step to a known state, such as this one, opens nothing.
                Inserted::Covered => {
                    matched += 1;
                    from.id
                }
                Inserted::Full => {
                    has_room = false;
                    return;
                }
            };
            if wants_successors {
                successors.push(id);
            }
        });
        self.stats.matched += matched;
        self.stats.generated += matched + (self.store.len() - before) as u64;
        has_room
    }
}
