//! Writing a simulated run to a trail file.

use beeline_model::Simulation;

use crate::args::simulate::Simulate;
use crate::base::exit::Exit;
use crate::base::output::CommandOutput;
use crate::model::trail;

/// Writes the run to its file, if requested.
pub(crate) fn save(
    options: &Simulate,
    run: &dyn Simulation,
    answer: CommandOutput,
) -> CommandOutput {
    let Some(file) = &options.save else { return answer };
    match trail::write(file, &run.trail()) {
        Ok(()) => answer,
        Err(error) => {
            let name = file.display();
            let problem = format!(
                "error: cannot write the trail `{name}`: {error}\nhelp: name a file in a directory \
                 that can be written to\n"
            );
            CommandOutput { err: answer.err + &problem, exit: Exit::Usage, ..answer }
        }
    }
}
