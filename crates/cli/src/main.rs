//! `beeline`, the command: reads flags, asks the other rooms, and words the
//! answers for people and programs.
#![forbid(unsafe_code)]

mod answer;
mod color;
mod crash;
mod dump;
mod exit;
mod front;
mod input;
mod lint;
mod options;
mod render;

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

fn run(command: &Command) -> answer::Answer {
    match command {
        Command::Lint(options) => lint::lint(options),
        Command::Dump(options) => dump::dump(options),
    }
}
