//! The resolved model: every name is an id, every type is known, inlines and
//! macros are in place, structures in messages are spelled out field by field.
//!
//! Later crates read this form. It still has the shape of the text
//! (selections, loops, atomic blocks); control flow becomes a graph in `engine`.

pub mod branching;
pub mod print;
mod walk;

use std::sync::Arc;

pub use crate::ast::{BinaryOp, ChannelQuery, ProcessQuery, UnaryOp, Visibility};
use crate::ast::{BranchingLanguage, Fixpoint, Ident, Modality, Node, PathQuantifier};
use beeline_source::source::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A variable of [`Model::globals`].
    GlobalId,
    /// A variable of [`Process::locals`].
    LocalId,
    /// A type of [`Model::structs`].
    StructId,
    /// A set of [`Model::mtypes`].
    MtypeId,
    /// A process of [`Model::processes`].
    ProcessId,
    /// A label of [`Process::labels`].
    LabelId,
    /// A `goto` of [`Process::jumps`].
    JumpId,
}

/// SPIN's process limit, and the largest number a byte holds.
pub const USUAL_PROCESSES: usize = 255;
/// The largest process limit.
pub const MOST_PROCESSES: usize = 10_000;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Sets of symbolic constants; the unnamed one first if there is one.
    pub mtypes: Vec<MtypeSet>,
    /// User-defined types.
    pub structs: Vec<Struct>,
    /// Global variables, in order of declaration.
    pub globals: Vec<Variable>,
    /// Proctypes, init, claims and traces, in order of definition.
    pub processes: Vec<Process>,
    /// `ltl` formulas.
    pub formulas: Vec<LtlFormula>,
    /// `ctl` and `mu` formulas.
    pub branching: Vec<BranchingFormula>,
    /// Fairness constraints of `ctl` and `mu` formulas: `fair { condition }`.
    pub fairness: Vec<Expr>,
    /// `xr` and `xs` assertions.
    pub exclusives: Vec<Exclusive>,
}

/// Constants declared by `mtype`.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// `None` for plain `mtype`.
    pub name: Option<Arc<str>>,
    /// The constants by value: the first has value 1. SPIN numbers each
    /// declaration from its last name to its first.
    pub constants: Vec<Arc<str>>,
}

/// A user-defined type.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<Variable>,
}

/// The type of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One bit; also `bool`.
    Bit,
    /// 0 to 255; also `pid`.
    Byte,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// Unsigned with this many bits.
    Unsigned(u8),
    /// A symbolic constant.
    Mtype(Option<MtypeId>),
    /// A channel.
    Chan,
    /// A structure.
    Struct(StructId),
}

/// The scope of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Declared outside any proctype.
    Global,
    /// A parameter.
    Param,
    /// Declared inside a proctype.
    Local,
    /// A field of a structure.
    Field,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name and where it is declared.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// The number of elements, for an array.
    pub length: Option<u32>,
    /// Its initial value.
    pub init: Init,
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// Its scope.
    pub role: Role,
}

/// The initial value of a variable. A local variable declared after the first statement is set by a
/// statement of its own instead: see [`StmtKind::Declare`].
#[derive(Clone, Debug)]
pub enum Init {
    /// No initial value: 0.
    Zero,
    /// `= e`
    Value(Expr),
    /// `= { a, b, c }`
    List(Vec<Expr>),
    /// `= [n] of { … }`
    Channel(ChannelShape),
}

/// A channel's shape.
#[derive(Clone, Debug)]
pub struct ChannelShape {
    /// Capacity in messages; 0 for a rendezvous channel.
    pub capacity: u32,
    /// Its fields as declared. A structure counts as one here.
    pub fields: Vec<Type>,
}

/// The kind of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// `proctype`
    Proctype,
    /// `init`
    Init,
    /// `never`
    Never,
    /// `trace`
    Trace,
    /// `notrace`
    Notrace,
}

/// A proctype, or a process-like unit: init, never claim, trace assertion.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name; SPIN's names for those that have none (`:init:`, `never_0`, …).
    pub name: Ident,
    /// Its kind.
    pub kind: ProcessKind,
    /// Number of parameters; they are the first locals.
    pub params: u32,
    /// Its variables, parameters first.
    pub locals: Vec<Variable>,
    /// Its labels.
    pub labels: Vec<Label>,
    /// The target of each `goto`.
    pub jumps: Vec<LabelId>,
    /// Its body.
    pub body: Vec<Stmt>,
    /// Number of instances in the initial state.
    pub active: u32,
    /// `priority`, 1 if not given.
    pub priority: i32,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// Position of the end of its body.
    pub end: Span,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Ident,
    /// The block that its name belongs to.
    pub block: Block,
}

/// A block of a process: its nesting depth, and its number among the blocks of that depth, from 1.
/// The outermost, where parameters are declared, is block 0 at level 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// The number of blocks around it.
    pub level: u32,
    /// Its number among the blocks of its level.
    pub number: u32,
}

impl Label {
    /// Whether it marks an accept state.
    pub fn is_accept(&self) -> bool {
        self.name.name.starts_with("accept")
    }

    /// Whether it marks a valid end state.
    pub fn is_end(&self) -> bool {
        self.name.name.starts_with("end")
    }

    /// Whether it marks a progress state.
    pub fn is_progress(&self) -> bool {
        self.name.name.starts_with("progress")
    }
}

/// An `ltl` formula: an expression with temporal operators.
#[derive(Clone, Debug)]
pub struct LtlFormula {
    /// Its name, or SPIN's name for one without.
    pub name: Ident,
    /// The formula.
    pub formula: Expr,
}

/// A `ctl` or `mu` formula.
#[derive(Clone, Debug)]
pub struct BranchingFormula {
    /// Its name, or one made of its number.
    pub name: Ident,
    /// Its language.
    pub language: BranchingLanguage,
    /// The formula.
    pub formula: BranchingExpr,
    /// The formula as it is written.
    pub text: Arc<str>,
}

/// A formula about states and paths.
#[derive(Clone, Debug)]
pub enum BranchingExpr {
    /// An expression without operators of formulas, and without `!`, `&&` and `||` around it.
    Atom(Expr),
    /// `deadlock`: the state has no successor.
    Deadlock,
    /// `!`, or a temporal operator.
    Unary(UnaryOp, Box<BranchingExpr>),
    /// `&&`, `||`, `->`, `<->`, or a temporal operator.
    Binary(BinaryOp, Box<BranchingExpr>, Box<BranchingExpr>),
    /// A path quantifier.
    Quantified(PathQuantifier, Box<BranchingExpr>),
    /// A fixpoint, with the number of its variable.
    Fixpoint(Fixpoint, u32, Box<BranchingExpr>),
    /// The variable of an enclosing fixpoint.
    Variable(u32),
    /// A modality.
    Modal(Modality, ActionPattern, Box<BranchingExpr>),
}

/// The steps of a modality.
#[derive(Clone, Debug)]
pub enum ActionPattern {
    /// All steps.
    Any,
    /// The steps of processes of a type, perhaps only of the process with a number, perhaps only
    /// from a label.
    Process {
        /// The type.
        process: ProcessId,
        /// The process number.
        pid: Option<i32>,
        /// The label.
        label: Option<LabelId>,
    },
    /// Sends to the channel of a global variable, or receives from it.
    Channel {
        /// The variable.
        channel: GlobalId,
        /// Whether it is a send.
        sends: bool,
    },
}

/// `xr q` or `xs q` in a process.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// `xs`.
    pub sends: bool,
    /// The channel.
    pub channel: Access,
    /// The process that asserts exclusive use.
    pub process: ProcessId,
}

/// A statement.
pub type Stmt = Node<StmtKind>;

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration that is executed where it is written.
    Declare {
        /// The variable.
        var: LocalId,
        /// Its value; `None` is zero.
        value: Option<DeclaredValue>,
    },
    /// `label: statement`
    Labelled {
        /// The label.
        label: LabelId,
        /// The labelled statement; a `skip` if there is none.
        stmt: Box<Stmt>,
    },
    /// `body unless escape`
    Unless {
        /// Executed until the escape is executable.
        body: Box<Stmt>,
        /// Executed instead of the body as soon as it is executable.
        escape: Box<Stmt>,
    },
    /// `x = e`; also `++`, `--` and `return`.
    Assign {
        /// The variable.
        target: Access,
        /// The new value.
        value: Expr,
    },
    /// `q!…`, `q!!…`
    Send {
        /// The channel.
        channel: Access,
        /// `!!`
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `q?…`, `q??…`, `q?<…>`, `q??<…>`
    Receive {
        /// The channel.
        channel: Access,
        /// `??`
        random: bool,
        /// `<…>`
        peek: bool,
        /// The variables that take the fields, and the values to match.
        args: Vec<RecvArg>,
    },
    /// `if … fi`
    If(Vec<Vec<Stmt>>),
    /// `do … od`
    Do(Vec<Vec<Stmt>>),
    /// `for`
    For {
        /// The range.
        over: For,
        /// The loop body.
        body: Vec<Stmt>,
    },
    /// `select`
    Select {
        /// The variable.
        var: Access,
        /// Least value.
        from: Expr,
        /// Greatest value.
        to: Expr,
        /// How SPIN expands it.
        form: SelectForm,
    },
    /// `break`
    Break,
    /// `goto`
    Goto(JumpId),
    /// `else`
    Else,
    /// `atomic`
    Atomic(Vec<Stmt>),
    /// `d_step`
    DStep(Vec<Stmt>),
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `assert`
    Assert(Expr),
    /// `printf`
    Print {
        /// The format with its quotes.
        format: Arc<str>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `printm`
    PrintM(Expr),
    /// `set_priority`
    SetPriority(Expr, Expr),
    /// An expression that must be true.
    Guard(Expr),
}

/// The value of an executed declaration.
#[derive(Clone, Debug)]
pub enum DeclaredValue {
    /// `= e`
    Value(Expr),
    /// `= { … }`
    List(Vec<Expr>),
}

/// The range of a `for`.
#[derive(Clone, Debug)]
pub enum For {
    /// `i : a .. b`; `i in array` is `0 .. length - 1`.
    Range {
        /// The variable.
        var: Access,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
    },
    /// `m in q`: the messages of a channel, one after the other.
    Channel {
        /// A hidden counter.
        counter: LocalId,
        /// The structure that takes each message, field by field.
        fields: Vec<Access>,
        /// The channel.
        channel: Access,
    },
}

/// SPIN expands a `select` between two plain numbers while reading the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectForm {
    /// At most 33 values: an `if` with an assignment each.
    Options,
    /// More values: a loop that increments and may stop at each value.
    Counting,
    /// Anything else: the same loop, as the grammar builds it.
    General,
}

/// A field of a receive or poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// The variable that takes the field.
    Store(Access),
    /// The field must equal this constant.
    Match(Expr),
    /// `eval(e)`: the field must equal this value.
    Eval(Expr),
}

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variable.
    pub root: Root,
    /// Its index.
    pub index: Option<Box<Expr>>,
    /// Fields below it.
    pub path: Vec<Field>,
    /// Its position.
    pub span: Span,
}

/// One step down into a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// The number of the field.
    pub field: u32,
    /// Its index.
    pub index: Option<Expr>,
}

/// The variable at the root of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A variable of the process itself.
    Local(LocalId),
    /// A variable that always exists.
    Predefined(Predefined),
}

/// Variables that always exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predefined {
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `_`, which discards stored values.
    Scratch,
}

impl Predefined {
    /// All of them.
    pub const ALL: [Predefined; 5] = [
        Predefined::Pid,
        Predefined::NrPr,
        Predefined::Last,
        Predefined::Priority,
        Predefined::Scratch,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Predefined::Pid => "_pid",
            Predefined::NrPr => "_nr_pr",
            Predefined::Last => "_last",
            Predefined::Priority => "_priority",
            Predefined::Scratch => "_",
        }
    }
}

/// An expression.
pub type Expr = Node<ExprKind>;

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Const(i32),
    /// A symbolic constant.
    Mtype {
        /// Its set.
        set: MtypeId,
        /// Its value.
        value: i32,
    },
    /// The value of a variable.
    Read(Access),
    /// An operator before its operand; temporal ones in formulas only.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between operands; temporal ones in formulas only.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run`
    Run {
        /// The proctype to start.
        process: ProcessId,
        /// Its parameters, structures spelled out.
        args: Vec<Expr>,
        /// `priority n`
        priority: Option<i32>,
    },
    /// `len(q)` and the like.
    Channel(ChannelQuery, Access),
    /// `enabled(p)` and the like.
    Process(ProcessQuery, Box<Expr>),
    /// `q?[…]`
    Poll {
        /// The channel.
        channel: Access,
        /// `??`
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
        process: ProcessId,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The label.
        label: LabelId,
    },
    /// `P[e]:x`
    RemoteVar {
        /// The proctype.
        process: ProcessId,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The variable; its root is a local of that proctype.
        var: Access,
    },
}

impl Model {
    /// A process by id.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// The number of the formula of this name.
    pub fn formula(&self, name: &str) -> Option<usize> {
        self.formulas.iter().position(|formula| *formula.name.name == *name)
    }

    /// The `ctl` or `mu` formula of this name.
    pub fn branching_formula(&self, name: &str) -> Option<&BranchingFormula> {
        self.branching.iter().find(|formula| *formula.name.name == *name)
    }

    /// The formulas of linear time, the atoms of the others, and fairness constraints.
    pub fn formula_exprs(&self) -> impl Iterator<Item = &Expr> {
        let mut atoms = Vec::new();
        for formula in &self.branching {
            formula.formula.atoms(&mut |atom| atoms.push(atom));
        }
        self.formulas.iter().map(|formula| &formula.formula).chain(atoms).chain(&self.fairness)
    }

    /// The declaration of a root, seen from inside a process.
    pub fn variable<'a>(&'a self, root: Root, inside: Option<&'a Process>) -> Option<&'a Variable> {
        match root {
            Root::Global(id) => self.globals.get(id.index()),
            Root::Local(id) => inside.and_then(|process| process.locals.get(id.index())),
            Root::Predefined(_) => None,
        }
    }
}

impl ExprKind {
    /// The value, if this is a plain constant.
    pub fn constant(&self) -> Option<i32> {
        match *self {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => Some(value),
            _ => None,
        }
    }
}
