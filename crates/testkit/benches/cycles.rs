//! Searching for cycles next to SPIN: models in which a liveness property holds, so that both
//! must go through all states of the product, and look for a cycle from each that counts.
//!
//! Run it with `bench/cycles`; with names, only models whose name contains one of them. Both
//! have SPIN's default translator settings, one thread and no reduction, and keep every state
//! exactly. Where the automaton is the same, written by hand or that of non-progress cycles,
//! they must store equally many states; of a formula each makes its own. Times are CPU time,
//! the least of several runs in turn.

mod tool;
mod verifier;

use std::path::PathBuf;

use beeline_testkit::spin::Scratch;

use tool::{beeline, field, root, run};
use verifier::Verifier;

/// Runs of each tool, in turn.
const RUNS: usize = 3;
/// The searches that are measured.
const SEARCHES: [&str; 3] = ["ndfs", "indfs", "scc"];
/// What stands for all of them: what is taken when nobody says which.
const USUAL: usize = 1;
/// SPIN should take so many times as long (geometric mean), and no less memory, for so many
/// models.
const FASTER: f64 = 2.0;
const MODELS: usize = 5;

/// What is checked, and where its automaton comes from.
#[derive(Clone, Copy)]
enum Claim {
    /// Non-progress cycles.
    Progress,
    /// Written by hand, in the model.
    Never,
    /// A formula of the model, by name.
    Formula(&'static str),
}

/// What is said about who moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fairness {
    None,
    Weak,
}

/// A model with the options that give it its size.
struct Case {
    name: &'static str,
    file: &'static str,
    defines: &'static [&'static str],
    claim: Claim,
}

const fn case(
    name: &'static str,
    file: &'static str,
    defines: &'static [&'static str],
    claim: Claim,
) -> Case {
    Case { name, file, defines, claim }
}

/// Products of 10^5 to 10^7 states: models of this bench, and some of the corpus.
const CASES: &[Case] = &[
    case("filter lock 3", "filter.pml", &["-DN=3", "-DROUNDS=3"], Claim::Progress),
    case("ordered forks 11", "forks.pml", &["-DN=11"], Claim::Progress),
    case("tickets 5", "tickets.pml", &["-DN=5"], Claim::Never),
    case("alternating bit", "alternating.pml", &ALTERNATING, Claim::Formula("goes_on")),
    case("election 10", "election.pml", &["-DN=10"], Claim::Formula("someone")),
    case("token ring 8", "ring.pml", &["-DN=8"], Claim::Formula("comes_round")),
    case("ex_6", "corpus:spin-examples/ex_6.pml", &[], Claim::Formula("p1")),
    case("giop1", "corpus:case-studies/giop1_nomig.pml", &[], Claim::Progress),
    case("i-protocol", "corpus:case-studies/iprotocol_i3.pml", &[], Claim::Progress),
    case("enq", "corpus:realworld/enq_luiza.pml", &[], Claim::Formula("prop2")),
];

const ALTERNATING: [&str; 2] = ["-DITEMS=32", "-DSLOTS=6"];

/// Models in which every process has its turn.
const FAIR: &[Case] = &[
    case("turns 3", "turns.pml", &["-DOTHERS=3"], Claim::Formula("enters")),
    case("token ring 6", "ring.pml", &["-DN=6"], Claim::Formula("comes_round")),
    case("tickets 4", "tickets.pml", &["-DN=4"], Claim::Never),
];

impl Claim {
    /// As we call the property.
    fn property(self) -> &'static str {
        match self {
            Claim::Progress => "progress",
            Claim::Never => "never",
            Claim::Formula(name) => name,
        }
    }

    fn text(self) -> String {
        match self {
            Claim::Progress => "progress".to_owned(),
            Claim::Never => "never claim".to_owned(),
            Claim::Formula(name) => format!("ltl `{name}`"),
        }
    }
}

impl Case {
    fn path(&self) -> Option<PathBuf> {
        let path = match self.file.strip_prefix("corpus:") {
            Some(file) => {
                let corpus = std::env::var("BEELINE_CORPUS");
                let default = || root().join("../shared/models");
                corpus.map_or_else(|_| default(), PathBuf::from).join(file)
            }
            None => root().join("crates/testkit/benches/live").join(self.file),
        };
        path.canonicalize().ok()
    }
}

/// The least a tool took, and what it needed.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    bytes: f64,
    stored: f64,
}

const NONE: Cost = Cost { cpu: f64::MAX, bytes: 0.0, stored: 0.0 };

impl Cost {
    fn take(&mut self, cpu: f64, stored: f64, bytes: f64) {
        *self = Cost { cpu: self.cpu.min(cpu), bytes, stored };
    }
}

/// What one of our searches is next to SPIN: how many times as fast, and how large.
struct Ratio {
    time: f64,
    memory: f64,
}

/// The rows of a model.
fn compare(case: &Case, fairness: Fairness, beeline: &str) -> Option<[Ratio; 3]> {
    let file = case.path()?;
    let file = file.to_string_lossy();
    let verifier = Verifier::build(&file, case.defines, case.claim, fairness)?;
    let scratch = Scratch::new().expect("a scratch directory");
    let (mut theirs, mut ours) = (NONE, [NONE; 3]);
    for _ in 0..RUNS {
        for (search, cost) in SEARCHES.iter().zip(&mut ours) {
            let property = case.claim.property();
            let mut words = vec![beeline, "check", &file, "--json", "--no-trail"];
            words.extend(["--property", property, "--search", search, "--memory", "6G"]);
            words.extend(case.defines);
            if fairness == Fairness::Weak {
                words.push("--fair");
            }
            let ran = run(scratch.path(), &words);
            let holds = ran.output.contains("\"verdict\":\"holds\"");
            assert!(holds, "{}, {search}: {}", case.name, ran.output);
            let (stored, bytes) = (field(&ran.output, "stored"), field(&ran.output, "peak_bytes"));
            cost.take(ran.cpu, stored, bytes);
        }
        let (cpu, stored, bytes) = verifier.run();
        theirs.take(cpu, stored, bytes);
    }
    let is_same = !matches!(case.claim, Claim::Formula(_)) && fairness == Fairness::None;
    for (search, cost) in SEARCHES.iter().zip(&ours) {
        let same = cost.stored == theirs.stored;
        assert!(same || !is_same, "{}, {search}: {} states", case.name, cost.stored);
    }
    let mebibytes = |cost: &Cost| cost.bytes / f64::from(1 << 20);
    let (name, claim) = (case.name, case.claim.text());
    let Cost { cpu, stored, .. } = theirs;
    println!("| {name} | {claim} | pan | {stored} | {cpu:.2} | | {:.0} | |", mebibytes(&theirs));
    let ratios =
        ours.map(|cost| Ratio { time: theirs.cpu / cost.cpu, memory: cost.bytes / theirs.bytes });
    for ((search, cost), ratio) in SEARCHES.iter().zip(&ours).zip(&ratios) {
        println!(
            "| | | {search} | {} | {:.2} | {:.1} | {:.0} | {:.2} |",
            cost.stored,
            cost.cpu,
            ratio.time,
            mebibytes(cost),
            ratio.memory
        );
    }
    Some(ratios)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// The table of some models.
fn table(cases: &[Case], fairness: Fairness, beeline: &str, wanted: &[String]) -> Vec<[Ratio; 3]> {
    println!("| model | property | search | states | CPU s | × | MiB | × |");
    println!("|---|---|---|---|---|---|---|---|");
    let is_wanted = |case: &&Case| {
        wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str()))
    };
    let mut all = Vec::new();
    for case in cases.iter().filter(is_wanted) {
        match compare(case, fairness, beeline) {
            Some(ratios) => all.push(ratios),
            None => println!("| {} | not here | | | | | | |", case.name),
        }
    }
    println!();
    for (at, search) in SEARCHES.iter().enumerate() {
        let times = || all.iter().map(|ratios| ratios[at].time);
        let sizes = || all.iter().map(|ratios| ratios[at].memory);
        println!(
            "- `{search}`: pan takes {:.2} × the time (geometric mean; least {:.2} ×); memory is \
             {:.2} × pan's (most {:.2} ×).",
            mean(times()),
            times().fold(f64::MAX, f64::min),
            mean(sizes()),
            sizes().fold(0.0, f64::max),
        );
    }
    println!();
    all
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let beeline = beeline();
    println!("# Cycles, side by side\n");
    println!(
        "Printed by `bench/cycles`: liveness properties that hold, so that every state of the \
         product is visited,\nand a cycle through accepting ones looked for. `pan -a` (for \
         progress `-DNP`, `pan -l`) is built by\n`gcc -O2 -DNOREDUCE`; its stack and its table are \
         just as large as they must be, and its compilation does\nnot count. CPU seconds, user \
         and system, the least of {RUNS} runs in turn. Where the automaton is the same,\nthe \
         numbers of states must be, and are; of a formula, each tool makes its own.\n\
         × compares with pan: how many times as fast, and how large.\n"
    );
    let all = table(CASES, Fairness::None, &beeline, &wanted);
    let usual = || all.iter().map(|ratios| &ratios[USUAL]);
    let time = mean(usual().map(|ratio| ratio.time));
    let memory = usual().map(|ratio| ratio.memory).fold(0.0, f64::max);
    let is_met = all.len() >= MODELS && time >= FASTER && memory <= 1.0;
    println!(
        "**{}**: `{}` should be {FASTER} × as fast as pan (geometric mean, {MODELS} models or \
         more), with no more\nmemory for any: it is {time:.2} × as fast over {} models, with at \
         most {memory:.2} × the memory.\n",
        if is_met { "PASS" } else { "FAIL" },
        SEARCHES[USUAL],
        all.len(),
    );
    println!("## With weak fairness\n");
    println!(
        "`pan -a -f` and `--fair`, for information. Nested search unfolds the product, whence \
         its states; pan marks\nthem instead, and visits them as often.\n"
    );
    table(FAIR, Fairness::Weak, &beeline, &wanted);
}
