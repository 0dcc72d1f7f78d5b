//! A planning task as it is written: types, objects, schemata with variables. Nothing is grounded.

use std::sync::Arc;

use beeline_source::source::Span;

/// The number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// The number of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// The number of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub u32);

/// The number of a numeric function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A type of objects. Type 0 is `object`, which all types are below.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Its name.
    pub name: Arc<str>,
    /// The types directly above it: several for `either`.
    pub parents: Vec<TypeId>,
}

/// An object.
#[derive(Clone, Debug)]
pub struct PlanningObject {
    /// Its name.
    pub name: Arc<str>,
    /// Its types: several for `either`.
    pub types: Vec<TypeId>,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct PlanningPredicate {
    /// Its name.
    pub name: Arc<str>,
    /// The types of its arguments.
    pub parameters: Vec<Vec<TypeId>>,
    /// Whether axioms define it.
    pub is_derived: bool,
}

/// A numeric function.
#[derive(Clone, Debug)]
pub struct NumericFunction {
    /// Its name.
    pub name: Arc<str>,
    /// The types of its arguments.
    pub parameters: Vec<Vec<TypeId>>,
}

/// A variable of a schema.
#[derive(Clone, Debug)]
pub struct SchemaVariable {
    /// Its name with `?`.
    pub name: Arc<str>,
    /// The objects that it may be, in order.
    pub objects: Arc<[ObjectId]>,
}

/// An argument of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the schema, by its number.
    Variable(u32),
    /// An object.
    Object(ObjectId),
}

/// A predicate with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SchemaAtom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub terms: Vec<Term>,
}

/// A numeric function with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fluent {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub terms: Vec<Term>,
}

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumericComparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

impl NumericComparison {
    /// Whether it holds between two numbers.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            NumericComparison::Less => a < b,
            NumericComparison::LessEqual => a <= b,
            NumericComparison::Equal => a == b,
            NumericComparison::GreaterEqual => a >= b,
            NumericComparison::Greater => a > b,
        }
    }
}

impl Arithmetic {
    /// The result; `None` for a division with a remainder or by zero, and for an overflow.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide if a.checked_rem(b)? == 0 => a.checked_div(b),
            Arithmetic::Divide => None,
        }
    }
}

/// A numeric expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumericExpr {
    /// A number.
    Number(i64),
    /// The value of a function.
    Fluent(Fluent),
    /// An operation.
    Operation(Arithmetic, Box<NumericExpr>, Box<NumericExpr>),
}

impl NumericExpr {
    /// Adds the arguments of all functions.
    pub(crate) fn terms(&self, found: &mut Vec<Term>) {
        match self {
            NumericExpr::Number(_) => {}
            NumericExpr::Fluent(fluent) => found.extend_from_slice(&fluent.terms),
            NumericExpr::Operation(_, a, b) => {
                a.terms(found);
                b.terms(found);
            }
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaFormula {
    /// A conjunction.
    And(Vec<SchemaFormula>),
    /// A disjunction.
    Or(Vec<SchemaFormula>),
    /// A negation.
    Not(Box<SchemaFormula>),
    /// For all values of these variables.
    Forall(Vec<u32>, Box<SchemaFormula>),
    /// For some values of these variables.
    Exists(Vec<u32>, Box<SchemaFormula>),
    /// An atom.
    Atom(SchemaAtom),
    /// Two terms are the same object.
    Same(Term, Term),
    /// A comparison of numbers.
    Compare(NumericComparison, NumericExpr, NumericExpr),
}

impl SchemaFormula {
    /// The condition that always holds.
    pub const TRUE: SchemaFormula = SchemaFormula::And(Vec::new());
}

/// The change of a numeric fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumericChange {
    /// `assign`
    Assign,
    /// `increase`
    Increase,
    /// `decrease`
    Decrease,
    /// `scale-up`
    ScaleUp,
    /// `scale-down`
    ScaleDown,
}

impl NumericChange {
    /// The new value; `None` if it is not an integer.
    pub fn apply(self, old: i64, by: i64) -> Option<i64> {
        match self {
            NumericChange::Assign => Some(by),
            NumericChange::Increase => Arithmetic::Add.apply(old, by),
            NumericChange::Decrease => Arithmetic::Subtract.apply(old, by),
            NumericChange::ScaleUp => Arithmetic::Multiply.apply(old, by),
            NumericChange::ScaleDown => Arithmetic::Divide.apply(old, by),
        }
    }
}

/// What an effect changes.
#[derive(Clone, Debug)]
pub enum Change {
    /// An atom becomes true.
    Add(SchemaAtom),
    /// An atom becomes false, unless another effect adds it.
    Delete(SchemaAtom),
    /// A numeric fluent changes.
    Number(NumericChange, Fluent, NumericExpr),
}

/// An effect of an action, for all values of its variables that satisfy its condition.
#[derive(Clone, Debug)]
pub struct SchemaEffect {
    /// Quantified variables.
    pub variables: Vec<u32>,
    /// The condition.
    pub condition: SchemaFormula,
    /// What changes.
    pub change: Change,
}

/// An action schema.
#[derive(Clone, Debug)]
pub struct ActionSchema {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name is.
    pub span: Span,
    /// The number of parameters: the first variables.
    pub parameters: usize,
    /// All variables.
    pub variables: Vec<SchemaVariable>,
    /// The precondition.
    pub precondition: SchemaFormula,
    /// The effects.
    pub effects: Vec<SchemaEffect>,
}

/// An axiom: a derived predicate holds where the body does.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The derived predicate.
    pub head: PredicateId,
    /// Where it is.
    pub span: Span,
    /// The number of parameters: the first variables are the arguments of the head.
    pub parameters: usize,
    /// All variables.
    pub variables: Vec<SchemaVariable>,
    /// The body.
    pub body: SchemaFormula,
    /// The stratum: bodies use predicates of lower strata, and positively those of the same one.
    pub layer: u32,
}

/// What a plan costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The number of actions.
    Steps,
    /// A numeric expression at the end of the plan, which is minimised.
    Minimize(NumericExpr),
}

/// The values that numeric fluents may have in a state. An action that leaves them is not applicable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    /// The least.
    pub least: i32,
    /// The greatest.
    pub greatest: i32,
}

impl NumberRange {
    /// All integers of 32 bits.
    pub const ALL: NumberRange = NumberRange { least: i32::MIN, greatest: i32::MAX };

    /// Whether a number is one of them.
    pub fn contains(self, value: i64) -> bool {
        (i64::from(self.least)..=i64::from(self.greatest)).contains(&value)
    }
}

/// A planning task.
#[derive(Clone, Debug)]
pub struct PlanningTask {
    /// The name of the problem.
    pub name: Arc<str>,
    /// The name of the domain.
    pub domain: Arc<str>,
    /// The types.
    pub types: Vec<ObjectType>,
    /// The objects, constants of the domain first.
    pub objects: Vec<PlanningObject>,
    /// The predicates.
    pub predicates: Vec<PlanningPredicate>,
    /// The numeric functions.
    pub functions: Vec<NumericFunction>,
    /// The action schemata.
    pub actions: Vec<ActionSchema>,
    /// The axioms.
    pub axioms: Vec<Axiom>,
    /// The atoms that hold initially.
    pub initial: Vec<SchemaAtom>,
    /// The initial values of numeric fluents. Others have none.
    pub numbers: Vec<(Fluent, i64)>,
    /// The values of numeric fluents in states, unless only the metric depends on them.
    pub range: NumberRange,
    /// The variables of the goal.
    pub goal_variables: Vec<SchemaVariable>,
    /// The goal.
    pub goal: SchemaFormula,
    /// What a plan costs.
    pub metric: Metric,
}
