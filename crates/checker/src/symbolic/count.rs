//! Counting with sets of states: the exact number of reachable states, however large.
//!
//! Source: [EMJ05], symbolic search.

use beeline_kernel::{FaultKind, Stop};
use beeline_model::{Engine, Model, System, SystemOptions, Unsupported};
use beeline_symbolic::{
    BigUint, Limit, Statistics, SymbolicError, SymbolicStrategy, SymbolicSystem,
};

use crate::observe::Observer;
use crate::plan::Plan;
use crate::symbolic::precision::excess;
use crate::symbolic::watched::watched;

/// Options of a symbolic count.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolicOptions {
    /// The order in which steps are applied.
    pub strategy: SymbolicStrategy,
    /// The greatest number of nodes of decision diagrams.
    pub nodes: Option<usize>,
}

/// The result of a symbolic count.
#[derive(Clone, Debug)]
pub struct SymbolicCount {
    /// The number of reachable states of the view; `None` if the count was stopped.
    pub states: Option<BigUint>,
    /// Why the view may have more states than the model; empty if it is exact.
    pub imprecisions: Vec<&'static str>,
    /// What the model has beyond the bounds of the view, which has fewer states therefore.
    pub excess: Option<String>,
    /// Why there is no number.
    pub stopped: Option<CountStop>,
    /// The model fails before its first step.
    pub initial_fault: Option<FaultKind>,
    /// The costs.
    pub statistics: Statistics,
}

/// Why a symbolic count ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountStop {
    /// A limit of the search.
    Stopped(Stop),
    /// The limit of nodes.
    Nodes,
    /// A step has too many outcomes to enumerate.
    Outcomes(String),
}

impl SymbolicCount {
    /// A count that was stopped from outside.
    pub fn interrupted(stop: Stop) -> SymbolicCount {
        SymbolicCount {
            states: None,
            imprecisions: Vec::new(),
            excess: None,
            stopped: Some(CountStop::Stopped(stop)),
            initial_fault: None,
            statistics: Statistics::default(),
        }
    }

    /// Whether the view has exactly the states of the model.
    pub fn is_exact(&self) -> bool {
        self.imprecisions.is_empty() && self.excess.is_none()
    }

    /// Whether the number is that of the model.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.is_exact()
    }
}

/// Counts the reachable states of a model by sets.
///
/// # Errors
///
/// When there is no factored view of the model.
pub fn count_symbolically(
    model: &dyn Model,
    plan: &Plan,
    options: SymbolicOptions,
    observer: &mut dyn Observer,
) -> Result<SymbolicCount, Unsupported> {
    let mut report = None;
    // Nothing is executed state by state.
    let system_options = SystemOptions { engine: Engine::Interpreter, ..plan.system_options() };
    model.with_system(&[], system_options, &mut |system| {
        report = Some(count_system(system, plan, options, observer));
    });
    report.expect("a model runs what it is given")
}

fn count_system(
    system: &dyn System,
    plan: &Plan,
    options: SymbolicOptions,
    observer: &mut dyn Observer,
) -> Result<SymbolicCount, Unsupported> {
    if let Err(fault) = system.space().initial(&mut Vec::new()) {
        let states = Some(BigUint::default());
        let initial_fault = Some(fault.kind);
        let none = SymbolicCount::interrupted(Stop::Interrupted);
        return Ok(SymbolicCount { states, stopped: None, initial_fault, ..none });
    }
    let view = system.factored_view()?;
    let imprecisions = view.system.precision.reasons().collect();
    let counted = watched("sets of states", plan.bytes, observer, |limits| {
        let mut limits = limits();
        limits.nodes = options.nodes.unwrap_or(usize::MAX);
        let mut symbolic = SymbolicSystem::new(&view.system, &view.ranges, limits);
        let reached = symbolic.reachable(options.strategy).and_then(|reached| {
            let excess = excess(&mut symbolic, &view.system, &reached.states.free)?;
            Ok((reached, excess.map(str::to_owned)))
        });
        match reached {
            Ok((reached, excess)) => {
                (Ok((symbolic.count(&reached.states.free), excess)), reached.statistics)
            }
            Err(error) => {
                let peak_nodes = symbolic.forest().peak_nodes();
                (Err(error), Statistics { peak_nodes, ..Statistics::default() })
            }
        }
    });
    let (states, excess, stopped, statistics) = match counted {
        (Ok((states, excess)), statistics) => (Some(states), excess, None, statistics),
        (Err(error), statistics) => (None, None, Some(reason(error)), statistics),
    };
    Ok(SymbolicCount { states, imprecisions, excess, stopped, initial_fault: None, statistics })
}

/// Why a computation ended.
fn reason(error: SymbolicError) -> CountStop {
    match error {
        SymbolicError::TooManyOutcomes(step) => CountStop::Outcomes(step),
        SymbolicError::Limit(Limit::Nodes) => CountStop::Nodes,
        SymbolicError::Limit(limit) => CountStop::Stopped(limit.stop()),
    }
}
