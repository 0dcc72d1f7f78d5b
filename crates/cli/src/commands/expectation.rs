//! Expected verdicts: the properties they concern, and their comparison with the report.

use beeline_checker::{CheckReport, Expectation, PropertyReport};
use beeline_model::{Model, Property, UnknownProperty};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::expect::{CLAUSES, Expect};
use beeline_source::source::Span;

use crate::args::expecting::Expecting;
use crate::args::property::is_written;
use crate::base::failure::Failure;
use crate::model::loaded::LoadedModel;
use crate::render::check::Judged;

/// Why the properties to check cannot be selected.
#[derive(Debug)]
pub(crate) enum SelectError {
    /// The model has no such property.
    Unknown(UnknownProperty),
    /// A verdict is expected of a property that is not checked.
    NotChecked(String),
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Failure {
        match error {
            SelectError::Unknown(error) if error.known.len() > 1 => Failure::new(
                error.to_string(),
                "without --property, all properties are checked; a formula of your own needs its \
                 kind, as in --property 'ltl: [] (x < 3)', or ctl:, mu:, invariant:",
            ),
            SelectError::Unknown(error) => Failure::new(error.to_string(), "leave out --property"),
            SelectError::NotChecked(name) => Failure::new(
                format!("a verdict is expected for `{name}`, which is not checked"),
                format!("add --property '{name}'"),
            ),
        }
    }
}

/// The expectations in the first line of a model, if they were requested. A mistake there is an
/// error of the model.
pub(crate) fn header(expecting: &Expecting, loaded: &mut LoadedModel) -> Option<Expect> {
    if !expecting.expect_from_source {
        return None;
    }
    let (root, file) = loaded.sources().files_with_ids().next()?;
    let at = |start: usize, end: usize| Span::new(root, start as u32, end as u32);
    let header = match Expect::parse(&file.text) {
        Ok(header) => header,
        Err(error) => {
            let span = at(error.range.start, error.range.end);
            let message = Diagnostic::error("expect-header", span, error.to_string())
                .note(format!("`--expect-from-source` reads these clauses: {CLAUSES}"))
                .help("begin the model with a line such as `/* expect: safe */`");
            loaded.diagnostics.push(message);
            return None;
        }
    };
    if !loaded.diagnostics.has_errors() {
        let line = at(0, file.text.lines().next().unwrap_or_default().len());
        for (name, ..) in header.verdicts() {
            if let Err(error) = loaded.as_model().select(&[name.to_owned()]) {
                let message = Diagnostic::error("expect-header", line, error.to_string());
                loaded.diagnostics.push(message.help("name a property of the model"));
            }
        }
    }
    Some(header)
}

/// The properties to check: the requested ones; or else those of the model, and those with an
/// expected verdict.
///
/// # Errors
///
/// When there is no such property, or a verdict is expected of one that is not checked.
pub(crate) fn selected(
    expecting: &Expecting,
    model: &dyn Model,
    names: &[String],
    header: Option<&Expect>,
) -> Result<Vec<Property>, SelectError> {
    let wanted = expecting.expect.iter().filter_map(|expected| expected.property.as_deref());
    if let Some(name) = wanted.clone().find(|name| {
        (is_written(name) || !names.is_empty()) && !names.iter().any(|other| other == name)
    }) {
        return Err(SelectError::NotChecked(name.to_owned()));
    }
    let stated = header.into_iter().flat_map(|header| header.verdicts().map(|(name, ..)| name));
    let mentioned: Vec<String> = wanted.chain(stated).map(str::to_owned).collect();
    if !names.is_empty() || mentioned.is_empty() {
        return model.select(names).map_err(SelectError::Unknown);
    }
    let own = model.properties().into_iter().map(|property| property.name);
    model.select(&own.chain(mentioned).collect::<Vec<_>>()).map_err(SelectError::Unknown)
}

/// Compares the verdicts with the expected ones, if any are expected.
pub(crate) fn judge(
    expecting: &Expecting,
    report: &CheckReport,
    header: Option<&Expect>,
    plain: bool,
) -> Option<Vec<Judged>> {
    if expecting.expect.is_empty() && header.is_none() {
        return None;
    }
    let judge = |checked: &PropertyReport| {
        let name = &checked.property.name;
        let stated = || header.and_then(|header| Expectation::stated(header, name, plain));
        let expectation = expecting.stated(name).or_else(stated).unwrap_or(Expectation::HOLDS);
        Judged { expectation, comparison: expectation.compare(&checked.verdict) }
    };
    Some(report.properties.iter().map(judge).collect())
}
