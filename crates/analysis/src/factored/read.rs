//! Decoding of states of a machine into values of factors.

use beeline_engine::frame::RecordKind;
use beeline_engine::interpreter::{Machine, SlotValue, VariableSlot};
use beeline_engine::layout::StateLayout;
use beeline_factored::{FactorId, FactorReader};
use beeline_promela::hir::Type;

use super::instances::Instances;

/// A value in the bytes of a state, or of a record.
struct Cell {
    held: SlotValue,
    is_channel: bool,
}

impl Cell {
    fn of(slot: &VariableSlot) -> Cell {
        Cell { held: slot.held.clone(), is_channel: slot.ty == Type::Chan }
    }
}

/// Reads states.
pub(super) struct Reader {
    layout: StateLayout,
    globals: Vec<Cell>,
    /// By process type.
    locals: Vec<Vec<Cell>>,
    /// By declaration of a channel: whether each message field is a channel.
    messages: Vec<Vec<bool>>,
    /// By process number: the instances that may have it.
    by_pid: Vec<Vec<usize>>,
    /// By channel number, from 0.
    by_number: Vec<Vec<usize>>,
    instances: Instances,
    claim: Option<FactorId>,
    error: Option<FactorId>,
}

/// A record of the state.
#[derive(Clone, Copy)]
struct ReadRecord<'s> {
    state: &'s [u8],
    /// Its offset.
    at: usize,
    /// The declarations of all channels, if numbers have to be looked up.
    declarations: &'s [usize],
}

impl Reader {
    pub(super) fn new(
        machine: &Machine<'_>,
        instances: Instances,
        claim: Option<FactorId>,
        error: Option<FactorId>,
    ) -> Reader {
        let names = machine.names();
        let mut by_pid = Vec::new();
        for (at, member) in instances.processes.iter().enumerate() {
            let Some(pid) = member.pid else { continue };
            by_pid.resize_with(by_pid.len().max(pid + 1), Vec::new);
            by_pid[pid].push(at);
        }
        let mut by_number = Vec::new();
        for (at, queue) in instances.queues.iter().enumerate() {
            if queue.is_summary() {
                continue;
            }
            let number = queue.value as usize - 1;
            by_number.resize_with(by_number.len().max(number + 1), Vec::new);
            by_number[number].push(at);
        }
        let is_channel = |types: &Vec<Type>| types.iter().map(|&ty| ty == Type::Chan).collect();
        Reader {
            layout: machine.layout().clone(),
            globals: names.globals.iter().map(Cell::of).collect(),
            locals: names.locals.iter().map(|all| all.iter().map(Cell::of).collect()).collect(),
            messages: names.messages.iter().map(is_channel).collect(),
            by_pid,
            by_number,
            instances,
            claim,
            error,
        }
    }

    /// The channel instance with this number and declaration.
    fn queue(&self, number: usize, declaration: usize) -> Option<usize> {
        let exact = self.by_number.get(number).and_then(|all| {
            all.iter().copied().find(|&at| self.instances.queues[at].declaration == declaration)
        });
        exact.or_else(|| {
            let summary = |queue: &super::instances::ChannelInstance| {
                queue.is_summary() && queue.declaration == declaration
            };
            self.instances.queues.iter().position(summary)
        })
    }

    /// The declarations of the channels of a state, if numbers have to be looked up.
    fn declarations(&self, state: &[u8]) -> Vec<usize> {
        if !self.instances.queues.iter().any(super::instances::ChannelInstance::is_summary) {
            return Vec::new();
        }
        let records = self.layout.records(state);
        let found = records.filter_map(|(_, record)| match record {
            RecordKind::Process(_) => None,
            RecordKind::Channel(declaration) => Some(declaration),
        });
        found.collect()
    }

    /// The value of a variable; a channel by the number of its instance.
    fn value(&self, bytes: &[u8], start: usize, cell: &Cell, declarations: &[usize]) -> i32 {
        let value = cell.held.read(bytes, start);
        if cell.is_channel { self.channel(value, declarations) } else { value }
    }

    fn channel(&self, value: i32, declarations: &[usize]) -> i32 {
        let number = usize::try_from(value - 1).ok();
        let known = number.and_then(|at| declarations.get(at).map(|&kind| (at, kind)));
        known
            .and_then(|(at, kind)| self.queue(at, kind))
            .map_or(value, |queue| self.instances.queues[queue].value)
    }

    /// Reads the record of a process. `false` if no factors represent it.
    fn read_process(
        &self,
        record: ReadRecord<'_>,
        pid: usize,
        process: usize,
        tell: &mut dyn FnMut(FactorId, i32),
    ) -> bool {
        let mut own = None;
        for &member in self.by_pid.get(pid).map_or(&[][..], Vec::as_slice) {
            if self.instances.processes[member].process.index() == process {
                own = Some(member);
            } else {
                self.absent_member(member, tell);
            }
        }
        let id = beeline_promela::hir::ProcessId(process as u32);
        let Some(own) = own.or_else(|| self.instances.summary(id)) else { return false };
        let member = &self.instances.processes[own];
        let ReadRecord { state, at, declarations } = record;
        tell(member.location, self.layout.frame.location(state, at) as i32);
        for (local, cell) in self.locals[process].iter().enumerate() {
            let factor = FactorId(member.locals.0 + local as u32);
            tell(factor, self.value(state, at, cell, declarations));
        }
        true
    }

    /// Reads the record of a channel. `false` if no factors represent it.
    fn read_channel(
        &self,
        record: ReadRecord<'_>,
        number: usize,
        declaration: usize,
        tell: &mut dyn FnMut(FactorId, i32),
    ) -> bool {
        for &other in self.by_number.get(number).map_or(&[][..], Vec::as_slice) {
            if self.instances.queues[other].declaration != declaration {
                self.absent_queue(other, tell);
            }
        }
        let Some(queue) = self.queue(number, declaration) else { return false };
        let queue = &self.instances.queues[queue];
        let layout = &self.layout.channels[declaration];
        let ReadRecord { state, at, declarations } = record;
        tell(queue.length, self.layout.length(state, at, declaration) as i32);
        let mut byte = at + self.layout.frame.channel_header();
        for slot in 0..layout.capacity {
            for (field, scalar) in layout.fields.iter().enumerate() {
                let mut value = scalar.read(state, byte);
                if self.messages[declaration][field] {
                    value = self.channel(value, declarations);
                }
                tell(queue.slot(slot, field), value);
                byte += scalar.size();
            }
        }
        true
    }

    fn absent_member(&self, at: usize, tell: &mut dyn FnMut(FactorId, i32)) {
        let member = &self.instances.processes[at];
        tell(member.location, 0);
        let locals = self.locals[member.process.index()].len() as u32;
        (0..locals).for_each(|local| tell(FactorId(member.locals.0 + local), 0));
    }

    fn absent_queue(&self, at: usize, tell: &mut dyn FnMut(FactorId, i32)) {
        let queue = &self.instances.queues[at];
        tell(queue.length, 0);
        let slots = (queue.capacity * queue.fields.len()) as u32;
        (0..slots).for_each(|slot| tell(FactorId(queue.slots.0 + slot), 0));
    }
}

impl FactorReader for Reader {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        let frame = &self.layout.frame;
        let declarations = self.declarations(state);
        for (number, cell) in self.globals.iter().enumerate() {
            tell(FactorId(number as u32), self.value(state, 0, cell, &declarations));
        }
        if let Some(claim) = self.claim {
            tell(claim, frame.claim(state) as i32);
        }
        if let Some(error) = self.error {
            tell(error, 0);
        }
        let (mut pid, mut number) = (0, 0);
        for (at, kind) in self.layout.records(state) {
            let record = ReadRecord { state, at, declarations: &declarations };
            let is_known = match kind {
                RecordKind::Process(process) => {
                    pid += 1;
                    self.read_process(record, pid - 1, process, tell)
                }
                RecordKind::Channel(declaration) => {
                    number += 1;
                    self.read_channel(record, number - 1, declaration, tell)
                }
            };
            if !is_known {
                return false;
            }
        }
        for &member in self.by_pid.iter().skip(pid).flatten() {
            self.absent_member(member, tell);
        }
        for &queue in self.by_number.iter().skip(number).flatten() {
            self.absent_queue(queue, tell);
        }
        true
    }
}
