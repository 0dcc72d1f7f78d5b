//! `printf` and `printm`, with SPIN's formats.
//!
//! `%c %d %e %o %u %x %%`, and `\n` and `\t`; a backslash before any other character is that
//! character. What SPIN rejects in simulation (a missing value, an unknown conversion) prints
//! nothing here.
//!
//! Deviation: SPIN searches a name for `%e` in the set of an earlier value of the same `printf`;
//! here each value has the names of its own set.

use std::fmt::Write as _;

use beeline_promela::hir::{Expr, ExprKind, Process, Type};

use super::machine::{DecodedState, Machine};
use super::moves::Move;
use crate::automata::EdgeAction;

/// The output for a value that cannot be computed.
const NO_VALUE: &str = "?";

impl Machine<'_> {
    /// The output of a move; `now` is the state before it.
    pub fn printed(&self, now: &DecodedState, step: &Move) -> String {
        self.step_log(now, step).printed
    }

    /// Adds the output of a statement.
    pub(super) fn print(
        &self,
        action: &EdgeAction,
        now: &DecodedState,
        pid: usize,
        log: &mut String,
    ) {
        match action {
            EdgeAction::Print { format, args } => self.format(format, args, now, pid, log),
            EdgeAction::PrintM(value) => self.convert('e', value, now, pid, log),
            _ => {}
        }
    }

    fn format(
        &self,
        format: &str,
        args: &[Expr],
        now: &DecodedState,
        pid: usize,
        log: &mut String,
    ) {
        let text = format.strip_prefix('"').unwrap_or(format);
        let text = text.strip_suffix('"').unwrap_or(text);
        let mut letters = text.chars();
        let mut args = args.iter();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => match letters.next() {
                    Some('t') => log.push('\t'),
                    Some('n') => log.push('\n'),
                    other => log.extend(other),
                },
                '%' => match letters.next() {
                    Some('%') => log.push('%'),
                    Some(conversion) => {
                        if let Some(arg) = args.next() {
                            self.convert(conversion, arg, now, pid, log);
                        }
                    }
                    None => {}
                },
                _ => log.push(letter),
            }
        }
    }

    fn convert(
        &self,
        conversion: char,
        arg: &Expr,
        now: &DecodedState,
        pid: usize,
        log: &mut String,
    ) {
        let Some(value) = self.value(arg, now, pid) else {
            log.push_str(NO_VALUE);
            return;
        };
        let done = match conversion {
            'c' => {
                log.push(char::from(value as u8));
                Ok(())
            }
            'd' => write!(log, "{value}"),
            'e' => {
                let process = self.model.process(now.process(pid));
                log.push_str(&self.named(arg, process, value));
                Ok(())
            }
            'o' => write!(log, "{value:o}"),
            'u' => write!(log, "{}", value as u32),
            'x' => write!(log, "{value:x}"),
            _ => Ok(()),
        };
        done.expect("writing to a string succeeds");
    }

    /// A value by name, if its expression has a set of names.
    fn named(&self, arg: &Expr, process: &Process, value: i32) -> String {
        let set = match &arg.kind {
            ExprKind::Mtype { set, .. } => Some(*set),
            ExprKind::Read(access) => match self.type_of(access, process) {
                Some(Type::Mtype(set)) => set,
                _ => None,
            },
            _ => None,
        };
        self.symbol(set, value)
    }
}
