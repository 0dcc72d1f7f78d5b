//! Instructions per transition of exhaustive search, counted by callgrind: a measure of speed that
//! does not depend on the load of the machine.
//!
//! Run it with `bench/instructions`. For each model and order, this program runs itself under
//! valgrind. Counted are the instructions of the search and of the native code, without reading and
//! compiling the model: the search runs twice, and the second run is counted. It ends with the last
//! state or with a number of states. In the first part of a large state space, more successors are
//! new than later, and a new state costs more than a known one; so whole runs take fewer
//! instructions per transition.
//!
//! Two counts for breadth-first order: per transition as `beeline count` has them, and per executed
//! one. The difference are those that sleep sets prune, which cost instructions, too. The parallel
//! search is counted with one thread: the ratio to the sequential search is what sharing costs.

use std::path::{Path, PathBuf};
use std::process::Command;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_search::{
    Exploration, ExplorationOptions, ExplorationOrder, Limits, ParallelOptions, Search, Stats,
    StopCondition, explore_in_parallel,
};
use beeline_testkit::model::read_text;
use beeline_testkit::spin::Scratch;

use beeline_lab::speed_models::{SpeedModel, named};
use beeline_lab::tool::run;

/// The search ends when it has stored this many states.
const STATES: usize = 60_000;

/// The searches that are counted.
const SEARCHES: [&str; 3] = ["bfs", "shared", "dfs"];

/// Set for a run under valgrind: the search.
const SEARCH: &str = "BEELINE_COUNTED_SEARCH";

/// The part of the search that callgrind counts, which finds it by the name of this function.
#[inline(never)]
fn counted_search(search: &mut dyn Search) {
    search.finish();
}

/// Explores a model, and prints the transitions: those executed, and all.
fn explore(model: &SpeedModel, search: &str) {
    let front = read_text(model.name, &model.text().expect("it was there before"));
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    let space = NativeSpace::compile(&machine).expect("it can be compiled");
    let limits = Limits { states: Some(STATES), ..Limits::default() };
    let explore = |run: fn(&mut dyn Search)| -> Stats {
        if search == "shared" {
            let until = StopCondition::Exhausted;
            let options = ParallelOptions { threads: 1, until, limits, stop: None };
            let body = |search: &mut dyn Search| {
                run(search);
                search.stats()
            };
            return explore_in_parallel(&space, options, body).expect("the model starts");
        }
        let order =
            if search == "dfs" { ExplorationOrder::Depth } else { ExplorationOrder::Breadth };
        let options = ExplorationOptions { order, limits, ..ExplorationOptions::default() };
        let mut exploration = Exploration::new(&space, options).expect("the model starts");
        run(&mut exploration);
        exploration.stats()
    };
    // Native code is compiled, also for structures of states that come late.
    explore(|search| {
        search.finish();
    });
    let stats = explore(counted_search);
    println!("{} {}", stats.generated - stats.slept, stats.generated);
}

/// Instructions per executed transition, and per transition.
#[derive(Clone, Copy)]
struct Count {
    per_executed: f64,
    per_transition: f64,
}

/// Runs this program under valgrind, which writes its profile to a directory.
fn count(directory: &Path, model: &SpeedModel, search: &str) -> Option<Count> {
    let program = std::env::current_exe().expect("this program is a file");
    let profile = directory.join(format!("{}.{search}.callgrind", model.name.replace(' ', "-")));
    let (program, file) = (program.to_string_lossy(), profile.to_string_lossy());
    let (search, file) = (format!("{SEARCH}={search}"), format!("--callgrind-out-file={file}"));
    let valgrind = ["valgrind", "--tool=callgrind", "--dump-instr=yes", &file];
    let counted = ["--toggle-collect=*counted_search*", &program, model.name];
    let output = run(directory, &[&["env", &search], &valgrind[..], &counted].concat()).output;
    let mut numbers = output.lines().next()?.split(' ').map(str::parse::<f64>);
    let (executed, all) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    let profile = std::fs::read_to_string(profile).ok()?;
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: "))?;
    let total: f64 = total.trim().parse().ok()?;
    Some(Count { per_executed: total / executed, per_transition: total / all })
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let (options, names): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("--"));
    let models = named(&names).unwrap_or_else(|message| fail(&message));
    if let Ok(search) = std::env::var(SEARCH) {
        return explore(models[0], &search);
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        fail("valgrind is not installed");
    }
    let scratch = Scratch::new().expect("a scratch directory");
    let kept = options.iter().find_map(|option| option.strip_prefix("--profiles="));
    let directory = kept.map_or_else(|| scratch.path().to_owned(), PathBuf::from);
    std::fs::create_dir_all(&directory).expect("a directory can be made");
    println!("| model | breadth-first | per executed transition | shared | × | depth-first |");
    println!("|---|---|---|---|---|---|");
    let (mut sums, mut rows) = ([0.0; 5], 0.0);
    for model in models.into_iter().filter(|model| model.path().is_some()) {
        let counts = SEARCHES.map(|search| count(&directory, model, search));
        let [Some(bfs), Some(shared), Some(dfs)] = counts else {
            fail(&format!("{} could not be run under valgrind", model.name))
        };
        let ratio = shared.per_transition / bfs.per_transition;
        let (all, executed) = (bfs.per_transition, bfs.per_executed);
        let row = [all, executed, shared.per_transition, ratio, dfs.per_transition];
        let [bfs, executed, shared, ratio, dfs] = row;
        println!(
            "| {} | {bfs:.0} | {executed:.0} | {shared:.0} | {ratio:.2} | {dfs:.0} |",
            model.name
        );
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value.ln());
        rows += 1.0;
    }
    let [bfs, executed, shared, ratio, dfs] = sums.map(|sum| (sum / rows).exp());
    println!(
        "\nGeometric means: breadth-first {bfs:.0} ({executed:.0}), shared {shared:.0} ({ratio:.2}×), \
         depth-first {dfs:.0}."
    );
}
