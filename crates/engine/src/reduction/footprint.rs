//! The footprint of an edge: what its statements touch, and what its first one waits for.

use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, DeclaredValue, Expr, ExprKind, Init, Predefined, ProcessId,
    RecvArg, Root, Type, UnaryOp,
};

use super::constants::Constants;
use super::meant::End;
use super::objects::{Bits, Objects};
use super::touch::{Needs, Touch};
use crate::automata::{Action, Automaton, Edge};
use crate::interpreter::{Machine, Now, apply, uses_channels};

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

/// Whether it is wanted that an expression is true.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Yes,
    No,
    /// Whatever it is, it should stay so.
    Either,
}

impl Wanted {
    pub(super) fn inverted(self) -> Wanted {
        match self {
            Wanted::Yes => Wanted::No,
            Wanted::No => Wanted::Yes,
            Wanted::Either => Wanted::Either,
        }
    }
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
            later.d_step(automaton, edge, &mut print);
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
        if edges.flat_map(|edge| &edge.steps).any(|step| uses_channels(&step.action)) {
            print.touch.reads.insert(self.objects.births());
            print.touch.reads.insert_all(self.objects.deaths());
        }
    }

    /// All of its inside, of which the first statements decide whether it is possible.
    fn d_step(&self, automaton: &Automaton, edge: &Edge, print: &mut Footprint) {
        let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
        let inside = inside.expect("every d_step edge has its inside");
        for inner in &inside.edges {
            if inner.from == inside.entry {
                self.ask(&inner.steps[0].action, print);
            }
            for step in &inner.steps {
                self.action(&step.action, Standing::Later, print);
            }
        }
        print.needs = print.asks.clone();
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
            self.matched(args, &mut print.needs);
            if meets {
                self.end(channel, End::Tail, &mut print.takes);
                print.only_takes = self.must_meet(channel);
            } else if picks && !random {
                print.picks = self.buffer(channel);
            }
        }
    }

    /// Adds what the values are compared with that a message must have.
    fn matched(&self, args: &[RecvArg], needs: &mut Needs) {
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

    /// Adds what the value of an expression depends on.
    fn depend(&self, expr: &Expr, touch: &mut Touch) {
        self.keep(expr, Wanted::Either, touch);
    }

    /// Adds what may make an expression other than wanted, if it is as wanted.
    fn keep(&self, expr: &Expr, wanted: Wanted, touch: &mut Touch) {
        reading(touch, |found| self.visit(expr, wanted, Change::Away, found));
    }

    /// Adds what may make an expression as wanted, if it is not.
    pub(super) fn want(&self, expr: &Expr, wanted: Wanted, needs: &mut Needs) {
        self.visit(expr, wanted, Change::Towards, needs);
    }

    /// Adds what the value of an expression depends on that is about no process.
    pub(super) fn look(&self, expr: &Expr, found: &mut Needs) {
        self.visit(expr, Wanted::Either, Change::Away, found);
    }

    fn visit(&self, expr: &Expr, wanted: Wanted, change: Change, found: &mut Needs) {
        let both = |one: &Expr, two: &Expr, wanted: Wanted, found: &mut Needs| {
            self.visit(one, wanted, change, found);
            self.visit(two, wanted, change, found);
        };
        if wanted != Wanted::Either
            && let Some((access, is_true)) = self.compared(expr)
        {
            let helps = |value: i32| is_true(value) == (wanted == Wanted::Yes);
            self.indices(access, found);
            if self.counts(access) {
                let picks = |value: i32| helps(value) == (change == Change::Towards);
                self.values(access, picks, &mut found.things);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Mtype { .. } => {}
            ExprKind::Read(access) => self.variable(access, found),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.visit(operand, wanted.inverted(), change, found);
            }
            ExprKind::Unary(_, operand) => self.visit(operand, Wanted::Either, change, found),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                both(left, right, wanted, found);
            }
            ExprKind::Binary(_, left, right) => both(left, right, Wanted::Either, found),
            ExprKind::Conditional(condition, yes, no) => {
                self.visit(condition, Wanted::Either, change, found);
                both(yes, no, Wanted::Either, found);
            }
            ExprKind::Channel(query, channel) => {
                self.variable(channel, found);
                self.end(channel, asked(*query, wanted, change), &mut found.things);
            }
            ExprKind::Poll { channel, args, .. } => {
                self.variable(channel, found);
                self.matched(args, found);
                // A message that is there stays until someone takes it.
                let stays = (wanted, change) == (Wanted::Yes, Change::Away);
                let end = if stays { End::Head } else { End::Both };
                self.end(channel, end, &mut found.things);
            }
            // Whoever may move, it does not come while someone else can.
            ExprKind::Timeout if wanted == Wanted::Yes => {}
            _ => found.is_wild = true,
        }
    }

    /// A global variable that is compared with a value that never changes, and for which of its
    /// values the comparison is true.
    fn compared<'e>(&self, expr: &'e Expr) -> Option<(&'e Access, impl Fn(i32) -> bool)> {
        let (access, op, other, is_left) = match &expr.kind {
            ExprKind::Read(access) => (access, BinaryOp::NotEqual, 0, true),
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                match (&left.kind, &right.kind) {
                    (ExprKind::Read(access), _) if matches!(access.root, Root::Global(_)) => {
                        (access, *op, self.settled(right)?, true)
                    }
                    (_, ExprKind::Read(access)) => (access, *op, self.settled(left)?, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_true = move |value: i32| {
            let (left, right) = if is_left { (value, other) } else { (other, value) };
            apply(op, left, right) == Ok(1)
        };
        matches!(access.root, Root::Global(_)).then_some((access, is_true))
    }

    /// Whether it matters what a global variable is: it changes, and someone reads it.
    fn counts(&self, access: &Access) -> bool {
        let Root::Global(id) = access.root else { return false };
        !self.constants.contains(self.process, access.root) && !self.machine.is_unread(id)
    }

    /// Adds a variable, if it changes at all, and what tells which element it is.
    fn variable(&self, access: &Access, found: &mut Needs) {
        self.indices(access, found);
        self.cells(access, found);
    }

    /// Adds what tells which element is meant.
    fn indices(&self, access: &Access, found: &mut Needs) {
        access.visit(&mut |index| match &index.kind {
            ExprKind::Read(inner) => self.cells(inner, found),
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => {}
            _ => found.is_wild = true,
        });
    }

    /// Adds the bytes of a variable, without what its indices read.
    fn cells(&self, access: &Access, found: &mut Needs) {
        match access.root {
            Root::Global(_) => {
                if self.counts(access) {
                    self.bytes(access, &mut found.things);
                }
            }
            Root::Local(_) => {}
            Root::Predefined(Predefined::Pid | Predefined::Scratch) => {}
            Root::Predefined(Predefined::NrPr) => found.things.insert(self.objects.nr_pr()),
            Root::Predefined(Predefined::Last | Predefined::Priority) => found.is_wild = true,
        }
    }

    /// Adds what tells which channel a variable holds.
    fn follow(&self, channel: &Access, touch: &mut Touch) {
        reading(touch, |found| self.variable(channel, found));
    }

    /// Adds a variable that is assigned, and what tells which element it is.
    fn change(&self, target: &Access, touch: &mut Touch) {
        reading(touch, |found| self.indices(target, found));
        match target.root {
            Root::Global(id) if !self.machine.is_unread(id) => {
                self.bytes(target, &mut touch.writes);
                self.bytes(target, &mut touch.gives);
            }
            Root::Predefined(Predefined::Priority) => touch.is_wild = true,
            // Another channel is had alone from now on.
            Root::Local(_) if self.machine.is_promised(self.process, target.root) => {
                touch.write(self.objects.births());
            }
            _ => {}
        }
    }

    /// The value that an assignment gives to a global variable of which only the root is named or
    /// an index, if it is always the same for this process.
    fn given(&self, target: &Access, value: &Expr) -> Option<i32> {
        let Root::Global(id) = target.root else { return None };
        if !target.path.is_empty() || matches!(value.kind, ExprKind::Run { .. }) {
            return None;
        }
        let variable = &self.machine.model().globals[id.index()];
        let value = self.settled(value)?;
        let stored = self.machine.layout().element(variable.ty, variable.length);
        (!matches!(variable.ty, Type::Struct(_))).then(|| stored.truncate(value))
    }

    /// The value of an expression that never changes.
    fn settled(&self, expr: &Expr) -> Option<i32> {
        Walker { is_there: false, ..*self }.value(expr)
    }

    /// Adds a variable that gets a value, and what tells which element it is.
    fn set(&self, target: &Access, value: i32, touch: &mut Touch) {
        let Some(becomes) = self.value_of(target, value) else {
            return self.change(target, touch);
        };
        reading(touch, |found| self.indices(target, found));
        if let Root::Global(id) = target.root
            && !self.machine.is_unread(id)
        {
            touch.sets.add(&becomes);
            touch.gives.add(&becomes);
            self.values(target, |other| other != value, &mut touch.reads);
        }
    }

    /// What an assignment adds to a variable, or takes from it, whatever it is.
    fn added<'e>(&self, target: &Access, value: &'e Expr) -> Option<&'e Expr> {
        let is_same = |expr: &Expr| {
            let ExprKind::Read(read) = &expr.kind else { return false };
            let element = |access: &Access| match &access.index {
                Some(index) => self.value(index),
                None => Some(0),
            };
            read.root == target.root
                && read.path.is_empty()
                && target.path.is_empty()
                && element(read).is_some_and(|known| element(target) == Some(known))
        };
        match &value.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) if is_same(left) => {
                Some(right)
            }
            ExprKind::Binary(BinaryOp::Add, left, right) if is_same(right) => Some(left),
            _ => None,
        }
    }

    /// Adds a variable to which something is added.
    fn count(&self, target: &Access, touch: &mut Touch) {
        reading(touch, |found| self.indices(target, found));
        if let Root::Global(id) = target.root
            && !self.machine.is_unread(id)
        {
            self.bytes(target, &mut touch.adds);
            self.bytes(target, &mut touch.gives);
        }
    }
}

/// Adds to what a step reads.
fn reading(touch: &mut Touch, add: impl FnOnce(&mut Needs)) {
    let mut found = Needs { things: std::mem::take(&mut touch.reads), is_wild: touch.is_wild };
    add(&mut found);
    (touch.reads, touch.is_wild) = (found.things, found.is_wild);
}

/// Which change of an expression is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// From what is wanted.
    Away,
    /// To what is wanted.
    Towards,
}

/// The end of a channel at which the answer to a query changes.
fn asked(query: ChannelQuery, wanted: Wanted, change: Change) -> End {
    let grows = match (query, wanted) {
        (ChannelQuery::Len, _) | (_, Wanted::Either) => return End::Both,
        (ChannelQuery::Full | ChannelQuery::NEmpty, Wanted::Yes)
        | (ChannelQuery::Empty | ChannelQuery::NFull, Wanted::No) => true,
        _ => false,
    };
    // It becomes true, or false, when a message more is there, or one less.
    match change {
        Change::Towards if grows => End::Tail,
        Change::Towards => End::Head,
        Change::Away if grows => End::Head,
        Change::Away => End::Tail,
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

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual)
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
