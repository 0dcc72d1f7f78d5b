//! Exploring a state space: blind search for everything, in one loop.
//!
//! Each stored state is expanded once, in the chosen [`ExplorationOrder`]; each successor is
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
//! With a [`Reduction`], all this is about the reduced space: "every reachable state" is
//! every one of that, and paths need not be shortest. Findings are those of all ways out of
//! the states that are left.
//!
//! It works in slices, without recursion and without a clock: a time limit is
//! the caller's, who looks at the clock between slices.

mod as_search;
mod pipelined_dfs;
mod reduced_successors;
mod sleep_sets;
mod store_migration;
mod successor_predictor;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use beeline_kernel::{Expander, Expansion, Fault, SleepSet, Space, StateId, Stop};

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

/// How many states a dive expands before memory is looked at.
const PIPELINE_SLICE: u64 = 64;

/// How to explore. The default is everything, breadth-first, without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplorationOptions<'a> {
    /// Which state comes next.
    pub order: ExplorationOrder,
    /// What ends the exploration early.
    pub until: StopCondition,
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
    tree: SearchTree,
    frontier: Frontier,
    findings: Findings,
    stats: Stats,
    outcome: Option<Outcome>,
    max_bytes: usize,
    stop: Option<&'a AtomicBool>,
    reduction: Option<Box<Reduction<'a>>>,
    passage: Option<Box<PathCompression<'a>>>,
    /// States under way, and what follows them all. Kept for their memory, as is the rest.
    batch: Vec<Expanded>,
    now: Box<ExpansionBatch>,
    /// Of a dive: what follows the next state, and which successors of the last one were
    /// passed over.
    next: Box<ExpansionBatch>,
    deferred: Vec<usize>,
    predictor: SuccessorPredictor,
    /// Successors that were stored.
    successors: Vec<StateId>,
    /// Who need not be asked in states that wait.
    sleep_sets: SleepSetQueue,
}

/// What follows a state, or several of them, and what the store knows of it.
#[derive(Default)]
struct ExpansionBatch {
    expansion: Expansion,
    ahead: ProbeBatch,
}

/// A state that was expanded, and whose successors are not stored yet.
#[derive(Clone, Copy)]
struct Expanded {
    turn: FrontierEntry,
    /// Who was not asked.
    asleep: SleepSet,
    /// Where in the expansion of the batch its part ends.
    end: Offsets,
    deadlock: bool,
}

/// How much there is in an expansion.
#[derive(Clone, Copy, Default)]
struct Offsets {
    successors: usize,
    faults: usize,
    broken: usize,
    hidden_steps: u64,
    slept: u64,
}

impl Offsets {
    #[inline]
    fn of(expansion: &Expansion) -> Offsets {
        Offsets {
            successors: expansion.len(),
            faults: expansion.faults.len(),
            broken: expansion.violated_invariants.len(),
            hidden_steps: expansion.hidden_steps,
            slept: expansion.pruned_by_sleep,
        }
    }
}

impl<'a> Exploration<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to explore.
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
    /// When the model fails before its first step: there is nothing to explore.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        options: ExplorationOptions<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let limits = options.limits;
        let max_bytes = limits.bytes.unwrap_or(usize::MAX);
        let states = limits.states.unwrap_or(usize::MAX);
        let root = StateId::new(0).expect("there is a first number");
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
            reduction: None,
            passage: None,
            batch: Vec::new(),
            now: Box::default(),
            next: Box::default(),
            deferred: Vec::new(),
            predictor: SuccessorPredictor::default(),
            successors: Vec::new(),
            sleep_sets: SleepSetQueue::new(options.order == ExplorationOrder::Breadth),
        };
        if exploration.store.insert(&initial) == Inserted::Full {
            exploration.outcome = Some(Outcome::Incomplete(Stop::Memory));
        } else {
            exploration.tree.add(root);
        }
        Ok(exploration)
    }

    /// Leaves out ways from now on. Called before the exploration begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or does not go depth-first and the condition needs a stack.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        let reduction = reduction.suited(self.frontier.conditions(), self.stats.expanded)?;
        if reduction.condition().needs_stack() {
            self.frontier.track_path();
        }
        self.reduction = Some(Box::new(reduction));
        self.sleep_sets = SleepSetQueue::new(false);
        Ok(self)
    }

    /// From now on, states of which a single way is kept are passed and not stored, if there is
    /// a reduction that asks for nothing. Called before the exploration begins.
    #[must_use]
    pub fn with_passage(mut self, passage: PathCompression<'a>) -> Self {
        let asks = |reduction: &Reduction<'_>| reduction.condition() != CycleCondition::None;
        if self.stats.expanded == 0 && !self.reduction.as_deref().is_none_or(asks) {
            self.passage = Some(Box::new(passage));
        }
        self
    }

    /// Whether ways are left out, so that nothing is known about shortest paths.
    pub fn is_reduced(&self) -> bool {
        self.reduction.is_some()
    }

    /// Goes on until the budget is used up or the exploration is over.
    pub fn advance(&mut self, budget: SliceBudget) -> Progress {
        Search::advance(self, budget)
    }

    /// Goes on until the exploration is over.
    pub fn finish(&mut self) -> Outcome {
        Search::finish(self)
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        let (stored, store_bytes) = (self.store.len() as u64, self.store.bytes() as u64);
        let table_bytes = self.store.table_bytes() as u64;
        let state_bytes = self.store.longest() as u64;
        let stats = Stats { stored, store_bytes, table_bytes, state_bytes, ..self.stats };
        self.reduction.as_ref().map_or(stats, |reduction| reduction.stats(stats))
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

    /// A path of stored states, with those that were passed between them.
    pub(crate) fn with_passed(&self, path: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let Some(passage) = &self.passage else { return path };
        let mut whole: Vec<Vec<u8>> = Vec::new();
        for state in path {
            if let Some(before) = whole.last() {
                whole.extend(passage.between(before, &state));
            }
            whole.push(state);
        }
        whole
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
        self.store.bytes() + self.tree.bytes() + self.frontier.bytes() + self.sleep_sets.bytes()
    }

    /// Lets another store take over the states, bit by bit.
    pub fn migrate<U: StateStore>(self) -> StoreMigration<'a, T, U> {
        StoreMigration::new(self)
    }

    /// Expands the next state, and up to `most` where the order allows it: all of them
    /// before the successors of any are stored, so that the store can look ahead.
    /// Says how the exploration ended, if it did.
    fn expand_batch(&mut self, most: u64) -> Option<Outcome> {
        let most = most.min(self.store.batch_size() as u64) as usize;
        let Some(first) = self.frontier.pop(self.store.len(), &mut self.tree) else {
            // A stored state was not expanded, but none is waiting.
            return Some(Outcome::Incomplete(Stop::Depth));
        };
        self.batch.clear();
        self.now.expansion.clear();
        let mut turn = first;
        loop {
            self.expand(turn);
            if self.batch.len() == most {
                break;
            }
            let Some(next) = self.frontier.pop_beside() else { break };
            turn = next;
        }
        self.store.prefetch_slots(&self.now.expansion.successors, &mut self.now.ahead);
        self.store.prefetch_candidates(0..self.now.expansion.len(), &mut self.now.ahead);
        let mut begin = Offsets::default();
        for at in 0..self.batch.len() {
            let expanded = self.batch[at];
            let outcome = self.settle(expanded, begin);
            if outcome.is_some() {
                return outcome;
            }
            begin = expanded.end;
        }
        self.check_memory()
    }

    /// Says that the exploration ended, if it has more than it may have.
    #[inline]
    fn check_memory(&self) -> Option<Outcome> {
        (self.bytes() > self.max_bytes).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Expands a state as the next one of the batch.
    #[inline]
    fn expand(&mut self, turn: FrontierEntry) {
        let asleep = self.sleep_sets.take(turn.id);
        let (state, expansion) = (self.store.open(turn.id), &mut self.now.expansion);
        self.expander.expand_except(state, asleep, expansion);
        let (end, deadlock) = (Offsets::of(&self.now.expansion), self.now.expansion.deadlock);
        self.batch.push(Expanded { turn, asleep, end, deadlock });
    }

    /// Takes in what was found for an expanded state of the batch, whose part begins here.
    #[inline]
    fn settle(&mut self, expanded: Expanded, begin: Offsets) -> Option<Outcome> {
        let Expanded { turn, end, .. } = expanded;
        if self.count(expanded, begin) {
            return Some(Outcome::Found);
        }
        let range = begin.successors..end.successors;
        let chosen = match self.reduction {
            None => None,
            Some(_) => self.store_reduced(turn, range.clone(), begin.faults..end.faults),
        };
        let stored = self.store.len();
        self.sleep_sets.begin();
        let room = match chosen {
            None => self.store_successors(turn, range),
            Some(room) => room,
        };
        if !self.sleep_sets.new_successors.is_empty() {
            self.assign_sleep_sets(expanded, begin, stored);
        }
        if !room {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        (self.stats.expanded == self.store.len() as u64).then_some(Outcome::Complete)
    }

    /// Counts an expanded state, whose part begins here. Says whether the exploration has found what it
    /// was looking for.
    #[inline]
    fn count(&mut self, expanded: Expanded, begin: Offsets) -> bool {
        let Expanded { turn, end, deadlock, .. } = expanded;
        self.stats.expanded += 1;
        self.stats.depth = self.stats.depth.max(u64::from(turn.depth));
        self.stats.atomic_steps += end.hidden_steps - begin.hidden_steps;
        let slept = end.slept - begin.slept;
        self.stats.slept += slept;
        self.stats.matched += slept;
        self.stats.generated += slept;
        let is_fine = !deadlock && begin.faults == end.faults && begin.broken == end.broken;
        !is_fine && self.record_findings(expanded, begin)
    }

    /// Says whether the exploration has found what it was looking for.
    #[cold]
    fn record_findings(&mut self, expanded: Expanded, begin: Offsets) -> bool {
        let Expanded { turn, end, deadlock, .. } = expanded;
        let state = turn.id;
        let faults = &self.now.expansion.faults[begin.faults..end.faults];
        let broken = &self.now.expansion.violated_invariants[begin.broken..end.broken];
        let kinds = faults.iter().map(|failure| FindingKind::Fault(failure.fault));
        let kinds = kinds.chain(broken.iter().map(|&invariant| FindingKind::Invariant(invariant)));
        let kinds = kinds.chain(deadlock.then_some(FindingKind::Deadlock));
        let mut met = false;
        for kind in kinds {
            self.stats.errors += 1;
            met |= self.findings.record(Finding { state, kind });
        }
        met
    }

    /// Says whether there was room for all of them.
    #[inline]
    fn store_successors(&mut self, turn: FrontierEntry, range: Range<usize>) -> bool {
        self.successors.clear();
        let room = self.store_some(turn, range);
        if self.frontier.wants_successors() {
            self.frontier.push(turn, &self.successors);
        }
        room
    }

    /// Stores some successors, and notes them if the frontier wants to be told. Says whether
    /// there was room for all of them.
    #[inline]
    fn store_some(&mut self, turn: FrontierEntry, range: Range<usize>) -> bool {
        let order_matters = self.frontier.wants_successors();
        let (mut room, mut matched, before) = (true, 0, self.store.len());
        let (tree, successors) = (&mut self.tree, &mut self.successors);
        let SleepSetQueue { is_recording, new_successors, .. } = &mut self.sleep_sets;
        let mut at = range.start;
        let ExpansionBatch { expansion, ahead } = &*self.now;
        self.store.insert_batch(&expansion.successors, range, ahead, |inserted| {
            at += 1;
            let id = match inserted {
                Inserted::New(id) => {
                    tree.add(turn.id);
                    if *is_recording {
                        new_successors.push(at - 1);
                    }
                    id
                }
                Inserted::Old(id) => {
                    matched += 1;
                    id
                }
                Inserted::Full => {
                    room = false;
                    return;
                }
            };
            if order_matters {
                successors.push(id);
            }
        });
        self.stats.matched += matched;
        self.stats.generated += matched + (self.store.len() - before) as u64;
        room
    }
}
