//! Trace assertions: an automaton that observes sends and receives.
//!
//! Only channels that occur in the trace are observed, sends and receives separately. `trace`: the
//! trace must allow each event. `notrace`: the events must differ from the trace; the first
//! difference is enough.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{ExprKind, Predefined, ProcessId, ProcessKind, RecvArg, Root};

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::step_log::{StepLog, TraceEvent};
use crate::automata::{Automaton, EdgeAction, Location};

/// A message that was just sent or received.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    pub(super) sent: bool,
    pub(super) channel: usize,
    pub(super) message: &'a [i32],
}

/// Events refer to globals only, so any process may evaluate them.
const ANYBODY: EvalContext = EvalContext::of(0);

impl Machine<'_> {
    /// Sets the trace to its initial location.
    pub(super) fn start_trace(&self, now: &mut DecodedState) {
        if let Some(trace) = self.trace {
            set(now, self.automata[trace].start);
        }
    }

    /// Whether the system may stop at this location of the trace.
    pub(super) fn trace_may_end(&self, now: &DecodedState) -> bool {
        self.trace.is_none_or(|trace| self.automata[trace].marks[get(now).0 as usize].end)
    }

    /// The trace assertion of the model, as one of its processes.
    pub fn trace_assertion(&self) -> Option<ProcessId> {
        self.trace.map(|number| ProcessId(number as u32))
    }

    /// Moves the trace by an event. An event that violates it is logged, if there is a log; of both
    /// events of a rendezvous, the first one.
    pub(super) fn observe(
        &self,
        event: Event<'_>,
        now: &mut DecodedState,
        log: Option<&mut StepLog>,
    ) -> Result<(), FaultKind> {
        let before = log.as_ref().and(self.trace).map(|_| get(now));
        let outcome = self.advance_trace(event, now);
        if let (Err(FaultKind::Trace), Some(log), Some(before)) = (outcome, log, before)
            && log.trace.is_none()
        {
            let Event { sent, channel, message } = event;
            let message = message.to_vec();
            log.trace = Some(TraceEvent { is_sent: sent, channel, message, before });
        }
        outcome
    }

    fn advance_trace(&self, event: Event<'_>, now: &mut DecodedState) -> Result<(), FaultKind> {
        let Some(trace) = self.trace.map(|at| &self.automata[at]) else {
            return Ok(());
        };
        if !self.is_watched(trace, event, now) {
            return Ok(());
        }
        let negated = trace.kind == ProcessKind::Notrace;
        let at = get(now);
        if at != trace.end {
            let edges = trace.edges_from(at).iter();
            let mut fitting = edges.filter(|edge| self.is_event(&edge.steps[0].action, event, now));
            let next = fitting.next().map(|edge| (edge.to, fitting.next().is_some()));
            if let Some((to, has_choice)) = next {
                set(now, to);
                if negated && to == trace.end {
                    return Err(FaultKind::Trace);
                }
                return if has_choice { Err(FaultKind::Nondeterminism) } else { Ok(()) };
            }
        }
        if negated {
            set(now, trace.end);
            return Ok(());
        }
        Err(FaultKind::Trace)
    }

    fn is_watched(&self, trace: &Automaton, event: Event<'_>, now: &DecodedState) -> bool {
        trace.edges.iter().any(|edge| {
            let (sent, channel) = match &edge.steps[0].action {
                EdgeAction::Send { channel, .. } => (true, channel),
                EdgeAction::Receive { channel, .. } => (false, channel),
                _ => return false,
            };
            sent == event.sent
                && matches!(self.channel_of(channel, now, ANYBODY), Ok(Some(found)) if found == event.channel)
        })
    }

    fn is_event(&self, action: &EdgeAction, event: Event<'_>, now: &DecodedState) -> bool {
        let (sent, channel) = match action {
            EdgeAction::Send { channel, .. } => (true, channel),
            EdgeAction::Receive { channel, .. } => (false, channel),
            _ => return false,
        };
        let same_channel = matches!(self.channel_of(channel, now, ANYBODY), Ok(Some(found)) if found == event.channel);
        if sent != event.sent || !same_channel {
            return false;
        }
        let agrees = |at: usize, value| event.message.get(at) == Some(&value);
        match action {
            EdgeAction::Send { args, .. } => {
                args.iter().enumerate().all(|(at, arg)| match &arg.kind {
                    ExprKind::Read(access) => access.root == Root::Predefined(Predefined::Scratch),
                    kind => kind.constant().is_none_or(|value| agrees(at, value)),
                })
            }
            EdgeAction::Receive { args, .. } => {
                args.iter().enumerate().all(|(at, arg)| match arg {
                    RecvArg::Store(_) => true,
                    RecvArg::Match(value) | RecvArg::Eval(value) => {
                        matches!(self.eval(value, now, ANYBODY), Ok(value) if agrees(at, value))
                    }
                })
            }
            _ => false,
        }
    }
}

fn get(now: &DecodedState) -> Location {
    let at = now.records.frame.trace.expect("there is a trace");
    Location(u32::from(u16::from_le_bytes([now.bytes[at], now.bytes[at + 1]])))
}

fn set(now: &mut DecodedState, location: Location) {
    let at = now.records.frame.trace.expect("there is a trace");
    now.bytes[at..at + 2].copy_from_slice(&(location.0 as u16).to_le_bytes());
}
