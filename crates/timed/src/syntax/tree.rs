//! The syntax tree of timed automata: expressions, declarations, statements and templates, as they
//! are written. All three formats are read into this form.

use std::sync::Arc;

use beeline_source::source::Span;

use crate::network::operators::{Quantifier, TimedOperator};

/// A name with its position.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    /// The name.
    pub(crate) text: Arc<str>,
    /// Its position.
    pub(crate) span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// Its operation.
    pub(crate) kind: ExprKind,
    /// Its position.
    pub(crate) span: Span,
}

/// The operation of an expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// A number.
    Int(i64),
    /// A floating point number, which is refused.
    Double,
    /// A string.
    Text(Arc<str>),
    /// `true` or `false`.
    Bool(bool),
    /// A name.
    Name(Arc<str>),
    /// `e.field`.
    Field(Box<Expr>, Ident),
    /// `e[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(…)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `-e` and the like.
    Unary(UnaryOp, Box<Expr>),
    /// `e + f` and the like.
    Binary(TimedOperator, Box<Expr>, Box<Expr>),
    /// `c ? e : f`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e = f`, or `e += f` and the like.
    Assign(Option<TimedOperator>, Box<Expr>, Box<Expr>),
    /// `e++`, `--e` and the like.
    Step {
        /// The change: 1 or -1.
        by: i32,
        /// Whether the value is that before the change.
        is_postfix: bool,
        /// The variable.
        target: Box<Expr>,
    },
    /// `forall (i : T) e` and the like.
    Quantified(Quantifier, Ident, Box<TypeExpr>, Box<Expr>),
    /// `deadlock`.
    Deadlock,
    /// `x'`, the rate of a clock.
    Rate(Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    /// `-`.
    Minus,
    /// `!`, `not`.
    Not,
    /// `~`, which is not part of the language but of C.
    Complement,
}

/// A type with its prefixes.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpr {
    /// The type without prefixes.
    pub(crate) base: TypeBase,
    /// `const`.
    pub(crate) is_const: bool,
    /// `meta`: not part of the state. It is kept there nonetheless, which is sound.
    pub(crate) is_meta: bool,
    /// `urgent`, of channels.
    pub(crate) is_urgent: bool,
    /// `broadcast`, of channels.
    pub(crate) is_broadcast: bool,
    /// `hybrid`, which is refused.
    pub(crate) is_hybrid: bool,
    /// Its position.
    pub(crate) span: Span,
}

/// A type without prefixes.
#[derive(Clone, Debug)]
pub(crate) enum TypeBase {
    /// `void`.
    Void,
    /// `int`, with bounds if there are some.
    Int(Option<Box<(Expr, Expr)>>),
    /// `bool`.
    Bool,
    /// `string`.
    Text,
    /// `clock`.
    Clock,
    /// `chan`.
    Chan,
    /// `scalar[n]`, a type of its own at each place.
    Scalar(Box<Expr>),
    /// `struct { … }`.
    Struct(Vec<Field>),
    /// A type that is refused, such as `double`.
    Refused(&'static str),
    /// The name of a type.
    Named(Ident),
}

/// A declared name with the sizes of its array.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    /// The name.
    pub(crate) name: Ident,
    /// The sizes, from the outermost.
    pub(crate) sizes: Vec<ArraySize>,
    /// Whether it is passed by reference.
    pub(crate) is_reference: bool,
}

/// The size of an array.
#[derive(Clone, Debug)]
pub(crate) enum ArraySize {
    /// A number, or the name of a type.
    Expr(Expr),
    /// A type, whose values are the indices.
    Type(TypeExpr),
}

/// Fields of a structure that share a type.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Their type.
    pub(crate) ty: TypeExpr,
    /// Their names.
    pub(crate) declarator: Declarator,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Its type.
    pub(crate) ty: TypeExpr,
    /// Its name.
    pub(crate) declarator: Declarator,
}

/// The initial value of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Initialiser {
    /// An expression.
    Expr(Expr),
    /// `{ …, … }`, with names for fields if they are given.
    List(Vec<(Option<Ident>, Initialiser)>, Span),
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct VariableDecl {
    /// Its type.
    pub(crate) ty: TypeExpr,
    /// Its name.
    pub(crate) declarator: Declarator,
    /// Its initial value.
    pub(crate) initial: Option<Initialiser>,
}

/// A name for a type.
#[derive(Clone, Debug)]
pub(crate) struct TypedefDecl {
    /// The type.
    pub(crate) ty: TypeExpr,
    /// The name.
    pub(crate) declarator: Declarator,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionDecl {
    /// The type of its result.
    pub(crate) result: TypeExpr,
    /// Its name.
    pub(crate) name: Ident,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Its body.
    pub(crate) body: Block,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) enum Decl {
    /// A type.
    Typedef(TypedefDecl),
    /// A variable, constant, clock or channel.
    Variable(VariableDecl),
    /// A function.
    Function(Arc<FunctionDecl>),
}

/// A block of statements.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Types and variables.
    pub(crate) decls: Vec<Decl>,
    /// The statements.
    pub(crate) statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// `;`.
    Empty,
    /// `{ … }`.
    Block(Block),
    /// An expression.
    Expr(Expr),
    /// `if (c) s else t`.
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `while (c) s`.
    While(Expr, Box<Statement>),
    /// `do s while (c)`.
    DoWhile(Box<Statement>, Expr),
    /// `for (a; c; b) s`.
    For(Vec<Expr>, Option<Expr>, Vec<Expr>, Box<Statement>),
    /// `for (i : T) s`.
    ForEach(Ident, TypeExpr, Box<Statement>),
    /// `return e`.
    Return(Option<Expr>, Span),
    /// `assert e`.
    Assert(Expr),
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct LocationDecl {
    /// Its identity, by which edges refer to it.
    pub(crate) id: Arc<str>,
    /// Its name, if it has one.
    pub(crate) name: Option<Ident>,
    /// Its invariant.
    pub(crate) invariant: Option<Expr>,
    /// Whether it is urgent.
    pub(crate) is_urgent: bool,
    /// Whether it is committed.
    pub(crate) is_committed: bool,
    /// The labels of TChecker.
    pub(crate) labels: Vec<Arc<str>>,
    /// Its position.
    pub(crate) span: Span,
}

/// The direction of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// `!`.
    Send,
    /// `?`.
    Receive,
}

/// The synchronisation of an edge.
#[derive(Clone, Debug)]
pub(crate) enum SyncExpr {
    /// On a channel.
    Channel(Expr, Direction),
    /// On an event of TChecker.
    Event(Ident),
}

/// A range of values that an edge chooses from.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    /// The name of the value.
    pub(crate) name: Ident,
    /// Its type.
    pub(crate) ty: TypeExpr,
}

/// An edge.
#[derive(Clone, Debug)]
pub(crate) struct EdgeDecl {
    /// The identity of its source.
    pub(crate) from: Ident,
    /// The identity of its target.
    pub(crate) to: Ident,
    /// The values that it chooses.
    pub(crate) selects: Vec<Select>,
    /// Its guard.
    pub(crate) guard: Option<Expr>,
    /// Its synchronisation.
    pub(crate) sync: Option<SyncExpr>,
    /// Its updates, in order.
    pub(crate) updates: Vec<Expr>,
    /// Its position.
    pub(crate) span: Span,
}

/// A template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// Its name.
    pub(crate) name: Ident,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Its declarations.
    pub(crate) decls: Vec<Decl>,
    /// Its locations.
    pub(crate) locations: Vec<LocationDecl>,
    /// The identity of the initial location.
    pub(crate) initial: Option<Ident>,
    /// Its edges.
    pub(crate) edges: Vec<EdgeDecl>,
}

/// `Q(int i) = P(i, 3)`.
#[derive(Clone, Debug)]
pub(crate) struct Instantiation {
    /// The new name.
    pub(crate) name: Ident,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// The template.
    pub(crate) template: Ident,
    /// The arguments.
    pub(crate) arguments: Vec<Expr>,
}

/// A synchronisation vector of TChecker.
#[derive(Clone, Debug)]
pub(crate) struct SyncVector {
    /// Process, event, and whether the process may stay behind.
    pub(crate) parts: Vec<(Ident, Ident, bool)>,
    /// Its position.
    pub(crate) span: Span,
}

/// A query as it is written.
#[derive(Clone, Debug)]
pub(crate) struct QueryText {
    /// Its number, from 1; empty formulas are counted.
    pub(crate) number: usize,
    /// The formula in one line.
    pub(crate) text: String,
    /// The formula.
    pub(crate) form: QueryForm,
}

/// What a query asks.
#[derive(Clone, Debug)]
pub(crate) enum QueryForm {
    /// `E<> p`.
    Possibly(Expr),
    /// `A[] p`.
    Invariantly(Expr),
    /// `E[] p`.
    PotentiallyAlways(Expr),
    /// `A<> p`.
    Eventually(Expr),
    /// `p --> q`.
    LeadsTo(Expr, Expr),
    /// A query of another kind, such as a statistical one.
    Refused(String),
    /// A formula with a mistake.
    Broken(String),
}

/// A whole model as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// Global declarations.
    pub(crate) decls: Vec<Decl>,
    /// The templates.
    pub(crate) templates: Vec<Template>,
    /// Instantiations.
    pub(crate) instantiations: Vec<Instantiation>,
    /// The processes, in order.
    pub(crate) system: Vec<Ident>,
    /// Synchronisation vectors of TChecker.
    pub(crate) vectors: Vec<SyncVector>,
    /// Whether the model is one of TChecker: processes synchronise by vectors of events.
    pub(crate) has_vectors: bool,
}
