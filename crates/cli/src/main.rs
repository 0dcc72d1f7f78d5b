//! `beeline`, the command: parses options, calls the other crates, and formats the results for
//! people and programs.
//!
//! Imports point one way: `base`, `model`, `render`, `args`, `run`, `commands`.
#![forbid(unsafe_code)]

mod args;
mod base;
mod commands;
mod model;
mod render;
mod run;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    base::crash::install();
    let arguments: Vec<_> = std::env::args_os().collect();
    let exit = match args::parse(&arguments) {
        Ok(cli) => commands::run(&cli.command).give(),
        Err(exit) => exit,
    };
    exit.into()
}
