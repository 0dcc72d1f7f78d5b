//! Processes: the header of a proctype, its variables, and its statements.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::channel::Which;
use super::decl::Site;
use super::feature::Feature;
use super::generator::Generator;
use super::parts::{Role, Runnable, Watched};
use super::scope::{Type, Var};
use super::stmt::{Mode, Place};

impl Generator<'_> {
    pub(super) fn priority(&mut self) -> Option<Expr> {
        self.chosen(Feature::Priority).then(|| number(self.rng.between(1, 3)))
    }

    /// Generates a proctype and returns the number of its processes.
    pub(super) fn proctype(
        &mut self,
        number_of: usize,
        runnable: bool,
        left: u32,
        private: Option<usize>,
        units: &mut Vec<UnitKind>,
    ) -> u32 {
        let name: Arc<str> = format!("P{number_of}").into();
        let globals = self.vars.len();
        self.enter_process(number_of);
        let copies = match !runnable && left > 1 && self.chosen(Feature::ActiveCount) {
            true => 2,
            false => 1,
        };
        if number_of == 0 && copies == left {
            // A single process has to be its own partner.
            self.roles.fill(Role { sends: true, receives: true });
        }
        let params = if runnable { self.params(private) } else { Vec::new() };
        let known = self.vars[globals..].to_vec();
        // A process that starts others must not repeat this.
        let spawner = runnable && left > 1 && !self.runnables.is_empty();
        self.spawning = spawner && self.rng.percent(40);
        self.spawn_budget = left - 1;
        let bits_left = self.bits_left;
        let body = self.process_body(number_of);
        let spent = bits_left - self.bits_left;
        let spawned = left - 1 - self.spawn_budget;
        self.spend(spent * (copies - 1));
        self.watch(&name, globals);
        self.leave_process(globals);
        let active = (!runnable)
            .then(|| ActivePrefix { count: (copies > 1).then(|| number(copies)), span: nowhere() });
        let priority = if runnable { None } else { self.priority() };
        let provided = self.provided();
        let deterministic = self.chosen(Feature::Deterministic);
        units.push(UnitKind::Proctype(Proctype {
            active,
            deterministic,
            name: ident(name.clone()),
            params,
            priority,
            provided,
            body,
        }));
        if runnable {
            let cost = 1 + spawned;
            self.runnables.push(Runnable { name, params: known, cost, started: false });
        }
        copies + spawned
    }

    pub(super) fn enter_process(&mut self, number: usize) {
        self.roles = self.all_roles.get(number).cloned().unwrap_or_default();
        self.counters_declared = 0;
        self.labels_of_process = 0;
        self.spawning = false;
        self.plan_labels();
    }

    pub(super) fn leave_process(&mut self, globals: usize) {
        self.vars.truncate(globals);
        self.spawning = false;
        self.roles = Vec::new();
    }

    fn watch(&mut self, proctype: &Arc<str>, globals: usize) {
        let labels = self.labels.iter().filter(|l| l.placed).map(|l| l.name.clone()).collect();
        let locals = self.vars[globals..].iter().filter(|v| v.ty.is_number()).cloned().collect();
        self.watched.push(Watched { proctype: proctype.clone(), labels, locals });
    }

    fn params(&mut self, private: Option<usize>) -> Vec<VarDecl> {
        let mut groups = Vec::new();
        if !self.chosen(Feature::Param) {
            return groups;
        }
        let plain_channels: Vec<usize> = self.channel_signatures();
        let shared = match self.weight(Feature::LocalChannel) > 0 && self.rng.percent(40) {
            true => self.rng.pick(&plain_channels).copied(),
            false => None,
        };
        if let Some(signature) = private.or(shared) {
            groups.push(self.param(Type::Chan(signature), 1));
        }
        let sets = self.mtypes.len() as u32;
        for _ in 0..self.rng.between(u32::from(groups.is_empty()), 1) {
            let (ty, bound) = match self.rng.below(4) {
                0 if sets > 0 => (Type::Mtype(self.rng.below(sets) as usize), 1),
                0 | 1 => (Type::Bit, 2),
                _ => (Type::Byte, self.config.domain),
            };
            groups.push(self.param(ty, bound));
        }
        groups
    }

    /// The signatures of the global channels.
    fn channel_signatures(&self) -> Vec<usize> {
        let signature = |var: &Var| match var.ty {
            Type::Chan(signature) => Some(signature),
            _ => None,
        };
        self.vars.iter().filter_map(signature).collect()
    }

    fn param(&mut self, ty: Type, bound: u32) -> VarDecl {
        let name: Arc<str> = format!("p{}", self.vars.len()).into();
        let frozen = matches!(ty, Type::Chan(_));
        self.vars.push(Var { name: name.clone(), ty, bound, length: None, global: false, frozen });
        declaration(self.type_name(ty), vec![declarator(name)])
    }

    fn provided(&mut self) -> Option<Expr> {
        let wanted = self.chosen(Feature::Provided) && !self.vars.is_empty();
        wanted.then(|| {
            self.pure_globals = true;
            let condition = self.usually_true();
            self.pure_globals = false;
            condition
        })
    }

    /// A condition that holds at first, since variables mostly start with 0.
    fn usually_true(&mut self) -> Expr {
        match self.find(|p| p.ty.is_number()) {
            Some(path) => {
                let op = if self.rng.percent(50) { BinaryOp::NotEqual } else { BinaryOp::Less };
                binary(op, read(self.reach(&path)), number(path.bound - 1))
            }
            None => self.condition(0),
        }
    }

    /// Declarations, then statements, then perhaps an endless loop.
    fn process_body(&mut self, number_of: usize) -> Sequence {
        let place = self.top();
        let mut declarations = Vec::new();
        for _ in 0..self.rng.between(self.config.locals.0, self.config.locals.1) {
            if self.bits_left == 0 {
                break;
            }
            declarations.push(node(StmtKind::Variables(self.variable(Site::Process))));
        }
        let (mut first, anywhere) = self.local_constants(&mut declarations);
        let mut body = Vec::new();
        let (least, most) = self.config.statements;
        let loops = self.weight(Feature::Do) > 0 && !self.spawning;
        let endless = loops && self.rng.percent(55);
        let (least, most) = (self.crowd(least), self.crowd(most));
        let (least, most) = if endless { (0, most / 2) } else { (least, most) };
        for _ in 0..self.rng.between(least, most) {
            self.append(place, &mut body);
        }
        // A process that blocks at its start would be uninteresting.
        let waits = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Receive { .. });
        if body.first().is_some_and(waits)
            && self.rng.percent(70)
            && let Some(assignment) = self.assignment()
        {
            body[0] = assignment;
        }
        let duties = self.duties();
        if endless {
            let mut last = self.endless_loop(place, duties);
            self.maybe_label(&mut last);
            body.push(last);
        } else {
            self.mix_in(duties, &mut body);
        }
        self.mix_in(anywhere, &mut body);
        self.place_missing_labels(&mut body);
        if body.is_empty() {
            body.push(skip());
        }
        self.declare_counters(&mut declarations);
        self.claim_channels(number_of, &mut declarations);
        declarations.append(&mut first);
        declarations.append(&mut body);
        declarations
    }

    /// Messages that the process should send or receive, so that its partners do not wait in vain.
    pub(super) fn duties(&mut self) -> Sequence {
        let mut duties = Vec::new();
        for signature in 0..self.signatures.len() {
            let role = self.roles.get(signature).copied().unwrap_or_default();
            if role.sends && self.rng.percent(60) {
                duties.extend(self.send(Which::Of(signature)));
            } else if role.receives && self.rng.percent(80) {
                duties.extend(self.receive(Which::Of(signature)));
            }
        }
        duties
    }

    /// Inserts statements between others.
    fn mix_in(&mut self, stmts: Sequence, body: &mut Sequence) {
        for stmt in stmts {
            let at = self.rng.below(body.len() as u32 + 1) as usize;
            body.insert(at, stmt);
        }
    }

    /// A size for two processes, reduced if there are more.
    pub(super) fn crowd(&self, size: u32) -> u32 {
        (size * 2 / self.process_count.max(2)).max(1)
    }

    pub(super) fn top(&self) -> Place {
        Place {
            nesting: if self.process_count > 3 { 2 } else { self.config.nesting },
            mode: Mode::Free,
            breakable: false,
            repeated: false,
            inlined: false,
        }
    }

    pub(super) fn declare_counters(&mut self, declarations: &mut Sequence) {
        for counter in 0..self.counters_declared {
            let ty = match self.rng.below(4) {
                0 if self.weight(Feature::Signed) > 0 => TypeName::Int,
                _ => TypeName::Byte,
            };
            let decl = declaration(ty, vec![declarator(format!("i{counter}"))]);
            declarations.push(node(StmtKind::Variables(decl)));
        }
    }

    /// `xr` and `xs` for channels that no other process uses in that direction.
    fn claim_channels(&mut self, process: usize, declarations: &mut Sequence) {
        if !self.chosen(Feature::Exclusive) {
            return;
        }
        for var in self.vars.clone() {
            let (Type::Chan(signature), true, None) = (var.ty, var.global, var.length) else {
                continue;
            };
            let receivers = self.all_roles.iter().filter(|roles| roles[signature].receives);
            let alone = receivers.count() == 1 && self.all_roles[process][signature].receives;
            if alone {
                let is_alias = |one: &&Var| !one.global && one.ty == var.ty;
                let alias = self.vars.iter().find(is_alias);
                let channels = vec![var_ref(alias.unwrap_or(&var).name.clone())];
                declarations.push(node(StmtKind::Exclusive { sends: false, channels }));
            }
        }
    }
}
