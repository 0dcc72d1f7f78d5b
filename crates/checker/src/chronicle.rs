//! A trail in full: its story, every message from its sender to its receiver, the lives
//! of processes, and every state on the way. This is what pictures are drawn from.
//!
//! States are told by what differs from the one before, since there can be thousands.

use std::collections::BTreeMap;

use beeline_engine::interpreter::{Deed, Move, Now, Passed};
use beeline_engine::trail::{Replay, TrailError, TrailFile};
use beeline_promela::hir::Model;

use crate::about::About;
use crate::messages::{Fate, Message, Messages, Part};
use crate::rules::Rules;
use crate::story::{self, Story, Telling};
use crate::teller::{Resting, Teller};

/// A trail, told in full.
#[derive(Clone, Debug)]
pub struct Chronicle {
    /// Who did what, and how it ended.
    pub story: Story,
    /// The initial state.
    pub initial: Delta,
    /// For each step of the story what else there is to know.
    pub happenings: Vec<Happening>,
    /// Every message, in the order in which they were sent.
    pub messages: Vec<Message>,
}

/// What a step does besides what the story tells.
#[derive(Clone, Debug, Default)]
pub struct Happening {
    /// The first statement of the step, without those that were merged with it.
    pub first: String,
    /// The others.
    pub merged: Vec<String>,
    /// What it does with messages, in order.
    pub parts: Vec<Part>,
    /// The processes that it starts.
    pub started: Vec<usize>,
    /// The process that ends with it.
    pub ended: Option<usize>,
    /// What differs from the state before.
    pub delta: Delta,
}

/// How a state differs from the one before.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// Values that are new or different, by name.
    pub values: Vec<(String, String)>,
    /// Names that are gone.
    pub gone: Vec<String>,
    /// Where the processes are that moved or are new.
    pub processes: Vec<Resting>,
}

/// Executes a trail and tells everything.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn chronicle(model: &Model, trail: &TrailFile, rules: Rules) -> Result<Chronicle, TrailError> {
    let Telling { teller, story, run } = story::telling(model, trail, rules, &About::default())?;
    let Some((initial, replay)) = run else {
        let (happenings, messages) = (Vec::new(), Vec::new());
        return Ok(Chronicle { story, initial: Delta::default(), happenings, messages });
    };
    let mut chronicler = Chronicler::new(&teller, &initial);
    let first = Delta {
        values: teller.view().all(&initial),
        gone: Vec::new(),
        processes: (0..initial.process_count()).map(|pid| teller.resting(&initial, pid)).collect(),
    };
    let happenings = chronicler.happenings(&initial, &replay);
    let messages = chronicler.messages.all;
    Ok(Chronicle { story, initial: first, happenings, messages })
}

struct Chronicler<'t, 'm> {
    teller: &'t Teller<'m>,
    messages: Messages,
    /// The values of the state before.
    values: BTreeMap<String, String>,
}

impl<'t, 'm> Chronicler<'t, 'm> {
    fn new(teller: &'t Teller<'m>, initial: &Now) -> Chronicler<'t, 'm> {
        let values = teller.view().all(initial).into_iter().collect();
        Chronicler { teller, messages: Messages::default(), values }
    }

    fn happenings(&mut self, initial: &Now, replay: &Replay) -> Vec<Happening> {
        let mut now = initial;
        let mut all = Vec::new();
        for (number, step) in replay.moves.iter().enumerate() {
            all.push(self.happening(number, now, step));
            now = &step.next;
        }
        all
    }

    fn happening(&mut self, number: usize, now: &Now, step: &Move) -> Happening {
        let mut merged = self.teller.texts(now, step.pid, step.edge);
        let mut happening = Happening { first: merged.remove(0), merged, ..Happening::default() };
        let mut doer = step.pid;
        for deed in self.teller.machine().account(now, step).deeds {
            match &deed {
                Deed::Send(passed) => {
                    let message = self.message(now, &step.next, passed, number, doer, Fate::Waits);
                    happening.parts.push(self.messages.send(passed, message));
                }
                Deed::Lose(passed) => {
                    let message = self.message(now, &step.next, passed, number, doer, Fate::Lost);
                    happening.parts.push(self.messages.pass(message));
                }
                Deed::Take(passed) => {
                    happening.parts.extend(self.messages.take(passed, number, doer));
                }
                Deed::Look(passed) => happening.parts.extend(self.messages.look(passed)),
                Deed::Meet(passed) => {
                    let receiver = step.partner.map_or(doer, |(pid, _)| pid);
                    let fate = Fate::Met { pid: receiver };
                    let message = self.message(now, &step.next, passed, number, doer, fate);
                    happening.parts.push(self.messages.pass(message));
                    // The sender has done what it had to do.
                    doer = receiver;
                }
                Deed::Start(pid) => happening.started.push(*pid),
            }
        }
        if step.fault.is_some_and(|fault| !fault.is_survivable()) {
            // There is no state behind it.
            return happening;
        }
        let next = &step.next;
        happening.ended = (next.process_count() < now.process_count()).then_some(step.pid);
        let moved = [Some(step.pid), step.partner.map(|(pid, _)| pid)].into_iter().flatten();
        let placed = moved.chain(happening.started.iter().copied());
        let placed = placed.filter(|&pid| pid < next.process_count());
        happening.delta.processes = placed.map(|pid| self.teller.resting(next, pid)).collect();
        self.compare(now, next, &mut happening.delta);
        self.messages.keep(next.channel_count());
        happening
    }

    fn message(
        &self,
        now: &Now,
        next: &Now,
        passed: &Passed,
        sent: usize,
        sender: usize,
        fate: Fate,
    ) -> Message {
        let view = self.teller.view();
        // A step may send into a channel of a process that it has just started.
        let state = if passed.channel < now.channel_count() { now } else { next };
        let channel = view.channel_name(state, passed.channel);
        let text = view.message(state, passed.channel, &passed.message);
        Message { channel, text, sender, sent, fate }
    }

    /// Adds the values that differ.
    fn compare(&mut self, now: &Now, next: &Now, delta: &mut Delta) {
        let view = self.teller.view();
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
