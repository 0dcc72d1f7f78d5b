//! The rules of stubborn sets. Each can be omitted, so that a test can show that it detects the
//! unsound reduction.

/// A rule of stubborn sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StubbornRule {
    /// An operator that lacks a precondition adds a necessary enabling set.
    Enabling,
    /// Operators that may lose a value that they require, or get one that they exclude, follow.
    Disabling,
    /// Operators that may lose a derived precondition follow.
    Derived,
    /// Operators that set another value follow.
    Agreement,
    /// Operators that write a required value that is changed follow.
    Guard,
    /// Operators with effects on a condition that is changed follow.
    Readers,
    /// Operators that change a condition of an effect follow.
    Inputs,
    /// Operators that use a changed number follow.
    Numbers,
}
