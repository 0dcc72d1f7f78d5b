//! `beeline generate`: process networks of the families that \[DFP06\] measures, and classics of the
//! literature on timed automata.

use beeline_network::generate::{Hanoi, arbiter, draw_random, hanoi};
use beeline_timed::generate::{Waiting, bridge, csma_cd, fddi, fischer, train_gate};

use crate::args::generate::{Family, Generate, Variant};
use crate::base::color::Paint;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;

/// Executes `generate`.
pub(crate) fn generate(options: &Generate) -> CommandOutput {
    let timed = |text: String| CommandOutput { out: text, err: String::new(), exit: Exit::Success };
    let (title, network) = match options.family {
        Family::Fischer { processes, faulty } => {
            let waiting = if faulty { Waiting::AsLong } else { Waiting::Longer };
            return timed(fischer(processes, waiting));
        }
        Family::CsmaCd { stations } => return timed(csma_cd(stations)),
        Family::Fddi { stations } => return timed(fddi(stations)),
        Family::TrainGate { trains } => return timed(train_gate(trains)),
        Family::Bridge { soldiers } => return timed(bridge(soldiers)),
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
