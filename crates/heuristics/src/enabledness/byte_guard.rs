//! Byte guards: enabledness of a process decided by comparing a few bytes of the state with ranges,
//! without unpredictable branches.
//!
//! A guard is valid as long as processes and channels keep their records and the parameters of the
//! process keep their values: then the channels and the positions of their messages are known. The
//! guard of a process at a location is derived at its first visit there.

use std::cell::RefCell;
use std::collections::BTreeSet;

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::{GlobalId, LocalId, ProcessId, Root};

use crate::enabledness::compiled_expr::EvalProcess;
use crate::incremental::words::{WORD, word_at};

/// A guard that is invalidated this often is not derived again.
const OFTEN: u32 = 16;
/// Byte tests of a conjunction.
const PARTS: usize = 2;

/// The address of a byte of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteAddress {
    at: u32,
    /// If `stride > 0`, the address is advanced by `stride × state[index_at]`, for indices up to
    /// `most` (less than 255). Beyond that, there is no such byte.
    stride: u16,
    most: u8,
    index_at: u32,
}

impl ByteAddress {
    /// A fixed address.
    pub(crate) fn fixed(at: usize) -> Option<ByteAddress> {
        Some(ByteAddress { at: u32::try_from(at).ok()?, stride: 0, most: u8::MAX, index_at: 0 })
    }

    /// One of several addresses, selected by another byte. `None` if they are not equidistant.
    pub(crate) fn indexed(at: &[usize], index_at: usize) -> Option<ByteAddress> {
        let (first, most) = (*at.first()?, u8::try_from(at.len()).ok()? - 1);
        let stride = at.get(1).map_or(Some(0), |second| second.checked_sub(first))?;
        let mut distances = at.windows(2).map(|pair| pair[1].checked_sub(pair[0]));
        let is_even = distances.all(|distance| distance == Some(stride));
        let (stride, index_at) = (u16::try_from(stride).ok()?, u32::try_from(index_at).ok()?);
        let place = ByteAddress { at: u32::try_from(first).ok()?, stride, most, index_at };
        is_even.then_some(place)
    }
}

/// Tests `state[place] ∈ [first, first + more]` (wrapping). Absent bytes pass: reading one is a
/// fault, and a step that fails is executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteTest {
    place: ByteAddress,
    first: u8,
    more: u8,
}

/// The first byte of the state.
const START: ByteAddress = ByteAddress { at: 0, stride: 0, most: u8::MAX, index_at: 0 };

impl ByteTest {
    /// Always true.
    const ANY: ByteTest = ByteTest { place: START, first: 0, more: u8::MAX };

    /// The test for a set of values, if they form a (wrapping) range.
    pub(crate) fn one_of(place: ByteAddress, is_in: impl Fn(u8) -> bool) -> Option<ByteTruth> {
        let values = || 0..=u8::MAX;
        let count = values().filter(|&value| is_in(value)).count();
        if count == 0 && place.most == u8::MAX {
            return Some(ByteTruth::Never);
        }
        if count == 256 {
            return Some(ByteTruth::Always);
        }
        let begins = |value: &u8| is_in(*value) && !is_in(value.wrapping_sub(1));
        let mut firsts = values().filter(begins);
        let (Some(first), None) = (firsts.next(), firsts.next()) else { return None };
        Some(ByteTruth::If(ByteTest { place, first, more: (count - 1) as u8 }))
    }

    #[inline]
    fn is_true(self, bytes: &[u8]) -> bool {
        let ByteAddress { at, stride, most, index_at } = self.place;
        let index = bytes[index_at as usize];
        let at = at as usize + usize::from(stride) * usize::from(index);
        let is_in = |value: &u8| value.wrapping_sub(self.first) <= self.more;
        (index > most) | bytes.get(at).is_none_or(is_in)
    }

    /// The union of two tests, if it is a range.
    fn or(self, other: ByteTest) -> Option<ByteTest> {
        let is_in = |test: ByteTest, value: u8| value.wrapping_sub(test.first) <= test.more;
        if self.place != other.place {
            return None;
        }
        match ByteTest::one_of(self.place, |value| is_in(self, value) || is_in(other, value))? {
            ByteTruth::If(both) => Some(both),
            ByteTruth::Always => Some(ByteTest::ANY),
            ByteTruth::Never => None,
        }
    }
}

/// Truth of a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByteTruth {
    Never,
    Always,
    If(ByteTest),
}

/// A conjunction of byte tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conjunction([ByteTest; PARTS]);

impl Conjunction {
    /// The empty conjunction.
    pub(crate) const NOTHING: Conjunction = Conjunction([ByteTest::ANY; PARTS]);

    /// Adds a test; `None` if there are too many.
    pub(crate) fn and(mut self, test: ByteTest) -> Option<Conjunction> {
        *self.0.iter_mut().find(|part| **part == ByteTest::ANY)? = test;
        Some(self)
    }

    #[inline]
    fn is_true(&self, bytes: &[u8]) -> bool {
        self.0[0].is_true(bytes) & self.0[1].is_true(bytes)
    }

    /// The conjunction with fixed addresses, if it has no other.
    fn near(self) -> Option<[FixedByteTest; PARTS]> {
        let [one, two] = self.0.map(FixedByteTest::of);
        Some([one?, two?])
    }

    /// The disjunction, if it is a conjunction again.
    fn or(self, other: Conjunction) -> Option<Conjunction> {
        let [one, two] = self.0;
        match other.0 {
            [same, last] if same == one => Some(Conjunction([one, two.or(last)?])),
            [first, same] if same == two => Some(Conjunction([one.or(first)?, two])),
            _ => None,
        }
    }
}

/// A byte test with a fixed address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedByteTest {
    at: u32,
    first: u8,
    more: u8,
}

impl FixedByteTest {
    fn of(test: ByteTest) -> Option<FixedByteTest> {
        let ByteTest { place, first, more } = test;
        (place.most == u8::MAX).then_some(FixedByteTest { at: place.at, first, more })
    }

    #[inline]
    fn is_true(self, bytes: &[u8]) -> bool {
        bytes[self.at as usize].wrapping_sub(self.first) <= self.more
    }
}

/// Decides the enabledness of a process at a location.
#[derive(Clone, Debug)]
pub(crate) enum ByteGuard {
    /// Two conjunctions of tests with fixed addresses, the most frequent form; evaluated without
    /// branches.
    Fixed([[FixedByteTest; PARTS]; 2]),
    /// Enabled if one of these conjunctions is true.
    Either(Box<[Conjunction]>),
    /// Enabled if one of these conjunctions is true; otherwise undecided.
    If(Box<[Conjunction]>),
    /// Needs the full test.
    Undecided,
}

impl ByteGuard {
    /// A constant guard.
    pub(crate) const fn fixed(answer: bool) -> ByteGuard {
        let always = FixedByteTest { at: 0, first: 0, more: u8::MAX };
        let [zero, other] = [
            FixedByteTest { more: 0, ..always },
            FixedByteTest { first: 1, more: u8::MAX - 1, at: 0 },
        ];
        ByteGuard::Fixed(if answer { [[always; PARTS]; 2] } else { [[zero, other]; 2] })
    }

    /// The disjunction of conjunctions; if `is_all` is false, it is sufficient but not necessary.
    pub(crate) fn one_of(mut ways: Vec<Conjunction>, is_all: bool) -> ByteGuard {
        let mut at = 0;
        while at < ways.len() {
            let (before, rest) = ways.split_at_mut(at);
            match before.iter_mut().find_map(|way| Some((way.or(rest[0])?, way))) {
                Some((both, way)) => {
                    *way = both;
                    ways.remove(at);
                }
                None => at += 1,
            }
        }
        if ways.iter().any(|way| way.0 == [ByteTest::ANY; PARTS]) {
            return ByteGuard::fixed(true);
        }
        if !is_all {
            return if ways.is_empty() { ByteGuard::Undecided } else { ByteGuard::If(ways.into()) };
        }
        let near: Option<Vec<_>> = ways.iter().map(|way| way.near()).collect();
        match near.as_deref() {
            Some([]) => ByteGuard::fixed(false),
            Some([one]) => ByteGuard::Fixed([*one; 2]),
            Some([one, two]) => ByteGuard::Fixed([*one, *two]),
            _ => ByteGuard::Either(ways.into()),
        }
    }
}

/// The guards of all processes.
#[derive(Clone, Debug)]
pub(crate) struct ByteGuards {
    kept: ConstantBytes,
    /// Position of the location byte in a record, and mask of its bits.
    location_in_record: usize,
    location_mask: usize,
    /// By process number; the first `expected` are those of the current layout.
    processes: Vec<ProcessGuards>,
    expected: usize,
    /// All guards are valid for the current layout.
    is_there: bool,
    /// By channel number: its position and declaration.
    channels: Vec<(usize, usize)>,
    /// Process and location of the last missing guard.
    missing: Option<(usize, usize)>,
}

/// The guards of one process.
#[derive(Clone, Debug, Default)]
struct ProcessGuards {
    /// Address of the location byte.
    location_at: usize,
    /// Process type, address of the record, and number of channels that must keep their positions.
    process: usize,
    record: usize,
    channels: usize,
    /// Number of invalidations.
    turns: u32,
    /// By location.
    guards: Vec<LearnedGuard>,
}

/// A guard that is valid while parameters keep their values, and how often it was derived.
#[derive(Clone, Debug, Default)]
struct LearnedGuard {
    kept: ConstantWord,
    look: Option<ByteGuard>,
    times: u32,
}

/// Masked bytes of a word with their required values.
#[derive(Clone, Copy, Debug, Default)]
struct ConstantWord {
    at: usize,
    mask: u64,
    value: u64,
}

impl ConstantWord {
    /// The word that covers these bytes; `None` if they are too far apart.
    fn of(places: &BTreeSet<usize>, bytes: &[u8]) -> Option<ConstantWord> {
        // At the end of the state, the word begins earlier.
        let at = places.first().map_or(0, |&first| first.min(bytes.len().saturating_sub(WORD)));
        let mut mask = 0;
        for place in places {
            let further = place - at;
            if further >= WORD {
                return None;
            }
            mask |= 0xff << (8 * further);
        }
        Some(ConstantWord { at, mask, value: word_at(bytes, at) & mask })
    }

    #[inline]
    fn is_in(self, bytes: &[u8]) -> bool {
        word_at(bytes, self.at) & self.mask == self.value
    }
}

impl ByteGuards {
    /// `None` if locations take more than a byte.
    pub(crate) fn new(machine: &Machine<'_>) -> Option<Self> {
        let frame = &machine.layout().frame;
        (frame.location_size == 1).then(|| ByteGuards {
            kept: ConstantBytes::of(machine),
            location_in_record: frame.location_at(),
            location_mask: frame.location_mask() as usize,
            processes: Vec::new(),
            expected: 0,
            is_there: false,
            channels: Vec::new(),
            missing: None,
        })
    }

    /// Announces the record layout of the following states. Guards of unchanged records stay valid:
    /// the youngest processes and channels end first. `channels` yields position and declaration of
    /// each channel.
    pub(crate) fn expect(
        &mut self,
        now: &DecodedState,
        channels: impl Iterator<Item = (usize, usize)>,
    ) {
        let mut count = 0;
        for channel in channels {
            if self.channels.get(count) != Some(&channel) {
                // Guards that depend on a moved channel are invalid.
                self.channels.truncate(count);
                self.processes.iter_mut().filter(|known| known.channels > count).for_each(
                    |known| {
                        known.guards.clear();
                        known.channels = 0;
                        known.turns += 1;
                    },
                );
                self.channels.push(channel);
            }
            count += 1;
        }
        let records = now.process_records();
        self.expected = records.len();
        self.processes.resize_with(self.processes.len().max(self.expected), ProcessGuards::default);
        self.is_there = true;
        for (pid, (known, &record)) in self.processes.iter_mut().zip(records).enumerate() {
            let process = now.process(pid).index();
            let location_at = record + self.location_in_record;
            // No location has address 0, the default of an unknown process.
            if (known.location_at, known.process) != (location_at, process) {
                let turns = known.turns + 1;
                *known = ProcessGuards {
                    location_at,
                    process,
                    record,
                    turns,
                    ..ProcessGuards::default()
                };
            }
            self.is_there &= known.turns < OFTEN && known.channels <= count;
        }
    }

    /// The number of enabled processes, and a bit set of undecided ones; `None` if a guard is
    /// missing. The state has the announced layout.
    #[inline]
    pub(crate) fn count(&mut self, bytes: &[u8]) -> Option<(u64, u64)> {
        if !self.is_there {
            return None;
        }
        let (mut active, mut longer) = (0, 0);
        for (pid, known) in self.processes[..self.expected].iter().enumerate() {
            let location = usize::from(bytes[known.location_at]) & self.location_mask;
            let learned = known.guards.get(location);
            let learned = learned.filter(|one| one.kept.mask == 0 || one.kept.is_in(bytes));
            let Some(LearnedGuard { look: Some(look), .. }) = learned else {
                self.missing = Some((pid, location));
                return None;
            };
            active += u64::from(match look {
                ByteGuard::Fixed([[a, b], [c, d]]) => {
                    a.is_true(bytes) & b.is_true(bytes) | c.is_true(bytes) & d.is_true(bytes)
                }
                ByteGuard::Either(ways) => ways.iter().any(|way| way.is_true(bytes)),
                ByteGuard::If(ways) if ways.iter().any(|way| way.is_true(bytes)) => true,
                ByteGuard::If(_) | ByteGuard::Undecided => {
                    longer |= 1_u64.checked_shl(pid as u32)?;
                    false
                }
            });
        }
        Some((active, longer))
    }

    /// The processes of a bit set, with the addresses of their records.
    #[inline]
    pub(crate) fn processes(&self, mut bits: u64) -> impl Iterator<Item = (usize, usize)> {
        std::iter::from_fn(move || {
            let pid = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            self.processes.get(pid).filter(|_| pid < 64).map(|known| (pid, known.record))
        })
    }

    /// Adds the missing guard. `look` derives it for a process at a location; it is told which
    /// bytes are constant, and returns the number of channels that must keep their positions.
    pub(crate) fn learn(
        &mut self,
        now: &DecodedState,
        look: impl FnOnce(EvalProcess<'_>, usize, &dyn Fn(usize) -> bool) -> (ByteGuard, usize),
    ) {
        let Some((pid, location)) = self.missing.take() else { return };
        let known = &mut self.processes[pid];
        let owner = EvalProcess { bytes: &now.bytes, pid, record: known.record };
        let (own, globals) = (&self.kept.locals[known.process], &self.kept.globals);
        let relied_on = RefCell::new(BTreeSet::new());
        let is_kept = |at: usize| match at.checked_sub(owner.record) {
            Some(inside) => {
                let is_kept = own.get(inside).is_some_and(|&kept| kept);
                if is_kept {
                    relied_on.borrow_mut().insert(at);
                }
                is_kept
            }
            None => globals.get(at).is_some_and(|&kept| kept),
        };
        let (look, channels) = look(owner, location, &is_kept);
        known.channels = known.channels.max(channels);
        if known.guards.len() <= location {
            known.guards.resize_with(location + 1, LearnedGuard::default);
        }
        let learned = &mut known.guards[location];
        let times = learned.times + 1;
        let kept = ConstantWord::of(&relied_on.into_inner(), &now.bytes);
        *learned = match kept {
            Some(kept) if times < OFTEN => LearnedGuard { kept, look: Some(look), times },
            _ => LearnedGuard {
                kept: ConstantWord::default(),
                look: Some(ByteGuard::Undecided),
                times,
            },
        };
    }
}

/// Bytes that never change after the creation of their record.
#[derive(Clone, Debug)]
struct ConstantBytes {
    globals: Vec<bool>,
    /// By process type, relative to the record.
    locals: Vec<Vec<bool>>,
}

impl ConstantBytes {
    fn of(machine: &Machine<'_>) -> ConstantBytes {
        let (constants, layout, model) = (machine.constants(), machine.layout(), machine.model());
        let mut globals = vec![false; layout.fixed];
        let ends = layout.globals.iter().skip(1).copied().chain([layout.variables]);
        for (number, (&start, end)) in layout.globals.iter().zip(ends).enumerate() {
            let root = Root::Global(GlobalId(number as u32));
            globals[start..end].fill(constants.contains(ProcessId(0), root));
        }
        let of_type = |process: usize| {
            let mut bytes = vec![false; layout.processes[process].size];
            let process = ProcessId(process as u32);
            for local in 0..model.process(process).locals.len() {
                let root = Root::Local(LocalId(local as u32));
                bytes[layout.local(process, local)].fill(constants.contains(process, root));
            }
            bytes
        };
        ConstantBytes { globals, locals: (0..model.processes.len()).map(of_type).collect() }
    }
}
