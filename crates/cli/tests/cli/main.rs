//! The command as its users meet it: flags, files, streams and exit codes.

mod check;
mod contract;
mod count;
mod directed;
mod dump;
mod exit_codes;
mod faults;
mod files;
mod fixtures;
mod hsf;
mod improve_by;
mod json;
mod messages;
mod mistakes;
mod replay;
mod run;
mod simulate;
mod streams;
