//! What a best-first search has proved: about the cost of any target, found or not, and in
//! the end whether there are more.
//!
//! Every path to a target leads through a state that waits. If some waiting state is always
//! on a cheapest path and has been reached at its least cost, which is why A\* is optimal,
//! then no target costs less than the least sum of cost and admissible estimate of any.

use beeline_kernel::{Cost, StateId, Stop};

use super::BestFirst;
use crate::best_first_config::{BestFirstConfig, Evaluation, Reopening};
use crate::limits::Outcome;
use crate::nodes::Node;
use crate::query::AfterHit;
use crate::store::StateStore;

impl<T: StateStore> BestFirst<'_, T> {
    /// No target costs less.
    pub(super) fn least_cost(&self) -> Cost {
        // What costs more than the bound may have been left alone.
        let hit = self.core.least_hit().min(self.core.query.most().saturating_add(1));
        if !self.keeps_cheapest() {
            return Cost(self.core.least_possible().0.min(hit));
        }
        let waiting = self.unexpanded().map(|node| self.bound(node));
        let faults = self.fault_queue.least_cost();
        Cost(waiting.chain(faults).fold(hit, u32::min)).max(self.core.proved)
    }

    /// How the search ends when nobody waits.
    pub(super) fn conclude(&self) -> Outcome {
        if self.core.query.after_hit == AfterHit::Shorten && !self.core.hits.is_empty() {
            return Outcome::Found;
        }
        if self.unexpanded().any(|node| self.is_cut(node)) {
            Outcome::Incomplete(Stop::Depth)
        } else {
            Outcome::Complete
        }
    }

    /// The states that are not expanded, without those behind which there is nothing.
    fn unexpanded(&self) -> impl Iterator<Item = Node> {
        let ids = (0..).map_while(StateId::new);
        let open = self.nodes.iter().zip(ids).filter(|(node, _)| !node.is_closed());
        open.filter(|&(node, id)| !self.is_proven_dead_end(id, node)).map(|(node, _)| node)
    }

    /// Whether a state is too far away, or what lies behind it.
    #[inline]
    pub(super) fn is_cut(&self, node: Node) -> bool {
        let query = &self.core.query;
        node.g > query.max_cost() || query.bound.is_some_and(|most| self.bound(node) > most.0)
    }

    /// What any path through a state costs at least, if its cost so far is the least.
    fn bound(&self, node: Node) -> u32 {
        let sees = self.core.claims.admissible && self.config.evaluation == Evaluation::Eager;
        let h = if sees { node.estimate().finite().map_or(0, |h| h.0) } else { 0 };
        node.g.saturating_add(h)
    }

    /// Whether some waiting state is always on a cheapest path, at its least cost. A cheapest
    /// path may be one that a reduction has left out.
    fn keeps_cheapest(&self) -> bool {
        if self.core.reduction.is_some() {
            return false;
        }
        let BestFirstConfig { ranking, evaluation, reopening, .. } = self.config;
        // What has its turn out of order may not have been reached at its least cost.
        let in_order = evaluation == Evaluation::Eager && self.multi.is_none();
        let consistent = self.core.claims.consistent && in_order;
        reopening == Reopening::Always || (consistent && ranking.is_monotone())
    }
}
