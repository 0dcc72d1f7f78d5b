//! The channels of processes that have ended, for the message about their use.
//!
//! A channel that a process declares is deleted when the process ends. Variables may still hold its
//! number, until another process declares a channel that gets the same one.

use beeline_engine::interpreter::{DecodedState, Move};
use beeline_kernel::FaultKind;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, ExprKind};

use crate::failing_part::{FailingPart, failing_part};
use crate::names::StateScope;
use crate::view::View;

/// The deleted channels of a run, by number.
#[derive(Default)]
pub(crate) struct EndedChannels {
    /// For each number from 0 the last channel of a process that ended.
    last: Vec<Option<EndedChannel>>,
}

/// A deleted channel.
struct EndedChannel {
    /// Its name, with that of its process: `P(1):c`.
    name: String,
    /// Its process: `P(1)`.
    owner: String,
    /// The number of the step that ended the process.
    step: usize,
}

impl EndedChannels {
    /// Takes note of the channels that a step deletes; `step` is its number.
    pub(crate) fn on_move(
        &mut self,
        view: &View<'_>,
        before: &DecodedState,
        after: &DecodedState,
        step: usize,
    ) {
        let (old, new) = (before.channel_count(), after.channel_count());
        if new >= old || after.process_count() >= before.process_count() {
            return;
        }
        self.last.resize_with(old.max(self.last.len()), || None);
        // The youngest process is the one that ends, and its channels are the last ones.
        let pid = before.process_count() - 1;
        let process = view.machine().model().process(before.process(pid));
        let owner = format!("{}({pid})", process.name.name);
        for number in new..old {
            let name = view.channel_name(before, number);
            self.last[number] = Some(EndedChannel { name, owner: owner.clone(), step });
        }
    }

    /// The variable of a statement that holds a deleted channel, and its owner. Only the first of
    /// merged statements reads the values of the state before the step.
    pub(crate) fn detail(
        &self,
        view: &View<'_>,
        now: &DecodedState,
        step: &Move,
    ) -> Option<String> {
        let machine = view.machine();
        let edges = machine.automaton(now.process(step.pid)).edges_from(now.location(step.pid));
        let edge = edges.iter().find(|edge| edge.id == step.edge)?;
        let scope = StateScope { machine, now, pid: step.pid };
        let part = failing_part(&scope, edge.steps[0].written(), FaultKind::NoChannel);
        let Some(FailingPart::NoChannel(access)) = part else { return None };
        let read = Expr { kind: ExprKind::Read(access.clone()), span: access.span };
        let number = usize::try_from(scope.value(&read)?).ok()?;
        let name = Printer::new(machine.model(), scope.process()).access(access);
        let ended = number.checked_sub(1).and_then(|at| self.last.get(at)?.as_ref());
        let EndedChannel { name: channel, owner, step } = ended?;
        Some(format!("{name} holds {channel}, deleted when {owner} ended in step {step}"))
    }
}
