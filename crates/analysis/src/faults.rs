//! Edges that may fail: assertions, and edges whose index, division, channel, message, `run` or
//! blocked `d_step` may cause a fault.
//!
//! The analysis over-approximates: a fault is possible unless value ranges exclude it. So distances
//! to the nearest one are lower bounds, and a kind that no edge has is impossible.

use std::collections::{BTreeSet, HashMap, HashSet};

use beeline_engine::automata::{Automaton, DStep, Edge, EdgeAction, uses_channels};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{FaultKind, Faults};
use beeline_promela::hir::{
    Access, BinaryOp, DeclaredValue, Expr, ExprKind, Init, Model, ProcessId, ProcessKind,
    ProcessQuery, RecvArg, Root, Type, Variable,
};

use crate::blocking::{has_rendezvous, may_wait};
use crate::value_ranges::{Scope, ValueRanges};

/// Analysis of the possible faults of a model.
pub struct FaultAnalysis<'a> {
    machine: &'a Machine<'a>,
    channels: SureChannels,
    /// `None` if the initial state has an error.
    ranges: Option<ValueRanges<'a>>,
}

/// Variables that always hold a channel (globals, and locals by process type), with the possible
/// numbers of fields of its messages.
type SureChannels = HashMap<(Option<u32>, u32), BTreeSet<usize>>;

/// The process type of a statement, with the ranges of its variables there.
#[derive(Clone, Copy)]
struct Inside<'s> {
    id: ProcessId,
    scope: Scope<'s>,
}

impl<'a> FaultAnalysis<'a> {
    /// Analyses a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        let ranges = ValueRanges::of(machine);
        FaultAnalysis { machine, channels: sure_channels(machine), ranges }
    }

    fn model(&self) -> &'a Model {
        self.machine.model()
    }

    /// Whether an edge, or the `d_step` inside of it, contains an assertion.
    pub fn asserts(automaton: &Automaton, edge: &Edge) -> bool {
        let asserted = |action: &EdgeAction| match action {
            EdgeAction::Assert(condition) => {
                condition.kind.constant().is_none_or(|value| value == 0)
            }
            _ => false,
        };
        all_actions(automaton, edge).any(asserted)
    }

    /// Whether an edge may fail.
    pub fn can_fail(&self, id: ProcessId, edge: &Edge) -> bool {
        self.faults(id, edge) != Faults::NONE
    }

    /// The kinds of faults that a run can have.
    pub fn all_faults(&self) -> Faults {
        let is_process = |id: &ProcessId| {
            matches!(self.model().process(*id).kind, ProcessKind::Proctype | ProcessKind::Init)
        };
        let ids = (0..self.model().processes.len() as u32).map(ProcessId);
        let edges = ids.filter(is_process).flat_map(|id| {
            let edges = self.machine.automaton(id).edges.iter();
            edges.map(move |edge| self.faults(id, edge))
        });
        edges.fold(Faults::NONE, Faults::union)
    }

    /// The kinds of faults that an edge may have.
    pub fn faults(&self, id: ProcessId, edge: &Edge) -> Faults {
        let Some(ranges) = &self.ranges else { return Faults::ALL };
        let Some(anywhere) = ranges.anywhere(id) else { return Faults::NONE };
        let mut found = Faults::NONE;
        let process = self.model().process(id);
        // The `provided` clause is evaluated before every step.
        if let Some(provided) = &process.provided {
            self.expr(Inside { id, scope: anywhere }, provided, &mut found);
        }
        if process.deterministic {
            found.insert(FaultKind::Nondeterminism);
        }
        ranges.each_step(id, edge, |scope, step| {
            self.action(Inside { id, scope }, step.written(), &mut found);
        });
        if d_step(self.machine.automaton(id), edge).is_some_and(|d_step| self.can_block(d_step)) {
            found.insert(FaultKind::Blocked);
        }
        found
    }

    /// Whether an expression over globals may have no value.
    pub fn global_expr(&self, expr: &Expr) -> bool {
        let ids = (0..self.model().processes.len() as u32).map(ProcessId);
        let scopes = self.ranges.iter().flat_map(|ranges| {
            ids.clone().filter_map(|id| Some(Inside { id, scope: ranges.anywhere(id)? }))
        });
        // Any process sees the globals.
        scopes.take(1).next().is_none_or(|inside| {
            let mut found = Faults::NONE;
            self.expr(inside, expr, &mut found);
            found != Faults::NONE
        })
    }

    fn action(&self, inside: Inside<'_>, action: &EdgeAction, found: &mut Faults) {
        if uses_channels(action) {
            if self.machine.has_exclusives() {
                found.insert(FaultKind::Exclusive);
            }
            if self.machine.has_trace() {
                *found = found.union(Faults::of(&[FaultKind::Trace, FaultKind::Nondeterminism]));
            }
        }
        if self.machine.checks_overflow() && inside.scope.may_truncate(action) {
            found.insert(FaultKind::Overflow);
        }
        let mut expr = |expr: &Expr| self.expr(inside, expr, found);
        match action {
            EdgeAction::Assert(condition) => {
                expr(condition);
                if inside.scope.range(condition).may_be_false() {
                    found.insert(FaultKind::Assertion);
                }
            }
            EdgeAction::Guard(condition) => expr(condition),
            EdgeAction::Assign { target, value } => {
                expr(value);
                self.access(inside, target, found);
            }
            EdgeAction::Declare { value, .. } => match value {
                None => {}
                Some(DeclaredValue::Value(value)) => expr(value),
                Some(DeclaredValue::List(values)) => values.iter().for_each(expr),
            },
            EdgeAction::Send { channel, args, .. } => {
                args.iter().for_each(expr);
                self.message(inside, channel, |fields| fields != args.len(), found);
            }
            EdgeAction::Receive { channel, args, .. } => {
                self.message(inside, channel, |fields| fields != args.len(), found);
                args.iter().for_each(|arg| self.field(inside, arg, found));
            }
            EdgeAction::SetPriority(process, priority) => {
                expr(process);
                expr(priority);
            }
            EdgeAction::Move(_)
            | EdgeAction::Else
            | EdgeAction::Print { .. }
            | EdgeAction::PrintM(_)
            | EdgeAction::DStep
            | EdgeAction::End => {}
        }
    }

    /// Adds the faults of an expression.
    fn expr(&self, inside: Inside<'_>, expr: &Expr, found: &mut Faults) {
        inside.scope.each_part(expr, &mut |scope, part| {
            self.part(Inside { scope, ..inside }, part, found);
        });
    }

    /// Adds the faults of a part of an expression; its own parts are visited apart.
    fn part(&self, inside: Inside<'_>, part: &Expr, found: &mut Faults) {
        match &part.kind {
            ExprKind::Read(access) => self.index(inside, access, found),
            ExprKind::Channel(_, access) => self.message(inside, access, |_| false, found),
            ExprKind::Poll { channel, args, .. } => {
                self.message(inside, channel, |fields| fields < args.len(), found);
                args.iter().for_each(|arg| self.field(inside, arg, found));
            }
            ExprKind::RemoteVar { process, var, .. } => {
                // The index is evaluated here, the variable is that of another process.
                let is_indexed =
                    var.index.is_some() || var.path.iter().any(|one| one.index.is_some());
                let variable =
                    self.model().variable(var.root, Some(self.model().process(*process)));
                if is_indexed && variable.is_some() {
                    found.insert(FaultKind::Index);
                }
            }
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, divisor)
                if inside.scope.range(divisor).contains(0) =>
            {
                found.insert(FaultKind::Division);
            }
            ExprKind::Run { process, .. } => self.start(*process, found),
            ExprKind::Process(ProcessQuery::Enabled, _) => found.insert(FaultKind::Circular),
            _ => {}
        }
    }

    fn field(&self, inside: Inside<'_>, field: &RecvArg, found: &mut Faults) {
        match field {
            RecvArg::Store(access) => self.access(inside, access, found),
            RecvArg::Match(value) | RecvArg::Eval(value) => self.expr(inside, value, found),
        }
    }

    /// Adds the faults of creating a process: an initial value may not exist, or there may be too
    /// many channels.
    fn start(&self, id: ProcessId, found: &mut Faults) {
        let process = self.model().process(id);
        let Some(scope) = self.ranges.as_ref().and_then(|ranges| ranges.anywhere(id)) else {
            *found = Faults::ALL;
            return;
        };
        for local in process.locals.iter().skip(process.params as usize) {
            self.initial(Inside { id, scope }, local, found);
        }
    }

    /// Adds the faults of an initial value.
    fn initial(&self, inside: Inside<'_>, variable: &Variable, found: &mut Faults) {
        match (&variable.init, variable.ty) {
            (Init::Zero, Type::Struct(id)) => {
                let fields = &self.model().structs[id.index()].fields;
                fields.iter().for_each(|field| self.initial(inside, field, found));
            }
            (Init::Zero, _) => {}
            (Init::Value(value), _) => self.expr(inside, value, found),
            (Init::List(values), _) => {
                values.iter().for_each(|value| self.expr(inside, value, found));
            }
            (Init::Channel(_), _) => {
                if !self.has_room_for_channels() {
                    found.insert(FaultKind::Limit);
                }
            }
        }
    }

    /// Whether the channels of all processes that a run creates fit into a state.
    fn has_room_for_channels(&self) -> bool {
        let (Some(ranges), model) = (&self.ranges, self.model()) else { return false };
        let globals = model.globals.iter().map(|one| channels_of(model, one)).sum::<u64>();
        let mut total = Some(globals);
        for (id, process) in (0u32..).map(ProcessId).zip(&model.processes) {
            let own = process.locals.iter().map(|one| channels_of(model, one)).sum::<u64>();
            if own > 0 {
                let processes = ranges.instances().of_type(id);
                total =
                    total.zip(processes).and_then(|(sum, n)| sum.checked_add(n.checked_mul(own)?));
            }
        }
        total.is_some_and(|total| total <= self.machine.layout().frame.most_channels() as u64)
    }

    /// Adds the faults of the use of a channel: the variable may hold none, or one whose number of
    /// fields is wrong.
    fn message(
        &self,
        inside: Inside<'_>,
        access: &Access,
        is_wrong: impl Fn(usize) -> bool,
        found: &mut Faults,
    ) {
        self.access(inside, access, found);
        let sure = self.channels.get(&key(inside.id, access.root));
        let is_wrong = match sure.filter(|_| access.path.is_empty()) {
            Some(fields) => fields.iter().any(|&fields| is_wrong(fields)),
            None => {
                found.insert(FaultKind::NoChannel);
                self.machine.layout().channels.iter().any(|one| is_wrong(one.fields.len()))
            }
        };
        if is_wrong {
            found.insert(FaultKind::Fields);
        }
    }

    /// Adds the faults of an access, with those of its indices.
    fn access(&self, inside: Inside<'_>, access: &Access, found: &mut Faults) {
        self.index(inside, access, found);
        let indices = access.index.as_deref().into_iter();
        for index in indices.chain(access.path.iter().filter_map(|field| field.index.as_ref())) {
            self.expr(inside, index, found);
        }
    }

    /// Adds the fault of an index that may be out of bounds.
    fn index(&self, inside: Inside<'_>, access: &Access, found: &mut Faults) {
        let model = self.model();
        let mut outside = |variable: &Variable, index: Option<&Expr>| {
            let (Some(index), Some(length)) = (index, variable.length) else { return };
            let values = inside.scope.range(index);
            if values.least < 0 || values.greatest >= i64::from(length) {
                found.insert(FaultKind::Index);
            }
        };
        let process = model.process(inside.id);
        let Some(variable) = model.variable(access.root, Some(process)) else { return };
        outside(variable, access.index.as_deref());
        let mut ty = variable.ty;
        for field in &access.path {
            let Type::Struct(id) = ty else { return };
            let declared = &model.structs[id.index()].fields[field.field as usize];
            outside(declared, field.index.as_ref());
            ty = declared.ty;
        }
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
pub fn all_actions<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a EdgeAction> {
    let inside = d_step(automaton, edge).into_iter().flat_map(|inside| &inside.edges);
    inside.chain([edge]).flat_map(|edge| edge.steps.iter().map(|step| &step.action))
}

/// The number of channels that a variable is declared with.
fn channels_of(model: &Model, variable: &Variable) -> u64 {
    let each = match (&variable.init, variable.ty) {
        (Init::Channel(_), _) => 1,
        (_, Type::Struct(id)) => {
            let fields = &model.structs[id.index()].fields;
            fields.iter().map(|field| channels_of(model, field)).sum()
        }
        _ => 0,
    };
    each * u64::from(variable.length.unwrap_or(1))
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
