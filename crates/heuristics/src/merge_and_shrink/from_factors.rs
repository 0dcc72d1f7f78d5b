//! Components of a factored system.
//!
//! Goals become an additional component, the monitor. It starts in state 0 and follows each goal to
//! its last state, one condition at a time, by labels of cost 0; meanwhile no other label is
//! possible. With a single goal, conditions on single components define their error states and need
//! no monitor. Errors can be given as values of the groups instead: then a component has the error
//! states whose values an error has, and there is no monitor.

use std::sync::Arc;

use beeline_factored::{
    ErrorValues, FactorExpr, FactorId, FactorReader, Goal, Instruction, Interval, System,
};

use super::budget::{MergeBudget, Shortage};
use super::component::{FREE, LabelledComponent, LabelledComponents, LabelledEdge, StateFactors};
use super::factor_groups::{FactorGroup, Limits, Relevance, parts};
use super::labels::{Label, Labels, WorkExceeded, WorkLimit, merged};

/// Limits from fine to coarse: the first that needs no more than `WORK` is used.
const LIMITS: [Limits; 8] = [
    Limits { values: 256, together: 256, tuples: 1024 },
    Limits { values: 64, together: 64, tuples: 256 },
    Limits { values: 32, together: 1, tuples: 64 },
    Limits { values: 16, together: 1, tuples: 32 },
    Limits { values: 8, together: 1, tuples: 8 },
    Limits { values: 4, together: 1, tuples: 1 },
    Limits { values: 2, together: 1, tuples: 1 },
    Limits { values: 0, together: 1, tuples: 1 },
];

/// Work limit for each of the limits: tried operators and their successors.
const WORK: u64 = 3_000_000;
/// Approximate bytes per unit of work.
const BYTES: usize = 32;

/// Errors as sets of values.
pub struct ErrorSets<'e> {
    /// The order of the components: that of their first factors here.
    pub order: &'e [FactorId],
    /// The values that errors have.
    pub values: &'e mut ErrorValues<'e>,
}

/// The components of a factored system, and the mapping of its states.
pub struct FromFactors {
    components: LabelledComponents,
    reading: Arc<dyn FactorReader>,
    /// By factor: its position in a component, if any.
    places: Vec<Option<Place>>,
    /// The factors of each component, with their domains.
    groups: Vec<Vec<(FactorId, Interval)>>,
    shortage: Option<Shortage>,
}

/// The position of a factor in a component.
#[derive(Clone, Copy)]
struct Place {
    component: u32,
    least: i64,
    size: u64,
    weight: u32,
}

impl FromFactors {
    /// Builds components within the bytes and time of the budget.
    pub fn new(
        system: &System,
        reading: Arc<dyn FactorReader>,
        budget: MergeBudget,
    ) -> FromFactors {
        FromFactors::made(system, None, reading, budget)
    }

    /// Builds components whose errors are sets of values, instead of the goals of the system.
    pub fn with_errors(
        system: &System,
        errors: ErrorSets<'_>,
        reading: Arc<dyn FactorReader>,
        budget: MergeBudget,
    ) -> FromFactors {
        FromFactors::made(system, Some(errors), reading, budget)
    }

    fn made(
        system: &System,
        mut errors: Option<ErrorSets<'_>>,
        reading: Arc<dyn FactorReader>,
        budget: MergeBudget,
    ) -> FromFactors {
        let in_bytes = (budget.bytes / BYTES) as u64;
        let limit = WorkLimit { work: WORK.min(in_bytes), deadline: budget.deadline };
        let (mut made, mut shortage) = (None, None);
        for &limits in &LIMITS {
            if budget.deadline.is_over() {
                shortage = Some(Shortage::Time);
                break;
            }
            made = Making::make(system, errors.as_mut(), limits, limit).ok();
            if made.is_some() {
                break;
            }
            shortage = (in_bytes < WORK).then_some(Shortage::Bytes);
        }
        // Without components, every estimate is 0.
        let Making { components, parts, .. } = made.unwrap_or_default();
        let mut places = vec![None; system.factors.len()];
        for (component, part) in parts.iter().enumerate() {
            let mut weight = 1;
            for &(factor, domain) in part.factors.iter().rev() {
                let (least, size) = (domain.least, domain.size());
                let component = component as u32;
                places[factor.index()] = Some(Place { component, least, size, weight });
                weight *= size as u32;
            }
        }
        let monitors = components.each.len().saturating_sub(parts.len());
        let groups = parts.into_iter().map(|part| part.factors);
        let groups = groups.chain(std::iter::repeat_n(Vec::new(), monitors)).collect();
        FromFactors { components, reading, places, groups, shortage }
    }

    /// The exhausted resource, if components are coarser for it.
    pub fn shortage(&self) -> Option<Shortage> {
        self.shortage
    }

    /// The factors of each component, with their domains; a monitor has none.
    pub fn groups(&self) -> &[Vec<(FactorId, Interval)>] {
        &self.groups
    }

    /// The components.
    pub fn components(&self) -> &LabelledComponents {
        &self.components
    }
}

impl StateFactors for FromFactors {
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        // The monitor is in state 0.
        locals.fill(0);
        let mut fits = true;
        let is_read = self.reading.read(state, &mut |factor, value| {
            if let Some(place) = self.places[factor.index()] {
                let value = (i64::from(value) - place.least) as u64;
                fits &= value < place.size;
                locals[place.component as usize] += value as u32 * place.weight;
            }
        });
        is_read && fits
    }
}

/// Components under construction.
#[derive(Default)]
struct Making {
    components: LabelledComponents,
    parts: Vec<FactorGroup>,
}

impl Making {
    fn make(
        system: &System,
        errors: Option<&mut ErrorSets<'_>>,
        limits: Limits,
        limit: WorkLimit,
    ) -> Result<Making, WorkExceeded> {
        let relevance = if errors.is_some() { Relevance::All } else { Relevance::Goals };
        let mut parts = parts(system, limits, relevance);
        if let Some(errors) = &errors {
            sort(&mut parts, errors.order);
        }
        let mut labels = Labels::new(system, &parts, limits.tuples, limit);
        let mut watch = Watch::new(errors.is_none() && system.goals.len() != 1, &parts);
        match errors {
            Some(errors) => watch.set_errors(errors, &parts),
            None => {
                for goal in &system.goals {
                    watch.add(goal, &mut labels)?;
                }
            }
        }
        let mut all = Vec::new();
        for step in &system.steps {
            all.append(&mut labels.of(&step.actions, step.cost == 0)?);
        }
        let everyone: Vec<u32> = (0..=parts.len() as u32).collect();
        let mut all = merged(all, &everyone);
        if watch.is_long() {
            let waits = (parts.len() as u32, vec![(0, 0)]);
            all.iter_mut().for_each(|label| label.moves.push(waits.clone()));
        }
        all.extend(merged(std::mem::take(&mut watch.labels), &everyone));
        let mut each: Vec<LabelledComponent> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let error = watch.error[at].clone();
            let states = part.states as usize;
            let initial = vec![first(part, system)];
            each.push(LabelledComponent { states, initial, error, edges: Vec::new() });
        }
        each.extend(watch.component());
        let mut participants = Vec::new();
        for label in all {
            let free = if label.is_free { FREE } else { 0 };
            let number = participants.len() as u32 | free;
            participants.push(label.moves.iter().map(|one| one.0).collect());
            for (who, moves) in label.moves {
                let edge = |(from, to)| LabelledEdge { from, label: number, to };
                each[who as usize].edges.extend(moves.into_iter().map(edge));
            }
        }
        Ok(Making { components: LabelledComponents { each, participants }, parts })
    }
}

/// Sorts groups by the first place of a factor in an order.
fn sort(parts: &mut [FactorGroup], order: &[FactorId]) {
    let place = |&(factor, _): &(FactorId, Interval)| order.iter().position(|one| *one == factor);
    parts.sort_by_cached_key(|part| {
        part.factors.iter().filter_map(place).min().unwrap_or(usize::MAX)
    });
}

/// The initial state of a group.
fn first(part: &FactorGroup, system: &System) -> u32 {
    let values: Vec<i32> =
        part.factors.iter().map(|(factor, _)| system.initial[factor.index()]).collect();
    part.state_of(&values) as u32
}

/// The monitor of the goals.
struct Watch {
    /// Its component number.
    number: u32,
    /// Whether only the monitor has error states: there is not exactly one goal.
    is_alone: bool,
    /// By group: the states that satisfy the single goal.
    error: Vec<Vec<bool>>,
    labels: Vec<Label>,
    /// Number of states; state 1 is the error state.
    states: u32,
    is_used: bool,
}

/// The error state of the monitor.
const FOUND: u32 = 1;

impl Watch {
    fn new(is_alone: bool, parts: &[FactorGroup]) -> Watch {
        Watch {
            number: parts.len() as u32,
            is_alone,
            error: parts.iter().map(|part| vec![true; part.states as usize]).collect(),
            labels: Vec::new(),
            states: 2,
            is_used: is_alone,
        }
    }

    /// Whether the monitor has intermediate states, so that other labels must wait.
    fn is_long(&self) -> bool {
        self.is_used && (self.states > 2 || !self.is_alone)
    }

    fn component(&self) -> Option<LabelledComponent> {
        let states = self.states as usize;
        let error = (0..self.states).map(|state| state == FOUND).collect();
        let component = LabelledComponent { states, initial: vec![0], error, edges: Vec::new() };
        self.is_used.then_some(component)
    }

    /// The errors are the states whose values they have.
    fn set_errors(&mut self, errors: &mut ErrorSets<'_>, parts: &[FactorGroup]) {
        for (part, error) in parts.iter().zip(&mut self.error) {
            let factors: Vec<FactorId> = part.factors.iter().map(|one| one.0).collect();
            let Some(rows) = (errors.values)(&factors) else { continue };
            if !rows.iter().all(|row| part.has(row)) {
                continue;
            }
            error.fill(false);
            for row in rows {
                error[part.state_of(&row) as usize] = true;
            }
        }
    }

    /// Adds a goal.
    fn add(&mut self, goal: &Goal, labels: &mut Labels<'_>) -> Result<(), WorkExceeded> {
        let mut conditions = Vec::new();
        goal.conditions.iter().for_each(|one| one.conjuncts(&mut conditions));
        let is_plain = |one: &&FactorExpr| labels.parts_in([*one], None).len() < 2;
        let (plain, others): (Vec<&FactorExpr>, Vec<&FactorExpr>) =
            conditions.into_iter().partition(is_plain);
        let plain: Vec<Instruction> =
            plain.into_iter().cloned().map(Instruction::Require).collect();
        let plain = labels.of(&plain, true)?;
        let Some(first) = plain.first() else {
            // The goal is unreachable.
            self.is_used = true;
            return Ok(());
        };
        let mut stages = Vec::new();
        if self.is_alone {
            stages.push(plain);
        } else {
            for (part, moves) in &first.moves {
                let error = &mut self.error[*part as usize];
                error.fill(false);
                moves.iter().for_each(|one| error[one.0 as usize] = true);
            }
        }
        for condition in others {
            let mut stage = Vec::new();
            for part in condition.disjuncts() {
                stage.append(&mut labels.of(&[Instruction::Require(part.clone())], true)?);
            }
            stages.push(stage);
        }
        self.is_used |= !stages.is_empty();
        let last = stages.len().wrapping_sub(1);
        let mut from = 0;
        for (at, stage) in stages.into_iter().enumerate() {
            let to = if at == last { FOUND } else { self.states };
            self.states += u32::from(at != last);
            for mut label in stage {
                label.moves.push((self.number, vec![(from, to)]));
                self.labels.push(label);
            }
            from = to;
        }
        Ok(())
    }
}
