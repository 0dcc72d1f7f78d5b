//! The heuristics of a network: those of its factored view, which is made when the first one is
//! asked for.

use std::sync::OnceLock;

use beeline_heuristics::build_for_view;
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Faults, Resources};
use beeline_model::{HeuristicError, SymbolicProblem, Unsupported};
use beeline_search::{Invariants, SearchTarget};

use crate::discrete::{DiscreteView, guides, may_fail};
use crate::semantics::symbolic::SymbolicEngine;

/// The view of a network for its goals.
#[derive(Default)]
pub(super) struct Guides<'n> {
    view: OnceLock<Result<DiscreteView<'n>, String>>,
    /// By goal: whether its condition is about the discrete part.
    known: OnceLock<Vec<bool>>,
}

impl<'n> Guides<'n> {
    fn view(&self, engine: &SymbolicEngine<'n>) -> Result<&DiscreteView<'n>, &str> {
        let made = self.view.get_or_init(|| DiscreteView::new(engine.net, &engine.layout));
        made.as_ref().map_err(|why| &**why)
    }

    /// Whether the discrete part tells how near this target is: a deadlock depends on clocks.
    pub(super) fn knows(&self, engine: &SymbolicEngine<'n>, target: SearchTarget) -> bool {
        let known = || engine.goals.iter().map(|goal| guides(engine.net, goal)).collect();
        match target.invariants {
            Invariants::Only(goal) => {
                let known = self.known.get_or_init(known);
                known.get(goal as usize).is_some_and(|&is| is)
            }
            Invariants::None | Invariants::All => false,
        }
    }

    /// The view with the goals as invariants, for proofs on sets of states: it has more steps than
    /// the network, all of its failing steps among them.
    pub(super) fn symbolic_problem(
        &self,
        engine: &SymbolicEngine<'n>,
    ) -> Result<SymbolicProblem, Unsupported> {
        let view = self.view(engine).map_err(Unsupported::new)?;
        let invariants = engine.goals.iter().map(|goal| view.invariant(goal)).collect();
        // Of a fault, the view has one kind only.
        Ok(SymbolicProblem { view: view.for_faults(), invariants, unseen: Faults::ALL })
    }

    /// A heuristic for a target.
    pub(super) fn build(
        &self,
        spec: &Spec,
        engine: &SymbolicEngine<'n>,
        target: SearchTarget,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'static>, HeuristicError> {
        let wrong_aim = || {
            let why = "heuristics of timed automata estimate the distance to one query";
            HeuristicError::Aim(why.to_owned())
        };
        let view = match self.view(engine) {
            Ok(view) => view,
            Err(why) => {
                let name = &spec.name;
                (resources.tell)(format!("{why}, so that `blind` is used instead of `{name}`"));
                return Ok(Box::new(Blind));
            }
        };
        let view = match target.invariants {
            Invariants::Only(goal) => {
                view.for_goal(engine.goals.get(goal as usize).ok_or_else(wrong_aim)?)
            }
            Invariants::None if is_about_faults(target) => {
                // The view has failing steps only.
                if engine.goals.iter().any(may_fail) {
                    let why = "the evaluation of a query may fail, which is no step";
                    return Err(HeuristicError::Aim(why.to_owned()));
                }
                view.for_faults()
            }
            Invariants::None | Invariants::All => return Err(wrong_aim()),
        };
        let built = build_for_view(spec, &view, resources);
        built.map_err(|error| HeuristicError::Request(error.to_string()))
    }
}

/// Whether a target consists of faults alone.
fn is_about_faults(target: SearchTarget) -> bool {
    target.faults != Faults::NONE && !target.deadlock
}
