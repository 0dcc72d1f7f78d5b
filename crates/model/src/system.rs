//! The transition system of a model, prepared for some properties: what searches need to know.

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, CostModel, Preserve, Resources, Space, Trail};
use beeline_search::{FindingKind, SearchTarget};

use crate::cost::CostedSpace;
use crate::editor::TrailEditor;
use crate::heuristic::{Aim, HeuristicError, HeuristicScope};
use crate::options::Engine;
use crate::product::{ClaimFacts, ProductClaim, ProductOptions};
use crate::property::Property;
use crate::reduction::Independence;

use crate::unsupported::Unsupported;
use crate::violation::{Unconfirmed, Violation};

/// The transition system of a model.
///
/// Required are the states, what violates a property, heuristics and witnesses. The other methods
/// are capabilities: the default says that the language has no such thing.
pub trait System: Sync {
    /// The states and their successors.
    fn space(&self) -> &dyn Space;

    /// What computes the successors.
    fn engine(&self) -> Engine {
        Engine::Interpreter
    }

    /// What violates a property, if single states and steps do. `None` where a claim takes part.
    fn target(&self, property: &Property) -> Option<SearchTarget>;

    /// Builds a heuristic.
    ///
    /// # Errors
    ///
    /// When there is none of this name, or it is not for this aim or this model.
    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError>;

    /// The heuristic for an error if none is asked for. `None` where no heuristic is made for it.
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

    /// A heuristic for an error that never overestimates, for proofs that a trail is shortest.
    fn admissible_heuristic(&self, target: SearchTarget) -> &'static str {
        let _ = target;
        "blind"
    }

    /// The heuristic that looks at the whole system: where the initial state is a dead end of it,
    /// the error cannot be reached.
    fn relaxation(&self) -> Option<&'static str> {
        None
    }

    /// The number of transitions at the beginning of every path that are no steps: choices among
    /// several initial states.
    fn initial_choices(&self) -> u64 {
        0
    }

    /// No step of the model can fail.
    fn never_fails(&self) -> bool {
        false
    }

    /// The violation at the end of a path of stored states, replayed independently of the space.
    /// `bound` gives the least number of steps of any trail, from the number of transitions
    /// between stored states on this path.
    ///
    /// # Errors
    ///
    /// When the replay does not show it.
    fn witness(
        &self,
        path: &[Vec<u8>],
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed>;

    /// The trail along a path of stored states and the number of its steps, whatever is at its end.
    fn trail_along(&self, path: &[Vec<u8>]) -> Option<(Trail, u64)>;

    /// The trail of a model that fails before its first step.
    fn empty_trail(&self) -> Trail {
        Trail::default()
    }

    /// What is known of the claim that a property is about.
    ///
    /// # Errors
    ///
    /// When there is no claim, or it cannot be followed.
    fn claim(&self, property: &Property) -> Result<ClaimFacts, Unsupported> {
        Err(Unsupported::new(format!("`{}` is no property of this language", property.name)))
    }

    /// Runs something with the product of the system and the claim of a property.
    ///
    /// # Errors
    ///
    /// When there is no product; then nothing is run.
    fn with_product(
        &self,
        property: &Property,
        options: ProductOptions,
        run: &mut dyn FnMut(&dyn System),
    ) -> Result<(), Unsupported> {
        let _ = (options, run);
        Err(Unsupported::new(format!("`{}` is no property of this language", property.name)))
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
