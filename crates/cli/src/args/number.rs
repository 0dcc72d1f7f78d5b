//! Whole numbers as options name them.

use std::str::FromStr;

use crate::args::error::ArgumentError;

/// A whole number of a type without signs.
pub(crate) fn whole<T: FromStr>(text: &str) -> Result<T, ArgumentError> {
    text.parse().map_err(|_| ArgumentError::Number)
}

/// A whole number between two others, which are possible, too.
pub(crate) fn within<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, ArgumentError> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or(ArgumentError::NumberWithin(LEAST, MOST))
}
