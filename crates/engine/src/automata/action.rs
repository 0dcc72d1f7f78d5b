//! What an edge does.

use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{
    Access, DeclaredValue, Expr, ExprKind, LabelId, LocalId, Model, Process, RecvArg, Root,
    StmtKind,
};
use std::sync::Arc;

/// A statement without control flow.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing: the step only moves (`goto`, `break`, `skip`, the end of a choice).
    Move(Moving),
    /// Waits until the expression is true. `run` alone is one, too.
    Guard(Expr),
    /// Executable when nothing else is at this location.
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
        /// Where the message goes.
        args: Vec<RecvArg>,
    },
    /// `assert(e)`
    Assert(Expr),
    /// `printf`
    Print {
        /// The format with its quotes.
        format: Arc<str>,
        /// What it shows.
        args: Vec<Expr>,
    },
    /// `printm`
    PrintM(Expr),
    /// `set_priority`
    SetPriority(Expr, Expr),
    /// The whole `d_step` that begins at the edge's source.
    DStep,
    /// The process ends; possible when its younger siblings are gone.
    End,
}

/// Why a step only moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// `goto label`
    Goto(LabelId),
    /// `break`
    Break,
    /// The place behind a loop, where its `break`s lead.
    LoopExit,
    /// The common end of a selection's options.
    Join,
    /// What it assigns is known anyway ([`crate::settled`]).
    Settled,
}

/// The local variable that an action assigns to, and the value, if it is the one of a plain variable.
pub(crate) fn assigned(action: &Action) -> Option<(LocalId, Option<&Expr>)> {
    match action {
        Action::Assign { target, value } => {
            let Root::Local(id) = target.root else { return None };
            let is_plain = target.index.is_none() && target.path.is_empty();
            Some((id, is_plain.then_some(value)))
        }
        Action::Declare { var, value: Some(DeclaredValue::Value(value)) } => {
            Some((*var, Some(value)))
        }
        Action::Declare { var, .. } => Some((*var, None)),
        _ => None,
    }
}

impl Action {
    /// A guard that is always true.
    pub fn skip(span: beeline_promela::source::Span) -> Action {
        Action::Guard(Expr { kind: ExprKind::Const(1), span })
    }

    /// Calls `visit` on every expression, outermost first.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Action::Move(_) | Action::Else | Action::DStep | Action::End => {}
            Action::Guard(expr) | Action::Assert(expr) | Action::PrintM(expr) => expr.visit(visit),
            Action::Assign { target, value } => {
                target.visit(visit);
                value.visit(visit);
            }
            Action::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => value.visit(visit),
                Some(DeclaredValue::List(values)) => values.iter().for_each(|v| v.visit(visit)),
                None => {}
            },
            Action::Send { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            Action::Receive { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            Action::Print { args, .. } => args.iter().for_each(|arg| arg.visit(visit)),
            Action::SetPriority(process, priority) => {
                process.visit(visit);
                priority.visit(visit);
            }
        }
    }

    /// `skip`, `printf` or `printm`: nothing that the state could show.
    pub(super) fn is_skip(&self) -> bool {
        match self {
            Action::Print { .. } | Action::PrintM(_) => true,
            Action::Guard(condition) => condition.kind.constant() == Some(1),
            _ => false,
        }
    }

    /// A guard that is never true.
    pub(super) fn is_false(&self) -> bool {
        matches!(self, Action::Guard(condition) if condition.kind.constant() == Some(0))
    }

    /// As text.
    pub fn text(&self, model: &Model, process: &Process) -> String {
        let printer = Printer::new(model, Some(process));
        let kind = match self {
            Action::Move(Moving::Goto(label)) => {
                return format!("goto {}", process.labels[label.index()].name.name);
            }
            Action::Move(Moving::Break) => return "break".to_owned(),
            Action::Move(Moving::LoopExit) => return "(end of loop)".to_owned(),
            Action::Move(Moving::Join) => return "(end of choice)".to_owned(),
            Action::Move(Moving::Settled) => return "skip".to_owned(),
            Action::Else => return "else".to_owned(),
            Action::DStep => return "d_step".to_owned(),
            Action::End => return "-end-".to_owned(),
            Action::Guard(condition) => return printer.expr(condition),
            Action::Assert(condition) => StmtKind::Assert(condition.clone()),
            Action::PrintM(value) => StmtKind::PrintM(value.clone()),
            Action::Assign { target, value } => {
                StmtKind::Assign { target: target.clone(), value: value.clone() }
            }
            Action::Declare { var, value } => StmtKind::Declare { var: *var, value: value.clone() },
            Action::Send { channel, sorted, args } => {
                StmtKind::Send { channel: channel.clone(), sorted: *sorted, args: args.clone() }
            }
            Action::Receive { channel, random, peek, args } => StmtKind::Receive {
                channel: channel.clone(),
                random: *random,
                peek: *peek,
                args: args.clone(),
            },
            Action::Print { format, args } => {
                StmtKind::Print { format: format.clone(), args: args.clone() }
            }
            Action::SetPriority(process, priority) => {
                StmtKind::SetPriority(process.clone(), priority.clone())
            }
        };
        printer.stmt(&kind)
    }
}
