//! Best-first search on sets: Dijkstra's algorithm, BDD-A\*, gh-search, weighted and greedy search.
//!
//! Source: [EMJ05], "Symbolic Search", §§6-7; the matrix of g and h is that of Jensen, Bryant and
//! Veloso, "SetA*: An efficient BDD-based heuristic search algorithm", AAAI 2002.
//! Deviations: states that were expanded with the same g or a lesser one are not expanded again;
//! with a greater one they are, unless the estimate is consistent. A set is split by its
//! estimates instead of computing f by arithmetic on decision diagrams: all states of a cell of the
//! matrix have the same g, h and f.
//! Claims: see [`SymbolicRanking`]. The search ends when no open set has a lesser rank than a goal
//! that was found.

use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::search::expanded_sets::{ExpandedSets, ExpansionOrder, ReachedGoal};
use crate::search::goal::SymbolicGoal;
use crate::search::open_sets::OpenSets;
use crate::search::outcome::{SymbolicOutcome, SymbolicSearchStatistics};
use crate::search::ranking::SymbolicRanking;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// Searches for an error in the order of a ranking.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn best_first(
        &mut self,
        goal: &mut SymbolicGoal<'_>,
        estimate: &mut dyn SymbolicEstimate,
        ranking: SymbolicRanking,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let is_ordered = estimate.is_consistent() && ranking.is_a_star();
        let order = if is_ordered { ExpansionOrder::LeastCostFirst } else { ExpansionOrder::Any };
        let mut search = SetSearch {
            goal,
            estimate,
            ranking,
            open: OpenSets::new(ranking),
            expanded: ExpandedSets::new(self, order),
            best: None,
            statistics: SymbolicSearchStatistics::default(),
        };
        let initial = self.initial()?;
        search.generate(self, 0, &initial)?;
        while search.step(self)? {}
        search.conclude(self)
    }
}

/// A running best-first search.
struct SetSearch<'a, 'g> {
    goal: &'a mut SymbolicGoal<'g>,
    estimate: &'a mut dyn SymbolicEstimate,
    ranking: SymbolicRanking,
    open: OpenSets,
    expanded: ExpandedSets,
    /// The cheapest goal so far.
    best: Option<ReachedGoal>,
    statistics: SymbolicSearchStatistics,
}

impl SetSearch<'_, '_> {
    /// Expands the sets of the least rank; returns whether the search goes on.
    fn step(&mut self, system: &mut SymbolicSystem<'_>) -> Result<bool, SymbolicError> {
        let Some(rank) = self.open.least_rank().filter(|&rank| !self.is_decided(rank)) else {
            return Ok(false);
        };
        let mut is_counted = false;
        for (g, set) in self.open.take() {
            let set = self.expanded.reduce(system, g, &set)?;
            if set.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut is_counted, true) {
                self.statistics.iterate(rank);
            }
            self.statistics.expand(system, &set);
            for (cost, after) in self.expanded.expand(system, g, &set)? {
                self.generate(system, g + cost, &after)?;
            }
        }
        Ok(true)
    }

    /// Whether a goal was found that open sets of this rank cannot improve.
    fn is_decided(&self, rank: u64) -> bool {
        self.best.as_ref().is_some_and(|goal| self.ranking.rank(goal.cost(), 0) <= rank)
    }

    /// Tests and opens states that were reached with g.
    fn generate(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        g: u64,
        set: &Set,
    ) -> Result<(), SymbolicError> {
        let new = self.expanded.reduce(system, g, set)?;
        if new.is_empty() {
            return Ok(());
        }
        for (failing, states) in self.goal.find(system, &new)? {
            let goal = ReachedGoal { g, failing, states };
            if self.best.as_ref().is_none_or(|best| goal.cost() < best.cost()) {
                self.best = Some(goal);
            }
        }
        for (h, part) in self.estimate.split(system, &new)? {
            self.open.add(system, (g, h), part)?;
        }
        Ok(())
    }

    fn conclude(
        mut self,
        system: &mut SymbolicSystem<'_>,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let mut path = None;
        if let Some(goal) = &self.best {
            self.statistics.iterate(self.ranking.rank(goal.cost(), 0));
            path = Some(self.expanded.path(system, goal)?);
        }
        Ok(SymbolicOutcome { path, statistics: self.statistics })
    }
}
