//! A trail in full: its story, every message with sender and receiver, process starts and ends, and
//! every state. Charts are drawn from this.
//!
//! States are given as differences from the previous state, since there can be thousands.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use beeline_engine::interpreter::{DecodedState, Effect, MessageTransfer, Move};
use beeline_engine::trail::ReplayObserver;
use beeline_kernel::{Trail, TrailError};
use beeline_model::{
    Chronicle, Message, MessageFate, StateDelta, StatementKind, StepDetails, StoryRequest, Subject,
};
use beeline_promela::Frontend;

use crate::describer::Describer;
use crate::error_selector::ErrorSelector;
use crate::messages::Messages;
use crate::semantics::SemanticsOptions;
use crate::story::{self, ExecutedStory, never_stopped};

/// Executes a trail and describes it in full.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn chronicle(
    front: &Frontend,
    trail: &Trail,
    semantics: SemanticsOptions,
) -> Result<Chronicle, TrailError> {
    let request = StoryRequest::new(Subject::Properties(&[]));
    let executed =
        story::executed_story(front, trail, semantics, &ErrorSelector::default(), &request);
    let ExecutedStory { describer, story, initial } = executed.map_err(never_stopped)?;
    let Some(initial) = initial else {
        let (step_details, messages) = (Vec::new(), Vec::new());
        return Ok(Chronicle { story, initial: StateDelta::default(), step_details, messages });
    };
    let first = StateDelta {
        values: describer.view().all(&initial),
        gone: Vec::new(),
        processes: (0..initial.process_count())
            .map(|pid| describer.position(&initial, pid))
            .collect(),
    };
    let new = || Chronicler::new(&describer, &initial);
    let (chronicler, _) = story::execute(describer.machine(), trail, new).map_err(never_stopped)?;
    let Chronicler { step_details, messages, .. } = chronicler;
    Ok(Chronicle { story, initial: first, step_details, messages: messages.all })
}

struct Chronicler<'t, 'm> {
    describer: &'t Describer<'m>,
    messages: Messages,
    /// The values of the previous state.
    values: BTreeMap<String, String>,
    step_details: Vec<StepDetails>,
}

impl ReplayObserver for Chronicler<'_, '_> {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        let details = self.details(self.step_details.len(), before, step);
        self.step_details.push(details);
        ControlFlow::Continue(())
    }
}

impl<'t, 'm> Chronicler<'t, 'm> {
    fn new(describer: &'t Describer<'m>, initial: &DecodedState) -> Chronicler<'t, 'm> {
        let values = describer.view().all(initial).into_iter().collect();
        let step_details = Vec::new();
        Chronicler { describer, messages: Messages::default(), values, step_details }
    }

    fn details(&mut self, number: usize, now: &DecodedState, step: &Move) -> StepDetails {
        let mut statements = self.describer.statements(now, step.pid, step.edge).into_iter();
        let (kind, first) = statements.next().expect("an edge has a statement");
        let others = statements.filter(|(kind, _)| *kind != StatementKind::Jump);
        let merged = others.map(|(_, text)| text).collect();
        let mut details = StepDetails { first, kind, merged, ..StepDetails::default() };
        let mut doer = step.pid;
        for deed in self.describer.machine().step_log(now, step).effects {
            match &deed {
                Effect::Send(passed) => {
                    let message =
                        self.message(now, &step.next, passed, number, doer, MessageFate::Waits);
                    details.parts.push(self.messages.send(passed, message));
                }
                Effect::Lose(passed) => {
                    let message =
                        self.message(now, &step.next, passed, number, doer, MessageFate::Lost);
                    details.parts.push(self.messages.pass(message));
                }
                Effect::Receive(passed) => {
                    details.parts.extend(self.messages.take(passed, number, doer));
                }
                Effect::Peek(passed) => details.parts.extend(self.messages.look(passed)),
                Effect::Rendezvous(passed) => {
                    let receiver = step.partner.map_or(doer, |(pid, _)| pid);
                    let fate = MessageFate::Met { pid: receiver };
                    let message = self.message(now, &step.next, passed, number, doer, fate);
                    details.parts.push(self.messages.pass(message));
                    // Later effects are the receiver's.
                    doer = receiver;
                }
                Effect::Start(pid) => details.started.push(*pid),
            }
        }
        if step.fault.is_some_and(|fault| !fault.is_survivable()) {
            // A fatal fault has no next state.
            return details;
        }
        let next = &step.next;
        details.ended = (next.process_count() < now.process_count()).then_some(step.pid);
        let moved = [Some(step.pid), step.partner.map(|(pid, _)| pid)].into_iter().flatten();
        let placed = moved.chain(details.started.iter().copied());
        let placed = placed.filter(|&pid| pid < next.process_count());
        details.delta.processes = placed.map(|pid| self.describer.position(next, pid)).collect();
        self.compare(now, next, &mut details.delta);
        self.messages.keep(next.channel_count());
        details
    }

    fn message(
        &self,
        now: &DecodedState,
        next: &DecodedState,
        passed: &MessageTransfer,
        sent: usize,
        sender: usize,
        fate: MessageFate,
    ) -> Message {
        let view = self.describer.view();
        // A step may send into a channel of a process that it has just started.
        let state = if passed.channel < now.channel_count() { now } else { next };
        let channel = view.channel_name(state, passed.channel);
        let text = view.message(state, passed.channel, &passed.message);
        Message { channel, text, sender, sent, fate }
    }

    /// Adds the values that differ.
    fn compare(&mut self, now: &DecodedState, next: &DecodedState, delta: &mut StateDelta) {
        let view = self.describer.view();
        if let Some(values) = view.same_names(now, next) {
            self.values.extend(values.iter().cloned());
            delta.values = values;
            return;
        }
        let all = view.all(next);
        let differs = |(name, value): &&(String, String)| self.values.get(name) != Some(value);
        delta.values = all.iter().filter(differs).cloned().collect();
        let there: BTreeMap<String, String> = all.into_iter().collect();
        let gone = self.values.keys().filter(|name| !there.contains_key(*name));
        delta.gone = gone.cloned().collect();
        self.values = there;
    }
}
