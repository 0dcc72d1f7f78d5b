//! `beeline`, the command: reads flags, asks the other rooms, and words the
//! answers for people and programs.
#![forbid(unsafe_code)]

mod chart;
mod check;
mod color;
mod count;
mod crash;
mod dump;
mod exit;
mod expect;
mod file;
mod formats;
mod hsf;
mod improve;
mod input;
mod lint;
mod list;
mod load;
mod loaded;
mod network;
mod options;
mod output;
mod progress;
mod render;
mod replay;
mod simulate;
mod story;
mod stream;
mod trail;
mod units;
mod watchdog;

use std::process::ExitCode;

use options::Command;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    crash::install();
    let args: Vec<_> = std::env::args_os().collect();
    let exit = match options::parse(&args) {
        Ok(cli) => run(&cli.command).give(),
        Err(exit) => exit,
    };
    exit.into()
}

fn run(command: &Command) -> output::CommandOutput {
    match command {
        Command::Check(options) => check::check(options),
        Command::Count(options) => count::count(options),
        Command::Simulate(options) => simulate::simulate(options),
        Command::Replay(options) => replay::replay(options),
        Command::Improve(options) => improve::improve(options),
        Command::Lint(options) => lint::lint(options),
        Command::Dump(options) => dump::dump(options),
        Command::Generate(options) => network::generate(options),
        Command::List(options) => list::list(options),
        Command::Hsf(options) => hsf::hsf(options),
    }
}
