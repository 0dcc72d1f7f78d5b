//! Text that is safe to show on a terminal.

/// Text from a model or a file name, safe to show on a terminal.
pub(crate) fn clean(text: &str) -> String {
    annotate_snippets::normalize_untrusted_str(text)
}
