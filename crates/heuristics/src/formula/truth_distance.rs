//! Distance of a condition from being true or false: the formula-based estimate h_f and its dual,
//! for all expressions of Promela.
//!
//! Source: "Formula-Based Estimate" and "Dual" in [EMJ05] (Heuristics).
//! Deviations: a condition that holds costs nothing (the slides print 1 for relations, and swap the
//! duals of variables and `full`); a relation costs the difference of its sides, one with symbolic
//! constants costs 1; an unreachable location costs the number of locations of its automaton, since
//! processes are created and end; conditionals, polls and arithmetic are treated like variables.

use beeline_engine::automata::label_location;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::{BinaryOp, ChannelQuery, Expr, ExprKind, LabelId, ProcessId, UnaryOp};

use crate::incremental::process_sum::{FAR, UNLIKELY};
use crate::static_facts::automaton_distance::{UNREACHABLE, distances_to};

/// The wanted truth of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedTruth {
    True,
    False,
}

impl WantedTruth {
    fn other(self) -> WantedTruth {
        match self {
            WantedTruth::True => WantedTruth::False,
            WantedTruth::False => WantedTruth::True,
        }
    }
}

/// Distances of conditions from their wanted truth.
#[derive(Clone)]
pub(crate) struct TruthDistance<'a> {
    machine: &'a Machine<'a>,
    /// Distances to the labels in conditions.
    labels: Vec<(ProcessId, LabelId, Vec<u32>)>,
}

impl<'a> TruthDistance<'a> {
    /// For these conditions.
    pub(crate) fn new<'e>(
        machine: &'a Machine<'a>,
        conditions: impl IntoIterator<Item = &'e Expr>,
    ) -> Self {
        let mut labels: Vec<(ProcessId, LabelId, Vec<u32>)> = Vec::new();
        for condition in conditions {
            condition.visit(&mut |part| {
                let ExprKind::RemoteLabel { process, label, .. } = part.kind else { return };
                if labels.iter().any(|(one, two, _)| (*one, *two) == (process, label)) {
                    return;
                }
                let automaton = machine.automaton(process);
                if let Some(target) = label_location(automaton, label) {
                    labels.push((process, label, distances_to(automaton, &[target])));
                }
            });
        }
        TruthDistance { machine, labels }
    }

    /// The distance of a condition, evaluated by a process, from its wanted truth.
    pub(crate) fn distance(
        &self,
        condition: &Expr,
        wanted: WantedTruth,
        now: &DecodedState,
        pid: usize,
    ) -> u64 {
        let ask = |condition, wanted| self.distance(condition, wanted, now, pid);
        match &condition.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => {
                if (*value != 0) == (wanted == WantedTruth::True) { 0 } else { FAR }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => ask(operand, wanted.other()),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let both = (*op == BinaryOp::And) == (wanted == WantedTruth::True);
                match ask(left, wanted) {
                    FAR if both => FAR,
                    0 if !both => 0,
                    left if both => (left + ask(right, wanted)).min(FAR),
                    left => left.min(ask(right, wanted)),
                }
            }
            ExprKind::Binary(op, left, right) => match relation(*op, wanted) {
                Some(relation) => self.related(relation, left, right, now, pid),
                None => self.plain(condition, wanted, now, pid),
            },
            ExprKind::Conditional(condition, yes, no) => {
                let yes = ask(condition, WantedTruth::True) + ask(yes, wanted);
                let no = ask(condition, WantedTruth::False) + ask(no, wanted);
                yes.min(no).min(FAR)
            }
            ExprKind::Channel(query, access) => {
                let Some(channel) = self.machine.channel_held(access, now, pid) else { return 1 };
                let length = now.channel_length(channel);
                let room = self.machine.capacity(now, channel).saturating_sub(length);
                queue(*query, wanted, length as u64, room as u64)
            }
            ExprKind::RemoteLabel { process, label, .. } => {
                let there = self.machine.evaluate(condition, now, pid) == Ok(1);
                match wanted {
                    WantedTruth::False => u64::from(there),
                    WantedTruth::True if there => 0,
                    WantedTruth::True => self.to_label(condition, *process, *label, now, pid),
                }
            }
            _ => self.plain(condition, wanted, now, pid),
        }
    }

    /// 0 if the truth is as wanted, else 1.
    fn plain(&self, condition: &Expr, wanted: WantedTruth, now: &DecodedState, pid: usize) -> u64 {
        match self.machine.evaluate(condition, now, pid) {
            Ok(value) => u64::from((value != 0) != (wanted == WantedTruth::True)),
            Err(_) => 1,
        }
    }

    fn related(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        now: &DecodedState,
        pid: usize,
    ) -> u64 {
        let value = |expr| self.machine.evaluate(expr, now, pid).map(i64::from);
        let (Ok(a), Ok(b)) = (value(left), value(right)) else { return 1 };
        let symbolic = |expr: &Expr| matches!(expr.kind, ExprKind::Mtype { .. });
        let distance = match op {
            BinaryOp::Equal if symbolic(left) || symbolic(right) => i64::from(a != b),
            BinaryOp::Equal => (a - b).abs(),
            BinaryOp::NotEqual => i64::from(a == b),
            BinaryOp::Less => a - b + 1,
            BinaryOp::LessEqual => a - b,
            BinaryOp::Greater => b - a + 1,
            _ => b - a,
        };
        // Bounded, so that a sum of them stays below `FAR`.
        (distance.max(0) as u64).min(UNLIKELY)
    }

    fn to_label(
        &self,
        condition: &Expr,
        process: ProcessId,
        label: LabelId,
        now: &DecodedState,
        pid: usize,
    ) -> u64 {
        let found = self.labels.iter().find(|(one, two, _)| (*one, *two) == (process, label));
        let Some((_, _, distances)) = found else { return 1 };
        let ExprKind::RemoteLabel { pid: instance, .. } = &condition.kind else { return 1 };
        let instance = match instance {
            Some(instance) => {
                let value = self.machine.evaluate(instance, now, pid).ok();
                value.and_then(|value| usize::try_from(value).ok())
            }
            None => (0..now.process_count()).find(|&at| now.process(at) == process),
        };
        let is_one = |at: &usize| *at < now.process_count() && now.process(*at) == process;
        let (location, start) = match instance.filter(is_one) {
            Some(at) => (now.location(at), 0),
            // The process has to be created first.
            None => (self.machine.automaton(process).start, 1),
        };
        match distances[location.0 as usize] {
            UNREACHABLE => distances.len() as u64,
            distance => u64::from(distance) + start,
        }
    }
}

/// The relation that holds exactly if this one has the wanted truth.
fn relation(op: BinaryOp, wanted: WantedTruth) -> Option<BinaryOp> {
    let (positive, negative) = match op {
        BinaryOp::Equal => (op, BinaryOp::NotEqual),
        BinaryOp::NotEqual => (op, BinaryOp::Equal),
        BinaryOp::Less => (op, BinaryOp::GreaterEqual),
        BinaryOp::LessEqual => (op, BinaryOp::Greater),
        BinaryOp::Greater => (op, BinaryOp::LessEqual),
        BinaryOp::GreaterEqual => (op, BinaryOp::Less),
        _ => return None,
    };
    Some(if wanted == WantedTruth::True { positive } else { negative })
}

/// Messages to send or receive until a query has the wanted truth. A rendezvous channel is empty
/// and never full.
fn queue(query: ChannelQuery, wanted: WantedTruth, length: u64, room: u64) -> u64 {
    let is_true = wanted == WantedTruth::True;
    match query {
        ChannelQuery::Full if is_true => room,
        ChannelQuery::NFull if !is_true => room,
        ChannelQuery::Full | ChannelQuery::NFull => u64::from(room == 0 && length > 0),
        ChannelQuery::Empty if is_true => length,
        ChannelQuery::NEmpty | ChannelQuery::Len if !is_true => length,
        ChannelQuery::Empty | ChannelQuery::NEmpty | ChannelQuery::Len => u64::from(length == 0),
    }
}
