//! JSON for programs: one object on one line. The keys are a contract.

use serde::Serialize;

use crate::base::failure::Failure;

/// One line of JSON.
pub(crate) fn line(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object);
    text.expect("these types have string keys and no failing parts") + "\n"
}

/// The program that wrote an object.
#[derive(Serialize)]
pub(crate) struct Tool {
    tool: &'static str,
    version: &'static str,
}

impl Tool {
    pub(crate) const BEELINE: Tool = Tool { tool: "beeline", version: env!("CARGO_PKG_VERSION") };
}

/// The beginning of every object about one model.
#[derive(Serialize)]
pub(crate) struct Header<'a> {
    #[serde(flatten)]
    tool: Tool,
    model: &'a str,
}

impl<'a> Header<'a> {
    pub(crate) fn new(model: &'a str) -> Header<'a> {
        Header { tool: Tool::BEELINE, model }
    }
}

/// The object for a model or a command line that cannot be read.
#[derive(Serialize)]
pub(crate) struct FailureObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    ok: bool,
    error: &'a str,
    help: &'a str,
}

impl<'a> FailureObject<'a> {
    pub(crate) fn new(model: &'a str, failure: &'a Failure) -> FailureObject<'a> {
        let Failure { message, help } = failure;
        FailureObject { header: Header::new(model), ok: false, error: message, help }
    }
}
