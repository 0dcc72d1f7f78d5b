//! The engines: who computes successors.

use beeline_engine::interpreter::Machine;
use beeline_kernel::Space;

/// Who computes successors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interpreter,
    /// Native code, compiled when there are many states. What cannot be compiled
    /// is interpreted.
    #[default]
    Native,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 2] = [Engine::Interpreter, Engine::Native];

    /// How it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interp",
            Engine::Native => "jit",
        }
    }

    /// The state space of a machine, and who really computes it.
    #[cfg(feature = "jit")]
    pub(crate) fn space<'a>(self, machine: &'a Machine<'a>) -> (Box<dyn Space + 'a>, Engine) {
        if self == Engine::Native
            && let Ok(native) = beeline_jit::NativeSpace::lazily(machine)
        {
            return (Box::new(native), Engine::Native);
        }
        (Box::new(Interpreted(machine)), Engine::Interpreter)
    }

    /// The state space of a machine, and who really computes it.
    #[cfg(not(feature = "jit"))]
    pub(crate) fn space<'a>(self, machine: &'a Machine<'a>) -> (Box<dyn Space + 'a>, Engine) {
        (Box::new(Interpreted(machine)), Engine::Interpreter)
    }
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
