//! How the transition system of a model is computed.

/// What computes successors.
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

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interp",
            Engine::Native => "jit",
        }
    }
}

/// Whether processes that can always move have to move at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// They need not.
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
    /// What computes successors.
    pub engine: Engine,
    /// Which cycles count.
    pub fairness: Fairness,
    /// Every step is a transition of its own, also inside of atomic sequences.
    pub stepwise: bool,
}
