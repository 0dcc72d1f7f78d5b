//! The data that compiled code works on, and the functions that it calls.
//!
//! Compiled code reads and writes the first fields of [`Context`] at fixed offsets. The rest
//! belongs to the functions below, which compiled code calls for work that is not generated. Only
//! these functions allocate.
//!
//! Everything is accessed through one raw pointer, since compiled code and Rust alternate on the
//! same memory: a function called by compiled code may call compiled code again, as a rendezvous
//! does.

pub(crate) mod at;

use beeline_engine::frame::{Frame, MOST_CHANNELS, PROCESSES};
use beeline_engine::interpreter::MOST_ASKED;
use beeline_engine::layout::ChannelLayout;
use beeline_kernel::{
    Fault, FaultKind, FaultTransition, SiteId, StepLabel, Successors, Transition,
};
use beeline_promela::hir::MOST_PROCESSES;

use crate::receivers::ReceivingLocations;

/// The greatest number of values of a message, or arguments of a process.
pub(crate) const MOST_VALUES: usize = 256;

/// Code of a process: tries the edges of the process with this number.
pub(crate) type StepCode = unsafe extern "C" fn(*mut Context, *const u8, u32);

/// Code of a structure of states: tries the edges of all processes but those of a sleep set, given by
/// its bits.
pub(crate) type ExpandCode = unsafe extern "C" fn(*mut Context, *const u8, u32);

/// The code for a structure of states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StructureCode {
    pub(crate) expand: ExpandCode,
    /// Whether it reads no byte outside of the state and writes none of it. Otherwise the state is
    /// a copy, padded to whole blocks.
    pub(crate) is_in_place: bool,
}

/// Code that answers a question about the process with this number.
pub(crate) type QueryCode = unsafe extern "C" fn(*mut Context, *const u8, u32) -> u32;

/// The answers to `enabled(pid)`: neither of the first two if the queries are circular.
pub(crate) const NO: u32 = 0;
pub(crate) const YES: u32 = 1;
pub(crate) const CIRCULAR: u32 = 2;

/// Code that computes which invariants are violated.
pub(crate) type InvariantCode = unsafe extern "C" fn(*mut Context, *const u8) -> u64;

/// The data of the expansion of a state.
#[repr(C)]
pub(crate) struct Context {
    /// The offset of the record of each process.
    pub(crate) processes: [u32; MOST_PROCESSES + 1],
    /// The offset of the record of each channel, by its number from 1.
    pub(crate) channels: [u32; MOST_CHANNELS + 1],
    /// The declaration of each channel, by its number from 1.
    pub(crate) kinds: [u32; MOST_CHANNELS + 1],
    /// The type of each process of the state that is being expanded.
    pub(crate) types: [u32; MOST_PROCESSES + 1],
    /// The arguments of a process that starts, or a message for a sorted send.
    pub(crate) values: [i32; MOST_VALUES],
    /// The message that is offered in a rendezvous, and its length.
    pub(crate) message: [i32; MOST_VALUES],
    pub(crate) message_length: u32,
    /// The channel over which a message is being offered.
    pub(crate) offered: u32,
    /// The priority of a process that starts.
    pub(crate) priority: u32,
    /// The number of values of a message that the trace observes.
    event_length: u32,
    /// The depth of nested `enabled(pid)` queries.
    asked: u32,
    /// The label of the sender's step, on the receiver's side of a rendezvous.
    pub(crate) sender: StepLabel,
    /// No process could move otherwise.
    pub(crate) timeout: u32,
    /// One plus the number of the first survivable fault of the current move; 0 for none, and
    /// between moves.
    pub(crate) fault: u32,
    /// Bytes of the state that is being expanded.
    pub(crate) length: u32,
    /// Bytes of the successor that is being created.
    pub(crate) next_length: u32,
    /// Steps that were executed without a successor of their own.
    pub(crate) hidden: u64,
    /// The start of the buffer, the next successor, and the address after which there may not be
    /// enough room for a successor and its transition.
    base: *mut u8,
    out: *mut u8,
    limit: *mut u8,
    /// The address of the transition to the next successor.
    next_way: *mut Transition,

    /// The start of the transitions.
    ways: *mut Transition,
    /// The owner of this memory. While code runs, the fields above have the used part.
    successors: *mut Successors,
    /// The successors, by number, after which their process keeps exclusive control.
    pub(crate) held: Vec<u32>,
    /// The faults.
    pub(crate) faults: Vec<FaultTransition>,
    /// The greatest growth of a state in one move.
    slack: usize,
    /// The least length of a state.
    least: usize,
    /// Constant tables.
    pub(crate) tables: *const Tables,
    /// The record structure of the current state, and by structure: its receivers.
    pub(crate) structure: usize,
    pub(crate) receivers: Vec<ReceiverTable>,
    /// The number of times a `d_step` went back, and the state that it must not repeat.
    pub(crate) laps: u64,
    lap: Vec<u8>,
    /// Whether the label of a rendezvous [names](movers_in) the receiver, too.
    pub(crate) tells_receivers: bool,
}

/// The data of the model for the functions below.
pub(crate) struct Tables {
    /// The structure bytes of states.
    pub(crate) frame: Frame,
    /// By process type: code for the receiving side of a rendezvous.
    pub(crate) receivers: Vec<Option<StepCode>>,
    /// By process type: code that tells whether the process can move, and whether its `provided`
    /// clause lets it.
    pub(crate) movable: Vec<QueryCode>,
    pub(crate) provided: Vec<QueryCode>,
    /// Code that moves the trace by a message that was received, and by one that was sent.
    pub(crate) observers: Option<[QueryCode; 2]>,
    /// Locations where processes may receive messages.
    pub(crate) receiving: ReceivingLocations,
    /// By channel declaration.
    pub(crate) channels: Vec<ChannelLayout>,
}

/// Faults by number, as compiled code refers to them.
pub(crate) const FAULTS: [FaultKind; 11] = [
    FaultKind::Assertion,
    FaultKind::Index,
    FaultKind::Division,
    FaultKind::Blocked,
    FaultKind::Limit,
    FaultKind::NoChannel,
    FaultKind::Fields,
    FaultKind::Trace,
    FaultKind::Overflow,
    FaultKind::Circular,
    FaultKind::Nondeterminism,
];

/// The number of a fault.
pub(crate) fn number(kind: FaultKind) -> u32 {
    FAULTS.iter().position(|&fault| fault == kind).expect("all faults are listed") as u32
}

impl Context {
    /// A context for states of at least `least` bytes, to which one move can add `slack`, with at
    /// most this many record structures.
    pub(crate) fn new(
        least: usize,
        slack: usize,
        structures: usize,
        tables: *const Tables,
    ) -> Self {
        Context {
            processes: [0; MOST_PROCESSES + 1],
            channels: [0; MOST_CHANNELS + 1],
            kinds: [0; MOST_CHANNELS + 1],
            types: [0; MOST_PROCESSES + 1],
            values: [0; MOST_VALUES],
            message: [0; MOST_VALUES],
            message_length: 0,
            offered: 0,
            priority: 0,
            event_length: 0,
            asked: 0,
            sender: StepLabel::default(),
            timeout: 0,
            fault: 0,
            length: 0,
            next_length: 0,
            hidden: 0,
            base: std::ptr::null_mut(),
            out: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            next_way: std::ptr::null_mut(),
            ways: std::ptr::null_mut(),
            successors: std::ptr::null_mut(),
            held: Vec::new(),
            faults: Vec::new(),
            slack,
            least,
            tables,
            structure: 0,
            receivers: vec![ReceiverTable::new(); structures],
            laps: 0,
            lap: Vec::new(),
            tells_receivers: false,
        }
    }
}

/// The size of blocks in which states are copied, and of the padding after states.
pub(crate) const BLOCK: usize = 32;

impl Context {
    /// Begins to append to these successors, which are not used otherwise until
    /// [`end`](Context::end).
    #[inline(always)]
    pub(crate) fn begin(&mut self, successors: &mut Successors) {
        self.held.clear();
        let (count, used) = (successors.len(), successors.used());
        self.successors = successors;
        self.make_room(successors, count, used);
    }

    /// Adds the appended successors to these.
    #[inline]
    pub(crate) fn end(&mut self, successors: &mut Successors) {
        *successors.parts().2 = self.count();
    }

    /// Ensures room for one more successor after `count` of them.
    #[inline(always)]
    fn make_room(&mut self, successors: &mut Successors, count: usize, used: usize) {
        let needed = self.length as usize + self.slack + 2 * BLOCK;
        let (buffer, ways, _) = successors.parts();
        if used + needed > buffer.len() || count == ways.len() {
            lengthen(buffer, ways, count, used + needed);
        }
        // When this many more bytes are used, all but the last transition may have been written.
        let more = (ways.len() - 1 - count) * self.least;
        self.base = buffer.as_mut_ptr();
        self.out = self.base.wrapping_add(used);
        self.limit = self.base.wrapping_add((buffer.len() - needed).min(used + more));
        self.ways = ways.as_mut_ptr();
        self.next_way = self.ways.wrapping_add(count);
    }

    /// The number of successors so far.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        (self.next_way.addr() - self.ways.addr()) / size_of::<Transition>()
    }

    /// Whether a fault or exclusive control was recorded.
    #[inline]
    pub(crate) fn has_remarks(&self) -> bool {
        !(self.faults.is_empty() && self.held.is_empty())
    }

    /// The number of moves so far.
    #[inline]
    pub(crate) fn moves(&self) -> usize {
        self.count() + self.faults.len()
    }
}

/// Makes room for `used` bytes, and for a transition after `count` of them.
#[cold]
fn lengthen(buffer: &mut Vec<u8>, ways: &mut Vec<Transition>, count: usize, used: usize) {
    if used > buffer.len() {
        buffer.resize(used.next_power_of_two().max(1 << 12), 0);
    }
    if count == ways.len() {
        ways.resize((2 * ways.len()).max(64), Transition::default());
    }
}

/// Makes room for more successors.
///
/// # Safety
///
/// `context` is valid.
pub(crate) unsafe extern "C" fn make_room(context: *mut Context) {
    // SAFETY: the caller promises that it is valid; neither the context nor the successors that it
    // was given are borrowed.
    let (context, successors) = unsafe { (&mut *context, &mut *(*context).successors) };
    let used = context.out.addr() - context.base.addr();
    context.make_room(successors, context.count(), used);
}

/// Records for the last successor that its process keeps exclusive control after this many steps,
/// if `hold` is not 0; and a fault if there was one.
///
/// # Safety
///
/// `context` is valid, and there is a successor.
pub(crate) unsafe extern "C" fn remark(context: *mut Context, site: u32, hold: u32, steps: u32) {
    // SAFETY: the caller promises that it is valid; it is not borrowed.
    let context = unsafe { &mut *context };
    if hold != 0 {
        context.held.push(context.count() as u32 - 1);
    }
    if context.fault != 0 {
        let fault = Fault { kind: FAULTS[context.fault as usize - 1], site: SiteId(site) };
        context.faults.push(FaultTransition { fault, steps });
        context.fault = 0;
    }
}

/// Records a fault in the last of this many steps, without a successor.
///
/// # Safety
///
/// `context` is valid, and `kind` is the number of a fault.
pub(crate) unsafe extern "C" fn fail(context: *mut Context, kind: u32, site: u32, steps: u32) {
    // SAFETY: the caller promises that it is valid; it is not borrowed.
    let context = unsafe { &mut *context };
    let fault = Fault { kind: FAULTS[kind as usize], site: SiteId(site) };
    context.faults.push(FaultTransition { fault, steps });
    context.fault = 0;
}

/// By channel: the processes that may receive from it in a rendezvous, youngest first, once
/// computed.
pub(crate) type ReceiverTable = Vec<Option<Vec<Receiver>>>;

/// A process that may receive a message: its number, its record and its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receiver {
    pid: u32,
    record: u32,
    process: u32,
}

impl Context {
    /// The processes that may receive a message that is offered over a channel in this state.
    #[inline]
    fn receivers(&mut self, channel: u32, state: &[u8]) -> &[Receiver] {
        let known = self.receivers[self.structure].get(channel as usize);
        if !matches!(known, Some(Some(_))) {
            self.find_receivers(channel, state);
        }
        self.receivers[self.structure][channel as usize].as_deref().unwrap_or_default()
    }

    /// Finds the processes that may receive from a channel, at any of their locations.
    #[cold]
    fn find_receivers(&mut self, channel: u32, state: &[u8]) {
        // SAFETY: the tables outlive the context, and are immutable.
        let Tables { frame, receiving, .. } = unsafe { &*self.tables };
        let places = receiving.of(channel);
        let pids = (0..frame.number(state, PROCESSES)).rev();
        let all = pids.map(|pid| Receiver {
            pid: pid as u32,
            record: self.processes[pid],
            process: self.types[pid],
        });
        let found = all.filter(|taker| !places[taker.process as usize].is_empty()).collect();
        let receivers = &mut self.receivers[self.structure];
        receivers.resize(receivers.len().max(channel as usize + 1), None);
        receivers[channel as usize] = Some(found);
    }
}

/// The position of the receiver's number, plus one, in the process of a label: all numbers of
/// processes are below.
const RECEIVER_SHIFT: u32 = 16;
const _: () = assert!(MOST_PROCESSES < 1 << RECEIVER_SHIFT);

/// The process of a label, and the receiver of a rendezvous that it names.
pub(crate) fn movers_in(process: u32) -> (u32, Option<u32>) {
    (process & ((1 << RECEIVER_SHIFT) - 1), (process >> RECEIVER_SHIFT).checked_sub(1))
}

/// Offers the message in `message` to all possible receivers. The sender is then at location `to`.
/// Returns the number of moves.
///
/// # Safety
///
/// `context` is valid and describes the state, which may be written to, and is outside of the part
/// of the buffer that is not in use yet.
pub(crate) unsafe extern "C" fn hand_over(
    context: *mut Context,
    state: *mut u8,
    sender: u32,
    to: u32,
    site: u32,
    channel: u32,
) -> u32 {
    // SAFETY: the caller promises that the context describes the state, so each
    // record lies inside of it. Neither is borrowed while code runs.
    unsafe {
        let tables = &*(*context).tables;
        let before = (*context).moves();
        let frame = &tables.frame;
        let length = (*context).length as usize;
        let bytes = std::slice::from_raw_parts(state, length);
        // The receivers are not removed while code runs.
        let receivers: *const [Receiver] = (*context).receivers(channel, bytes);
        let places = tables.receiving.of(channel);
        let mut from = None;
        let own = (*context).processes[sender as usize] as usize;
        for taker in &*receivers {
            let (process, record) = (taker.process as usize, taker.record as usize);
            let bytes = std::slice::from_raw_parts_mut(state, length);
            let location = frame.location(bytes, record) as usize;
            if !places[process][location] || taker.pid == sender {
                continue;
            }
            // The move counts as the sender's until a receiver takes the message.
            if from.is_none() {
                from = Some(frame.location(bytes, own));
                frame.set_location(bytes, own, to);
            }
            (*context).offered = channel;
            let receiver = if (*context).tells_receivers { taker.pid + 1 } else { 0 };
            let movers = sender | receiver << RECEIVER_SHIFT;
            (*context).sender = StepLabel { edge: site, process: movers };
            if let Some(receive) = tables.receivers[process] {
                receive(context, state, taker.pid);
            }
        }
        if let Some(from) = from {
            frame.set_location(std::slice::from_raw_parts_mut(state, length), own, from);
        }
        ((*context).moves() - before) as u32
    }
}

/// Removes a message from a channel and closes the gap.
///
/// # Safety
///
/// `channel` points to the record of a channel with more than `slot` messages of this size.
pub(crate) unsafe extern "C" fn remove(
    context: *const Context,
    channel: *mut u8,
    slot: u32,
    size: u32,
) {
    // SAFETY: the caller promises that the record holds that many messages.
    unsafe {
        let frame = &(*(*context).tables).frame;
        let (slot, size) = (slot as usize, size as usize);
        let length = usize::from(*channel.add(frame.length_at()));
        let gap = channel.add(frame.channel_header() + slot * size);
        let behind = (length - 1 - slot) * size;
        std::ptr::copy(gap.add(size), gap, behind);
        std::ptr::write_bytes(gap.add(behind), 0, size);
        *channel.add(frame.length_at()) = length as u8 - 1;
    }
}

/// Inserts the message in `values` before the first larger one.
///
/// # Safety
///
/// `context` is valid; `channel` points to the record of a channel that is not full, and
/// whose messages are those of the declaration.
pub(crate) unsafe extern "C" fn insert_sorted(
    context: *mut Context,
    channel: *mut u8,
    declaration: u32,
) {
    // SAFETY: the caller promises that the record is that of a channel with room
    // for one more message; its layout is the one of its declaration.
    unsafe {
        let tables = &*(*context).tables;
        let frame = &tables.frame;
        let header = std::slice::from_raw_parts(channel, frame.channel_header());
        let length = usize::from(header[frame.length_at()]);
        let layout = &tables.channels[declaration as usize];
        let size = layout.message;
        let first = channel.add(frame.channel_header());
        let messages = std::slice::from_raw_parts_mut(first, (length + 1) * size);
        let values = &(&(*context).values)[..layout.fields.len()];
        let is_larger = |slot: usize| {
            let mut at = slot * size;
            for (field, &value) in layout.fields.iter().zip(values) {
                let there = field.read(messages, at);
                if there != value {
                    return there > value;
                }
                at += field.size();
            }
            false
        };
        let slot = (0..length).find(|&slot| is_larger(slot)).unwrap_or(length);
        messages.copy_within(slot * size..length * size, (slot + 1) * size);
        let mut at = slot * size;
        for (field, &value) in layout.fields.iter().zip(values) {
            field.write(messages, at, value);
            at += field.size();
        }
        *channel.add(frame.length_at()) = length as u8 + 1;
    }
}

/// Extends the successor by this many zeros. Returns their offset.
///
/// # Safety
///
/// `context` is valid, and `next` is the current successor.
pub(crate) unsafe extern "C" fn grow(context: *mut Context, next: *mut u8, size: u32) -> u32 {
    // SAFETY: the room after the successor is as much as processes can take.
    unsafe {
        let at = (*context).next_length;
        std::ptr::write_bytes(next.add(at as usize), 0, size as usize);
        (*context).next_length = at + size;
        at
    }
}

/// Fills an array.
///
/// # Safety
///
/// `place` points to `count` elements of this size.
pub(crate) unsafe extern "C" fn fill(place: *mut u8, size: u32, count: u32, value: i32) {
    // SAFETY: the caller promises that the array is that long.
    unsafe {
        let bytes = value.to_le_bytes();
        for at in 0..count as usize {
            let size = size as usize;
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.add(at * size), size);
        }
    }
}

/// Called when a `d_step` returns to an earlier location. Returns whether it has been there with
/// the same state, so that it never ends.
///
/// Source: [Bre80], cycle finding: the state is compared with the one kept when the number of laps
/// was a power of two.
///
/// # Safety
///
/// `context` is valid, and `next` is the current successor.
pub(crate) unsafe extern "C" fn lap(context: *mut Context, next: *const u8, location: u32) -> u32 {
    /// Laps without comparison: most loops end earlier.
    const PATIENCE: u64 = 256;
    // SAFETY: the caller promises that both are valid.
    unsafe {
        let context = &mut *context;
        let state = std::slice::from_raw_parts(next, context.next_length as usize);
        context.laps += 1;
        if context.laps < PATIENCE {
            return 0;
        }
        let (kept, at) = context.lap.split_at(context.lap.len().saturating_sub(4));
        let repeated = context.laps > PATIENCE && kept == state && at == location.to_le_bytes();
        if context.laps.is_power_of_two() {
            context.lap.clear();
            context.lap.extend_from_slice(state);
            context.lap.extend_from_slice(&location.to_le_bytes());
        }
        u32::from(repeated)
    }
}

/// The first process of a type; -1 if there is none.
///
/// # Safety
///
/// `context` is valid and describes the state.
pub(crate) unsafe extern "C" fn first_of(
    context: *const Context,
    state: *const u8,
    process: u32,
) -> i32 {
    // SAFETY: the caller promises that the context describes the state.
    unsafe {
        let frame = &(*(*context).tables).frame;
        let is_one = |pid: &usize| (*context).types[*pid] == process;
        let header = std::slice::from_raw_parts(state, frame.header);
        (0..frame.number(header, PROCESSES)).find(is_one).map_or(-1, |pid| pid as i32)
    }
}

/// Whether a process can move: `enabled(pid)`.
///
/// # Safety
///
/// `context` is valid and describes the state.
pub(crate) unsafe extern "C" fn enabled(context: *mut Context, state: *const u8, pid: u32) -> u32 {
    // SAFETY: the caller promises that the context describes the state. It is not borrowed while
    // code runs.
    unsafe {
        let tables = &*(*context).tables;
        let header = std::slice::from_raw_parts(state, tables.frame.header);
        let count = tables.frame.number(header, PROCESSES);
        // A longer chain of queries contains some process twice.
        if (*context).asked as usize >= count.min(MOST_ASKED) {
            return CIRCULAR;
        }
        if pid as usize >= count {
            return NO;
        }
        let process = (*context).types[pid as usize] as usize;
        (*context).asked += 1;
        let answer = tables.movable[process](context, state, pid);
        (*context).asked -= 1;
        answer
    }
}

/// Whether a process of higher priority than this one could move.
///
/// # Safety
///
/// `context` is valid and describes the state, which has priorities.
pub(crate) unsafe extern "C" fn outranked(
    context: *mut Context,
    state: *const u8,
    pid: u32,
) -> u32 {
    // SAFETY: the caller promises that the context describes the state, so each record lies inside of
    // it. The context is not borrowed while code runs.
    unsafe {
        let tables = &*(*context).tables;
        let header = std::slice::from_raw_parts(state, tables.frame.header);
        let Some(at) = tables.frame.priority else { return NO };
        let priority = |pid: usize| *state.add((*context).processes[pid] as usize + at);
        let own = priority(pid as usize);
        for other in 0..tables.frame.number(header, PROCESSES) {
            if priority(other) <= own {
                continue;
            }
            let process = (*context).types[other] as usize;
            // What has no value may hold.
            if tables.provided[process](context, state, other as u32) != NO
                && tables.movable[process](context, state, other as u32) != NO
            {
                return YES;
            }
        }
        NO
    }
}

/// Moves the trace by a message that was sent over a channel, or received from it: the first
/// `event_length` of `values`. Returns one plus the number of a fault, or 0.
///
/// # Safety
///
/// `context` is valid and describes the state, which is the current successor and may be written to.
pub(crate) unsafe extern "C" fn observe(
    context: *mut Context,
    state: *mut u8,
    channel: u32,
    is_sent: u32,
) -> u32 {
    // SAFETY: the caller promises that the context describes the state; neither is borrowed.
    unsafe {
        match &(*(*context).tables).observers {
            Some(observers) => observers[is_sent as usize](context, state, channel),
            None => 0,
        }
    }
}
