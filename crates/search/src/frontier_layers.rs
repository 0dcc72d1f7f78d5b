//! The last two layers of a breadth-first search, and the next one that is being generated. All
//! earlier ones are dropped.

use beeline_kernel::{Expansion, StateId};

use crate::store::{Inserted, StateStore};

/// The last layers. The store holds the previous layer first, then the current one, then the next.
pub(crate) struct FrontierLayers<T> {
    store: T,
    /// Start and end of the current layer in the store.
    begin: usize,
    end: usize,
    /// The next state of the current layer to be expanded.
    at: usize,
    /// The depth of the current layer, in transitions.
    depth: u32,
    /// For each state in the store its ancestor in the layer that was marked.
    origins: Vec<u32>,
}

impl<T: StateStore> FrontierLayers<T> {
    /// Layers with a single state. `None` when there is no room for it.
    pub(crate) fn new(state: &[u8], mut store: T) -> Option<FrontierLayers<T>> {
        match store.insert(state) {
            Inserted::New(_) => {
                Some(FrontierLayers { store, begin: 0, end: 1, at: 0, depth: 0, origins: vec![0] })
            }
            _ => None,
        }
    }

    /// The depth of the current layer, in transitions.
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

    /// Adds the successors of a state of the current layer to the next one, unless they are in one
    /// of the three. Returns the number of known ones; `None` when there is no room.
    pub(crate) fn insert(&mut self, from: StateId, expansion: &Expansion) -> Option<u64> {
        let origin = self.origins[from.index()];
        let mut known = 0;
        for state in expansion.states() {
            match self.store.insert(state) {
                Inserted::New(_) => self.origins.push(origin),
                Inserted::Old(_) | Inserted::Covered => known += 1,
                Inserted::Full => return None,
            }
        }
        Some(known)
    }

    /// Makes the next layer the current one, in an empty store. Returns whether it has states;
    /// `None` when there is no room.
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

    /// Makes each state of the current layer its own origin. Returns the states of the layer.
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

    /// The start of the current layer in the store.
    pub(crate) fn begin(&self) -> usize {
        self.begin
    }

    /// The number of states held.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.store.bytes() + self.origins.capacity() * size_of::<u32>()
    }
}
