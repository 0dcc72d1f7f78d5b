//! Syntax tree to resolved model: name resolution as in SPIN 6.
//!
//! SPIN resolves names while parsing, so a use precedes its declaration in two cases only: labels,
//! and `run` of a proctype. Formulas (`ltl`) are read last, wherever they are written.

mod access;
mod branching;
mod branching_time;
mod constants;
mod declare;
mod expressions;
mod jumps;
mod messages;
mod runs;
mod scope;
mod statements;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::{self, Ident, Program, UnitKind};
use crate::hir::{
    GlobalId, LabelId, LocalId, LtlFormula, Model, MtypeId, MtypeSet, Process, ProcessId,
    ProcessKind, StructId,
};
use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::Span;
use scope::Scope;

/// The meaning of a global name.
#[derive(Clone, Copy, Debug)]
enum Global {
    Variable(GlobalId),
    Proctype(ProcessId),
    Mtype(MtypeId, i32),
    Struct(StructId),
    Inline,
}

/// Facts about a declared structure.
#[derive(Debug, Default)]
struct Extent {
    /// Its fields by name.
    fields: HashMap<Arc<str>, u32>,
    /// Its number of scalars.
    scalars: usize,
    /// Its nesting depth.
    depth: usize,
}

/// The names of a process that remote references may use, the first of each.
#[derive(Debug, Default)]
struct Remote {
    labels: HashMap<Arc<str>, LabelId>,
    locals: HashMap<Arc<str>, LocalId>,
}

/// Upper bound for all structures in messages together: scalars, times the size of the access of
/// each.
const MOST_LEAVES: usize = 2_000_000;

/// Upper bound on the values of all variables together: a state has to hold them.
const MOST_VALUES: usize = 16_000_000;

struct Resolver<'a> {
    model: Model,
    diagnostics: &'a mut Diagnostics,
    globals: HashMap<Arc<str>, (Global, Span)>,
    /// Proctypes by name, those further down included: `run` may use them.
    proctypes: HashMap<Arc<str>, ProcessId>,
    /// Where global names are declared, those further down included.
    declared_below: HashMap<Arc<str>, Span>,
    /// By structure, as in the model.
    structs: Vec<Extent>,
    /// The remaining budget, initially [`MOST_LEAVES`].
    leaves_left: usize,
    /// The remaining budget, initially [`MOST_VALUES`].
    values_left: usize,
    mtype_sets: HashMap<Option<Arc<str>>, MtypeId>,
    /// The names of the processes of remote references.
    remotes: HashMap<ProcessId, Remote>,
    /// The process being read.
    process: Option<Process>,
    /// Its number.
    current: ProcessId,
    /// Its names.
    scope: Scope,
    /// The model's largest message: SPIN refuses only messages larger than any.
    largest_message: usize,
    /// Inside the expansion of an inline.
    inline_depth: usize,
    /// The number of the enclosing `d_step`, from 1; 0 for none.
    d_step: u32,
    d_steps: u32,
    /// The number of loops around the statement.
    loops: usize,
    /// Never claims so far.
    claims: usize,
    /// Processes of the initial state, so far.
    active: usize,
    /// Elements of the statements so far.
    statements: usize,
    /// The remaining budget of [`branching::MAX_BRANCHES`]; `None` after it is exceeded.
    branches_left: Option<usize>,
}

/// Resolves a program. The model is usable when no error was reported.
pub fn resolve(program: &Program, diagnostics: &mut Diagnostics) -> Model {
    let mut resolver = Resolver {
        model: Model::default(),
        diagnostics,
        globals: HashMap::new(),
        proctypes: HashMap::new(),
        declared_below: HashMap::new(),
        structs: Vec::new(),
        leaves_left: MOST_LEAVES,
        values_left: MOST_VALUES,
        mtype_sets: HashMap::new(),
        remotes: HashMap::new(),
        process: None,
        current: ProcessId(0),
        scope: Scope::default(),
        largest_message: messages::largest_message(program),
        inline_depth: 0,
        d_step: 0,
        d_steps: 0,
        loops: 0,
        claims: 0,
        active: 0,
        statements: 0,
        branches_left: Some(branching::MAX_BRANCHES),
    };
    resolver.number_processes(program);
    for unit in &program.units {
        resolver.unit(unit);
    }
    let formulas = program.units.iter().filter_map(|unit| match &unit.kind {
        UnitKind::Ltl(ltl) => Some((ltl, unit.span)),
        _ => None,
    });
    let mut earlier = HashMap::new();
    for (number, (ltl, span)) in formulas.enumerate() {
        resolver.ltl(ltl, span, number, &mut earlier);
    }
    resolver.branching_units(program, &mut earlier);
    for diagnostic in runs::misplaced_runs(&resolver.model) {
        resolver.report(diagnostic);
    }
    resolver.check_program(program);
    resolver.model
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Numbers every process before any body is read, and records where global names are declared.
    fn number_processes(&mut self, program: &Program) {
        let mut number = 0;
        for unit in &program.units {
            match &unit.kind {
                UnitKind::Variables(decl) => {
                    for var in &decl.vars {
                        self.declared_below.insert(var.name.name.clone(), var.name.span);
                    }
                }
                UnitKind::Mtype(decl) => {
                    for name in &decl.names {
                        self.declared_below.insert(name.name.clone(), name.span);
                    }
                }
                UnitKind::Proctype(proctype) => {
                    self.proctypes.entry(proctype.name.name.clone()).or_insert(ProcessId(number));
                    number += 1;
                }
                UnitKind::Init(_) | UnitKind::Never(_) | UnitKind::Trace(_) => number += 1,
                _ => {}
            }
        }
    }

    fn unit(&mut self, unit: &ast::Unit) {
        match &unit.kind {
            UnitKind::Proctype(proctype) => self.proctype(proctype, unit.span),
            UnitKind::Init(init) => {
                let name = Ident { name: ":init:".into(), span: unit.span };
                let priority = self.priority(init.priority.as_ref());
                self.begin(name, ProcessKind::Init, unit.span);
                if let Some(process) = &mut self.process {
                    process.active = 1;
                    process.priority = priority;
                }
                self.finish(&init.body);
            }
            UnitKind::Never(never) => {
                let claims = self.claims;
                self.claims += 1;
                let name = never.name.clone().unwrap_or_else(|| Ident {
                    name: format!("never_{claims}").into(),
                    span: unit.span,
                });
                self.begin(name, ProcessKind::Never, unit.span);
                self.finish(&never.body);
            }
            UnitKind::Trace(trace) => {
                let (name, kind) = if trace.negated {
                    (":notrace:", ProcessKind::Notrace)
                } else {
                    (":trace:", ProcessKind::Trace)
                };
                self.check_single_trace(unit.span);
                self.begin(Ident { name: name.into(), span: unit.span }, kind, unit.span);
                self.finish(&trace.body);
            }
            UnitKind::Inline(inline) => {
                // The parser has reported a second definition of the same inline.
                if !matches!(self.globals.get(&inline.name.name), Some((Global::Inline, _))) {
                    self.declare_global(&inline.name, Global::Inline);
                }
            }
            UnitKind::Typedef(typedef) => self.typedef(typedef),
            UnitKind::Mtype(mtype) => self.mtype(mtype),
            UnitKind::Variables(decl) => self.global_variables(decl),
            UnitKind::Ltl(_) | UnitKind::Branching(_) | UnitKind::Fair(_) => {}
        }
    }

    fn proctype(&mut self, proctype: &ast::Proctype, span: Span) {
        let id = ProcessId(self.model.processes.len() as u32);
        self.declare_global(&proctype.name, Global::Proctype(id));
        let active = self.active_count(proctype.active.as_ref());
        let priority = self.priority(proctype.priority.as_ref());
        self.begin(proctype.name.clone(), ProcessKind::Proctype, span);
        for params in &proctype.params {
            self.params(params);
        }
        let provided = proctype.provided.as_ref().map(|condition| self.condition(condition));
        if let Some(process) = &mut self.process {
            process.active = active;
            process.priority = priority;
            process.deterministic = proctype.deterministic;
            process.provided = provided;
        }
        self.finish(&proctype.body);
    }

    fn begin(&mut self, name: Ident, kind: ProcessKind, span: Span) {
        self.current = ProcessId(self.model.processes.len() as u32);
        self.scope = Scope::default();
        self.loops = 0;
        let end = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
        self.process = Some(Process {
            name,
            kind,
            params: 0,
            locals: Vec::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
            body: Vec::new(),
            active: 0,
            priority: 1,
            deterministic: false,
            provided: None,
            end,
        });
    }

    fn finish(&mut self, body: &ast::Sequence) {
        self.scope.enter();
        self.scope.declarations_are_initial = true;
        let body = self.sequence(body);
        self.scope.leave();
        self.resolve_jumps();
        if let Some(mut process) = self.process.take() {
            process.body = body;
            self.model.processes.push(process);
        }
    }

    /// `earlier`: the formulas so far, by name.
    fn ltl(
        &mut self,
        ltl: &ast::Ltl,
        span: Span,
        number: usize,
        earlier: &mut HashMap<Arc<str>, Span>,
    ) {
        let name = ltl.name.clone().unwrap_or_else(|| Ident {
            name: format!("ltl_{number}").into(),
            span: Span { end: span.end.min(span.start + 3), ..span },
        });
        self.check_single_formula(&name, earlier);
        let formula = self.condition(&ltl.formula);
        self.model.formulas.push(LtlFormula { name, formula });
    }

    /// Formulas have different names.
    fn check_single_formula(&mut self, name: &Ident, earlier: &mut HashMap<Arc<str>, Span>) {
        let first = *earlier.entry(name.name.clone()).or_insert(name.span);
        if first != name.span {
            self.report(
                Diagnostic::error(
                    "duplicate-ltl",
                    name.span,
                    format!("there are two formulas called `{}`", name.name),
                )
                .label("second formula")
                .related(first, "first formula"),
            );
        }
    }

    fn check_single_trace(&mut self, span: Span) {
        let earlier = self
            .model
            .processes
            .iter()
            .find(|p| matches!(p.kind, ProcessKind::Trace | ProcessKind::Notrace))
            .map(|p| p.name.span);
        if let Some(first) = earlier {
            self.report(
                Diagnostic::error(
                    "duplicate-trace",
                    span,
                    "a model has one trace or notrace at most",
                )
                .label("second one")
                .related(first, "first one"),
            );
        }
    }

    /// Checks that need the whole program.
    fn check_program(&mut self, program: &Program) {
        let runs = self.model.processes.iter().any(|process| process.active > 0);
        if runs || self.diagnostics.has_errors() {
            return;
        }
        let Some(unit) = program.units.first() else {
            return;
        };
        let span = Span { end: unit.span.start, ..unit.span };
        let mut diagnostic = Diagnostic::error("no-process", span, "no process runs in this model")
            .label("no `init` and no `active proctype`");
        if let Some(process) = self.model.processes.first() {
            diagnostic = diagnostic.help(format!(
                "write `active proctype {}` or `run` it from `init`",
                process.name.name
            ));
        }
        self.report(diagnostic);
    }

    /// Adds a global name; the second of two equal ones is an error.
    fn declare_global(&mut self, name: &Ident, what: Global) {
        if let Some(&(_, first)) = self.globals.get(&name.name) {
            self.report_redeclaration(name, first);
            return;
        }
        self.globals.insert(name.name.clone(), (what, name.span));
    }

    fn report_redeclaration(&mut self, name: &Ident, first: Span) {
        self.report(
            Diagnostic::error(
                "redeclaration",
                name.span,
                format!("`{}` is declared twice", name.name),
            )
            .label("declared again")
            .related(first, "first declared here")
            .note("locals cannot hide globals or outer locals")
            .help("choose another name, or remove one of the two"),
        );
    }

    fn mtype(&mut self, decl: &ast::MtypeDecl) {
        let wanted = decl.set.as_ref().map(|set| set.name.clone());
        let at = self.mtype_set(wanted);
        let base = self.model.mtypes[at.index()].constants.len();
        for (number, name) in decl.names.iter().rev().enumerate() {
            let value = (base + number + 1) as i32;
            self.declare_global(name, Global::Mtype(at, value));
            self.model.mtypes[at.index()].constants.push(name.name.clone());
        }
        let total = self.model.mtypes[at.index()].constants.len();
        if total > 255 {
            let span = decl.names.last().map_or(decl.names[0].span, |name| name.span);
            self.report(
                Diagnostic::error("too-many-mtypes", span, "an mtype has at most 255 constants")
                    .label(format!("this makes {total}"))
                    .help("spread them over several named sets: `mtype : colour = { … }`"),
            );
        }
    }

    /// The set of this name, made if it is new.
    fn mtype_set(&mut self, name: Option<Arc<str>>) -> MtypeId {
        *self.mtype_sets.entry(name).or_insert_with_key(|name| {
            let id = MtypeId(self.model.mtypes.len() as u32);
            self.model.mtypes.push(MtypeSet { name: name.clone(), constants: Vec::new() });
            id
        })
    }
}
