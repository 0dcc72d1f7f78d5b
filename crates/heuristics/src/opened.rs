//! The state that a heuristic looks at, opened in the place of the last one.

use beeline_engine::claim::Product;
use beeline_engine::interpreter::{Machine, Now};

use crate::difference::Piece;
use crate::goal::Goal;

/// The part of a state that belongs to the system: a claim's location stands behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    System,
    Product,
}

impl Shape {
    pub(crate) fn of(goal: &Goal) -> Shape {
        if let Goal::Claim(_) = goal { Shape::Product } else { Shape::System }
    }

    pub(crate) fn system(self, state: &[u8]) -> &[u8] {
        match self {
            Shape::System => state,
            Shape::Product => Product::split(state).0,
        }
    }
}

/// A machine and the state that it looks at.
#[derive(Clone)]
pub(crate) struct Opened<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: Now,
    shape: Shape,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, goal: &Goal) -> Self {
        Opened { machine, now: machine.nothing_opened(), shape: Shape::of(goal) }
    }

    /// Opens a state. Whether its records are what and where the last one's were.
    pub(crate) fn open(&mut self, state: &[u8]) -> bool {
        self.machine.reopen(&mut self.now, self.shape.system(state))
    }

    /// The same for the part that belongs to the system.
    pub(crate) fn open_system(&mut self, system: &[u8]) {
        self.machine.reopen(&mut self.now, system);
    }

    /// Takes over what is different in a state whose records are known to be where the
    /// opened one's are. Given the opened one again, this takes it back.
    pub(crate) fn take_over(&mut self, state: &[u8], changes: &[Piece]) {
        let state = self.shape.system(state);
        for change in changes {
            let range = change.range();
            self.now.bytes[range.clone()].copy_from_slice(&state[range]);
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }
}
