//! A third proof beside the two explicit ones: all reachable states as one set.
//!
//! Where sets are small, it ends long before an enumeration does. It has a thread of its own, but
//! only one thread runs at a time: the computation waits whenever it polls its limits, until the
//! strategy grants it more work. So it can be paced, and every run is the same. It needs an exact
//! factored system. A property without errors in the set holds; for another one, breadth-first
//! search on sets finds a path.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, Scope};

use beeline_kernel::{Deadline, StatePath, Stop};
use beeline_model::System;
use beeline_search::{FindingKind, SearchTarget};
use beeline_symbolic::{BigUint, DiagramLimits, SymbolicError, SymbolicStrategy, SymbolicSystem};

use crate::symbolic::{STACK, TargetErrors, concrete_path, terminal_fault};

/// The work between two polls of the limits, by the time that it takes: some milliseconds.
const WORK_OF_POLL: u64 = 450_000;

/// A result of the proof.
pub(super) enum SymbolicResult {
    /// The set of all reachable states is complete, with this number of them.
    Reached(BigUint),
    /// The property run of this index holds.
    Holds(usize),
    /// The property run of this index is violated at the end of this path.
    Violated(usize, StatePath, FindingKind),
}

/// A message of the proof to the strategy.
enum Message {
    /// It waits for a reply.
    Polled,
    Result(Box<SymbolicResult>),
    Over,
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
    messages: Receiver<Message>,
    replies: Sender<()>,
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
        let (messages, received) = channel();
        let (replies, answers) = channel();
        let open: Arc<[AtomicBool]> = targets.iter().map(|_| AtomicBool::new(true)).collect();
        let task = SymbolicTask { system, targets, open: Arc::clone(&open), limits };
        let run = move || {
            if answers.recv().is_ok() {
                // An error is a limit, or an operator with too many outcomes: nothing is proved.
                let _ = task.prove(&messages, answers);
            }
            // Where the strategy is gone, there is no reader any more.
            let _ = messages.send(Message::Over);
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be started");
        let may_overlap = limits.may_overlap;
        let (stage, is_over) = (Stage::New, false);
        SymbolicProof { messages: received, replies, open, stage, may_overlap, is_over, work: 0 }
    }

    /// Whether nothing more will be proved.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
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
            match self.messages.try_recv() {
                Err(TryRecvError::Empty) if self.may_overlap => return results,
                Err(TryRecvError::Empty) => self.receive(&mut results),
                Ok(message) => {
                    let is_polled = matches!(message, Message::Polled);
                    self.take(message, &mut results);
                    if !is_polled {
                        self.receive(&mut results);
                    }
                }
                Err(TryRecvError::Disconnected) => self.is_over = true,
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
        self.is_over |= self.replies.send(()).is_err();
    }

    /// Receives messages until the computation waits, or is over.
    fn receive(&mut self, results: &mut Vec<SymbolicResult>) {
        while !self.is_over {
            let message = self.messages.recv().unwrap_or(Message::Over);
            let is_polled = matches!(message, Message::Polled);
            self.take(message, results);
            if is_polled {
                return;
            }
        }
    }

    fn take(&mut self, message: Message, results: &mut Vec<SymbolicResult>) {
        match message {
            Message::Polled => {}
            Message::Result(result) => results.push(*result),
            Message::Over => self.is_over = true,
        }
    }
}

impl SymbolicTask<'_> {
    fn prove(
        &self,
        messages: &Sender<Message>,
        replies: Receiver<()>,
    ) -> Result<(), SymbolicError> {
        let Ok(problem) = self.system.symbolic_problem() else { return Ok(()) };
        let view = &problem.view;
        let mut errors = Vec::new();
        for (at, &target) in self.targets.iter().enumerate() {
            errors.extend(TargetErrors::new(&problem, target).map(|errors| (at, errors)));
        }
        if !view.system.precision.is_exact() || errors.is_empty() {
            return Ok(());
        }
        let limits = self.limits(messages.clone(), replies);
        let mut symbolic = SymbolicSystem::new(&view.system, &view.ranges, limits);
        let reached = symbolic.reachable(SymbolicStrategy::Auto)?.states;
        // No state after a terminal fault is known. One beyond the bounds of the view is such a fault.
        if terminal_fault(&mut symbolic, &problem, &reached.free)?.is_some() {
            return Ok(());
        }
        let tell = |result| {
            let _ = messages.send(Message::Result(Box::new(result)));
        };
        tell(SymbolicResult::Reached(symbolic.count(&reached.free)));
        let mut violated = Vec::new();
        for (at, errors) in errors {
            match errors.goal().find(&mut symbolic, &reached.free)?.is_empty() {
                true => tell(SymbolicResult::Holds(at)),
                false => violated.push((at, errors)),
            }
        }
        for (at, errors) in violated {
            if !self.open[at].load(Ordering::Relaxed) {
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
    fn limits(&self, messages: Sender<Message>, replies: Receiver<()>) -> DiagramLimits {
        let SymbolicLimits { bytes, deadline, .. } = self.limits;
        let interrupt = Box::new(move |_| {
            let is_granted = messages.send(Message::Polled).is_ok() && replies.recv().is_ok();
            (!is_granted || deadline.is_over()).then_some(Stop::Interrupted)
        });
        DiagramLimits { bytes, interrupt, ..DiagramLimits::default() }
    }
}
