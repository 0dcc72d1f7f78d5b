//! The summary of lassos: the table and the page.

use std::fmt::Write as _;

use crate::two_phases::{MOST, Parts, Phases};
use crate::{MEMORY, Row, SEARCHES, Said, THREADS};
use beeline_lab::ask::{percent, verdict};

/// Every property, one in a line.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut out = "model\tproperty".to_owned();
    for search in SEARCHES {
        let columns =
            "stored\ttransitions\tseconds\tseed\tcycle\ttotal\timproved seed\timproved cycle";
        write!(out, "\t{search}\t{columns}\timproved total\texpanded for that").expect(STRING);
    }
    out += "\tauto\tseed\tcycle\ttotal\tat least\tshortest\tspin\tseed\tcycle\ttotal\n";
    for row in rows {
        write!(out, "{}\t{}", row.model, row.property).expect(STRING);
        for (said, phases) in row.searches.iter().zip(&row.phases) {
            let Said { verdict, stored, transitions, seconds, .. } = said;
            let improved = phases.as_ref().map(|phases| phases.improved);
            let expanded = phases.as_ref().map(|phases| phases.expanded);
            let (before, after) = (cells(said.parts), cells(improved));
            let expanded = expanded.map_or(String::new(), |count| count.to_string());
            write!(
                out,
                "\t{verdict}\t{stored}\t{transitions}\t{seconds:.2}\t{before}\t{after}\t{expanded}"
            )
            .expect(STRING);
        }
        let least = row.least().map_or(String::new(), |steps| steps.to_string());
        let (auto, spin) = (cells(row.auto.parts), cells(row.spin.parts));
        let (verdict, said) = (&row.auto.verdict, &row.spin.said);
        writeln!(out, "\t{verdict}\t{auto}\t{}\t{least}\t{said}\t{spin}", row.bound())
            .expect(STRING);
    }
    out
}

const STRING: &str = "it is a string";

fn cells(parts: Option<Parts>) -> String {
    match parts {
        Some(parts) => format!("{}\t{}\t{}", parts.seed, parts.cycle, parts.total()),
        None => "\t\t".to_owned(),
    }
}

/// The page.
pub(crate) fn page(rows: &[Row], problems: &[String], seconds: u64) -> String {
    let cycles: Vec<&Row> = rows.iter().filter(|row| row.is_cycle()).collect();
    let proved = cycles.iter().filter(|row| row.least().is_some()).count();
    let mut out = format!(
        "# Lassos, measured\n\n\
         Printed by `bench/lassos`: liveness properties that a cycle violates, of our own models and of\n\
         the corpus, in the form of Table 5 of [ELL01]. Each of `ndfs`, `indfs` and `scc` has {seconds} s and\n\
         {MEMORY}; what it finds is shortened by the two phases of [ELL01] §4.4 with the Hamming\n\
         distance, with {MOST} expansions. *Auto* is the automatic strategy of `beeline check`,\n\
         with {seconds} s. The minimum is proved by `--search bfs` or by *auto*; *L ≤ U* means\n\
         that neither has a proof: no lasso is shorter than L, and the best known has U\n\
         steps. SPIN's lasso is the first that `pan -a` (`pan -l` for progress) finds without reduction,\n\
         followed by Beeline, so that steps are counted alike. {THREADS} properties at a time. Every number\n\
         is in `bench/lassos.tsv`.\n\n\
         A lasso is **seed** + **cycle**: the steps of the system to the first state of the cycle, and those\n\
         of the cycle. Steps of the claim are not counted; the repetition of a last state counts as one. The\n\
         minimum is among the lassos of the product with Beeline's automaton; a lasso of another\n\
         automaton can close earlier.\n\n",
    );
    writeln!(
        out,
        "**{}**: {} times (there should be none), searches disagree, have no answer, or find a lasso that\n\
         is shorter than the minimum.\n",
        verdict(problems.is_empty()),
        problems.len(),
    )
    .expect(STRING);
    problems.iter().for_each(|problem| out += &format!("- {problem}\n\n"));
    out += &summary(&cycles, proved);
    out += &published(&cycles);
    out += &every(&cycles);
    let is_violated = |row: &Row| row.said().any(|(_, said)| said.verdict == "violated");
    let others = || rows.iter().filter(|row| !row.is_cycle());
    let one = |row: &Row| format!("{} `{}`", row.model, row.property);
    let ended: Vec<String> = others().filter(|row| is_violated(row)).map(one).collect();
    if !ended.is_empty() {
        let list = ended.join(", ");
        writeln!(out, "\nThese are violated by a finite run, and are not counted: {list}.")
            .expect(STRING);
    }
    let open: Vec<&Row> = others().filter(|row| !is_violated(row)).collect();
    if !open.is_empty() {
        out += "\nNo search of Beeline finds a violation of these:\n\n";
        for row in open {
            let said = row.said().map(|(name, said)| format!("{name} {}", said.verdict));
            let said: Vec<String> = said.collect();
            writeln!(out, "- {}: {}; SPIN: {}", one(row), said.join(", "), row.spin.said)
                .expect(STRING);
        }
    }
    out
}

/// A column of lengths, with its name.
type Column = (String, Box<dyn Fn(&Row) -> Option<u64>>);

fn columns() -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (at, search) in SEARCHES.iter().enumerate() {
        let found = move |row: &Row| row.searches[at].steps;
        let total = |phases: &Phases| phases.improved.total();
        let improved = move |row: &Row| row.phases[at].as_ref().map(total);
        columns.push((format!("`{search}`"), Box::new(found)));
        columns.push((format!("`{search}`, improved"), Box::new(improved)));
    }
    columns.push(("auto".to_owned(), Box::new(|row| row.auto.steps)));
    columns.push(("SPIN".to_owned(), Box::new(|row| row.spin.parts.map(Parts::total))));
    columns
}

/// For each search, how often its lasso is shortest, and its ratio to the shortest.
fn summary(cycles: &[&Row], proved: usize) -> String {
    let mut out = format!(
        "{} properties; for {proved} the minimum is proved. Of those:\n\n\
         | lasso of | found | is the minimum | total / minimum, geometric mean | most |\n\
         |---|---|---|---|---|\n",
        cycles.len(),
    );
    for (name, length) in columns() {
        let pairs = cycles.iter().filter_map(|row| Some((length(row)?, row.least()?)));
        let pairs: Vec<(u64, u64)> = pairs.collect();
        let least = pairs.iter().filter(|(steps, least)| steps <= least).count();
        let share = percent(least, pairs.len());
        let ratio = |(steps, least): &(u64, u64)| *steps.max(&1) as f64 / *least.max(&1) as f64;
        let logs: f64 = pairs.iter().map(|pair| ratio(pair).ln()).sum();
        let mean = (logs / pairs.len().max(1) as f64).exp();
        let most = pairs.iter().map(ratio).fold(0.0, f64::max);
        writeln!(
            out,
            "| {name} | {} | {least} ({share:.0} %) | {mean:.2} | {most:.1} |",
            pairs.len()
        )
        .expect(STRING);
    }
    let open: Vec<&&Row> = cycles.iter().filter(|row| row.least().is_none()).collect();
    if !open.is_empty() {
        out += "\nNot proved:\n\n";
        for row in open {
            let best = row.best().map_or("?".to_owned(), |steps| steps.to_string());
            let Row { model, property, .. } = row;
            writeln!(out, "- {model} `{property}`: {} ≤ minimum ≤ {best}", row.bound())
                .expect(STRING);
        }
    }
    let shorter = cycles.iter().filter(|row| {
        let theirs = row.spin.parts.map(Parts::total);
        theirs.zip(row.least()).is_some_and(|(theirs, least)| theirs < least)
    });
    for row in shorter {
        let Row { model, property, .. } = row;
        writeln!(out, "\nSPIN's lasso of {model} `{property}` is shorter than our minimum.")
            .expect(STRING);
    }
    let counted = cycles.iter().filter(|row| row.spin.parts.is_some() && !row.spin.followed);
    let counted: Vec<String> =
        counted.map(|row| format!("{} `{}`", row.model, row.property)).collect();
    if !counted.is_empty() {
        let list = counted.join(", ");
        writeln!(
            out,
            "\nSPIN's trails of these cannot be followed; the lines of the system are counted, and a\n\
             rendezvous has two: {list}."
        )
        .expect(STRING);
    }
    out
}

/// Table 5 itself, next to our elevator.
fn published(cycles: &[&Row]) -> String {
    let mut out = "\n## Table 5 of [ELL01]\n\n\
         The elevator of the paper differs from ours, which has three floors: only the tendency of the numbers\n\
         can be compared.\n\n\
         | | | stored | transitions | seed | cycle | total | improved: seed | cycle | total |\n\
         |---|---|---|---|---|---|---|---|---|---|\n\
         | *[ELL01]'s, N = 2* | NDFS | 171 | 259 | 187 | 90 | 277 | 173 | 90 | 263 |\n\
         | | INDFS | 166 | 194 | 177 | 90 | 267 | 163 | 90 | 253 |\n"
        .to_owned();
    let Some(row) = cycles.iter().find(|row| row.model == "models/elevator.pml") else {
        return String::new();
    };
    for (at, search) in SEARCHES.iter().enumerate() {
        let name = if at == 0 { format!("ours, `{}`", row.property) } else { String::new() };
        let said = &row.searches[at];
        let Said { stored, transitions, .. } = said;
        let improved = row.phases[at].as_ref().map(|phases| phases.improved);
        let (before, after) = (cells(said.parts), cells(improved));
        let [before, after] = [before, after].map(|cells| cells.replace('\t', " | "));
        writeln!(out, "| {name} | {search} | {stored} | {transitions} | {before} | {after} |")
            .expect(STRING);
    }
    let least = row.least().map_or("-".to_owned(), |steps| steps.to_string());
    writeln!(out, "\nOur shortest lasso has {least} steps.").expect(STRING);
    out
}

/// Every property.
fn every(cycles: &[&Row]) -> String {
    let mut out = "\n## Every property\n\n\
         A cell is **total** = seed + cycle, then states stored / transitions, and after the arrow the\n\
         total after the two phases.\n\n\
         | model | property | ndfs | indfs | scc | auto | minimum | SPIN |\n\
         |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for row in cycles {
        write!(out, "| {} | `{}` |", row.model, row.property).expect(STRING);
        for (said, phases) in row.searches.iter().zip(&row.phases) {
            let Said { stored, transitions, .. } = said;
            let after = phases.map_or("?".to_owned(), |it| it.improved.total().to_string());
            let arrow = if said.steps.is_some() { format!(" → {after}") } else { String::new() };
            write!(out, " {} {stored} / {transitions}{arrow} |", lasso(said)).expect(STRING);
        }
        let least = match (row.least(), row.best()) {
            (Some(steps), _) => steps.to_string(),
            (None, Some(best)) => format!("{} ≤ {best}", row.bound()),
            (None, None) => "-".to_owned(),
        };
        let spin = row.spin.parts.map_or_else(|| row.spin.said.clone(), sum);
        writeln!(out, " {} | {least} | {spin} |", lasso(&row.auto)).expect(STRING);
    }
    out
}

fn lasso(said: &Said) -> String {
    match (said.parts, said.steps) {
        (Some(parts), _) => sum(parts),
        // The claim ended.
        (None, Some(steps)) => format!("**{steps}**"),
        (None, None) => said.verdict.clone(),
    }
}

fn sum(parts: Parts) -> String {
    format!("**{}** = {} + {}", parts.total(), parts.seed, parts.cycle)
}
