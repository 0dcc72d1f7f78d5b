//! IDA\*: iterated depth-first search below a threshold on f = g + h, which is raised by as little
//! as possible for each iteration. It needs the memory of one path, and finds a cheapest path if
//! the heuristic is admissible.
//!
//! Source: [Kor85]; [ELL00] §3.1, Table 4, and [EMJ05], Directed Search, section 5.
//! Deviation: Table 4 skips a successor that is in the table with a smaller f; here, as in the
//! published numbers, also with an equal one. Otherwise a state would be searched again for each
//! path to it. The table is emptied for each iteration.
//!
//! [`GoalTest::Generation`] is the test of Table 4: a state is tested before its f is compared. It
//! can find a path that costs more than the threshold although a cheaper one exists.
//!
//! A state that is on the path already is skipped, so every iteration terminates; when an iteration
//! leaves nothing out, the search is complete. Dead ends of a heuristic that does not claim to be
//! safe are expanded in a last iteration. `stored` counts the states that are kept: those of the
//! table, or of the path.
//!
//! With a [`Reduction`], all this holds for a reduced space, and no path is proved to be cheapest,
//! unless the reducer keeps the cheapest ones.
//! Earlier states are not kept, so only cycle conditions about the path can be checked. They are
//! sound although a state can be reduced differently on different paths: of several states on the
//! path that postpone a transition to each other, one is left first.
//!
//! Partial IDA\* is the same with another [`TranspositionTable`]: a few bits for each state
//! ([ELL00] §3.4), since paths are on the stack. It never ends as complete, and proves nothing
//! about costs: a state that was first reached at higher cost hides its descendants within the
//! threshold, and a hash collision hides them in all iterations.

mod table;

use beeline_kernel::{Cost, Estimate, Expansion, Fault, Heuristic, Space, Stop};

use crate::algorithm::{Algorithm, SearchSetup, StartError, StartedSearch};
use crate::best_first_config::{GoalTest, SuccessorOrder};
use crate::finding::FindingKind;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::reduction::{CycleCondition, ExpansionPart, Reduction, Refusal, SuccessorStatus};
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::store::{ExactStore, StateStore};
use crate::visited::{Omissions, RepeatedSet, Visited};

pub use table::{ExactTable, LossyTable, TableAnswer, TranspositionTable};

/// The states that IDA\* keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdaMemory {
    /// The states on the path.
    #[default]
    Path,
    /// The states on the path, and the first states of the iteration, up to this number.
    Table(usize),
}

/// The configuration of IDA\*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdaConfig {
    /// The states that are kept.
    pub memory: IdaMemory,
    /// When states are tested for the target.
    pub goal_test: GoalTest,
    /// The order of successors.
    pub successor_order: SuccessorOrder,
}

impl Algorithm for IdaConfig {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        let SearchSetup { space, heuristics, query, reduction } = setup;
        let search = IdaStar::<ExactTable<T>>::with_store(space, heuristics.first, *self, query)?;
        Ok(match reduction {
            Some(reduction) => Box::new(search.with_reduction(reduction)?),
            None => Box::new(search),
        })
    }

    fn start_lossy<'a, V: Visited + 'a>(
        &self,
        setup: SearchSetup<'a>,
        set: RepeatedSet<V>,
    ) -> StartedSearch<'a> {
        setup.refuse_reduction()?;
        if self.memory != IdaMemory::Path {
            return Err(StartError::ExactTable);
        }
        let SearchSetup { space, heuristics, query, .. } = setup;
        Ok(Box::new(IdaStar::partial(space, heuristics.first, *self, set, query)?))
    }

    fn cycle_condition(&self) -> CycleCondition {
        CycleCondition::StackMinus
    }
}

/// Iterative deepening, with a table of type `T`.
pub struct IdaStar<'a, T: TranspositionTable = ExactTable<ExactStore>> {
    core: SearchCore<'a>,
    config: IdaConfig,
    table: T,
    /// The path, followed by levels that are kept to reuse their memory.
    levels: Vec<Level>,
    /// The number of levels on the path.
    depth: usize,
    level_bytes: usize,
    threshold: u32,
    /// The least f beyond the threshold in this iteration.
    beyond: Option<u32>,
    /// Whether a state was beyond the depth limit.
    is_cut: bool,
    /// Whether a heuristic that is not safe reported a dead end.
    has_doubts: bool,
}

/// A state on the path.
#[derive(Default)]
struct Level {
    state: Vec<u8>,
    g: u32,
    expansion: Expansion,
    estimates: Vec<Estimate>,
    /// The number of successors that were searched.
    done: usize,
}

impl Level {
    fn bytes(&self) -> usize {
        self.expansion.successors.bytes()
            + self.state.capacity()
            + self.estimates.capacity() * size_of::<Estimate>()
    }
}

impl<'a> IdaStar<'a> {
    /// Estimates the initial state; the estimate is the first threshold.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: IdaConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, config, query)
    }
}

impl<'a, T: StateStore> IdaStar<'a, ExactTable<T>> {
    /// The same, with the states of the table in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: IdaConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_table(space, heuristic, config, ExactTable::new(config, query), query)
    }
}

impl<'a, V: Visited> IdaStar<'a, LossyTable<V>> {
    /// Partial IDA\*: the table is a lossy set, which should be empty. `config.memory` is ignored.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn partial<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: IdaConfig,
        set: RepeatedSet<V>,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_table(space, heuristic, config, LossyTable::new(set), query)
    }
}

impl<'a, T: TranspositionTable> IdaStar<'a, T> {
    fn with_table<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: IdaConfig,
        table: T,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut root = Level::default();
        let mut core = SearchCore::new(space, heuristic, query, &mut root.state)?;
        let estimate = core.estimate_initial(&root.state);
        if core.is_proven_dead_end(estimate) {
            // With a lossy table, the search is never complete.
            let is_exact = table.omissions().is_none();
            let lossy = Outcome::Incomplete(Stop::LossyStore);
            core.end(if is_exact { Outcome::Complete } else { lossy });
        }
        Ok(IdaStar {
            table,
            levels: vec![root],
            depth: 0,
            level_bytes: 0,
            threshold: f_of(0, estimate),
            beyond: None,
            is_cut: false,
            has_doubts: estimate == Estimate::DeadEnd,
            core,
            config,
        })
    }

    /// Prunes transitions from now on. Called before the search begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or the condition needs more than the path.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        const SUITED: [CycleCondition; 3] =
            [CycleCondition::None, CycleCondition::Stack, CycleCondition::StackMinus];
        let reduction = reduction.suited(&SUITED, self.core.stats.expanded)?;
        self.core.reduction = Some(Box::new(reduction));
        Ok(self)
    }

    /// Begins an iteration with the initial state.
    fn begin(&mut self) -> Option<Outcome> {
        self.beyond = None;
        self.table.clear();
        self.is_met_cheaper(0, 0);
        let Level { state, expansion, .. } = &mut self.levels[0];
        self.core.expander.expand_only(state, expansion);
        self.descend()
    }

    /// Ends an iteration.
    fn end(&mut self) -> Option<Outcome> {
        match self.beyond {
            Some(threshold) => {
                self.threshold = threshold;
                None
            }
            None if self.table.wants_more() => None,
            None if self.is_cut => Some(Outcome::Incomplete(Stop::Depth)),
            None if self.table.omissions().is_some() => Some(Outcome::Incomplete(Stop::LossyStore)),
            None => Some(Outcome::Complete),
        }
    }

    /// Puts the next level on the path; its state was expanded.
    fn descend(&mut self) -> Option<Outcome> {
        self.reduce();
        let level = &mut self.levels[self.depth];
        level.done = 0;
        self.depth += 1;
        self.core.count(level.g, &level.expansion);
        self.core.estimate_all(&level.state, &level.expansion, &mut level.estimates);
        self.level_bytes += level.bytes();
        let outcome = self.inspect(self.depth - 1).or_else(|| self.inspect_behind());
        if self.depth > self.core.query.max_states() {
            return outcome.or(Some(Outcome::Incomplete(Stop::Memory)));
        }
        outcome.or_else(|| self.core.check_memory(self.bytes()))
    }

    /// Prunes unnecessary transitions of the state of the next level.
    fn reduce(&mut self) {
        let Some(reduction) = &mut self.core.reduction else { return };
        let (path, rest) = self.levels.split_at_mut(self.depth);
        let Level { state, expansion, .. } = &mut rest[0];
        let part = ExpansionPart::whole(expansion);
        reduction.propose(state, &part);
        let choice = reduction.choose(&part, |next| {
            let is_on_path = next == state || path.iter().any(|level| level.state == next);
            if is_on_path { SuccessorStatus::OnStack } else { SuccessorStatus::Expanded }
        });
        reduction.cut(choice, expansion);
    }

    /// Tests the state of a level, which was expanded, for the target.
    fn inspect(&mut self, at: usize) -> Option<Outcome> {
        let target = self.core.query.target;
        let kinds: Vec<FindingKind> = target.state_errors(&self.levels[at].expansion).collect();
        kinds.into_iter().find_map(|kind| self.record_hit(kind, at))
    }

    /// Tests the transitions of the last state of the path for the target. A fault is a successor
    /// of estimate 0.
    fn inspect_behind(&mut self) -> Option<Outcome> {
        let at = self.depth - 1;
        let Level { g, expansion, .. } = &self.levels[at];
        let faults = self.core.query.target.transition_errors(expansion);
        let faults: Vec<_> = faults.map(|(kind, steps)| (kind, g.saturating_add(steps))).collect();
        let mut outcome = None;
        for (kind, f) in faults {
            if self.config.goal_test == GoalTest::Generation || f <= self.threshold {
                outcome = outcome.or(self.record_hit(kind, at));
            } else {
                self.put_off(f);
            }
        }
        outcome
    }

    fn record_hit(&mut self, kind: FindingKind, at: usize) -> Option<Outcome> {
        let IdaStar { core, levels, .. } = self;
        let path = || levels[..=at].iter().map(|level| &level.state).collect();
        let is_first = core.hits.is_empty();
        let outcome = core.record_hit(kind, &levels[at].state, path);
        // Later hits may be dropped, and then their cost is unknown.
        if is_first && outcome.is_none() {
            self.core.proved = self.lower_bound();
        }
        outcome
    }

    /// Postpones a successor to a later iteration.
    fn put_off(&mut self, f: u32) {
        self.beyond = Some(self.beyond.map_or(f, |beyond| beyond.min(f)));
    }

    /// Takes the next successor of the last state of the path.
    fn take_successor(&mut self) -> Option<Outcome> {
        let next = self.depth;
        if next == self.levels.len() {
            self.levels.push(Level::default());
        }
        let [.., from, to] = &mut self.levels[..=next] else { unreachable!("two levels") };
        let at = match self.config.successor_order {
            SuccessorOrder::Forward => from.done,
            SuccessorOrder::Reversed => from.expansion.len() - 1 - from.done,
        };
        from.done += 1;
        to.g = from.g.saturating_add(from.expansion.steps(at));
        to.state.clear();
        to.state.extend_from_slice(from.expansion.state(at));
        let (g, estimate) = (to.g, from.estimates[at]);
        let stats = &mut self.core.stats;
        stats.generated += 1;
        stats.state_bytes = stats.state_bytes.max(to.state.len() as u64);
        if self.core.is_proven_dead_end(estimate) {
            return None;
        }
        if g > self.core.query.max_cost() {
            self.is_cut = true;
            return None;
        }
        if self.config.goal_test == GoalTest::Generation {
            self.core.expander.expand_only(&to.state, &mut to.expansion);
            if let Some(outcome) = self.inspect(next) {
                return Some(outcome);
            }
        }
        if self.is_met_cheaper(next, g) {
            self.core.stats.matched += 1;
            return None;
        }
        self.has_doubts |= estimate == Estimate::DeadEnd;
        let f = f_of(g, estimate);
        if f > self.threshold {
            self.put_off(f);
            return None;
        }
        if self.config.goal_test == GoalTest::Expansion {
            let Level { state, expansion, .. } = &mut self.levels[next];
            self.core.expander.expand_only(state, expansion);
        }
        self.descend()
    }

    /// Whether a state was reached before in this iteration at no greater cost, so that its
    /// descendants within the threshold were or are being searched.
    fn is_met_cheaper(&mut self, at: usize, g: u32) -> bool {
        let state = &self.levels[at].state;
        match self.table.visit(state, g) {
            TableAnswer::Anew => false,
            TableAnswer::Before => true,
            // The table cannot decide, so the path is searched.
            TableAnswer::Unknown => {
                self.levels[..self.depth].iter().any(|level| level.state == *state)
            }
        }
    }
}

/// f = g + h; the greatest number for a dead end.
fn f_of(g: u32, estimate: Estimate) -> u32 {
    estimate.finite().map_or(u32::MAX, |h| g.saturating_add(h.0))
}

impl<'a, T: TranspositionTable> StepSearch<'a> for IdaStar<'a, T> {
    fn name(&self) -> &'static str {
        "IDA*"
    }

    #[inline]
    fn core(&self) -> &SearchCore<'a> {
        &self.core
    }

    #[inline]
    fn core_mut(&mut self) -> &mut SearchCore<'a> {
        &mut self.core
    }

    fn step(&mut self) -> Option<Outcome> {
        let Some(last) = self.depth.checked_sub(1) else { return self.begin() };
        let level = &mut self.levels[last];
        if level.done < level.expansion.len() {
            return self.take_successor();
        }
        self.level_bytes -= level.bytes();
        self.depth = last;
        if last == 0 { self.end() } else { None }
    }

    fn stats(&self) -> Stats {
        let stored = self.table.states().max(self.depth) as u64;
        Stats { stored, ..self.core.with_reduced(self.table.count(self.core.stats)) }
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.level_bytes
    }

    /// All paths that cost less than the threshold were searched in earlier iterations.
    fn lower_bound(&self) -> Cost {
        let is_exact = self.table.omissions().is_none();
        let sees = is_exact && self.core.claims.admissible && !self.has_doubts;
        let sees = sees && !self.core.prunes_cheapest();
        let bound = if sees { self.threshold } else { 0 };
        Cost(bound.min(self.core.least_hit())).max(self.core.least_possible())
    }

    fn omissions(&self) -> Option<Omissions> {
        self.table.omissions()
    }
}
