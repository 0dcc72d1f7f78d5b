//! What kind of programs to generate.

use super::feature::Feature;

/// How free the generated programs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Programs that mean something: SPIN accepts them and can run them.
    Runnable,
    /// Trees that parse, with declared names and little sense: every kind of
    /// node in every place. Features and sizes do not apply.
    AnySyntax,
}

/// Sizes, and the weight of each feature.
///
/// The sizes bound the state space: values stay below [`Config::domain`], loops
/// end or have finitely many states, and `run` never stands in an endless loop.
#[derive(Clone, Debug)]
pub struct Config {
    /// Sense or syntax only.
    pub form: Form,
    /// Processes in a run, least and most.
    pub processes: (u32, u32),
    /// Statements in the body of a process, least and most.
    pub statements: (u32, u32),
    /// How deep statements nest.
    pub nesting: u32,
    /// How deep operators nest.
    pub operators: u32,
    /// Global variables other than channels, least and most.
    pub globals: (u32, u32),
    /// Variables of a process, least and most.
    pub locals: (u32, u32),
    /// Global channels, at most.
    pub channels: u32,
    /// Messages in a channel, at most.
    pub capacity: u32,
    /// A variable has fewer values than this, unless its type has.
    pub domain: u32,
    /// Bits of data in a state, about: past these, variables are few and small.
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

    /// Every feature that neither fails at run time nor changes what is checked.
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
