//! Moves: the enabled edges of a state, and the states after them.

use beeline_kernel::FaultKind;
use beeline_promela::hir::LocalId;

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::statements::{Execution, Offered, StatementOutcome};
use super::step_log::{BlockReason, StepLog};
use crate::automata::{Automaton, DStep, Edge, EdgeAction, EdgeId, EdgeStep, Location};
use crate::frame::LAST;

/// One executed edge, or the two edges of a rendezvous.
#[derive(Clone, Debug)]
pub struct Move {
    /// The process that moves.
    pub pid: usize,
    /// Its edge.
    pub edge: EdgeId,
    /// The receiver of a rendezvous, and its edge.
    pub partner: Option<(usize, EdgeId)>,
    /// The state afterwards; undefined after a fatal fault.
    pub next: DecodedState,
    /// The fault of the move.
    pub fault: Option<FaultKind>,
}

impl Move {
    /// The processes that move: two in a rendezvous.
    pub fn movers(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.pid).chain(self.partner.map(|(pid, _)| pid))
    }
}

/// What can happen in a state.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The moves, in the order in which SPIN tries them.
    pub moves: Vec<Move>,
    /// No process can move, and some process is not at a valid end.
    pub deadlock: bool,
}

/// The outcome of an edge.
pub(super) enum EdgeOutcome {
    Blocked,
    Done(DecodedState, Option<FaultKind>),
    /// An offered message; the state is that after the sender's move.
    Offer(DecodedState, usize, Vec<i32>),
}

impl Machine<'_> {
    /// The moves of a state. If a process with exclusive control cannot move, it loses control:
    /// then `Err` holds the state without exclusive control.
    pub fn moves(&self, now: &DecodedState) -> Result<Moves, Box<DecodedState>> {
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

    /// The moves of a process, unless all wait for a timeout.
    pub fn steps_of(&self, now: &DecodedState, pid: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        self.process_moves(now, pid, false, &mut moves);
        moves
    }

    pub(super) fn process_moves(
        &self,
        now: &DecodedState,
        pid: usize,
        timeout: bool,
        moves: &mut Vec<Move>,
    ) {
        let context = EvalContext { timeout, ..EvalContext::of(pid) };
        match self.provided(now, context) {
            Ok(true) => {}
            Ok(false) => return,
            Err(fault) => return moves.extend(self.failing_move(now, pid, fault)),
        }
        if self.has_priorities && self.is_outranked(now, context) {
            return;
        }
        let automaton = self.automaton(now.process(pid));
        let is_deterministic = self.model.process(now.process(pid)).deterministic;
        let mut escaped: Option<Location> = None;
        let mut moved = false;
        for edge in automaton.edges_from(now.location(pid)) {
            // An executable escape excludes all edges but its own alternatives.
            if escaped.is_some() && escaped != edge.escape {
                break;
            }
            if is_else(edge) && moved {
                continue;
            }
            let first = moves.len();
            let is_second = moved;
            match self.execute(automaton, edge, now, context, None) {
                EdgeOutcome::Blocked => continue,
                EdgeOutcome::Done(next, fault) => {
                    moved = true;
                    let next = self.finish(next, pid, edge);
                    moves.push(Move { pid, edge: edge.id, partner: None, next, fault });
                }
                EdgeOutcome::Offer(next, channel, message) => {
                    let offered = Offered { channel, message: &message };
                    if !self.receivers(&next, pid, edge.id, offered, timeout, moves) {
                        continue;
                    }
                    moved = true;
                }
            }
            if is_deterministic && is_second {
                for step in &mut moves[first..] {
                    step.fault = step.fault.or(Some(FaultKind::Nondeterminism));
                }
            }
            escaped = edge.escape;
        }
    }

    /// The move of a process whose `provided` clause has no value: it only fails.
    fn failing_move(&self, now: &DecodedState, pid: usize, fault: FaultKind) -> Option<Move> {
        let edge = self.automaton(now.process(pid)).edges_from(now.location(pid)).first()?.id;
        Some(Move { pid, edge, partner: None, next: now.clone(), fault: Some(fault) })
    }

    /// Whether the `provided` clause of a process lets it move.
    pub(super) fn provided(
        &self,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<bool, FaultKind> {
        match &self.model.process(now.process(context.pid)).provided {
            Some(provided) => Ok(self.eval(provided, now, context)? != 0),
            None => Ok(true),
        }
    }

    /// Whether a process of higher priority could move.
    pub(super) fn is_outranked(&self, now: &DecodedState, context: EvalContext) -> bool {
        let own = now.priority(context.pid);
        let others = (0..now.process_count()).filter(|&other| now.priority(other) > own);
        others.map(|pid| EvalContext { pid, ..context }).any(|other| {
            self.provided(now, other) != Ok(false) && self.can_move(now, other) != Ok(false)
        })
    }

    /// Whether some edge of a process is executable, if a rendezvous send finds a receiver:
    /// `enabled(pid)`. Its `provided` clause is ignored. A failing move counts, unless the query is
    /// circular.
    pub(super) fn can_move(
        &self,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<bool, FaultKind> {
        let automaton = self.automaton(now.process(context.pid));
        for edge in automaton.edges_from(now.location(context.pid)) {
            match self.execute(automaton, edge, now, context, None) {
                EdgeOutcome::Blocked => {}
                EdgeOutcome::Done(_, Some(FaultKind::Circular)) => return Err(FaultKind::Circular),
                EdgeOutcome::Done(..) | EdgeOutcome::Offer(..) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Adds the moves of all receivers of an offered message; returns whether there are any.
    fn receivers(
        &self,
        offered_state: &DecodedState,
        sender: usize,
        sent: EdgeId,
        offered: Offered<'_>,
        timeout: bool,
        moves: &mut Vec<Move>,
    ) -> bool {
        let before = moves.len();
        for pid in (0..offered_state.process_count()).rev().filter(|&pid| pid != sender) {
            let context = EvalContext { timeout, ..EvalContext::of(pid) };
            if self.provided(offered_state, context) != Ok(true) {
                continue;
            }
            let automaton = self.automaton(offered_state.process(pid));
            let mut escaped: Option<Location> = None;
            for edge in automaton.edges_from(offered_state.location(pid)) {
                if escaped.is_some() && escaped != edge.escape {
                    break;
                }
                let outcome = self.execute(automaton, edge, offered_state, context, Some(offered));
                if let EdgeOutcome::Done(next, fault) = outcome {
                    let next = self.finish(next, pid, edge);
                    let partner = Some((pid, edge.id));
                    moves.push(Move { pid: sender, edge: sent, partner, next, fault });
                    escaped = edge.escape;
                }
            }
        }
        moves.len() > before
    }

    /// Completes the state after a move: the location, exclusive control, and `_last`.
    fn finish(&self, mut next: DecodedState, pid: usize, edge: &Edge) -> DecodedState {
        let alive = pid < next.process_count();
        next.set_exclusive((edge.hold.atomic && alive).then_some(pid));
        next.records.frame.set_number(&mut next.bytes, LAST, pid);
        next
    }

    fn execute(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
    ) -> EdgeOutcome {
        self.execute_logged(automaton, edge, now, context, offered, None)
    }

    /// Executes an edge; its other effects are added to `log`, if there is one.
    pub(super) fn execute_logged(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        log: Option<&mut StepLog>,
    ) -> EdgeOutcome {
        let mut work = Execution { next: None, fault: None, log };
        let first = &edge.steps[0];
        let result = match &first.action {
            EdgeAction::DStep => self.d_step(automaton, edge.id, now, context, offered, &mut work),
            _ => match self.first(first, now, context, offered, &mut work) {
                Ok(Some(StatementOutcome::Offer(channel, message))) => {
                    let mut next = now.clone();
                    next.set_location(context.pid, edge.to);
                    return EdgeOutcome::Offer(next, channel, message);
                }
                Ok(effect) => Ok(effect.is_some()),
                Err(fault) => Err(fault),
            },
        };
        match result {
            Ok(false) => return EdgeOutcome::Blocked,
            Ok(true) => {}
            Err(fault) => return EdgeOutcome::Done(now.clone(), Some(fault)),
        }
        let Execution { next, mut fault, mut log } = work;
        let mut next = next.unwrap_or_else(|| now.clone());
        let ended = matches!(first.action, EdgeAction::End);
        if !ended {
            self.reset_dead(first, &mut next, context.pid);
            for step in &edge.steps[1..] {
                let log = log.as_deref_mut();
                let mut more = Execution { next: Some(next.clone()), fault: None, log };
                if let Err(failed) = self.first(step, &next, context, None, &mut more) {
                    return EdgeOutcome::Done(now.clone(), Some(failed));
                }
                next = more.next.unwrap_or(next);
                fault = combined(fault, more.fault);
                self.reset_dead(step, &mut next, context.pid);
            }
            next.set_location(context.pid, edge.to);
        }
        EdgeOutcome::Done(next, fault)
    }

    fn reset_dead(&self, step: &EdgeStep, next: &mut DecodedState, pid: usize) {
        for &LocalId(id) in &step.dead {
            let process = next.process(pid);
            let local = &self.model.process(process).locals[id as usize];
            let at = next.records.processes[pid]
                + self.layout.processes[process.index()].locals[id as usize];
            self.layout.scalar(local.ty).write(&mut next.bytes, at, 0);
        }
    }

    /// Runs the inside of a `d_step` to its end. `false` when its first statement blocks.
    fn d_step(
        &self,
        automaton: &Automaton,
        edge: EdgeId,
        now: &DecodedState,
        context: EvalContext,
        mut offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<bool, FaultKind> {
        let inside = automaton
            .d_steps
            .iter()
            .find(|inside| inside.edge == edge)
            .expect("every d_step edge has its inside");
        let mut current = now.clone();
        let mut at = inside.entry;
        let mut first = true;
        let mut laps = LoopCheck::default();
        while inside.edges_from(at).next().is_some() {
            let Some((to, next)) = self.inner_step(inside, at, &current, context, offered, work)?
            else {
                if first {
                    return Ok(false);
                }
                return Err(work.block(context.pid, &current, || {
                    let disabled = inside.edges_from(at).map(|edge| edge.steps[0].clone());
                    BlockReason::Disabled(disabled.collect())
                }));
            };
            if let Some(next) = next {
                current = next;
            }
            (at, offered, first) = (to, None, false);
            if laps.returns(at, &current.bytes) {
                return Err(work.block(context.pid, &current, || BlockReason::Endless));
            }
        }
        work.next = Some(current);
        Ok(true)
    }

    /// Executes the first executable edge at a location inside a `d_step`: returns its target, and
    /// the state after it if that differs. `None` when no edge is executable.
    fn inner_step(
        &self,
        inside: &DStep,
        at: Location,
        current: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<Option<(Location, Option<DecodedState>)>, FaultKind> {
        for edge in inside.edges_from(at) {
            let log = work.log.as_deref_mut();
            let mut more = Execution { next: None, fault: None, log };
            match self.first(&edge.steps[0], current, context, offered, &mut more)? {
                None => {}
                // A process in the middle of a d_step cannot take part in a rendezvous.
                Some(StatementOutcome::Offer(..)) => {
                    let reason = || BlockReason::Rendezvous(edge.steps[0].clone());
                    return Err(work.block(context.pid, current, reason));
                }
                Some(StatementOutcome::Done) => {
                    work.fault = combined(work.fault, more.fault);
                    more.log.into_iter().for_each(|log| log.inside.push(edge.id));
                    return Ok(Some((edge.to, more.next)));
                }
            }
        }
        Ok(None)
    }
}

/// The fault of several statements: the first one, or an overflow, for which a machine examines
/// nothing else.
fn combined(one: Option<FaultKind>, two: Option<FaultKind>) -> Option<FaultKind> {
    if two == Some(FaultKind::Overflow) { two } else { one.or(two) }
}

/// Detects a `d_step` that never ends.
///
/// Source: [Bre80], cycle finding: the current state is compared with the one after the last power
/// of two steps.
#[derive(Default)]
struct LoopCheck {
    steps: u64,
    kept: Option<(Location, Vec<u8>)>,
}

impl LoopCheck {
    fn returns(&mut self, at: Location, state: &[u8]) -> bool {
        self.steps += 1;
        let returns = self.kept.as_ref().is_some_and(|kept| kept.0 == at && kept.1 == state);
        if self.steps.is_power_of_two() {
            self.kept = Some((at, state.to_vec()));
        }
        returns
    }
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.steps[0].action, EdgeAction::Else)
}
