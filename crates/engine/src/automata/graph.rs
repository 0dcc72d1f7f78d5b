//! The data of process automata: locations, edges with their steps, and automata.

use std::sync::Arc;

pub(super) use beeline_kernel::EdgeId;
use beeline_promela::hir::{LabelId, LocalId, Model, Process, ProcessId, ProcessKind};
use beeline_promela::source::Span;

use super::action::EdgeAction;

/// A control location of a process; 0 is "terminated".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location(pub u32);

/// The optimisations of SPIN to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutomataOptions {
    /// Merge a statement with local statements that follow it.
    pub merge: bool,
    /// Reset local variables when they are dead.
    pub reset_dead: bool,
}

impl AutomataOptions {
    /// SPIN's default.
    pub const OPTIMISED: AutomataOptions = AutomataOptions { merge: true, reset_dead: true };
    /// No merging and no resetting: `spin -o1 -o2 -o3`.
    pub const PLAIN: AutomataOptions = AutomataOptions { merge: false, reset_dead: false };
}

/// Exclusive control after an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hold {
    /// Whether the process keeps exclusive control as long as it can move.
    pub atomic: bool,
    /// Whether it is the last step of an atomic sequence: others may move next.
    pub last_atomic: bool,
    /// Whether it is a whole `d_step`.
    pub d_step: bool,
}

/// One statement of an edge.
#[derive(Clone, Debug)]
pub struct EdgeStep {
    /// The action.
    pub action: EdgeAction,
    /// The location of its element.
    pub location: Location,
    /// Its position in the source.
    pub span: Span,
    /// Variables that are dead afterwards.
    pub dead: Vec<LocalId>,
    /// The statement in the source, if a local constant was substituted
    /// ([`crate::local_constants`]).
    pub instead_of: Option<Box<EdgeAction>>,
}

impl EdgeStep {
    /// The action of the source.
    pub fn written(&self) -> &EdgeAction {
        self.instead_of.as_deref().unwrap_or(&self.action)
    }

    /// The action of the source, as text.
    pub fn text(&self, model: &Model, process: &Process) -> String {
        self.written().text(model, process)
    }
}

/// A transition of a process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The source location.
    pub from: Location,
    /// The target location.
    pub to: Location,
    /// Its number in trail files.
    pub id: EdgeId,
    /// The statement, and those merged with it. The first may block; the others never do.
    pub steps: Vec<EdgeStep>,
    /// Whether it is part of an atomic sequence.
    pub hold: Hold,
    /// The edge is an `unless` escape whose guard is at this location. Escapes come first in a
    /// location's list; an executable one excludes the rest.
    pub escape: Option<Location>,
}

/// Labels with a meaning for verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocationMarks {
    /// `accept…`
    pub accept: bool,
    /// `end…`: a valid end of a process.
    pub end: bool,
    /// `progress…`
    pub progress: bool,
}

/// The inside of a `d_step`.
#[derive(Clone, Debug)]
pub struct DStep {
    /// The edge that executes it.
    pub edge: EdgeId,
    /// The location where execution begins.
    pub entry: Location,
    /// Its edges; an edge to a location without edges leaves the `d_step`.
    pub edges: Vec<Edge>,
}

impl DStep {
    /// The edges that leave a location inside it, in order.
    pub fn edges_from(&self, location: Location) -> impl Iterator<Item = &Edge> {
        let start = self.edges.partition_point(|edge| edge.from < location);
        self.edges[start..].iter().take_while(move |edge| edge.from == location)
    }
}

/// A process automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The process in the model.
    pub process: ProcessId,
    /// Its name.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: ProcessKind,
    /// The initial location.
    pub start: Location,
    /// The reachable edges, ordered by source; the edges of one source are in SPIN's order.
    pub edges: Vec<Edge>,
    /// The marks of each location.
    pub marks: Vec<LocationMarks>,
    /// The insides of its `d_step`s.
    pub d_steps: Vec<DStep>,
    /// The location of termination: the element after its last statement.
    pub end: Location,
    /// By label: its location.
    pub labels: Vec<Location>,
}

impl Automaton {
    /// The edges that leave a location, in order.
    pub fn edges_from(&self, location: Location) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < location);
        let end = self.edges.partition_point(|edge| edge.from <= location);
        &self.edges[start..end]
    }

    /// All its edges, with those inside its `d_step`s.
    pub fn all_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().chain(self.d_steps.iter().flat_map(|inside| &inside.edges))
    }

    /// The locations that have edges, ascending.
    pub fn locations(&self) -> Vec<Location> {
        let mut locations: Vec<Location> = self.edges.iter().map(|edge| edge.from).collect();
        locations.dedup();
        locations
    }
}

/// The location of a label.
pub fn label_location(automaton: &Automaton, label: LabelId) -> Option<Location> {
    automaton.labels.get(label.index()).copied()
}
