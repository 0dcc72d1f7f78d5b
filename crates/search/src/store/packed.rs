//! The packed store: each state is kept without the bits that are the same in all of them.
//!
//! As in the [exact store](super::ExactStore), a [table](SlimTable) finds the candidates for a hash, and
//! an [`Arena`] holds states in the order of storing. What lies there, and is hashed and
//! compared, is the [`Form`] of a state. States with bits that nobody has seen change are kept
//! as they are, and when there are many of them, all forms are made anew.

mod arena;
mod gather;
mod packing;
mod shapes;

use std::marker::PhantomData;
use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::hash::{Folded, StateHash};
use super::slim_table::SlimTable;
use super::table::Found;
use super::{Ahead, Ceiling, Glance, Inserted, StateStore};
use arena::Arena;
use packing::SPARE;
use shapes::{Form, RAW, Shapes};

/// When so many states cannot be packed, and more than this share of all, packings are made
/// for them.
const FEW: usize = 32;
const SHARE: usize = 8;
/// For the form of a state as long as most are, there is no need to ask for memory.
const SHORT: usize = 256;

/// A set of states, each packed and numbered in the order of storing.
#[derive(Clone, Debug)]
pub(crate) struct PackedStore<H: StateHash = Folded> {
    table: SlimTable,
    arena: Arena,
    shapes: Shapes,
    /// How often all forms were made anew.
    learnt: u32,
    may_learn: bool,
    ceiling: Ceiling,
    /// How many states may be added before anyone looks whether the table, the ceiling
    /// and the numbers have room for more, and whether packings should be wider.
    credit: usize,
    longest: usize,
    /// The state that was opened last. Kept for its memory.
    opened: Vec<u8>,
    /// The form of a state that is being inserted. Kept for its memory.
    form: Vec<u8>,
    hash: PhantomData<H>,
}

impl<H: StateHash> StateStore for PackedStore<H> {
    fn new(ceiling: Ceiling) -> Self {
        PackedStore {
            table: SlimTable::new(),
            arena: Arena::new(),
            shapes: Shapes::default(),
            learnt: 0,
            may_learn: true,
            ceiling,
            credit: 0,
            longest: 0,
            opened: Vec::new(),
            form: Vec::new(),
            hash: PhantomData,
        }
    }

    #[inline]
    fn batch(&self) -> usize {
        16
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let mut buffer = std::mem::take(&mut self.form);
        make_room(&mut buffer, state.len());
        let (form, hash) = self.shapes.form::<H>(state, &mut buffer);
        let inserted = self.insert_form(state, form, hash);
        self.form = buffer;
        inserted
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let (mut short, mut long) = ([0; SHORT], Vec::new());
        let buffer = if state.len() + SPARE <= SHORT {
            short.as_mut_slice()
        } else {
            make_room(&mut long, state.len());
            &mut long
        };
        let (form, hash) = self.shapes.form::<H>(state, buffer);
        match self.table.find(hash, |index| self.arena.has_form(index, form)) {
            Found::Known(index) => Some(id_of(index)),
            Found::Place(_) => None,
        }
    }

    #[inline]
    fn look_ahead(&self, successors: &Successors, ahead: &mut Ahead) {
        let Ahead { glances, forms, length, learnt } = ahead;
        *learnt = self.learnt;
        *length = self.table.length();
        glances.clear();
        make_room(forms, successors.used());
        let mut start = 0;
        glances.extend(successors.states().map(|state| {
            let (form, hash) = self.shapes.form::<H>(state, &mut forms[start..]);
            let place = self.table.home(hash);
            self.table.prefetch(place);
            start += form.bytes.len();
            let (place, end) = (place as u32, start as u32);
            Glance { hash, place, end, shape: form.shape, ..Glance::default() }
        }));
    }

    #[inline]
    fn look_closer(&self, range: Range<usize>, ahead: &mut Ahead) {
        ahead.renew(self.table.length(), |hash| self.table.home(hash));
        for glance in &mut ahead.glances[range] {
            match self.table.find(glance.hash, |_| true) {
                Found::Known(index) => {
                    self.arena.prefetch(index);
                    glance.likely = index as u32 + 1;
                }
                Found::Place(place) => glance.place = place as u32,
            }
        }
    }

    #[inline]
    fn insert_all(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &Ahead,
        mut tell: impl FnMut(Inserted),
    ) {
        let before = range.start.checked_sub(1).map(|before| ahead.glances[before].end);
        let mut start = before.unwrap_or(0) as usize;
        let glances = &ahead.glances[range.clone()];
        for (state, &glance) in successors.states_in(range).zip(glances) {
            let bytes = &ahead.forms[start..glance.end as usize];
            start = glance.end as usize;
            let inserted = if ahead.learnt == self.learnt {
                self.insert_seen(state, Form { shape: glance.shape, bytes }, glance, ahead.length)
            } else {
                self.insert(state)
            };
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
        }
    }

    #[inline]
    fn expect(&self, id: StateId) {
        self.arena.prefetch(id.index());
    }

    #[inline]
    fn open(&mut self, id: StateId) -> &[u8] {
        self.arena.load(id.index(), &self.shapes, &mut self.opened);
        &self.opened
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        self.arena.load(id.index(), &self.shapes, state);
    }

    #[inline]
    fn len(&self) -> usize {
        self.arena.len()
    }

    fn longest(&self) -> usize {
        self.longest
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.table.bytes() + self.arena.bytes() + self.shapes.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Lets a buffer be long enough for the forms of so many bytes of states.
#[inline]
fn make_room(buffer: &mut Vec<u8>, bytes: usize) {
    if buffer.len() < bytes + SPARE {
        buffer.resize((bytes + SPARE).next_power_of_two(), 0);
    }
}

#[inline]
fn id_of(index: usize) -> StateId {
    StateId::new(index).expect("what is stored has an id")
}

impl<H: StateHash> PackedStore<H> {
    /// The most bytes that a state takes beside the table, but for those that are raw.
    pub(crate) fn most_bytes(&self) -> usize {
        self.shapes.longest() + if self.shapes.are_many() { Arena::MIXED_BYTES } else { 0 }
    }

    #[inline]
    fn insert_form(&mut self, state: &[u8], form: Form<'_>, hash: u64) -> Inserted {
        match self.table.find(hash, |index| self.arena.has_form(index, form)) {
            Found::Known(index) => Inserted::Old(id_of(index)),
            Found::Place(place) => self.add(state, form, hash, place),
        }
    }

    /// Stores a state of which this was seen when the table was so long.
    #[inline]
    fn insert_seen(
        &mut self,
        state: &[u8],
        form: Form<'_>,
        Glance { hash, likely, place, .. }: Glance,
        length: usize,
    ) -> Inserted {
        if likely != 0 {
            let index = likely as usize - 1;
            if self.arena.has_form(index, form) {
                return Inserted::Old(id_of(index));
            }
        } else if length == self.table.length() {
            // What has been added since, and could be the same, stands here or behind.
            let is_same = |index| self.arena.has_form(index, form);
            return match self.table.find_from(place as usize, hash, is_same) {
                Found::Known(index) => Inserted::Old(id_of(index)),
                Found::Place(place) => self.add(state, form, hash, place),
            };
        }
        self.insert_form(state, form, hash)
    }

    #[inline]
    fn add(&mut self, state: &[u8], form: Form<'_>, hash: u64, place: usize) -> Inserted {
        if self.credit == 0 || !self.arena.has_room(form.bytes.len()) || form.shape == RAW {
            return self.make_room_and_add(state, form, hash);
        }
        self.put(form, hash, place)
    }

    #[inline]
    fn put(&mut self, form: Form<'_>, hash: u64, place: usize) -> Inserted {
        self.credit -= 1;
        let id = id_of(self.len());
        self.arena.push(form);
        self.table.put(place, hash);
        Inserted::New(id)
    }

    #[cold]
    fn make_room_and_add(&mut self, state: &[u8], form: Form<'_>, hash: u64) -> Inserted {
        self.longest = self.longest.max(state.len());
        let is_time = self.arena.raw_len() >= FEW.max(self.len() / SHARE);
        if form.shape == RAW && is_time && self.may_learn && self.form_anew() {
            return self.insert(state);
        }
        let length = form.bytes.len();
        let growth = self.arena.growth(length);
        if self.credit == 0 {
            self.credit = self.find_credit(growth);
        }
        if self.credit == 0 {
            return Inserted::Full;
        }
        if !self.arena.has_room(length) && (!self.fits(growth) || !self.arena.reserve(length)) {
            return Inserted::Full;
        }
        let Found::Place(place) = self.table.find(hash, |_| false) else {
            unreachable!("nothing is the same");
        };
        self.put(form, hash, place)
    }

    /// For how many states there is room, with memory left for so much else.
    fn find_credit(&mut self, growth: usize) -> usize {
        // The table holds id + 1, so the largest ids cannot be used.
        let ids = (u32::MAX as usize - 1).saturating_sub(self.len());
        let left = self.ceiling.states.saturating_sub(self.len()).min(ids);
        if left > 0 && self.table.room() == 0 && !self.grow_table(growth) {
            return left.min(self.table.last_room());
        }
        left.min(self.table.room())
    }

    /// Says whether the table is a longer one, with memory left for so much else.
    #[cold]
    fn grow_table(&mut self, growth: usize) -> bool {
        let (arena, shapes) = (&self.arena, &self.shapes);
        let hashes = (0..arena.len()).map(|index| arena.hash::<H>(index, shapes));
        self.bytes().saturating_add(growth + self.table.growth()) <= self.ceiling.bytes
            && self.table.grow(hashes)
    }

    /// Learns to form all states, and forms them anew. Says whether there was memory for it.
    #[cold]
    fn form_anew(&mut self) -> bool {
        let mut shapes = self.shapes.clone();
        shapes.learn(self.arena.raw());
        // For a while, there may be both.
        let growth = Arena::most_bytes(self.len(), shapes.longest());
        if !self.fits(growth + shapes.bytes()) {
            self.may_learn = false;
            return false;
        }
        let (mut arena, mut opened, mut buffer) = (Arena::new(), Vec::new(), Vec::new());
        for index in 0..self.arena.len() {
            self.arena.forget_before(index);
            self.arena.load(index, &self.shapes, &mut opened);
            make_room(&mut buffer, opened.len());
            let (form, _) = shapes.form::<H>(&opened, &mut buffer);
            let length = form.bytes.len();
            let has_room = arena.has_room(length) || arena.reserve(length);
            assert!(has_room, "there is memory for what is given back");
            arena.push(form);
        }
        let hashes = (0..arena.len()).map(|index| arena.hash::<H>(index, &shapes));
        self.table.refill(hashes);
        (self.arena, self.shapes) = (arena, shapes);
        self.learnt += 1;
        true
    }

    #[inline]
    fn fits(&self, growth: usize) -> bool {
        self.bytes().saturating_add(growth) <= self.ceiling.bytes
    }
}

#[cfg(test)]
mod tests;
