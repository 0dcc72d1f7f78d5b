//! The channels of processes that have ended, for the message about their use.
//!
//! A channel that a process declares is deleted when the process ends. Variables may still hold its
//! number, until another process declares a channel that gets the same one.

use beeline_engine::automata::{Edge, EdgeAction};
use beeline_engine::interpreter::{DecodedState, Move};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Access, Expr, ExprKind};

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
        let access = channels_used(edge).into_iter().find(|access| {
            let held = machine.channel_held(access, now, step.pid);
            held.is_none() && self.number(view, now, step.pid, access).is_some()
        })?;
        let number = self.number(view, now, step.pid, &access)?;
        let process = machine.model().process(now.process(step.pid));
        let name = Printer::new(machine.model(), Some(process)).expr(&read(&access));
        let ended = number.checked_sub(1).and_then(|at| self.last.get(at)?.as_ref());
        let EndedChannel { name: channel, owner, step } = ended?;
        Some(format!("{name} holds {channel}, deleted when {owner} ended in step {step}"))
    }

    fn number(
        &self,
        view: &View<'_>,
        now: &DecodedState,
        pid: usize,
        access: &Access,
    ) -> Option<usize> {
        usize::try_from(view.machine().value(&read(access), now, pid)?).ok()
    }
}

fn read(access: &Access) -> Expr {
    Expr { kind: ExprKind::Read(access.clone()), span: access.span }
}

/// The variables that the first statement of an edge uses as channels.
fn channels_used(edge: &Edge) -> Vec<Access> {
    let action = edge.steps[0].written();
    let mut found = Vec::new();
    if let EdgeAction::Send { channel, .. } | EdgeAction::Receive { channel, .. } = action {
        found.push(channel.clone());
    }
    action.visit(&mut |expr| {
        if let ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } = &expr.kind {
            found.push(channel.clone());
        }
    });
    found
}
