//! The command as its users meet it: flags, files, streams and exit codes.

mod dump;
mod exit_codes;
mod files;
mod json;
mod messages;
mod mistakes;
mod run;
mod streams;
