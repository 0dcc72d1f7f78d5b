//! The result of `test` for people: a line for each model, and a summary.

use crate::base::color::{Color, Paint};
use crate::base::numbers::elapsed;
use crate::base::text::push;
use crate::render::test::outcome::{TestOutcome, TestResult, TestedModel};

/// The lines of the models, with what is not as expected, and the summary.
pub(crate) fn text(outcome: &TestOutcome<'_>) -> String {
    let mut out = String::new();
    let width = outcome.models.iter().map(|one| one.model.chars().count()).max().unwrap_or(0);
    for tested in &outcome.models {
        let is_problem = matches!(tested.result, TestResult::Failed | TestResult::Unknown);
        if is_problem || !outcome.is_quiet {
            model(tested, width, outcome.paint, &mut out);
        }
    }
    if !outcome.models.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    out + &summary(outcome)
}

fn model(tested: &TestedModel, width: usize, paint: Paint, out: &mut String) {
    let (color, word) = match tested.result {
        TestResult::AsExpected => (Some(Color::Green), "ok        "),
        TestResult::Failed => (Some(Color::Red), "FAILED    "),
        TestResult::Unknown => (Some(Color::Yellow), "unknown   "),
        TestResult::WithoutExpectations => (None, "no header "),
        TestResult::NotTested => (None, "not tested"),
    };
    let word = color.map_or_else(|| word.to_owned(), |color| paint.colored(color, word));
    let is_checked =
        !matches!(tested.result, TestResult::WithoutExpectations | TestResult::NotTested);
    let time = if is_checked { elapsed(tested.seconds) } else { String::new() };
    let line = format!("{word}  {:<width$}  {time}", tested.model);
    push(out, format_args!("{}\n", line.trim_end()));
    for problem in &tested.problems {
        push(out, format_args!("    {problem}\n"));
    }
    for property in tested.properties.iter().filter(|property| !property.is_met()) {
        let expected = property.expected.as_deref().unwrap_or("holds");
        let (name, words) = (&property.name, property.words());
        push(out, format_args!("    {name}: expected {expected}, but {words}\n"));
    }
}

/// The number of models with each result.
fn summary(outcome: &TestOutcome<'_>) -> String {
    let count = outcome.models.len();
    if let (0, Some(revision)) = (count, outcome.revision) {
        return format!("no model differs from {revision}\n");
    }
    let plural = if count == 1 { "" } else { "s" };
    let parts = [
        (TestResult::AsExpected, "as expected"),
        (TestResult::Failed, "failed"),
        (TestResult::Unknown, "unknown"),
        (TestResult::WithoutExpectations, "without expectations"),
        (TestResult::NotTested, "not tested: you stopped the run"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(result, words)| (outcome.count(result), words))
        .filter(|(count, words)| *count > 0 || *words == "as expected")
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    format!("{count} model{plural} in {}: {}\n", elapsed(outcome.seconds), parts.join(", "))
}
