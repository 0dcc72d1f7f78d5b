//! Diagnostics as a reader sees them: the source, carets, notes, and the change that would mend it.
//! A library draws them; here is decided what it draws.

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
