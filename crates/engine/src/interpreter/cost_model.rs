//! Costs of a trail other than its number of steps: context switches, which make a trail hard to
//! read, or messages.
//!
//! The state space of the machine, with other transition costs. For context switches the process
//! that moved last is part of the state, after the bytes of the machine: two paths to the same
//! state differ in value if they end with different processes.
//!
//! Source: ours; [EMJ05], Directed Search, section 1 has weighted transitions.

use beeline_kernel::{CostModel, Expansion, Fault, FaultTransition, SiteId, Space};

use super::expand::Successor;
use super::machine::Machine;
use super::moves::Move;
use crate::automata::EdgeAction;

/// Whether the cost depends on the process that moved last.
fn knows_last(costs: CostModel) -> bool {
    costs != CostModel::Messages
}

/// The states of a machine, with other costs.
pub struct WeightedSpace<'a> {
    machine: &'a Machine<'a>,
    price: CostModel,
}

/// Bytes for the number of the process that moved last, plus one; 0 for none.
const LAST: usize = 2;

impl<'a> WeightedSpace<'a> {
    /// The states of a machine, with this cost model.
    pub fn new(machine: &'a Machine<'a>, price: CostModel) -> WeightedSpace<'a> {
        WeightedSpace { machine, price }
    }

    /// The bytes of the machine, and the number of the process that moved last, plus one.
    fn split<'s>(&self, state: &'s [u8]) -> (&'s [u8], usize) {
        if !knows_last(self.price) {
            return (state, 0);
        }
        let (system, last) = state.split_at(state.len() - LAST);
        (system, usize::from(u16::from_le_bytes([last[0], last[1]])))
    }

    /// The state of the machine in a state of this space.
    pub fn system<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        self.split(state).0
    }

    fn push_last(&self, state: &mut Vec<u8>, last: usize) {
        if knows_last(self.price) {
            state.extend_from_slice(&(last as u16).to_le_bytes());
        }
    }

    /// The cost of moves after a move of this process, and the process that moves last.
    fn cost(&self, moves: &[Move], mut last: usize) -> (u32, usize) {
        let mut cost = 0;
        for step in moves {
            let is_switch = last != 0 && last != step.pid + 1;
            cost += self.price.per_step();
            cost += match self.price {
                CostModel::Switches | CostModel::StepsThenSwitches => u32::from(is_switch),
                CostModel::Messages => u32::from(self.sends_or_receives(step)),
                CostModel::Time => 0,
            };
            last = step.pid + 1;
        }
        (cost, last)
    }

    fn sends_or_receives(&self, step: &Move) -> bool {
        let mut edges = self.machine.automata.iter().flat_map(|automaton| &automaton.edges);
        let edge = edges.find(|edge| edge.id == step.edge);
        edge.is_some_and(|edge| {
            matches!(edge.steps[0].action, EdgeAction::Send { .. } | EdgeAction::Receive { .. })
        })
    }

    /// The cost of a move, and its process, from 1. `last` is the process that moved before, from
    /// 1; 0 for none.
    pub fn cost_after(&self, last: usize, step: &Move) -> (u32, usize) {
        self.cost(std::slice::from_ref(step), last)
    }

    /// The cheapest moves from one state to the next; `None` if there are none.
    pub fn moves_to(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        let ((from, before), (to, after)) = (self.split(from), self.split(to));
        let mut found: Option<(u32, Vec<Move>)> = None;
        self.machine.successors(&self.machine.decode(from), &mut |successor| {
            if let Successor::State(next, moves) = successor
                && next.bytes == to
            {
                let (cost, last) = self.cost(moves, before);
                let is_meant = !knows_last(self.price) || last == after;
                if is_meant && found.as_ref().is_none_or(|(best, _)| cost < *best) {
                    found = Some((cost, moves.to_vec()));
                }
            }
        });
        found.map(|(_, moves)| moves)
    }
}

impl Space for WeightedSpace<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        Space::initial(self.machine, state)?;
        self.push_last(state, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        let (system, before) = self.split(state);
        let now = self.machine.decode(system);
        let mut next_state = Vec::new();
        let (mut faults, mut hidden) = (Vec::new(), 0);
        let deadlock = self.machine.successors(&now, &mut |successor| match successor {
            Successor::State(next, moves) => {
                let (cost, last) = self.cost(moves, before);
                next_state.clear();
                next_state.extend_from_slice(&next.bytes);
                self.push_last(&mut next_state, last);
                hidden += moves.len().saturating_sub(1) as u64;
                expansion.push_with_cost(cost, &next_state);
            }
            Successor::Fault(kind, moves) => {
                let site = SiteId(moves.last().map_or(0, |step| step.edge.0));
                let (steps, _) = self.cost(moves, before);
                faults.push(FaultTransition { fault: Fault { kind, site }, steps });
            }
        });
        expansion.deadlock = deadlock;
        expansion.faults = faults;
        expansion.hidden_steps = hidden;
        self.machine.add_broken(&now, expansion);
    }
}
