//! Options of `generate`.

use clap::{Args, Subcommand, ValueEnum};

use crate::args::number::{whole, within};

const EXAMPLE: &str = "\
The model is printed on standard output, as `beeline check` and `beeline count` read it:

  beeline generate arbiter 3 > a3.net && beeline check a3.net
  beeline generate hanoi 4 --variant d | beeline check --search 'astar(dpa)' -
  beeline generate fischer 4 | beeline check --query 'E<> P(1).critical' -";

/// Options of `generate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Generate {
    #[command(subcommand)]
    pub(crate) family: Family,
}

/// The families.
#[derive(Debug, Subcommand)]
pub(crate) enum Family {
    /// An arbiter tree with a client that releases its token and keeps it
    Arbiter {
        /// The height of the tree, which has 2^K clients and 2^(K+1) processes
        #[arg(value_name = "K", value_parser = within::<1, 12>, allow_negative_numbers = true)]
        height: u32,
    },
    /// The towers of Hanoi, a process for each disk
    Hanoi {
        /// Number of disks
        #[arg(value_name = "N", value_parser = within::<1, 30>, allow_negative_numbers = true)]
        disks: u32,
        /// The protocol of the disks
        #[arg(long, value_enum, default_value_t, value_name = "VARIANT")]
        variant: Variant,
    },
    /// Timed automata: Fischer's mutual exclusion
    Fischer {
        /// Number of processes
        #[arg(value_name = "N", value_parser = within::<1, 100>, allow_negative_numbers = true)]
        processes: u32,
        /// A process does not wait long enough, so that mutual exclusion is violated
        #[arg(long)]
        faulty: bool,
    },
    /// Timed automata: stations that share a bus and detect collisions
    CsmaCd {
        /// Number of stations
        #[arg(value_name = "N", value_parser = within::<2, 100>, allow_negative_numbers = true)]
        stations: u32,
    },
    /// Timed automata: a token ring
    Fddi {
        /// Number of stations
        #[arg(value_name = "N", value_parser = within::<1, 100>, allow_negative_numbers = true)]
        stations: u32,
    },
    /// Timed automata: trains that cross a bridge one at a time
    TrainGate {
        /// Number of trains
        #[arg(value_name = "N", value_parser = within::<1, 100>, allow_negative_numbers = true)]
        trains: u32,
    },
    /// Timed automata: soldiers that cross a bridge in pairs, with one torch
    Bridge {
        /// Number of soldiers
        #[arg(value_name = "N", value_parser = within::<1, 100>, allow_negative_numbers = true)]
        soldiers: u32,
    },
    /// A random network in which an error can be reached
    Random {
        /// Number of processes
        #[arg(value_name = "P", value_parser = within::<2, 200>, allow_negative_numbers = true)]
        processes: u32,
        /// Seed of the random choices
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
        seed: u64,
    },
}

/// Variants of the towers of Hanoi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Variant {
    /// An additional process confirms each move; every step synchronises two processes
    #[default]
    B,
    /// Each disk decides in an internal step
    D,
}
