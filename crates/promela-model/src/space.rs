//! The state spaces of a machine: interpreted, native, fair, or one step at a time.

use beeline_analysis::reduction::{Independence, Proposals};
use beeline_engine::claim::{FairSpace, Product};
use beeline_engine::interpreter::{Machine, Stepwise};
use beeline_kernel::Space;
use beeline_model::{Engine, Fairness, SystemOptions};
use beeline_search::Reduced;

/// The state space of a machine, and the engine that computes it.
pub(crate) fn space<'a>(
    machine: &'a Machine<'a>,
    options: SystemOptions,
) -> (Box<dyn Space + 'a>, Engine) {
    if options.stepwise {
        return (Box::new(Stepwise(machine)), Engine::Interpreter);
    }
    #[cfg(feature = "jit")]
    if options.engine == Engine::Native
        && let Ok(native) = beeline_jit::NativeSpace::lazily(machine)
    {
        return (Box::new(native), Engine::Native);
    }
    (Box::new(Interpreted(machine)), Engine::Interpreter)
}

/// The state space whose transitions have marks of weak fairness.
fn fair_space<'a>(machine: &'a Machine<'a>, options: SystemOptions) -> Box<dyn Space + 'a> {
    #[cfg(feature = "jit")]
    if options.engine == Engine::Native
        && !options.stepwise
        && let Ok(native) = beeline_jit::NativeFairSpace::lazily(machine)
    {
        return Box::new(native);
    }
    let _ = options;
    Box::new(FairSpace(machine))
}

/// A machine that is borrowed.
struct Interpreted<'a>(&'a Machine<'a>);

impl Space for Interpreted<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), beeline_kernel::Fault> {
        Space::initial(self.0, state)
    }

    fn expand(&self, state: &[u8], expansion: &mut beeline_kernel::Expansion) {
        Space::expand(self.0, state, expansion);
    }
}

/// The system that a claim observes.
pub(crate) enum WatchedSpace<'a> {
    /// Without marks.
    Any(Box<dyn Space + 'a>),
    /// With marks of weak fairness: the process that moves, and the enabled ones.
    Fair(Box<dyn Space + 'a>),
}

impl<'a> WatchedSpace<'a> {
    /// The space that the options require.
    pub(crate) fn new(machine: &'a Machine<'a>, options: SystemOptions) -> WatchedSpace<'a> {
        match options.fairness {
            Fairness::None => WatchedSpace::Any(space(machine, options).0),
            Fairness::Weak => WatchedSpace::Fair(fair_space(machine, options)),
        }
    }

    /// The space with partial order reduction.
    pub(crate) fn reduced(&'a self, facts: &'a Independence<'a>) -> Reduced<'a, dyn Space + 'a> {
        let (WatchedSpace::Any(space) | WatchedSpace::Fair(space)) = self;
        let space: &(dyn Space + 'a) = &**space;
        Reduced::new(space, || Box::new(facts.reducer(Proposals::One)))
    }

    /// The product with the claim of the machine.
    pub(crate) fn product(&'a self, machine: &'a Machine<'a>) -> Product<'a> {
        let product = match self {
            WatchedSpace::Any(space) => Product::new(machine, &**space),
            WatchedSpace::Fair(space) => Product::fair(machine, &**space),
        };
        product.expect("the machine has a claim")
    }
}
