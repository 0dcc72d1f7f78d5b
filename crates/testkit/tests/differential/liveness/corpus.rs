//! The corpus: SPIN's results for claims, formulas and labels.
//!
//! The recorded runs used SPIN's partial order reduction and stopped at the first error of any
//! kind. If such a run ended with another error, or our result differs, SPIN is run again, without
//! reduction. The remaining differences are listed, with their reasons, in
//! `tests/differences/liveness.tsv`; `UPDATE_EXPECT=1` rewrites it. `BEELINE_STATES` is the limit
//! of expanded states of each of our searches (default 100,000).

use std::collections::BTreeMap;
use std::time::Duration;

use beeline_model::{Model, Property, PropertyKind};
use beeline_promela::Frontend;
use beeline_promela::hir::ProcessKind;
use beeline_testkit::checking::promela;
use beeline_testkit::corpus::{self, Entry, ResultRow, Status};
use beeline_testkit::cycle_verdicts::{Manner, OurVerdict, verdicts};
use beeline_testkit::model;
use beeline_testkit::spin::{self, Asked, Pan, Said, Translator};
use expect_test::expect_file;

const PATIENCE: Duration = Duration::from_secs(60);
/// The number of states up to which every engine and store is tried.
const SMALL: u64 = 5_000;

/// Counters of the comparison.
#[derive(Default)]
struct Tally {
    same: u64,
    violated: u64,
    /// The number of repeated runs of SPIN.
    asked: u64,
    /// Skipped models, by reason.
    skipped: BTreeMap<String, Vec<String>>,
    /// Rows of the table.
    differences: Vec<String>,
}

/// Why a verdict differs; `None` when unknown.
fn reason(_name: &str, _config: &str) -> Option<&'static str> {
    None
}

#[test]
fn the_corpus_has_spin_s_verdicts_about_claims() {
    let test = "claims of the corpus";
    let Some(corpus) = corpus::corpus_or_skip(test) else { return };
    if !spin::available_or_skip(test) {
        return;
    }
    let states = std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok());
    let states: u64 = states.unwrap_or(100_000);
    let only = std::env::var("BEELINE_MODEL").unwrap_or_default();
    let mut tally = Tally::default();
    for row in corpus.results.iter().filter(|row| row.name.contains(&only)) {
        let is_about_claims =
            ["acc", "np"].contains(&&*row.config) || row.config.starts_with("acc:");
        let Some(entry) = corpus.entries.iter().find(|entry| entry.name == row.name) else {
            continue;
        };
        if !is_about_claims {
            continue;
        }
        let name = format!("{} {}", row.name, row.config);
        if let Err(why) = compare(entry, row, states, &mut tally) {
            tally.skipped.entry(why).or_default().push(name);
        }
    }
    let Tally { same, violated, asked, .. } = tally;
    println!("{same} verdicts are the same, {violated} of them violations; SPIN ran {asked} times");
    for (why, names) in &tally.skipped {
        println!("{} left out: {why}: {}", names.len(), names.join(", "));
    }
    let mut table = String::from("model\trun\there\tSPIN\treason\n");
    table.extend(tally.differences);
    if only.is_empty() {
        assert!(same >= 110, "only {same} verdicts were compared");
        expect_file!["../../differences/liveness.tsv"].assert_eq(&table);
    }
    assert!(!table.contains("UNEXPLAINED"), "{table}");
}

/// The property of a recorded run.
fn property(front: &Frontend, config: &str) -> Result<Property, String> {
    let model = &front.hir;
    let is_never = |kind| kind == ProcessKind::Never;
    let nevers = model.processes.iter().filter(|process| is_never(process.kind)).count();
    let name = match (config, config.strip_prefix("acc:"), &model.formulas[..]) {
        ("np", ..) => "progress",
        (_, Some("never"), _) => "never",
        (_, Some(name), _) => name,
        _ if nevers == 1 => "never",
        (.., [only]) => &*only.name.name,
        (.., []) if nevers == 0 => "acceptance",
        _ => return Err("it does not say which of several claims it is about".to_owned()),
    };
    let found = promela(front).select(&[name.to_owned()]).map_err(|error| error.to_string())?;
    found.into_iter().next().ok_or_else(|| "no such property".to_owned())
}

/// The result of a recorded run for its claim, if it has one.
fn recorded(row: &ResultRow) -> Option<bool> {
    match (&row.status, row.error.as_deref()) {
        (Status::Complete, None) => Some(false),
        (Status::StoppedAtError, Some(error)) => {
            let cycle = ["acceptance cycle", "non-progress cycle", "end state in claim reached"];
            let own = error.strip_prefix("assertion violated ").is_some_and(is_of_a_formula);
            (cycle.contains(&error) || own).then_some(true)
        }
        _ => None,
    }
}

/// SPIN writes assertions into the claims that it makes of formulas: `assert(!(...))`.
fn is_of_a_formula(assertion: &str) -> bool {
    assertion.starts_with(" !(")
}

/// Compares a recorded run with the results of our searches; an error is the reason why no
/// comparison is possible.
fn compare(entry: &Entry, row: &ResultRow, states: u64, tally: &mut Tally) -> Result<(), String> {
    if entry.embedded_c {
        return Err("it contains embedded C".to_owned());
    }
    if let Status::Inconclusive(why) = &row.status {
        return Err(format!("SPIN did not finish it: {why}"));
    }
    let front = model::read(&entry.file).map_err(|error| error.to_string())?;
    if let Some(error) = model::first_error(&front) {
        return Err(format!("it cannot be read: {error}"));
    }
    let property = property(&front, &row.config)?;
    let manner = Manner { plain: false, fair: false, states };
    let thorough = row.stored.is_some_and(|stored| stored <= SMALL);
    let found = match verdicts(&promela(&front), &property, manner, thorough) {
        Ok(found) => found,
        Err(problem) => {
            tally
                .differences
                .push(format!("{}\t{}\t{problem}\t\tUNEXPLAINED\n", row.name, row.config));
            return Ok(());
        }
    };
    let known = found.iter().filter_map(OurVerdict::is_violated).collect::<Vec<_>>();
    let Some(&ours) = known.first() else {
        let OurVerdict::Unknown(why) = &found[0] else { unreachable!("nothing is known") };
        return Err(format!("unknown to us: {why}"));
    };
    if known.len() < found.len() {
        println!("{} {}: not every search came to an end", row.name, row.config);
    }
    if recorded(row) == Some(ours) {
        tally.same += 1;
        tally.violated += u64::from(ours);
        return Ok(());
    }
    tally.asked += 1;
    let said = ask(entry, row, &property)?;
    let theirs = match &said {
        Said::Violated(_) => true,
        Said::Holds => false,
        Said::Elsewhere(what) => {
            // The violation was confirmed by a replay.
            return Err(format!("SPIN finds nothing but: {what} (here: violated {ours})"));
        }
        Said::Unfinished => return Err("SPIN does not come to an end".to_owned()),
    };
    if ours == theirs {
        tally.same += 1;
        tally.violated += u64::from(ours);
    } else {
        let word = |violated| if violated { "violated" } else { "holds" };
        let why = reason(&row.name, &row.config).unwrap_or("UNEXPLAINED");
        let (name, config) = (&row.name, &row.config);
        let (ours, theirs) = (word(ours), word(theirs));
        tally.differences.push(format!("{name}\t{config}\t{ours}\t{theirs}\t{why}\n"));
    }
    Ok(())
}

/// Runs SPIN again: without reduction, and for all errors.
fn ask(entry: &Entry, row: &ResultRow, property: &Property) -> Result<Said, String> {
    let progress = row.config == "np";
    let pan = Pan::build(&entry.file, Translator::Default, Asked::defines(progress));
    let pan = pan.map_err(|error| error.to_string())?;
    let claim = row.config.strip_prefix("acc:");
    let is_own = |text: &str| property.kind == PropertyKind::Ltl && is_of_a_formula(text);
    for all in [false, true] {
        let asked = Asked { progress, claim, all, ..Asked::default() };
        let said = pan.ask(&asked, is_own, PATIENCE).map_err(|error| error.to_string())?;
        if all || !matches!(said, Said::Elsewhere(_)) {
            return Ok(said);
        }
    }
    unreachable!("the last answer is taken")
}
