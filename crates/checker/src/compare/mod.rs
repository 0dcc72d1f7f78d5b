//! Comparison of two models: can the second one, an abstraction, do all that the first one does?
//!
//! Source: [EMJ05], Simulation, and Abstraction as Simulation: if an abstraction simulates a model,
//! each property of all runs that holds in the abstraction holds in the model, too.
//! Deviations: states are compared by conditions that are observed in both models. The theorem of
//! the source on CTL* holds for formulas about all paths (ACTL*), of which LTL is a part; for all
//! formulas it needs bisimulation.
//!
//! Both models are explored first; then the relation of their quotients by bisimulation is decided,
//! and a difference is shown by runs of the models. Each module imports only earlier ones of this
//! list: report, meter, observed_graph, play, partition, explore, refinement, quotient, stutter,
//! simulation, bisimulation, trace_inclusion, distinguish.

mod bisimulation;
mod distinguish;
mod explore;
mod meter;
mod observed_graph;
mod partition;
mod play;
mod quotient;
mod refinement;
mod report;
mod simulation;
mod stutter;
#[cfg(test)]
mod tests;
mod trace_inclusion;

use beeline_kernel::Stop;
use beeline_model::{Model, Property, Reason, System, SystemOptions};
use beeline_search::{Invariants, SearchTarget};

pub use report::{
    CompareError, CompareOptions, CompareReport, ComparedRun, Difference, Observation, Related,
    Relation, Side, StepMatching,
};

use crate::observe::Observer;
use crate::plan::Plan;
use bisimulation::distinguish_by_bisimulation;
use distinguish::{ComparedModel, difference};
use explore::{ExploredModel, explore};
use meter::Meter;
use observed_graph::ObservedGraph;
use play::Play;
use quotient::Quotient;
use simulation::distinguish_by_simulation;
use stutter::saturated;
use trace_inclusion::distinguish_by_traces;

/// Decides whether two models are related. Statements are not merged, so that steps are comparable;
/// an atomic sequence is one step.
///
/// # Errors
///
/// When an observed condition is no condition on the states of both models.
pub fn compare(
    [a, b]: [&dyn Model; 2],
    options: &CompareOptions<'_>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CompareReport, CompareError> {
    let of_a = observed_properties(a, options.observed)?;
    let of_b = observed_properties(b, options.observed)?;
    let system_options = SystemOptions { plain: true, ..plan.system_options() };
    let mut report = None;
    a.with_system(&of_a, system_options, &mut |a| {
        b.with_system(&of_b, system_options, &mut |b| {
            let systems = [ObservedSystem::new(a, &of_a), ObservedSystem::new(b, &of_b)];
            let meter = Meter::new(observer, plan.bytes);
            report = Some(Comparing { options, meter, states: [None; 2] }.compare(systems));
        });
    });
    report.expect("a model runs what it is given")
}

/// The properties of a model whose conditions are observed.
fn observed_properties(model: &dyn Model, names: &[String]) -> Result<Vec<Property>, CompareError> {
    if names.len() > Observation::MOST {
        return Err(CompareError::TooManyConditions(names.len()));
    }
    // No name at all would mean all properties.
    if names.is_empty() {
        return Ok(Vec::new());
    }
    Ok(model.select(names)?)
}

/// A system and the numbers of the invariants that are observed.
struct ObservedSystem<'a> {
    system: &'a dyn System,
    invariants: Result<Vec<u32>, CompareError>,
}

impl<'a> ObservedSystem<'a> {
    fn new(system: &'a dyn System, observed: &[Property]) -> ObservedSystem<'a> {
        let number = |property: &Property| match system.target(property) {
            Some(SearchTarget { invariants: Invariants::Only(number), .. }) => Ok(number),
            _ => Err(CompareError::NotACondition(property.name.clone())),
        };
        ObservedSystem { system, invariants: observed.iter().map(number).collect() }
    }
}

/// A comparison in progress.
struct Comparing<'a, 'o> {
    options: &'a CompareOptions<'a>,
    meter: Meter<'o>,
    states: [Option<usize>; 2],
}

impl Comparing<'_, '_> {
    fn compare(mut self, [a, b]: [ObservedSystem<'_>; 2]) -> Result<CompareReport, CompareError> {
        let (of_a, of_b) = (a.invariants?, b.invariants?);
        let explored_a = match self.explore(a.system, &of_a, Side::A) {
            Ok(explored) => explored,
            Err(reason) => return Ok(self.report(Related::Unknown(reason, Some(Side::A)))),
        };
        let explored_b = match self.explore(b.system, &of_b, Side::B) {
            Ok(explored) => explored,
            Err(reason) => return Ok(self.report(Related::Unknown(reason, Some(Side::B)))),
        };
        let related = match self.relate([(a.system, &explored_a), (b.system, &explored_b)]) {
            Ok(related) => related?,
            Err(stop) => Related::Unknown(Reason::Stopped(stop), None),
        };
        Ok(self.report(related))
    }

    fn report(self, related: Related) -> CompareReport {
        let peak_bytes = self.meter.peak() as u64;
        CompareReport { related, states: self.states, peak_bytes }
    }

    fn explore(
        &mut self,
        system: &dyn System,
        observed: &[u32],
        side: Side,
    ) -> Result<ExploredModel, Reason> {
        self.meter.begin(match side {
            Side::A => "states of A",
            Side::B => "states of B",
        });
        let explored = explore(system.space(), observed, &mut self.meter)?;
        self.states[side as usize] = Some(explored.graph.len());
        Ok(explored)
    }

    /// Decides the relation of two explored models. A limit is the outer error.
    fn relate(
        &mut self,
        [(system_a, explored_a), (system_b, explored_b)]: [(&dyn System, &ExploredModel); 2],
    ) -> Result<Result<Related, CompareError>, Stop> {
        let &CompareOptions { relation, matching, .. } = self.options;
        self.meter.begin(relation.name());
        let of_a = Quotient::new(&explored_a.graph, &mut self.meter)?;
        let of_b = Quotient::new(&explored_b.graph, &mut self.meter)?;
        let models = [
            &ComparedModel { system: system_a, explored: explored_a, quotient: &of_a },
            &ComparedModel { system: system_b, explored: explored_b, quotient: &of_b },
        ];
        let (a, b) = (&of_a.graph, &of_b.graph);
        // Only answers need paths; in a bisimulation, both models answer.
        let weak_a = match (matching, relation) {
            (StepMatching::Stuttering, Relation::Bisimulation) => {
                Some(saturated(a, &mut self.meter)?)
            }
            _ => None,
        };
        let weak_b = match matching {
            StepMatching::Strong => None,
            StepMatching::Stuttering => Some(saturated(b, &mut self.meter)?),
        };
        let (steps, answers) = (weak_a.as_ref().unwrap_or(a), weak_b.as_ref().unwrap_or(b));
        Ok(match distinguishing_play(relation, steps, answers, &mut self.meter)? {
            None => Ok(Related::Yes),
            Some(play) => {
                let answers = if play.by == Side::A { answers } else { steps };
                let found = difference(&play, models, answers, matching);
                found.map(Related::No).map_err(CompareError::from)
            }
        })
    }
}

/// The play that shows that two graphs are not related.
fn distinguishing_play(
    relation: Relation,
    steps: &ObservedGraph,
    answers: &ObservedGraph,
    meter: &mut Meter<'_>,
) -> Result<Option<Play>, Stop> {
    match relation {
        Relation::Simulation => distinguish_by_simulation(steps, answers, meter),
        Relation::Bisimulation => distinguish_by_bisimulation(steps, answers, meter),
        Relation::TraceInclusion => distinguish_by_traces(steps, answers, meter),
    }
}
