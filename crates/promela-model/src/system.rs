//! A machine as a [`System`]: its states, targets, heuristics, witnesses and products.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use beeline_analysis::factored::{InstanceBounds, exact_view};
use beeline_analysis::faults::FaultAnalysis;
use beeline_analysis::reduction::Independence as StaticIndependence;
use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::{PersistenceProduct, Product};
use beeline_engine::interpreter::{DecodedState, Machine, Move, Stepwise, WeightedSpace};
use beeline_engine::trail::ReplayObserver;
use beeline_factored::{CascadingTables, FactoredView};
use beeline_heuristics::merge_and_shrink::{ErrorSets, MergeBudget, cascading_tables};
use beeline_heuristics::{BuildError, GoalKind, HeuristicGoal, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, CostModel, FaultKind, Faults, Preserve, Proposals, Reducer, Resources, Space,
    StatePath, Trail,
};
use beeline_model::{
    AbstractionRequest, Aim, ClaimFacts, CostedSpace, Engine, HeuristicError, Independence,
    Persistence, ProductClaim, ProductOptions, Property, PropertyKind, RunBranching,
    SymbolicProblem, System, SystemOptions, TrailEditor, Unconfirmed, Unsupported, Violation,
};
use beeline_search::{FindingKind, Invariants, Lasso, SearchTarget};

use crate::branching::{branching_formula, branching_problem};
use crate::claims::{claim_of, end_witness, facts, lasso_witness, vacuity};
use crate::property::faults;
use crate::semantics::SemanticsOptions;
use crate::space::WatchedSpace;
use crate::symbolic::symbolic_problem;
use crate::witness::{confirm, trail_along, witness};

/// The automata options of some system options.
pub(crate) fn automata(options: SystemOptions) -> AutomataOptions {
    if options.plain { AutomataOptions::PLAIN } else { AutomataOptions::OPTIMISED }
}

/// A machine with its state space and the options of both.
pub(crate) struct PromelaSystem<'a> {
    pub(crate) machine: &'a Machine<'a>,
    /// The state space of the machine, or of its product with a claim.
    pub(crate) space: &'a dyn Space,
    /// The product, if there is a claim.
    pub(crate) product: Option<&'a Product<'a>>,
    /// Why a requested reduction of the product was not applied.
    pub(crate) not_reduced: Option<Unsupported>,
    pub(crate) engine: Engine,
    pub(crate) options: SystemOptions,
    pub(crate) semantics: SemanticsOptions,
    /// The processes that exact views have room for.
    pub(crate) instances: InstanceBounds,
    /// The names of the formulas that are the invariants of the machine, by number.
    pub(crate) invariants: Vec<String>,
    /// The faults that a static analysis does not exclude.
    pub(crate) possible_faults: OnceLock<Faults>,
}

impl<'a> PromelaSystem<'a> {
    /// A state space of a machine, without claim and invariants.
    pub(crate) fn new(
        machine: &'a Machine<'a>,
        space: &'a dyn Space,
        options: SystemOptions,
        semantics: SemanticsOptions,
    ) -> PromelaSystem<'a> {
        PromelaSystem {
            machine,
            space,
            product: None,
            not_reduced: None,
            engine: Engine::Interpreter,
            options,
            semantics,
            instances: InstanceBounds::default(),
            invariants: Vec::new(),
            possible_faults: OnceLock::new(),
        }
    }

    /// Whether statements are merged.
    pub(crate) fn merged(&self) -> bool {
        automata(self.options).allowed_by(self.machine.model()).merge
    }

    /// The goal of heuristics; `None` if no heuristic supports it.
    fn goal(&self, aim: Aim<'_>) -> Option<HeuristicGoal> {
        let target = match aim {
            Aim::State(state) => return Some(HeuristicGoal::State(state.to_vec())),
            Aim::Error(_) if self.product.is_some() => return Some(HeuristicGoal::Claim),
            Aim::Error(target) => target,
        };
        if let Invariants::Only(number) = target.invariants {
            let invariant = self.machine.invariants().get(number as usize)?;
            return Some(HeuristicGoal::Invariant(invariant.clone()));
        }
        // No heuristic supports trace assertions.
        let is_trace = target.site.is_none() && target.faults == Faults::of(&[FaultKind::Trace]);
        match (target.deadlock, target.faults) {
            (true, _) => Some(HeuristicGoal::Deadlock),
            (false, faults) if faults == Faults::NONE || is_trace => None,
            (false, _) => Some(HeuristicGoal::Assertions),
        }
    }

    /// The faults that a static analysis does not exclude.
    fn possible_faults(&self) -> Faults {
        *self.possible_faults.get_or_init(|| FaultAnalysis::new(self.machine).all_faults())
    }

    /// The moves from a stored state to the next.
    fn moves_between(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        if self.options.stepwise {
            return Stepwise(self.machine).moves_to(from, to).map(|step| vec![step]);
        }
        self.machine.moves_to(from, to)
    }
}

impl System for PromelaSystem<'_> {
    fn space(&self) -> &dyn Space {
        self.space
    }

    fn engine(&self) -> Engine {
        self.engine
    }

    fn target(&self, property: &Property) -> Option<SearchTarget> {
        let formula = property.formula.as_ref();
        let invariant =
            formula.and_then(|formula| self.invariants.iter().position(|one| one == formula));
        if let Some(number) = invariant {
            return Some(SearchTarget::invariant(number as u32));
        }
        if property.kind == PropertyKind::Deadlock {
            return Some(SearchTarget::DEADLOCK);
        }
        let faults = faults(property.kind)?;
        Some(SearchTarget { faults, ..SearchTarget::NOTHING })
    }

    fn static_proof(&self, property: &Property) -> Option<&'static str> {
        let faults = faults(property.kind)?;
        (!faults.intersects(self.possible_faults())).then_some("value ranges")
    }

    fn symbolic_problem(&self) -> Result<SymbolicProblem, Unsupported> {
        symbolic_problem(self.machine, &self.instances, self.possible_faults())
    }

    fn factored_view(&self) -> Result<FactoredView, Unsupported> {
        let view = exact_view(self.machine, &self.instances);
        view.map_err(|error| Unsupported::new(error.to_string()))
    }

    fn abstraction(&self, request: AbstractionRequest<'_>) -> CascadingTables {
        let AbstractionRequest { view, order, errors, bytes, deadline } = request;
        let budget = MergeBudget::QUICK.within(bytes, deadline);
        cascading_tables(view, ErrorSets { order, values: errors }, budget)
    }

    fn with_branching(
        &self,
        properties: &[&Property],
        run: &mut RunBranching<'_>,
    ) -> Result<(), Unsupported> {
        let model = self.machine.model();
        let mut formulas = Vec::new();
        for property in properties {
            formulas.push(branching_formula(model, property)?);
        }
        let of = |places: &[usize]| places.iter().map(|&at| formulas[at]).collect::<Vec<_>>();
        // Where single steps matter, statements are not merged.
        let needs_plain = |&at: &usize| !self.options.plain && formulas[at].formula.counts_steps();
        let (plain, own): (Vec<usize>, Vec<usize>) =
            (0..formulas.len()).partition(|at| needs_plain(at));
        if !own.is_empty() {
            run(self, &own, branching_problem(self.machine, &self.instances, &of(&own))?);
        }
        if !plain.is_empty() {
            let options = SystemOptions { plain: true, ..self.options };
            let machine = self.semantics.machine(model, automata(options));
            let system = PromelaSystem::new(&machine, &machine, options, self.semantics);
            let problem = branching_problem(&machine, &self.instances, &of(&plain))?;
            run(&system, &plain, problem);
        }
        Ok(())
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        let Some(goal) = self.goal(aim) else {
            let why = format!("heuristic `{}` does not apply to this property", spec.name);
            return Err(HeuristicError::Aim(why));
        };
        let built = build_with(spec, self.machine, &goal, resources);
        built.map_err(|error| match error {
            BuildError::Goal { .. } => HeuristicError::Aim(error.to_string()),
            BuildError::NoView { name, cause } => {
                HeuristicError::NoView { name: name.to_owned(), cause: cause.to_string() }
            }
            error => HeuristicError::Request(error.to_string()),
        })
    }

    /// `docs/book/quality.md` measures which one is best.
    fn usual_heuristic(&self, target: SearchTarget) -> Option<&'static str> {
        Some(match self.goal(Aim::Error(target))?.kind() {
            GoalKind::Deadlock => "deadlock-formula",
            GoalKind::Assertions | GoalKind::Invariant => "formula",
            GoalKind::Claim => "claim-distance",
            GoalKind::State => "hamming",
        })
    }

    fn admissible_heuristic(&self, target: SearchTarget) -> &'static str {
        match self.goal(Aim::Error(target)).map(|goal| goal.kind()) {
            Some(GoalKind::Deadlock) => "dangerous-states(half)",
            Some(GoalKind::Assertions) => "assertion-distance",
            Some(GoalKind::Claim) => "claim-distance",
            _ => "blind",
        }
    }

    fn relaxation(&self) -> Option<&'static str> {
        Some("hff")
    }

    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let is_claim = matches!(found, FindingKind::Fault(fault) if fault.kind == FaultKind::Claim);
        if self.product.is_some() && is_claim {
            return end_witness(self.machine, path, found, self.merged(), bound);
        }
        let between = |from: &[u8], to: &[u8]| self.moves_between(from, to);
        witness(self.machine, path, found, self.merged(), between, bound)
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        // The kind of finding is irrelevant here: it is used in errors only.
        let between = |from: &[u8], to: &[u8]| self.moves_between(from, to);
        let along = trail_along(path, FindingKind::Deadlock, self.merged(), between);
        let (trail, moves) = along.ok()?;
        Some((trail, moves as u64))
    }

    fn empty_trail(&self) -> Trail {
        Trail { merged: self.merged(), ..Trail::default() }
    }

    fn claim(&self, property: &Property) -> Result<ClaimFacts, Unsupported> {
        claim_of(self.machine, property).map(|claim| facts(self.machine, &claim))
    }

    fn with_product(
        &self,
        property: &Property,
        options: ProductOptions,
        run: &mut dyn FnMut(&dyn System),
    ) -> Result<(), Unsupported> {
        let claim = claim_of(self.machine, property)?;
        let unmerges = !self.options.plain && facts(self.machine, &claim).counts_steps;
        let system_options =
            SystemOptions { plain: self.options.plain || unmerges, ..self.options };
        let machine = if unmerges {
            self.semantics.machine(self.machine.model(), automata(system_options))
        } else {
            self.machine.clone()
        };
        let machine = machine.watched_by(claim);
        let space = WatchedSpace::new(&machine, system_options);
        let preserve = Preserve { faults: true, property: true, cycles: true };
        let independence = options.reduced.then(|| StaticIndependence::of(&machine, preserve));
        let (independence, not_reduced) = match independence.transpose() {
            Ok(independence) => (independence, None),
            Err(obstacle) => (None, Some(Unsupported::new(obstacle.reason()))),
        };
        let reduced = independence.as_ref().map(|facts| space.reduced(facts));
        let product = match &reduced {
            Some(reduced) => Product::new(&machine, reduced).expect("the machine has a claim"),
            None => space.product(&machine),
        };
        let system = PromelaSystem::new(&machine, &product, system_options, self.semantics);
        run(&PromelaSystem { product: Some(&product), not_reduced, engine: self.engine, ..system });
        Ok(())
    }

    fn product_claim(&self) -> Option<&dyn ProductClaim> {
        self.product.map(|_| self as &dyn ProductClaim)
    }

    fn independence(&self, preserve: Preserve) -> Result<Box<dyn Independence + '_>, Unsupported> {
        match StaticIndependence::of(self.machine, preserve) {
            Ok(facts) => Ok(Box::new(MachineIndependence(facts))),
            Err(obstacle) => Err(Unsupported::new(obstacle.reason())),
        }
    }

    fn costed(&self, costs: CostModel) -> Option<Box<dyn CostedSpace + '_>> {
        // A step takes no time.
        if costs == CostModel::Time {
            return None;
        }
        let space = WeightedSpace::new(self.machine, costs);
        Some(Box::new(CostedMachine { system: self, space }))
    }

    fn editor(&self) -> Option<&dyn TrailEditor> {
        Some(self)
    }
}

impl ProductClaim for PromelaSystem<'_> {
    fn facts(&self) -> ClaimFacts {
        let claim = self.machine.claim().expect("the system is a product");
        facts(self.machine, claim)
    }

    fn lasso_witness(&self, lasso: &Lasso, bound: u64) -> Result<Violation, Unconfirmed> {
        lasso_witness(self.machine, lasso, self.options.fairness, self.merged(), bound)
    }

    fn persistence(&self) -> Option<Box<dyn Persistence + '_>> {
        let space = PersistenceProduct::new(self.product?)?;
        Some(Box::new(PersistenceSystem(space)))
    }

    fn not_reduced(&self) -> Option<&Unsupported> {
        self.not_reduced.as_ref()
    }

    fn vacuity(&self) -> Vec<String> {
        self.product.map_or_else(Vec::new, |product| vacuity(self.machine, product))
    }
}

/// The system of a product whose claim waits for a condition to hold for ever.
struct PersistenceSystem<'a>(PersistenceProduct<'a>);

impl Persistence for PersistenceSystem<'_> {
    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn product_lasso(&self, lasso: &Lasso) -> Lasso {
        let (stem, cycle) = self.0.product_lasso(&lasso.stem, &lasso.cycle);
        Lasso { stem, cycle }
    }
}

/// Independence by the static analysis of a machine.
struct MachineIndependence<'a>(StaticIndependence<'a>);

impl Independence for MachineIndependence<'_> {
    fn reducer(&self, proposals: Proposals) -> Box<dyn Reducer + '_> {
        Box::new(self.0.reducer(proposals))
    }
}

/// A machine with another cost of steps.
struct CostedMachine<'a> {
    system: &'a PromelaSystem<'a>,
    space: WeightedSpace<'a>,
}

impl CostedSpace for CostedMachine<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn system_state<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        self.space.system(state)
    }

    fn cost_of(&self, trail: &Trail) -> Option<u32> {
        let mut meter = CostMeter { space: &self.space, cost: 0, last: 0 };
        self.system.machine.replay_with(trail, &mut meter).ok()?;
        Some(meter.cost)
    }

    fn witness(&self, path: &StatePath, found: FindingKind) -> Result<Violation, Unconfirmed> {
        let between = |from: &[u8], to: &[u8]| self.space.moves_to(from, to);
        let along = trail_along(path, found, self.system.merged(), between)?;
        let last = self.space.system(path.last().expect("a path has its end"));
        confirm(self.system.machine, along, last, found, &|_| 0)
    }
}

/// Adds up the costs of the moves of a replay.
struct CostMeter<'a> {
    space: &'a WeightedSpace<'a>,
    cost: u32,
    /// The process that moved last, from 1; 0 for none.
    last: usize,
}

impl ReplayObserver for CostMeter<'_> {
    fn on_move(&mut self, _: &DecodedState, step: &Move) -> ControlFlow<()> {
        let (cost, last) = self.space.cost_after(self.last, step);
        self.cost = self.cost.saturating_add(cost);
        self.last = last;
        ControlFlow::Continue(())
    }
}
