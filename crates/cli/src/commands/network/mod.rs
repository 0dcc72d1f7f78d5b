//! Process networks: their files, and `check` for them.

mod check;

pub(crate) use check::check;
pub(crate) use file::parse;

mod file;
