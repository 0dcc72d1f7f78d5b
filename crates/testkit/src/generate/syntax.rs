//! stub
use super::Config;
use beeline_promela::ast::Program;
pub(super) fn program(_seed: u64, _config: &Config) -> Program {
    Program::default()
}
