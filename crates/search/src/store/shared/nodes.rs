//! The store of best-first search in threads: states, each with a node that threads change at
//! once.
//!
//! A record is a [`Node`], and the state after it, in chunks of threads. Nodes are changed by
//! atomic operations only; state, length and hash never change. A table of atomic words maps hashes
//! to records: `[tag | record]`, zero where vacant, with linear probing. A record is written first
//! and published by one compare-and-swap, as in the [shared exact store](super).
//!
//! The link of a node is the best path to its state so far: its cost, and the parent. A link is
//! replaced by one of less cost; and by one of equal cost with a lesser parent state, if the present
//! one was found in the same round, too. So links after a round depend on the states that the round
//! expanded, not on the order in which threads did so.
//!
//! Links never form a cycle, though transitions may cost nothing: a parent is expanded at a cost that
//! it had before the round. If links of a cycle all had one cost, the one that was found last would
//! replace a link of that cost or less, found in an earlier round, which is not done.
#![allow(unsafe_code, reason = "threads read and change records while others are appended")]

use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::StoreLimits;
use super::super::equality::equal;
use super::super::hash::{FoldedMultiply, StateHash};
use super::super::huge_page_buffer::HugePageBuffer;
use super::super::memory;
use super::super::shared_set::Room;
use super::credit::Credit;
use super::words::AtomicWords;

/// Bytes of a word: records start at words.
const WORD: usize = size_of::<u64>();
/// Words of a large chunk.
const MOST: usize = 1 << OFFSET_BITS;
/// Words of the first chunk of a thread.
const FIRST: usize = 1 << 13;
/// The bits of an id: chunk and offset in words.
const ID_BITS: u32 = 36;
const OFFSET_BITS: u32 = 19;
/// The chunks that ids can count.
const MOST_CHUNKS: usize = 1 << (ID_BITS - OFFSET_BITS);
/// The chunks of a store without a limit of memory.
const USUAL_CHUNKS: usize = 1 << 16;
/// The greatest cost that a link has room for.
pub(crate) const MOST_COST: u32 = (1 << (u64::BITS - ID_BITS)) - 1;
/// Slots of the first table.
const FIRST_LENGTH: usize = 1 << 12;
/// A shorter table grows to its double length, a longer one by half or a third.
const LONG: usize = 1 << 20;
/// Records that a thread adds to a new table at once.
const LONGEST_RANGE: u32 = 1 << 13;

/// The place of a record: chunk, and offset in words. No offset is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u64);

impl NodeId {
    /// An id for tests that use no store.
    #[cfg(test)]
    pub(crate) fn of_number(number: u64) -> NodeId {
        NodeId(number)
    }

    #[inline]
    fn chunk(self) -> usize {
        (self.0 >> OFFSET_BITS) as usize
    }

    #[inline]
    fn offset(self) -> usize {
        self.0 as usize & (MOST - 1)
    }

    #[inline]
    fn entry(self, hash: u64) -> u64 {
        hash << ID_BITS | self.0
    }

    #[inline]
    fn of_entry(entry: u64) -> NodeId {
        NodeId(entry & ((1 << ID_BITS) - 1))
    }
}

/// A path to a state: its cost, and the state before. The initial state is its own parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) g: u32,
    pub(crate) parent: NodeId,
}

impl Link {
    /// A link; greater costs count as [`MOST_COST`].
    #[inline]
    pub(crate) fn new(g: u32, parent: NodeId) -> Link {
        Link { g: g.min(MOST_COST), parent }
    }

    #[inline]
    fn to_word(self) -> u64 {
        u64::from(self.g) << ID_BITS | self.parent.0
    }

    #[inline]
    fn of_word(word: u64) -> Link {
        Link { g: (word >> ID_BITS) as u32, parent: NodeId::of_entry(word) }
    }
}

/// What a search knows of a state, before the state itself.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Node {
    link: AtomicU64,
    /// The estimate, as a search encodes it.
    pub(crate) estimate: AtomicU32,
    /// The status in the open list, as a search encodes it.
    pub(crate) status: AtomicU32,
    /// The last round in which the cost became less.
    improved: AtomicU32,
    length: u32,
}

/// Words of a node.
const NODE: usize = size_of::<Node>() / WORD;

impl Node {
    /// The best path so far.
    #[inline]
    pub(crate) fn link(&self) -> Link {
        Link::of_word(self.link.load(Ordering::Relaxed))
    }
}

/// The end of the chunk of a thread, its records, and the insertions that it has reserved.
#[derive(Debug)]
pub(crate) struct NodeWriter {
    chunk: usize,
    /// The start of the chunk.
    start: *mut u64,
    /// The end of the published records, in words, as is the capacity.
    at: usize,
    capacity: usize,
    /// The memory of all chunks of this thread, in words.
    words: usize,
    credit: usize,
    /// Its records since it was released.
    ranges: Vec<(NodeId, u32)>,
    /// The length of the longest state.
    pub(crate) longest: usize,
}

// SAFETY: the memory after the end of the chunk belongs to the writer.
unsafe impl Send for NodeWriter {}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeInsertion {
    /// The state was not stored, and is now.
    New(NodeId),
    /// The state was stored before.
    Old(NodeId),
    /// The state is not stored; the table has to be lengthened.
    TableFull,
    /// The state is not stored, and there is no memory for it.
    MemoryFull,
}

/// The node of a state that may be new.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewNode {
    pub(crate) link: Option<Link>,
    pub(crate) round: u32,
    pub(crate) estimate: u32,
    pub(crate) status: u32,
}

/// The hash of a state, and the slot where its lookup continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeProbe {
    hash: u64,
    slot: usize,
}

/// States with nodes, for several threads.
#[derive(Debug)]
pub(crate) struct NodeStore {
    /// The start of each chunk.
    starts: Box<[AtomicPtr<u64>]>,
    opened: AtomicUsize,
    record_bytes: AtomicUsize,
    memory: Mutex<Vec<HugePageBuffer<u64>>>,
    table: Mutex<Arc<AtomicWords>>,
    table_bytes: AtomicUsize,
    credit: Credit,
    limits: StoreLimits,
    /// The records of released writers, as first records with numbers.
    ranges: Mutex<Vec<(NodeId, u32)>>,
    refilled: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn home(hash: u64, length: usize) -> usize {
    ((u128::from(hash) * length as u128) >> 64) as usize
}

#[inline]
fn after(slot: usize, length: usize) -> usize {
    if slot + 1 == length { 0 } else { slot + 1 }
}

impl NodeStore {
    /// An empty store for this many threads.
    pub(crate) fn new(limits: StoreLimits, threads: usize) -> NodeStore {
        let table = AtomicWords::zeros(FIRST_LENGTH).expect("there is memory for a first table");
        let small = threads * (MOST / FIRST).ilog2() as usize;
        let bytes = limits.bytes;
        let most = if bytes == usize::MAX { USUAL_CHUNKS } else { bytes / (MOST * WORD) };
        let starts = (0..(most + 2 * small + 64).min(MOST_CHUNKS)).map(|_| AtomicPtr::default());
        NodeStore {
            starts: starts.collect(),
            opened: AtomicUsize::new(0),
            record_bytes: AtomicUsize::new(0),
            memory: Mutex::default(),
            table_bytes: AtomicUsize::new(table.bytes()),
            credit: Credit::new((table.len() / 5 * 4).min(limits.states), threads),
            table: Mutex::new(Arc::new(table)),
            limits,
            ranges: Mutex::default(),
            refilled: AtomicUsize::new(0),
        }
    }

    /// A writer for a thread.
    pub(crate) fn writer(&self) -> NodeWriter {
        NodeWriter {
            chunk: 0,
            start: std::ptr::null_mut(),
            at: 0,
            capacity: 0,
            words: 0,
            credit: 0,
            ranges: Vec::new(),
            longest: 0,
        }
    }

    /// Takes over the records of a writer, and returns what it has reserved.
    pub(crate) fn release(&self, writer: &mut NodeWriter) {
        writer.credit = 0;
        lock(&self.ranges).append(&mut writer.ranges);
    }

    /// The current table. To be dropped before it is lengthened.
    pub(crate) fn table(&self) -> Arc<AtomicWords> {
        Arc::clone(&lock(&self.table))
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.record_bytes.load(Ordering::Relaxed) + self.table_bytes()
    }

    /// Memory held by the table.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table_bytes.load(Ordering::Relaxed)
    }

    #[inline]
    fn start(&self, id: NodeId) -> *const u64 {
        // What the id came through (slot, lock) orders this read.
        self.starts[id.chunk()].load(Ordering::Relaxed).wrapping_add(id.offset())
    }

    /// The node of a state.
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        // SAFETY: ids leave `insert` when their record is published, and records live as long as
        // the store. Nodes are changed by atomic operations only.
        unsafe { &*self.start(id).cast::<Node>() }
    }

    /// A stored state.
    #[inline]
    pub(crate) fn state(&self, id: NodeId) -> &[u8] {
        let length = self.node(id).length as usize;
        // SAFETY: the state is after its node, and is not changed.
        unsafe { std::slice::from_raw_parts(self.start(id).add(NODE).cast::<u8>(), length) }
    }

    /// The upper half of the hash of a stored state.
    #[inline]
    pub(crate) fn hash(&self, id: NodeId) -> u32 {
        (FoldedMultiply::hash(self.state(id)) >> u32::BITS) as u32
    }

    /// Prefetches a node and the begin of its state.
    #[inline]
    pub(crate) fn prefetch(&self, id: NodeId) {
        // SAFETY: an empty slice may be anywhere but at address 0.
        let at = unsafe { std::slice::from_raw_parts(self.start(id), 0) };
        memory::prefetch(at, 0);
        memory::prefetch(at, 8);
    }

    /// The hash of a state. Prefetches its slot.
    #[inline]
    pub(crate) fn probe(&self, table: &AtomicWords, state: &[u8]) -> NodeProbe {
        let hash = FoldedMultiply::hash(state);
        let slot = home(hash, table.len());
        memory::prefetch(table, slot);
        NodeProbe { hash, slot }
    }

    /// A state, if it is stored.
    pub(crate) fn find_state(&self, table: &AtomicWords, state: &[u8]) -> Option<NodeId> {
        self.find(table, self.probe(table, state), |id| equal(self.state(id), state)).1
    }

    /// Prefetches the record that a state probably equals.
    #[inline]
    pub(crate) fn prefetch_candidate(&self, table: &AtomicWords, probe: NodeProbe) {
        if let (_, Some(id)) = self.find(table, probe, |_| true) {
            self.prefetch(id);
        }
    }

    /// The record that matches, from a slot on, or the first vacant slot.
    #[inline]
    fn find(
        &self,
        table: &AtomicWords,
        NodeProbe { hash, mut slot }: NodeProbe,
        is_match: impl Fn(NodeId) -> bool,
    ) -> (usize, Option<NodeId>) {
        loop {
            let entry = table[slot].load(Ordering::Acquire);
            if entry == 0 {
                return (slot, None);
            }
            let has_tag = (entry ^ (hash << ID_BITS)) >> ID_BITS == 0;
            if has_tag && is_match(NodeId::of_entry(entry)) {
                return (slot, Some(NodeId::of_entry(entry)));
            }
            slot = after(slot, table.len());
        }
    }

    /// Inserts a state that this round reaches, with a link, estimate and status, unless it is
    /// stored. `None` as link makes the state its own parent at no cost.
    #[inline]
    pub(crate) fn insert(
        &self,
        table: &AtomicWords,
        writer: &mut NodeWriter,
        probe: NodeProbe,
        state: &[u8],
        new: NewNode,
    ) -> NodeInsertion {
        let NewNode { link, round, estimate, status } = new;
        let is_match = |id| equal(self.state(id), state);
        let (mut slot, found) = self.find(table, probe, is_match);
        if let Some(id) = found {
            return NodeInsertion::Old(id);
        }
        if writer.credit == 0 {
            writer.credit = self.credit.reserve();
            if writer.credit == 0 {
                return NodeInsertion::TableFull;
            }
        }
        let words = NODE + state.len().div_ceil(WORD);
        if words > writer.capacity - writer.at && !self.open_chunk(writer, words) {
            return NodeInsertion::MemoryFull;
        }
        let id = NodeId((writer.chunk as u64) << OFFSET_BITS | writer.at as u64);
        let link = link.unwrap_or_else(|| Link::new(0, id));
        let node = Node {
            link: AtomicU64::new(link.to_word()),
            estimate: AtomicU32::new(estimate),
            status: AtomicU32::new(status),
            improved: AtomicU32::new(round),
            length: state.len() as u32,
        };
        // SAFETY: so many words after the end of the chunk lie in it, and belong to the writer,
        // since no published record is there; they are aligned to words, as nodes are.
        unsafe {
            let start = writer.start.add(writer.at);
            start.cast::<Node>().write(node);
            let bytes = start.add(NODE).cast::<u8>();
            bytes.copy_from_nonoverlapping(state.as_ptr(), state.len());
        }
        loop {
            let entry = id.entry(probe.hash);
            let vacant =
                table[slot].compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire);
            if vacant.is_ok() {
                break;
            }
            let found;
            (slot, found) = self.find(table, NodeProbe { slot, ..probe }, is_match);
            if let Some(id) = found {
                return NodeInsertion::Old(id);
            }
        }
        writer.at += words;
        writer.credit -= 1;
        writer.longest = writer.longest.max(state.len());
        match writer.ranges.last_mut() {
            Some((first, count)) if first.chunk() == id.chunk() && *count < LONGEST_RANGE => {
                *count += 1;
            }
            _ => writer.ranges.push((id, 1)),
        }
        NodeInsertion::New(id)
    }

    /// Opens the next chunk of a thread, for a record of this many words.
    #[cold]
    fn open_chunk(&self, writer: &mut NodeWriter, words: usize) -> bool {
        if words >= MOST {
            return false;
        }
        let capacity = writer.words.next_power_of_two().clamp(FIRST, MOST);
        let capacity = capacity.max((words + 1).next_power_of_two());
        let bytes = capacity * WORD;
        let before = self.record_bytes.fetch_add(bytes, Ordering::Relaxed);
        let held = before.saturating_add(bytes).saturating_add(self.table_bytes());
        let is_allowed = held <= self.limits.bytes;
        let chunk = if is_allowed { HugePageBuffer::<u64>::with_room(capacity) } else { None };
        let number = self.opened.fetch_add(usize::from(chunk.is_some()), Ordering::Relaxed);
        let (Some(chunk), Some(start)) = (chunk, self.starts.get(number)) else {
            self.record_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        };
        let memory = chunk.start();
        start.store(memory, Ordering::Release);
        (writer.chunk, writer.start, writer.capacity) = (number, memory, capacity);
        // No record has id 0, which stands for a vacant slot.
        writer.at = 1;
        writer.words += capacity;
        lock(&self.memory).push(chunk);
        true
    }

    /// Replaces the link of a state by a better one of this round, if it is: see the head of the
    /// file. Returns whether the cost is less now.
    #[inline]
    pub(crate) fn improve(&self, id: NodeId, link: Link, round: u32) -> bool {
        let node = self.node(id);
        let mut word = node.link.load(Ordering::Acquire);
        loop {
            let old = Link::of_word(word);
            let is_cheaper = link.g < old.g;
            if is_cheaper {
                // Before the link, so that whoever reads the link reads the round, too. If another
                // thread replaces the link first, it does so in this round as well.
                node.improved.store(round, Ordering::Relaxed);
            } else if link.g > old.g
                || link.parent == old.parent
                || node.improved.load(Ordering::Relaxed) != round
                || self.state(link.parent) >= self.state(old.parent)
            {
                return false;
            }
            let (new, order) = (link.to_word(), Ordering::AcqRel);
            match node.link.compare_exchange_weak(word, new, order, Ordering::Acquire) {
                Ok(_) => return is_cheaper,
                Err(other) => word = other,
            }
        }
    }

    /// The states from the initial one to this one, both included.
    pub(crate) fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        let mut child = id;
        loop {
            let parent = self.node(child).link().parent;
            if parent == child {
                path.reverse();
                return path;
            }
            path.push(parent);
            child = parent;
        }
    }

    /// Calls `each` with all states of released writers, in no particular order.
    pub(crate) fn for_each(&self, mut each: impl FnMut(NodeId, &Node)) {
        let ranges = lock(&self.ranges);
        ranges.iter().for_each(|&range| self.for_each_in(range, &mut each));
    }

    fn for_each_in(&self, (mut id, count): (NodeId, u32), each: &mut impl FnMut(NodeId, &Node)) {
        for _ in 0..count {
            let node = self.node(id);
            each(id, node);
            id.0 += (NODE + (node.length as usize).div_ceil(WORD)) as u64;
        }
    }

    /// Makes room in the table when `stored` states are stored, all writers are released and the
    /// table was dropped by all.
    pub(crate) fn make_room(&self, stored: usize) -> Room {
        let mut table = lock(&self.table);
        let length = table.len();
        let left = |most: usize| most.min(self.limits.states).saturating_sub(stored);
        if left(length / 5 * 4) > length / 8 {
            // Other threads had reserved the rest.
            self.credit.renew(left(length / 5 * 4));
            return Room::LastSlots;
        }
        let longer = match length {
            ..LONG => 2 * length,
            _ if length.is_power_of_two() => length + length / 2,
            _ => length.next_power_of_two(),
        };
        let bytes = self.record_bytes.load(Ordering::Relaxed).saturating_add(longer * WORD);
        let may_grow = self.credit.may_lengthen() && bytes <= self.limits.bytes;
        if stored < self.limits.states && may_grow {
            // The old table is freed first, so that both never hold memory together.
            *table = Arc::new(AtomicWords::zeros(0).expect("no memory is needed"));
            let new = AtomicWords::zeros(longer).or_else(|| {
                self.credit.refuse_longer();
                AtomicWords::zeros(length)
            });
            let new = new.expect("memory that was just freed can be allocated again");
            // Every insertion needs a vacant slot after the last entry, so some stay vacant.
            let room = if new.len() == longer { longer / 5 * 4 } else { length / 16 * 15 };
            self.credit.renew(left(room));
            self.table_bytes.store(new.bytes(), Ordering::Relaxed);
            *table = Arc::new(new);
            self.refilled.store(0, Ordering::Relaxed);
            return Room::Refill;
        }
        self.credit.renew(left(length / 16 * 15));
        if left(length / 16 * 15) > 0 { Room::LastSlots } else { Room::Impossible }
    }

    /// Helps to fill a new table, until all of it is filled or is being filled by others.
    pub(crate) fn refill(&self) {
        let table = self.table();
        loop {
            let next = self.refilled.fetch_add(1, Ordering::Relaxed);
            let Some(range) = lock(&self.ranges).get(next).copied() else { return };
            self.for_each_in(range, &mut |id, _| {
                let hash = FoldedMultiply::hash(self.state(id));
                let mut slot = home(hash, table.len());
                let entry = id.entry(hash);
                while table[slot].load(Ordering::Relaxed) != 0
                    || table[slot]
                        .compare_exchange(0, entry, Ordering::AcqRel, Ordering::Relaxed)
                        .is_err()
                {
                    slot = after(slot, table.len());
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use beeline_kernel::SplitMix64;

    use super::*;

    const THREADS: usize = 4;

    fn state(n: u64) -> Vec<u8> {
        let length = 3 + n as usize % 11;
        n.to_be_bytes().into_iter().cycle().skip(5).take(length).collect()
    }

    /// Inserts states in threads, each in an order of its own, with the links that `link` gives for
    /// the thread. Lengthens the table as often as needed. Returns how many were new.
    fn insert_all(
        store: &NodeStore,
        states: u64,
        round: u32,
        link: impl Fn(u64, u64) -> Option<Link> + Sync,
    ) -> usize {
        let (mut done, mut new) = ([0; THREADS], 0);
        loop {
            let insert = |number: u64, done: &mut u64| {
                let (table, mut writer, mut new) = (store.table(), store.writer(), 0);
                let mut is_full = false;
                while *done < states && !is_full {
                    let n = (*done * (2 * number + 1)) % states;
                    let link = link(n, number);
                    let probe = store.probe(&table, &state(n));
                    let node = NewNode { link, round, estimate: 7, status: 9 };
                    match store.insert(&table, &mut writer, probe, &state(n), node) {
                        NodeInsertion::New(_) => new += 1,
                        NodeInsertion::Old(id) => {
                            if let Some(link) = link {
                                store.improve(id, link, round);
                            }
                        }
                        NodeInsertion::TableFull => is_full = true,
                        NodeInsertion::MemoryFull => panic!("there is no limit"),
                    }
                    *done += u64::from(!is_full);
                }
                store.release(&mut writer);
                new
            };
            new += thread::scope(|scope| {
                let threads: Vec<_> = done
                    .iter_mut()
                    .zip(0..)
                    .map(|(done, number)| scope.spawn(move || insert(number, done)))
                    .collect();
                threads.into_iter().map(|one| one.join().expect("no panic")).sum::<usize>()
            });
            if done == [states; THREADS] {
                return new;
            }
            if store.make_room(new) == Room::Refill {
                thread::scope(|scope| {
                    (0..THREADS).for_each(|_| drop(scope.spawn(|| store.refill())))
                });
            }
        }
    }

    #[test]
    fn each_state_is_new_once_and_the_table_grows() {
        const STATES: u64 = 30_001;
        let store = NodeStore::new(StoreLimits::NONE, THREADS);
        assert_eq!(insert_all(&store, STATES, 0, |_, _| None), STATES as usize);
        let mut count = 0;
        store.for_each(|id, node| {
            count += 1;
            assert_eq!((node.link().parent, node.link().g), (id, 0));
        });
        assert_eq!(count, STATES);
        let table = store.table();
        for n in 0..STATES {
            let id = store.find_state(&table, &state(n)).expect("it is stored");
            assert_eq!(store.state(id), state(n));
        }
        assert_eq!(store.find_state(&table, &state(STATES)), None);
    }

    #[test]
    fn the_cheapest_link_stays_and_of_equal_ones_the_least_parent() {
        const PARENTS: u64 = 16;
        const STATES: u64 = 4_999;
        let store = NodeStore::new(StoreLimits::NONE, THREADS);
        insert_all(&store, PARENTS, 0, |_, _| None);
        let table = store.table();
        let parent = |n: u64| store.find_state(&table, &state(n)).expect("it is stored");
        let parents: Vec<NodeId> = (0..PARENTS).map(parent).collect();
        drop(table);
        let linked = |round: u64| {
            let parents = &parents;
            move |n: u64, thread: u64| {
                let mut rng = SplitMix64::new(n * 100 + thread + 10_000_000 * round);
                let g = 3 - round as u32 + rng.below(2) as u32;
                (n >= PARENTS).then(|| Link::new(g, parents[rng.below(parents.len())]))
            }
        };
        let mut before: Vec<Option<Link>> = vec![None; STATES as usize];
        for round in 1..=2_u64 {
            insert_all(&store, STATES, round as u32, linked(round));
            let table = store.table();
            for n in PARENTS..STATES {
                let found = store.find_state(&table, &state(n)).expect("it is stored");
                let links = (0..THREADS as u64).filter_map(|thread| linked(round)(n, thread));
                let least = links.min_by_key(|link| (link.g, store.state(link.parent))).unwrap();
                let old = before[n as usize];
                let expected = old.filter(|old| old.g <= least.g).unwrap_or(least);
                let link = store.node(found).link();
                assert_eq!(link, expected, "{n} in round {round}");
                before[n as usize] = Some(link);
            }
        }
    }
}
