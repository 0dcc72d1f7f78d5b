//! A planning task in finite-domain variables, as it is written.

/// A variable has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SasFact {
    pub(crate) variable: usize,
    pub(crate) value: u32,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct SasVariable {
    /// The stratum, if axioms derive it.
    pub(crate) layer: Option<u32>,
    /// The names of its values.
    pub(crate) values: Vec<String>,
    /// Its first value; of derived variables, the value without an axiom that applies.
    pub(crate) initial: u32,
}

/// An effect under conditions.
#[derive(Clone, Debug)]
pub(crate) struct SasEffect {
    pub(crate) conditions: Vec<SasFact>,
    pub(crate) sets: SasFact,
}

/// An operator.
#[derive(Clone, Debug)]
pub(crate) struct SasOperator {
    /// The action with its arguments, separated by blanks. Several operators may have this name.
    pub(crate) name: String,
    pub(crate) conditions: Vec<SasFact>,
    pub(crate) effects: Vec<SasEffect>,
    pub(crate) cost: u32,
}

/// An axiom.
#[derive(Clone, Debug)]
pub(crate) struct SasRule {
    pub(crate) conditions: Vec<SasFact>,
    pub(crate) sets: SasFact,
}

/// A planning task in finite-domain variables.
#[derive(Clone, Debug)]
pub struct SasTask {
    pub(crate) variables: Vec<SasVariable>,
    pub(crate) operators: Vec<SasOperator>,
    pub(crate) rules: Vec<SasRule>,
    pub(crate) goal: Vec<SasFact>,
}
