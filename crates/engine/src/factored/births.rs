//! How processes come to be, in factors.

use beeline_factored::{Action, Expr, FactorId, Interval};
use beeline_promela::hir::{self, Init, ProcessId, Type, Variable};

use super::build::{Builder, assign, set};
use super::crew::Queue;
use crate::automata::{EdgeId, Location};
use crate::layout::Declaration;

/// More choices of channels than this for a new process are not told apart.
const MOST_CHOICES: usize = 64;

/// One way in which a process can come to be.
#[derive(Clone)]
pub(super) struct Born {
    pub(super) actions: Vec<Action>,
    /// Its number.
    pub(super) pid: Expr,
}

impl Builder<'_> {
    /// The ways in which a `run` can start a process.
    pub(super) fn births(
        &mut self,
        process: ProcessId,
        args: &[hir::Expr],
        (edge, place): (EdgeId, Location),
        who: usize,
    ) -> Vec<Born> {
        let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg, Some(who))).collect();
        let mut found = Vec::new();
        let planned = if who == self.crew.spawner { self.crew.births.clone() } else { Vec::new() };
        let planned: Vec<_> = planned
            .into_iter()
            .filter(|birth| (birth.edge, birth.place) == (edge, place))
            .collect();
        let spawner = self.crew.members[who].clone();
        for birth in &planned {
            let mut when = Vec::new();
            if let Some(values) = birth.when.as_ref().filter(|_| planned.len() > 1) {
                for (at, &value) in values.iter().enumerate() {
                    let local = FactorId(spawner.locals.0 + at as u32);
                    when.push(Action::Require(Expr::Factor(local).equals(value)));
                }
            }
            for &child in &birth.children {
                let location = self.crew.members[child].location;
                let mut before = when.clone();
                before.push(Action::Require(Expr::Factor(location).equals(0)));
                self.born(child, &args, before, &mut found);
            }
        }
        let beyond = self.crew.is_beyond_plan(who, edge) || self.crew.shifts();
        if let Some(crowd) = self.crew.crowd(process).filter(|_| beyond) {
            if self.crew.queues.iter().any(Queue::is_crowd) {
                // There may be too many channels.
                self.failing.push(Expr::Any(Interval::TRUTH));
            }
            self.born(crowd, &args, Vec::new(), &mut found);
        }
        if self.crew.is_beyond_plan(who, edge) {
            for child in self.crew.reborn(process) {
                let absent = Expr::Factor(self.crew.members[child].location).equals(0);
                self.born(child, &args, vec![Action::Require(absent)], &mut found);
            }
        }
        found
    }

    /// Adds the ways in which a member comes to be.
    fn born(&mut self, child: usize, args: &[Expr], before: Vec<Action>, found: &mut Vec<Born>) {
        let member = self.crew.members[child].clone();
        let declared = self.machine.model().process(member.process);
        let automaton = self.machine.automaton(member.process);
        let mut all = vec![assign(member.location, Expr::Const(automaton.start.0 as i32))];
        let params = &declared.locals[..declared.params as usize];
        let types: Vec<Type> = params.iter().map(|param| param.ty).collect();
        let scalars = self.machine.layout().scalars(self.machine.model(), &types);
        for (at, scalar) in scalars.into_iter().enumerate() {
            let value = args.get(at).cloned().unwrap_or(Expr::Const(0));
            let value = self.cut(value, scalar);
            all.push(assign(FactorId(member.locals.0 + at as u32), value));
        }
        let mut ways = vec![before];
        ways[0].push(Action::Set(all));
        let machine = self.machine;
        for (at, local) in machine.locals_in_states(member.process).skip(declared.params as usize) {
            let offset = self.spans.locals[member.process.index()][at];
            let declaration = Declaration::Local(member.process.index(), at);
            self.initialise(local, declaration, member.locals.0 + offset, child, &mut ways);
        }
        let most = self.machine.layout().frame.most_processes as i64;
        let pid = match member.pid {
            Some(pid) => Expr::Const(pid as i32),
            None => Expr::Any(Interval { least: 0, greatest: most }),
        };
        found.extend(ways.into_iter().map(|actions| Born { actions, pid: pid.clone() }));
    }

    /// Gives a variable of a new process its first value, or its channels.
    fn initialise(
        &mut self,
        variable: &Variable,
        declaration: Declaration,
        first: u32,
        child: usize,
        ways: &mut Vec<Vec<Action>>,
    ) {
        let size = self.spans.size(variable.ty);
        let length = variable.length.unwrap_or(1);
        if let Type::Struct(id) = variable.ty {
            let fields = &self.machine.model().structs[id.index()].fields;
            for element in 0..length {
                for (at, field) in fields.iter().enumerate() {
                    let first = first + element * size + self.spans.structs[id.index()].fields[at];
                    let declaration = Declaration::Field(id.index(), at);
                    self.initialise(field, declaration, first, child, ways);
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
                    self.give_channel(FactorId(first + element), declared, child, ways);
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
        ways: &mut Vec<Vec<Action>>,
    ) {
        let member = &self.crew.members[child];
        let at = (factor.0 - member.locals.0) as usize;
        let is_known = !self.crew.shifts() && !self.crew.is_reborn(child);
        let known = member.born.as_ref().filter(|_| is_known).map(|born| born[at]);
        let values: Vec<i32> = match known {
            Some(number) => vec![number],
            // Which one it is cannot be known: one of those that come with some process.
            None => {
                let own = |queue: &&Queue| queue.owner.is_some() && queue.declaration == declared;
                self.crew.queues.iter().filter(own).map(|queue| queue.value).collect()
            }
        };
        if ways.len() * values.len() > MOST_CHOICES {
            let least = values.iter().min().map_or(0, |&value| i64::from(value));
            let greatest = values.iter().max().map_or(0, |&value| i64::from(value));
            let any = Expr::Any(Interval { least, greatest });
            ways.iter_mut().for_each(|way| way.push(set(factor, any.clone())));
            return;
        }
        let before = std::mem::take(ways);
        for way in before {
            for &value in &values {
                let mut way = way.clone();
                way.push(set(factor, Expr::Const(value)));
                ways.push(way);
            }
        }
    }
}
