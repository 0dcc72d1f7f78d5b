//! States as bytes: the discrete part, then the bounds of the zone, then their number.
//!
//! Only locations with a choice and variables that a statement may change are stored, each in as
//! few bytes as its range needs, and only the bounds of active clocks. The end of a state has the
//! form that [`CoveringStore`](beeline_search::CoveringStore) compares.

use beeline_search::bounds_suffix::{self, Width};

use super::active_clocks::ActiveClocks;
use super::bounds::ClockBounds;
use crate::network::TimedNetwork;
use crate::network::memory::Memory;
use crate::zones::bound::at_most;
use crate::zones::{Bound, Dbm};

/// A stored number: bytes, and the least value.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Whether it is a location, and of which process; otherwise the number of a variable.
    is_location: bool,
    index: u32,
    bytes: u8,
    low: i32,
}

/// A stored number with its place.
#[derive(Clone, Copy, Debug)]
pub struct StoredNumber {
    /// Whether it is a location, and of which process; otherwise the number of a variable.
    pub is_location: bool,
    /// The process or the variable.
    pub index: u32,
    start: usize,
    bytes: u8,
    low: i32,
}

impl StoredNumber {
    /// Its value in a state.
    #[inline]
    pub fn of(&self, state: &[u8]) -> i32 {
        let mut bytes = [0; 4];
        let length = self.bytes as usize;
        bytes[..length].copy_from_slice(&state[self.start..self.start + length]);
        (u32::from_le_bytes(bytes) as i32).wrapping_add(self.low)
    }
}

/// How states are stored.
#[derive(Clone, Debug)]
pub struct ZoneLayout {
    slots: Vec<Slot>,
    clocks: usize,
    /// The clocks whose bounds are stored.
    pub active: ActiveClocks,
    /// The width of most bounds.
    width: Width,
}

/// The bytes that a range of values needs.
fn width(low: i32, high: i32) -> u8 {
    let last = i64::from(high) - i64::from(low);
    if last <= 0xff {
        1
    } else if last <= 0xffff {
        2
    } else {
        4
    }
}

impl ZoneLayout {
    /// The layout for a network, the clocks of which are compared with numbers up to these.
    pub(super) fn new(net: &TimedNetwork, bounds: &ClockBounds) -> ZoneLayout {
        let mut slots = Vec::new();
        for (index, process) in net.processes.iter().enumerate() {
            let last = process.locations.len() as i32 - 1;
            if last > 0 {
                let index = index as u32;
                slots.push(Slot { is_location: true, index, bytes: width(0, last), low: 0 });
            }
        }
        for (index, variable) in net.variables.iter().enumerate() {
            if variable.is_written {
                let (index, low) = (index as u32, variable.low);
                let bytes = width(low, variable.high);
                slots.push(Slot { is_location: false, index, bytes, low });
            }
        }
        // Extrapolation leaves no bounds beyond these, unless a difference is compared.
        let largest = bounds.largest().map_or(Bound::from(i16::MAX) / 2, |most| most + 1);
        let width = Width::of([at_most(largest), -at_most(largest)]);
        let active = ActiveClocks::new(bounds);
        ZoneLayout { slots, clocks: net.clocks.len(), active, width }
    }

    /// Writes a state.
    pub fn encode(&self, memory: &Memory<'_>, zone: &Dbm, state: &mut Vec<u8>) {
        state.clear();
        for slot in &self.slots {
            let index = slot.index as usize;
            let value = if slot.is_location {
                memory.locations[index] as i32
            } else {
                memory.variables[index]
            };
            let offset = value.wrapping_sub(slot.low) as u32;
            state.extend_from_slice(&offset.to_le_bytes()[..slot.bytes as usize]);
        }
        let mut active = vec![0];
        self.active.add(memory, &mut active);
        // The diagonal is the same in all zones.
        let mut bounds = Vec::with_capacity(active.len() * active.len());
        for (at, &i) in active.iter().enumerate() {
            let row = zone.row(i as usize);
            bounds.extend(active[..at].iter().map(|&j| row[j as usize]));
            bounds.extend(active[at + 1..].iter().map(|&j| row[j as usize]));
        }
        bounds_suffix::push(state, &bounds, self.width);
    }

    /// Reads a state.
    ///
    /// # Panics
    ///
    /// If it is not one of this network.
    pub fn decode(&self, state: &[u8], memory: &mut Memory<'_>) -> Dbm {
        let mut at = 0;
        for slot in &self.slots {
            let mut bytes = [0; 4];
            bytes[..slot.bytes as usize].copy_from_slice(&state[at..at + slot.bytes as usize]);
            at += slot.bytes as usize;
            let value = (u32::from_le_bytes(bytes) as i32).wrapping_add(slot.low);
            let index = slot.index as usize;
            if slot.is_location {
                memory.locations[index] = value as u32;
            } else {
                memory.variables[index] = value;
            }
        }
        let mut active = vec![0];
        self.active.add(memory, &mut active);
        let bounds = bounds_suffix::read(&state[at..]).expect("a state ends with its zone");
        Dbm::of_active(self.clocks, &active, bounds)
    }

    /// The numbers of the discrete part, with their places in states.
    pub fn numbers(&self) -> impl Iterator<Item = StoredNumber> + '_ {
        let mut at = 0;
        self.slots.iter().map(move |&Slot { is_location, index, bytes, low }| {
            let start = at;
            at += bytes as usize;
            StoredNumber { is_location, index, start, bytes, low }
        })
    }

    /// The length of the discrete part.
    pub fn discrete_bytes(&self) -> usize {
        self.slots.iter().map(|slot| slot.bytes as usize).sum()
    }
}
