//! The towers of Hanoi, one process for each disk, disk 0 the smallest.
//!
//! Source: [DFP06] §6. A disk that wants to move asks the next smaller one whether it and all
//! above it are out of the way, that is on the third column; the answer comes back the same way,
//! and with it the disk moves. An error is that all disks are on the last column.
//!
//! A move of a disk with k smaller ones takes 2(k + 1) steps, so the shortest trail has
//! T = 2^(n+2) - 2n - 4, and 2T + 1 are the paper's 105, 229, 481 and 989 for 4 to 7 disks.

use crate::builder::Builder;
use crate::network::{Network, TAU};

/// How the smallest disk is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hanoi {
    /// A process above all disks answers it, and every step is one of two processes.
    #[default]
    Top,
    /// A disk first makes up its mind, alone, and the smallest answers after a step of its own.
    /// The number of states is near to those that the paper explores.
    Deciding,
}

/// The columns.
const COLUMNS: u32 = 3;
/// States of a disk: idle on a column, or on its way from one to another, or asked.
const IDLE: u32 = 0;
const DECIDED: u32 = 3;
const WAITING: u32 = 9;
const ASKED: u32 = 15;
const FORWARDED: u32 = 18;
const ANSWERING: u32 = 21;
const STATES: u32 = 24;

/// The number of a pair of different columns.
fn pair(from: u32, to: u32) -> u32 {
    2 * from + if to > from { to - 1 } else { to }
}

/// The towers with so many disks, at least one.
pub fn hanoi(disks: u32, variant: Hanoi) -> Network {
    let mut network = Builder::default();
    for disk in 0..disks {
        let is_smallest = disk == 0;
        network.process(&format!("disk{disk}"), STATES);
        network.initial(IDLE).error(IDLE + 2);
        for from in 0..COLUMNS {
            for to in (0..COLUMNS).filter(|&to| to != from) {
                travel(&mut network, disk, (from, to), variant);
            }
        }
        if disk + 1 < disks {
            for column in 0..COLUMNS {
                serve(&mut network, disk, column, variant, is_smallest);
            }
        }
    }
    if variant == Hanoi::Top {
        network.process("top", 2).initial(0).all_errors();
        for column in 0..COLUMNS {
            network.transition(0, &request(0, column), 1);
        }
        network.transition(1, &answer(0), 0);
    }
    network.finish()
}

/// Disk `disk` asks whether all smaller ones are on this column.
fn request(disk: u32, column: u32) -> String {
    format!("req_{disk}_{column}")
}

/// They are.
fn answer(disk: u32) -> String {
    format!("ok_{disk}")
}

/// How a disk gets from a column to another.
fn travel(network: &mut Builder, disk: u32, (from, to): (u32, u32), variant: Hanoi) {
    let third = COLUMNS - from - to;
    let (decided, waiting) = (DECIDED + pair(from, to), WAITING + pair(from, to));
    match variant {
        Hanoi::Top => {
            network.transition(IDLE + from, &request(disk, third), waiting);
            network.transition(waiting, &answer(disk), IDLE + to);
        }
        Hanoi::Deciding => {
            network.transition(IDLE + from, TAU, decided);
            if disk == 0 {
                network.transition(decided, TAU, IDLE + to);
            } else {
                network.transition(decided, &request(disk, third), waiting);
                network.transition(waiting, &answer(disk), IDLE + to);
            }
        }
    }
}

/// How a disk on a column answers the next larger one.
fn serve(network: &mut Builder, disk: u32, column: u32, variant: Hanoi, is_smallest: bool) {
    let (asked, answering) = (ASKED + column, ANSWERING + column);
    network.transition(IDLE + column, &request(disk + 1, column), asked);
    if is_smallest && variant == Hanoi::Deciding {
        network.transition(asked, TAU, answering);
    } else {
        network.transition(asked, &request(disk, column), FORWARDED + column);
        network.transition(FORWARDED + column, &answer(disk), answering);
    }
    network.transition(answering, &answer(disk + 1), IDLE + column);
}
