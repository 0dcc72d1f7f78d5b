//! Options of `generate`.

use clap::{Args, Subcommand, ValueEnum};

const EXAMPLE: &str = "\
The network is printed on standard output, as `beeline check` and `beeline count` read it:

  beeline generate arbiter 3 > a3.net && beeline check a3.net
  beeline generate hanoi 4 --variant d | beeline check --search 'astar(dpa)' -";

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
        #[arg(value_name = "K", value_parser = clap::value_parser!(u32).range(1..=12))]
        height: u32,
    },
    /// The towers of Hanoi, a process for each disk
    Hanoi {
        /// Number of disks
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
        disks: u32,
        /// How the disks synchronise
        #[arg(long, value_enum, default_value_t, value_name = "VARIANT")]
        variant: Variant,
    },
    /// A random network in which an error can be reached
    Random {
        /// Number of processes
        #[arg(value_name = "P", value_parser = clap::value_parser!(u32).range(2..=200))]
        processes: u32,
        /// Seed of the random choices
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
}

/// Variants of the towers of Hanoi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Variant {
    /// A process above all disks answers; every step is one of two processes
    #[default]
    B,
    /// Each disk decides in a step of its own
    D,
}
