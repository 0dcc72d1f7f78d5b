//! A network of timed automata after all names are resolved: numbers instead of names, one process
//! for each instance of a template.

pub mod code;
pub mod memory;
pub mod operators;
pub mod traverse;
pub mod types;

use std::sync::Arc;

use beeline_source::source::Span;

use code::{Code, FunctionCode, Place};

/// A value of the discrete state.
#[derive(Clone, Debug)]
pub struct TimedVariable {
    /// Its name: `x`, `P.a[2].f`.
    pub name: String,
    /// The least value of its type.
    pub low: i32,
    /// The greatest value of its type.
    pub high: i32,
    /// Its initial value.
    pub initial: i32,
    /// Whether a statement may change it; otherwise it is not stored in states.
    pub is_written: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Whether time stops while a synchronisation is possible.
    pub is_urgent: bool,
    /// Whether any number of processes receives.
    pub is_broadcast: bool,
}

/// A location of a process.
#[derive(Clone, Debug)]
pub struct TimedLocation {
    /// Its name; empty if it has none.
    pub name: Arc<str>,
    /// Its invariant.
    pub invariant: Option<Code>,
    /// Whether time stops.
    pub is_urgent: bool,
    /// Whether its process moves before all others, and time stops.
    pub is_committed: bool,
    /// The labels of TChecker.
    pub labels: Vec<Arc<str>>,
    /// Its position.
    pub span: Span,
}

/// What an edge synchronises on.
#[derive(Clone, Debug)]
pub enum Sync {
    /// Nothing.
    Internal,
    /// Sends on a channel: a place among the channels.
    Send(Place),
    /// Receives on a channel.
    Receive(Place),
    /// An event of the vectors, by number.
    Event(u32),
}

/// An edge of a process.
#[derive(Clone, Debug)]
pub struct TimedEdge {
    /// Its source.
    pub from: u32,
    /// Its target.
    pub to: u32,
    /// The number of its first variant: it has one for each choice of values.
    pub first: u32,
    /// The values that it chooses: name and bounds. They are the first values of its frame.
    pub selects: Vec<(Arc<str>, i32, i32)>,
    /// Its guard.
    pub guard: Option<Code>,
    /// Its synchronisation.
    pub sync: Sync,
    /// Its updates, in order.
    pub updates: Vec<Code>,
    /// Its position.
    pub span: Span,
    /// The positions of its labels, each with the sign that follows it: `!` or `?`.
    pub labels: Vec<(Span, &'static str)>,
}

impl TimedEdge {
    /// The number of choices of values.
    pub fn variants(&self) -> u32 {
        let sizes = self.selects.iter().map(|&(_, low, high)| (high - low + 1).max(0) as u32);
        sizes.product()
    }

    /// Writes the chosen values of a variant.
    pub fn choice(&self, mut variant: u32, values: &mut [i32]) {
        for (value, &(_, low, high)) in values.iter_mut().zip(&self.selects).rev() {
            let size = (high - low + 1) as u32;
            *value = low + (variant % size) as i32;
            variant /= size;
        }
    }
}

/// A process: an instance of a template.
#[derive(Clone, Debug)]
pub struct TimedProcess {
    /// Its name: `P(1,2)`.
    pub name: String,
    /// Its locations.
    pub locations: Vec<TimedLocation>,
    /// Its edges.
    pub edges: Vec<TimedEdge>,
    /// The number of its initial location.
    pub initial: u32,
    /// By location: the edges that leave it.
    pub leaving: Vec<Vec<u32>>,
}

/// A synchronisation vector: process, event, and whether the process may stay behind.
pub type Vector = Vec<(u32, u32, bool)>;

/// A network of timed automata.
#[derive(Clone, Debug, Default)]
pub struct TimedNetwork {
    /// The values of the discrete state.
    pub variables: Vec<TimedVariable>,
    /// The values of constants.
    pub constants: Vec<i32>,
    /// The strings: constants of their type have their numbers.
    pub strings: Vec<String>,
    /// The names of the clocks. Clock 0 is the constant 0.
    pub clocks: Vec<String>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The functions.
    pub functions: Vec<FunctionCode>,
    /// The processes.
    pub processes: Vec<TimedProcess>,
    /// The names of the events of vectors.
    pub events: Vec<Arc<str>>,
    /// The vectors.
    pub vectors: Vec<Vector>,
    /// Whether processes synchronise by vectors.
    pub has_vectors: bool,
    /// The positions at which a step may fail.
    pub sites: Vec<Span>,
    /// The values of the longest frame.
    pub longest_frame: u32,
}

impl TimedNetwork {
    /// The edge of a process with a variant of this number, and the variant in it.
    pub fn edge_of_variant(&self, process: usize, variant: u32) -> Option<(u32, u32)> {
        let edges = &self.processes.get(process)?.edges;
        let at = edges.partition_point(|edge| edge.first <= variant).checked_sub(1)?;
        let within = variant - edges[at].first;
        (within < edges[at].variants()).then_some((at as u32, within))
    }
}
