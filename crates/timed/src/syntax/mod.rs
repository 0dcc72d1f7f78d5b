//! The text of timed automata: tokens, the syntax tree, and the parser of expressions,
//! declarations and statements that all formats share.

pub(crate) mod cursor;
pub(crate) mod declarations;
pub(crate) mod expressions;
pub(crate) mod fragment;
pub(crate) mod lexer;
pub(crate) mod statements;
pub(crate) mod tree;
