//! What is looked for, in factors.

use beeline_factored::{Expr, Interval};
use beeline_promela::hir::Access;

use super::build::Builder;
use super::crew::{Queue, may_end};
use super::exprs::Who;
use super::read::Reader;
use super::{NoView, Sought};
use crate::automata::Location;
use crate::claim::{Condition, Literal};

impl<'a> Builder<'a> {
    /// Adds what is looked for.
    pub(super) fn goals(&mut self, sought: &Sought) -> Result<(), NoView> {
        match sought {
            Sought::Nothing => {}
            Sought::Deadlock => self.deadlock(),
            Sought::Faults => {
                if let Some(error) = self.error {
                    let failed = Expr::Factor(error).equals(1);
                    self.add_goal("a step fails".to_owned(), vec![failed]);
                }
            }
            Sought::Violation(invariant) => {
                self.failing.clear();
                let value = self.expr(invariant, None);
                self.add_goal("the invariant is false".to_owned(), vec![value.negated()]);
                for cause in std::mem::take(&mut self.failing) {
                    self.add_goal("the invariant has no value".to_owned(), vec![cause]);
                }
            }
            Sought::Claim => self.claim_goals(),
            Sought::State(state) => self.state(state),
        }
        Ok(())
    }

    /// Everyone is stuck, and someone where that is not allowed.
    fn deadlock(&mut self) {
        // When nobody can move, `timeout` is true.
        self.timeout = Expr::TRUE;
        let mut conditions = Vec::new();
        let mut astray = Expr::Const(0);
        for who in 0..self.crew.members.len() {
            let member = self.crew.members[who].clone();
            let automaton = self.machine.automaton(member.process);
            if member.pid.is_none() {
                astray = Expr::Any(Interval::TRUTH);
                continue;
            }
            let here = Expr::Factor(member.location);
            let mut stuck = if member.is_first && !may_end(automaton) {
                Expr::Const(0)
            } else {
                here.clone().equals(0)
            };
            let provided = self.machine.model().process(member.process).provided.as_ref();
            if let Some(provided) = provided {
                self.failing.clear();
                let provided = self.expr(provided, Some(who));
                stuck = stuck.or(provided.negated());
            }
            if self.machine.has_priorities() {
                stuck = Expr::TRUE;
            }
            let locations = (1..automaton.marks.len() as u32).map(Location);
            for location in locations {
                let edges = automaton.edges_from(location);
                let mut at = here.clone().equals(location.0 as i32);
                for edge in edges {
                    let possible = self.executable(automaton, edge, who);
                    at = at.and(possible.negated());
                }
                stuck = stuck.or(at);
                if !automaton.marks[location.0 as usize].end {
                    astray = astray.or(here.clone().equals(location.0 as i32));
                }
            }
            conditions.push(stuck);
        }
        if self.machine.ends_empty() {
            for queue in &self.crew.queues {
                astray = astray.or(Expr::Factor(queue.length).equals(0).negated());
            }
        }
        if self.machine.has_trace() {
            astray = Expr::TRUE;
        }
        conditions.push(astray);
        self.timeout = Expr::Any(Interval::TRUTH);
        self.add_goal("nobody can move".to_owned(), conditions);
    }

    /// The claim ends, or is at an accepting place.
    fn claim_goals(&mut self) {
        let (Some(claim), Some(place)) = (self.machine.claim(), self.claim) else { return };
        for (number, at) in claim.places.iter().enumerate() {
            let here = Expr::Factor(place).equals(number as i32);
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
            for member in self.crew.members.clone() {
                let automaton = self.machine.automaton(member.process);
                for (location, mark) in automaton.marks.iter().enumerate() {
                    if mark.accept {
                        let at = Expr::Factor(member.location).equals(location as i32);
                        self.add_goal(format!("{} accepts", automaton.name), vec![at]);
                    }
                }
            }
        }
    }

    /// What has to be true for a claim to move.
    pub(super) fn literals(&mut self, when: &[Literal]) -> Vec<Expr> {
        let machine = self.machine;
        let Some(claim) = machine.claim() else { return Vec::new() };
        let mut value = |number: u32| {
            self.failing.clear();
            let value = self.expr(&claim.conditions[number as usize], None);
            (value, std::mem::take(&mut self.failing))
        };
        let one = |literal: &Literal| match literal.condition {
            Condition::NoProgress => Expr::Any(Interval::TRUTH),
            Condition::Holds(number) => {
                let (value, causes) = value(number);
                // What has no value is false.
                if literal.is { value } else { causes.into_iter().fold(value.negated(), Expr::or) }
            }
            Condition::HasNoValue(number) => {
                let fails = value(number).1.into_iter().fold(Expr::Const(0), Expr::or);
                if literal.is { fails } else { fails.negated() }
            }
        };
        when.iter().map(one).collect()
    }

    /// All factors have the values that they have in a state.
    fn state(&mut self, state: &[u8]) {
        use beeline_factored::Reading as _;
        let reader = Reader::new(self.machine, self.crew.clone(), self.claim, self.error);
        let mut conditions = Vec::new();
        let fits = reader.read(state, &mut |factor, value| {
            if !self.system.factor(factor).is_crowd {
                conditions.push(Expr::Factor(factor).equals(value));
            }
        });
        let conditions = if fits { conditions } else { Vec::new() };
        self.add_goal("the state".to_owned(), conditions);
    }

    /// A condition that depends on which channel a variable holds; unknown for a rendezvous.
    pub(super) fn by_queue(
        &mut self,
        access: &Access,
        who: Who,
        mut of: impl FnMut(&mut Self, &Queue) -> Expr,
    ) -> Expr {
        let unknown = Expr::Any(Interval::TRUTH);
        self.by_channel(access, who, unknown.clone(), |builder, queue| {
            if queue.capacity == 0 { unknown.clone() } else { of(builder, queue) }
        })
    }

    /// Whether a variable may hold a rendezvous.
    pub(super) fn may_meet(&self, access: &Access, who: Who) -> bool {
        let queues = self.channels(access, who);
        queues.into_iter().any(|at| self.crew.queues[at].capacity == 0)
    }
}
