//! The result of a check for people: the verdicts, then the trails.

use beeline_model::Verdict;

use crate::base::color::Color;
use crate::base::numbers::{count, elapsed};
use crate::base::text::push;
use crate::render::check::outcome::CheckOutcome;
use crate::render::check::trail::{length, trail};
use crate::render::check::witness::witness;
use crate::render::check::{advice, coverage, statistics};

/// The verdicts, then advice, then the trails.
pub(crate) fn text(outcome: &CheckOutcome<'_>) -> String {
    let (mut out, paint) = (String::new(), outcome.paint);
    let checked = &outcome.report.properties;
    let width = checked.iter().map(|checked| checked.property.name.len()).max().unwrap_or(0);
    for (at, checked) in checked.iter().enumerate() {
        let verdict = match &checked.verdict {
            Verdict::Holds => paint.colored(Color::Green, "holds"),
            Verdict::Violated(violations) => {
                let more = match violations.len() {
                    1 => String::new(),
                    count => format!("; {} more", count - 1),
                };
                let verdict = paint.colored(Color::Red, "violated");
                format!("{verdict}  {}{more}", length(&violations[0]))
            }
            Verdict::Unknown(reason) => {
                format!("{}   {reason}", paint.colored(Color::Yellow, "unknown"))
            }
        };
        let name = &checked.property.name;
        let judged = outcome.judged.as_ref().map_or_else(String::new, |all| all[at].words());
        let remarks: String = checked.remarks.iter().map(|one| format!("; {one}")).collect();
        push(&mut out, format_args!("{name:<width$}  {verdict}{remarks}{judged}\n"));
    }
    if outcome.is_quiet {
        return out;
    }
    let stored = outcome.report.stats.stored;
    let plural = if stored == 1 { "" } else { "s" };
    let (stored, time) = (count(stored), elapsed(outcome.seconds));
    push(&mut out, format_args!("\n{stored} state{plural} in {time}\n"));
    if outcome.wants_stats {
        out += &statistics::statistics(outcome);
    }
    out += &advice::advice(outcome);
    if let Some(reached) = outcome.coverage {
        out += &coverage::unreached(reached, outcome);
    }
    for (checked, shown) in checked.iter().zip(&outcome.shown) {
        for one in shown {
            push(&mut out, format_args!("\n{}: {}\n", checked.property.name, one.violation.error));
            out += &trail(one, outcome);
        }
        out += &witness(checked, outcome);
    }
    out
}
