//! Models of a few lines, each with a property with a claim or fairness: the results of SPIN and
//! ours. If SPIN is wrong, the row says why, and the model is the proof.

use std::time::Duration;

use beeline_model::Model;
use beeline_testkit::checking::promela;
use beeline_testkit::cycle_verdicts::{Manner, verdicts};
use beeline_testkit::model;
use beeline_testkit::spin::{self, Asked, Pan, Said, Scratch, Translator};

use super::trails::{Case, both_ways};

/// A model with a property, and the results: whether it is violated, without and with weak
/// fairness.
struct Row {
    name: &'static str,
    property: &'static str,
    text: &'static str,
    plain: bool,
    fair: bool,
    /// SPIN's results if they differ, and why.
    spin: Option<(bool, bool, &'static str)>,
}

const fn row(
    name: &'static str,
    property: &'static str,
    (plain, fair): (bool, bool),
    text: &'static str,
) -> Row {
    Row { name, property, text, plain, fair, spin: None }
}

const fn differs(
    name: &'static str,
    property: &'static str,
    (plain, fair): (bool, bool),
    spin: (bool, bool, &'static str),
    text: &'static str,
) -> Row {
    Row { name, property, text, plain, fair, spin: Some(spin) }
}

const STUCK: &str = "under fairness, SPIN overlooks runs that get stuck";
const PROVIDED: &str = "a process that `provided` holds back is not idle to SPIN";
const PURE: &str = "to SPIN, accept labels of processes count beside a formula";
const INSIDE: &str = "SPIN meets a label inside of an atomic sequence where that closes a cycle";
const ENDING: &str = "where processes can end, SPIN overlooks fair cycles without progress";
const FIRST: &str = "to SPIN, np_ is true in the first state, whatever is there";
const COUNTED: &str = "to SPIN, a claim is one of the processes that `_nr_pr` counts";

const ROWS: &[Row] = &[
    // Weak fairness: which processes have to move, and which need not.
    row("a process that could always move has to", "p", (true, false),
        "byte z; byte x; active proctype A() { x = 1 } active proctype B() { do :: z = 0 od }
         ltl p { <>(x == 1) }"),
    row("a process that can move now and then need not", "p", (true, true),
        "byte x, y; active proctype A() { y == 1; x = 1 }
         active proctype B() { do :: y = 1 - y od } ltl p { <>(x == 1) }"),
    row("a blocked process may rest", "p", (true, true),
        "byte z; byte x; active proctype A() { x == 2; x = 1 } active proctype B() { do :: z = 0 od }
         ltl p { <>(x == 1) }"),
    row("who waits for a rendezvous that is never offered may rest", "p", (true, true),
        "byte z; byte x; chan c = [0] of { byte }; active proctype A() { c?_; x = 1 }
         active proctype B() { do :: z = 0 od } ltl p { <>(x == 1) }"),
    row("a sender whose partner is always there has to move", "p", (true, false),
        "byte z; byte x; chan c = [0] of { byte }; active proctype A() { c!1; x = 1 }
         active proctype B() { c?_ } active proctype C() { do :: z = 0 od }
         ltl p { <>(x == 1) }"),
    row("who receives in a rendezvous moves", "acceptance", (true, true),
        "chan c = [0] of { byte }; active proctype A() { accept: do :: c!1 od }
         active proctype B() { do :: c?_ od }"),
    row("a receiver among others may be passed over by a fair sender", "p", (true, true),
        "byte x; chan c = [0] of { byte }; active proctype A() { do :: c!1 od }
         active proctype B() { do :: c?_ od } active proctype C() { c?_; x = 1 }
         ltl p { <>(x == 1) }"),
    row("an atomic loop of one process does not starve another", "p", (true, false),
        "byte x, y; active proctype A() { do :: atomic { y = 1; y = 0 } od }
         active proctype B() { x = 1 } ltl p { <>(x == 1) }"),
    row("what is enabled only inside of an atomic sequence is not enabled", "p", (true, true),
        "byte x, y; active proctype A() { do :: atomic { y = 1; y = 0 } od }
         active proctype B() { y == 1; x = 1 } ltl p { <>(x == 1) }"),
    row("a process has to end when it can", "acceptance", (true, false),
        "byte z; active proctype A() { do :: _nr_pr == 2 -> accept: z = 0 od }
         active proctype B() { skip }"),
    row("a process that has ended needs no turn", "p", (true, true),
        "byte x; active proctype B() { do :: x = 1 - x od } active proctype A() { skip }
         ltl p { <>[](x == 1) }"),
    row("processes come and go in a fair cycle", "p", (true, true),
        "byte x; proctype A() { x = 1 - x } active proctype B() { do :: run A(); x == 1; run A(); x == 0 od }
         ltl p { <>[](x == 1) }"),
    differs("a run that gets stuck is fair", "p", (true, true), (true, false, STUCK),
        "byte x; active proctype A() { x = 1 } ltl p { <>[](x != 1) }"),
    differs("a deadlock is fair", "p", (true, true), (true, false, STUCK),
        "byte x; active proctype A() { x = 1; x == 2 } ltl p { <>[](x != 1) }"),
    row("else may be taken for ever", "p", (true, true),
        "byte x; active proctype A() { do :: x == 2 -> x = 1 :: else od } ltl p { <>(x == 1) }"),
    row("timeout is no move while others can move", "p", (true, true),
        "byte z; byte x; active proctype A() { timeout; x = 1 } active proctype B() { do :: z = 0 od }
         ltl p { <>(x == 1) }"),
    row("timeout is taken when nobody else can move", "p", (false, false),
        "byte z; byte x; active proctype A() { timeout; x = 1; do :: z = 0 od }
         active proctype B() { x == 1 } ltl p { <>(x == 1) }"),
    row("an escape that is always possible has to be taken", "p", (true, false),
        "byte z; byte x; active proctype A() { do :: z = 0 od } 
         active proctype B() { { x == 2 } unless { x == 0; x = 1 } } ltl p { <>(x == 1) }"),
    differs("who is not provided for may rest", "p", (true, true), (true, false, PROVIDED),
        "byte z; byte x, y; active proctype A() provided (y == 1) { x = 1 }
         active proctype B() { do :: z = 0 od } ltl p { <>(x == 1) }"),
    row("progress of each is enough for a fair cycle", "progress", (true, false),
        "byte x, z; active proctype A() { do :: x = 1; progress: x = 0 od }
         active proctype B() { do :: z = 0 od }"),
    row("a fair cycle without progress", "progress", (true, true),
        "byte z; byte x; active proctype A() { do :: x == 1 -> progress: skip od }
         active proctype B() { do :: z = 0 od }"),
    differs(
        "a fair cycle without progress beside a way to the end",
        "progress",
        (true, true),
        (true, false, ENDING),
        "byte x, z; active proctype A() { progress: x = 1; x == 2 }
         active proctype B() { do :: z = 1 :: break od }",
    ),
    // Progress and acceptance, without a claim.
    row("rest at the end is no cycle without progress", "progress", (false, false),
        "byte x; active proctype A() { progress: x = 1 }"),
    row("a deadlock is no cycle without progress", "progress", (false, false),
        "byte x; active proctype A() { progress: x = 1; x == 2 }"),
    row("rest at an accept label is a cycle", "acceptance", (true, true),
        "byte x; active proctype A() { x = 1; accept: x == 2 }"),
    row("rest elsewhere is none", "acceptance", (false, false),
        "byte x; active proctype A() { accept: x = 1; x == 2 }"),
    differs("a label inside of an atomic sequence is not met", "acceptance", (false, false),
        (true, false, INSIDE),
        "byte x; active proctype A() { do :: atomic { x = 1; accept: x = 0 } od }"),
    row("a progress label inside of an atomic sequence is not met", "progress", (true, true),
        "byte x; active proctype A() { do :: atomic { x = 1; progress: x = 0 } od }"),
    row("a label at a d_step is met", "acceptance", (true, true),
        "byte x; active proctype A() { do :: accept: d_step { x = 1; x = 0 } od }"),
    // Claims written by hand.
    row("the initial place of a claim may accept", "never", (true, true),
        "byte x; active proctype A() { do :: x = 1 - x od } never { accept: do :: true od }"),
    row("a claim that gives up minds nothing", "never", (false, false),
        "byte x; active proctype A() { do :: x = 1 - x od } never { accept: do :: x == 0 od }"),
    row("a claim that comes to its end is violated", "never", (true, true),
        "byte x; active proctype A() { x = 1; x = 2 } never { x == 0; x == 1; x == 2 }"),
    row("a claim moves before the system does", "never", (false, false),
        "byte x; active proctype A() { x = 1; x = 2 } never { x == 1; x == 2 }"),
    row("a claim that is empty but for a skip ends at once", "never", (true, true),
        "byte x; active proctype A() { x = 1 } never { skip }"),
    row("an assertion of a claim can fail", "never", (true, true),
        "byte x; active proctype A() { do :: x = 1 - x od }
         never { do :: assert(x == 0) od }"),
    row("an atomic sequence of a claim is one move", "never", (true, true),
        "byte x; active proctype A() { do :: x = 1 - x od }
         never { do :: atomic { x == 1 -> x == 1 } -> break :: else od; x == 0 }"),
    row("else in a claim", "never", (false, false),
        "byte x; active proctype A() { do :: x = 1 - x od }
         never { S: if :: x == 1 -> goto S :: x == 0 -> goto S :: else -> goto accept fi;
                 accept: do :: true od }"),
    row("a claim stutters at the end of a run", "never", (true, true),
        "byte x; active proctype A() { x = 1 } never { x == 0; x == 1; x == 1; x == 1; x == 1 }"),
    row("accept labels of processes count beside a claim", "never", (true, true),
        "byte x; active proctype A() { accept: do :: x = 1 - x od } never { do :: true od }"),
    row("nondeterministic claims guess", "never", (true, true),
        "byte x; active proctype A() { do :: x = 1 :: x = 0 od }
         never { do :: true :: x == 1 -> goto accept od; accept: do :: x == 1 od }"),
    row("np_ in a claim", "never", (true, true),
        "byte x; active proctype A() { progress: x = 1; do :: x = 1 od }
         never { do :: true :: np_ -> goto accept od; accept: do :: np_ od }"),
    row("np_ in a claim at the end of a run", "never", (false, false),
        "byte x; active proctype A() { x = 1; progress: x == 2 }
         never { do :: true :: np_ -> goto accept od; accept: do :: np_ od }"),
    differs("np_ in a claim in the first state", "never", (false, false), (true, true, FIRST),
        "byte x; active proctype A() { progress: x = 1; x = 2 } never { np_ }"),
    row("a claim that waits comes to its end where the system is stuck", "never", (true, true),
        "byte x; active proctype A() { x = 1; x == 2 }
         never { do :: x == 1 -> break :: else od; x == 1; skip }"),
    row("_last is who moved last", "never", (true, false),
        "byte x; active proctype A() { do :: x = 1 od } active proctype B() { do :: x = 1 od }
         never { do :: true :: _last == 1 -> goto accept od; accept: do :: _last == 1 od }"),
    row("_last in a formula", "p", (true, false),
        "byte x; active proctype A() { do :: x = 1 od } active proctype B() { do :: x = 1 od }
         ltl p { []<>(_last == 0) }"),
    row("after a rendezvous, _last is one of two", "p", (true, true),
        "chan c = [0] of { byte }; active proctype A() { do :: c!1 od }
         active proctype B() { do :: c?_ od } ltl p { []<>(_last == 0) }"),
    row("enabled in a claim", "never", (true, true),
        "byte x; active proctype A() { do :: x == 1 od } active proctype B() { do :: x = 0 od }
         never { accept: do :: !enabled(0) od }"),
    // Formulas.
    row("remote references by number", "p", (true, true),
        "byte x; active [2] proctype P() { do :: x = 1; CS: x = 0 od }
         ltl p { [](P[0]@CS -> <>P[1]@CS) && [](P[1]@CS -> []!P[0]@CS) }"),
    row("remote labels are reached under fairness", "p", (true, false),
        "byte x; active [2] proctype P() { do :: x = 1; CS: x = 0 od }
         ltl p { []<>!(P[1]@CS) }"),
    row("remote variables", "p", (true, true),
        "active proctype P() { byte y; do :: y = 1 - y od } ltl p { <>[](P:y == 0) }"),
    row("remote references to a process that has ended", "p", (false, false),
        "byte x; active proctype B() { do :: x = 1 od } active proctype P() { L: x = 1 }
         ltl p { [](P[1]@L -> x == 0) || <>(x == 1) }"),
    row("the second of several formulas", "q", (true, true),
        "byte x; active proctype A() { do :: x = 1 - x od } ltl p { [](x < 2) }
         ltl q { <>[](x == 0) } ltl r { []<>(x == 0) }"),
    row("the last of several formulas", "r", (false, false),
        "byte x; active proctype A() { do :: x = 1 - x od } ltl p { [](x < 2) }
         ltl q { <>[](x == 0) } ltl r { []<>(x == 0) }"),
    row("a formula beside a never claim", "q", (true, true),
        "byte x; active proctype A() { do :: x = 1 - x od } never { do :: assert(x < 2) od }
         ltl q { <>[](x == 0) }"),
    row("until has to come true", "p", (true, true),
        "byte x; active proctype A() { do :: x = 0 od } ltl p { (x == 0) U (x == 1) }"),
    row("weak until need not", "p", (false, false),
        "byte x; active proctype A() { do :: x = 0 od } ltl p { (x == 0) W (x == 1) }"),
    row("release", "p", (true, true),
        "byte x; active proctype A() { do :: x = 1 :: x = 0 od } ltl p { (x == 1) V (x == 0) }"),
    row("a formula that is false", "p", (true, true),
        "byte x; active proctype A() { do :: x = 0 od } ltl p { false }"),
    row("a formula that is true", "p", (false, false),
        "byte x; active proctype A() { do :: x = 0 od } ltl p { true }"),
    row("a formula about the first state only", "p", (true, true),
        "byte x; active proctype A() { do :: x = 1 od } ltl p { x == 1 }"),
    row("states inside of an atomic sequence do not count", "p", (false, false),
        "byte x; active proctype A() { do :: atomic { x = 1; x = 0 } od } ltl p { [](x == 0) }"),
    row("a blocked atomic sequence is seen", "p", (true, true),
        "byte x; active proctype A() { atomic { x = 1; x == 0; x = 2 } }
         active proctype B() { x == 3 } ltl p { [](x == 0) || <>(x == 2) }"),
    row("a cycle may begin where an atomic sequence is blocked", "p", (true, true),
        "byte x; chan c = [0] of { byte }; active proctype A() { do :: c!1; x = 0 od }
         active proctype B() { do :: atomic { x = 1; c?_ } od } ltl p { <>[](x == 1) }"),
    row("a claim moves where an atomic sequence is blocked", "never", (true, true),
        "byte x; chan c = [0] of { byte }; active proctype A() { do :: c!1; x = 0 od }
         active proctype B() { do :: atomic { x = 1; c?_ } od }
         never { do :: true :: x == 1 -> goto accept od; accept: if :: x == 1 :: x == 0 fi; goto accept }"),
    differs("a formula is about runs, not about labels", "p", (false, false), (true, true, PURE),
        "byte x; active proctype A() { accept: do :: x = 0 od }
         ltl p { [](x == 0) || []<>(x == 1) }"),
    differs("a claim is no process", "p", (false, false), (true, true, COUNTED),
        "byte z; byte x; active proctype A() { x = _nr_pr; do :: z = 0 od } ltl p { <>[](x == 1) }"),
];

#[test]
fn small_models_are_understood_as_they_should() {
    if !spin::available_or_skip("small models with claims") {
        return;
    }
    let scratch = Scratch::new().expect("a scratch directory");
    let mut problems = Vec::new();
    let mut trails = (0, 0);
    for (at, row) in ROWS.iter().enumerate() {
        let file = scratch.path().join(format!("small-{at}.pml"));
        std::fs::write(&file, row.text).expect("scratch files can be written");
        match compare(row, &file) {
            Ok((ours, theirs)) => trails = (trails.0 + ours, trails.1 + theirs),
            Err(problem) => problems.push(format!("{}: {problem}\n{}", row.name, row.text)),
        }
    }
    println!("{} models; SPIN followed {} trails, we {}", ROWS.len(), trails.0, trails.1);
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn compare(row: &Row, file: &std::path::Path) -> Result<(u64, u64), String> {
    let front = model::read(file).map_err(|error| error.to_string())?;
    if let Some(error) = model::first_error(&front) {
        return Err(error);
    }
    let model = promela(&front);
    let properties = model.select(&[row.property.to_owned()]);
    let property = properties.map_err(|error| error.to_string())?.remove(0);
    let progress = row.property == "progress";
    let mut trails = (0, 0);
    for translator in [Translator::Plain, Translator::Default] {
        let pan = Pan::build(file, translator, Asked::defines(progress));
        let pan = pan.map_err(|error| error.to_string())?;
        let several = front.hir.formulas.len() > 1 || row.name.contains("beside a never");
        let claim = several.then_some(row.property);
        let case = Case { file, front: &front, translator, pan: &pan, property: &property };
        let expected = [row.plain, row.fair];
        let theirs = row.spin.map_or(expected, |(plain, fair, _)| [plain, fair]);
        for (fair, (expected, theirs)) in
            [false, true].into_iter().zip(expected.into_iter().zip(theirs))
        {
            let what = format!("{translator:?}, fair {fair}");
            let asked = Asked { progress, fair, claim, ..Asked::default() };
            let said = pan.ask(&asked, |_| true, Duration::from_secs(20));
            let said = said.map_err(|error| error.to_string())?;
            // A search of SPIN that cycles up to its depth limit finds nothing, either.
            let is_right = matches!(said, Said::Violated(_)) == theirs;
            let manner = Manner { plain: translator == Translator::Plain, fair, states: 100_000 };
            let found = verdicts(&model, &property, manner, true);
            let found = found.map_err(|problem| format!("{what}: {problem}"))?;
            for verdict in &found {
                if !is_right || verdict.is_violated() != Some(expected) {
                    return Err(format!(
                        "{what}: {expected} and {theirs}, but {verdict:?}; {said:?}"
                    ));
                }
            }
            if expected && theirs {
                let (ours, theirs) = both_ways(&case, &found, fair)
                    .map_err(|problem| format!("{what}: {problem}"))?;
                trails = (trails.0 + ours, trails.1 + theirs);
            }
        }
    }
    Ok(trails)
}
