//! A third proof beside the two explicit ones: all reachable states as one set.
//!
//! Where sets are small, it ends long before an enumeration does. It is a [`PacedThread`], which waits
//! whenever it polls its limits, until the strategy grants it more work. It needs an exact factored system, or one that has more states and steps than the model. A property without errors
//! in the set holds. For another one, in an exact system, breadth-first search on sets finds a path.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;

use beeline_factored::Deviation;
use beeline_kernel::{Deadline, StatePath, Stop};
use beeline_model::System;
use beeline_search::{FindingKind, SearchTarget};
use beeline_symbolic::{BigUint, DiagramLimits, SymbolicError, SymbolicStrategy, SymbolicSystem};

use super::paced_thread::{Message, PacedThread, Pacing};
use crate::symbolic::{STACK, TargetErrors, concrete_path, proof_problem, terminal_fault};

/// The work between two polls of the limits, by the time that it takes: some milliseconds.
const WORK_OF_POLL: u64 = 450_000;

/// A result of the proof.
pub(super) enum SymbolicResult {
    /// The set of all reachable states is complete, with this number of them, or at most as many if
    /// the factored system is not exact.
    Reached(BigUint, Option<Deviation>),
    /// The property run of this index holds.
    Holds(usize),
    /// The property run of this index is violated at the end of this path.
    Violated(usize, StatePath, FindingKind),
}

/// What the proof is about.
struct SymbolicTask<'a> {
    system: &'a dyn System,
    /// The targets of the property runs.
    targets: Vec<SearchTarget>,
    /// Which of them are open.
    open: Arc<[AtomicBool]>,
    limits: SymbolicLimits,
}

/// The limits of the proof.
#[derive(Clone, Copy)]
pub(super) struct SymbolicLimits {
    pub(super) bytes: usize,
    pub(super) deadline: Deadline,
    /// Whether the factored system may be built while other threads run.
    pub(super) may_overlap: bool,
}

/// The proof: between two turns it waits for a reply, or is over.
pub(super) struct SymbolicProof {
    thread: PacedThread<(), SymbolicResult>,
    open: Arc<[AtomicBool]>,
    stage: Stage,
    /// Whether the factored system may be built while other threads run.
    may_overlap: bool,
    is_over: bool,
    /// The work so far.
    work: u64,
}

/// How far the proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It waits for its first turn.
    New,
    /// It builds the factored system, which it cannot do in turns.
    Preparing,
    /// It computes sets, and waits at each poll.
    Running,
}

impl SymbolicProof {
    /// Starts a thread, which waits for its first turn.
    pub(super) fn start<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        system: &'a dyn System,
        targets: Vec<SearchTarget>,
        limits: SymbolicLimits,
    ) -> SymbolicProof {
        let open: Arc<[AtomicBool]> = targets.iter().map(|_| AtomicBool::new(true)).collect();
        let task = SymbolicTask { system, targets, open: Arc::clone(&open), limits };
        let thread = PacedThread::start(scope, Some(STACK), move |first, pacing| {
            if first.is_continue() {
                // An error is a limit, or an operator with too many outcomes: nothing is proved.
                let _ = task.prove(pacing);
            }
        });
        let may_overlap = limits.may_overlap;
        let (stage, is_over) = (Stage::New, false);
        SymbolicProof { thread, open, stage, may_overlap, is_over, work: 0 }
    }

    /// Whether nothing more will be proved.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether it builds the factored system while other threads run.
    pub(super) fn is_preparing(&self) -> bool {
        self.stage == Stage::Preparing
    }

    /// The work so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Lets the proof do this much more work, unless it is over before. `is_open` tells which
    /// property runs are open.
    pub(super) fn take_turn(
        &mut self,
        more: u64,
        is_open: impl Fn(usize) -> bool,
    ) -> Vec<SymbolicResult> {
        for (at, open) in self.open.iter().enumerate() {
            open.store(is_open(at), Ordering::Relaxed);
        }
        let (mut results, end) = (Vec::new(), self.work + more);
        if self.stage == Stage::New {
            self.go_on();
            self.stage = Stage::Preparing;
        }
        if self.stage == Stage::Preparing {
            match self.thread.next_sent() {
                None if self.may_overlap => return results,
                None => self.receive(&mut results),
                Some(message) => {
                    if !self.take(message, &mut results) {
                        self.receive(&mut results);
                    }
                }
            }
            self.stage = Stage::Running;
        }
        while !self.is_over && self.work < end {
            self.go_on();
            self.receive(&mut results);
            self.work += WORK_OF_POLL;
        }
        results
    }

    /// Lets the computation go on to its next poll.
    fn go_on(&mut self) {
        self.thread.reply(ControlFlow::Continue(()));
    }

    /// Receives messages until the computation waits, or is over.
    fn receive(&mut self, results: &mut Vec<SymbolicResult>) {
        while !self.is_over {
            let message = self.thread.next();
            if self.take(message, results) {
                return;
            }
        }
    }

    /// Whether the computation waits after this message.
    fn take(
        &mut self,
        message: Message<(), SymbolicResult>,
        results: &mut Vec<SymbolicResult>,
    ) -> bool {
        match message {
            Message::Polled(()) => return true,
            Message::News(result) => results.push(result),
            Message::Over => self.is_over = true,
        }
        false
    }
}

impl SymbolicTask<'_> {
    fn prove(&self, pacing: Pacing<(), SymbolicResult>) -> Result<(), SymbolicError> {
        let Ok(problem) = self.system.symbolic_problem() else { return Ok(()) };
        let Some((problem, deviation)) = proof_problem(problem) else { return Ok(()) };
        let view = &problem.view;
        let mut errors = Vec::new();
        for (at, &target) in self.targets.iter().enumerate() {
            let errors_of = TargetErrors::new(&problem, target);
            let errors_of = errors_of.filter(|errors| errors.are_all_shown(deviation));
            errors.extend(errors_of.map(|errors| (at, errors)));
        }
        if errors.is_empty() {
            return Ok(());
        }
        let teller = pacing.teller.clone();
        let limits = self.limits(pacing);
        let mut symbolic = SymbolicSystem::new(&view.system, &view.ranges, limits);
        let reached = symbolic.reachable(SymbolicStrategy::Auto)?.states;
        // No state after a terminal fault is known. One beyond the bounds of the view is such a fault.
        if terminal_fault(&mut symbolic, &problem, &reached.free)?.is_some() {
            return Ok(());
        }
        let tell = |result| teller.tell(result);
        tell(SymbolicResult::Reached(symbolic.count(&reached.free), deviation));
        let mut violated = Vec::new();
        for (at, errors) in errors {
            match errors.goal().find(&mut symbolic, &reached.free)?.is_empty() {
                true => tell(SymbolicResult::Holds(at)),
                false => violated.push((at, errors)),
            }
        }
        for (at, errors) in violated {
            // An error of a system with more states may not be one of the model.
            if deviation.is_some() || !self.open[at].load(Ordering::Relaxed) {
                continue;
            }
            let path = symbolic.breadth_first(&mut errors.goal())?.path;
            let found = path.and_then(|path| {
                concrete_path(self.system.space(), view, &path.states, self.targets[at])
            });
            debug_assert!(found.is_some(), "a path of sets is a path of the model");
            if let Some((path, kind)) = found {
                tell(SymbolicResult::Violated(at, path, kind));
            }
        }
        Ok(())
    }

    /// Limits that wait for a reply at each poll.
    fn limits(&self, pacing: Pacing<(), SymbolicResult>) -> DiagramLimits {
        let SymbolicLimits { bytes, deadline, .. } = self.limits;
        let interrupt = Box::new(move |_| {
            let reply = pacing.poll(());
            let is_stopped = reply.is_break() || deadline.is_over();
            is_stopped.then_some(Stop::Interrupted)
        });
        DiagramLimits { bytes, interrupt, ..DiagramLimits::default() }
    }
}
