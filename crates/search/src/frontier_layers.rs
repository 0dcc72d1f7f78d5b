//! Two layers of a breadth-first search, and the third one that is being generated. All earlier
//! ones are forgotten.

use beeline_kernel::{Expansion, StateId};

use crate::store::{Inserted, StateStore};

/// The last layers. In the store, the one before the present comes first, then the
/// present one, then the next.
pub(crate) struct FrontierLayers<T> {
    store: T,
    /// Where the current layer begins and ends.
    begin: usize,
    end: usize,
    /// How far the current layer is expanded.
    at: usize,
    /// How many transitions away it is.
    depth: u32,
    /// For each state in the store the one it descends from, in a layer that was marked.
    origins: Vec<u32>,
}

impl<T: StateStore> FrontierLayers<T> {
    /// A state alone. `None` when there is no room for it.
    pub(crate) fn new(state: &[u8], mut store: T) -> Option<FrontierLayers<T>> {
        match store.insert(state) {
            Inserted::New(_) => {
                Some(FrontierLayers { store, begin: 0, end: 1, at: 0, depth: 0, origins: vec![0] })
            }
            _ => None,
        }
    }

    /// How many transitions away the current layer is.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The next state of the current layer.
    pub(crate) fn pop(&mut self) -> Option<StateId> {
        if self.at == self.end {
            return None;
        }
        self.at += 1;
        StateId::new(self.at - 1)
    }

    /// A state.
    pub(crate) fn open(&mut self, id: StateId) -> &[u8] {
        self.store.open(id)
    }

    /// Puts what follows a state of the current layer into the next one, unless it is in
    /// one of the three. Returns how many were, or that there was no room.
    pub(crate) fn insert(&mut self, from: StateId, expansion: &Expansion) -> Option<u64> {
        let origin = self.origins[from.index()];
        let mut known = 0;
        for state in expansion.states() {
            match self.store.insert(state) {
                Inserted::New(_) => self.origins.push(origin),
                Inserted::Old(_) => known += 1,
                Inserted::Full => return None,
            }
        }
        Some(known)
    }

    /// Makes the next layer the current one, in an empty store. Returns whether there is
    /// anything in it; `None` when there was no room.
    pub(crate) fn go_on(&mut self, store: T) -> Option<bool> {
        let mut old = std::mem::replace(&mut self.store, store);
        for index in self.begin..old.len() {
            let id = StateId::new(index).expect("it is stored, so it has an id");
            if self.store.insert(old.open(id)) == Inserted::Full {
                return None;
            }
        }
        self.origins.drain(..self.begin);
        self.at = self.end - self.begin;
        (self.begin, self.end) = (self.at, self.store.len());
        self.depth += 1;
        Some(self.begin < self.end)
    }

    /// Lets all states of the current layer be their own origins. Returns them.
    pub(crate) fn mark(&mut self) -> Vec<Vec<u8>> {
        for index in self.begin..self.end {
            self.origins[index] = (index - self.begin) as u32;
        }
        self.states().skip(self.begin).collect()
    }

    /// The origin of a state of the current layer.
    pub(crate) fn origin(&self, state: &[u8]) -> Option<usize> {
        let at = self.states().skip(self.begin).position(|other| other == state)?;
        Some(self.origins[self.begin + at] as usize)
    }

    /// All states of both layers, when the next one is empty.
    pub(crate) fn states(&self) -> impl Iterator<Item = Vec<u8>> {
        (0..self.store.len()).map(|index| {
            let mut state = Vec::new();
            let id = StateId::new(index).expect("it is stored, so it has an id");
            self.store.load(id, &mut state);
            state
        })
    }

    /// Where the current layer begins.
    pub(crate) fn begin(&self) -> usize {
        self.begin
    }

    /// How many states are held.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.store.bytes() + self.origins.capacity() * size_of::<u32>()
    }
}
