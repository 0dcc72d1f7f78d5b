//! Edges that may fail: assertions, and edges whose index, division, channel, message, `run` or
//! blocked `d_step` may cause a fault.
//!
//! The analysis over-approximates: a fault is possible unless types and constants exclude it, so
//! that distances to the nearest one are lower bounds.

use std::collections::{BTreeSet, HashMap, HashSet};

use beeline_engine::automata::{Automaton, DStep, Edge, EdgeAction, uses_channels};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{
    Access, BinaryOp, DeclaredValue, Expr, ExprKind, Init, Model, Process, ProcessId, ProcessQuery,
    RecvArg, Root, Type, Variable,
};

use crate::incremental::dependencies::has_rendezvous;
use crate::static_facts::blocking::may_wait;
use crate::static_facts::value_range::range;

/// Analysis of the possible faults of a model.
pub(crate) struct FaultAnalysis<'a> {
    machine: &'a Machine<'a>,
    channels: SureChannels,
}

/// Variables that always hold a channel (globals, and locals by process type), with the possible
/// numbers of fields of its messages.
type SureChannels = HashMap<(Option<u32>, u32), BTreeSet<usize>>;

/// The process type of a statement.
#[derive(Clone, Copy)]
struct Inside<'a> {
    id: ProcessId,
    process: &'a Process,
}

impl<'a> FaultAnalysis<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>) -> Self {
        FaultAnalysis { machine, channels: sure_channels(machine) }
    }

    fn model(&self) -> &'a Model {
        self.machine.model()
    }

    /// Whether an edge, or the `d_step` inside of it, contains an assertion.
    pub(crate) fn asserts(automaton: &Automaton, edge: &Edge) -> bool {
        let asserted = |action: &EdgeAction| match action {
            EdgeAction::Assert(condition) => {
                condition.kind.constant().is_none_or(|value| value == 0)
            }
            _ => false,
        };
        all_actions(automaton, edge).any(asserted)
    }

    /// Whether an edge may fail.
    pub(crate) fn can_fail(&self, id: ProcessId, edge: &Edge) -> bool {
        let automaton = self.machine.automaton(id);
        let inside = Inside { id, process: self.model().process(id) };
        // The `provided` clause is evaluated before every step.
        let provided = inside.process.provided.as_ref();
        provided.is_some_and(|provided| self.expr(inside, provided))
            || inside.process.deterministic
            || all_actions(automaton, edge).any(|action| self.action(inside, action))
            || d_step(automaton, edge).is_some_and(|d_step| self.can_block(d_step))
    }

    /// Whether an expression over globals may have no value.
    pub(crate) fn global_expr(&self, expr: &Expr) -> bool {
        let id = ProcessId(0);
        let Some(process) = self.model().processes.first() else { return true };
        self.expr(Inside { id, process }, expr)
    }

    fn action(&self, inside: Inside<'_>, action: &EdgeAction) -> bool {
        if self.machine.has_exclusives() && uses_channels(action) {
            return true;
        }
        match action {
            EdgeAction::Assert(condition) => {
                condition.kind.constant().is_none_or(|value| value == 0)
            }
            EdgeAction::Guard(condition) => self.expr(inside, condition),
            EdgeAction::Assign { target, value } => {
                self.access(inside, target) || self.expr(inside, value)
            }
            EdgeAction::Declare { value, .. } => match value {
                None => false,
                Some(DeclaredValue::Value(value)) => self.expr(inside, value),
                Some(DeclaredValue::List(values)) => {
                    values.iter().any(|value| self.expr(inside, value))
                }
            },
            EdgeAction::Send { channel, args, .. } => {
                self.machine.has_trace()
                    || self.channel(inside, channel)
                    || self.carries(inside, channel, |fields| fields != args.len())
                    || args.iter().any(|arg| self.expr(inside, arg))
            }
            EdgeAction::Receive { channel, args, .. } => {
                self.machine.has_trace()
                    || self.channel(inside, channel)
                    || self.carries(inside, channel, |fields| fields != args.len())
                    || args.iter().any(|arg| self.field(inside, arg))
            }
            EdgeAction::SetPriority(process, priority) => {
                self.expr(inside, process) || self.expr(inside, priority)
            }
            EdgeAction::Move(_)
            | EdgeAction::Else
            | EdgeAction::Print { .. }
            | EdgeAction::PrintM(_)
            | EdgeAction::DStep
            | EdgeAction::End => false,
        }
    }

    fn expr(&self, inside: Inside<'_>, expr: &Expr) -> bool {
        expr.any(|part| match &part.kind {
            ExprKind::Read(access) => self.access(inside, access),
            ExprKind::Channel(_, access) => self.channel(inside, access),
            ExprKind::Poll { channel, args, .. } => {
                self.channel(inside, channel)
                    || self.carries(inside, channel, |fields| fields < args.len())
                    || args.iter().any(|arg| self.field(inside, arg))
            }
            ExprKind::RemoteVar { process, var, .. } => {
                let there = Inside { id: *process, process: self.model().process(*process) };
                self.access(there, var)
            }
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, divisor) => {
                range(self.machine, Some(inside.process), divisor).contains(0)
            }
            ExprKind::Run { process, .. } => self.start(*process),
            ExprKind::Process(ProcessQuery::Enabled, _) => true,
            _ => false,
        })
    }

    fn field(&self, inside: Inside<'_>, field: &RecvArg) -> bool {
        match field {
            RecvArg::Store(access) => self.access(inside, access),
            RecvArg::Match(value) | RecvArg::Eval(value) => self.expr(inside, value),
        }
    }

    /// Whether creating a process may fail: an initial value may not exist, or there may be too
    /// many channels.
    fn start(&self, id: ProcessId) -> bool {
        let process = self.model().process(id);
        let inside = Inside { id, process };
        process.locals.iter().skip(process.params as usize).any(|local| match &local.init {
            Init::Zero => matches!(local.ty, Type::Struct(_)),
            Init::Value(value) => self.expr(inside, value),
            Init::List(values) => values.iter().any(|value| self.expr(inside, value)),
            Init::Channel(_) => true,
        })
    }

    /// Whether a variable may hold no channel.
    fn channel(&self, inside: Inside<'_>, access: &Access) -> bool {
        !access.path.is_empty()
            || !self.channels.contains_key(&key(inside.id, access.root))
            || self.access(inside, access)
    }

    /// Whether a variable may hold a channel whose number of fields satisfies a condition.
    fn carries(&self, inside: Inside<'_>, access: &Access, is_so: impl Fn(usize) -> bool) -> bool {
        let sure = self.channels.get(&key(inside.id, access.root));
        match sure.filter(|_| access.path.is_empty()) {
            Some(fields) => fields.iter().any(|&fields| is_so(fields)),
            None => self.machine.layout().channels.iter().any(|one| is_so(one.fields.len())),
        }
    }

    /// Whether an index may be out of bounds.
    fn access(&self, inside: Inside<'_>, access: &Access) -> bool {
        let model = self.model();
        let outside = |variable: &Variable, index: Option<&Expr>| {
            let (Some(index), Some(length)) = (index, variable.length) else { return false };
            let values = range(self.machine, Some(inside.process), index);
            values.least < 0 || values.greatest >= i64::from(length) || self.expr(inside, index)
        };
        let Some(variable) = model.variable(access.root, Some(inside.process)) else {
            return false;
        };
        if outside(variable, access.index.as_deref()) {
            return true;
        }
        let mut ty = variable.ty;
        for field in &access.path {
            let Type::Struct(id) = ty else { return true };
            let declared = &model.structs[id.index()].fields[field.field as usize];
            if outside(declared, field.index.as_ref()) {
                return true;
            }
            ty = declared.ty;
        }
        false
    }

    /// Whether a `d_step` may block after its first statement, or loop forever.
    fn can_block(&self, d_step: &DStep) -> bool {
        let offers = has_rendezvous(self.machine);
        d_step.edges.iter().any(|edge| {
            let beside = d_step.edges.iter().filter(|other| other.from == edge.from);
            let mut actions = beside.map(|other| &other.steps[0].action);
            let waits = actions.all(|action| may_wait(self.machine, action));
            (waits && edge.from != d_step.entry)
                || (offers && matches!(edge.steps[0].action, EdgeAction::Send { .. }))
        }) || goes_round(d_step)
    }
}

/// Whether the inside of a `d_step` has a cycle.
fn goes_round(d_step: &DStep) -> bool {
    let mut left: Vec<&Edge> = d_step.edges.iter().collect();
    loop {
        // An edge into a location without outgoing edges is on no cycle.
        let before = left.len();
        let sources: HashSet<_> = left.iter().map(|edge| edge.from).collect();
        left.retain(|edge| sources.contains(&edge.to));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

fn d_step<'a>(automaton: &'a Automaton, edge: &Edge) -> Option<&'a DStep> {
    automaton.d_steps.iter().find(|inside| inside.edge == edge.id)
}

/// All actions of an edge, including those inside of its `d_step`.
pub(crate) fn all_actions<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a EdgeAction> {
    let inside = d_step(automaton, edge).into_iter().flat_map(|inside| &inside.edges);
    inside.chain([edge]).flat_map(|edge| edge.steps.iter().map(|step| &step.action))
}

fn key(process: ProcessId, root: Root) -> (Option<u32>, u32) {
    match root {
        Root::Global(id) => (None, id.0),
        Root::Local(id) => (Some(process.0), id.0),
        Root::Predefined(_) => (None, u32::MAX),
    }
}

/// Variables that are initialised with a channel, or get one from every `run`, and are never
/// assigned.
fn sure_channels(machine: &Machine<'_>) -> SureChannels {
    let model = machine.model();
    let writes = Writes::of(machine);
    let globals = (0u32..).zip(&model.globals).map(|(at, global)| ((None, at), global));
    let locals = (0u32..).zip(&model.processes).flat_map(|(id, process)| {
        (0u32..).zip(&process.locals).map(move |(at, local)| ((Some(id), at), local))
    });
    let initial = |variable: &Variable| match &variable.init {
        Init::Channel(one) => {
            Some(BTreeSet::from([machine.layout().scalars(model, &one.fields).len()]))
        }
        _ => None,
    };
    let mut sure: SureChannels = globals
        .chain(locals)
        .filter(|(variable, _)| !writes.variables.contains(variable))
        .filter_map(|(variable, declared)| Some((variable, initial(declared)?)))
        .collect();
    while writes.add_parameters(model, &mut sure) {}
    sure
}

/// Assigned variables and created processes of a model.
#[derive(Default)]
struct Writes {
    /// Variables that are assigned or received into.
    variables: HashSet<(Option<u32>, u32)>,
    /// The `run`s: creating process type, created process type, arguments.
    runs: Vec<(ProcessId, ProcessId, Vec<Expr>)>,
}

impl Writes {
    fn of(machine: &Machine<'_>) -> Writes {
        let mut writes = Writes::default();
        for id in (0..machine.model().processes.len() as u32).map(ProcessId) {
            let automaton = machine.automaton(id);
            for action in automaton.edges.iter().flat_map(|edge| all_actions(automaton, edge)) {
                writes.add(id, action);
            }
        }
        writes
    }

    fn add(&mut self, id: ProcessId, action: &EdgeAction) {
        match action {
            EdgeAction::Guard(condition) => self.add_runs(id, condition),
            EdgeAction::Assign { target, value } => {
                self.variables.insert(key(id, target.root));
                self.add_runs(id, value);
            }
            EdgeAction::Declare { var, value } => {
                self.variables.insert((Some(id.0), var.0));
                if let Some(DeclaredValue::Value(value)) = value {
                    self.add_runs(id, value);
                }
            }
            EdgeAction::Receive { args, .. } => {
                for arg in args {
                    if let RecvArg::Store(access) = arg {
                        self.variables.insert(key(id, access.root));
                    }
                }
            }
            _ => {}
        }
    }

    fn add_runs(&mut self, id: ProcessId, expr: &Expr) {
        expr.visit(&mut |part| {
            if let ExprKind::Run { process, args, .. } = &part.kind {
                self.runs.push((id, *process, args.clone()));
            }
        });
    }

    /// Adds the parameters that get a channel from every `run`; returns whether `sure` has changed.
    fn add_parameters(&self, model: &Model, sure: &mut SureChannels) -> bool {
        let mut has_grown = false;
        for (id, process) in (0u32..).zip(&model.processes) {
            let params = &process.locals[..process.params as usize];
            let spelled_out = params.iter().any(|param| matches!(param.ty, Type::Struct(_)));
            if process.active > 0 || spelled_out {
                continue;
            }
            for (at, param) in params.iter().enumerate().filter(|(_, one)| one.ty == Type::Chan) {
                let variable = (Some(id), at as u32);
                if param.length.is_some() || self.variables.contains(&variable) {
                    continue;
                }
                if let Some(given) = self.given(id, at, sure) {
                    has_grown |= sure.get(&variable) != Some(&given);
                    sure.insert(variable, given);
                }
            }
        }
        has_grown
    }

    /// The numbers of fields of the channels that a parameter gets; `None` if it may get another
    /// value.
    fn given(&self, process: u32, at: usize, sure: &SureChannels) -> Option<BTreeSet<usize>> {
        let own = self.runs.iter().filter(|(_, created, _)| created.0 == process);
        let given = own.map(|(by, _, args)| match args.get(at).map(|arg| &arg.kind) {
            Some(ExprKind::Read(access)) if access.path.is_empty() => {
                sure.get(&key(*by, access.root))
            }
            _ => None,
        });
        let given: Vec<&BTreeSet<usize>> = given.collect::<Option<_>>()?;
        Some(given.into_iter().flatten().copied().collect())
    }
}
