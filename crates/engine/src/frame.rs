//! The frame of a state: the bytes that describe its structure, besides the values.
//!
//! ```text
//! state:   [processes] [, channels] [, exclusive] [, last] [, claim] [, trace (2)]
//!          | globals | records
//! process: [tag, ] location [, priority] | locals
//! joint:   tag|location [, priority] | locals
//! channel: [tag, ] length | messages, unused ones zero; nothing but the tag for a rendezvous
//! ```
//!
//! A tag is a process type, or a channel declaration, numbered after the types. Tags and locations
//! take one byte each if there are few of them, which is usual, and two otherwise; so do the
//! numbers in the header, if more processes are allowed than in SPIN. Features that a model does
//! not use take no byte, nor do values that are constant in all its states. Every byte counts: it
//! is stored, hashed and compared for each state.
//!
//! If processes are created dynamically, and tags and locations together fit in a byte, a process
//! has both in one byte: the frame is *joint*. The tag is in the upper bits, also that of a
//! channel, whose lower bits are zero, so that a reader finds the tag before it knows the kind of
//! the record. A permanent process also has its tag there, although it is never read: so all
//! processes of a type have the same byte for the same location.

use beeline_promela::hir::{MOST_PROCESSES, USUAL_PROCESSES};

/// The first number in the header: the number of processes.
pub const PROCESSES: usize = 0;
/// The second: the number of channels.
pub const CHANNELS: usize = 1;
/// The third: one more than the process with exclusive control; 0 for none.
pub const EXCLUSIVE: usize = 2;
/// The fourth, if the model reads it: the process that moved last.
pub const LAST: usize = 3;
/// The number of numbers in the header.
const NUMBERS: usize = 4;

/// A number in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderNumber {
    /// At this offset.
    At(usize),
    /// Constant in all states, without a byte.
    Always(usize),
}

/// The limit of channels if more processes are allowed than usual.
pub const MOST_CHANNELS: usize = 30_000;

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A process of this type.
    Process(usize),
    /// A channel of this declaration.
    Channel(usize),
}

/// The needs of a model besides its values.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameNeeds {
    /// Process types.
    pub types: usize,
    /// Declarations of channels.
    pub channels: usize,
    /// Locations of the process with the most locations.
    pub locations: usize,
    /// By number in the header: its value in all states, if that is constant. `_last` is constant
    /// if the model does not read it.
    pub always: [Option<usize>; NUMBERS],
    /// Whether processes have priorities.
    pub priorities: bool,
    /// Whether there is a trace assertion.
    pub trace: bool,
    /// The number of states of the claim; 0 without a claim.
    pub claim: usize,
    /// Limit of the number of running processes.
    pub processes: usize,
}

/// The offsets and sizes of the frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    types: usize,
    /// Limit of the number of running processes.
    pub most_processes: usize,
    /// Bytes of a number in the header.
    pub number_size: usize,
    /// Bytes of a tag.
    pub tag_size: usize,
    /// Bytes of a location.
    pub location_size: usize,
    /// The offset of the location in a record; 0 exactly in a joint frame.
    location_at: usize,
    /// The number of bits below a tag that belong to a location.
    tag_shift: u32,
    /// Mask of the bits of a location in its bytes.
    location_mask: u32,
    numbers: [HeaderNumber; NUMBERS],
    /// The offset and size of the claim state in the header, if there is a claim.
    claim: Option<(usize, usize)>,
    /// The offset of the location of the trace assertion, if there is one: 2 bytes.
    pub trace: Option<usize>,
    /// The offset of the priority in the record of a process, if there are priorities.
    pub priority: Option<usize>,
    /// Bytes before the global variables.
    pub header: usize,
    /// Bytes before the locals of a process.
    pub process_header: usize,
}

impl Frame {
    /// The smallest frame for a model.
    pub fn new(needs: FrameNeeds) -> Frame {
        let size = |count: usize| match count {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        let bits = |count: usize| count.next_power_of_two().ilog2();
        let tags = needs.types + needs.channels;
        let (tag_size, location_size) = (size(tags), size(needs.locations));
        // If all processes are permanent, none has a tag, and a joint frame gains nothing.
        let is_joint =
            needs.always[PROCESSES].is_none() && bits(tags) + bits(needs.locations) <= u8::BITS;
        let (location_at, tag_shift, location_mask) = if is_joint {
            let shift = bits(needs.locations);
            (0, shift, (1 << shift) - 1)
        } else {
            (tag_size, 0, u32::MAX)
        };
        let behind_location = location_at + location_size;
        let number_size = if needs.processes <= USUAL_PROCESSES { 1 } else { 2 };
        let mut claim_at = 0;
        let numbers = needs.always.map(|always| {
            let number = always.map_or(HeaderNumber::At(claim_at), HeaderNumber::Always);
            claim_at += if always.is_some() { 0 } else { number_size };
            number
        });
        let claim = (needs.claim > 0).then(|| (claim_at, size(needs.claim)));
        let trace_at = claim_at + claim.map_or(0, |(_, size)| size);
        Frame {
            types: needs.types,
            most_processes: needs.processes.min(MOST_PROCESSES),
            number_size,
            tag_size,
            location_size,
            location_at,
            tag_shift,
            location_mask,
            numbers,
            claim,
            trace: needs.trace.then_some(trace_at),
            priority: needs.priorities.then_some(behind_location),
            // A permanent record starts where its tag would be, and so not at offset 0.
            header: (trace_at + if needs.trace { 2 } else { 0 }).max(tag_size),
            process_header: behind_location + usize::from(needs.priorities),
        }
    }

    /// The limit of channels.
    pub fn most_channels(&self) -> usize {
        if self.number_size == 1 { usize::from(u8::MAX) } else { MOST_CHANNELS }
    }

    /// The position of a number of the header: `PROCESSES`, `CHANNELS`, `EXCLUSIVE` or `LAST`.
    #[inline]
    pub fn place(&self, which: usize) -> HeaderNumber {
        self.numbers[which]
    }

    /// A number in the header.
    #[inline]
    pub fn number(&self, state: &[u8], which: usize) -> usize {
        match self.numbers[which] {
            HeaderNumber::At(at) => read(state, at, self.number_size),
            HeaderNumber::Always(value) => value,
        }
    }

    /// Writes a number in the header, unless it is constant.
    #[inline]
    pub fn set_number(&self, state: &mut [u8], which: usize, value: usize) {
        if let HeaderNumber::At(at) = self.numbers[which] {
            write(state, at, self.number_size, value);
        }
    }

    /// The state of the claim; 0 without a claim.
    #[inline]
    pub fn claim(&self, state: &[u8]) -> u32 {
        self.claim.map_or(0, |(at, size)| read(state, at, size) as u32)
    }

    /// Sets the state of the claim, if there is one.
    #[inline]
    pub fn set_claim(&self, state: &mut [u8], place: u32) {
        if let Some((at, size)) = self.claim {
            write(state, at, size, place as usize);
        }
    }

    /// Bytes before the messages of a channel.
    #[inline]
    pub fn channel_header(&self) -> usize {
        self.tag_size + 1
    }

    /// The offset of the number of messages in the record of a channel.
    #[inline]
    pub fn length_at(&self) -> usize {
        self.tag_size
    }

    /// Whether a process has its tag and its location in the same byte.
    #[inline]
    pub fn is_joint(&self) -> bool {
        self.location_at == 0
    }

    /// The offset of the location in the record of a process.
    #[inline]
    pub fn location_at(&self) -> usize {
        self.location_at
    }

    /// Mask of the bits of a location in its bytes; the others belong to the tag.
    #[inline]
    pub fn location_mask(&self) -> u32 {
        self.location_mask
    }

    /// Bytes of a record that hold only its tag, if it has one.
    #[inline]
    pub fn own_tag_size(&self, record: RecordKind) -> usize {
        match record {
            RecordKind::Process(_) => self.location_at,
            RecordKind::Channel(_) => self.tag_size,
        }
    }

    /// Mask of the bits of a tag in each of its bytes.
    pub fn tag_mask(&self) -> u8 {
        if self.is_joint() { !(self.location_mask as u8) } else { u8::MAX }
    }

    /// The bytes of a record's tag, with zeros in the other bits.
    pub fn written_tag(&self, record: RecordKind) -> usize {
        let tag = match record {
            RecordKind::Process(process) => process,
            RecordKind::Channel(declaration) => self.types + declaration,
        };
        tag << self.tag_shift
    }

    /// The bytes of the location of a process of this type, including the tag in a joint frame.
    #[inline]
    pub fn written_location(&self, process: usize, location: u32) -> u32 {
        let tag = if self.is_joint() { self.written_tag(RecordKind::Process(process)) } else { 0 };
        tag as u32 | location
    }

    /// The kind of the record at this offset.
    #[inline]
    pub fn record(&self, state: &[u8], at: usize) -> RecordKind {
        let tag = read(state, at, self.tag_size) >> self.tag_shift;
        if tag < self.types {
            RecordKind::Process(tag)
        } else {
            RecordKind::Channel(tag - self.types)
        }
    }

    /// Sets the kind of the record at this offset. In a joint frame, this also sets a process to
    /// its first location.
    pub fn set_record(&self, state: &mut [u8], at: usize, record: RecordKind) {
        write(state, at, self.tag_size, self.written_tag(record));
    }

    /// The location of the process whose record starts at this offset.
    #[inline]
    pub fn location(&self, state: &[u8], at: usize) -> u32 {
        read(state, at + self.location_at, self.location_size) as u32 & self.location_mask
    }

    /// Moves the process whose record starts at this offset. It keeps its tag.
    #[inline]
    pub fn set_location(&self, state: &mut [u8], at: usize, location: u32) {
        let at = at + self.location_at;
        let tag = u32::from(state[at]) & !self.location_mask;
        write(state, at, self.location_size, (tag | location) as usize);
    }
}

#[inline]
fn read(state: &[u8], at: usize, size: usize) -> usize {
    let low = usize::from(state[at]);
    match size {
        1 => low,
        2 => low | usize::from(state[at + 1]) << 8,
        _ => (0..size).fold(0, |value, byte| value | usize::from(state[at + byte]) << (8 * byte)),
    }
}

#[inline]
fn write(state: &mut [u8], at: usize, size: usize, value: usize) {
    match size {
        1 => state[at] = value as u8,
        _ => state[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_takes_no_byte() {
        let always = [None, None, None, Some(0)];
        let few =
            FrameNeeds { types: 3, channels: 2, locations: 256, always, ..FrameNeeds::default() };
        let few = Frame::new(few);
        assert_eq!((few.header, few.process_header, few.channel_header()), (3, 2, 2));
        let joint =
            FrameNeeds { types: 3, channels: 2, locations: 32, always, ..FrameNeeds::default() };
        let fewer = Frame::new(joint);
        assert_eq!((fewer.header, fewer.process_header, fewer.channel_header()), (3, 1, 2));
        let prior = Frame::new(FrameNeeds { priorities: true, ..joint });
        assert_eq!((prior.process_header, prior.priority), (2, Some(1)));
        let always = [Some(5), Some(2), None, Some(0)];
        let fewer = Frame::new(FrameNeeds { always, ..FrameNeeds::default() });
        assert_eq!((fewer.header, fewer.place(EXCLUSIVE)), (1, HeaderNumber::At(0)));
        let mut state = vec![0; fewer.header];
        fewer.set_number(&mut state, EXCLUSIVE, 3);
        assert_eq!([0, 1, 2, 3].map(|which| fewer.number(&state, which)), [5, 2, 3, 0]);
        let needs = FrameNeeds {
            types: 200,
            channels: 57,
            locations: 257,
            priorities: true,
            trace: true,
            claim: 300,
            processes: USUAL_PROCESSES,
            ..FrameNeeds::default()
        };
        let many = Frame::new(needs);
        assert_eq!((many.header, many.process_header, many.channel_header()), (8, 5, 3));
        assert_eq!((many.place(LAST), many.trace), (HeaderNumber::At(3), Some(6)));
        assert_eq!(many.priority, Some(4));
        let crowded = Frame::new(FrameNeeds { processes: 1000, ..needs });
        assert_eq!((crowded.header, crowded.trace), (12, Some(10)));
        assert_eq!(crowded.place(LAST), HeaderNumber::At(6));
        let mut state = vec![0; many.header];
        many.set_claim(&mut state, 299);
        assert_eq!((many.claim(&state), many.number(&state, LAST)), (299, 0));
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for processes in [USUAL_PROCESSES, 1000] {
            let frame = Frame::new(FrameNeeds { processes, ..FrameNeeds::default() });
            let mut state = vec![0; frame.header];
            frame.set_number(&mut state, PROCESSES, processes);
            frame.set_number(&mut state, EXCLUSIVE, processes - 1);
            frame.set_number(&mut state, LAST, processes - 2);
            let read = |which| frame.number(&state, which);
            assert_eq!([PROCESSES, CHANNELS, EXCLUSIVE].map(read), [processes, 0, processes - 1]);
            assert_eq!(frame.number(&state, LAST), processes - 2);
        }
    }

    #[test]
    fn a_frame_is_joint_where_a_byte_has_bits_for_tags_and_locations() {
        let joint = |types, channels, locations| {
            Frame::new(FrameNeeds { types, channels, locations, ..FrameNeeds::default() })
                .is_joint()
        };
        assert!(joint(1, 0, 256) && !joint(1, 0, 257) && !joint(1, 1, 256));
        assert!(joint(2, 0, 128) && !joint(2, 0, 129) && !joint(2, 1, 128));
        assert!(joint(9, 7, 16) && !joint(9, 8, 16) && !joint(9, 7, 17));
        assert!(joint(200, 56, 1) && !joint(200, 57, 1) && !joint(200, 56, 2));
        assert!(joint(0, 0, 0) && !joint(1, 0, 1 << 20));
        let always = [Some(5), None, None, None];
        let needs = FrameNeeds { types: 2, locations: 10, always, ..FrameNeeds::default() };
        assert!(!Frame::new(needs).is_joint(), "no process has a tag");
    }

    #[test]
    fn records_and_locations_are_read_as_they_were_written() {
        let separate =
            [(10, 100), (300, 100), (10, 1000), (300, 1000), (10, 1 << 16), (10, 70_000)];
        let joint = [(251, 1), (59, 4), (11, 16), (10, 9), (3, 32), (1, 20)];
        for (types, locations) in separate.into_iter().chain(joint) {
            let needs = FrameNeeds { types, channels: 5, locations, ..FrameNeeds::default() };
            let frame = Frame::new(needs);
            assert_eq!(frame.is_joint(), joint.contains(&(types, locations)));
            let mut state = vec![0xaa; 8];
            for process in [0, types - 1] {
                frame.set_record(&mut state, 2, RecordKind::Process(process));
                for location in [0, locations as u32 / 2, locations as u32 - 1] {
                    frame.set_location(&mut state, 2, location);
                    assert_eq!(frame.record(&state, 2), RecordKind::Process(process));
                    assert_eq!(frame.location(&state, 2), location);
                    let written = read(&state, 2 + frame.location_at(), frame.location_size);
                    assert_eq!(written as u32, frame.written_location(process, location));
                }
            }
            for declaration in [0, 4] {
                frame.set_record(&mut state, 2, RecordKind::Channel(declaration));
                assert_eq!(frame.record(&state, 2), RecordKind::Channel(declaration));
            }
            assert_eq!((state[1], state[7]), (0xaa, 0xaa));
        }
    }

    #[test]
    fn the_bits_of_a_byte_belong_to_the_tag_or_to_the_location() {
        for (types, locations) in [(251, 1), (59, 4), (11, 16), (3, 32), (1, 20)] {
            let frame =
                Frame::new(FrameNeeds { types, channels: 5, locations, ..FrameNeeds::default() });
            assert_eq!(u32::from(frame.tag_mask()) ^ frame.location_mask(), 0xff);
        }
        let frame = Frame::new(FrameNeeds { types: 10, locations: 1000, ..FrameNeeds::default() });
        assert_eq!((frame.tag_mask(), frame.location_mask()), (0xff, u32::MAX));
    }
}
