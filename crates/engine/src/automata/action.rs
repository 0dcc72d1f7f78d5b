//! The actions of edges.

use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{
    Access, DeclaredValue, Expr, ExprKind, LabelId, LocalId, Model, Process, RecvArg, Root,
    StmtKind,
};
use std::sync::Arc;

/// A statement without control flow.
#[derive(Clone, Debug)]
pub enum EdgeAction {
    /// No effect: the step only changes the location (`goto`, `break`, `skip`, the end of a
    /// choice).
    Move(JumpKind),
    /// Waits until the expression is true. A `run` statement is a guard, too.
    Guard(Expr),
    /// Executable if no other edge at this location is.
    Else,
    /// `x = e`
    Assign {
        /// The variable.
        target: Access,
        /// The new value.
        value: Expr,
    },
    /// A declaration that is executed; `None` is zero.
    Declare {
        /// The variable.
        var: LocalId,
        /// Its value.
        value: Option<DeclaredValue>,
    },
    /// `q!…`
    Send {
        /// The channel.
        channel: Access,
        /// `!!`
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `q?…`
    Receive {
        /// The channel.
        channel: Access,
        /// `??`
        random: bool,
        /// `<…>`
        peek: bool,
        /// The variables and values that the message is received into or compared with.
        args: Vec<RecvArg>,
    },
    /// `assert(e)`
    Assert(Expr),
    /// `printf`
    Print {
        /// The format with its quotes.
        format: Arc<str>,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `printm`
    PrintM(Expr),
    /// `set_priority`
    SetPriority(Expr, Expr),
    /// The whole `d_step` that begins at the source of the edge.
    DStep,
    /// The process ends; executable when its younger siblings have ended.
    End,
}

/// Why a step only changes the location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpKind {
    /// `goto label`
    Goto(LabelId),
    /// `break`
    Break,
    /// The location after a loop, where its `break`s lead.
    LoopExit,
    /// The common end of a selection's options.
    Join,
    /// The assigned variable is a local constant ([`crate::local_constants`]).
    KnownAssignment,
}

/// The local variable that an action assigns to, and the value if the variable is plain.
pub fn assigned(action: &EdgeAction) -> Option<(LocalId, Option<&Expr>)> {
    match action {
        EdgeAction::Assign { target, value } => {
            let Root::Local(id) = target.root else { return None };
            let is_plain = target.index.is_none() && target.path.is_empty();
            Some((id, is_plain.then_some(value)))
        }
        EdgeAction::Declare { var, value: Some(DeclaredValue::Value(value)) } => {
            Some((*var, Some(value)))
        }
        EdgeAction::Declare { var, .. } => Some((*var, None)),
        _ => None,
    }
}

impl EdgeAction {
    /// A guard that is always true.
    pub fn skip(span: beeline_promela::source::Span) -> EdgeAction {
        EdgeAction::Guard(Expr { kind: ExprKind::Const(1), span })
    }

    /// Calls `visit` on every expression, outermost first.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            EdgeAction::Move(_) | EdgeAction::Else | EdgeAction::DStep | EdgeAction::End => {}
            EdgeAction::Guard(expr) | EdgeAction::Assert(expr) | EdgeAction::PrintM(expr) => {
                expr.visit(visit)
            }
            EdgeAction::Assign { target, value } => {
                target.visit(visit);
                value.visit(visit);
            }
            EdgeAction::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => value.visit(visit),
                Some(DeclaredValue::List(values)) => values.iter().for_each(|v| v.visit(visit)),
                None => {}
            },
            EdgeAction::Send { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            EdgeAction::Receive { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            EdgeAction::Print { args, .. } => args.iter().for_each(|arg| arg.visit(visit)),
            EdgeAction::SetPriority(process, priority) => {
                process.visit(visit);
                priority.visit(visit);
            }
        }
    }

    /// `skip`, `printf` or `printm`: no effect on the state.
    pub(super) fn is_skip(&self) -> bool {
        match self {
            EdgeAction::Print { .. } | EdgeAction::PrintM(_) => true,
            EdgeAction::Guard(condition) => condition.kind.constant() == Some(1),
            _ => false,
        }
    }

    /// A guard that is never true.
    pub(super) fn is_false(&self) -> bool {
        matches!(self, EdgeAction::Guard(condition) if condition.kind.constant() == Some(0))
    }

    /// The action as text.
    pub fn text(&self, model: &Model, process: &Process) -> String {
        let printer = Printer::new(model, Some(process));
        let kind = match self {
            EdgeAction::Move(JumpKind::Goto(label)) => {
                return format!("goto {}", process.labels[label.index()].name.name);
            }
            EdgeAction::Move(JumpKind::Break) => return "break".to_owned(),
            EdgeAction::Move(JumpKind::LoopExit) => return "(end of loop)".to_owned(),
            EdgeAction::Move(JumpKind::Join) => return "(end of choice)".to_owned(),
            EdgeAction::Move(JumpKind::KnownAssignment) => return "skip".to_owned(),
            EdgeAction::Else => return "else".to_owned(),
            EdgeAction::DStep => return "d_step".to_owned(),
            EdgeAction::End => return "-end-".to_owned(),
            EdgeAction::Guard(condition) => return printer.expr(condition),
            EdgeAction::Assert(condition) => StmtKind::Assert(condition.clone()),
            EdgeAction::PrintM(value) => StmtKind::PrintM(value.clone()),
            EdgeAction::Assign { target, value } => {
                StmtKind::Assign { target: target.clone(), value: value.clone() }
            }
            EdgeAction::Declare { var, value } => {
                StmtKind::Declare { var: *var, value: value.clone() }
            }
            EdgeAction::Send { channel, sorted, args } => {
                StmtKind::Send { channel: channel.clone(), sorted: *sorted, args: args.clone() }
            }
            EdgeAction::Receive { channel, random, peek, args } => StmtKind::Receive {
                channel: channel.clone(),
                random: *random,
                peek: *peek,
                args: args.clone(),
            },
            EdgeAction::Print { format, args } => {
                StmtKind::Print { format: format.clone(), args: args.clone() }
            }
            EdgeAction::SetPriority(process, priority) => {
                StmtKind::SetPriority(process.clone(), priority.clone())
            }
        };
        printer.stmt(&kind)
    }
}
