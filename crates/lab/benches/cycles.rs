//! Searches for cycles compared with SPIN: models in which a liveness property holds, so that both
//! must explore all states of the product, and search for a cycle from each accepting one.
//!
//! Run it with `bench/cycles`; with names, only models whose name contains one of them. Both have
//! SPIN's default translator settings, one thread and no reduction, and keep every state exactly.
//! If the automaton is the same, written by hand or that of non-progress cycles, they must store
//! equally many states; for a formula each has its own automaton. Times are CPU time, the least of
//! several alternating runs.

mod verifier;

use std::path::PathBuf;

use beeline_testkit::spin::Scratch;

use beeline_lab::resident::peak;
use beeline_lab::tool::{beeline, field, root, run};
use verifier::Verifier;

/// Runs of each tool, alternating.
const RUNS: usize = 3;
/// The searches that are measured.
const SEARCHES: [&str; 3] = ["ndfs", "indfs", "scc"];
/// The index of the default search, for the summary.
const USUAL: usize = 1;
/// The expected ratio: SPIN takes `FASTER` times as long (geometric mean), and no less memory, for
/// `MODELS` models.
const FASTER: f64 = 2.0;
const MODELS: usize = 5;

/// The origin of the checked automaton.
#[derive(Clone, Copy)]
enum Claim {
    /// Non-progress cycles.
    Progress,
    /// Written by hand, in the model.
    Never,
    /// A formula of the model, by name.
    Formula(&'static str),
}

/// The fairness assumption.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fairness {
    None,
    Weak,
}

/// A model with the options that determine its size.
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

/// Models in which every process gets its turn.
const FAIR: &[Case] = &[
    case("turns 3", "turns.pml", &["-DOTHERS=3"], Claim::Formula("enters")),
    case("token ring 6", "ring.pml", &["-DN=6"], Claim::Formula("comes_round")),
    case("tickets 4", "tickets.pml", &["-DN=4"], Claim::Never),
];

impl Claim {
    /// The name of the property.
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
            None => root().join("crates/lab/benches/live").join(self.file),
        };
        path.canonicalize().ok()
    }
}

/// The least cost of a tool.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    /// By its own count.
    bytes: f64,
    /// By the operating system.
    resident: f64,
    stored: f64,
}

const NONE: Cost = Cost { cpu: f64::MAX, bytes: 0.0, resident: 0.0, stored: 0.0 };

impl Cost {
    fn take(&mut self, cpu: f64, stored: f64, bytes: f64) {
        *self = Cost { cpu: self.cpu.min(cpu), bytes, stored, ..*self };
    }
}

/// The ratios of one of our searches to SPIN: speed and memory.
struct Ratio {
    time: f64,
    memory: f64,
    resident: f64,
}

/// The rows of a model.
fn compare(case: &Case, fairness: Fairness, beeline: &str) -> Option<[Ratio; 3]> {
    let file = case.path()?;
    let file = file.to_string_lossy();
    let verifier = Verifier::build(&file, case.defines, case.claim, fairness);
    let scratch = Scratch::new().expect("a scratch directory");
    let words = |search: &'static str| {
        let property = case.claim.property();
        let mut words = vec![beeline, "check", &file, "--json", "--no-trail"];
        words.extend(["--property", property, "--search", search, "--memory", "6G"]);
        words.extend(case.defines);
        if fairness == Fairness::Weak {
            words.push("--fair");
        }
        words
    };
    let (mut theirs, mut ours) = (NONE, [NONE; 3]);
    for _ in 0..RUNS {
        for (search, cost) in SEARCHES.iter().zip(&mut ours) {
            let ran = run(scratch.path(), &words(search));
            let holds = ran.output.contains("\"verdict\":\"holds\"");
            assert!(holds, "{}, {search}: {}", case.name, ran.output);
            let (stored, bytes) = (field(&ran.output, "stored"), field(&ran.output, "peak_bytes"));
            cost.take(ran.cpu, stored, bytes);
        }
        let (cpu, stored, bytes) = verifier.run();
        theirs.take(cpu, stored, bytes);
    }
    theirs.resident = verifier.resident();
    for (search, cost) in SEARCHES.iter().zip(&mut ours) {
        cost.resident = peak(scratch.path(), &words(search));
    }
    let is_same = !matches!(case.claim, Claim::Formula(_)) && fairness == Fairness::None;
    for (search, cost) in SEARCHES.iter().zip(&ours) {
        let same = cost.stored == theirs.stored;
        assert!(same || !is_same, "{}, {search}: {} states", case.name, cost.stored);
    }
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    let (name, claim) = (case.name, case.claim.text());
    let Cost { cpu, stored, bytes, resident } = theirs;
    println!(
        "| {name} | {claim} | pan | {stored} | {cpu:.2} | | {:.0} | | {:.0} | |",
        mebibytes(bytes),
        mebibytes(resident)
    );
    let ratios = ours.map(|cost| Ratio {
        time: theirs.cpu / cost.cpu,
        memory: cost.bytes / theirs.bytes,
        resident: cost.resident / theirs.resident,
    });
    for ((search, cost), ratio) in SEARCHES.iter().zip(&ours).zip(&ratios) {
        println!(
            "| | | {search} | {} | {:.2} | {:.1} | {:.0} | {:.2} | {:.0} | {:.2} |",
            cost.stored,
            cost.cpu,
            ratio.time,
            mebibytes(cost.bytes),
            ratio.memory,
            mebibytes(cost.resident),
            ratio.resident
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
    println!("| model | property | search | states | CPU s | × | MiB | × | resident | × |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let is_wanted = |case: &&Case| {
        wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str()))
    };
    let mut all = Vec::new();
    for case in cases.iter().filter(is_wanted) {
        match compare(case, fairness, beeline) {
            Some(ratios) => all.push(ratios),
            None => println!("| {} | not here | | | | | | | | |", case.name),
        }
    }
    println!();
    if all.is_empty() {
        return all;
    }
    for (at, search) in SEARCHES.iter().enumerate() {
        let times = || all.iter().map(|ratios| ratios[at].time);
        let sizes = || all.iter().map(|ratios| ratios[at].memory);
        let resident = || all.iter().map(|ratios| ratios[at].resident);
        println!(
            "- `{search}`: pan takes {:.2} × the time (geometric mean; least {:.2} ×); memory is \
             {:.2} × pan's (most {:.2} ×), resident {:.2} × (most {:.2} ×).",
            mean(times()),
            times().fold(f64::MAX, f64::min),
            mean(sizes()),
            sizes().fold(0.0, f64::max),
            mean(resident()),
            resident().fold(0.0, f64::max),
        );
    }
    println!();
    all
}

/// Prints whether the default search meets the expectation.
fn judge(all: &[[Ratio; 3]]) {
    let usual = || all.iter().map(|ratios| &ratios[USUAL]);
    let time = mean(usual().map(|ratio| ratio.time));
    let memory = usual().map(|ratio| ratio.memory).fold(0.0, f64::max);
    let resident = usual().map(|ratio| ratio.resident).fold(0.0, f64::max);
    let (name, count) = (SEARCHES[USUAL], all.len());
    let word = |is_met: bool| if is_met { "PASS" } else { "FAIL" };
    println!(
        "**{}**: `{name}` should be {FASTER} × as fast as pan (geometric mean, {MODELS} models or more): it is\n\
         {time:.2} × as fast over {count}.\n\n\
         **{}**: by their own counts, `{name}` should use no more memory than pan on any model: at most\n\
         {memory:.2} ×.\n\n\
         **{}**: the same, as counted by the operating system: at most {resident:.2} ×.\n",
        word(count >= MODELS && time >= FASTER),
        word(memory <= 1.0),
        word(resident <= 1.0),
    );
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let beeline = beeline();
    println!("# Cycle search compared with pan\n");
    println!(
        "Printed by `bench/cycles`: liveness properties that hold, so that every state of the product\n\
         is visited in the search for an accepting cycle. `pan -a` (for progress `-DNP` and\n\
         `pan -l`) is built by `gcc -O2 -DNOREDUCE`; its stack and its table are no larger than\n\
         necessary, and its compilation does not count, while ours does. CPU seconds, user and system,\n\
         the least of {RUNS} runs in turn. Where the automaton is the same, the numbers of states must be,\n\
         and are; of a formula, each tool makes its own. × compares with pan: how many times as fast,\n\
         and how large. Memory is what each tool says it used at most, and *resident* the most that\n\
         the operating system saw in use, program and all, in a run of its own.\n"
    );
    let all = table(CASES, Fairness::None, &beeline, &wanted);
    if !all.is_empty() {
        judge(&all);
    }
    println!("## With weak fairness\n");
    println!(
        "`pan -a -f` and `--fair`, for information. Here the interpreter computes successors, not native\n\
         code. Nested depth-first search unfolds the product by the processes that have moved, which makes more states;\n\
         pan marks states with these processes instead, and visits them more often.\n"
    );
    table(FAIR, Fairness::Weak, &beeline, &wanted);
}
