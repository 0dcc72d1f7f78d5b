//! The basis of all other modules: exit codes, output, failures, JSON lines, files, units and the
//! terminal. Nothing here depends on a command or a model.

pub(crate) mod color;
pub(crate) mod crash;
pub(crate) mod exit;
pub(crate) mod failure;
pub(crate) mod file;
pub(crate) mod json;
pub(crate) mod numbers;
pub(crate) mod output;
pub(crate) mod pager;
pub(crate) mod stream;
pub(crate) mod text;
pub(crate) mod units;
