//! The last line of a report.

use beeline_promela::diagnostic::{Diagnostics, Severity};

use crate::render::diagnostics::clean::clean;

/// The number of errors and warnings, such as `model.pml: 2 errors, 1 warning`, with a line end.
pub(crate) fn summary(model: &str, diagnostics: &Diagnostics) -> String {
    let shown = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count();
    let warnings = shown + diagnostics.suppressed_warnings();
    let errors = diagnostics.errors() + diagnostics.suppressed();
    let parts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    let counts = if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") };
    let remark = match (diagnostics.suppressed(), diagnostics.suppressed_warnings()) {
        (0, 0) => String::new(),
        (0, _) => format!(" (the first {shown} warnings are shown)"),
        _ => format!(" (the first {} errors are shown)", diagnostics.errors()),
    };
    clean(&format!("{model}: {counts}{remark}")) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_promela::diagnostic::Diagnostic;
    use beeline_promela::source::{SourceMap, Span};

    fn check(errors: u32, warnings: u32, expected: &str) {
        let file = SourceMap::default().add_file("m.pml", "", None);
        let mut diagnostics = Diagnostics::default();
        for number in 0..errors {
            diagnostics.push(Diagnostic::error("e", Span::new(file, number, number), ""));
        }
        for number in 0..warnings {
            diagnostics.push(Diagnostic::warning("w", Span::new(file, number, number), ""));
        }
        assert_eq!(summary("m.pml", &diagnostics), format!("{expected}\n"));
    }

    #[test]
    fn counts_are_worded_for_people() {
        check(0, 0, "m.pml: no problems");
        check(1, 0, "m.pml: 1 error");
        check(2, 1, "m.pml: 2 errors, 1 warning");
        check(0, 2, "m.pml: 2 warnings");
    }

    #[test]
    fn errors_that_were_only_counted_are_owned_up_to() {
        check(130, 0, "m.pml: 130 errors (the first 100 errors are shown)");
        check(0, 1_300, "m.pml: 1300 warnings (the first 1000 warnings are shown)");
    }
}
