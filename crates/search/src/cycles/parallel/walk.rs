//! One thread's depth-first search in a shared store: expansion, storing, stack and path.
//!
//! As in the sequential [stack](super::super::stack), open states and the path are one list: a state
//! that is entered stays in its place, below its successors, until it is left.
//!
//! The threads search the same space in different orders, so that they seldom do the same work: the
//! first one in the order of expansion, the second one backwards, the others at random. Each prefers
//! successors that no thread has entered.

use beeline_kernel::{Expander, Expansion, SplitMix64};

use super::colours::{LocalStates, SharedColours, set_class, set_parent};
use super::crew::Crew;
use super::rounds::Pause;
use crate::parallel::RecordRange;
use crate::stats::Stats;
use crate::store::shared::{
    RecordId, RecordWriter, SharedInsertion, SharedProbes, SharedStore, SlotTable,
};

/// At most this many records in a range.
const LARGEST_RANGE: u32 = 1 << 14;

/// A place on the stack: a state, and in the highest bit whether this thread has entered the state
/// here, so that it is on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry(u64);

const ENTERED: u64 = 1 << 63;

impl StackEntry {
    #[inline]
    fn open(id: RecordId) -> StackEntry {
        StackEntry(id.number())
    }

    /// The state.
    #[inline]
    pub(super) fn id(self) -> RecordId {
        RecordId::of_number(self.0 & !ENTERED).expect("an entry was made from a record")
    }

    /// Whether it is on the path.
    #[inline]
    pub(super) fn is_entered(self) -> bool {
        self.0 & ENTERED != 0
    }
}

/// The colours and the class of a state that is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub(super) colours: SharedColours,
    pub(super) class: u8,
}

/// A thread's part of a search.
pub(super) struct Walk<'a> {
    expander: Box<dyn Expander + 'a>,
    writer: RecordWriter,
    /// The number of the thread.
    index: usize,
    rng: SplitMix64,
    /// The expansion of the last state, and its successors.
    pub(super) expansion: Expansion,
    pub(super) successors: Vec<RecordId>,
    /// Those that this thread has stored.
    pub(super) new_successors: Vec<RecordId>,
    probes: SharedProbes,
    pub(super) stack: Vec<StackEntry>,
    /// The states on the path.
    pub(super) cyan: LocalStates,
    path_length: u32,
    pub(super) stats: Stats,
    /// Records that this thread has written since they were last taken.
    written: Vec<RecordRange>,
}

impl<'a> Walk<'a> {
    /// A thread's search, which begins with the initial state.
    pub(super) fn new(crew: &Crew<'a>, index: usize) -> Walk<'a> {
        Walk {
            expander: crew.space.expander(),
            writer: crew.store.writer(),
            index,
            rng: SplitMix64::new(index as u64),
            expansion: Expansion::default(),
            successors: Vec::new(),
            new_successors: Vec::new(),
            probes: SharedProbes::default(),
            stack: crew.root.into_iter().map(StackEntry::open).collect(),
            cyan: LocalStates::default(),
            path_length: 0,
            stats: Stats::default(),
            written: Vec::new(),
        }
    }

    /// Expands a state, and stores its successors. `Err` if there is no room: then the state is to be
    /// expanded again, after the pause.
    #[inline]
    pub(super) fn expand(
        &mut self,
        crew: &Crew<'_>,
        table: &SlotTable,
        id: RecordId,
    ) -> Result<(), Pause> {
        let Walk { expander, writer, expansion, successors, probes, stats, .. } = self;
        self.new_successors.clear();
        expander.expand_only(crew.store.state(id), expansion);
        let store = &crew.store;
        store.prefetch_slots(table, &expansion.successors, probes);
        store.prefetch_candidates(table, &expansion.successors, probes);
        successors.clear();
        for (at, state) in expansion.states().enumerate() {
            let next = match store.insert_probed(table, writer, state, (at, probes)) {
                SharedInsertion::New(next) => {
                    stats.stored += 1;
                    note_written(&mut self.written, next);
                    set_parent(store, next, id);
                    self.new_successors.push(next);
                    next
                }
                SharedInsertion::Old(next) => {
                    stats.matched += 1;
                    next
                }
                SharedInsertion::TableFull => return Err(Pause::TableFull),
                SharedInsertion::MemoryFull => return Err(Pause::MemoryFull),
            };
            successors.push(next);
        }
        stats.generated += successors.len() as u64;
        Ok(())
    }

    /// Enters the expanded state on top of the stack.
    #[inline]
    pub(super) fn enter(&mut self, store: &SharedStore, id: RecordId, how: Entering) {
        self.stats.count(&self.expansion, self.path_length);
        set_class(store, id, how.class);
        how.colours.and(SharedColours::ENTERED).paint(store, id);
        self.cyan.insert(id);
        if let Some(top) = self.stack.last_mut() {
            top.0 |= ENTERED;
        }
        self.path_length += 1;
    }

    /// Pushes a successor of the last state on the path.
    #[inline]
    pub(super) fn push(&mut self, id: RecordId) {
        self.stack.push(StackEntry::open(id));
    }

    /// Orders the states from `begin` on, for this thread: the last one is entered first.
    #[inline]
    pub(super) fn order(&mut self, store: &SharedStore, begin: usize) {
        let Walk { stack, index, rng, .. } = self;
        let pushed = &mut stack[begin..];
        match *index {
            0 => pushed.reverse(),
            1 => {}
            _ => rng.shuffle(pushed),
        }
        if pushed.len() > 1 {
            let is_fresh = |entry: &StackEntry| {
                !SharedColours::of(store, entry.id()).has(SharedColours::ENTERED)
            };
            // Fresh states on top, and otherwise in the same order. A list is short.
            let mut fresh = pushed.len();
            for at in (0..pushed.len()).rev() {
                if is_fresh(&pushed[at]) {
                    fresh -= 1;
                    pushed[at..=fresh].rotate_left(1);
                }
            }
        }
    }

    /// Leaves the state on top of the stack, the last one on the path.
    #[inline]
    pub(super) fn leave(&mut self) {
        if let Some(entry) = self.stack.pop() {
            self.cyan.remove(entry.id());
            self.path_length -= 1;
        }
    }

    /// The states on the path.
    pub(super) fn path(&self) -> Vec<RecordId> {
        self.stack.iter().filter(|entry| entry.is_entered()).map(|entry| entry.id()).collect()
    }

    /// Gives back what belongs to the table, and takes the records written so far.
    pub(super) fn release(&mut self) -> Vec<RecordRange> {
        self.writer.return_credit();
        std::mem::take(&mut self.written)
    }

    /// The counters.
    pub(super) fn counters(&self) -> Stats {
        Stats { state_bytes: self.writer.longest as u64, ..self.stats }
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.stack.capacity() * size_of::<StackEntry>()
            + self.cyan.bytes()
            + self.written.capacity() * size_of::<RecordRange>()
    }
}

/// Adds a record to those of this thread, which follow each other within a chunk.
#[inline]
fn note_written(written: &mut Vec<RecordRange>, id: RecordId) {
    match written.last_mut() {
        Some(last) if last.first.is_beside(id) && last.count < LARGEST_RANGE => last.count += 1,
        _ => written.push(RecordRange { first: id, count: 1 }),
    }
}
