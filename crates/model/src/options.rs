//! How the transition system of a model is computed.

/// Method for computing successors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interpreter,
    /// Native code, compiled once there are many states. Statements that cannot be compiled are
    /// interpreted.
    #[default]
    Native,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 2] = [Engine::Interpreter, Engine::Native];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interp",
            Engine::Native => "jit",
        }
    }
}

/// Fairness assumption on the cycles of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// None: an enabled process may wait forever.
    #[default]
    None,
    /// Weak fairness of processes.
    Weak,
}

/// How the transition system of a model is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemOptions {
    /// Every statement is a step and every value is kept: no optimisation that changes the states.
    pub plain: bool,
    /// Method for computing successors.
    pub engine: Engine,
    /// Which cycles count as runs.
    pub fairness: Fairness,
    /// Every step is a transition of its own, even in atomic sequences.
    pub stepwise: bool,
}
