//! A machine in factors: who may be there, and what they can do.

use std::sync::Arc;

use beeline_factored::{
    ANYONE, Action, Assignment, Expr, FactorId, Goal, Interval, Kind, Place, Ranges, Scratch, Step,
    System, Width,
};
use beeline_kernel::Mover;
use beeline_promela::hir::{ProcessKind, Type};

use super::crew::Crew;
use super::exprs::width;
use super::read::Reader;
use super::spans::Spans;
use super::{Factored, NoView, Sought};
use crate::automata::EdgeId;
use crate::constants::Constants;
use crate::interpreter::{Held, Machine, Slot};

/// More factors than this are too many.
const MOST_FACTORS: usize = 20_000;
/// More steps than this are too many.
pub(super) const MOST_STEPS: usize = 60_000;

/// Puts a system together.
pub(super) struct Builder<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a Constants,
    pub(super) crew: Crew,
    pub(super) spans: Spans,
    /// The first global variable, and the values of all at the start.
    pub(super) globals: FactorId,
    pub(super) first_globals: Vec<i32>,
    pub(super) system: System,
    /// When what was just translated has no value.
    pub(super) failing: Vec<Expr>,
    /// What `timeout` is worth.
    pub(super) timeout: Expr,
    /// Whether a step has failed, where that is looked for.
    pub(super) error: Option<FactorId>,
    pub(super) claim: Option<FactorId>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(machine: &'a Machine<'a>) -> Result<Self, NoView> {
        let crew = Crew::of(machine).map_err(|_| NoView::NoStart)?;
        if !crew.keeps_channels() {
            return Err(NoView::ChannelsComeAgain);
        }
        let start = machine.initial().map_err(|_| NoView::NoStart)?;
        let names = machine.names();
        let mut builder = Builder {
            machine,
            constants: machine.constants(),
            spans: Spans::of(machine.model()),
            globals: FactorId(0),
            first_globals: names.globals.iter().map(|slot| slot.global(&start)).collect(),
            system: System::default(),
            failing: Vec::new(),
            timeout: Expr::Any(Interval::TRUTH),
            error: None,
            claim: None,
            crew,
        };
        for (slot, &value) in names.globals.iter().zip(&builder.first_globals.clone()) {
            builder.variable(slot, slot.name.clone(), value);
        }
        for at in 0..builder.crew.members.len() {
            builder.member(at, &names.locals);
            builder.check_size()?;
        }
        for at in 0..builder.crew.queues.len() {
            builder.queue(at);
            builder.check_size()?;
        }
        if let Some(claim) = machine.claim() {
            let domain = Interval { least: 0, greatest: claim.places.len() as i64 - 1 };
            let claim =
                builder.system.add("claim".to_owned(), Kind::Claim, domain, start.claim() as i32);
            builder.claim = Some(claim);
        }
        Ok(builder)
    }

    fn check_size(&self) -> Result<(), NoView> {
        let factors = self.system.factors.len();
        if factors > MOST_FACTORS { Err(NoView::TooManyFactors) } else { Ok(()) }
    }

    fn variable(&mut self, slot: &Slot, name: String, value: i32) -> FactorId {
        let stored = match slot.held {
            Held::At(_, stored) => stored,
            Held::Always(_) | Held::Settled(_) => self.machine.layout().scalar(slot.ty),
        };
        let mut domain = width(stored).map_or(Interval::ALL, Width::interval);
        if slot.ty == Type::Chan {
            // Crowds of channels have numbers beyond those.
            let most = self.crew.queues.iter().map(|queue| i64::from(queue.value)).max();
            domain.greatest = domain.greatest.max(most.unwrap_or(0));
        }
        self.system.add(name, Kind::Variable, domain, value)
    }

    fn member(&mut self, at: usize, names: &[Vec<Slot>]) {
        let member = self.crew.members[at].clone();
        let automaton = self.machine.automaton(member.process);
        let name = match member.pid {
            Some(pid) => format!("{}[{pid}]", automaton.name),
            None => format!("{}[*]", automaton.name),
        };
        let domain = Interval { least: 0, greatest: automaton.marks.len() as i64 };
        let place = if member.is_first { automaton.start.0 as i32 } else { 0 };
        let location = self.system.add(format!("{name}@"), Kind::Location, domain, place);
        let locals = FactorId(self.system.factors.len() as u32);
        for (number, slot) in names[member.process.index()].iter().enumerate() {
            let born = member.born.as_ref().filter(|_| member.is_first);
            let value = born.map_or(0, |born| born[number]);
            self.variable(slot, format!("{name}:{}", slot.name), value);
        }
        let is_crowd = member.pid.is_none();
        for factor in &mut self.system.factors[location.index()..] {
            factor.is_crowd = is_crowd;
        }
        self.crew.members[at].location = location;
        self.crew.members[at].locals = locals;
    }

    fn queue(&mut self, at: usize) {
        let queue = self.crew.queues[at].clone();
        let is_crowd = queue.is_crowd();
        let name = if is_crowd {
            format!("channel* {}", queue.declaration)
        } else {
            format!("channel {}", queue.value)
        };
        let domain = Interval { least: 0, greatest: queue.capacity as i64 };
        let length = self.system.add(format!("len({name})"), Kind::Length, domain, 0);
        let first = FactorId(self.system.factors.len() as u32);
        for slot in 0..queue.capacity {
            for (field, &scalar) in queue.fields.iter().enumerate() {
                let mut domain = width(scalar).map_or(Interval::ALL, Width::interval);
                let most = self.crew.queues.iter().map(|queue| i64::from(queue.value)).max();
                domain.greatest = domain.greatest.max(most.unwrap_or(0));
                let name = format!("{name}[{slot}].{field}");
                let factor = self.system.add(name, Kind::Slot, domain, 0);
                self.system.factors[factor.index()].pool = FactorId(first.0 + field as u32);
            }
        }
        for factor in &mut self.system.factors[length.index()..] {
            factor.is_crowd = is_crowd;
        }
        self.crew.queues[at].length = length;
        self.crew.queues[at].slots = first;
    }

    /// Everything: all that members and the claim can do, and what is looked for.
    pub(super) fn finish(mut self, sought: &Sought) -> Result<Factored, NoView> {
        if matches!(sought, Sought::Faults) {
            let error = self.system.add("error".to_owned(), Kind::Error, Interval::TRUTH, 0);
            self.error = Some(error);
        }
        self.steps()?;
        self.claim_steps();
        self.goals(sought)?;
        let Builder { machine, crew, mut system, claim, error, .. } = self;
        let ranges = Ranges::of(&system);
        let mut scratch = Scratch::default();
        system.steps.retain(|step| ranges.allow(&step.actions, &mut scratch));
        system.goals.retain(|goal| ranges.may_hold(&goal.conditions, &mut scratch));
        for (at, factor) in system.factors.iter_mut().enumerate() {
            factor.domain = ranges.get(FactorId(at as u32));
        }
        system.tell_names_apart();
        let reader = Reader::new(machine, crew, claim, error);
        Ok(Factored { system: Arc::new(system), ranges, reading: Arc::new(reader) })
    }

    /// Moves of the claim happen along with those of the system.
    fn claim_steps(&mut self) {
        let (Some(claim), Some(place)) = (self.machine.claim(), self.claim) else { return };
        for (from, at) in claim.places.iter().enumerate() {
            for to in at.moves.iter().filter(|to| !to.violated) {
                let mut actions = vec![Action::Require(Expr::Factor(place).equals(from as i32))];
                actions.extend(self.literals(&to.when).into_iter().map(Action::Require));
                actions.push(set(place, Expr::Const(to.to as i32)));
                let edge = to.edges.first().map_or(0, |&EdgeId(edge)| edge);
                let mover = Mover { edge, process: ANYONE };
                let name = format!("claim {from} to {}", to.to);
                self.system.steps.push(Step { name, mover, cost: 0, actions });
            }
        }
    }

    /// Adds a goal; a condition that is surely false makes it none.
    pub(super) fn add_goal(&mut self, name: String, conditions: Vec<Expr>) {
        self.system.goals.push(Goal { name, conditions });
    }

    /// Whether a process type takes part: claims and traces only watch.
    pub(super) fn takes_part(kind: ProcessKind) -> bool {
        matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
    }
}

/// Sets one factor.
pub(super) fn set(factor: FactorId, value: Expr) -> Action {
    Action::Set(vec![assign(factor, value)])
}

/// One factor gets a value.
pub(super) fn assign(factor: FactorId, value: Expr) -> Assignment {
    Assignment { place: Place::Factor(factor), value }
}
