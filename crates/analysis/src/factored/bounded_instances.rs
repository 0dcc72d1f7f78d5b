//! Instances in place of summaries: room for a bounded number of processes.
//!
//! Processes have the numbers from 0 without gaps: a new process gets the first free number, and
//! only the youngest one ends. So each process with a bounded number of its type is represented by
//! instances of its type for all numbers that it may have. There are channels for the processes
//! that declare them, if the number of a channel follows from that of its process.
//!
//! The view has not enough room if a process is started while the greatest number is in use. That
//! is a step that fails by [`FaultKind::Limit`](beeline_kernel::FaultKind::Limit).

use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Declaration;
use beeline_promela::hir::{Init, ProcessId, Type, Variable};

use super::instance_bounds::InstanceBounds;
use super::instances::{Instances, ProcessInstance};
use super::starts::may_end;

/// The process types without known numbers, and the processes of each that may exist at a time.
struct Room {
    types: Vec<(ProcessId, usize)>,
    /// The numbers that these processes may have.
    first: usize,
    end: usize,
}

impl Instances {
    /// Replaces summaries and shifting numbers by instances with numbers, if all bounds are known.
    pub(super) fn bounded(self, machine: &Machine<'_>, bounds: &InstanceBounds) -> Instances {
        if !self.has_summaries() && !self.shifts() {
            return self;
        }
        self.with_room(machine, bounds).unwrap_or(self)
    }

    fn with_room(&self, machine: &Machine<'_>, bounds: &InstanceBounds) -> Option<Instances> {
        let mut made = self.clone();
        made.processes.retain(|member| member.pid.is_some() && (member.is_first || !self.shifts()));
        if self.shifts() {
            made.creations.clear();
        }
        let room = self.room(&made, machine, bounds)?;
        let frame = machine.layout().frame;
        if room.end > frame.most_processes {
            return None;
        }
        for pid in room.first..room.end {
            for &(process, _) in &room.types {
                made.add_numbered(process, pid);
            }
        }
        made.number_channels(machine)?;
        made.replace_summaries(room.end - 1, room.excess(machine));
        Some(made)
    }

    /// The room that is needed beside the instances of `kept`.
    fn room(
        &self,
        kept: &Instances,
        machine: &Machine<'_>,
        bounds: &InstanceBounds,
    ) -> Option<Room> {
        let count = |all: &Instances, process: ProcessId| {
            let numbered = all.processes.iter().filter(|member| member.pid.is_some());
            numbered.filter(|member| member.process == process).count()
        };
        let mut types = Vec::new();
        let mut end = kept.processes.len();
        for process in (0..machine.model().processes.len() as u32).map(ProcessId) {
            if self.summary(process).is_none() {
                continue;
            }
            let planned = (!self.is_free(process)).then(|| count(self, process));
            let most = bounds.of(process).or(planned)?;
            end += most.saturating_sub(count(kept, process));
            types.push((process, most));
        }
        // The number of a process that may end is free again if all later ones end before it.
        let stays = |member: &&ProcessInstance| !may_end(machine.automaton(member.process));
        let staying = kept.processes.iter().filter(stays).filter_map(|member| member.pid).max();
        let first = staying.map_or(1, |pid| pid + 1).max(1);
        Some(Room { types, first, end })
    }

    fn add_numbered(&mut self, process: ProcessId, pid: usize) {
        let known =
            self.processes.iter().position(|one| (one.process, one.pid) == (process, Some(pid)));
        let at = known.unwrap_or_else(|| {
            self.processes.push(ProcessInstance::absent(process, Some(pid)));
            self.processes.len() - 1
        });
        self.set_recreated(at);
    }

    /// Gives each process its channels. `None` if their numbers do not follow from the number of
    /// the process.
    fn number_channels(&mut self, machine: &Machine<'_>) -> Option<()> {
        self.queues.retain(|queue| queue.owner.is_none());
        let mut owners: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for (at, member) in self.processes.iter().enumerate() {
            owners.push((member.pid?, at, channels_of(machine, member.process)));
        }
        owners.sort_unstable();
        let mut first = self.queues.len();
        for alike in owners.chunk_by(|one, other| one.0 == other.0) {
            for (_, owner, declarations) in alike {
                for (number, &declaration) in (first + 1..).zip(declarations) {
                    let known = (number as i32, declaration);
                    if self.queues.iter().any(|one| (one.value, one.declaration) == known) {
                        return None;
                    }
                    let layout = &machine.layout().channels[declaration];
                    self.add_queue(declaration, number as i32, Some(*owner), layout);
                }
            }
            let (pid, _, own) = &alike[0];
            let is_owner =
                |later: &(usize, usize, Vec<usize>)| later.0 > *pid && !later.2.is_empty();
            if alike.iter().any(|other| other.2.len() != own.len()) && owners.iter().any(is_owner) {
                return None;
            }
            first += alike.iter().map(|one| one.2.len()).max().unwrap_or(0);
        }
        (first <= machine.layout().frame.most_channels()).then_some(())
    }
}

impl Room {
    /// What the model has beyond the room.
    fn excess(&self, machine: &Machine<'_>) -> String {
        let names =
            self.types.iter().map(|(process, _)| &*machine.model().process(*process).name.name);
        let names: Vec<&str> = names.collect();
        let most: usize = self.types.iter().map(|(_, most)| most).sum();
        format!("more than {most} processes {}", names.join(" and "))
    }
}

/// The declarations of the channels of a process, in the order in which they are created.
fn channels_of(machine: &Machine<'_>, process: ProcessId) -> Vec<usize> {
    let mut found = Vec::new();
    let params = machine.model().process(process).params as usize;
    for (at, local) in machine.locals_in_states(process).skip(params) {
        add_channels(machine, local, Declaration::Local(process.index(), at), &mut found);
    }
    found
}

fn add_channels(
    machine: &Machine<'_>,
    variable: &Variable,
    declaration: Declaration,
    found: &mut Vec<usize>,
) {
    let length = variable.length.unwrap_or(1) as usize;
    if let Type::Struct(id) = variable.ty {
        for _ in 0..length {
            for (at, field) in machine.model().structs[id.index()].fields.iter().enumerate() {
                add_channels(machine, field, Declaration::Field(id.index(), at), found);
            }
        }
    } else if let Init::Channel(_) = variable.init {
        found.extend(std::iter::repeat_n(machine.channel_declared(declaration), length));
    }
}
