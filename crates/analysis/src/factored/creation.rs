//! Process creation in factors.

use beeline_engine::automata::{EdgeId, Location};
use beeline_engine::layout::Declaration;
use beeline_factored::{FactorExpr, FactorId, Instruction, Interval};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{self, Init, ProcessId, Type, Variable};

use super::builder::{Builder, assign, set};
use super::instances::ChannelInstance;

/// Upper bound on the distinguished combinations of channels for a new process.
const MOST_CHOICES: usize = 64;

/// The position of a `run` in the text.
#[derive(Clone, Copy)]
pub(super) struct RunSite {
    pub(super) edge: EdgeId,
    /// The statement of the edge.
    pub(super) statement: Location,
}

/// The numbers of the channels of a new process, in the order of creation; none if they are unknown.
type OwnChannels = std::vec::IntoIter<i32>;

/// One alternative of a process creation.
#[derive(Clone)]
pub(super) struct CreationOutcome {
    pub(super) actions: Vec<Instruction>,
    /// The number of the new process.
    pub(super) pid: FactorExpr,
}

impl Builder<'_> {
    /// The alternatives of a `run`.
    pub(super) fn creations(
        &mut self,
        process: ProcessId,
        args: &[hir::Expr],
        site: RunSite,
        instance: usize,
    ) -> Vec<CreationOutcome> {
        let args: Vec<FactorExpr> = args.iter().map(|arg| self.expr(arg, Some(instance))).collect();
        let mut found = Vec::new();
        let planned = if instance == self.instances.spawner {
            self.instances.creations.clone()
        } else {
            Vec::new()
        };
        let planned: Vec<_> = planned
            .into_iter()
            .filter(|creation| (creation.edge, creation.place) == (site.edge, site.statement))
            .collect();
        let spawner = self.instances.processes[instance].clone();
        for creation in &planned {
            let mut when = Vec::new();
            if let Some(values) = creation.when.as_ref().filter(|_| planned.len() > 1) {
                for (at, &value) in values.iter().enumerate() {
                    let local = FactorId(spawner.locals.0 + at as u32);
                    when.push(Instruction::Require(FactorExpr::Factor(local).equals(value)));
                }
            }
            for &child in &creation.children {
                let location = self.instances.processes[child].location;
                let mut before = when.clone();
                before.push(Instruction::Require(FactorExpr::Factor(location).equals(0)));
                self.create(child, &args, before, &mut found);
            }
        }
        let beyond = self.instances.is_beyond_plan(instance, site.edge) || self.instances.shifts();
        if let Some(summary) = self.instances.summary(process).filter(|_| beyond) {
            if self.instances.queues.iter().any(ChannelInstance::is_summary) {
                // The limit of channels may be exceeded.
                self.fail(FaultKind::Limit, FactorExpr::Any(Interval::TRUTH));
            }
            self.create(summary, &args, Vec::new(), &mut found);
        }
        if self.instances.is_bounded() && self.instances.is_beyond_plan(instance, site.edge) {
            self.create_next(process, &args, &mut found);
        } else if self.instances.is_beyond_plan(instance, site.edge) {
            for child in self.instances.recreated(process) {
                let absent = FactorExpr::Factor(self.instances.processes[child].location).equals(0);
                self.create(child, &args, vec![Instruction::Require(absent)], &mut found);
            }
        }
        found
    }

    /// Adds the alternatives of a creation with the first free number. That there is none is a
    /// fault.
    fn create_next(
        &mut self,
        process: ProcessId,
        args: &[FactorExpr],
        found: &mut Vec<CreationOutcome>,
    ) {
        let Some(last) = self.instances.last_number() else { return };
        for child in self.instances.recreated(process) {
            let Some(pid) = self.instances.processes[child].pid else { continue };
            let before = [self.is_used(pid - 1), self.is_used(pid).negated()];
            let before = before.into_iter().map(Instruction::Require).collect();
            self.create(child, args, before, found);
        }
        let is_full = self.is_used(last);
        self.fail(FaultKind::Limit, is_full);
    }

    /// Whether there is a process of this number.
    fn is_used(&self, pid: usize) -> FactorExpr {
        let members = self.instances.processes.iter().filter(|member| member.pid == Some(pid));
        let there = members.map(|member| FactorExpr::Factor(member.location).equals(0).negated());
        there.reduce(FactorExpr::or).unwrap_or(FactorExpr::Const(0))
    }

    /// Adds the alternatives in which an instance is created.
    fn create(
        &mut self,
        child: usize,
        args: &[FactorExpr],
        before: Vec<Instruction>,
        found: &mut Vec<CreationOutcome>,
    ) {
        let member = self.instances.processes[child].clone();
        let declared = self.machine.model().process(member.process);
        let automaton = self.machine.automaton(member.process);
        let mut all = vec![assign(member.location, FactorExpr::Const(automaton.start.0 as i32))];
        let params = &declared.locals[..declared.params as usize];
        let types: Vec<Type> = params.iter().map(|param| param.ty).collect();
        let scalars = self.machine.layout().scalars(self.machine.model(), &types);
        for (at, scalar) in scalars.into_iter().enumerate() {
            let value = args.get(at).cloned().unwrap_or(FactorExpr::Const(0));
            let value = self.cut(value, scalar);
            all.push(assign(FactorId(member.locals.0 + at as u32), value));
        }
        let mut ways = vec![before];
        ways[0].push(Instruction::Set(all));
        let machine = self.machine;
        let mut own = self.own_channels(child);
        for (at, local) in machine.locals_in_states(member.process).skip(declared.params as usize) {
            let offset = self.spans.locals[member.process.index()][at];
            let declaration = Declaration::Local(member.process.index(), at);
            let first = member.locals.0 + offset;
            self.initialise(local, declaration, first, child, &mut own, &mut ways);
        }
        let most = self.machine.layout().frame.most_processes as i64;
        let pid = match member.pid {
            Some(pid) => FactorExpr::Const(pid as i32),
            None => FactorExpr::Any(Interval { least: 0, greatest: most }),
        };
        found.extend(ways.into_iter().map(|actions| CreationOutcome { actions, pid: pid.clone() }));
    }

    /// The channels of a new process, where each process has its own ones.
    fn own_channels(&self, child: usize) -> OwnChannels {
        let mut numbers: Vec<i32> = Vec::new();
        if self.instances.is_bounded() {
            let own = self.instances.queues.iter().filter(|queue| queue.owner == Some(child));
            numbers.extend(own.map(|queue| queue.value));
        }
        numbers.sort_unstable();
        numbers.into_iter()
    }

    /// Initialises a variable of a new process, or its channels.
    fn initialise(
        &mut self,
        variable: &Variable,
        declaration: Declaration,
        first: u32,
        child: usize,
        own: &mut OwnChannels,
        ways: &mut Vec<Vec<Instruction>>,
    ) {
        let size = self.spans.size(variable.ty);
        let length = variable.length.unwrap_or(1);
        if let Type::Struct(id) = variable.ty {
            let fields = &self.machine.model().structs[id.index()].fields;
            for element in 0..length {
                for (at, field) in fields.iter().enumerate() {
                    let first = first + element * size + self.spans.structs[id.index()].fields[at];
                    let declaration = Declaration::Field(id.index(), at);
                    self.initialise(field, declaration, first, child, own, ways);
                }
            }
            return;
        }
        let scalar = self.machine.layout().element(variable.ty, variable.length);
        match &variable.init {
            Init::Zero => {}
            Init::Value(value) => {
                let value = self.expr(value, Some(child));
                let value = self.cut(value, scalar);
                for element in 0..length {
                    let action = set(FactorId(first + element), value.clone());
                    ways.iter_mut().for_each(|way| way.push(action.clone()));
                }
            }
            Init::List(values) => {
                for (element, value) in (0..length).zip(values) {
                    let value = self.expr(value, Some(child));
                    let action = set(FactorId(first + element), self.cut(value, scalar));
                    ways.iter_mut().for_each(|way| way.push(action.clone()));
                }
            }
            Init::Channel(_) => {
                let declared = self.machine.channel_declared(declaration);
                for element in 0..length {
                    let known = own.next();
                    self.give_channel(FactorId(first + element), declared, child, known, ways);
                }
            }
        }
    }

    /// A variable of a new process gets a channel of its own.
    fn give_channel(
        &mut self,
        factor: FactorId,
        declared: usize,
        child: usize,
        numbered: Option<i32>,
        ways: &mut Vec<Vec<Instruction>>,
    ) {
        let member = &self.instances.processes[child];
        let at = (factor.0 - member.locals.0) as usize;
        let is_known = !self.instances.shifts() && !self.instances.is_recreated(child);
        let known = member.initial.as_ref().filter(|_| is_known).map(|initial| initial[at]);
        let values: Vec<i32> = match numbered.or(known) {
            Some(number) => vec![number],
            // The channel is unknown: any channel that is declared in a process.
            None => {
                let own = |queue: &&ChannelInstance| {
                    queue.owner.is_some() && queue.declaration == declared
                };
                self.instances.queues.iter().filter(own).map(|queue| queue.value).collect()
            }
        };
        if ways.len() * values.len() > MOST_CHOICES {
            let least = values.iter().min().map_or(0, |&value| i64::from(value));
            let greatest = values.iter().max().map_or(0, |&value| i64::from(value));
            let any = FactorExpr::Any(Interval { least, greatest });
            ways.iter_mut().for_each(|way| way.push(set(factor, any.clone())));
            return;
        }
        let before = std::mem::take(ways);
        for way in before {
            for &value in &values {
                let mut way = way.clone();
                way.push(set(factor, FactorExpr::Const(value)));
                ways.push(way);
            }
        }
    }
}
