//! Models that exceed limits, for random runs with `--time`, `--memory` and interrupts: long trails,
//! huge steps, large states, many successors, cycles.

mod run;

use std::fmt::Write as _;
use std::time::Duration;

use crate::rng::Rng;
pub use run::{LimitedRun, limited_run};

/// What ends a run early.
#[derive(Clone, Copy, Debug)]
pub enum RunEnding {
    /// The limit of `--time`.
    Time(Duration),
    /// An interrupt, as by Ctrl-C, this long after the start.
    Interrupt(Duration),
}

/// A model with limits.
#[derive(Clone, Debug)]
pub struct LimitedTask {
    /// The name of the family of its model.
    pub family: &'static str,
    /// The model.
    pub model: String,
    /// The limit of `--memory`.
    pub mebibytes: usize,
    /// What ends the run early.
    pub ending: RunEnding,
}

impl LimitedTask {
    /// How much later than its limit a run may end: a tenth and a second; a second after an
    /// interrupt.
    pub fn most_late(&self) -> f64 {
        match self.ending {
            RunEnding::Time(limit) => limit.as_secs_f64() / 10.0 + 1.0,
            RunEnding::Interrupt(_) => 1.0,
        }
    }

    /// The memory that a run may take: a tenth and 50 MB beyond its limit.
    pub fn most_resident(&self) -> f64 {
        (self.mebibytes << 20) as f64 * 1.1 + 50e6
    }
}

/// A family of models, by a size.
type Family = (&'static str, fn(&mut Rng) -> String);

const FAMILIES: [Family; 8] = [
    ("steps", steps),
    ("atomic", atomic),
    ("d_step", d_step),
    ("array", array),
    ("wide", wide),
    ("counters", counters),
    ("lasso", lasso),
    ("race", race),
];

/// Some tasks: the families in turn, with random sizes and limits. Limits of time are at most
/// `longest` milliseconds.
pub fn tasks(seed: u64, number: usize, longest: u32) -> Vec<LimitedTask> {
    let mut rng = Rng::new(seed);
    let mut task = |at: usize| {
        let (family, model) = FAMILIES[at % FAMILIES.len()];
        let model = model(&mut rng);
        let mebibytes = [64, 100, 200, 400, 800][rng.below(5) as usize];
        let time = Duration::from_millis(u64::from(rng.between(100, longest)));
        let interrupted = rng.percent(30);
        let ending = if interrupted { RunEnding::Interrupt } else { RunEnding::Time };
        LimitedTask { family, model, mebibytes, ending: ending(time) }
    };
    (0..number).map(&mut task).collect()
}

/// A deadlock at the end of a long trail.
fn steps(rng: &mut Rng) -> String {
    let last = rng.between(100_000, 1_000_000);
    format!(
        "int x;\nactive proctype P() {{ do :: x < {last} -> x++ :: else -> break od; false }}\n"
    )
}

/// The same in one move.
fn atomic(rng: &mut Rng) -> String {
    let last = rng.between(100_000, 1_000_000);
    format!(
        "int x;\nactive proctype P() {{\n  atomic {{ do :: x < {last} -> x++ :: else -> break od \
         }};\n  false\n}}\n"
    )
}

/// Few steps with millions of iterations each.
fn d_step(rng: &mut Rng) -> String {
    let last = rng.between(1_000_000, 100_000_000);
    format!(
        "int x, y;\nactive [2] proctype P() {{\n  do :: y < 100 -> d_step {{ x = 0; do :: x < {last} \
         -> x++ :: else -> break od; y++ }} od\n}}\n"
    )
}

/// Large states.
fn array(rng: &mut Rng) -> String {
    let length = rng.between(1_000, 200_000);
    format!(
        "byte a[{length}]; int i;\nactive [3] proctype P() {{\n  do :: i < {length} -> a[i]++; \
         i++ :: i > 0 -> i--; a[i] = a[i] + 2 od\n}}\n"
    )
}

/// Many successors.
fn wide(rng: &mut Rng) -> String {
    let mut options = String::new();
    for number in 0..rng.between(50, 400) {
        let _ = write!(options, " :: x = x * 7 + {number}; y = x + z");
    }
    format!("int x, y, z;\nactive [4] proctype P() {{ do{options} od }}\n")
}

/// A violated formula beside one that takes long.
fn counters(rng: &mut Rng) -> String {
    let count = rng.between(3, 8);
    format!(
        "byte x[{count}];\nltl p {{ []<>(x[0] == 0) }}\nltl q {{ [](x[0] < 200) }}\n\
         active [{count}] proctype P() {{ do :: x[_pid]++ od }}\n"
    )
}

/// A cycle of large states.
fn lasso(rng: &mut Rng) -> String {
    let length = rng.between(1_000, 50_000);
    format!(
        "byte a[{length}]; int i;\nltl p {{ <>[](i > 3) }}\nactive [2] proctype P() {{\n  \
         do :: i < {length} - 1 -> i++; a[i]++ :: i > 0 -> i-- od\n}}\n"
    )
}

/// A failed assertion at the end of a long trail, in a large state space.
fn race(rng: &mut Rng) -> String {
    let last = rng.between(100_000, 1_000_000);
    format!(
        "int x, y;\nactive proctype P() {{ do :: x < {last} -> x++ od }}\nactive proctype Q() {{\n  \
         do :: y < x -> y++ :: y == {last} -> break od;\n  assert(false)\n}}\n"
    )
}
