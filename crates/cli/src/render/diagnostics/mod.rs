//! The presentation of diagnostics: source, carets, notes, and fixes. A library draws them; these
//! modules determine what is drawn.

mod clean;
mod draw;
mod edit;
mod expansion;
mod json;
mod place;
mod summary;
#[cfg(test)]
mod tests;

pub(crate) use draw::render;
pub(crate) use json::DiagnosticsObject;
pub(crate) use summary::summary;
