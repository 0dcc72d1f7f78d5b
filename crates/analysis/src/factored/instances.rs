//! Instances: the processes and channels that factors represent.
//!
//! Processes that run from the start have known numbers. So have the processes that one of them
//! starts, as long as its steps depend on no other process ([`StaticCreations`]). All others are
//! *summary instances*: one set of factors represents all processes of a type, or channels of a
//! declaration, without a known number.
//!
//! The number of a process that ends is reused by the next one that is started. If that has the
//! same type, states do not distinguish them. A process that is started dynamically is therefore
//! part of a summary, or an instance with a known number is *recreated*.

use std::collections::BTreeSet;

use beeline_engine::automata::{EdgeId, Location};
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_engine::layout::{ChannelLayout, Declaration, Scalar};
use beeline_factored::FactorId;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Init, Model, ProcessId, Type, Variable};

use super::starts::{may_end, runs};
use super::static_creation::StaticCreations;

/// The first number of summary channels, larger than all values of variables.
pub(super) const SUMMARIES: i32 = 1 << 20;

/// A process, or a summary of several.
#[derive(Clone, Debug)]
pub(super) struct ProcessInstance {
    pub(super) process: ProcessId,
    /// Its number; none for a summary.
    pub(super) pid: Option<usize>,
    /// Whether it exists in the initial state.
    pub(super) is_first: bool,
    /// The initial values of its variables, if they are known.
    pub(super) initial: Option<Vec<i32>>,
    /// Whether the values of its parameters are the same in every run.
    pub(super) knows_params: bool,
    pub(super) location: FactorId,
    /// The first of its variables.
    pub(super) locals: FactorId,
}

impl ProcessInstance {
    /// A process that does not exist in the initial state; a summary, if it has no number.
    pub(super) fn absent(process: ProcessId, pid: Option<usize>) -> ProcessInstance {
        let (location, locals) = (FactorId(0), FactorId(0));
        let (is_first, initial, knows_params) = (false, None, false);
        ProcessInstance { process, pid, is_first, initial, knows_params, location, locals }
    }
}

/// A channel, or a summary of several.
#[derive(Clone, Debug)]
pub(super) struct ChannelInstance {
    pub(super) declaration: usize,
    /// The value of variables that hold it.
    pub(super) value: i32,
    /// The process instance that it is created with; none for a global channel.
    pub(super) owner: Option<usize>,
    pub(super) capacity: usize,
    pub(super) fields: Vec<Scalar>,
    pub(super) length: FactorId,
    /// The first field of the first message.
    pub(super) slots: FactorId,
}

impl ChannelInstance {
    pub(super) fn is_summary(&self) -> bool {
        self.value >= SUMMARIES
    }

    /// A field of one of its messages.
    pub(super) fn slot(&self, slot: usize, field: usize) -> FactorId {
        FactorId(self.slots.0 + (slot * self.fields.len() + field) as u32)
    }
}

/// A statically known process creation.
#[derive(Clone, Debug)]
pub(super) struct Creation {
    pub(super) edge: EdgeId,
    /// The statement of the edge that starts it.
    pub(super) place: Location,
    /// The instances that it may be: any of its type, if other processes may end or start processes
    /// in between.
    pub(super) children: Vec<usize>,
    /// The variables of the spawner at that time, if they distinguish starts.
    pub(super) when: Option<Vec<i32>>,
}

/// All processes and channels.
#[derive(Clone, Debug)]
pub(super) struct Instances {
    pub(super) processes: Vec<ProcessInstance>,
    pub(super) queues: Vec<ChannelInstance>,
    /// The process whose creations are known statically, and these creations.
    pub(super) spawner: usize,
    pub(super) creations: Vec<Creation>,
    /// The edges of the spawner that may start further processes.
    beyond: BTreeSet<EdgeId>,
    /// Other processes may end or start processes between the static creations, so that numbers
    /// differ.
    shifts: bool,
    /// By process type: its summary instance.
    summaries: Vec<Option<usize>>,
    /// By process type: whether static creations do not bound the number of its processes.
    is_free: Vec<bool>,
    /// The greatest number of a process, where instances with numbers replace summaries.
    last_number: Option<usize>,
    /// What the model has if it needs a greater number.
    excess: Option<String>,
    /// By process instance.
    is_recreated: Vec<bool>,
}

impl Instances {
    /// Finds the instances. Their factors are assigned later.
    pub(super) fn of(machine: &Machine<'_>) -> Result<Instances, FaultKind> {
        let start = machine.initial()?;
        let plan = StaticCreations::of(machine, &start);
        let mut instances = Instances {
            processes: Vec::new(),
            queues: Vec::new(),
            spawner: plan.spawner,
            creations: Vec::new(),
            beyond: plan.beyond.clone(),
            shifts: false,
            summaries: vec![None; machine.model().processes.len()],
            is_free: vec![false; machine.model().processes.len()],
            last_number: None,
            excess: None,
            is_recreated: Vec::new(),
        };
        for pid in 0..start.process_count() {
            instances.add_exact(machine, &start, pid, true, true);
        }
        instances.add_channels(machine, &start, 0);
        let firsts = instances.processes.len();
        for creation in &plan.creations {
            let knows_params = creation.is_static && creation.when.is_some();
            instances.add_exact(machine, &creation.after, creation.pid, false, knows_params);
        }
        instances.shifts = plan.is_exposed
            && instances.processes.iter().enumerate().any(|(at, member)| {
                let automaton = machine.automaton(member.process);
                at != plan.spawner && (may_end(automaton) || runs(automaton).next().is_some())
            });
        if !instances.shifts
            && let Some(last) = plan.creations.last()
        {
            instances.add_channels(machine, &last.after, start.channel_count());
        }
        instances.add_creations(&plan, firsts);
        instances.add_summaries(machine);
        let may_leave = |member: &ProcessInstance| {
            let leaves = instances.shifts || may_end(machine.automaton(member.process));
            leaves && member.pid.is_some() && instances.summary(member.process).is_some()
        };
        instances.is_recreated = instances.processes.iter().map(may_leave).collect();
        // Their channels are recreated with other numbers, and belong to the summary.
        let Instances { queues, processes, is_recreated, .. } = &mut instances;
        queues.retain(|queue| {
            let comes_again = |owner: usize| is_recreated[owner] && !processes[owner].is_first;
            queue.is_summary() || !queue.owner.is_some_and(comes_again)
        });
        Ok(instances)
    }

    fn add_exact(
        &mut self,
        machine: &Machine<'_>,
        now: &DecodedState,
        pid: usize,
        is_first: bool,
        knows_params: bool,
    ) {
        let process = now.process(pid);
        let names = &machine.names().locals[process.index()];
        self.processes.push(ProcessInstance {
            process,
            pid: Some(pid),
            is_first,
            initial: Some(names.iter().map(|slot| slot.kept(now, pid)).collect()),
            knows_params,
            location: FactorId(0),
            locals: FactorId(0),
        });
    }

    pub(super) fn add_queue(
        &mut self,
        declaration: usize,
        value: i32,
        owner: Option<usize>,
        layout: &ChannelLayout,
    ) {
        self.queues.push(ChannelInstance {
            declaration,
            value,
            owner,
            capacity: layout.capacity,
            fields: layout.fields.clone(),
            length: FactorId(0),
            slots: FactorId(0),
        });
    }

    /// Adds the channels of a state, from a number on.
    fn add_channels(&mut self, machine: &Machine<'_>, now: &DecodedState, first: usize) {
        for channel in first..now.channel_count() {
            let owner = (0..now.process_count())
                .find(|&pid| machine.channels_of(now, pid).contains(&channel));
            let declaration = machine.channel(now, channel).declaration;
            let layout = &machine.layout().channels[declaration];
            self.add_queue(declaration, channel as i32 + 1, owner, layout);
        }
    }

    /// Adds the creations that are known statically. Their processes begin at `first`.
    fn add_creations(&mut self, plan: &StaticCreations, first: usize) {
        for (at, creation) in plan.creations.iter().enumerate() {
            let own = first + at;
            let process = self.processes[own].process;
            let alike = |other: &usize| {
                *other == own || self.shifts && self.processes[*other].process == process
            };
            let children: Vec<usize> = (0..self.processes.len()).filter(alike).collect();
            let (edge, place, when) = (creation.edge, creation.place, creation.when.clone());
            self.creations.push(Creation { edge, place, children, when });
        }
    }

    /// Adds summaries for all processes and channels that may be created dynamically.
    fn add_summaries(&mut self, machine: &Machine<'_>) {
        let mut wanted: Vec<ProcessId> = Vec::new();
        for at in 0..self.processes.len() {
            for (edge, started) in runs(machine.automaton(self.processes[at].process)) {
                if self.is_beyond_plan(at, edge) {
                    wanted.push(started);
                }
            }
        }
        while let Some(process) = wanted.pop() {
            if !std::mem::replace(&mut self.is_free[process.index()], true) {
                self.add_summary(process);
                wanted.extend(runs(machine.automaton(process)).map(|(_, started)| started));
            }
        }
        if self.shifts {
            for child in self.creations.clone().iter().flat_map(|creation| &creation.children) {
                self.add_summary(self.processes[*child].process);
            }
        }
        for member in 0..self.processes.len() {
            if self.processes[member].pid.is_some() {
                continue;
            }
            for declaration in declared(machine, self.processes[member].process) {
                let layout = &machine.layout().channels[declaration];
                let value = SUMMARIES + declaration as i32;
                if self.queues.iter().all(|queue| queue.value != value) {
                    self.add_queue(declaration, value, Some(member), layout);
                }
            }
        }
    }

    fn add_summary(&mut self, process: ProcessId) {
        if self.summaries[process.index()].is_none() {
            self.summaries[process.index()] = Some(self.processes.len());
            self.processes.push(ProcessInstance::absent(process, None));
        }
    }

    /// Whether an edge of an instance may start processes dynamically.
    pub(super) fn is_beyond_plan(&self, member: usize, edge: EdgeId) -> bool {
        let ignores_plan = self.shifts && self.is_bounded();
        ignores_plan || member != self.spawner || self.beyond.contains(&edge)
    }

    /// Whether static creations do not bound the number of the processes of a type.
    pub(super) fn is_free(&self, process: ProcessId) -> bool {
        self.is_free[process.index()]
    }

    /// Whether all instances have numbers, up to a greatest one.
    pub(super) fn is_bounded(&self) -> bool {
        self.last_number.is_some()
    }

    /// The greatest number of a process, where instances with numbers replace summaries.
    pub(super) fn last_number(&self) -> Option<usize> {
        self.last_number
    }

    /// What the model has if it needs a greater number.
    pub(super) fn excess(&self) -> Option<&str> {
        self.excess.as_deref()
    }

    /// Ends the replacement of summaries: the instances that are left have numbers up to this one.
    pub(super) fn replace_summaries(&mut self, last_number: usize, excess: String) {
        self.summaries.fill(None);
        (self.last_number, self.excess) = (Some(last_number), Some(excess));
    }

    /// The summary of a process type.
    pub(super) fn summary(&self, process: ProcessId) -> Option<usize> {
        self.summaries[process.index()]
    }

    /// The instances of a type with a known number that may be created again, dynamically.
    pub(super) fn recreated(&self, process: ProcessId) -> Vec<usize> {
        let all = (0..self.processes.len()).filter(|&at| self.is_recreated[at]);
        all.filter(|&at| self.processes[at].process == process).collect()
    }

    /// Lets an instance be created dynamically.
    pub(super) fn set_recreated(&mut self, member: usize) {
        self.is_recreated.resize(self.processes.len(), false);
        self.is_recreated[member] = true;
    }

    /// Whether an instance may exist again after its end, created dynamically.
    pub(super) fn is_recreated(&self, member: usize) -> bool {
        self.is_recreated[member]
    }

    /// Whether no process with channels that had known numbers from the start is recreated.
    pub(super) fn keeps_channels(&self) -> bool {
        let exact = self.queues.iter().filter(|queue| !queue.is_summary());
        self.is_bounded()
            || !exact.filter_map(|queue| queue.owner).any(|owner| self.is_recreated[owner])
    }

    /// Whether there are processes without a known number.
    pub(super) fn has_summaries(&self) -> bool {
        self.summaries.iter().any(Option::is_some)
    }

    /// Whether a process may be created with another number than the static one.
    pub(super) fn shifts(&self) -> bool {
        self.shifts
    }
}

/// The declarations of the channels that a process declares.
fn declared(machine: &Machine<'_>, process: ProcessId) -> Vec<usize> {
    fn add(
        machine: &Machine<'_>,
        model: &Model,
        variable: &Variable,
        declaration: Declaration,
        found: &mut Vec<usize>,
    ) {
        if let Init::Channel(_) = variable.init {
            found.push(machine.channel_declared(declaration));
        }
        if let Type::Struct(id) = variable.ty {
            for (at, field) in model.structs[id.index()].fields.iter().enumerate() {
                add(machine, model, field, Declaration::Field(id.index(), at), found);
            }
        }
    }
    let model = machine.model();
    let mut found = Vec::new();
    let locals = &model.process(process).locals;
    for (at, local) in locals.iter().enumerate().skip(model.process(process).params as usize) {
        add(machine, model, local, Declaration::Local(process.index(), at), &mut found);
    }
    found
}
