//! `printf` whose arguments do not match its format. SPIN prints garbage or nothing, and notices
//! only at run time.

use super::facts::Facts;
use super::walk::statements;
use crate::hir::StmtKind;
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, _| {
        let StmtKind::Print { format, args } = &stmt.kind else {
            return;
        };
        let conversions = conversions(format);
        if let Some(bad) = conversions.iter().find(|c| !"cdeoux".contains(c.letter)) {
            found.push(
                Diagnostic::warning(
                    "printf-format",
                    stmt.span,
                    format!("`{}` is not a conversion of Promela's printf", bad.text),
                )
                .label("not supported")
                .help("use %d for a number, %e for the name of an mtype constant, %c, %u, %o, %x, or %% for a percent sign"),
            );
            return;
        }
        let (wanted, given) = (conversions.len(), args.len());
        if wanted == given {
            return;
        }
        let s = if wanted == 1 { "" } else { "s" };
        let diagnostic = Diagnostic::warning(
            "printf-arguments",
            stmt.span,
            format!(
                "the format has {wanted} conversion{s}, but {given} argument{} given",
                if given == 1 { " is" } else { "s are" }
            ),
        );
        found.push(if wanted > given {
            diagnostic
                .label("a value is missing")
                .help("add the value, or write %% for a percent sign")
        } else {
            diagnostic.label("a value is not shown").help("add %d to the format for each value")
        });
    });
}

struct Conversion {
    letter: char,
    text: String,
}

/// The conversions of a format, with their widths.
fn conversions(format: &str) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format.chars();
    while let Some(next) = rest.next() {
        if next != '%' {
            continue;
        }
        let mut text = String::from('%');
        for next in rest.by_ref() {
            text.push(next);
            if !matches!(next, '0'..='9' | '-' | '+' | ' ' | '#' | '.') {
                if next != '%' {
                    found.push(Conversion { letter: next, text });
                }
                break;
            }
        }
    }
    found
}
