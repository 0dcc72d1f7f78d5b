//! The configuration of generated programs.

use super::feature::Feature;

/// The class of generated programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Meaningful programs: SPIN accepts them and can run them.
    Runnable,
    /// Trees that parse, with declared names and little meaning: every kind of node in every
    /// position. Features and sizes do not apply.
    AnySyntax,
}

/// Sizes, and the weight of each feature.
///
/// The sizes bound the state space: values stay below [`Config::domain`], loops terminate or have
/// finitely many states, and `run` is never in an endless loop.
#[derive(Clone, Debug)]
pub struct Config {
    /// The class of programs.
    pub form: Form,
    /// Processes in a run, least and most.
    pub processes: (u32, u32),
    /// Statements in the body of a process, least and most.
    pub statements: (u32, u32),
    /// The greatest depth of nested statements.
    pub nesting: u32,
    /// The greatest depth of nested operators.
    pub operators: u32,
    /// Global variables other than channels, least and most.
    pub globals: (u32, u32),
    /// Variables of a process, least and most.
    pub locals: (u32, u32),
    /// Global channels, at most.
    pub channels: u32,
    /// Messages in a channel, at most.
    pub capacity: u32,
    /// An upper bound on the number of values of a variable, unless its type has fewer.
    pub domain: u32,
    /// The approximate number of bits of data in a state: beyond it, variables are few and small.
    pub bits: u32,
    weights: Vec<u32>,
}

impl Config {
    /// The core of the language in state spaces of some hundred states.
    pub fn small() -> Self {
        Config {
            form: Form::Runnable,
            processes: (2, 3),
            statements: (3, 5),
            nesting: 2,
            operators: 1,
            globals: (1, 3),
            locals: (0, 2),
            channels: 2,
            capacity: 2,
            domain: 3,
            bits: 10,
            weights: Feature::ALL.iter().map(|feature| feature.weight_in_small()).collect(),
        }
    }

    /// Every feature that neither fails at run time nor changes the checked property.
    pub fn full() -> Self {
        Config {
            processes: (2, 4),
            nesting: 3,
            operators: 2,
            globals: (1, 3),
            locals: (0, 3),
            channels: 3,
            bits: 10,
            weights: Feature::ALL.iter().map(|feature| feature.weight_in_full()).collect(),
            ..Config::small()
        }
    }

    /// Everything the syntax tree can hold, for tests of printer and parser.
    pub fn syntax() -> Self {
        Config { form: Form::AnySyntax, nesting: 3, operators: 3, ..Config::full() }
    }

    /// The weight of a feature.
    pub fn weight(&self, feature: Feature) -> u32 {
        self.weights[feature as usize]
    }

    /// The same with another weight of a feature.
    pub fn with(mut self, feature: Feature, weight: u32) -> Self {
        self.weights[feature as usize] = weight;
        self
    }

    /// The same with other weights of some features.
    pub fn with_all(self, features: &[(Feature, u32)]) -> Self {
        features.iter().fold(self, |config, &(feature, weight)| config.with(feature, weight))
    }

    /// The same without a feature.
    pub fn without(self, feature: Feature) -> Self {
        self.with(feature, 0)
    }
}
