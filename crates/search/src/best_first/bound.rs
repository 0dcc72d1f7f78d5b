//! The lower bound on the cost of any target that a best-first search proves.
//!
//! Every path to a target leads through an open state. If some open state is always on a cheapest
//! path and has its least cost, which is why A\* is optimal, then no target costs less than the
//! least sum of cost and admissible estimate of any open state.

use beeline_kernel::Cost;

use super::{BestFirstLoop, ClosedList};
use crate::best_first_config::{BestFirstConfig, Evaluation, Reopening};
use crate::nodes::SearchNode;
use crate::open_list::OpenList;
use crate::search_core::SearchCore;

impl<C: ClosedList, O: OpenList> BestFirstLoop<'_, C, O> {
    /// The lower bound: no target costs less.
    pub(super) fn least_cost(&self) -> Cost {
        // States beyond the bound of the query may not have been expanded.
        let hit = self.core.least_hit().min(self.core.query.most().saturating_add(1));
        if !self.keeps_cheapest() {
            return Cost(self.core.least_possible().0.min(hit));
        }
        let open = self.unexpanded().map(|node| bound(&self.core, &self.config, node));
        let faults = self.fault_queue.least_cost();
        Cost(open.chain(faults).fold(hit, u32::min)).max(self.core.proved)
    }

    /// The states that are not expanded, without proved dead ends.
    pub(super) fn unexpanded(&self) -> impl Iterator<Item = SearchNode> {
        let unexpanded = self.closed.unexpanded();
        unexpanded.filter(|&(id, node)| !self.is_proven_dead_end(id, node)).map(|(_, node)| node)
    }

    /// Whether some open state is always on a cheapest path, at its least cost. A reduction may
    /// have pruned all cheapest paths.
    fn keeps_cheapest(&self) -> bool {
        if !C::IS_EXACT || self.core.prunes_cheapest() {
            return false;
        }
        let BestFirstConfig { ranking, evaluation, reopening, .. } = self.config;
        // A state that is expanded out of order may not have its least cost.
        let in_order = evaluation == Evaluation::Eager && self.evaluators.is_empty();
        let consistent = self.core.claims.consistent && in_order;
        reopening == Reopening::Always || (consistent && ranking.is_monotone())
    }
}

/// Whether a state is beyond the depth limit, or all paths through it are beyond the bound.
#[inline]
pub(super) fn is_cut(core: &SearchCore<'_>, config: &BestFirstConfig, node: SearchNode) -> bool {
    let query = &core.query;
    let is_beyond = |most: Cost| bound(core, config, node) > most.0;
    node.g > query.max_cost() || query.bound.is_some_and(is_beyond)
}

/// A lower bound on the cost of any path through a state that has its least cost.
fn bound(core: &SearchCore<'_>, config: &BestFirstConfig, node: SearchNode) -> u32 {
    let is_estimated = core.claims.admissible && config.evaluation == Evaluation::Eager;
    let h = if is_estimated { node.estimate().finite().map_or(0, |h| h.0) } else { 0 };
    node.g.saturating_add(h)
}
