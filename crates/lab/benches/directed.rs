//! Directed search compared with our own breadth-first exploration: states expanded per second,
//! with the same states and the same native code; large numbers of processes; and the open list.
//!
//! Run it with `bench/directed`; with names, only cases that contain one of them. The searches have
//! no target, so that every search explores all states. Times are CPU time of the thread, without
//! compilation. Searches alternate, and each rate is the best of its runs: other load of the
//! machine only makes a run slower.

use std::path::Path;
use std::time::Instant;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_jit::NativeSpace;
use beeline_kernel::spec::Spec;
use beeline_kernel::{Heuristic, StateId};
use beeline_promela::Frontend;
use beeline_promela::preprocess::NoIncludes;
use beeline_search::{
    BestFirst, BestFirstConfig, BucketOpenList, CompactStore, ExactStore, Exploration, QueueOrder,
    Rank, Search, SearchQuery, SearchTarget, StateStore, Weight,
};

/// Runs of each search, alternating.
const RUNS: usize = 9;

/// A model with the definitions that determine its size.
struct Case {
    name: &'static str,
    file: &'static str,
    defines: &'static str,
}

const fn case(name: &'static str, file: &'static str, defines: &'static str) -> Case {
    Case { name, file, defines }
}

/// A quarter of a million to a million states: CPU time is measured in milliseconds.
const CASES: &[Case] = &[
    case("philosophers 9", "philosophers", "#define N 9"),
    case("leader 8", "leader", "#define N 8"),
    case("sliding window 4", "sliding_window", "#define WINDOW 4\n#define SLOTS 4"),
    case("telegraph 5", "telegraph", "#define N 5"),
    case("elevator 8", "elevator", "#define FLOORS 8"),
    case("giop 4", "giop", "#define CLIENTS 4\n#define MOVES 2"),
    case("grid 10^6", "grid", "#define N 6"),
];

/// Heuristics with their goals.
const HEURISTICS: &[(&str, Wanted)] = &[
    ("active", Wanted::Deadlock),
    ("dangerous-states", Wanted::Deadlock),
    ("assertion-distance", Wanted::Assertions),
    ("fsm-state", Wanted::Last),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Deadlock,
    Assertions,
    /// The last state of breadth-first exploration.
    Last,
}

fn read(name: &str, defines: &str) -> Frontend {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = std::fs::read_to_string(&path).expect("the model can be read");
    let text = format!("{defines}\n{text}");
    let options = beeline_promela::preprocess::PreprocessOptions::default();
    let front = beeline_promela::read(name, &text, &mut NoIncludes, &options);
    assert!(!front.diagnostics.has_errors(), "{name} has no errors");
    front
}

/// CPU seconds of this thread, if the system reports them.
fn cpu(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told.ok().and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The duration of a call, in seconds.
fn timed<R>(run: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let before = cpu(start);
    let result = run();
    (cpu(start) - before, result)
}

/// States expanded per second by a search without a target, and their number.
fn directed(
    space: &NativeSpace<'_, '_>,
    heuristic: Box<dyn Heuristic + '_>,
    method: BestFirstConfig,
) -> Rate {
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let mut search = BestFirst::new(space, heuristic, method, query).expect("the model starts");
    let (seconds, _) = timed(|| search.finish());
    let expanded = search.stats().expanded as f64;
    Rate { expanded, per_second: expanded / seconds }
}

#[derive(Clone, Copy)]
struct Rate {
    expanded: f64,
    per_second: f64,
}

/// The rows of a model; returns the ratios.
fn compare(case: &Case) -> Vec<f64> {
    let front = read(&format!("../../models/{}.pml", case.file), case.defines);
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    let space = NativeSpace::compile(&machine).expect("it can be compiled");
    let (mut last, mut stored) = (Vec::new(), 0);
    let breadth_first = |last: &mut Vec<u8>, stored: &mut u64| {
        let options = beeline_search::ExplorationOptions::default();
        let mut search = Exploration::new(&space, options).expect("the model starts");
        let (seconds, _) = timed(|| search.finish());
        *stored = search.stats().stored;
        let id = StateId::new(*stored as usize - 1).expect("there is a state");
        *last = search.state(id);
        search.stats().expanded as f64 / seconds
    };
    breadth_first(&mut last, &mut stored);
    let target = last.clone();
    let mut ratios = Vec::new();
    for &(name, wanted) in HEURISTICS {
        let spec = Spec::parse(name).expect("it is well formed");
        let goal = match wanted {
            Wanted::Deadlock => HeuristicGoal::Deadlock,
            Wanted::Assertions => HeuristicGoal::Assertions,
            Wanted::Last => HeuristicGoal::State(target.clone()),
        };
        let run = |method| {
            let heuristic = build(&spec, &machine, &goal).expect("it is for this goal");
            directed(&space, heuristic, method)
        };
        // If it reports dead ends at once, there is nothing to measure.
        if run(BestFirstConfig::GREEDY).expanded < stored as f64 / 10.0 {
            continue;
        }
        let mut best = [0.0_f64; 3];
        for _ in 0..RUNS {
            let bfs = breadth_first(&mut last, &mut stored);
            let rates = [BestFirstConfig::GREEDY, BestFirstConfig::A_STAR]
                .map(|method| run(method).per_second);
            best = [bfs.max(best[0]), rates[0].max(best[1]), rates[1].max(best[2])];
        }
        let own = [best[1] / best[0], best[2] / best[0]];
        println!(
            "| {} | {stored} | {name} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            case.name,
            best[0] / 1e6,
            best[1] / 1e6,
            own[0],
            best[2] / 1e6,
            own[1],
        );
        ratios.extend(own);
    }
    ratios
}

/// A model with many processes, and its search.
struct Crowd {
    name: &'static str,
    file: &'static str,
    /// The weight of A\*.
    w: u16,
    sizes: &'static [u32],
}

const CROWDS: &[Crowd] = &[
    Crowd {
        name: "philosophers",
        file: "tests/models/philosophers_crowded.pml",
        w: 1,
        sizes: &[10, 20, 50, 100, 200, 500, 1000],
    },
    Crowd {
        name: "optical telegraph",
        file: "../../models/telegraph_hsf.pml",
        w: 2,
        sizes: &[10, 20, 40, 100],
    },
];

/// Searches for a deadlock with `active`, in one store.
fn crowded<T: StateStore>(crowd: &Crowd, size: u32, store: &str) {
    let front = read(crowd.file, &format!("#define N {size}"));
    let mut line = String::new();
    let (seconds, ()) = timed(|| {
        let machine = Machine::with_process_limit(&front.hir, AutomataOptions::OPTIMISED, 2000);
        let space = NativeSpace::lazily(&machine).expect("it can be compiled");
        let spec = Spec::parse("active").expect("it is well formed");
        let heuristic =
            build(&spec, &machine, &HeuristicGoal::Deadlock).expect("it is for deadlocks");
        let method = BestFirstConfig::weighted(Weight { over: crowd.w, under: 1 });
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search =
            BestFirst::<T>::with_store(&space, heuristic, method, query).expect("it starts");
        search.finish();
        let stats = search.stats();
        let cost = search.hits()[0].cost.expect("costs are counted").0;
        let (expanded, stored, length) = (stats.expanded, stats.stored, stats.state_bytes);
        let megabytes = search.bytes() as f64 / f64::from(1 << 20);
        line = format!("{length} | {expanded} | {stored} | {cost} | {store} | {megabytes:.1}");
    });
    println!("| {} | {size} | {} | {line} | {seconds:.2} |", crowd.name, crowd.w);
}

fn crowds(wanted: impl Fn(&str) -> bool) {
    println!("\nDeadlocks of many processes, by A\\* with `active`; time includes compilation.\n");
    println!("| model | n | w | bytes of a state | expanded | stored | steps | store | MB | s |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for crowd in CROWDS.iter().filter(|crowd| wanted(crowd.name)) {
        for &size in crowd.sizes {
            // A million states of 11 KB do not fit.
            if size < 1000 {
                crowded::<ExactStore>(crowd, size, "exact");
            }
            crowded::<CompactStore>(crowd, size, "compact");
        }
    }
}

/// The time of insertions into the open list, and of removals.
fn queue() {
    println!("\n| states that wait | ns to put one in | to take one out |");
    println!("|---|---|---|");
    for states in [100_000, 1_000_000, 10_000_000] {
        let mut least = [f64::MAX; 2];
        // The same number in total, so that the clock is precise enough.
        for _ in 0..RUNS {
            let mut sum = [0.0; 2];
            let lists = 10_000_000 / states;
            for _ in 0..lists {
                let mut open = BucketOpenList::new(QueueOrder::Lifo, false);
                let (push, ()) = timed(|| {
                    // A thousand ranks in an unpredictable order.
                    let mut random = 1_u32;
                    for at in 0..states {
                        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        let rank = Rank { f: u64::from(random >> 22), tie: 0 };
                        open.push(rank, StateId::new(at).expect("there are as many"));
                    }
                });
                let (pop, ()) = timed(|| while open.pop().is_some() {});
                sum = [sum[0] + push, sum[1] + pop];
            }
            least = [least[0].min(sum[0]), least[1].min(sum[1])];
        }
        let each = least.map(|seconds| seconds * 1e9 / 1e7);
        println!("| {states} | {:.1} | {:.1} |", each[0], each[1]);
    }
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(&**word));
    let cases: Vec<&Case> = CASES.iter().filter(|case| wanted(case.name)).collect();
    if !cases.is_empty() {
        println!(
            "Million states expanded per CPU second, and the ratio to breadth-first search.\n"
        );
        println!("| model | states | heuristic | bfs | greedy | × | A\\* | × |");
        println!("|---|---|---|---|---|---|---|---|");
        let ratios: Vec<f64> = cases.into_iter().flat_map(compare).collect();
        let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        let least = ratios.iter().copied().fold(f64::MAX, f64::min);
        println!("\nGeometric mean {:.2}×, least {least:.2}×.", mean.exp());
    }
    if wanted("crowds") {
        crowds(|_| true);
    }
    if wanted("queue") {
        queue();
    }
}
