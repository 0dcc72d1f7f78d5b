//! The evaluation of states: estimates of new successors, eager or lazy, and ranks in open lists.

use beeline_kernel::{Estimate, StateId};

use super::evaluators::{Evaluators, Generation};
use super::{BestFirstLoop, ClosedList, Work};
use crate::best_first_config::{BestFirstConfig, Evaluation, TieBreak};
use crate::nodes::SearchNode;
use crate::open_list::{Candidate, NodeType, OpenList, Rank};

/// Known successors are estimated, too, if there is at most one of them for this many new ones:
/// this takes less time than copying the new ones.
const NEW_PER_KNOWN: usize = 8;

impl<C: ClosedList, O: OpenList> BestFirstLoop<'_, C, O> {
    /// With lazy evaluation, estimates a state when it is expanded. `None` for a dead end.
    #[inline]
    pub(super) fn evaluate_lazily(&mut self, id: StateId, node: SearchNode) -> Option<SearchNode> {
        if self.config.evaluation == Evaluation::Eager || self.closed.is_initial() {
            return Some(node);
        }
        let estimate = self.core.estimate(self.closed.state());
        let node = SearchNode::new(node.g, node.parent, estimate);
        self.closed.update(node);
        if !self.evaluators.is_empty() {
            let progress = self.evaluators.reevaluate(id, node, self.closed.state());
            self.core.stats.evaluated += self.evaluators.others() as u64;
            self.boost_preferred(progress);
        }
        (!self.is_proven_dead_end(id, node)).then_some(node)
    }

    /// Asks the heuristics for preferred transitions of the current state.
    #[inline]
    pub(super) fn ask_preferences(&mut self) {
        if !self.evaluators.is_empty() {
            let BestFirstLoop { core, closed, evaluators, work, .. } = self;
            evaluators.ask_preferences(&mut *core.heuristic, closed.state(), &work.expansion);
        }
    }

    /// Estimates the new successors; with eager evaluation by all heuristics.
    pub(super) fn evaluate_new(&mut self) {
        let BestFirstLoop { core, config, closed, evaluators, work, .. } = self;
        let Work { expansion, new, fresh, estimates, .. } = work;
        let is_lazy = config.evaluation == Evaluation::Lazy;
        if new.is_empty() || is_lazy && !closed.has_tie_breaker() {
            return;
        }
        let takes_all = new.len() + new.len() / NEW_PER_KNOWN >= expansion.len()
            && !closed.has_tie_breaker()
            && evaluators.is_empty();
        let some = if takes_all || new.len() == expansion.len() {
            &*expansion
        } else {
            fresh.clear();
            for &at in &*new {
                fresh.push_with_cost(expansion.steps(at), expansion.state(at));
            }
            &*fresh
        };
        closed.estimate_ties(some, estimates);
        if is_lazy {
            estimates.clear();
            return;
        }
        evaluators.estimate(closed.state(), some, estimates);
        core.stats.evaluated += (evaluators.others() * new.len()) as u64;
        core.heuristic.estimate_all(closed.state(), some, estimates);
        if estimates.len() > new.len() {
            let (mut at, mut next) = (0, new.iter().peekable());
            estimates.retain(|_| {
                at += 1;
                next.next_if_eq(&&(at - 1)).is_some()
            });
        }
        core.stats.evaluate(estimates);
    }

    /// Records the new successors, also for the other heuristics.
    pub(super) fn record_new(&mut self, parent: StateId, node: SearchNode) {
        let BestFirstLoop { config, closed, evaluators, work, .. } = self;
        let Work { expansion, new, estimates, .. } = work;
        let nodes = |number: usize, at: usize| {
            new_node(parent, node, expansion.steps(at), estimates.get(number).copied())
        };
        closed.record(new.iter().enumerate().map(|(number, &at)| nodes(number, at)));
        if !evaluators.is_empty() {
            let is_lazy = config.evaluation == Evaluation::Lazy;
            let state = closed.state();
            let generation = Generation { parent, node, state, expansion, new, nodes, is_lazy };
            let progress = evaluators.add_new(&generation);
            self.boost_preferred(progress);
        }
    }

    /// Pushes a state to the open list.
    #[inline]
    pub(super) fn push(&mut self, id: StateId, node: SearchNode) {
        let BestFirstLoop { config, closed, open, evaluators, .. } = self;
        open.push(id, &EvaluatedNode { id, node, config, closed, evaluators });
    }

    /// Gives turns in advance to the lists of preferred successors, once for each progress.
    pub(super) fn boost_preferred(&mut self, progress: usize) {
        let turns = self.config.diversification.preferred.unwrap_or(0);
        (0..progress).for_each(|_| self.open.boost_preferred(turns));
    }
}

/// The node of a new successor of a state. Without an estimate of its own, it has that of the
/// state.
#[inline]
pub(super) fn new_node(
    parent: StateId,
    node: SearchNode,
    cost: u32,
    estimate: Option<Estimate>,
) -> SearchNode {
    SearchNode::new(node.g.saturating_add(cost), parent, estimate.unwrap_or(node.estimate()))
}

/// The rank of a state by an estimate.
#[inline]
pub(super) fn rank(
    config: &BestFirstConfig,
    estimate: Estimate,
    g: u32,
    tie_breaker: impl FnOnce() -> u32,
) -> Rank {
    let Estimate::Finite(h) = estimate else { return Rank::LAST };
    let tie = match config.tie_break {
        TieBreak::Nothing => 0,
        TieBreak::LowH => h.0,
        TieBreak::LowG => g,
        TieBreak::Heuristic => tie_breaker(),
    };
    Rank { f: config.ranking.rank(g, h.0), tie }
}

/// A state with its ranks, for an open list.
struct EvaluatedNode<'s, 'a, C> {
    id: StateId,
    node: SearchNode,
    config: &'s BestFirstConfig,
    closed: &'s C,
    evaluators: &'s Evaluators<'a>,
}

impl<C: ClosedList> Candidate for EvaluatedNode<'_, '_, C> {
    #[inline]
    fn rank(&self, heuristic: usize) -> Rank {
        let tie = || self.closed.tie(self.id);
        self.evaluators.rank(heuristic, self.id, self.node, |estimate| {
            rank(self.config, estimate, self.node.g, tie)
        })
    }

    fn node_type(&self) -> NodeType {
        (self.node.g, self.node.estimate().finite().map_or(u32::MAX, |h| h.0))
    }

    fn is_preferred(&self) -> bool {
        self.evaluators.is_preferred(self.id)
    }
}
