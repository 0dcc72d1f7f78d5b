//! How a best-first search deals with its council.

use beeline_kernel::{Heuristic, StateId};

use super::BestFirst;
use super::multi_open_list::{MultiOpenList, NewNode};
use crate::best_first_config::Evaluation;
use crate::nodes::Node;
use crate::open_list::Rank;
use crate::store::StateStore;

impl<'a, T: StateStore> BestFirst<'a, T> {
    /// Follows these heuristics, too, each in a list of its own. Called before the search
    /// begins.
    pub fn with_heuristics(mut self, others: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        let root = StateId::new(0).expect("there is a first number");
        if self.nodes.len() == 1 {
            let node = self.nodes.at(root);
            self.core.stats.evaluated += others.len() as u64;
            self.multi = Some(MultiOpenList::new(self.config, others, self.store.open(root), node));
            // The initial state waits alone: now in other lists.
            self.open.pop();
            self.queue(root);
        }
        self
    }

    /// Lets a state wait in all lists where it belongs.
    pub(super) fn push_to_lists(&mut self, id: StateId, node: Node) {
        if let Some(mut multi) = self.multi.take() {
            multi.push(id, node, |estimate| self.rank_by(estimate, id, node));
            self.multi = Some(multi);
        }
    }

    /// The others have estimates of their own of a state that is about to be expanded.
    pub(super) fn reevaluate(&mut self, id: StateId, node: Node) {
        if let Some(multi) = &mut self.multi {
            multi.reevaluate(id, self.store.open(id));
            multi.update_progress(id, node);
            self.core.stats.evaluated += multi.others() as u64;
        }
    }

    /// Presents the new successors of a state to the council.
    pub(super) fn add_new_nodes(&mut self, from: StateId, node: Node) {
        let Some(multi) = &mut self.multi else { return };
        let is_lazy = self.config.evaluation == Evaluation::Lazy;
        if is_lazy {
            multi.add_like(from, self.work.new.len());
        }
        let state = self.store.open(from);
        for &way in &self.work.new {
            let (id, _) = self.work.successors[way];
            let new =
                NewNode { id, node: self.nodes.at(id), state: self.work.expansion.state(way), way };
            multi.add_node(new, state, Some((from, node)));
            if !is_lazy {
                multi.update_progress(id, new.node);
            }
        }
    }

    /// The state whose turn it is, and its rank.
    pub(super) fn pop_from_lists(&mut self) -> Option<(Rank, StateId)> {
        let mut multi = self.multi.take()?;
        let next = multi.next(|id| {
            let node = self.nodes.at(id);
            node.is_closed() || self.is_cut(node) || self.core.is_proven_dead_end(node.estimate())
        });
        self.multi = Some(multi);
        next.map(|id| (self.rank(id, self.nodes.at(id)), id))
    }
}
