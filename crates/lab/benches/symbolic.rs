//! Sets of states: counts of large spaces, and checks that end because of them. CPU seconds, on an
//! idle machine, with the bars and the figures of other tools.
//!
//! Run it with `bench/symbolic`, which writes `bench/symbolic.tsv`.

use std::fmt::Write as _;
use std::fs;

use beeline_lab::ask::verdict;
use beeline_lab::place::{beeline, root};
use beeline_lab::tool;
use beeline_testkit::corpus::corpus_or_skip;

/// Seconds of `prom2lts-sym` (LTSmin 3.0, chaining) on the same models.
const LTSMIN: [(&str, f64); 4] = [
    ("beem/elevator.1.pml", 0.75),
    ("beem/brp.1.pml", 0.22),
    ("beem/iprotocol.1.pml", 0.06),
    ("beem/sorter.1.pml", 0.25),
];

/// Models by other people with the seconds that a count may take.
const COUNTS: [(&str, f64); 2] =
    [("beem/szymanski.3.pml", 2.0), ("beem/leader_filters.5.pml", 10.0)];

/// Our models, with a macro and the seconds that a count may take.
const OWN: [(&str, &str, f64); 4] = [
    ("models/philosophers.pml", "N=100", 1.0),
    ("models/philosophers.pml", "N=200", 2.0),
    ("crates/lab/benches/symbolic_models/philosophers_bits.pml", "N=250", 1.0),
    ("models/telephone.pml", "N=3", 2.0),
];

/// Our models that only sets settle, with a macro.
const CHECKS: [(&str, &str); 4] = [
    ("models/philosophers.pml", "N=50"),
    ("models/philosophers.pml", "N=200"),
    ("models/philosophers_asymmetric.pml", "N=20"),
    ("models/philosophers_asymmetric.pml", "N=50"),
];

/// A longer count is stopped.
const LONG: &str = "60s";

struct Table {
    text: String,
    is_met: bool,
}

impl Table {
    fn row(&mut self, what: &str, states: &str, seconds: f64, most: f64, about: &str) {
        let is_met = seconds <= most;
        self.is_met &= is_met;
        let row =
            format!("{what}\t{states}\t{seconds:.3}\t{most:.2}\t{about}\t{}\n", verdict(is_met));
        eprint!("{row}");
        self.text += &row;
    }
}

fn main() {
    let Some(corpus) = corpus_or_skip("symbolic search, measured") else { return };
    let beeline = beeline();
    let mut table =
        Table { text: String::from("what\tstates\tCPU s\tmost\tbar\t\n"), is_met: true };
    let path = |name: &str| corpus.root.join(name).to_string_lossy().into_owned();
    for (file, define, most) in OWN {
        let (states, seconds) = counted(&beeline, file, &["-D", define]);
        table.row(&format!("{file} -D {define}"), &states, seconds, most, "seconds");
    }
    for (name, most) in COUNTS {
        let (states, seconds) = counted(&beeline, &path(name), &[]);
        table.row(name, &states, seconds, most, "seconds");
    }
    for (name, theirs) in LTSMIN {
        let (states, seconds) = counted(&beeline, &path(name), &[]);
        table.row(name, &states, seconds, 2.0 * theirs, "twice LTSmin");
    }
    let phils = path("beem/phils.8.pml");
    let (states, seconds) = counted(&beeline, &phils, &[]);
    let explicit = tool::run(&root(), &[&beeline, "count", &phils, "--json"]).cpu;
    table.row("beem/phils.8.pml", &states, seconds, explicit / 100.0, "explicit / 100");
    for (file, define) in CHECKS {
        let (settled, seconds) = ended(&beeline, file, define);
        table.row(&format!("check {file} -D {define}"), &settled, seconds, 10.0, "ends");
    }
    fs::write(root().join("bench/symbolic.tsv"), table.text).expect("the table can be written");
    assert!(table.is_met, "a bar is not met");
}

/// The states of a model, by sets, and CPU seconds; infinite if it took too long.
fn counted(beeline: &str, file: &str, more: &[&str]) -> (String, f64) {
    let words = [&[beeline, "count", file, "--symbolic", "--json", "--time", LONG], more].concat();
    let ran = tool::run(&root(), &words);
    let said = ran.object();
    let states = said["states"].as_str().unwrap_or("stopped").to_owned();
    // Large numbers are told by their length.
    let shown = match states.len() {
        0..=15 => states,
        digits => format!("{}… ({digits} digits)", &states[..6]),
    };
    let seconds = if said["complete"] == true { ran.cpu } else { f64::INFINITY };
    (shown, seconds)
}

/// Whether a check without limits settles all properties, and its seconds on the clock.
fn ended(beeline: &str, file: &str, define: &str) -> (String, f64) {
    let words = ["timeout", "60", beeline, "check", file, "--json", "--no-trail", "-D", define];
    let said = tool::run(&root(), &words).object();
    let properties = said["properties"].as_array().cloned().unwrap_or_default();
    let mut names = String::new();
    for property in &properties {
        let _ = write!(names, "{} {} ", property["name"], property["verdict"]);
    }
    let is_settled = !properties.is_empty()
        && properties.iter().all(|property| property["verdict"] != "unknown");
    let seconds = said["stats"]["seconds"].as_f64().filter(|_| is_settled);
    (names.trim_end().replace('"', ""), seconds.unwrap_or(f64::INFINITY))
}
