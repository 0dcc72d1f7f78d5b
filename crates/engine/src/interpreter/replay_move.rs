//! Executes a move again to log its effects.

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::moves::{EdgeOutcome, Move};
use super::statements::Offered;
use super::step_log::{Effect, MessageTransfer, StepLog};

impl Machine<'_> {
    /// The effects of a move besides the new state; `now` is the state before it.
    pub fn step_log(&self, now: &DecodedState, step: &Move) -> StepLog {
        for timeout in [false, true] {
            let mut step_log = StepLog::default();
            if self.repeat(now, step, timeout, &mut step_log) {
                return step_log;
            }
        }
        StepLog::default()
    }

    /// Executes a move again with a log. `false` if it needs a timeout.
    fn repeat(&self, now: &DecodedState, step: &Move, timeout: bool, log: &mut StepLog) -> bool {
        let find = |pid: usize, id| {
            let automaton = self.automaton(now.process(pid));
            let edges = automaton.edges_from(now.location(pid));
            let edge = edges.iter().find(|edge| edge.id == id);
            (automaton, edge.expect("the move was made with this edge"))
        };
        let (automaton, edge) = find(step.pid, step.edge);
        let context = EvalContext { timeout, ..EvalContext::of(step.pid) };
        let outcome = self.execute_logged(automaton, edge, now, context, None, Some(log));
        match (outcome, step.partner) {
            (EdgeOutcome::Blocked, _) => false,
            (EdgeOutcome::Offer(next, channel, message), Some((pid, id))) => {
                let (automaton, edge) = find(pid, id);
                let context = EvalContext { timeout, ..EvalContext::of(pid) };
                let offered = Some(Offered { channel, message: &message });
                let passed = MessageTransfer { channel, slot: 0, message: message.clone() };
                log.effects.push(Effect::Rendezvous(passed));
                self.execute_logged(automaton, edge, &next, context, offered, Some(log));
                true
            }
            _ => true,
        }
    }
}
