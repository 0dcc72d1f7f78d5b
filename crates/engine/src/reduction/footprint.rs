//! The footprint of an edge: what its statements touch, and what its first one waits for.

use beeline_promela::hir::{
    Access, BinaryOp, DeclaredValue, Expr, ExprKind, Init, ProcessId, RecvArg, Root,
};

use super::expressions::Wanted;
use super::meant::End;
use super::objects::{Bits, Objects};
use super::touch::{Needs, Touch};
use crate::automata::{Action, Automaton, Edge, Moving, Step, assigned};
use crate::constants::Constants;
use crate::interpreter::{Machine, Now, uses_channels};

/// A process whose footprints are looked for.
#[derive(Clone, Copy)]
pub(super) struct Walker<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a Constants,
    pub(super) objects: Objects,
    /// `_nr_pr` is asked for somewhere.
    pub(super) counts_processes: bool,
    /// It matters whether an assertion fails. Its process goes on either way.
    pub(super) heeds_assertions: bool,
    /// The only guard at the entry of a `d_step` counts, unless someone tests whether it does.
    pub(super) heeds_entries: bool,
    /// It counts that the value wanted depends on how many messages there are.
    pub(super) heeds_counts: bool,
    /// A state of the model. What never changes is read there.
    pub(super) now: &'a Now,
    pub(super) process: ProcessId,
    /// Which process it is there; `None` for any of its type.
    pub(super) pid: Option<usize>,
    /// It is about to move in that state, so that its first statement finds its own variables as
    /// they are there. Otherwise only those are known that never change.
    pub(super) is_there: bool,
}

/// What an edge touches and waits for, without what follows it.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) touch: Touch,
    /// What its first statement waits for.
    pub(super) needs: Needs,
    /// What decides whether its first statement is possible, for someone who wants it to be
    /// and for someone who does not.
    pub(super) asks: Needs,
    /// It waits until nobody else can move.
    pub(super) is_timeout: bool,
    /// The channel of which its first statement takes the first message, if that is one that it
    /// wants. While there is a message, another one does not help.
    pub(super) picks: Option<usize>,
    /// The tails of the rendezvous over which it may hand a message over, and from which its
    /// first statement may take one.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// Its first statement can do nothing but hand a message over, or take one that is.
    pub(super) only_hands: bool,
    pub(super) only_takes: bool,
}

/// Where an edge stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// At the begin of a way: if it is not possible, it does not happen.
    First,
    /// Behind another edge: if it is not possible, something else happens.
    Later,
}

impl Walker<'_> {
    /// The footprint of an edge of this process.
    pub(super) fn footprint(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        standing: Standing,
    ) -> Footprint {
        let none = self.objects.none();
        let mut print = Footprint {
            touch: Touch::nothing(self.objects),
            needs: Needs::nothing(self.objects),
            asks: Needs::nothing(self.objects),
            is_timeout: false,
            picks: None,
            hands: none.clone(),
            takes: none,
            only_hands: false,
            only_takes: false,
        };
        let first = &edge.steps[0].action;
        let later = Walker { is_there: false, ..*self };
        if let Action::DStep = first {
            later.d_step(automaton, edge, standing, &mut print);
        } else {
            self.action(first, standing, &mut print);
            self.ask(first, &mut print);
        }
        for step in &edge.steps[1..] {
            later.action(&step.action, Standing::Later, &mut print);
        }
        if let Some(provided) = &self.machine.model().process(self.process).provided {
            later.depend(provided, &mut print.touch);
            later.want(provided, Wanted::Either, &mut print.needs);
            later.want(provided, Wanted::Either, &mut print.asks);
        }
        if self.machine.has_exclusives() {
            self.promises(automaton, edge, &mut print);
        }
        print
    }

    /// Whether a channel may be used depends on who is there to have it alone.
    fn promises(&self, automaton: &Automaton, edge: &Edge, print: &mut Footprint) {
        let inside = automaton.d_steps.iter().filter(|inside| inside.edge == edge.id);
        let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
        let steps: Vec<&Step> = edges.flat_map(|edge| &edge.steps).collect();
        if steps.iter().any(|step| uses_channels(&step.action)) {
            print.touch.reads.insert(self.objects.births());
            print.touch.reads.insert_all(self.objects.deaths());
        }
        // From here on the process has a channel alone, although no variable changes.
        let is_promised = |(local, _)| self.machine.is_promised(self.process, Root::Local(local));
        let settles = |step: &&Step| matches!(step.action, Action::Move(Moving::Settled));
        let mut written = steps.into_iter().filter(settles).map(|step| assigned(step.written()));
        if written.any(|assigned| assigned.is_some_and(is_promised)) {
            print.touch.write(self.objects.births());
        }
    }

    /// All of its inside, of which the first statements decide whether it is possible. If there is
    /// only one of these, a guard that nothing inside leads back to, it is like any other guard.
    fn d_step(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        standing: Standing,
        print: &mut Footprint,
    ) {
        let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
        let inside = inside.expect("every d_step edge has its inside");
        let entries = inside.edges.iter().filter(|inner| inner.from == inside.entry).count();
        let is_passed_once =
            entries == 1 && inside.edges.iter().all(|inner| inner.to != inside.entry);
        let mut guard = None;
        for inner in &inside.edges {
            let mut steps = inner.steps.iter();
            if inner.from == inside.entry {
                let first = &inner.steps[0].action;
                self.ask(first, print);
                if is_passed_once && matches!(first, Action::Guard(_)) {
                    guard = steps.next().map(|step| &step.action);
                }
            }
            steps.for_each(|step| self.action(&step.action, Standing::Later, print));
        }
        print.needs = print.asks.clone();
        if let Some(guard) = guard {
            print.needs = Needs::nothing(self.objects);
            if self.heeds_entries {
                self.action(guard, standing, print);
            }
        }
        // While it is inside, no rendezvous takes place.
        print.hands = self.objects.none();
        print.only_takes = false;
    }

    /// Adds what decides whether a first statement is possible.
    fn ask(&self, action: &Action, print: &mut Footprint) {
        match action {
            Action::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                print.asks.things.insert_all(self.objects.deaths());
                print.asks.things.insert(self.objects.births());
            }
            Action::Guard(condition) => self.want(condition, Wanted::Either, &mut print.asks),
            Action::Send { channel, args, .. } => {
                self.end(channel, End::Both, &mut print.asks.things);
                self.variable(channel, &mut print.asks);
                args.iter().for_each(|arg| self.want(arg, Wanted::Either, &mut print.asks));
                // Whether someone is there to take it is no matter of things.
                print.asks.is_wild |= self.may_meet(channel);
            }
            Action::Receive { channel, args, .. } => {
                self.end(channel, End::Both, &mut print.asks.things);
                self.variable(channel, &mut print.asks);
                self.matched(args, &mut print.asks);
            }
            Action::End => print.asks.is_wild = true,
            _ => {}
        }
    }

    fn action(&self, action: &Action, standing: Standing, print: &mut Footprint) {
        let is_first = standing == Standing::First;
        match action {
            // What `else` depends on is what its siblings ask for.
            Action::Move(_) | Action::Else | Action::Print { .. } | Action::PrintM(_) => {}
            Action::Guard(Expr { kind: ExprKind::Run { process, args, .. }, .. }) => {
                self.run(*process, args, print);
                print.needs.things.insert_all(self.objects.deaths());
            }
            Action::Guard(condition) if is_first => {
                print.is_timeout = waits_for_timeout(condition);
                self.keep(condition, Wanted::Yes, &mut print.touch);
                self.want(condition, Wanted::Yes, &mut print.needs);
            }
            Action::Assert(condition) if !self.heeds_assertions && has_value(condition) => {}
            Action::Guard(condition) | Action::Assert(condition) => {
                self.depend(condition, &mut print.touch);
            }
            Action::Assign { target, value } if let Some(more) = self.added(target, value) => {
                self.depend(more, &mut print.touch);
                self.count(target, &mut print.touch);
            }
            Action::Assign { target, value } => {
                match &value.kind {
                    ExprKind::Run { process, args, .. } => self.run(*process, args, print),
                    _ => self.depend(value, &mut print.touch),
                }
                match self.given(target, value) {
                    Some(value) => self.set(target, value, &mut print.touch),
                    None => self.change(target, &mut print.touch),
                }
            }
            Action::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => self.depend(value, &mut print.touch),
                Some(DeclaredValue::List(values)) => {
                    values.iter().for_each(|value| self.depend(value, &mut print.touch));
                }
                None => {}
            },
            Action::Send { channel, sorted, args } => {
                args.iter().for_each(|arg| self.depend(arg, &mut print.touch));
                self.send(channel, *sorted, args, standing, print);
            }
            Action::Receive { channel, random, peek, args } => {
                self.receive(channel, *random, *peek, args, standing, print);
            }
            Action::SetPriority(..) => print.touch.is_wild = true,
            Action::End => self.end_of_process(print),
            Action::DStep => unreachable!("what is inside counts"),
        }
    }

    fn send(
        &self,
        channel: &Access,
        sorted: bool,
        args: &[Expr],
        standing: Standing,
        print: &mut Footprint,
    ) {
        let loses = self.machine.loses_messages();
        self.follow(channel, &mut print.touch);
        let all = if sorted || loses { End::Both } else { End::Tail };
        self.end(channel, all, &mut print.touch.writes);
        self.end(channel, all, &mut print.touch.gives);
        let meets = self.may_meet(channel);
        if meets || loses || standing == Standing::Later {
            self.end(channel, End::Head, &mut print.touch.reads);
        }
        if standing == Standing::First {
            self.end(channel, End::Head, &mut print.needs.things);
            self.variable(channel, &mut print.needs);
        }
        if meets {
            // Whether the message is one that somebody wants.
            args.iter().for_each(|arg| self.want(arg, Wanted::Either, &mut print.needs));
            self.end(channel, End::Tail, &mut print.hands);
            print.only_hands = self.must_meet(channel);
        }
    }

    fn receive(
        &self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        standing: Standing,
        print: &mut Footprint,
    ) {
        self.follow(channel, &mut print.touch);
        for arg in args {
            match arg {
                RecvArg::Store(target) => self.change(target, &mut print.touch),
                RecvArg::Match(value) | RecvArg::Eval(value) => {
                    self.depend(value, &mut print.touch);
                }
            }
        }
        if peek {
            self.end(channel, End::Head, &mut print.touch.reads);
        } else {
            self.end(channel, End::Head, &mut print.touch.writes);
            self.end(channel, End::Head, &mut print.touch.gives);
        }
        let meets = self.may_meet(channel);
        if meets || standing == Standing::Later {
            self.end(channel, End::Tail, &mut print.touch.reads);
        }
        if standing == Standing::First {
            let picks = args.iter().any(|arg| !matches!(arg, RecvArg::Store(_)));
            let end = if picks && !random { End::Both } else { End::Tail };
            self.end(channel, end, &mut print.needs.things);
            self.variable(channel, &mut print.needs);
            let mut wanted = Needs::nothing(self.objects);
            self.matched(args, &mut wanted);
            print.needs.add(&wanted);
            if meets {
                self.end(channel, End::Tail, &mut print.takes);
                print.only_takes = self.must_meet(channel);
            } else if picks && !random {
                // Unless a message more changes what is wanted.
                let tail = |channel: &usize| self.objects.tail(*channel);
                let counts =
                    |channel: &usize| self.heeds_counts && wanted.things.contains(tail(channel));
                print.picks = self.buffer(channel).filter(|channel| !counts(channel));
            }
        }
    }

    /// Adds what the values are compared with that a message must have.
    pub(super) fn matched(&self, args: &[RecvArg], needs: &mut Needs) {
        for arg in args {
            if let RecvArg::Match(value) | RecvArg::Eval(value) = arg {
                self.want(value, Wanted::Either, needs);
            }
        }
    }

    fn run(&self, process: ProcessId, args: &[Expr], print: &mut Footprint) {
        args.iter().for_each(|arg| self.depend(arg, &mut print.touch));
        print.touch.write(self.objects.births());
        if self.counts_processes {
            print.touch.write(self.objects.nr_pr());
        }
        let child = Walker { process, pid: None, is_there: false, ..*self };
        for local in &self.machine.model().process(process).locals {
            match &local.init {
                Init::Value(value) => child.depend(value, &mut print.touch),
                Init::List(values) => {
                    values.iter().for_each(|value| child.depend(value, &mut print.touch));
                }
                Init::Zero | Init::Channel(_) => {}
            }
        }
    }

    /// A process ends when its younger siblings are gone, and its channels go with it.
    fn end_of_process(&self, print: &mut Footprint) {
        print.touch.reads.insert(self.objects.births());
        match self.pid {
            Some(pid) => {
                print.touch.gives.insert(self.objects.death(pid));
                print.needs.things.insert(self.objects.death(pid + 1));
            }
            None => {
                print.touch.gives.insert_all(self.objects.deaths());
                print.needs.things.insert_all(self.objects.deaths());
            }
        }
        if self.counts_processes {
            print.touch.write(self.objects.nr_pr());
        }
        if self.machine.has_exclusives() {
            match self.pid {
                Some(pid) => print.touch.writes.insert(self.objects.death(pid)),
                None => print.touch.writes.insert_all(self.objects.deaths()),
            }
        }
        match self.pid {
            Some(pid) => {
                for channel in self.machine.channels_of(self.now, pid) {
                    print.touch.writes.insert(self.objects.tail(channel));
                    print.touch.write(self.objects.head(channel));
                }
            }
            None => print.touch.writes.insert_all(self.objects.channels()),
        }
    }
}

/// Whether an expression has a value in every state: nothing can fail on the way to it.
fn has_value(expr: &Expr) -> bool {
    !expr.any(|part| match &part.kind {
        ExprKind::Const(_) | ExprKind::Mtype { .. } | ExprKind::Conditional(..) => false,
        ExprKind::Unary(..) => false,
        ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Divide | BinaryOp::Modulo),
        ExprKind::Read(access) => {
            access.index.is_some() || access.path.iter().any(|field| field.index.is_some())
        }
        _ => true,
    })
}

/// Whether a condition is true only when nobody else can move.
fn waits_for_timeout(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Timeout => true,
        ExprKind::Binary(BinaryOp::And, left, right) => {
            waits_for_timeout(left) || waits_for_timeout(right)
        }
        _ => false,
    }
}
