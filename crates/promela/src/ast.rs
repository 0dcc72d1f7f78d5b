//! The syntax tree: the text as written, before name resolution.
//!
//! Parentheses are not kept (the printer restores the necessary ones), macros are expanded (spans
//! record the calls), and an inline call has both its written form and its expansion, since Promela
//! substitutes text.
//!
//! Equality of trees ignores spans.

mod branching;

use std::sync::Arc;

use beeline_source::source::Span;

pub use branching::{BranchingLanguage, Fixpoint, Modality, PathQuantifier};

/// A name and its position.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Its position.
    pub span: Span,
}

impl PartialEq for Ident {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A node with a position. Equality ignores the position.
#[derive(Clone, Debug)]
pub struct Node<T> {
    /// The node.
    pub kind: T,
    /// Its position.
    pub span: Span,
}

impl<T: PartialEq> PartialEq for Node<T> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Its parts, in order.
    pub units: Vec<Unit>,
}

/// A top-level part.
pub type Unit = Node<UnitKind>;

/// The kinds of top-level parts.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitKind {
    /// `proctype`.
    Proctype(Proctype),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Never),
    /// `trace` or `notrace`.
    Trace(Trace),
    /// `ltl`.
    Ltl(Ltl),
    /// `ctl` or `mu`.
    Branching(BranchingUnit),
    /// `fair { condition }`: a fairness constraint of all `ctl` and `mu` formulas.
    Fair(Expr),
    /// `inline`: its calls contain their expansions, so the definition is used only for printing.
    Inline(InlineDef),
    /// `typedef`.
    Typedef(Typedef),
    /// `mtype = { … }`.
    Mtype(MtypeDecl),
    /// Global variables.
    Variables(VarDecl),
}

/// `active [n] proctype name(params) priority p provided (e) { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Proctype {
    /// `active`, and the number of instances.
    pub active: Option<ActivePrefix>,
    /// `D_proctype`: the checker reports nondeterminism in it.
    pub deterministic: bool,
    /// Its name.
    pub name: Ident,
    /// Parameters, in groups as declared.
    pub params: Vec<VarDecl>,
    /// `priority p`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Sequence,
}

/// The prefix `active`.
#[derive(Clone, Debug, PartialEq)]
pub struct ActivePrefix {
    /// The number in brackets.
    pub count: Option<Expr>,
    /// Its position.
    pub span: Ignored<Span>,
}

/// A value that equality ignores.
#[derive(Clone, Copy, Debug)]
pub struct Ignored<T>(pub T);

impl<T> PartialEq for Ignored<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// `init priority p { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// `priority p`.
    pub priority: Option<Expr>,
    /// The body.
    pub body: Sequence,
}

/// `never name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Never {
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The claim.
    pub body: Sequence,
}

/// `trace { … }` or `notrace { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// The events.
    pub body: Sequence,
}

/// `ltl name { formula }`
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The formula.
    pub formula: Expr,
}

/// `ctl name { formula }` or `mu name { formula }`: an extension of Promela.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchingUnit {
    /// The language of the formula.
    pub language: BranchingLanguage,
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The formula.
    pub formula: Expr,
}

/// The steps of a modality.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionPattern {
    /// All steps.
    Any,
    /// `P`, `P[e]`: the steps of processes.
    Process {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
    },
    /// `P@label`, `P[e]@label`: the steps from a label.
    Label {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `q!`: sends to the channel of a variable.
    Send(Ident),
    /// `q?`: receives from it.
    Receive(Ident),
}

/// `inline name(params) { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct InlineDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Ident>,
    /// The spellings of the body's tokens without the outer braces, and whether
    /// each begins a line (which matters: see [`crate::token::Token`]).
    pub body: Vec<(Arc<str>, bool)>,
}

/// `typedef name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// Its name.
    pub name: Ident,
    /// Its fields, in groups as declared.
    pub fields: Vec<VarDecl>,
}

/// `mtype : set = { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct MtypeDecl {
    /// The set's name, if it is a named one.
    pub set: Option<Ident>,
    /// The constants, in order.
    pub names: Vec<Ident>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeName {
    /// `bit` or `bool`.
    Bit,
    /// `byte` or `pid`.
    Byte,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`.
    Unsigned,
    /// `mtype`, or `mtype : set`.
    Mtype(Option<Ident>),
    /// `chan`.
    Chan,
    /// A `typedef`.
    Named(Ident),
}

/// `hidden`, `show` or `local`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message sequence charts.
    Show,
    /// Declared global, used by one process only.
    Local,
}

/// Variables declared together.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// Their type.
    pub ty: TypeName,
    /// Position of the type.
    pub ty_span: Ignored<Span>,
    /// The variables.
    pub vars: Vec<Declarator>,
}

/// One declared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// Its name.
    pub name: Ident,
    /// `: n`, the bits of an `unsigned`.
    pub width: Option<Expr>,
    /// `[n]`.
    pub length: Option<Expr>,
    /// `= …`
    pub init: Option<Initializer>,
    /// The whole declarator.
    pub span: Ignored<Span>,
}

/// The initial value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Initializer {
    /// `= e`
    Value(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>),
    /// `= [n] of { types }`
    Channel {
        /// Capacity in messages; 0 makes it a rendezvous channel.
        capacity: Expr,
        /// The types of a message's fields.
        fields: Vec<Node<TypeName>>,
    },
}

/// Statements in order.
pub type Sequence = Vec<Stmt>;

/// A statement.
pub type Stmt = Node<StmtKind>;

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Local variables.
    Variables(VarDecl),
    /// `xr` or `xs`: exclusive use of channels.
    Exclusive {
        /// `xr` receives, `xs` sends.
        sends: bool,
        /// The channels.
        channels: Vec<VarRef>,
    },
    /// `label: statement`; a label alone labels a `skip`.
    Labelled {
        /// The label.
        label: Ident,
        /// The labelled statement.
        stmt: Option<Box<Stmt>>,
    },
    /// `body unless escape`
    Unless {
        /// Executed until the escape is executable.
        body: Box<Stmt>,
        /// Executed instead of the body as soon as it is executable.
        escape: Box<Stmt>,
    },
    /// `x = e`
    Assign {
        /// The variable.
        target: VarRef,
        /// The new value.
        value: Expr,
    },
    /// `x++` or `x--`
    Step {
        /// The variable.
        target: VarRef,
        /// `++`.
        up: bool,
    },
    /// `q!e` or `q!!e`
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`: in order of value.
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `q?x`, `q??x`, `q?<x>`, `q??<x>`
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`: from anywhere in the channel.
        random: bool,
        /// `<…>`: leaves the message.
        peek: bool,
        /// The variables that take the fields, and the values to match.
        args: Vec<RecvArg>,
    },
    /// `if :: … fi`
    If(Vec<Sequence>),
    /// `do :: … od`
    Do(Vec<Sequence>),
    /// `for (i : a .. b) { … }`
    For {
        /// The loop variable.
        var: VarRef,
        /// The range.
        over: ForRange,
        /// The loop body.
        body: Sequence,
    },
    /// `select (i : a .. b)`
    Select {
        /// The variable.
        var: VarRef,
        /// Least value.
        from: Expr,
        /// Greatest value.
        to: Expr,
    },
    /// `break`
    Break,
    /// `goto label`
    Goto(Ident),
    /// `else`
    Else,
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`
    Block(Sequence),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("…", …)`
    Print {
        /// The format, as written, with quotes.
        format: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `printm(e)`
    PrintM(Expr),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// An expression as a statement: it waits until the expression is true.
    Expr(Expr),
    /// A call of an inline, `name(args)` or `x = name(args)`.
    Call {
        /// The inline.
        name: Ident,
        /// The actual parameters.
        args: Vec<Expr>,
        /// The variable that `return` assigns to.
        result: Option<VarRef>,
        /// The text after substitution: a block.
        expansion: Box<Stmt>,
    },
    /// `return e`, in an inline: an assignment to the variable of the call.
    Return {
        /// The variable of the call.
        target: VarRef,
        /// The value.
        value: Expr,
    },
    /// A statement with a reported syntax error.
    Error,
}

/// The range of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForRange {
    /// `a .. b`
    Range(Expr, Expr),
    /// `in x`: an array's indices or a channel's messages.
    In(VarRef),
}

/// A field of a receive.
#[derive(Clone, Debug, PartialEq)]
pub enum RecvArg {
    /// A variable that takes the field. A name of an `mtype` constant is a
    /// value to match; that is known only when names are resolved.
    Var(VarRef),
    /// A constant the field must equal.
    Match(Expr),
    /// `eval(e)`: a value the field must equal.
    Eval(Expr),
}

/// `x`, `x[e]`, `x.f`, `x[e].f[e].g`
#[derive(Clone, Debug, PartialEq)]
pub struct VarRef {
    /// The name.
    pub name: Ident,
    /// The index.
    pub index: Option<Box<Expr>>,
    /// The reference after the dot.
    pub field: Option<Box<VarRef>>,
    /// The whole reference.
    pub span: Ignored<Span>,
}

/// An expression.
pub type Expr = Node<ExprKind>;

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// A variable or an `mtype` constant.
    Var(VarRef),
    /// An operator before its operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run p(args) priority n`
    Run {
        /// The proctype.
        proctype: Ident,
        /// The actual parameters.
        args: Vec<Expr>,
        /// `priority n`.
        priority: Option<Box<Expr>>,
    },
    /// `len(q)`, `full(q)`, …
    Channel(ChannelQuery, VarRef),
    /// `enabled(p)`, `pc_value(p)`, `get_priority(p)`
    Process(ProcessQuery, Box<Expr>),
    /// `q?[x]`, `q??[x]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`.
        random: bool,
        /// The message to look for.
        args: Vec<RecvArg>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[e]@label`
    RemoteLabel {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[e]:x`
    RemoteVar {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The variable.
        var: VarRef,
    },
    /// `A f` or `E f`, in ctl.
    Quantified(PathQuantifier, Box<Expr>),
    /// `mu X . f` or `nu X . f`
    Fixpoint {
        /// Least or greatest.
        kind: Fixpoint,
        /// The variable.
        variable: Ident,
        /// The formula.
        body: Box<Expr>,
    },
    /// `<a> f` or `[a] f`, in mu.
    Modal {
        /// Some step or all steps.
        modality: Modality,
        /// The steps.
        actions: ActionPattern,
        /// The formula.
        operand: Box<Expr>,
    },
    /// An expression with a reported syntax error.
    Error,
}

/// Constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A decimal number.
    Number(i32),
    /// `'c'`
    Char(u8),
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`, which is the number 1.
    Skip,
}

impl Literal {
    /// Its value.
    pub fn value(self) -> i32 {
        match self {
            Literal::Number(value) => value,
            Literal::Char(byte) => i32::from(byte),
            Literal::True | Literal::Skip => 1,
            Literal::False => 0,
        }
    }
}

/// Operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `[]`, in ltl.
    Always,
    /// `<>`, in ltl.
    Eventually,
    /// `X`, in ltl.
    Next,
}

/// Operators between operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->` or `implies`, in ltl.
    Implies,
    /// `<->` or `equivalent`, in ltl.
    Equivalent,
    /// `U` or `until`, in ltl.
    Until,
    /// `W` or `weakuntil`, in ltl.
    WeakUntil,
    /// `V` or `release`, in ltl.
    Release,
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Implies => "->",
            BinaryOp::Equivalent => "<->",
            BinaryOp::Until => "U",
            BinaryOp::WeakUntil => "W",
            BinaryOp::Release => "V",
        }
    }

    /// How tightly it binds, as in SPIN's grammar; a larger number binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Implies | BinaryOp::Equivalent => 1,
            BinaryOp::Or => 2,
            BinaryOp::And => 3,
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => 4,
            BinaryOp::BitOr => 5,
            BinaryOp::BitXor => 6,
            BinaryOp::BitAnd => 7,
            BinaryOp::Equal | BinaryOp::NotEqual => 8,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 9,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 10,
            BinaryOp::Add | BinaryOp::Subtract => 11,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 12,
        }
    }

    /// Whether it is an operator of temporal logic only.
    pub fn is_temporal(self) -> bool {
        matches!(self, BinaryOp::Implies | BinaryOp::Equivalent) || self.is_about_paths()
    }

    /// Whether a formula with it is about more than one state.
    pub fn is_about_paths(self) -> bool {
        matches!(self, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release)
    }
}

impl UnaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Negate => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::Always => "[]",
            UnaryOp::Eventually => "<>",
            UnaryOp::Next => "X",
        }
    }

    /// Whether it is an operator of temporal logic.
    pub fn is_temporal(self) -> bool {
        matches!(self, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
    }
}

/// Queries of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelQuery {
    /// `len`
    Len,
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NFull,
    /// `nempty`
    NEmpty,
}

impl ChannelQuery {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            ChannelQuery::Len => "len",
            ChannelQuery::Full => "full",
            ChannelQuery::Empty => "empty",
            ChannelQuery::NFull => "nfull",
            ChannelQuery::NEmpty => "nempty",
        }
    }
}

/// Queries of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessQuery {
    /// `enabled`
    Enabled,
    /// `pc_value`
    PcValue,
    /// `get_priority`
    Priority,
}

impl ProcessQuery {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            ProcessQuery::Enabled => "enabled",
            ProcessQuery::PcValue => "pc_value",
            ProcessQuery::Priority => "get_priority",
        }
    }
}
