//! The command as its users meet it: flags, files, streams and exit codes.

mod browser;
mod chart;
mod check;
mod contract;
mod count;
mod directed;
mod dump;
mod exit_codes;
mod expect;
mod faults;
mod files;
mod fixtures;
mod formats;
mod hsf;
mod improve;
mod improve_by;
mod json;
mod lossy;
mod messages;
mod mistakes;
mod open;
mod replay;
mod run;
mod schema;
mod simulate;
mod streams;
