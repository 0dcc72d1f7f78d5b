//! Moves: what can happen next, and what it leads to.

use std::collections::HashSet;

use beeline_kernel::FaultKind;
use beeline_promela::hir::{DeclaredValue, Expr, ExprKind, LocalId, RecvArg};

use super::account::{Account, Deed, Passed};
use super::eval::Asker;
use super::machine::{Machine, Now};
use super::trace::Event;
use crate::automata::{Action, Automaton, Edge, EdgeId, Location, Step};
use crate::frame::LAST;

/// One edge executed, or two that meet in a rendezvous.
#[derive(Clone, Debug)]
pub struct Move {
    /// The process that moves.
    pub pid: usize,
    /// Its edge.
    pub edge: EdgeId,
    /// Who receives, and by which edge, in a rendezvous.
    pub partner: Option<(usize, EdgeId)>,
    /// The state afterwards; of no use after a fault that cannot be survived.
    pub next: Now,
    /// What went wrong on the way.
    pub fault: Option<FaultKind>,
}

/// What can happen in a state.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The moves, in the order SPIN tries them.
    pub moves: Vec<Move>,
    /// Nobody can move, and somebody does not rest where resting is allowed.
    pub deadlock: bool,
}

/// How an edge fared.
pub(super) enum Outcome {
    Blocked,
    Done(Now, Option<FaultKind>),
    /// Offers a message; the state is that after the sender's move.
    Offer(Now, usize, Vec<i32>),
}

/// A message handed over.
#[derive(Clone, Copy)]
pub(super) struct Offered<'a> {
    pub(super) channel: usize,
    pub(super) message: &'a [i32],
}

impl Machine<'_> {
    /// The moves of a state. When one process has exclusive control but cannot
    /// move, it loses control: then `Err` holds the state without it.
    pub fn moves(&self, now: &Now) -> Result<Moves, Box<Now>> {
        for timeout in [false, true] {
            let mut moves = Vec::new();
            match now.exclusive() {
                Some(pid) => self.process_moves(now, pid, timeout, &mut moves),
                None => {
                    for pid in (0..now.process_count()).rev() {
                        self.process_moves(now, pid, timeout, &mut moves);
                    }
                }
            }
            if !moves.is_empty() {
                return Ok(Moves { moves, deadlock: false });
            }
            if now.exclusive().is_some() {
                let mut released = now.clone();
                released.set_exclusive(None);
                return Err(Box::new(released));
            }
            if now.process_count() == 0 {
                let deadlock = self.ends_empty && !self.is_valid_end(now);
                return Ok(Moves { moves, deadlock });
            }
        }
        Ok(Moves { moves: Vec::new(), deadlock: !self.is_valid_end(now) })
    }

    /// What a process can do, unless all wait for a timeout.
    pub fn steps_of(&self, now: &Now, pid: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        self.process_moves(now, pid, false, &mut moves);
        moves
    }

    pub(super) fn process_moves(
        &self,
        now: &Now,
        pid: usize,
        timeout: bool,
        moves: &mut Vec<Move>,
    ) {
        let asker = Asker { pid, timeout };
        match self.provided(now, asker) {
            Ok(true) => {}
            Ok(false) => return,
            // Nobody can tell whether the process may move: that is a move that fails.
            Err(fault) => {
                let edges = self.automaton(now.process(pid)).edges_from(now.location(pid));
                moves.extend(edges.first().map(|edge| Move {
                    pid,
                    edge: edge.id,
                    partner: None,
                    next: now.clone(),
                    fault: Some(fault),
                }));
                return;
            }
        }
        if self.has_priorities && self.is_outranked(now, pid) {
            return;
        }
        let automaton = self.automaton(now.process(pid));
        let mut escaped: Option<Location> = None;
        let mut moved = false;
        for edge in automaton.edges_from(now.location(pid)) {
            // An escape that can move shuts out everything but its own alternatives.
            if escaped.is_some() && escaped != edge.escape {
                break;
            }
            if is_else(edge) && moved {
                continue;
            }
            match self.execute(automaton, edge, now, asker, None) {
                Outcome::Blocked => continue,
                Outcome::Done(next, fault) => {
                    moved = true;
                    let next = self.finish(next, pid, edge);
                    moves.push(Move { pid, edge: edge.id, partner: None, next, fault });
                }
                Outcome::Offer(next, channel, message) => {
                    let offered = Offered { channel, message: &message };
                    if !self.receivers(&next, pid, edge.id, offered, timeout, moves) {
                        continue;
                    }
                }
            }
            escaped = edge.escape;
        }
    }

    /// Whether the `provided` clause of a process lets it move.
    pub(super) fn provided(&self, now: &Now, asker: Asker) -> Result<bool, FaultKind> {
        match &self.model.process(now.process(asker.pid)).provided {
            Some(provided) => Ok(self.eval(provided, now, asker)? != 0),
            None => Ok(true),
        }
    }

    /// Whether a process of higher priority could move.
    pub(super) fn is_outranked(&self, now: &Now, pid: usize) -> bool {
        let own = now.priority(pid);
        (0..now.process_count()).any(|other| now.priority(other) > own && self.can_move(now, other))
    }

    /// Whether some edge of a process is executable, taking the other side of a
    /// rendezvous send for granted: `enabled(pid)`.
    pub(super) fn can_move(&self, now: &Now, pid: usize) -> bool {
        let asker = Asker { pid, timeout: false };
        let automaton = self.automaton(now.process(pid));
        let edges = automaton.edges_from(now.location(pid));
        edges.iter().any(|edge| {
            !matches!(self.execute(automaton, edge, now, asker, None), Outcome::Blocked)
        })
    }

    /// Everyone who can take an offered message. Whether there is anyone.
    fn receivers(
        &self,
        offered_state: &Now,
        sender: usize,
        sent: EdgeId,
        offered: Offered<'_>,
        timeout: bool,
        moves: &mut Vec<Move>,
    ) -> bool {
        let before = moves.len();
        for pid in (0..offered_state.process_count()).rev().filter(|&pid| pid != sender) {
            let asker = Asker { pid, timeout };
            if self.provided(offered_state, asker) != Ok(true) {
                continue;
            }
            let automaton = self.automaton(offered_state.process(pid));
            let mut escaped: Option<Location> = None;
            for edge in automaton.edges_from(offered_state.location(pid)) {
                if escaped.is_some() && escaped != edge.escape {
                    break;
                }
                let outcome = self.execute(automaton, edge, offered_state, asker, Some(offered));
                if let Outcome::Done(next, fault) = outcome {
                    let next = self.finish(next, pid, edge);
                    let partner = Some((pid, edge.id));
                    moves.push(Move { pid: sender, edge: sent, partner, next, fault });
                    escaped = edge.escape;
                }
            }
        }
        moves.len() > before
    }

    /// Sets what a move leaves behind besides its effect.
    fn finish(&self, mut next: Now, pid: usize, edge: &Edge) -> Now {
        let alive = pid < next.process_count();
        next.set_exclusive((edge.hold.atomic && alive).then_some(pid));
        let frame = next.frame;
        frame.set_number(&mut next.bytes, LAST, pid);
        next
    }

    fn execute(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        now: &Now,
        asker: Asker,
        offered: Option<Offered<'_>>,
    ) -> Outcome {
        self.execute_aloud(automaton, edge, now, asker, offered, None)
    }

    /// Executes an edge; what it does besides changing the state is added to `log`, if there is one.
    pub(super) fn execute_aloud(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        now: &Now,
        asker: Asker,
        offered: Option<Offered<'_>>,
        log: Option<&mut Account>,
    ) -> Outcome {
        let mut work = Work { next: None, fault: None, log };
        let first = &edge.steps[0];
        let result = match &first.action {
            Action::DStep => self.d_step(automaton, edge.id, now, asker, offered, &mut work),
            _ => match self.first(first, now, asker, offered, &mut work) {
                Ok(Some(Effect::Offer(channel, message))) => {
                    let mut next = now.clone();
                    next.set_location(asker.pid, edge.to);
                    return Outcome::Offer(next, channel, message);
                }
                Ok(effect) => Ok(effect.is_some()),
                Err(fault) => Err(fault),
            },
        };
        match result {
            Ok(false) => return Outcome::Blocked,
            Ok(true) => {}
            Err(fault) => return Outcome::Done(now.clone(), Some(fault)),
        }
        let Work { next, mut fault, mut log } = work;
        let mut next = next.unwrap_or_else(|| now.clone());
        let ended = matches!(first.action, Action::End);
        if !ended {
            self.reset_dead(first, &mut next, asker.pid);
            for step in &edge.steps[1..] {
                let log = log.as_deref_mut();
                let mut more = Work { next: Some(next.clone()), fault: None, log };
                if let Err(failed) = self.first(step, &next, asker, None, &mut more) {
                    return Outcome::Done(now.clone(), Some(failed));
                }
                next = more.next.unwrap_or(next);
                fault = fault.or(more.fault);
                self.reset_dead(step, &mut next, asker.pid);
            }
            next.set_location(asker.pid, edge.to);
        }
        Outcome::Done(next, fault)
    }

    fn reset_dead(&self, step: &Step, next: &mut Now, pid: usize) {
        for &LocalId(id) in &step.dead {
            let process = next.process(pid);
            let local = &self.model.process(process).locals[id as usize];
            let at =
                next.processes[pid] + self.layout.processes[process.index()].locals[id as usize];
            self.layout.scalar(local.ty).write(&mut next.bytes, at, 0);
        }
    }

    /// Executes one statement, if it is executable, and sees whether it uses a channel that
    /// someone else has alone. `None` when it is not executable.
    fn first(
        &self,
        step: &Step,
        now: &Now,
        asker: Asker,
        offered: Option<Offered<'_>>,
        work: &mut Work<'_>,
    ) -> Result<Option<Effect>, FaultKind> {
        let effect = self.statement(step, now, asker, offered, work)?;
        if self.has_exclusives()
            && effect.is_some()
            && self.intrusion(&step.action, now, asker.pid).is_some()
        {
            work.fault = work.fault.or(Some(FaultKind::Exclusive));
        }
        Ok(effect)
    }

    fn statement(
        &self,
        step: &Step,
        now: &Now,
        asker: Asker,
        offered: Option<Offered<'_>>,
        work: &mut Work<'_>,
    ) -> Result<Option<Effect>, FaultKind> {
        // While a message is being handed over, only receiving it counts.
        if offered.is_some() && !matches!(step.action, Action::Receive { .. }) {
            return Ok(None);
        }
        let done = Ok(Some(Effect::Done));
        match &step.action {
            Action::Move(_) | Action::Else => done,
            Action::Print { .. } | Action::PrintM(_) => {
                if let Some(log) = &mut work.log {
                    self.print(&step.action, now, asker.pid, &mut log.printed);
                }
                done
            }
            Action::Guard(Expr { kind: ExprKind::Run { process, args, priority }, .. }) => {
                let mut next = now.clone();
                let started =
                    self.start(*process, args, priority.unwrap_or(1), &mut next, asker)?;
                work.next = Some(next);
                Ok(started.map(|pid| {
                    work.note(|| Deed::Start(pid));
                    Effect::Done
                }))
            }
            Action::Guard(condition) => {
                Ok((self.eval(condition, now, asker)? != 0).then_some(Effect::Done))
            }
            Action::Assign { target, value } => {
                let mut next = now.clone();
                let value = self.assigned(value, &mut next, asker, work)?;
                self.write(target, value, &mut next, asker)?;
                work.next = Some(next);
                done
            }
            Action::Declare { var, value } => {
                let mut next = now.clone();
                self.declare(*var, value.as_ref(), step, &mut next, asker)?;
                work.next = Some(next);
                done
            }
            Action::Assert(condition) => {
                if self.eval(condition, now, asker)? == 0 {
                    work.fault = Some(FaultKind::Assertion);
                }
                done
            }
            Action::Send { channel, sorted, args } => {
                let Some(channel) = self.channel_of(channel, now, asker)? else {
                    return Err(FaultKind::NoChannel);
                };
                let capacity = self.channel_layout(now, channel).capacity;
                if capacity > 0 && now.channel_length(channel) >= capacity {
                    if self.loses_messages && work.log.is_some() {
                        let message = self.message(channel, args, now, asker)?;
                        work.note(|| Deed::Lose(Passed { channel, slot: capacity, message }));
                    }
                    return Ok(self.loses_messages.then_some(Effect::Done));
                }
                if args.len() != self.channel_layout(now, channel).fields.len() {
                    return Err(FaultKind::Fields);
                }
                let message = self.message(channel, args, now, asker)?;
                if capacity == 0 {
                    return Ok(Some(Effect::Offer(channel, message)));
                }
                let mut next = now.clone();
                let slot = self.insert(&mut next, channel, &message, *sorted);
                work.fault =
                    self.observe(Event { sent: true, channel, message: &message }, &mut next).err();
                work.note(|| Deed::Send(Passed { channel, slot, message }));
                work.next = Some(next);
                done
            }
            Action::Receive { channel, random, peek, args } => {
                let Some(channel) = self.channel_of(channel, now, asker)? else {
                    return Err(FaultKind::NoChannel);
                };
                self.receive(channel, *random, *peek, args, now, asker, offered, work)
            }
            Action::SetPriority(process, priority) => {
                let pid = usize::try_from(self.eval(process, now, asker)?).ok();
                let priority = self.eval(priority, now, asker)?;
                let mut next = now.clone();
                if let Some(pid) = pid.filter(|&pid| pid < now.process_count()) {
                    next.set_priority(pid, priority);
                }
                work.next = Some(next);
                done
            }
            Action::DStep => unreachable!("executed as a whole"),
            Action::End => {
                if asker.pid + 1 != now.process_count() {
                    return Ok(None);
                }
                let mut next = now.clone();
                next.remove_youngest();
                work.next = Some(next);
                done
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a receive really has that many parts")]
    fn receive(
        &self,
        channel: usize,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        now: &Now,
        asker: Asker,
        offered: Option<Offered<'_>>,
        work: &mut Work<'_>,
    ) -> Result<Option<Effect>, FaultKind> {
        let fields = self.channel_layout(now, channel).fields.len();
        let mut next = now.clone();
        match offered {
            Some(offered) => {
                if channel != offered.channel || !self.matches(offered.message, args, now, asker)? {
                    return Ok(None);
                }
                if args.len() < fields {
                    return Err(FaultKind::Fields);
                }
                let Offered { channel, message } = offered;
                let sent = self.observe(Event { sent: true, channel, message }, &mut next);
                let received = self.observe(Event { sent: false, channel, message }, &mut next);
                work.fault = sent.and(received).err();
                self.deliver(message, args, &mut next, asker)?;
            }
            None => {
                let Some(slot) = self.find(channel, random, args, now, asker)? else {
                    return Ok(None);
                };
                if args.len() < fields {
                    return Err(FaultKind::Fields);
                }
                let message = self.load(now, channel, slot);
                if !peek {
                    let event = Event { sent: false, channel, message: &message };
                    work.fault = self.observe(event, &mut next).err();
                    self.remove(&mut next, channel, slot);
                }
                self.deliver(&message, args, &mut next, asker)?;
                let deed = if peek { Deed::Look } else { Deed::Take };
                work.note(|| deed(Passed { channel, slot, message }));
            }
        }
        work.next = Some(next);
        Ok(Some(Effect::Done))
    }

    /// The value of an expression that may start a process.
    fn assigned(
        &self,
        value: &Expr,
        next: &mut Now,
        asker: Asker,
        work: &mut Work<'_>,
    ) -> Result<i32, FaultKind> {
        match &value.kind {
            ExprKind::Run { process, args, priority } => {
                let started = self.start(*process, args, priority.unwrap_or(1), next, asker)?;
                if let Some(pid) = started {
                    work.note(|| Deed::Start(pid));
                }
                Ok(started.map_or(0, |pid| pid as i32))
            }
            _ => self.eval(value, next, asker),
        }
    }

    fn declare(
        &self,
        var: LocalId,
        value: Option<&DeclaredValue>,
        step: &Step,
        next: &mut Now,
        asker: Asker,
    ) -> Result<(), FaultKind> {
        let process = next.process(asker.pid);
        let variable = &self.model.process(process).locals[var.index()];
        if let beeline_promela::hir::Type::Struct(_) = variable.ty {
            return Ok(());
        }
        let access = Self::local(var, step.span);
        let place = self.place(&access, next, asker)?;
        let size = place.stored.size();
        match value {
            None => place.stored.write(&mut next.bytes, place.at, 0),
            Some(DeclaredValue::Value(value)) => {
                let value = self.eval(value, next, asker)?;
                place.stored.write(&mut next.bytes, place.at, value);
            }
            Some(DeclaredValue::List(values)) => {
                for (at, value) in values.iter().enumerate() {
                    let value = self.eval(value, next, asker)?;
                    place.stored.write(&mut next.bytes, place.at + at * size, value);
                }
            }
        }
        Ok(())
    }

    /// Runs the inside of a `d_step` to its end. `false` when its first statement blocks.
    fn d_step(
        &self,
        automaton: &Automaton,
        edge: EdgeId,
        now: &Now,
        asker: Asker,
        mut offered: Option<Offered<'_>>,
        work: &mut Work<'_>,
    ) -> Result<bool, FaultKind> {
        let inside = automaton
            .d_steps
            .iter()
            .find(|inside| inside.edge == edge)
            .expect("every d_step edge has its inside");
        let mut current = now.clone();
        let mut at = inside.entry;
        let mut first = true;
        let mut seen = HashSet::new();
        loop {
            let start = inside.edges.partition_point(|edge| edge.from < at);
            let edges = inside.edges[start..].iter().take_while(|edge| edge.from == at);
            let mut taken = None;
            let mut any = false;
            for edge in edges {
                any = true;
                let log = work.log.as_deref_mut();
                let mut more = Work { next: None, fault: None, log };
                match self.first(&edge.steps[0], &current, asker, offered, &mut more)? {
                    None => continue,
                    // Nobody can meet a process in the middle of a d_step.
                    Some(Effect::Offer(..)) => return Err(FaultKind::Blocked),
                    Some(Effect::Done) => {
                        work.fault = work.fault.or(more.fault);
                        taken = Some((edge.to, more.next));
                        break;
                    }
                }
            }
            if !any {
                break;
            }
            match taken {
                None if first => return Ok(false),
                None => return Err(FaultKind::Blocked),
                Some((to, next)) => {
                    if let Some(next) = next {
                        current = next;
                    }
                    at = to;
                }
            }
            offered = None;
            first = false;
            if !seen.insert((at, current.bytes.clone())) {
                return Err(FaultKind::Blocked);
            }
        }
        work.next = Some(current);
        Ok(true)
    }
}

/// The effect of a statement under way.
struct Work<'l> {
    next: Option<Now>,
    fault: Option<FaultKind>,
    /// Where the account goes; a search has no use for it.
    log: Option<&'l mut Account>,
}

impl Work<'_> {
    fn note(&mut self, deed: impl FnOnce() -> Deed) {
        if let Some(log) = &mut self.log {
            log.deeds.push(deed());
        }
    }
}

enum Effect {
    Done,
    Offer(usize, Vec<i32>),
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.steps[0].action, Action::Else)
}
