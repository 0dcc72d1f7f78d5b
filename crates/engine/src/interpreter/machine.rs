//! A model prepared for execution, and a decoded state.

use std::sync::Arc;

use beeline_promela::hir::{
    Access, Expr, GlobalId, Model, ProcessId, ProcessKind, Root, Type, USUAL_PROCESSES, Variable,
};

use super::features::ModelFeatures;
use crate::automata::{self, AutomataOptions, Automaton, Location};
use crate::claim_automaton::Claim;
use crate::constants::ConstantVariables;
use crate::declaration::declared;
use crate::frame::{CHANNELS, EXCLUSIVE, Frame, FrameNeeds, LAST, PROCESSES, RecordKind};
use crate::labels::Labels;
use crate::layout::{Declaration, StateLayout, names};
use crate::local_constants::LocalConstants;
use crate::permanent::PermanentRecords;

/// A model prepared for execution.
#[derive(Clone, Debug)]
pub struct Machine<'m> {
    pub(super) model: &'m Model,
    pub(super) automata: Vec<Automaton>,
    pub(super) layout: StateLayout,
    constants: ConstantVariables,
    permanent: PermanentRecords,
    local_constants: LocalConstants,
    /// Whether processes of higher priority have precedence.
    pub(super) has_priorities: bool,
    /// By global: whether it is never read, so that its value is not stored.
    pub(super) unread: Vec<bool>,
    /// The automaton of the trace assertion.
    pub(super) trace: Option<usize>,
    /// The invariants, or the expressions of the claim.
    pub(super) invariants: Vec<Expr>,
    /// The claim of the machine.
    claim: Option<Claim>,
    /// The progress and accept labels.
    progress_labels: Labels,
    accept_labels: Labels,
    needs: FrameNeeds,
    /// Whether a send to a full channel loses the message instead of blocking.
    pub(super) loses_messages: bool,
    /// Whether all channels must be empty at a valid end.
    pub(super) ends_empty: bool,
    /// Whether a value that does not fit in its type is a fault.
    pub(super) checks_overflow: bool,
}

impl<'m> Machine<'m> {
    /// Prepares a model without errors.
    pub fn new(model: &'m Model, options: AutomataOptions) -> Self {
        Machine::with_process_limit(model, options, USUAL_PROCESSES)
    }

    /// Prepares a model without errors. At most this many processes run at once, but all active
    /// ones do.
    pub fn with_process_limit(
        model: &'m Model,
        options: AutomataOptions,
        processes: usize,
    ) -> Self {
        let active = model.processes.iter().map(|process| process.active as usize);
        let processes = processes.max(active.sum());
        let uses = ModelFeatures::of(model);
        let unread =
            if options.reset_dead { uses.unread } else { vec![false; model.globals.len()] };
        let mut automata = automata::build(model, options);
        let is_trace = |kind| matches!(kind, ProcessKind::Trace | ProcessKind::Notrace);
        let trace = automata.iter().position(|automaton| is_trace(automaton.kind));
        let permanent = PermanentRecords::of(model, &automata, processes);
        let names = names(model, &ConstantVariables::of(model, &automata), &permanent);
        let mut edges = automata.iter().flat_map(|automaton| &automaton.edges);
        let needs = FrameNeeds {
            types: model.processes.len(),
            channels: declared(model).count(),
            locations: automata.iter().map(|a| a.marks.len()).max().unwrap_or(0),
            always: [
                permanent.all_processes.then_some(permanent.processes.len()),
                permanent.all_channels.then_some(permanent.channels.len()),
                (!edges.any(|edge| edge.hold.atomic)).then_some(0),
                (!uses.last).then_some(0),
            ],
            priorities: uses.priorities,
            trace: trace.is_some(),
            claim: 0,
            processes,
        };
        let frame = Frame::new(needs);
        let local_constants = LocalConstants::eliminate(model, &mut automata, &names, frame);
        Machine {
            model,
            progress_labels: Labels::of(model, &automata, |marks| marks.progress),
            accept_labels: Labels::of(model, &automata, |marks| marks.accept),
            claim: None,
            needs,
            layout: StateLayout::new(model, frame, names, &permanent, &local_constants),
            constants: ConstantVariables::of(model, &automata),
            automata,
            permanent,
            local_constants,
            has_priorities: uses.priorities,
            unread,
            trace,
            invariants: Vec::new(),
            loses_messages: false,
            ends_empty: false,
            checks_overflow: false,
        }
    }

    /// Sets the invariants.
    #[must_use]
    pub fn with_invariants(mut self, invariants: Vec<Expr>) -> Self {
        let is_known = |expr: &Expr| !self.local_constants.is_watched_by(expr);
        assert!(invariants.iter().all(is_known), "what the model watches is in its states");
        self.invariants = invariants;
        self
    }

    /// Sets the claim, which replaces the invariants. Its state is part of every state.
    #[must_use]
    pub fn watched_by(mut self, claim: Claim) -> Self {
        self.needs.claim = claim.states.len();
        let frame = Frame::new(self.needs);
        let names = self.layout.names.clone();
        self.layout =
            StateLayout::new(self.model, frame, names, &self.permanent, &self.local_constants);
        self = self.with_invariants(claim.conditions.clone());
        self.claim = Some(claim);
        self
    }

    /// The claim of the machine.
    pub fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// Whether some process has a progress label.
    pub fn has_progress_labels(&self) -> bool {
        !self.progress_labels.is_empty()
    }

    pub(crate) fn progress_labels(&self) -> &Labels {
        &self.progress_labels
    }

    pub(crate) fn accept_labels(&self) -> &Labels {
        &self.accept_labels
    }

    /// Lets messages to full channels be lost, as `spin -m` does.
    #[must_use]
    pub fn losing_messages(mut self, loses: bool) -> Self {
        self.loses_messages = loses;
        self
    }

    /// Requires empty channels at a valid end, as `pan -q` does.
    #[must_use]
    pub fn ending_empty(mut self, strict: bool) -> Self {
        self.ends_empty = strict;
        self
    }

    /// Makes a stored value that does not fit in its type a fault. The run continues with the
    /// truncated value.
    #[must_use]
    pub fn checking_overflow(mut self, checks: bool) -> Self {
        self.checks_overflow = checks;
        if checks {
            // An overflow needs the values of all variables.
            self.unread.fill(false);
        }
        self
    }

    /// Whether a stored value that does not fit in its type is a fault.
    pub fn checks_overflow(&self) -> bool {
        self.checks_overflow
    }

    /// The invariants, or the expressions of the claim.
    pub fn invariants(&self) -> &[Expr] {
        &self.invariants
    }

    /// Whether messages to full channels are lost.
    pub fn loses_messages(&self) -> bool {
        self.loses_messages
    }

    /// Whether a valid end requires empty channels.
    pub fn ends_empty(&self) -> bool {
        self.ends_empty
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The layout of its states.
    pub fn layout(&self) -> &StateLayout {
        &self.layout
    }

    /// The number of a declaration in [`StateLayout::channels`].
    pub fn channel_declared(&self, declaration: Declaration) -> usize {
        self.layout.declarations[&declaration]
    }

    /// The variables that never change.
    pub fn constants(&self) -> &ConstantVariables {
        &self.constants
    }

    /// The local variables that are in no state because pid and location determine them.
    pub fn local_constants(&self) -> &LocalConstants {
        &self.local_constants
    }

    /// The local variables of a process type that are in states, with their numbers: all
    /// parameters, then all that are not local constants.
    pub fn locals_in_states(
        &self,
        process: ProcessId,
    ) -> impl Iterator<Item = (usize, &'m Variable)> {
        let locals = self.model.process(process).locals.iter().enumerate();
        locals.filter(move |&(at, _)| self.local_constants.of(process, at).is_none())
    }

    /// Whether processes of higher priority have precedence.
    pub fn has_priorities(&self) -> bool {
        self.has_priorities
    }

    /// Whether states contain the process that moved last.
    pub fn keeps_last(&self) -> bool {
        self.needs.always[LAST].is_none()
    }

    /// Whether there is a trace assertion.
    pub fn has_trace(&self) -> bool {
        self.trace.is_some()
    }

    /// Whether there are deterministic processes (`D_proctype`).
    pub fn forbids_choice(&self) -> bool {
        self.model.processes.iter().any(|process| process.deterministic)
    }

    /// Whether a global variable is never read, so that its value is not stored.
    pub fn is_unread(&self, global: GlobalId) -> bool {
        self.unread[global.index()]
    }

    /// The automaton of a process.
    pub fn automaton(&self, process: ProcessId) -> &Automaton {
        &self.automata[process.index()]
    }

    /// Decodes a state.
    pub fn decode(&self, bytes: &[u8]) -> DecodedState {
        let mut now = DecodedState::new(bytes.to_vec(), self.layout.frame);
        now.find_records(&self.layout);
        now
    }

    /// Whether every process is at a valid end.
    pub fn is_valid_end(&self, now: &DecodedState) -> bool {
        (0..now.records.processes.len()).all(|pid| {
            let automaton = self.automaton(now.process(pid));
            automaton.marks[now.location(pid).0 as usize].end
        }) && self.trace_may_end(now)
            && !(self.ends_empty
                && (0..now.records.channels.len()).any(|at| now.channel_length(at) > 0))
    }
}

/// A state with the offsets of its records.
#[derive(Clone, Debug)]
pub struct DecodedState {
    /// The state itself.
    pub bytes: Vec<u8>,
    /// The records; successive states mostly share them.
    pub(super) records: Arc<Records>,
}

/// The records of a state.
#[derive(Clone, Debug)]
pub(super) struct Records {
    pub(super) processes: Vec<usize>,
    /// The type of each process.
    types: Vec<ProcessId>,
    pub(super) channels: Vec<ChannelRecord>,
    pub(super) frame: Frame,
}

/// A channel of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelRecord {
    /// The offset of its record ([`StateLayout::records`]).
    pub at: usize,
    /// The number of its declaration in [`StateLayout::channels`].
    pub declaration: usize,
    /// Its capacity; 0 for a rendezvous.
    pub capacity: usize,
}

impl ChannelRecord {
    fn new(layout: &StateLayout, at: usize, declaration: usize) -> ChannelRecord {
        let capacity = layout.channels[declaration].capacity;
        ChannelRecord { at, declaration, capacity }
    }
}

impl DecodedState {
    pub(super) fn new(bytes: Vec<u8>, frame: Frame) -> DecodedState {
        let (processes, types, channels) = (Vec::new(), Vec::new(), Vec::new());
        DecodedState { bytes, records: Arc::new(Records { processes, types, channels, frame }) }
    }

    /// Locates the records of the state.
    pub(super) fn find_records(&mut self, layout: &StateLayout) {
        let records = Arc::make_mut(&mut self.records);
        records.processes.clear();
        records.types.clear();
        records.channels.clear();
        for (at, record) in layout.records(&self.bytes) {
            match record {
                RecordKind::Process(process) => {
                    records.processes.push(at);
                    records.types.push(ProcessId(process as u32));
                }
                RecordKind::Channel(declaration) => {
                    records.channels.push(ChannelRecord::new(layout, at, declaration));
                }
            }
        }
    }

    /// The number of processes.
    #[inline]
    pub fn process_count(&self) -> usize {
        self.records.processes.len()
    }

    /// The type of a process.
    #[inline]
    pub fn process(&self, pid: usize) -> ProcessId {
        self.records.types[pid]
    }

    /// The location of a process.
    #[inline]
    pub fn location(&self, pid: usize) -> Location {
        Location(self.records.frame.location(&self.bytes, self.records.processes[pid]))
    }

    pub(super) fn set_location(&mut self, pid: usize, location: Location) {
        self.records.frame.set_location(&mut self.bytes, self.records.processes[pid], location.0);
    }

    /// The process with exclusive control.
    pub fn exclusive(&self) -> Option<usize> {
        self.records.frame.number(&self.bytes, EXCLUSIVE).checked_sub(1)
    }

    pub(super) fn set_exclusive(&mut self, pid: Option<usize>) {
        self.records.frame.set_number(&mut self.bytes, EXCLUSIVE, pid.map_or(0, |pid| pid + 1));
    }

    /// The state of the claim.
    pub fn claim(&self) -> u32 {
        self.records.frame.claim(&self.bytes)
    }

    /// Sets the state of the claim.
    pub fn set_claim(&mut self, place: u32) {
        self.records.frame.set_claim(&mut self.bytes, place);
    }

    /// A process's priority; 0 when the model has none.
    pub(super) fn priority(&self, pid: usize) -> i32 {
        self.records
            .frame
            .priority
            .map_or(0, |at| i32::from(self.bytes[self.records.processes[pid] + at]))
    }

    pub(super) fn set_priority(&mut self, pid: usize, priority: i32) {
        if let Some(at) = self.records.frame.priority {
            self.bytes[self.records.processes[pid] + at] = priority as u8;
        }
    }

    pub(super) fn add_process(&mut self, machine: &Machine<'_>, process: ProcessId) -> usize {
        let permanent = machine.layout.permanent_process(self.records.processes.len());
        let at = permanent.unwrap_or_else(|| {
            let at = self.bytes.len();
            self.bytes.resize(at + machine.layout.processes[process.index()].size, 0);
            at
        });
        machine.layout.set_record(&mut self.bytes, at, RecordKind::Process(process.index()));
        let records = Arc::make_mut(&mut self.records);
        records.processes.push(at);
        records.types.push(process);
        self.records.frame.set_number(&mut self.bytes, PROCESSES, self.records.processes.len());
        let pid = self.records.processes.len() - 1;
        self.set_location(pid, machine.automaton(process).start);
        pid
    }

    /// Removes the youngest process and the channels after it.
    pub(super) fn remove_youngest(&mut self) {
        let records = Arc::make_mut(&mut self.records);
        if let Some(at) = records.processes.pop() {
            records.types.pop();
            self.bytes.truncate(at);
            records.channels.retain(|channel| channel.at < at);
            self.records.frame.set_number(&mut self.bytes, PROCESSES, self.records.processes.len());
            self.records.frame.set_number(&mut self.bytes, CHANNELS, self.records.channels.len());
        }
    }

    /// Adds a channel and returns its number, from 1. Permanent channels exist already.
    pub(super) fn add_channel(&mut self, machine: &Machine<'_>, declaration: usize) -> usize {
        let permanent = machine.layout.permanent_channel(self.records.channels.len());
        let at = permanent.map(|(at, _)| at).unwrap_or_else(|| {
            let at = self.bytes.len();
            self.bytes.resize(at + machine.layout.channel_size(declaration), 0);
            at
        });
        machine.layout.set_record(&mut self.bytes, at, RecordKind::Channel(declaration));
        let record = ChannelRecord::new(&machine.layout, at, declaration);
        Arc::make_mut(&mut self.records).channels.push(record);
        self.records.frame.set_number(&mut self.bytes, CHANNELS, self.records.channels.len());
        self.records.channels.len()
    }

    /// The number of messages in a channel; 0 for a rendezvous.
    #[inline]
    pub fn channel_length(&self, channel: usize) -> usize {
        let ChannelRecord { at, capacity, .. } = self.records.channels[channel];
        if capacity == 0 { 0 } else { usize::from(self.bytes[at + self.records.frame.length_at()]) }
    }

    pub(super) fn messages_at(&self, channel: usize) -> usize {
        self.records.channels[channel].at + self.records.frame.channel_header()
    }
}

/// Type and offset of a variable, without its index.
pub(super) struct VariableBase {
    pub(super) at: usize,
    pub(super) ty: Type,
    pub(super) length: Option<u32>,
}

impl Machine<'_> {
    /// The address of a root variable in a state.
    pub(super) fn base(
        &self,
        now: &DecodedState,
        pid: usize,
        access: &Access,
    ) -> Option<VariableBase> {
        match access.root {
            Root::Global(id) => {
                let variable = &self.model.globals[id.index()];
                let at = self.layout.globals[id.index()];
                Some(VariableBase { at, ty: variable.ty, length: variable.length })
            }
            Root::Local(id) => {
                let process = now.process(pid);
                let variable = &self.model.process(process).locals[id.index()];
                let offset = self.layout.processes[process.index()].locals[id.index()];
                let at = now.records.processes[pid] + offset;
                Some(VariableBase { at, ty: variable.ty, length: variable.length })
            }
            Root::Predefined(_) => None,
        }
    }
}
