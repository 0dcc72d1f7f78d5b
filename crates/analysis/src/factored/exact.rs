//! What makes a system exact: steps after `timeout`, steps that fail, steps that exclude others, and
//! the reasons why a system is not exact after all.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use beeline_engine::automata::{Automaton, Edge, EdgeId};
use beeline_factored::{
    Deviation, FactorExpr, Instruction, RangeScratch, Ranges, ShutOutId, System, evaluate_some,
};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Expr, ExprKind};

use super::action_sequences::{ActionSequence, Failure};
use super::builder::{Builder, Detail, FaultCause, StepOrigin};
use super::excluded::excludes;
use super::view::FactoringError;

impl<'a> Builder<'a> {
    /// Separates the sequences that fail at a statement from those that go on.
    pub(super) fn fail_exactly(
        &mut self,
        sequences: &mut [ActionSequence<'a>],
        failed: &mut Vec<ActionSequence<'a>>,
    ) {
        let causes = std::mem::take(&mut self.failing);
        let Some(any) = causes.iter().map(|cause| cause.when.clone()).reduce(FactorExpr::or) else {
            return;
        };
        if any == FactorExpr::Const(0) {
            return;
        }
        let failures = self.failures(&causes);
        let passes = Rc::new(Instruction::Require(any.negated()));
        for sequence in sequences {
            failed.extend(sequence.failing(&failures));
            sequence.add_shared([Rc::clone(&passes)]);
        }
    }

    /// The failures with these causes. In an exact system, each has the kind of the first cause that
    /// holds.
    pub(super) fn failures(&self, causes: &[FaultCause]) -> Vec<Failure> {
        let require = |condition| Rc::new(Instruction::Require(condition));
        let mut earlier: Vec<Rc<Instruction>> = Vec::new();
        let mut found = Vec::new();
        for FaultCause { kind, when } in merged(causes, self.detail) {
            let mut conditions = earlier.clone();
            conditions.push(require(when.clone()));
            found.push(Failure { kind, conditions });
            earlier.push(require(when.negated()));
        }
        found
    }

    /// Adds the sequences in which the assertion translated last is false; the others go on as
    /// well.
    pub(super) fn violate(&mut self, sequences: &mut Vec<ActionSequence<'a>>) {
        let Some(violated) = self.violated.take().filter(|is| *is != FactorExpr::Const(0)) else {
            return;
        };
        let unviolated = sequences.iter().filter(|sequence| sequence.violates.is_none());
        let is_false = Rc::new(Instruction::Require(violated));
        let violating = unviolated.map(|sequence| {
            let mut violating = sequence.clone();
            violating.add_shared([Rc::clone(&is_false)]);
            violating.violates = Some(FaultKind::Assertion);
            violating
        });
        let violating: Vec<_> = violating.collect();
        sequences.extend(violating);
    }

    /// Adds the steps that are possible only after a timeout: where no other step is.
    pub(super) fn timeout_steps(&mut self) -> Result<(), FactoringError> {
        if !self.asks_timeout() {
            return Ok(());
        }
        let normal = self.system.steps.len();
        self.timeout = FactorExpr::TRUE;
        self.steps()?;
        self.timeout = FactorExpr::Const(0);
        let mut known: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, origin) in self.origins[..normal].iter().enumerate() {
            known.entry((origin.mover, origin.receiver)).or_default().push(at);
        }
        let steps = self.system.steps.split_off(normal);
        let origins = self.origins.split_off(normal);
        let is_step = |at: &u32| !self.system.steps[*at as usize].only_reports();
        self.system.shut_outs.push((0..normal as u32).filter(is_step).collect());
        for (mut step, origin) in steps.into_iter().zip(origins) {
            let alike = known.get(&(origin.mover, origin.receiver)).map_or(&[][..], Vec::as_slice);
            let is_same = |&at: &usize| self.system.steps[at].actions == step.actions;
            if alike.iter().any(is_same) {
                continue;
            }
            if self.is_held_before(origin.mover) {
                let reason = "`timeout` inside of an atomic sequence";
                self.system.precision.lose(reason, Deviation::MoreSteps);
            }
            step.shut_out_by = Some(ShutOutId(0));
            self.system.steps.push(step);
            self.origins.push(origin);
        }
        Ok(())
    }

    fn asks_timeout(&self) -> bool {
        let model = self.machine.model();
        self.instances.processes.iter().any(|member| {
            let automaton = self.machine.automaton(member.process);
            let mut asks = false;
            let mut look = |expr: &Expr| {
                asks |= expr.any(|part| matches!(part.kind, ExprKind::Timeout));
            };
            model.process(member.process).provided.iter().for_each(&mut look);
            for step in automaton.all_edges().flat_map(|edge| &edge.steps) {
                step.action.visit(&mut look);
            }
            asks
        })
    }

    /// Whether a process may keep control when it comes to an edge.
    fn is_held_before(&self, (instance, edge): (usize, EdgeId)) -> bool {
        let automaton = self.machine.automaton(self.instances.processes[instance].process);
        let from = edge_of(automaton, edge).from;
        automaton.edges.iter().any(|edge| edge.to == from && edge.hold.atomic)
    }

    /// Removes what the ranges exclude, adds the exclusions, and says why the system is not exact.
    pub(super) fn finish_exactly(&mut self, ranges: &Ranges, scratch: &mut RangeScratch) {
        self.prune(ranges, scratch);
        for step in &mut self.system.steps {
            simplify(&mut step.actions, ranges);
        }
        self.add_exclusions();
        self.admit_features();
        for step in &self.system.steps {
            step.exprs(|expr| {
                if !expr.is_determined() {
                    let reason = "a value that is not determined by the factors";
                    self.system.precision.lose(reason, Deviation::MoreSteps);
                }
            });
        }
    }

    /// Keeps the steps that the ranges allow.
    fn prune(&mut self, ranges: &Ranges, scratch: &mut RangeScratch) {
        let System { steps, shut_outs, .. } = &mut self.system;
        let is_kept: Vec<bool> =
            steps.iter().map(|step| ranges.allow(&step.actions, scratch)).collect();
        let mut number = 0;
        let renumbered: Vec<Option<u32>> = is_kept
            .iter()
            .map(|&kept| {
                number += u32::from(kept);
                kept.then(|| number - 1)
            })
            .collect();
        for set in shut_outs {
            *set = set.iter().filter_map(|&at| renumbered[at as usize]).collect();
        }
        let mut kept = is_kept.iter().copied();
        steps.retain(|_| kept.next().expect("one for each step"));
        let mut kept = is_kept.iter().copied();
        self.origins.retain(|_| kept.next().expect("one for each step"));
    }

    /// Where an edge that excludes others meets a receiver, its steps exclude their steps.
    fn add_exclusions(&mut self) {
        let mut meetings: HashMap<(usize, EdgeId), Vec<u32>> = HashMap::new();
        let mut takings: HashMap<_, Vec<u32>> = HashMap::new();
        for (at, origin) in (0u32..).zip(&self.origins) {
            let only_reports = self.system.steps[at as usize].only_reports();
            if let Some(receiver) = origin.receiver.filter(|_| !only_reports) {
                meetings.entry(origin.mover).or_default().push(at);
                takings.entry((origin.mover, receiver)).or_default().push(at);
            }
        }
        if meetings.is_empty() {
            return;
        }
        let mut sets: BTreeMap<Vec<u32>, ShutOutId> = BTreeMap::new();
        for at in 0..self.system.steps.len() {
            let StepOrigin { mover, receiver } = self.origins[at];
            let mut excluding: Vec<u32> = Vec::new();
            for edge in self.excluding(mover) {
                excluding.extend(meetings.get(&(mover.0, edge)).into_iter().flatten());
            }
            if let Some(receiver) = receiver {
                for edge in self.excluding(receiver) {
                    let taking = takings.get(&(mover, (receiver.0, edge)));
                    excluding.extend(taking.into_iter().flatten());
                }
            }
            if excluding.is_empty() {
                continue;
            }
            if let Some(ShutOutId(already)) = self.system.steps[at].shut_out_by {
                excluding.extend(&self.system.shut_outs[already as usize]);
            }
            excluding.sort_unstable();
            excluding.dedup();
            let next = ShutOutId(self.system.shut_outs.len() as u32);
            let set = *sets.entry(excluding.clone()).or_insert(next);
            if set == next {
                self.system.shut_outs.push(excluding);
            }
            self.system.steps[at].shut_out_by = Some(set);
        }
    }

    /// The edges that exclude an edge of an instance.
    fn excluding(&self, (instance, edge): (usize, EdgeId)) -> Vec<EdgeId> {
        let automaton = self.machine.automaton(self.instances.processes[instance].process);
        let edge = edge_of(automaton, edge);
        let earlier = automaton.edges_from(edge.from).iter();
        let earlier = earlier.take_while(|earlier| earlier.id != edge.id);
        let all = earlier.filter(|earlier| excludes(earlier, edge, self.detail));
        all.map(|earlier| earlier.id).collect()
    }

    /// The features of the model that the system does not follow.
    fn admit_features(&mut self) {
        let machine = self.machine;
        let kinds = self.instances.processes.iter();
        let mut kinds = kinds.map(|member| machine.model().process(member.process));
        let is_deterministic = kinds.any(|process| process.deterministic);
        use Deviation::{MoreEnds, MoreSteps, OtherSteps};
        let features = [
            (machine.has_priorities(), "process priorities", MoreSteps),
            (machine.keeps_last(), "`_last`", MoreSteps),
            (machine.has_trace(), "a trace assertion", MoreEnds),
            (machine.claim().is_some(), "a claim", OtherSteps),
            (is_deterministic, "`D_proctype`", MoreSteps),
            (self.instances.has_summaries(), "processes without a fixed number", OtherSteps),
            (
                self.instances.shifts() && !self.instances.is_bounded(),
                "processes that start in a varying order",
                OtherSteps,
            ),
        ];
        for (is_there, reason, deviation) in features {
            if is_there {
                self.system.precision.lose(reason, deviation);
            }
        }
    }
}

/// The causes that may hold, in order; in an exact system, neighbours of one kind are one cause,
/// otherwise all are.
fn merged(causes: &[FaultCause], detail: Detail) -> Vec<FaultCause> {
    let mut found: Vec<FaultCause> = Vec::new();
    for cause in causes.iter().filter(|cause| cause.when != FactorExpr::Const(0)) {
        let is_joined =
            |last: &&mut FaultCause| detail == Detail::Relaxed || last.kind == cause.kind;
        match found.last_mut().filter(is_joined) {
            Some(last) => last.when = last.when.clone().or(cause.when.clone()),
            None => found.push(cause.clone()),
        }
    }
    found
}

fn edge_of(automaton: &Automaton, id: EdgeId) -> &Edge {
    automaton.edges.iter().find(|edge| edge.id == id).expect("the automaton has its edges")
}

/// Drops the conditions on the state before a step that always hold.
fn simplify(actions: &mut Vec<Instruction>, ranges: &Ranges) {
    let mut is_before = true;
    let mut kept = Vec::new();
    for action in actions.drain(..) {
        match action {
            Instruction::Require(condition) if is_before => {
                let mut parts = Vec::new();
                condition.conjuncts(&mut parts);
                for part in parts {
                    let values = evaluate_some(part, &|factor| Some(ranges.get(factor)));
                    if values.is_none_or(|values| values.may_be_false()) {
                        kept.push(Instruction::Require(part.clone()));
                    }
                }
            }
            action => {
                is_before &= !matches!(action, Instruction::Set(_));
                kept.push(action);
            }
        }
    }
    *actions = kept;
}
