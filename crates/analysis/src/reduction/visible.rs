//! Visibility: the objects that a property observes. Steps that may change them are *visible* and
//! are neither postponed nor preferred: condition C2 of [EMJ05].

use beeline_engine::automata::{Automaton, Edge, EdgeAction, label_location};
use beeline_engine::claim::{Claim, ClaimCondition};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Expr, ExprKind, Predefined, ProcessId, ProcessQuery, Root};

use super::access_set::{AccessSet, EnablingSet};
use super::footprint_context::FootprintContext;
use super::objects::{Bits, Objects};
use super::options::Obstacle;

/// The objects that a property observes.
#[derive(Clone, Debug)]
pub(super) struct Visibility {
    things: Bits,
    /// By process type and location: whether it is observed that a process is there.
    locations: Vec<Vec<bool>>,
    /// By process type: whether everything about its processes is observed.
    processes: Vec<bool>,
    /// By process type: whether its creation is observed.
    births: Vec<bool>,
}

impl Visibility {
    /// Nothing is observed: only deadlocks matter.
    pub(super) fn nothing(machine: &Machine<'_>, objects: Objects) -> Visibility {
        let types = machine.model().processes.len();
        let locations =
            (0..types).map(|at| vec![false; machine.automaton(id(at)).marks.len()]).collect();
        let (processes, births) = (vec![false; types], vec![false; types]);
        Visibility { things: objects.none(), locations, processes, births }
    }

    /// The objects that the invariants of a machine, or its claim, observe.
    pub(super) fn of(footprint_context: &FootprintContext<'_>) -> Result<Visibility, Obstacle> {
        let machine = footprint_context.machine;
        let mut visible = Visibility::nothing(machine, footprint_context.objects);
        for condition in machine.invariants() {
            visible.look_at(footprint_context, condition)?;
        }
        if let Some(claim) = machine.claim() {
            visible.look_at_labels(machine, claim);
        }
        Ok(visible)
    }

    fn look_at(
        &mut self,
        footprint_context: &FootprintContext<'_>,
        condition: &Expr,
    ) -> Result<(), Obstacle> {
        let mut obstacle = None;
        let mut seen = EnablingSet { things: std::mem::take(&mut self.things), is_wild: false };
        condition.visit(&mut |part| match &part.kind {
            ExprKind::RemoteLabel { process, label, .. } => {
                let automaton = footprint_context.machine.automaton(*process);
                self.births[process.index()] = true;
                if let Some(location) = label_location(automaton, *label) {
                    self.locations[process.index()][location.0 as usize] = true;
                }
            }
            ExprKind::RemoteVar { process, .. } => self.processes[process.index()] = true,
            ExprKind::Process(ProcessQuery::Enabled | ProcessQuery::PcValue, _)
            | ExprKind::NonProgress
            | ExprKind::Timeout => obstacle = Some(Obstacle::Property),
            ExprKind::Read(access) if access.root == Root::Predefined(Predefined::Last) => {
                obstacle = Some(Obstacle::Property);
            }
            ExprKind::Read(_) | ExprKind::Channel(..) | ExprKind::Poll { .. } => {
                footprint_context.look(part, &mut seen);
            }
            _ => {}
        });
        self.things = seen.things;
        match obstacle {
            Some(obstacle) => Err(obstacle),
            None if seen.is_wild => Err(Obstacle::Property),
            None => Ok(()),
        }
    }

    /// Labels are observed, too, if a claim refers to them.
    fn look_at_labels(&mut self, machine: &Machine<'_>, claim: &Claim) {
        let literals = claim.states.iter().flat_map(|place| &place.moves);
        let mut literals = literals.flat_map(|step| &step.when);
        let progress = literals.any(|literal| literal.condition == ClaimCondition::NoProgress);
        for (process, locations) in self.locations.iter_mut().enumerate() {
            for (location, mark) in machine.automaton(id(process)).marks.iter().enumerate() {
                let counts = (progress && mark.progress) || (claim.counts_labels && mark.accept);
                locations[location] |= counts;
                self.births[process] |= counts;
            }
        }
    }

    /// Whether a step may change an observed object.
    pub(super) fn sees(&self, access_set: &AccessSet) -> bool {
        access_set.changes(&self.things) || (access_set.is_wild && !self.things.is_empty())
    }

    /// Whether the property observes the execution of this edge.
    pub(super) fn sees_edge(&self, process: ProcessId, automaton: &Automaton, edge: &Edge) -> bool {
        let locations = &self.locations[process.index()];
        self.processes[process.index()]
            || locations[edge.from.0 as usize]
            || locations[edge.to.0 as usize]
            || self.starts(automaton, edge)
    }

    /// Whether an edge starts a process that is observed.
    fn starts(&self, automaton: &Automaton, edge: &Edge) -> bool {
        started(automaton, edge)
            .any(|child| self.births[child.index()] || self.processes[child.index()])
    }
}

fn id(process: usize) -> ProcessId {
    ProcessId(process as u32)
}

/// The processes that an edge starts.
pub(super) fn started<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = ProcessId> + 'a {
    let inside = automaton.d_steps.iter().filter(|inside| inside.edge == edge.id);
    let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
    edges.flat_map(|edge| &edge.steps).filter_map(|step| match &step.action {
        EdgeAction::Guard(value) | EdgeAction::Assign { value, .. } => match value.kind {
            ExprKind::Run { process, .. } => Some(process),
            _ => None,
        },
        _ => None,
    })
}
