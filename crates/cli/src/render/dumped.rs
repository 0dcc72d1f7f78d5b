//! The object that `dump --json` prints.

use serde::Serialize;

use crate::model::loaded::LoadedModel;
use crate::render::diagnostics::DiagnosticsObject;

/// The object that `dump --json` prints.
#[derive(Serialize)]
pub(crate) struct DumpObject<'a> {
    #[serde(flatten)]
    report: DiagnosticsObject<'a>,
    form: String,
    /// The text of the form, if the model has one.
    text: Option<String>,
}

impl<'a> DumpObject<'a> {
    pub(crate) fn new(loaded: &'a LoadedModel, form: &str, text: Option<String>) -> DumpObject<'a> {
        DumpObject { report: DiagnosticsObject::new(loaded), form: form.to_owned(), text }
    }
}
