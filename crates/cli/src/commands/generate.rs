//! `beeline generate`: process networks of the families that \[DFP06\] measures.

use beeline_network::generate::{Hanoi, arbiter, draw_random, hanoi};

use crate::args::generate::{Family, Generate, Variant};
use crate::base::color::Paint;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;

/// Executes `generate`.
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
        Family::Random { processes, seed } => match draw_random(processes as usize, seed) {
            Ok(network) => (format!("random, {processes} processes, seed {seed}"), network),
            Err(error) => {
                let message = format!("cannot generate a network: {error}");
                let failure = Failure::new(message, "try another --seed");
                let err = failure.render(Paint::Plain);
                return CommandOutput { out: String::new(), err, exit: Exit::Unknown };
            }
        },
    };
    CommandOutput { out: format!("# {title}\n{network}"), err: String::new(), exit: Exit::Success }
}
