//! Builds the factored system of a machine: factors of its instances, then steps and goals.

use std::sync::Arc;

use beeline_engine::automata::EdgeId;
use beeline_engine::interpreter::{Machine, SlotValue, VariableSlot};
use beeline_factored::{
    ANY_PROCESS, FactorExpr, FactorId, FactorKind, FactoredView, Goal, Instruction, IntWidth,
    Interval, Operator, RangeScratch, Ranges, System,
};
use beeline_kernel::StepLabel;
use beeline_promela::hir::{ProcessKind, Type};

use super::builder::{Builder, Detail, set, width};
use super::instance_bounds::InstanceBounds;
use super::instances::Instances;
use super::path_intervals::PathIntervals;
use super::read::Reader;
use super::spans::Spans;
use super::view::{FactoredGoal, FactoringError};

/// Upper bound on factors.
const MOST_FACTORS: usize = 20_000;
/// Upper bound on steps.
pub(super) const MOST_STEPS: usize = 60_000;

impl<'a> Builder<'a> {
    pub(super) fn new(
        machine: &'a Machine<'a>,
        detail: Detail,
        bounds: &InstanceBounds,
    ) -> Result<Self, FactoringError> {
        let mut instances = Instances::of(machine).map_err(|_| FactoringError::NoStart)?;
        if detail == Detail::Exact {
            instances = instances.bounded(machine, bounds);
        }
        if !instances.keeps_channels() {
            return Err(FactoringError::ChannelsComeAgain);
        }
        let start = machine.initial().map_err(|_| FactoringError::NoStart)?;
        let names = machine.names();
        let mut builder = Builder {
            machine,
            constants: machine.constants(),
            spans: Spans::of(machine.model()),
            globals: FactorId(0),
            first_globals: names.globals.iter().map(|slot| slot.global(&start)).collect(),
            system: System::default(),
            failing: Vec::new(),
            violated: None,
            timeout: match detail {
                Detail::Relaxed => FactorExpr::Any(Interval::TRUTH),
                Detail::Exact => FactorExpr::Const(0),
            },
            error: None,
            claim: None,
            detail,
            origins: Vec::new(),
            path_intervals: PathIntervals::default(),
            instances,
        };
        for (slot, &value) in names.globals.iter().zip(&builder.first_globals.clone()) {
            builder.variable(slot, slot.name.clone(), value);
        }
        for at in 0..builder.instances.processes.len() {
            builder.member(at, &names.locals);
            builder.check_size()?;
        }
        for at in 0..builder.instances.queues.len() {
            builder.queue(at);
            builder.check_size()?;
        }
        if let Some(claim) = machine.claim() {
            let domain = Interval { least: 0, greatest: claim.states.len() as i64 - 1 };
            let claim = builder.system.add(
                "claim".to_owned(),
                FactorKind::Claim,
                domain,
                start.claim() as i32,
            );
            builder.claim = Some(claim);
        }
        Ok(builder)
    }

    fn check_size(&self) -> Result<(), FactoringError> {
        let factors = self.system.factors.len();
        if factors > MOST_FACTORS { Err(FactoringError::TooManyFactors) } else { Ok(()) }
    }

    fn variable(&mut self, slot: &VariableSlot, name: String, value: i32) -> FactorId {
        let stored = match slot.held {
            SlotValue::At(_, stored) => stored,
            SlotValue::Always(_) | SlotValue::LocalConstant(_) => {
                self.machine.layout().scalar(slot.ty)
            }
        };
        let mut domain = width(stored).map_or(Interval::ALL, IntWidth::interval);
        if slot.ty == Type::Chan {
            // The numbers of summary channels exceed those of other channels.
            let most = self.instances.queues.iter().map(|queue| i64::from(queue.value)).max();
            domain.greatest = domain.greatest.max(most.unwrap_or(0));
        }
        self.system.add(name, FactorKind::Variable, domain, value)
    }

    fn member(&mut self, at: usize, names: &[Vec<VariableSlot>]) {
        let member = self.instances.processes[at].clone();
        let automaton = self.machine.automaton(member.process);
        let name = match member.pid {
            Some(pid) => format!("{}[{pid}]", automaton.name),
            None => format!("{}[*]", automaton.name),
        };
        let domain = Interval { least: 0, greatest: automaton.marks.len() as i64 };
        let place = if member.is_first { automaton.start.0 as i32 } else { 0 };
        let location = self.system.add(format!("{name}@"), FactorKind::Location, domain, place);
        let locals = FactorId(self.system.factors.len() as u32);
        for (number, slot) in names[member.process.index()].iter().enumerate() {
            let initial = member.initial.as_ref().filter(|_| member.is_first);
            let value = initial.map_or(0, |initial| initial[number]);
            self.variable(slot, format!("{name}:{}", slot.name), value);
        }
        let is_summary = member.pid.is_none();
        for factor in &mut self.system.factors[location.index()..] {
            factor.is_summary = is_summary;
        }
        self.instances.processes[at].location = location;
        self.instances.processes[at].locals = locals;
    }

    fn queue(&mut self, at: usize) {
        let queue = self.instances.queues[at].clone();
        let is_summary = queue.is_summary();
        let name = if is_summary {
            format!("channel* {}", queue.declaration)
        } else {
            format!("channel {}", queue.value)
        };
        let domain = Interval { least: 0, greatest: queue.capacity as i64 };
        let length = self.system.add(format!("len({name})"), FactorKind::Length, domain, 0);
        let first = FactorId(self.system.factors.len() as u32);
        for slot in 0..queue.capacity {
            for (field, &scalar) in queue.fields.iter().enumerate() {
                let mut domain = width(scalar).map_or(Interval::ALL, IntWidth::interval);
                let most = self.instances.queues.iter().map(|queue| i64::from(queue.value)).max();
                domain.greatest = domain.greatest.max(most.unwrap_or(0));
                let name = format!("{name}[{slot}].{field}");
                let factor = self.system.add(name, FactorKind::Slot, domain, 0);
                self.system.factors[factor.index()].pool = FactorId(first.0 + field as u32);
            }
        }
        for factor in &mut self.system.factors[length.index()..] {
            factor.is_summary = is_summary;
        }
        self.instances.queues[at].length = length;
        self.instances.queues[at].slots = first;
    }

    /// The complete view: the steps of all instances and of the claim, and the goals.
    pub(super) fn finish(mut self, sought: &FactoredGoal) -> Result<FactoredView, FactoringError> {
        if matches!(sought, FactoredGoal::Faults) {
            let error = self.system.add("error".to_owned(), FactorKind::Error, Interval::TRUTH, 0);
            self.error = Some(error);
        }
        self.path_intervals = PathIntervals::of(&self.system);
        self.steps()?;
        if self.is_exact() {
            self.timeout_steps()?;
        }
        self.claim_steps();
        self.goals(sought)?;
        let ranges = Ranges::of(&self.system);
        let mut scratch = RangeScratch::default();
        if self.is_exact() {
            self.system.valid_end = Some(self.invalid_end().negated());
            self.system.excess = self.instances.excess().map(str::to_owned);
            self.finish_exactly(&ranges, &mut scratch);
        } else {
            self.system.steps.retain(|step| ranges.allow(&step.actions, &mut scratch));
        }
        let Builder { machine, instances, mut system, claim, error, .. } = self;
        system.goals.retain(|goal| ranges.may_hold(&goal.conditions, &mut scratch));
        for (at, factor) in system.factors.iter_mut().enumerate() {
            factor.domain = ranges.get(FactorId(at as u32));
        }
        system.tell_names_apart();
        let reader = Reader::new(machine, instances, claim, error);
        Ok(FactoredView { system: Arc::new(system), ranges, reading: Arc::new(reader) })
    }

    /// Moves of the claim accompany those of the system.
    fn claim_steps(&mut self) {
        let (Some(claim), Some(place)) = (self.machine.claim(), self.claim) else { return };
        for (from, at) in claim.states.iter().enumerate() {
            for to in at.moves.iter().filter(|to| !to.violated) {
                let mut actions =
                    vec![Instruction::Require(FactorExpr::Factor(place).equals(from as i32))];
                actions.extend(self.literals(&to.when).into_iter().map(Instruction::Require));
                actions.push(set(place, FactorExpr::Const(to.to as i32)));
                let edge = to.edges.first().map_or(0, |&EdgeId(edge)| edge);
                let label = StepLabel { edge, process: ANY_PROCESS };
                let name = format!("claim {from} to {}", to.to);
                self.system.steps.push(Operator::new(name, label, 0, actions));
            }
        }
    }

    /// Adds a goal; with a condition that is constantly false it is no goal.
    pub(super) fn add_goal(&mut self, name: String, conditions: Vec<FactorExpr>) {
        self.system.goals.push(Goal { name, conditions });
    }

    /// Whether a process type has steps: claims and traces only observe.
    pub(super) fn takes_part(kind: ProcessKind) -> bool {
        matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
    }
}
