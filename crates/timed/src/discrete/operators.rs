//! Steps as operators: an edge alone, a sender with a receiver, a broadcast, a synchronisation
//! vector.

use std::collections::BTreeSet;

use beeline_factored::{
    AssignmentTarget, FactorExpr, FactorId, Instruction, Interval, Operator, System,
};
use beeline_kernel::{FaultKind, StepLabel};

use super::effects::{Effects, may_have_no_value};
use super::expressions::Translator;
use crate::network::code::{Base, Place};
use crate::network::traverse::has_differences;
use crate::network::{Sync, TimedNetwork};
use crate::semantics::symbolic::variant_number;
use crate::semantics::synchronisation::{Part, parts};

/// The most operators that a view has.
const MOST_OPERATORS: usize = 200_000;

/// A channel that an edge may use, and when.
type UsedChannel = (u32, FactorExpr);

/// The part of one edge in a step.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) part: Part,
    /// When it is possible.
    pub(super) guard: FactorExpr,
    /// Its updates; the new location last.
    pub(super) effects: Effects,
    /// When the evaluation of its labels may fail, if it may. The index of a channel comes after
    /// the guard.
    may_fail: Option<FactorExpr>,
    sends: Vec<UsedChannel>,
    pub(super) receives: Vec<UsedChannel>,
    event: Option<u32>,
}

/// The operators of a network.
pub(super) struct Operators<'n> {
    pub(super) net: &'n TimedNetwork,
    pub(super) translator: Translator<'n>,
    pub(super) steps: Vec<Operator>,
    /// The operators that fail: they set the factor for it.
    pub(super) failing: Vec<Operator>,
}

/// The network has too many operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyOperators;

impl<'n> Operators<'n> {
    /// The operators of a network, with its factors in a system without any.
    pub(super) fn new(
        net: &'n TimedNetwork,
        system: &mut System,
    ) -> Result<Operators<'n>, TooManyOperators> {
        let translator = Translator::new(net, system);
        let mut made = Operators { net, translator, steps: Vec::new(), failing: Vec::new() };
        let mut moves = Vec::new();
        for (process, automaton) in net.processes.iter().enumerate() {
            for location in 0..automaton.locations.len() as u32 {
                for part in parts(net, process as u32, location) {
                    let one = made.make_move(part);
                    moves.push(one);
                    if moves.len() > MOST_OPERATORS {
                        return Err(TooManyOperators);
                    }
                }
            }
        }
        made.all(&moves)?;
        made.add_failures_anywhere();
        Ok(made)
    }

    fn make_move(&mut self, part: Part) -> Move {
        let net = self.net;
        let edge = &net.processes[part.process as usize].edges[part.edge as usize];
        let mut chosen = vec![0; edge.selects.len()];
        edge.choice(part.variant, &mut chosen);
        self.translator.begin(&chosen);
        let at = self.translator.factors.is_at(part.process, edge.from);
        let guard =
            edge.guard.as_ref().map_or(FactorExpr::TRUE, |guard| self.translator.truth(guard));
        let is_guard_risky = edge.guard.as_ref().is_some_and(may_have_no_value);
        let mut is_risky = false;
        let (mut sends, mut receives, mut event) = (Vec::new(), Vec::new(), None);
        match &edge.sync {
            Sync::Internal => {}
            Sync::Send(channel) => sends = self.channels(channel, &mut is_risky),
            Sync::Receive(channel) => receives = self.channels(channel, &mut is_risky),
            Sync::Event(number) => event = Some(*number),
        }
        let mut effects = Effects::default();
        for update in &edge.updates {
            self.translator.update(update, &mut effects);
        }
        if let Some(factor) = self.translator.factors.locations[part.process as usize] {
            let to = FactorExpr::Const(edge.to as i32);
            effects.set(AssignmentTarget::Factor(factor), to);
        }
        let guard = at.clone().and(guard);
        let may_fail = match (is_guard_risky, is_risky) {
            (true, _) => Some(at),
            (false, true) => Some(guard.clone()),
            (false, false) => None,
        };
        Move { part, guard, effects, may_fail, sends, receives, event }
    }

    /// The channels that a place may be.
    fn channels(&mut self, place: &Place, is_risky: &mut bool) -> Vec<UsedChannel> {
        let Base::Absolute(base) = place.base else {
            // No frame holds channels when the edges of a template are resolved.
            *is_risky = true;
            let all = 0..self.net.channels.len() as u32;
            return all.map(|one| (one, FactorExpr::Any(Interval::TRUTH))).collect();
        };
        let mut found = vec![(base + place.offset, FactorExpr::TRUE)];
        for one in &place.subscripts {
            let index = self.translator.expr(&one.index);
            let is_inside = |at: i32| {
                (0..i64::from(one.length)).contains(&(i64::from(at) - i64::from(one.low)))
            };
            *is_risky |= !matches!(index, FactorExpr::Const(at) if is_inside(at));
            let mut next = Vec::new();
            for (channel, condition) in &found {
                for at in 0..one.length {
                    let is_it = index.clone().equals(one.low + at as i32);
                    let is_it = condition.clone().and(is_it);
                    if is_it != FactorExpr::Const(0) {
                        next.push((channel + at * one.stride, is_it));
                    }
                }
            }
            found = next;
        }
        found
    }

    /// The operators of all steps.
    fn all(&mut self, moves: &[Move]) -> Result<(), TooManyOperators> {
        let mut receiving: Vec<Vec<(&Move, &FactorExpr)>> =
            vec![Vec::new(); self.net.channels.len()];
        for one in moves {
            for (channel, condition) in &one.receives {
                receiving[*channel as usize].push((one, condition));
            }
        }
        let in_vectors: BTreeSet<(u32, u32)> = self
            .net
            .vectors
            .iter()
            .flatten()
            .map(|&(process, event, _)| (process, event))
            .collect();
        for one in moves {
            if let Some(when) = &one.may_fail {
                let actions = vec![Instruction::Require(when.clone())];
                self.fail(one.part, Effects { actions, ..Effects::default() });
            }
            let is_alone = match one.event {
                Some(event) => !in_vectors.contains(&(one.part.process, event)),
                None => one.sends.is_empty() && one.receives.is_empty(),
            };
            let sync =
                &self.net.processes[one.part.process as usize].edges[one.part.edge as usize].sync;
            if is_alone && matches!(sync, Sync::Internal | Sync::Event(_)) {
                self.add(&[(one, &FactorExpr::TRUE)])?;
            }
            for (channel, condition) in &one.sends {
                let receivers = &receiving[*channel as usize];
                if self.net.channels[*channel as usize].is_broadcast {
                    self.broadcast((one, condition), receivers)?;
                    continue;
                }
                for receiver in receivers {
                    if receiver.0.part.process != one.part.process {
                        self.add(&[(one, condition), *receiver])?;
                    }
                }
            }
        }
        for vector in 0..self.net.vectors.len() {
            self.vector(vector, moves)?;
        }
        Ok(())
    }

    /// Adds the step of these edges.
    fn add(&mut self, moves: &[(&Move, &FactorExpr)]) -> Result<(), TooManyOperators> {
        let mut effects = Effects::default();
        for (one, condition) in moves {
            effects.require(one.guard.clone());
            effects.require((*condition).clone());
        }
        let before = effects.actions.len();
        for (one, _) in moves {
            let offset = effects.actions.len();
            let failures = one.effects.failures.iter();
            effects.failures.extend(failures.map(|(at, when)| (at + offset, when.clone())));
            effects.actions.extend(one.effects.actions.iter().cloned());
        }
        debug_assert!(effects.failures.iter().all(|(at, _)| *at >= before));
        let parts: Vec<Part> = moves.iter().map(|(one, _)| one.part).collect();
        self.push(&parts, effects)
    }

    /// Adds a step with these instructions, and those that fail on the way.
    pub(super) fn push(
        &mut self,
        parts: &[Part],
        effects: Effects,
    ) -> Result<(), TooManyOperators> {
        let is_impossible = effects.actions.iter().any(
            |one| matches!(one, Instruction::Require(condition) if *condition == FactorExpr::Const(0)),
        );
        for (at, when) in &effects.failures {
            let mut actions = effects.actions[..*at].to_vec();
            actions.push(Instruction::Require(when.clone()));
            self.fail(parts[0], Effects { actions, ..Effects::default() });
        }
        if is_impossible {
            return Ok(());
        }
        let operator = self.operator(parts, effects.actions);
        self.steps.push(operator);
        let made = self.steps.len() + self.failing.len();
        if made > MOST_OPERATORS { Err(TooManyOperators) } else { Ok(()) }
    }

    fn operator(&self, parts: &[Part], actions: Vec<Instruction>) -> Operator {
        let label =
            |part: Part| StepLabel { edge: variant_number(self.net, part), process: part.process };
        let mut operator = Operator::new(self.name(parts), label(parts[0]), 1, actions);
        operator.partner = parts.get(1).map(|&part| label(part));
        operator
    }

    /// The step in words: each process with its locations before and after.
    fn name(&self, parts: &[Part]) -> String {
        let each = parts.iter().map(|part| {
            let process = &self.net.processes[part.process as usize];
            let edge = &process.edges[part.edge as usize];
            let name = |location: u32| match &*process.locations[location as usize].name {
                "" => format!("#{location}"),
                name => name.to_owned(),
            };
            format!("{}: {} -> {}", process.name, name(edge.from), name(edge.to))
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// Adds a step that fails.
    fn fail(&mut self, part: Part, mut effects: Effects) {
        effects.set(AssignmentTarget::Factor(self.translator.factors.failed), FactorExpr::TRUE);
        let mut operator = self.operator(&[part], effects.actions);
        operator.fails = Some(FaultKind::Limit);
        self.failing.push(operator);
    }

    /// Invariants that may fail, and clocks that may grow without end, fail at any time.
    fn add_failures_anywhere(&mut self) {
        let net = self.net;
        let locations = net.processes.iter().flat_map(|process| &process.locations);
        let mut invariants = locations.filter_map(|location| location.invariant.as_ref());
        let edges = net.processes.iter().flat_map(|process| &process.edges);
        let mut guards = edges.filter_map(|edge| edge.guard.as_ref());
        let is_risky = invariants.any(|one| may_have_no_value(one) || has_differences(one))
            || guards.any(has_differences);
        if is_risky
            && let Some(process) = net.processes.iter().position(|one| !one.edges.is_empty())
        {
            let part = Part { process: process as u32, edge: 0, variant: 0 };
            self.fail(part, Effects::default());
        }
    }

    /// The steps of a vector. A process that may stay behind does so where no edge has the event.
    fn vector(&mut self, vector: usize, moves: &[Move]) -> Result<(), TooManyOperators> {
        let mut open: Vec<(Vec<&Move>, FactorExpr)> = vec![(Vec::new(), FactorExpr::TRUE)];
        for &(process, event, is_weak) in &self.net.vectors[vector] {
            let own = |one: &&Move| one.part.process == process && one.event == Some(event);
            let own: Vec<&Move> = moves.iter().filter(own).collect();
            let mut next = Vec::new();
            for (step, condition) in &open {
                for one in &own {
                    let mut step = step.clone();
                    step.push(*one);
                    next.push((step, condition.clone()));
                }
                if is_weak {
                    let edges = &self.net.processes[process as usize].edges;
                    let from: BTreeSet<u32> =
                        own.iter().map(|one| edges[one.part.edge as usize].from).collect();
                    let stays = from.into_iter().fold(condition.clone(), |all, location| {
                        all.and(self.translator.factors.is_at(process, location).negated())
                    });
                    if stays != FactorExpr::Const(0) {
                        next.push((step.clone(), stays));
                    }
                }
                if next.len() > MOST_OPERATORS {
                    return Err(TooManyOperators);
                }
            }
            open = next;
        }
        for (step, condition) in open {
            if step.is_empty() {
                continue;
            }
            let all = step
                .iter()
                .enumerate()
                .map(|(at, one)| (*one, if at == 0 { &condition } else { &FactorExpr::TRUE }));
            self.add(&all.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// The factors that instructions assign.
pub(super) fn written(actions: &[Instruction], into: &mut BTreeSet<FactorId>) {
    for action in actions {
        if let Instruction::Set(all) = action {
            all.iter().for_each(|one| into.extend(one.place.factors()));
        }
    }
}
