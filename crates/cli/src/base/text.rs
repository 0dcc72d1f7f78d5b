//! Building texts.

use std::fmt::{Arguments, Write as _};

/// Appends a formatted text.
pub(crate) fn push(out: &mut String, arguments: Arguments<'_>) {
    out.write_fmt(arguments).expect("writing to a string succeeds");
}
