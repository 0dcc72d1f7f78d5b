//! `beeline generate`: process networks of the families that \[DFP06\] measures.

use beeline_network::generate::{Hanoi, arbiter, hanoi};
use clap::{Args, Subcommand, ValueEnum};

use crate::exit::Exit;
use crate::input::ReadError;
use crate::output::CommandOutput;

const EXAMPLE: &str = "\
The network is printed on standard output, as `beeline check` and `beeline count` read it:

  beeline generate arbiter 3 > a3.net && beeline check a3.net
  beeline generate hanoi 4 --variant d | beeline check --search 'astar(dpa)' -";

/// Options of `generate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Generate {
    #[command(subcommand)]
    family: Family,
}

/// The families.
#[derive(Debug, Subcommand)]
enum Family {
    /// An arbiter tree with a client that releases its token and keeps it
    Arbiter {
        /// The height of the tree, which has 2^K clients and 2^(K+1) processes
        #[arg(value_name = "K", value_parser = clap::value_parser!(u32).range(1..=12))]
        height: u32,
    },
    /// The towers of Hanoi, a process for each disk
    Hanoi {
        /// How many disks
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
        disks: u32,
        /// How the smallest disk is asked
        #[arg(long, value_enum, default_value_t, value_name = "VARIANT")]
        variant: Variant,
    },
    /// A random network in which an error can be reached
    Random {
        /// How many processes
        #[arg(value_name = "P", value_parser = clap::value_parser!(u32).range(2..=200))]
        processes: u32,
        /// Everything depends on this number
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
}

/// Variants of the towers of Hanoi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// A process above all disks answers; every step is one of two processes
    #[default]
    B,
    /// A disk makes up its mind in a step of its own
    D,
}

/// Answers `generate`.
pub(crate) fn generate(options: &Generate) -> CommandOutput {
    let (title, network) = match options.family {
        Family::Arbiter { height } => (format!("arbiter tree of height {height}"), arbiter(height)),
        Family::Hanoi { disks, variant } => {
            let (letter, variant) = match variant {
                Variant::B => ('b', Hanoi::Top),
                Variant::D => ('d', Hanoi::Deciding),
            };
            (format!("towers of Hanoi, {disks} disks, variant {letter}"), hanoi(disks, variant))
        }
        Family::Random { processes, seed } => {
            match beeline_checker::draw_random(processes as usize, seed) {
                Ok(network) => (format!("random, {processes} processes, seed {seed}"), network),
                Err(error) => {
                    let message = format!("cannot generate a network: {error}");
                    let error = ReadError { message, help: "try another --seed".to_owned() };
                    let err = error.render(crate::color::Paint::Plain);
                    return CommandOutput { out: String::new(), err, exit: Exit::Unknown };
                }
            }
        }
    };
    CommandOutput { out: format!("# {title}\n{network}"), err: String::new(), exit: Exit::Success }
}
