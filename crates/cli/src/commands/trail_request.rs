//! The trail that a command works on: the one that the user names, or that of the last check.

use std::path::{Path, PathBuf};

use crate::args::report::Reporting;
use crate::model::trail::{self, TrailReadError};

/// The request of a command for a trail.
pub(crate) struct TrailRequest<'a> {
    /// The file that the user names.
    pub(crate) given: Option<&'a Path>,
    /// The properties that the user names.
    pub(crate) properties: &'a [String],
    pub(crate) report: &'a Reporting,
}

impl TrailRequest<'_> {
    /// The trail of a model, and a note that names it if the user did not.
    ///
    /// # Errors
    ///
    /// When the user names none, and there is none.
    pub(crate) fn find(&self, model: &str) -> Result<(PathBuf, String), TrailReadError> {
        if let Some(trail) = self.given {
            return Ok((trail.to_owned(), String::new()));
        }
        let property = match self.properties {
            [property] => Some(&**property),
            _ => None,
        };
        let trail = trail::find(model, property)?;
        let silent = self.report.quiet || self.report.json;
        let file = trail.display();
        let note = match property.filter(|_| trail::is_of_any_property(model, &trail)) {
            Some(name) => format!("note: no trail is named after `{name}`: using `{file}`\n"),
            None => format!("note: using the trail `{file}`\n"),
        };
        Ok((trail, if silent { String::new() } else { note }))
    }
}
