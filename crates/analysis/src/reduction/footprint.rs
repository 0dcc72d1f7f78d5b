//! The footprint of an edge: the accesses of its statements, and the conditions of its first one.

use beeline_engine::automata::{
    Automaton, Edge, EdgeAction, EdgeStep, JumpKind, assigned, uses_channels,
};
use beeline_promela::hir::{
    Access, BinaryOp, DeclaredValue, Expr, ExprKind, Init, ProcessId, RecvArg, Root,
};

use super::access_set::{AccessSet, EnablingSet};
use super::footprint_context::{ChannelEnd, EdgePosition, Footprint, FootprintContext, Wanted};

impl FootprintContext<'_> {
    /// The footprint of an edge of this process.
    pub(super) fn footprint(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        position: EdgePosition,
    ) -> Footprint {
        let none = self.objects.none();
        let mut print = Footprint {
            access_set: AccessSet::nothing(self.objects),
            needs: EnablingSet::nothing(self.objects),
            asks: EnablingSet::nothing(self.objects),
            is_timeout: false,
            picks: None,
            hands: none.clone(),
            takes: none,
            only_hands: false,
            only_takes: false,
        };
        let first = &edge.steps[0].action;
        let later = FootprintContext { is_there: false, ..*self };
        if let EdgeAction::DStep = first {
            later.d_step(automaton, edge, position, &mut print);
        } else {
            self.action(first, position, &mut print);
            self.ask(first, &mut print);
        }
        for step in &edge.steps[1..] {
            later.action(&step.action, EdgePosition::Later, &mut print);
        }
        if let Some(provided) = &self.machine.model().process(self.process).provided {
            later.depend(provided, &mut print.access_set);
            later.want(provided, Wanted::Either, &mut print.needs);
            later.want(provided, Wanted::Either, &mut print.asks);
        }
        if self.machine.has_exclusives() {
            self.exclusivity(automaton, edge, &mut print);
        }
        print
    }

    /// The allowed use of a channel depends on the processes that have it exclusively.
    fn exclusivity(&self, automaton: &Automaton, edge: &Edge, print: &mut Footprint) {
        let inside = automaton.d_steps.iter().filter(|inside| inside.edge == edge.id);
        let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
        let steps: Vec<&EdgeStep> = edges.flat_map(|edge| &edge.steps).collect();
        if steps.iter().any(|step| uses_channels(&step.action)) {
            print.access_set.reads.insert(self.objects.births());
            print.access_set.reads.insert_all(self.objects.deaths());
        }
        // From here on the process has a channel exclusively, although no variable changes.
        let is_promised = |(local, _)| self.machine.is_promised(self.process, Root::Local(local));
        let settles =
            |step: &&EdgeStep| matches!(step.action, EdgeAction::Move(JumpKind::KnownAssignment));
        let mut written = steps.into_iter().filter(settles).map(|step| assigned(step.written()));
        if written.any(|assigned| assigned.is_some_and(is_promised)) {
            print.access_set.write(self.objects.births());
        }
    }

    /// The whole inside of a `d_step`; its first statements decide whether it is enabled. A single
    /// one that is a guard, with no edge back to it, is treated like any other guard.
    fn d_step(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        position: EdgePosition,
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
                if is_passed_once && matches!(first, EdgeAction::Guard(_)) {
                    guard = steps.next().map(|step| &step.action);
                }
            }
            steps.for_each(|step| self.action(&step.action, EdgePosition::Later, print));
        }
        print.needs = print.asks.clone();
        if let Some(guard) = guard {
            print.needs = EnablingSet::nothing(self.objects);
            if self.entries_matter {
                self.action(guard, position, print);
            }
        }
        // While it is inside, no rendezvous takes place.
        print.hands = self.objects.none();
        print.only_takes = false;
    }

    /// Adds the objects that determine whether a first statement is enabled.
    fn ask(&self, action: &EdgeAction, print: &mut Footprint) {
        match action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                print.asks.things.insert_all(self.objects.deaths());
                print.asks.things.insert(self.objects.births());
            }
            EdgeAction::Guard(condition) => self.want(condition, Wanted::Either, &mut print.asks),
            EdgeAction::Send { channel, args, .. } => {
                self.end(channel, ChannelEnd::Both, &mut print.asks.things);
                self.variable(channel, &mut print.asks);
                args.iter().for_each(|arg| self.want(arg, Wanted::Either, &mut print.asks));
                // Whether a receiver is ready depends on locations, not on objects.
                print.asks.is_wild |= self.may_meet(channel);
            }
            EdgeAction::Receive { channel, args, .. } => {
                self.end(channel, ChannelEnd::Both, &mut print.asks.things);
                self.variable(channel, &mut print.asks);
                self.matched(args, &mut print.asks);
            }
            EdgeAction::End => print.asks.is_wild = true,
            _ => {}
        }
    }

    fn action(&self, action: &EdgeAction, position: EdgePosition, print: &mut Footprint) {
        let is_first = position == EdgePosition::First;
        match action {
            // `else` depends on the conditions of its siblings.
            EdgeAction::Move(_)
            | EdgeAction::Else
            | EdgeAction::Print { .. }
            | EdgeAction::PrintM(_) => {}
            EdgeAction::Guard(Expr { kind: ExprKind::Run { process, args, .. }, .. }) => {
                self.run(*process, args, print);
                print.needs.things.insert_all(self.objects.deaths());
            }
            EdgeAction::Guard(condition) if is_first => {
                print.is_timeout = waits_for_timeout(condition);
                self.keep(condition, Wanted::Yes, &mut print.access_set);
                self.want(condition, Wanted::Yes, &mut print.needs);
            }
            EdgeAction::Assert(condition) if !self.assertions_matter && has_value(condition) => {}
            EdgeAction::Guard(condition) | EdgeAction::Assert(condition) => {
                self.depend(condition, &mut print.access_set);
            }
            EdgeAction::Assign { target, value } if let Some(more) = self.added(target, value) => {
                self.depend(more, &mut print.access_set);
                self.count(target, &mut print.access_set);
            }
            EdgeAction::Assign { target, value } => {
                match &value.kind {
                    ExprKind::Run { process, args, .. } => self.run(*process, args, print),
                    _ => self.depend(value, &mut print.access_set),
                }
                match self.given(target, value) {
                    Some(value) => self.set(target, value, &mut print.access_set),
                    None => self.change(target, &mut print.access_set),
                }
            }
            EdgeAction::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => self.depend(value, &mut print.access_set),
                Some(DeclaredValue::List(values)) => {
                    values.iter().for_each(|value| self.depend(value, &mut print.access_set));
                }
                None => {}
            },
            EdgeAction::Send { channel, sorted, args } => {
                args.iter().for_each(|arg| self.depend(arg, &mut print.access_set));
                self.send(channel, *sorted, args, position, print);
            }
            EdgeAction::Receive { channel, random, peek, args } => {
                self.receive(channel, *random, *peek, args, position, print);
            }
            EdgeAction::SetPriority(..) => print.access_set.is_wild = true,
            EdgeAction::End => self.end_of_process(print),
            EdgeAction::DStep => unreachable!("what is inside counts"),
        }
    }

    fn send(
        &self,
        channel: &Access,
        sorted: bool,
        args: &[Expr],
        position: EdgePosition,
        print: &mut Footprint,
    ) {
        let loses = self.machine.loses_messages();
        self.follow(channel, &mut print.access_set);
        let all = if sorted || loses { ChannelEnd::Both } else { ChannelEnd::Tail };
        self.end(channel, all, &mut print.access_set.writes);
        self.end(channel, all, &mut print.access_set.gives);
        let meets = self.may_meet(channel);
        if meets || loses || position == EdgePosition::Later {
            self.end(channel, ChannelEnd::Head, &mut print.access_set.reads);
        }
        if position == EdgePosition::First {
            self.end(channel, ChannelEnd::Head, &mut print.needs.things);
            self.variable(channel, &mut print.needs);
        }
        if meets {
            // The receiver may compare the values of the message.
            args.iter().for_each(|arg| self.want(arg, Wanted::Either, &mut print.needs));
            self.end(channel, ChannelEnd::Tail, &mut print.hands);
            print.only_hands = self.must_meet(channel);
        }
    }

    fn receive(
        &self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        position: EdgePosition,
        print: &mut Footprint,
    ) {
        self.follow(channel, &mut print.access_set);
        for arg in args {
            match arg {
                RecvArg::Store(target) => self.change(target, &mut print.access_set),
                RecvArg::Match(value) | RecvArg::Eval(value) => {
                    self.depend(value, &mut print.access_set);
                }
            }
        }
        if peek {
            self.end(channel, ChannelEnd::Head, &mut print.access_set.reads);
        } else {
            self.end(channel, ChannelEnd::Head, &mut print.access_set.writes);
            self.end(channel, ChannelEnd::Head, &mut print.access_set.gives);
        }
        let meets = self.may_meet(channel);
        if meets || position == EdgePosition::Later {
            self.end(channel, ChannelEnd::Tail, &mut print.access_set.reads);
        }
        if position == EdgePosition::First {
            let picks = args.iter().any(|arg| !matches!(arg, RecvArg::Store(_)));
            let end = if picks && !random { ChannelEnd::Both } else { ChannelEnd::Tail };
            self.end(channel, end, &mut print.needs.things);
            self.variable(channel, &mut print.needs);
            let mut wanted = EnablingSet::nothing(self.objects);
            self.matched(args, &mut wanted);
            print.needs.add(&wanted);
            if meets {
                self.end(channel, ChannelEnd::Tail, &mut print.takes);
                print.only_takes = self.must_meet(channel);
            } else if picks && !random {
                // Unless another message changes the compared value.
                let tail = |channel: &usize| self.objects.tail(*channel);
                let counts =
                    |channel: &usize| self.counts_matter && wanted.things.contains(tail(channel));
                print.picks = self.buffer(channel).filter(|channel| !counts(channel));
            }
        }
    }

    /// Adds the objects that the compared values of a receive depend on.
    pub(super) fn matched(&self, args: &[RecvArg], needs: &mut EnablingSet) {
        for arg in args {
            if let RecvArg::Match(value) | RecvArg::Eval(value) = arg {
                self.want(value, Wanted::Either, needs);
            }
        }
    }

    fn run(&self, process: ProcessId, args: &[Expr], print: &mut Footprint) {
        args.iter().for_each(|arg| self.depend(arg, &mut print.access_set));
        print.access_set.write(self.objects.births());
        if self.counts_processes {
            print.access_set.write(self.objects.nr_pr());
        }
        let child = FootprintContext { process, pid: None, is_there: false, ..*self };
        for local in &self.machine.model().process(process).locals {
            match &local.init {
                Init::Value(value) => child.depend(value, &mut print.access_set),
                Init::List(values) => {
                    values.iter().for_each(|value| child.depend(value, &mut print.access_set));
                }
                Init::Zero | Init::Channel(_) => {}
            }
        }
    }

    /// A process ends after its younger siblings; its channels end with it.
    fn end_of_process(&self, print: &mut Footprint) {
        print.access_set.reads.insert(self.objects.births());
        match self.pid {
            Some(pid) => {
                print.access_set.gives.insert(self.objects.death(pid));
                print.needs.things.insert(self.objects.death(pid + 1));
            }
            None => {
                print.access_set.gives.insert_all(self.objects.deaths());
                print.needs.things.insert_all(self.objects.deaths());
            }
        }
        if self.counts_processes {
            print.access_set.write(self.objects.nr_pr());
        }
        if self.machine.has_exclusives() {
            match self.pid {
                Some(pid) => print.access_set.writes.insert(self.objects.death(pid)),
                None => print.access_set.writes.insert_all(self.objects.deaths()),
            }
        }
        match self.pid {
            Some(pid) => {
                for channel in self.machine.channels_of(self.now, pid) {
                    print.access_set.writes.insert(self.objects.tail(channel));
                    print.access_set.write(self.objects.head(channel));
                }
            }
            None => print.access_set.writes.insert_all(self.objects.channels()),
        }
    }
}

/// Whether an expression has a value in every state: its evaluation cannot fail.
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

/// Whether a condition is true only if no other process can move.
fn waits_for_timeout(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Timeout => true,
        ExprKind::Binary(BinaryOp::And, left, right) => {
            waits_for_timeout(left) || waits_for_timeout(right)
        }
        _ => false,
    }
}
