//! The towers of Hanoi, one process for each disk, disk 0 the smallest.
//!
//! Source: [DFP06] §6. Before a disk moves, it asks the next smaller one whether this one and all
//! above it are on the third column, out of the way; the answer comes back the same way, and with
//! it the disk moves. In an error state, all disks are on the last column.
//!
//! A move of a disk with k smaller ones takes 2(k + 1) steps, so the shortest trail has
//! T = 2^(n+2) - 2n - 4, and 2T + 1 are the paper's 105, 229, 481 and 989 for 4 to 7 disks.

use crate::builder::NetworkBuilder;
use crate::network::{Network, TAU};

/// The treatment of the smallest disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hanoi {
    /// A process above all disks answers it, and every step is a shared action.
    #[default]
    Top,
    /// A disk first decides in an internal step, and the smallest answers after an internal step.
    /// The number of states is close to the paper's.
    Deciding,
}

/// The columns.
const COLUMNS: u32 = 3;

/// The state of a disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// On a column.
    Idle(u32),
    /// It has decided to move from one column to another.
    Decided(u32, u32),
    /// It has asked for permission.
    Waiting(u32, u32),
    /// On a column, and asked by the next larger disk.
    Asked(u32),
    /// It has asked the next smaller one.
    Forwarded(u32),
    /// It has the answer.
    Answering(u32),
}

/// The transitions of a disk.
type Moves = Vec<(State, String, State)>;

/// The towers with `disks` disks, at least one.
pub fn hanoi(disks: u32, variant: Hanoi) -> Network {
    let mut network = NetworkBuilder::default();
    for disk in 0..disks {
        let mut moves = Moves::new();
        for from in 0..COLUMNS {
            for to in (0..COLUMNS).filter(|&to| to != from) {
                travel(&mut moves, disk, from, to, variant);
            }
        }
        if disk + 1 < disks {
            (0..COLUMNS).for_each(|column| serve(&mut moves, disk, column, variant));
        }
        add_disk(&mut network, disk, &moves);
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

/// The request of disk `disk` whether all smaller ones are on this column.
fn request(disk: u32, column: u32) -> String {
    format!("req_{disk}_{column}")
}

/// The positive answer.
fn answer(disk: u32) -> String {
    format!("ok_{disk}")
}

/// The transitions of a disk from a column to another.
fn travel(moves: &mut Moves, disk: u32, from: u32, to: u32, variant: Hanoi) {
    let third = COLUMNS - from - to;
    let mut add = |from, action: String, to| moves.push((from, action, to));
    let (decided, waiting) = (State::Decided(from, to), State::Waiting(from, to));
    let (from, to) = (State::Idle(from), State::Idle(to));
    match variant {
        Hanoi::Top => {
            add(from, request(disk, third), waiting);
            add(waiting, answer(disk), to);
        }
        Hanoi::Deciding if disk == 0 => {
            add(from, TAU.to_owned(), decided);
            add(decided, TAU.to_owned(), to);
        }
        Hanoi::Deciding => {
            add(from, TAU.to_owned(), decided);
            add(decided, request(disk, third), waiting);
            add(waiting, answer(disk), to);
        }
    }
}

/// The transitions of a disk on a column that answer the next larger one.
fn serve(moves: &mut Moves, disk: u32, column: u32, variant: Hanoi) {
    let (asked, forwarded) = (State::Asked(column), State::Forwarded(column));
    let (idle, answering) = (State::Idle(column), State::Answering(column));
    moves.push((idle, request(disk + 1, column), asked));
    if disk == 0 && variant == Hanoi::Deciding {
        moves.push((asked, TAU.to_owned(), answering));
    } else {
        moves.push((asked, request(disk, column), forwarded));
        moves.push((forwarded, answer(disk), answering));
    }
    moves.push((answering, answer(disk + 1), idle));
}

fn add_disk(network: &mut NetworkBuilder, disk: u32, moves: &Moves) {
    // The columns come first; other states are numbered in the order of generation.
    let mut states: Vec<State> = (0..COLUMNS).map(State::Idle).collect();
    for &(from, _, to) in moves {
        for state in [from, to] {
            if !states.contains(&state) {
                states.push(state);
            }
        }
    }
    let number = |state: State| {
        let found = states.iter().position(|&other| other == state);
        found.expect("all states are numbered") as u32
    };
    network.process(&format!("disk{disk}"), states.len() as u32).initial(0).error(2);
    for (from, action, to) in moves {
        network.transition(number(*from), action, number(*to));
    }
}
