//! Words that are names.

use std::sync::Arc;

use super::reader::Reader;
use crate::syntax::Node;

impl Reader<'_> {
    /// A word that is a name, not a variable or a keyword.
    pub(super) fn name(&mut self, node: &Node, what: &str) -> Option<Arc<str>> {
        match node.word() {
            Some(word) if !word.starts_with(['?', ':']) && word != "-" => Some(word.into()),
            _ => {
                let message = format!("expected the name of {what}");
                self.error("pddl-syntax", node.span, message);
                None
            }
        }
    }
}
