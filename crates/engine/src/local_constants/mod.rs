//! Local constants: local variables that pid and location determine, so that no state stores them.
//! Ours.
//!
//! Many processes begin with `chan in = q[_pid]; byte me = _pid`, and never change these variables.
//! Such a variable is a *local constant*:
//!
//! 1. Only 0 and one other value are ever assigned to it. The value is a function of the process
//!    number, and its computation cannot fail (`value.rs`).
//! 2. At each location, it holds 0 on all paths, or that value on all paths (`flow.rs`). Resetting
//!    a dead variable to 0 counts as an assignment.
//! 3. Only its own process reads it, and only where it holds that value.
//!
//! States with and without the variable correspond one to one, and so do their transitions. Its
//! reads become the expression that was assigned (`substitute.rs`), and its assignments become
//! steps that only move. Code that executes, compiles or analyses automata is unaffected; a step is
//! displayed as [written](crate::automata::EdgeStep::written), and a state with
//! [`LocalConstant::at`].

mod flow;
mod substitute;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{
    Expr, ExprKind, Init, LocalId, Model, Process, ProcessId, ProcessKind, RecvArg, Root, Type,
    Variable,
};

use self::flow::{Flow, own, read};
pub use self::value::LocalConstant;
use self::value::{EliminationContext, PidFunction};
use crate::automata::{Automaton, EdgeAction, assigned};
use crate::frame::Frame;

/// The number of rounds in which variables that depend on other local constants are searched.
const ROUNDS: usize = 8;

/// The local constants of a model.
#[derive(Clone, Debug)]
pub struct LocalConstants {
    /// By process type and local variable.
    locals: Vec<Vec<Option<Arc<LocalConstant>>>>,
}

impl LocalConstants {
    /// Finds the local constants and eliminates them from the automata, one for each process type.
    /// `names` are those of [`StateLayout`](crate::layout::StateLayout).
    pub(crate) fn eliminate(
        model: &Model,
        automata: &mut [Automaton],
        names: &[Option<i32>],
        frame: Frame,
    ) -> LocalConstants {
        let ground = EliminationContext { model, names, frame };
        let numbers = numbers(model, automata, frame.most_processes);
        let watched = watched(model, automata);
        let mut local_constants = LocalConstants {
            locals: model.processes.iter().map(|p| vec![None; p.locals.len()]).collect(),
        };
        for (at, automaton) in automata.iter_mut().enumerate() {
            let takes_part = matches!(automaton.kind, ProcessKind::Proctype | ProcessKind::Init);
            if !takes_part || numbers[at].is_empty() {
                continue;
            }
            let mut inside = ProcessElimination {
                ground,
                process: &model.processes[at],
                automaton,
                pids: numbers[at].clone(),
                watched: &watched[at],
                known: std::mem::take(&mut local_constants.locals[at]),
            };
            // If `me` is known, so may be `next = (me + 1) % N`.
            (0..ROUNDS).take_while(|_| inside.eliminate()).for_each(drop);
            local_constants.locals[at] = inside.known;
        }
        local_constants
    }

    /// The local constant for a variable, if it is one.
    #[inline]
    pub fn of(&self, process: ProcessId, local: usize) -> Option<&Arc<LocalConstant>> {
        self.locals[process.index()][local].as_ref()
    }

    /// All local constants as `process:variable = value`.
    pub fn texts(&self, model: &Model) -> Vec<String> {
        let mut found = Vec::new();
        for (at, process) in model.processes.iter().enumerate() {
            let printer = Printer::new(model, Some(process));
            for (number, local) in process.locals.iter().enumerate() {
                let Some(known) = self.of(ProcessId(at as u32), number) else { continue };
                let value = Expr { kind: known.value.clone(), span: local.name.span };
                let (owner, name) = (&process.name.name, &local.name.name);
                found.push(format!("{owner}:{name} = {}", printer.expr(&value)));
            }
        }
        found
    }

    /// Whether an expression reads a local constant from outside its process.
    pub(crate) fn is_watched_by(&self, expr: &Expr) -> bool {
        expr.any(|part| match &part.kind {
            ExprKind::RemoteVar { process, var, .. } => match var.root {
                Root::Local(id) => self.of(*process, id.index()).is_some(),
                _ => false,
            },
            _ => false,
        })
    }
}

/// The process numbers that each type can have. Active processes are numbered in order; a started
/// process may have any number.
fn numbers(model: &Model, automata: &[Automaton], most: usize) -> Vec<Range<usize>> {
    let mut next = 0;
    let active = model.processes.iter().map(|process| {
        let first = next;
        next += process.active as usize;
        first..next
    });
    let mut numbers: Vec<Range<usize>> = active.collect();
    each_expr(automata, |_, expr| {
        if let ExprKind::Run { process, .. } = &expr.kind {
            numbers[process.index()] = 0..most;
        }
    });
    numbers
}

/// By process type, the locals that are read from outside: by other processes, by formulas, by
/// `provided` clauses and in the indices of `xr` and `xs`, which count at all times.
fn watched(model: &Model, automata: &[Automaton]) -> Vec<BTreeSet<usize>> {
    let mut found = vec![BTreeSet::new(); model.processes.len()];
    each_expr(automata, |at, expr| remote(expr, Some(at), &mut found));
    for formula in model.formula_exprs() {
        formula.visit(&mut |expr| remote(expr, None, &mut found));
    }
    for (at, process) in model.processes.iter().enumerate() {
        if let Some(provided) = &process.provided {
            provided.visit(&mut |expr| {
                remote(expr, Some(at), &mut found);
                found[at].extend(read(expr));
            });
        }
    }
    for promise in &model.exclusives {
        let here = &mut found[promise.process.index()];
        promise.channel.visit(&mut |index| here.extend(read(index)));
    }
    found
}

/// Adds the variables of other processes that an expression reads, without its parts.
fn remote(expr: &Expr, inside: Option<usize>, found: &mut [BTreeSet<usize>]) {
    let ExprKind::RemoteVar { process, var, .. } = &expr.kind else { return };
    found[process.index()].extend(own(var.root));
    // It is not known to which process the variables of its indices belong.
    var.visit(&mut |index| {
        for at in inside.into_iter().chain([process.index()]) {
            found[at].extend(read(index));
        }
    });
}

/// Reports every expression of every step, with its process type.
fn each_expr(automata: &[Automaton], mut tell: impl FnMut(usize, &Expr)) {
    for (at, automaton) in automata.iter().enumerate() {
        for step in automaton.all_edges().flat_map(|edge| &edge.steps) {
            step.action.visit(&mut |expr| tell(at, expr));
        }
    }
}

/// Whether a variable is a single value.
fn is_plain(variable: &Variable) -> bool {
    variable.length.is_none() && !matches!(variable.ty, Type::Struct(_))
}

/// The values that are assigned to a variable.
#[derive(Clone)]
enum AssignedValue {
    /// Only 0.
    Nothing,
    /// This value, or 0.
    One(PidFunction),
    /// Several values, or unknown ones.
    Anything,
}

impl AssignedValue {
    /// Adds a value; `None` if it is unknown.
    fn note(&mut self, value: Option<PidFunction>) {
        *self = match (std::mem::replace(self, AssignedValue::Anything), value) {
            (AssignedValue::Anything, _) | (_, None) => AssignedValue::Anything,
            (holds, Some(value)) if value.is_zero() => holds,
            (AssignedValue::Nothing, Some(value)) => AssignedValue::One(value),
            (AssignedValue::One(known), Some(value)) if known.values == value.values => {
                AssignedValue::One(known)
            }
            (AssignedValue::One(_), Some(_)) => AssignedValue::Anything,
        }
    }
}

/// The elimination for one process type.
struct ProcessElimination<'a> {
    ground: EliminationContext<'a>,
    process: &'a Process,
    automaton: &'a mut Automaton,
    pids: Range<usize>,
    /// The locals that are read from outside.
    watched: &'a BTreeSet<usize>,
    /// The local constants found so far.
    known: Vec<Option<Arc<LocalConstant>>>,
}

impl ProcessElimination<'_> {
    /// Eliminates the local constants, given those found before. Returns whether there are new
    /// ones.
    fn eliminate(&mut self) -> bool {
        let begin = self.begin();
        let holds = self.holds(&begin);
        let used = self.used_as_channels();
        let shown = self.shown();
        let is_new = |local: &usize| {
            self.known[*local].is_none() && !shown.contains(local) && !self.watched.contains(local)
        };
        let mut found: Vec<(usize, LocalConstant)> = Vec::new();
        let mut open: Vec<(usize, &PidFunction)> = Vec::new();
        for local in (self.process.params as usize..self.process.locals.len()).filter(is_new) {
            match &holds[local] {
                AssignedValue::Nothing if !used.contains(&local) => {
                    found.push((local, LocalConstant::zero()))
                }
                AssignedValue::One(value) if value.is_channel() || !used.contains(&local) => {
                    open.push((local, value));
                }
                _ => {}
            }
        }
        let locals: Vec<usize> = open.iter().map(|&(local, _)| local).collect();
        let is_set_at_first = |local: usize| begin[local].as_ref().is_some_and(|v| !v.is_zero());
        let effect = |action: &EdgeAction| {
            let (local, value) = self.assigned(action)?;
            Some((local, value.is_none_or(|value| !value.is_zero())))
        };
        let promised = self.promised();
        let local_constants = match &locals[..] {
            [] => Vec::new(),
            locals => Flow::of(self.automaton).solve(locals, &promised, is_set_at_first, effect),
        };
        for ((local, value), is_set) in open.into_iter().zip(local_constants) {
            let PidFunction { kind, values } = value.clone();
            let known = is_set.map(|is_set| LocalConstant { value: kind, values, is_set });
            found.extend(known.map(|known| (local, known)));
        }
        let is_more = !found.is_empty();
        for (local, known) in found {
            self.known[local] = Some(Arc::new(known));
        }
        if is_more {
            substitute::in_automaton(self.automaton, &self.known);
        }
        is_more
    }

    /// The initial values of the variables, if known.
    fn begin(&self) -> Vec<Option<PidFunction>> {
        let mut begin: Vec<Option<PidFunction>> = Vec::new();
        for (at, local) in self.process.locals.iter().enumerate() {
            let is_own = at >= self.process.params as usize && is_plain(local);
            let value = match &local.init {
                Init::Zero => Some(PidFunction::zero()),
                Init::Value(value) => {
                    // Earlier variables are already initialised.
                    let mut value = value.clone();
                    substitute::in_expr(&mut value, &|id: LocalId| {
                        begin.get(id.index())?.as_ref().map(|value| &value.kind)
                    });
                    self.value(at, &value)
                }
                Init::List(_) | Init::Channel(_) => None,
            };
            begin.push(value.filter(|_| is_own));
        }
        begin
    }

    /// The value of a variable after an expression is assigned, if it is known.
    fn value(&self, local: usize, expr: &Expr) -> Option<PidFunction> {
        let variable = &self.process.locals[local];
        is_plain(variable).then(|| self.ground.value(expr, variable, &self.pids)).flatten()
    }

    /// The values that are assigned to each variable, initially or later.
    fn holds(&self, begin: &[Option<PidFunction>]) -> Vec<AssignedValue> {
        let mut holds = vec![AssignedValue::Nothing; begin.len()];
        for (holds, value) in holds.iter_mut().zip(begin) {
            holds.note(value.clone());
        }
        for step in self.automaton.all_edges().flat_map(|edge| &edge.steps) {
            if let Some((local, value)) = self.assigned(&step.action) {
                holds[local].note(value);
            }
            let mut forget = |args: &[RecvArg]| {
                for arg in args {
                    if let RecvArg::Store(target) = arg {
                        own(target.root)
                            .into_iter()
                            .for_each(|at| holds[at] = AssignedValue::Anything);
                    }
                }
            };
            if let EdgeAction::Receive { args, .. } = &step.action {
                forget(args);
            }
            // A poll stores nothing, but names the variables that a receive would store into.
            step.action.visit(&mut |expr| {
                if let ExprKind::Poll { args, .. } = &expr.kind {
                    forget(args);
                }
            });
        }
        holds
    }

    /// The variable of the process that an action assigns to, and the value if it is known.
    fn assigned(&self, action: &EdgeAction) -> Option<(usize, Option<PidFunction>)> {
        let (local, value) = assigned(action)?;
        let value = match value {
            Some(value) => self.value(local.index(), value),
            None if matches!(action, EdgeAction::Declare { value: None, .. }) => {
                Some(PidFunction::zero())
            }
            None => None,
        };
        Some((local.index(), value))
    }

    /// The variables that are used as channels.
    fn used_as_channels(&self) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for step in self.automaton.all_edges().flat_map(|edge| &edge.steps) {
            if let EdgeAction::Send { channel, .. } | EdgeAction::Receive { channel, .. } =
                &step.action
            {
                used.extend(own(channel.root));
            }
            step.action.visit(&mut |expr| {
                if let ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } = &expr.kind {
                    used.extend(own(channel.root));
                }
            });
        }
        used
    }

    /// The variables that unknown initial values of others depend on.
    fn shown(&self) -> BTreeSet<usize> {
        let mut shown = BTreeSet::new();
        for (local, known) in self.process.locals.iter().zip(&self.known) {
            let values = match &local.init {
                _ if known.is_some() => continue,
                Init::Value(value) => std::slice::from_ref(value),
                Init::List(values) => values,
                Init::Zero | Init::Channel(_) => continue,
            };
            values.iter().for_each(|value| value.visit(&mut |expr| shown.extend(read(expr))));
        }
        shown
    }

    /// The variables whose channels the process has exclusively.
    fn promised(&self) -> BTreeSet<usize> {
        let process = self.automaton.process;
        let promises = self.ground.model.exclusives.iter();
        let own = promises.filter(|promise| promise.process == process);
        own.filter_map(|promise| self::own(promise.channel.root)).collect()
    }
}

impl LocalConstant {
    /// A variable that is always 0.
    fn zero() -> LocalConstant {
        let PidFunction { kind, values } = PidFunction::zero();
        LocalConstant { value: kind, values, is_set: Vec::new() }
    }
}
