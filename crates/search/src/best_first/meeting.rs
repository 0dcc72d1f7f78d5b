//! How a best-first search deals with its council.

use beeline_kernel::{Heuristic, StateId};

use super::BestFirst;
use super::council::{Council, Newcomer};
use crate::method::Evaluation;
use crate::nodes::Node;
use crate::open::Rank;
use crate::store::StateStore;

impl<'a, T: StateStore> BestFirst<'a, T> {
    /// Follows these heuristics, too, each in a list of its own. Called before the search
    /// begins.
    pub fn with_others(mut self, others: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        let root = StateId::new(0).expect("there is a first number");
        if self.nodes.len() == 1 {
            let node = self.nodes.at(root);
            self.errand.stats.evaluated += others.len() as u64;
            self.council = Some(Council::new(self.method, others, self.store.open(root), node));
            // The initial state waits alone: now in other lists.
            self.open.pop();
            self.queue(root);
        }
        self
    }

    /// Lets a state wait in all lists where it belongs.
    pub(super) fn queue_in_lists(&mut self, id: StateId, node: Node) {
        if let Some(mut council) = self.council.take() {
            council.push(id, node, |estimate| self.rank_by(estimate, id, node));
            self.council = Some(council);
        }
    }

    /// The others have estimates of their own of a state that is about to be expanded.
    pub(super) fn reconsider(&mut self, id: StateId, node: Node) {
        if let Some(council) = &mut self.council {
            council.reconsider(id, self.store.open(id));
            council.notice(id, node);
            self.errand.stats.evaluated += council.others() as u64;
        }
    }

    /// Presents the new successors of a state to the council.
    pub(super) fn welcome_fresh(&mut self, from: StateId, node: Node) {
        let Some(council) = &mut self.council else { return };
        let is_lazy = self.method.evaluation == Evaluation::Lazy;
        if is_lazy {
            council.add_like(from, self.work.new.len());
        }
        let state = self.store.open(from);
        for &way in &self.work.new {
            let (id, _) = self.work.successors[way];
            let new = Newcomer {
                id,
                node: self.nodes.at(id),
                state: self.work.expansion.state(way),
                way,
            };
            council.welcome(new, state, Some((from, node)));
            if !is_lazy {
                council.notice(id, new.node);
            }
        }
    }

    /// The state whose turn it is, and its rank.
    pub(super) fn next_of_lists(&mut self) -> Option<(Rank, StateId)> {
        let mut council = self.council.take()?;
        let next = council.next(|id| {
            let node = self.nodes.at(id);
            node.is_closed() || self.is_cut(node) || self.errand.is_hopeless(node.estimate())
        });
        self.council = Some(council);
        next.map(|id| (self.rank(id, self.nodes.at(id)), id))
    }
}
