//! A Promela model without errors, as a [`Model`].

use std::borrow::Borrow;

use beeline_analysis::factored::InstanceBounds;
use beeline_engine::claim::{Product, RunPosition};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Deadline, StatePath, Trail, TrailError};
use beeline_model::{
    About, Chronicle, CoverageSpace, FollowError, Followed, FollowedLasso, FollowedTrail, Model,
    Property, PropertyKind, Simulation, SimulationError, StepTeller, Story, StoryRequest, System,
    SystemOptions, UnknownProperty, Unsupported, fingerprint,
};
use beeline_promela::Frontend;
use beeline_promela::hir::{self, Expr, ProcessKind};
use beeline_search::{Lasso, SearchTarget};
use beeline_source::source::SourceMap;

use crate::chronicle::chronicle;
use crate::claims::{LassoRecorder, LassoRun, trivial, violated_claim, with_claim_of};
use crate::coverage::MachineCoverage;
use crate::editor::{causal_core, follow, machine_of};
use crate::error_selector::ErrorSelector;
use crate::invariant::invariant;
use crate::property::{properties, select};
use crate::semantics::SemanticsOptions;
use crate::simulate::PromelaSimulation;
use crate::space::{WatchedSpace, space};
use crate::statement_text::StatementTexts;
use crate::story::{execute, never_stopped, retell, with_story};
use crate::system::{PromelaSystem, automata};

/// A Promela model with its variant of the semantics. The result of the front-end is owned or
/// borrowed.
#[derive(Debug)]
pub struct PromelaModel<F> {
    about: About,
    front: F,
    semantics: SemanticsOptions,
    instances: InstanceBounds,
}

impl<F: Borrow<Frontend> + Sync> PromelaModel<F> {
    /// A model without errors, of this name.
    pub fn new(name: &str, front: F, semantics: SemanticsOptions) -> PromelaModel<F> {
        let about = About { language: "Promela model", name: name.to_owned() };
        PromelaModel { about, front, semantics, instances: InstanceBounds::default() }
    }

    /// Gives exact factored views room for this many processes of these types, at a time.
    ///
    /// # Errors
    ///
    /// With the name that is no process type of the model.
    pub fn bound_instances<'t>(&mut self, bounds: &'t [(String, usize)]) -> Result<(), &'t str> {
        self.instances = InstanceBounds::new(self.hir(), bounds)?;
        Ok(())
    }

    /// The resolved model.
    pub fn hir(&self) -> &hir::Model {
        &self.front().hir
    }

    /// The result of the front-end.
    pub fn front(&self) -> &Frontend {
        self.front.borrow()
    }

    /// The variant of the semantics.
    pub fn semantics(&self) -> SemanticsOptions {
        self.semantics
    }

    /// A trail with a cycle as a lasso of the product with the claim that it violates.
    fn with_lasso(
        &self,
        trail: &Trail,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System, FollowedTrail),
    ) -> Result<(), FollowError> {
        let automata = automata(options);
        let machine = with_claim_of(trail, self.semantics.machine(self.hir(), automata));
        let given = lasso_of(&machine, trail)?.0;
        let claim = violated_claim(&machine, &given, &ErrorSelector::default());
        let claim = claim.ok_or(FollowError::NoError)?;
        let machine = self.semantics.machine(self.hir(), automata).watched_by(claim);
        // Once more, with the claim.
        let (given, all) = lasso_of(&machine, trail)?;
        let claim = machine.claim().expect("the machine has a claim");
        let claim_run = claim.run_along(&machine, &given.stem, &given.cycle);
        let (stem, cycle) = claim_run.ok_or(FollowError::Cycle)?;
        let mut states = given.stem;
        states.append(&given.cycle);
        let of_product = |run: Vec<RunPosition>| {
            let mut path = StatePath::new();
            for (at, location) in run {
                let mut state = states.get(at).expect("a run passes states of the lasso");
                machine.layout().frame.set_claim(&mut state, location as u32);
                path.push(&state);
            }
            path
        };
        let lasso = Lasso { stem: of_product(stem), cycle: of_product(cycle) };
        let space = WatchedSpace::new(&machine, options);
        let product = space.product(&machine);
        if !lasso.is_valid(&product) {
            return Err(FollowError::NoError);
        }
        // Where the system stays where it is, that is a step.
        let (moves, all) = (given.moves as u64, all as u64);
        let cycle_steps = moves.max(1);
        let steps = all.max(all - moves + cycle_steps);
        let system = PromelaSystem {
            product: Some(&product),
            ..PromelaSystem::new(&machine, &product, options, self.semantics)
        };
        run(&system, FollowedTrail::Lasso(FollowedLasso { lasso, cycle_steps, steps }));
        Ok(())
    }
}

fn is_overflow(property: &Property) -> bool {
    property.kind == PropertyKind::Overflow
}

/// The run of a trail with a cycle, and the number of its moves.
fn lasso_of(machine: &Machine<'_>, trail: &Trail) -> Result<(LassoRun, usize), FollowError> {
    let replayed = execute(machine, trail, || LassoRecorder::new(trail));
    let (recorder, end) = replayed.map_err(|error| FollowError::Trail(never_stopped(error)))?;
    let run = recorder.run(machine, &end).ok_or(FollowError::Cycle)?;
    Ok((run, end.moves))
}

impl<F: Borrow<Frontend> + Sync> Model for PromelaModel<F> {
    fn about(&self) -> &About {
        &self.about
    }

    fn fingerprint(&self) -> u64 {
        // The expansions of macros are in the tokens, not in the sources.
        let Frontend { tokens, interner, .. } = self.front();
        let spellings = tokens.iter().map(|token| &**interner.text(token.text));
        let semantics = format!("{:?}", self.semantics);
        fingerprint(spellings.chain([&*semantics]))
    }

    fn sources(&self) -> &SourceMap {
        &self.front().sources
    }

    fn properties(&self) -> Vec<Property> {
        properties(self.hir())
    }

    fn select(&self, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
        select(self.hir(), names)
    }

    fn triviality(&self, property: &Property) -> Option<String> {
        trivial(self.hir(), property)
    }

    fn neglected(&self, trail: &Trail) -> Vec<String> {
        let options = SystemOptions { plain: !trail.merged, ..SystemOptions::default() };
        let machine = self.semantics.machine(self.hir(), automata(options));
        let machine = with_claim_of(trail, machine);
        let Ok((run, _)) = lasso_of(&machine, trail) else { return Vec::new() };
        let now = run.cycle.first().map(|state| machine.decode(state));
        let name = |pid: usize| {
            let process = now.as_ref().map(|now| self.hir().process(now.process(pid)));
            process.map(|process| format!("{}({pid})", process.name.name))
        };
        run.neglected(&machine).into_iter().filter_map(name).collect()
    }

    fn with_system(
        &self,
        wanted: &[Property],
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System),
    ) {
        let formulas = wanted.iter().filter_map(|property| property.formula.clone());
        let named = |name: String| invariant(self.hir(), &name).map(|expr| (name, expr.clone()));
        let (names, exprs): (Vec<String>, Vec<Expr>) = formulas.filter_map(named).unzip();
        let machine = self.semantics.machine(self.hir(), automata(options)).with_invariants(exprs);
        let machine = machine.checking_overflow(wanted.iter().any(is_overflow));
        let (space, engine) = space(&machine, options);
        let system = PromelaSystem::new(&machine, &*space, options, self.semantics);
        let instances = self.instances.clone();
        run(&PromelaSystem { engine, invariants: names, instances, ..system });
    }

    fn with_trail(
        &self,
        trail: &Trail,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System, FollowedTrail),
    ) -> Result<(), FollowError> {
        // A trail records how its automata were built.
        let options = SystemOptions { plain: !trail.merged, ..options };
        if trail.cycle_start.is_some() {
            return self.with_lasso(trail, options, run);
        }
        let mut machine = machine_of(self.hir(), trail, self.semantics);
        let follow = |machine: &_| follow(machine, trail, SearchTarget::ANYTHING);
        let mut given = follow(&machine).map_err(FollowError::Trail)?;
        if given.is_none() {
            machine = machine.checking_overflow(true);
            given = follow(&machine).map_err(FollowError::Trail)?;
        }
        let given = given.ok_or(FollowError::NoError)?;
        let (states, engine) = space(&machine, options);
        let product = Product::new(&machine, &*states);
        let seen = product.as_ref().map_or(&*states, |product| product);
        let system = PromelaSystem::new(&machine, seen, options, self.semantics);
        let system = PromelaSystem { product: product.as_ref(), engine, ..system };
        run(&system, FollowedTrail::Path(Followed::from(given)));
        Ok(())
    }

    fn story(&self, trail: &Trail, request: &StoryRequest<'_>) -> Result<Story, TrailError> {
        retell(self.front(), trail, self.semantics, request)
    }

    fn with_story(
        &self,
        trail: &Trail,
        request: &StoryRequest<'_>,
        run: &mut dyn FnMut(&Story, &dyn StepTeller),
    ) -> Result<(), TrailError> {
        with_story(self.front(), trail, self.semantics, request, run)
    }

    fn chronicle(&self, trail: &Trail) -> Result<Chronicle, TrailError> {
        chronicle(self.front(), trail, self.semantics)
    }

    fn causal_core(&self, trail: &Trail, deadline: Deadline) -> Option<Vec<bool>> {
        causal_core(self.hir(), trail, self.semantics, deadline)
    }

    fn foreign_trail(&self, trail: &Trail) -> Option<Unsupported> {
        // SPIN numbers formulas after the processes, as the claims that it makes of them.
        let named = trail.claim.and_then(|number| self.hir().processes.get(number));
        let process = named.filter(|process| process.kind != ProcessKind::Never)?;
        Some(Unsupported::new(format!("`{}` is not a claim", process.name.name)))
    }

    fn process_names(&self) -> Vec<String> {
        self.hir().processes.iter().map(|process| process.name.name.to_string()).collect()
    }

    fn simulation(&self, seed: u64) -> Result<Box<dyn Simulation + '_>, SimulationError> {
        match PromelaSimulation::new(self.front(), seed, self.semantics) {
            Ok(simulation) => Ok(Box::new(simulation)),
            Err(fault) => Err(SimulationError::InitialFault(fault)),
        }
    }

    fn with_coverage(
        &self,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn CoverageSpace),
    ) -> Result<(), Unsupported> {
        let machine = self.semantics.machine(self.hir(), automata(options));
        run(&MachineCoverage::new(&machine, StatementTexts::new(self.front())));
        Ok(())
    }
}
