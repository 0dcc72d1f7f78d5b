//! The definition that a file has.

use std::sync::Arc;

use beeline_source::source::Span;

use crate::syntax::Node;

/// A `(define (KIND NAME) …)`.
pub(super) struct Definition {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) sections: Vec<Node>,
}
