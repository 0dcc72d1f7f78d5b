//! The commands, a file each.
//!
//! Functions that return `Result<_, CommandOutput>` end the command with the output of `Err`.

mod chart_file;
mod check;
mod compare;
mod count;
mod dump;
mod earlier_trails;
mod expectation;
mod explain;
mod export;
mod generate;
mod hsf;
mod import_plan;
mod import_trail;
mod improve;
mod lint;
mod list;
mod load;
mod output_files;
mod plan;
mod planning_task;
mod replay;
mod retell;
mod simulate;
mod symbolic_count;
mod test;
mod trail_request;
mod watch;

use crate::args::Command;
use crate::base::output::CommandOutput;

/// Runs a command.
pub(crate) fn run(command: &Command) -> CommandOutput {
    let output = match command {
        Command::Check(options) if options.watch => watch::watch(options),
        Command::Check(options) => check::check(options).map(|output| match options.no_pager {
            true => output,
            false => output.paged(),
        }),
        Command::Count(options) => count::count(options),
        Command::Test(options) => test::test(options),
        Command::Simulate(options) => simulate::simulate(options),
        Command::Replay(options) => replay::replay(options),
        Command::Improve(options) => improve::improve(options),
        Command::Compare(options) => compare::compare(options),
        Command::Plan(options) => plan::plan(options),
        Command::Export(options) => export::export(options),
        Command::ImportPlan(options) => import_plan::import_plan(options),
        Command::ImportTrail(options) => import_trail::import_trail(options),
        Command::Lint(options) => lint::lint(options),
        Command::Dump(options) => dump::dump(options),
        Command::Generate(options) => Ok(generate::generate(options)),
        Command::List(options) => Ok(list::list(options)),
        Command::Explain(options) => Ok(explain::explain(options)),
        Command::Hsf(options) => hsf::hsf(options),
    };
    output.unwrap_or_else(|output| output)
}
