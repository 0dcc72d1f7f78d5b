//! Properties and trails as options name them.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::args::error::ArgumentError;

/// A property: a name, or a formula or an invariant that can be parsed.
pub(crate) fn parse_property(text: &str) -> Result<String, ArgumentError> {
    let checked = beeline_promela_model::check_written(text);
    let refused = |error| ArgumentError::Property(text.to_owned(), error);
    checked.map(|()| text.to_owned()).map_err(refused)
}

/// Whether a property is a formula or an invariant of the command line, not a name.
pub(crate) fn is_written(text: &str) -> bool {
    beeline_promela_model::is_written_property(text)
}

/// The file that a trail is written to.
pub(crate) fn trail_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|file| match file.to_str() {
        Some("-") => Err(ArgumentError::TrailOnOutput),
        _ => Ok(PathBuf::from(file)),
    })
}
