//! Goals in factors.

use beeline_engine::automata::Location;
use beeline_engine::claim::{ClaimCondition, ClaimLiteral};
use beeline_factored::{FactorExpr, Interval};
use beeline_promela::hir::Access;

use super::builder::{Builder, MaybeInstance};
use super::instances::ChannelInstance;
use super::read::Reader;
use super::starts::may_end;
use super::view::{FactoredGoal, FactoringError};

impl<'a> Builder<'a> {
    /// Adds the goals.
    pub(super) fn goals(&mut self, sought: &FactoredGoal) -> Result<(), FactoringError> {
        match sought {
            FactoredGoal::Nothing => {}
            FactoredGoal::Deadlock => self.deadlock(),
            FactoredGoal::Faults => {
                if let Some(error) = self.error {
                    let failed = FactorExpr::Factor(error).equals(1);
                    self.add_goal("a step fails".to_owned(), vec![failed]);
                }
            }
            FactoredGoal::Violation(invariant) => {
                self.failing.clear();
                let value = self.expr(invariant, None);
                self.add_goal("the invariant is false".to_owned(), vec![value.negated()]);
                for cause in self.take_failing() {
                    self.add_goal("the invariant has no value".to_owned(), vec![cause]);
                }
            }
            FactoredGoal::Claim => self.claim_goals(),
            FactoredGoal::State(state) => self.state(state),
        }
        Ok(())
    }

    /// No process can move, and some process is not at a valid end.
    fn deadlock(&mut self) {
        // If no process can move, `timeout` is true.
        self.timeout = FactorExpr::TRUE;
        let mut conditions = Vec::new();
        for instance in 0..self.instances.processes.len() {
            let member = self.instances.processes[instance].clone();
            let automaton = self.machine.automaton(member.process);
            if member.pid.is_none() {
                continue;
            }
            let here = FactorExpr::Factor(member.location);
            let mut stuck = if member.is_first && !may_end(automaton) {
                FactorExpr::Const(0)
            } else {
                here.clone().equals(0)
            };
            let provided = self.machine.model().process(member.process).provided.as_ref();
            if let Some(provided) = provided {
                self.failing.clear();
                let provided = self.expr(provided, Some(instance));
                stuck = stuck.or(provided.negated());
            }
            if self.machine.has_priorities() {
                stuck = FactorExpr::TRUE;
            }
            let locations = (1..automaton.marks.len() as u32).map(Location);
            for location in locations {
                let edges = automaton.edges_from(location);
                let mut at = here.clone().equals(location.0 as i32);
                for edge in edges {
                    let possible = self.executable(automaton, edge, instance);
                    at = at.and(possible.negated());
                }
                stuck = stuck.or(at);
            }
            conditions.push(stuck);
        }
        conditions.push(self.invalid_end());
        self.timeout = FactorExpr::Any(Interval::TRUTH);
        self.add_goal("no process can move".to_owned(), conditions);
    }

    /// Some process is not at a valid end. Where the factors do not determine it, it is possible.
    pub(super) fn invalid_end(&self) -> FactorExpr {
        if self.machine.has_trace() {
            return FactorExpr::TRUE;
        }
        let mut astray = FactorExpr::Const(0);
        for member in &self.instances.processes {
            let automaton = self.machine.automaton(member.process);
            if member.pid.is_none() {
                astray = FactorExpr::Any(Interval::TRUTH);
                continue;
            }
            let invalid = (1..automaton.marks.len()).filter(|&at| !automaton.marks[at].end);
            let here = FactorExpr::Factor(member.location);
            astray = invalid.fold(astray, |astray, at| astray.or(here.clone().equals(at as i32)));
        }
        if self.machine.ends_empty() {
            for queue in &self.instances.queues {
                astray = astray.or(FactorExpr::Factor(queue.length).equals(0).negated());
            }
        }
        astray
    }

    /// The claim ends, or is in an accepting state.
    fn claim_goals(&mut self) {
        let (Some(claim), Some(place)) = (self.machine.claim(), self.claim) else { return };
        for (number, at) in claim.states.iter().enumerate() {
            let here = FactorExpr::Factor(place).equals(number as i32);
            if at.accepting {
                let name = format!("the claim accepts at {number}");
                self.add_goal(name, vec![here.clone()]);
            }
            for end in at.moves.iter().filter(|end| end.violated) {
                let mut conditions = vec![here.clone()];
                conditions.extend(self.literals(&end.when));
                self.add_goal(format!("the claim ends from {number}"), conditions);
            }
        }
        if claim.counts_labels {
            for member in self.instances.processes.clone() {
                let automaton = self.machine.automaton(member.process);
                for (location, mark) in automaton.marks.iter().enumerate() {
                    if mark.accept {
                        let at = FactorExpr::Factor(member.location).equals(location as i32);
                        self.add_goal(format!("{} accepts", automaton.name), vec![at]);
                    }
                }
            }
        }
    }

    /// The conditions under which a claim moves.
    pub(super) fn literals(&mut self, when: &[ClaimLiteral]) -> Vec<FactorExpr> {
        let machine = self.machine;
        let Some(claim) = machine.claim() else { return Vec::new() };
        let mut value = |number: u32| {
            self.failing.clear();
            let value = self.expr(&claim.conditions[number as usize], None);
            (value, self.take_failing())
        };
        let one = |literal: &ClaimLiteral| match literal.condition {
            ClaimCondition::NoProgress => FactorExpr::Any(Interval::TRUTH),
            ClaimCondition::Holds(number) => {
                let (value, causes) = value(number);
                // A condition without a value is false.
                if literal.is { value } else { causes.fold(value.negated(), FactorExpr::or) }
            }
            ClaimCondition::Undefined(number) => {
                let fails = value(number).1.fold(FactorExpr::Const(0), FactorExpr::or);
                if literal.is { fails } else { fails.negated() }
            }
        };
        when.iter().map(one).collect()
    }

    /// All factors have their values of a state.
    fn state(&mut self, state: &[u8]) {
        use beeline_factored::FactorReader as _;
        let reader = Reader::new(self.machine, self.instances.clone(), self.claim, self.error);
        let mut conditions = Vec::new();
        let fits = reader.read(state, &mut |factor, value| {
            if !self.system.factor(factor).is_summary {
                conditions.push(FactorExpr::Factor(factor).equals(value));
            }
        });
        let conditions = if fits { conditions } else { Vec::new() };
        self.add_goal("the state".to_owned(), conditions);
    }

    /// A condition that depends on the channel that a variable holds; `meeting` for a rendezvous.
    pub(super) fn by_queue(
        &mut self,
        access: &Access,
        instance: MaybeInstance,
        meeting: &FactorExpr,
        mut of: impl FnMut(&mut Self, &ChannelInstance) -> FactorExpr,
    ) -> FactorExpr {
        self.by_channel(access, instance, meeting.clone(), |builder, queue| {
            if queue.capacity == 0 { meeting.clone() } else { of(builder, queue) }
        })
    }

    /// Whether a variable may hold a rendezvous.
    pub(super) fn may_meet(&mut self, access: &Access, instance: MaybeInstance) -> bool {
        let queues = self.channels(access, instance);
        queues.into_iter().any(|at| self.instances.queues[at].capacity == 0)
    }
}
