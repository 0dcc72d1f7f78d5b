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

use beeline_kernel::{
    Expander, Expansion, ExpansionEnd, Fault, SleepSet, Space, StateId, StatePath, Stop,
};

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

/// States that are expanded together at most.
const MOST_STATES: usize = 16;

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
    /// States that were taken from the frontier: those being expanded and, after a finding, others.
    taken: Vec<Taken>,
    /// Where the successors of each expanded state end.
    ends: Vec<ExpansionEnd>,
    /// Their successors.
    current: Box<ExpansionBatch>,
    /// Depth-first only: ids of the successors that were stored, in order.
    successors: Vec<StateId>,
    /// Breadth-first only: positions of the successors that were new, in order.
    new: Vec<u32>,
    /// Breadth-first only: their parents.
    parents: Vec<StateId>,
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

/// A state that was taken from the frontier.
#[derive(Clone, Copy)]
struct Taken {
    entry: FrontierEntry,
    /// The processes whose transitions are pruned.
    asleep: SleepSet,
}

/// Consecutive states of a batch whose successors are stored together, and the part of the expansion
/// that belongs to them.
#[derive(Clone)]
struct Group {
    /// Their positions in the batch.
    states: Range<usize>,
    begin: ExpansionEnd,
    end: ExpansionEnd,
    /// Whether the findings of the expansion are theirs; then it is a single state.
    has_findings: bool,
}

impl Group {
    /// The range of their successors.
    #[inline]
    fn successors(&self) -> Range<usize> {
        self.begin.successors as usize..self.end.successors as usize
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
        // A pruned transition leads to a stored state, and counts as one that was looked up.
        let matched = self.stats.matched + self.stats.slept;
        let generated = (stored + matched).saturating_sub(1);
        let counted = Stats { matched, generated, covered, ..self.stats };
        let stats = Stats { stored, store_bytes, table_bytes, state_bytes, ..counted };
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
        let most = most.min(MOST_STATES as u64) as usize;
        if self.work.taken.is_empty() && !self.take(most) {
            // The frontier is empty although some stored state was not expanded.
            return Some(Outcome::Incomplete(Stop::Depth));
        }
        self.expand_taken(most);
        let ExpansionBatch { expansion, probes } = &mut *self.work.current;
        self.store.prefetch_slots(&expansion.successors, probes);
        self.store.prefetch_candidates(0..expansion.len(), probes);
        self.settle_batch().or_else(|| self.check_memory())
    }

    /// Takes up to `most` states from the frontier. Returns whether there were any.
    #[inline]
    fn take(&mut self, most: usize) -> bool {
        let most = most.min(self.store.batch_size());
        let mut next = self.frontier.pop(self.store.len(), &mut self.tree);
        while let Some(entry) = next {
            let asleep = self.sleep_sets.take(entry.id);
            self.work.taken.push(Taken { entry, asleep });
            next = if self.work.taken.len() < most { self.frontier.pop_beside() } else { None };
        }
        !self.work.taken.is_empty()
    }

    /// Expands taken states, up to `most` and up to the first finding.
    #[inline]
    fn expand_taken(&mut self, most: usize) {
        let Workspace { taken, ends, current, .. } = &mut self.work;
        let taken = &taken[..taken.len().min(most)];
        current.expansion.clear();
        ends.clear();
        let mut states: [(&[u8], SleepSet); MOST_STATES] = [(&[], SleepSet::EMPTY); MOST_STATES];
        let mut readable = 0;
        for (place, &Taken { entry, asleep }) in states.iter_mut().zip(taken) {
            let Some(state) = self.store.read(entry.id) else { break };
            *place = (state, asleep);
            readable += 1;
        }
        if readable == taken.len() {
            self.expander.expand_batch(&states[..readable], &mut current.expansion, ends);
            return;
        }
        for &Taken { entry, asleep } in taken {
            // What can happen in a covered state can happen in the one that covers it, as early.
            let cover = self.store.covered_by(entry.id);
            if cover.is_some_and(|cover| self.any_paths || self.frontier.is_no_later(cover)) {
                self.stats.skipped += 1;
                ends.push(current.expansion.end());
                continue;
            }
            let state = self.store.open(entry.id);
            self.expander.expand_batch(&[(state, asleep)], &mut current.expansion, ends);
            if current.expansion.has_findings() {
                break;
            }
        }
    }

    /// Settles all expanded states: together as far as there are no findings and no reduction.
    #[inline]
    fn settle_batch(&mut self) -> Option<Outcome> {
        let (mut at, done) = (0, self.work.ends.len());
        let has_findings = self.work.current.expansion.has_findings();
        let plain = done - usize::from(has_findings);
        let mut begin = ExpansionEnd::default();
        while at < done {
            let next = match at < plain {
                true if self.reduction.is_none() => plain,
                _ => at + 1,
            };
            let end = self.work.ends[next - 1];
            let has_findings = has_findings && next == done;
            let outcome = self.settle(Group { states: at..next, begin, end, has_findings });
            if outcome.is_some() {
                return outcome;
            }
            (at, begin) = (next, end);
        }
        self.work.taken.drain(..done);
        None
    }

    /// Ends the exploration if it holds more memory than allowed.
    #[inline]
    fn check_memory(&self) -> Option<Outcome> {
        (self.bytes() > self.max_bytes).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Records findings and stores successors of some states of the batch: of a single one if there
    /// are findings, or a reduction.
    #[inline(always)]
    fn settle(&mut self, mut group: Group) -> Option<Outcome> {
        let first = self.work.taken[group.states.start].entry;
        if self.count(first, &group) {
            return Some(Outcome::Found);
        }
        let reduced = match self.reduction {
            None => None,
            Some(_) => self.store_reduced(first, &group),
        };
        let stored = self.store.len();
        let has_sleep_sets = self.sleep_sets.begin(group.states.len());
        let has_room = match reduced {
            None => self.store_successors(first, &mut group),
            Some(has_room) => has_room,
        };
        if has_sleep_sets {
            self.assign_sleep_sets(&group, stored);
        }
        if !has_room {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        (self.stats.expanded == self.store.len() as u64).then_some(Outcome::Complete)
    }

    /// Counts expanded states of the same depth. Returns whether the findings of the first, which is
    /// then the only one, end the exploration.
    #[inline]
    fn count(&mut self, first: FrontierEntry, group: &Group) -> bool {
        let Group { begin, end, .. } = group;
        self.stats.expanded += group.states.len() as u64;
        self.stats.depth = self.stats.depth.max(u64::from(first.depth));
        self.stats.atomic_steps += end.hidden_steps - begin.hidden_steps;
        self.stats.slept += u64::from(end.pruned_by_sleep - begin.pruned_by_sleep);
        group.has_findings && self.record_findings(first)
    }

    /// Takes back the count of the states of a group after the one with this successor, for which
    /// there was no room. Returns the group without them.
    #[cold]
    fn uncount_after(&mut self, successor: usize, group: &Group) -> Group {
        let ends = &self.work.ends[group.states.clone()];
        let settled = ends.partition_point(|end| end.successors as usize <= successor);
        let states = group.states.start..group.states.start + settled + 1;
        let end = ends[settled];
        self.stats.expanded -= (group.states.end - states.end) as u64;
        self.stats.atomic_steps -= group.end.hidden_steps - end.hidden_steps;
        self.stats.slept -= u64::from(group.end.pruned_by_sleep - end.pruned_by_sleep);
        Group { states, end, ..group.clone() }
    }

    /// Records the findings of a state, which are those of the expansion. Returns whether they end the
    /// exploration.
    #[cold]
    fn record_findings(&mut self, entry: FrontierEntry) -> bool {
        let mut ends = false;
        for kind in FindingKind::of(&self.work.current.expansion) {
            self.stats.errors += 1;
            ends |= self.findings.record(Finding { state: entry.id, kind });
        }
        ends
    }

    /// Stores successors, and adds them to the frontier. Returns whether there was room for all.
    #[inline]
    fn store_successors(&mut self, first: FrontierEntry, group: &mut Group) -> bool {
        self.work.successors.clear();
        let range = group.successors();
        let stored = self.store_range(Parents::Batch(group.states.start), range.clone());
        if self.frontier.wants_successors() {
            self.frontier.push(first, &self.work.successors);
        }
        let has_room = stored == range.len();
        if !has_room {
            *group = self.uncount_after(range.start + stored, group);
        }
        has_room
    }

    /// Stores successors, and notes the new ones, or the ids of all if the frontier needs them.
    /// Returns how many there was room for.
    #[inline(always)]
    fn store_range(&mut self, parents: Parents, range: Range<usize>) -> usize {
        if self.frontier.wants_successors() {
            self.store_with_ids(parents, range)
        } else {
            self.store_new(parents, range)
        }
    }

    /// Stores successors, and notes the positions of the new ones.
    #[inline]
    fn store_new(&mut self, mut parents: Parents, range: Range<usize>) -> usize {
        let Workspace { taken, ends, current, new, parents: new_parents, .. } = &mut self.work;
        let (begin, mut at, mut count) = (range.start, range.start, 0);
        new.clear();
        new.resize(range.len(), 0);
        self.store.insert_batch(
            &current.expansion.successors,
            range,
            &current.probes,
            |inserted| {
                match inserted {
                    Inserted::New(_) => {
                        new[count] = at as u32;
                        count += 1;
                    }
                    Inserted::Old(_) | Inserted::Covered => {}
                    Inserted::Full => return,
                }
                at += 1;
            },
        );
        new.truncate(count);
        let parent = |&successor: &u32| parents.of(successor as usize, taken, ends);
        new_parents.clear();
        new_parents.extend(new.iter().map(parent));
        self.tree.add_all(new_parents);
        self.stats.matched += (at - begin - count) as u64;
        at - begin
    }

    /// Stores successors, and notes the ids of all.
    #[inline(always)]
    fn store_with_ids(&mut self, mut parents: Parents, range: Range<usize>) -> usize {
        let (tree, successors) = (&mut self.tree, &mut self.work.successors);
        let (mut at, begin, mut matched) = (range.start, range.start, 0);
        let ExpansionBatch { expansion, probes } = &*self.work.current;
        let (taken, ends) = (&self.work.taken, &self.work.ends);
        self.store.insert_batch(&expansion.successors, range, probes, |inserted| {
            let id = match inserted {
                Inserted::New(id) => {
                    tree.add(parents.of(at, taken, ends));
                    id
                }
                Inserted::Old(id) => {
                    matched += 1;
                    id
                }
                // A step to a known state, such as this one, opens nothing.
                Inserted::Covered => {
                    matched += 1;
                    parents.of(at, taken, ends)
                }
                Inserted::Full => return,
            };
            at += 1;
            successors.push(id);
        });
        self.stats.matched += matched;
        at - begin
    }
}

/// The states whose successors are stored.
#[derive(Clone, Copy)]
enum Parents {
    /// A single one.
    One(StateId),
    /// Those of a batch, from the one at this position on.
    Batch(usize),
}

impl Parents {
    /// The parent of a successor. Successors are asked for in their order.
    #[inline(always)]
    fn of(&mut self, successor: usize, taken: &[Taken], ends: &[ExpansionEnd]) -> StateId {
        match self {
            Parents::One(parent) => *parent,
            Parents::Batch(at) => {
                while ends[*at].successors as usize <= successor {
                    *at += 1;
                }
                taken[*at].entry.id
            }
        }
    }
}
