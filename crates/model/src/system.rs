//! The transition system of a model, prepared for some properties: the interface for searches.

use beeline_factored::{CascadingTables, FactoredView};
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, CostModel, Faults, Preserve, Resources, Space, StatePath, Trail,
};
use beeline_search::{FindingKind, SearchTarget};

use crate::branching::BranchingProblem;
use crate::cost::CostedSpace;
use crate::editor::TrailEditor;
use crate::heuristic::{Aim, HeuristicError, HeuristicScope};
use crate::options::Engine;
use crate::product::{ClaimFacts, ProductClaim, ProductOptions};
use crate::property::Property;
use crate::reduction::Independence;
use crate::symbolic::{AbstractionRequest, SymbolicProblem};
use crate::unsupported::Unsupported;
use crate::violation::{Unconfirmed, Violation};

/// Receives the factored form of properties of branching time: the system that they are about, the
/// places of the properties among those that were asked for, and the formulas in the same order.
pub type RunBranching<'r> = dyn FnMut(&dyn System, &[usize], BranchingProblem) + 'r;

/// The transition system of a model.
///
/// Required are the state space, the targets of properties, heuristics and witnesses. The other
/// methods are capabilities; by default, a language lacks them.
pub trait System: Sync {
    /// The states and their successors.
    fn space(&self) -> &dyn Space;

    /// The method for computing successors.
    fn engine(&self) -> Engine {
        Engine::Interpreter
    }

    /// The errors that violate a property, if these are single states or steps. `None` for a
    /// property with a claim.
    fn target(&self, property: &Property) -> Option<SearchTarget>;

    /// Builds a heuristic.
    ///
    /// # Errors
    ///
    /// When the name is unknown, or the heuristic does not support this aim or this model.
    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError>;

    /// The default heuristic for an error. `None` if there is none.
    fn usual_heuristic(&self, target: SearchTarget) -> Option<&'static str>;

    /// The heuristic of the automatic strategy's greedy searches, within this scope.
    fn greedy_heuristic(
        &self,
        target: SearchTarget,
        scope: HeuristicScope,
    ) -> Option<&'static str> {
        let _ = scope;
        self.usual_heuristic(target)
    }

    /// An admissible heuristic for an error, for proofs that a trail is shortest.
    fn admissible_heuristic(&self, target: SearchTarget) -> &'static str {
        let _ = target;
        "blind"
    }

    /// The heuristic that relaxes the whole system: if the initial state is a dead end of it, the
    /// error is unreachable.
    fn relaxation(&self) -> Option<&'static str> {
        None
    }

    /// The number of transitions at the start of every path that are not steps: choices among
    /// several initial states.
    fn initial_choices(&self) -> u64 {
        0
    }

    /// Whether no step of the model can fail.
    fn never_fails(&self) -> bool {
        false
    }

    /// The static analysis that proves a property, if one does.
    fn static_proof(&self, property: &Property) -> Option<&'static str> {
        let _ = property;
        None
    }

    /// The system in factored form, for sets of states; it says whether it is exact.
    ///
    /// # Errors
    ///
    /// When the language has no factored form, or the model is too large for one.
    fn factored_view(&self) -> Result<FactoredView, Unsupported> {
        Err(Unsupported::new("this language has no symbolic search".to_owned()))
    }

    /// The system in factored form with its errors, for searches on sets of states.
    ///
    /// # Errors
    ///
    /// As [`System::factored_view`].
    fn symbolic_problem(&self) -> Result<SymbolicProblem, Unsupported> {
        let view = self.factored_view()?;
        Ok(SymbolicProblem { view, invariants: Vec::new(), unseen: Faults::ALL })
    }

    /// A merge-and-shrink abstraction of the factored system; without a table, all estimates are 0.
    fn abstraction(&self, request: AbstractionRequest<'_>) -> CascadingTables {
        let _ = request;
        CascadingTables::default()
    }

    /// Calls `run` with the factored form of properties of branching time, given by their places,
    /// and with the system whose states they are about: where single steps matter, statements are
    /// not merged. So there may be two calls.
    ///
    /// # Errors
    ///
    /// When there is no factored form; then `run` is not called with the remaining properties.
    fn with_branching(
        &self,
        properties: &[&Property],
        run: &mut RunBranching<'_>,
    ) -> Result<(), Unsupported> {
        let _ = (properties, run);
        Err(Unsupported::new("this language has no properties of branching time"))
    }

    /// The violation at the end of a path of stored states, replayed independently of the space.
    /// `bound` maps the number of moves of this path to a lower bound for the steps of any trail.
    ///
    /// # Errors
    ///
    /// When the replay does not show the violation.
    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed>;

    /// The trail along a path of stored states, with its number of steps; it need not end in an
    /// error.
    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)>;

    /// The trail of a model that fails before its first step.
    fn empty_trail(&self) -> Trail {
        Trail::default()
    }

    /// Facts about the claim of a property.
    ///
    /// # Errors
    ///
    /// When there is no claim, or it is not supported.
    fn claim(&self, property: &Property) -> Result<ClaimFacts, Unsupported> {
        Err(Unsupported::new(format!("`{}` is not a property of this language", property.name)))
    }

    /// Calls `run` with the product of the system and the claim of a property.
    ///
    /// # Errors
    ///
    /// When there is no product; then `run` is not called.
    fn with_product(
        &self,
        property: &Property,
        options: ProductOptions,
        run: &mut dyn FnMut(&dyn System),
    ) -> Result<(), Unsupported> {
        let _ = (options, run);
        Err(Unsupported::new(format!("`{}` is not a property of this language", property.name)))
    }

    /// The claim, where this system is a product.
    fn product_claim(&self) -> Option<&dyn ProductClaim> {
        None
    }

    /// Facts for partial order reduction.
    ///
    /// # Errors
    ///
    /// The reason why there are none.
    fn independence(&self, preserve: Preserve) -> Result<Box<dyn Independence + '_>, Unsupported> {
        let _ = preserve;
        Err(Unsupported::new("this language has no partial order reduction"))
    }

    /// The same states with another cost of steps.
    fn costed(&self, costs: CostModel) -> Option<Box<dyn CostedSpace + '_>> {
        let _ = costs;
        None
    }

    /// Editing of trails.
    fn editor(&self) -> Option<&dyn TrailEditor> {
        None
    }
}
