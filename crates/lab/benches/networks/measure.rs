//! Running searches on networks.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use beeline_checker::{HeuristicNames, Plan, Stats, check, parse_search};
use beeline_kernel::Stop;
use beeline_model::{Model as _, Verdict};
use beeline_network::generate::{Hanoi, arbiter, draw_random, hanoi};
use beeline_network::{NETWORK_HEURISTICS, Network, NetworkModel};

/// Memory for each run.
const BYTES: usize = 3 << 30;
/// The factor of the time limit for a single network under its name.
const ALONE: u32 = 4;
/// Random systems of each size.
const SYSTEMS: u64 = 15;

/// One or several networks under one name.
pub(crate) struct Instance {
    pub(crate) name: String,
    make: Box<dyn Fn() -> Vec<Network>>,
}

/// All networks, in the order of the tables.
pub(crate) fn instances() -> Vec<Instance> {
    let one = |name: String, make: Box<dyn Fn() -> Vec<Network>>| Instance { name, make };
    let mut all = Vec::new();
    for height in 2..=6 {
        all.push(one(format!("A{height}"), Box::new(move || vec![arbiter(height)])));
    }
    for disks in 4..=8 {
        let make = move || vec![hanoi(disks, Hanoi::Deciding)];
        all.push(one(format!("H{disks}"), Box::new(make)));
    }
    for processes in 5..=10 {
        let draw = move |seed| draw_random(processes, seed).expect("one is drawn");
        all.push(one(format!("R{processes}"), Box::new(move || (1..=SYSTEMS).map(draw).collect())));
    }
    all
}

/// The result of a search for all networks of a name: means over the solved ones; for seconds, over
/// all.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) search: &'static str,
    pub(crate) runs: u64,
    pub(crate) solved: u64,
    pub(crate) explored: f64,
    pub(crate) seconds: f64,
    pub(crate) steps: f64,
    /// The reason for unsolved networks.
    pub(crate) reason: String,
}

impl Row {
    pub(crate) const HEAD: &'static str =
        "network\tsearch\truns\tsolved\texplored\tseconds\tsteps\tpaper_length\twhy_not";

    pub(crate) fn line(&self) -> String {
        let Row { name, search, runs, solved, explored, seconds, steps, reason } = self;
        // Means over no values are left empty.
        let mean = |value: f64, digits: usize| {
            if *solved == 0 { String::new() } else { format!("{value:.digits$}") }
        };
        let (explored, length) = (mean(*explored, 0), mean(2.0 * steps + 1.0, 1));
        let steps = mean(*steps, 1);
        format!(
            "{name}\t{search}\t{runs}\t{solved}\t{explored}\t{seconds:.3}\t{steps}\t{length}\t\
             {reason}"
        )
    }
}

impl Row {
    /// Reads a [`line`](Row::line).
    pub(crate) fn read(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[name, search, runs, solved, explored, seconds, steps, _, reason] = &cells[..] else {
            return None;
        };
        let mean = |text: &str| if text.is_empty() { Some(f64::NAN) } else { text.parse().ok() };
        Some(Row {
            name: name.to_owned(),
            search: SEARCHES.iter().find(|known| **known == search)?,
            runs: runs.parse().ok()?,
            solved: solved.parse().ok()?,
            explored: mean(explored)?,
            seconds: mean(seconds)?,
            steps: mean(steps)?,
            reason: reason.to_owned(),
        })
    }
}

/// The searches of Table 1, then those of Table 2.
pub(crate) const SEARCHES: &[&str] = &[
    "random-dfs",
    "gbfs(fsm)",
    "gbfs(dpa(n=50))",
    "gbfs(dpa(n=100))",
    "astar(fsm)",
    "astar(dpa(n=50))",
    "astar(dpa(n=100))",
];

/// The cases without A\* in the paper: its memory does not suffice.
fn is_left_out(name: &str, search: &str) -> bool {
    search.starts_with("astar") && matches!(name, "A4" | "A5" | "A6" | "H8")
}

/// Measures all searches.
pub(crate) fn measure(instance: &Instance) -> Vec<Row> {
    let networks = (instance.make)();
    let wanted = SEARCHES.iter().filter(|search| !is_left_out(&instance.name, search));
    wanted.map(|search| measure_one(&instance.name, &networks, search)).collect()
}

fn measure_one(name: &str, networks: &[Network], search: &'static str) -> Row {
    // As in the paper, three runs of random searches; for fifteen systems, one is enough.
    let seeds = if search == "random-dfs" && networks.len() == 1 { 3 } else { 1 };
    let (mut runs, mut solved, mut explored, mut steps, mut seconds) = (0, 0, 0, 0, 0.0);
    let mut reason = String::new();
    let limit = if networks.len() == 1 { ALONE * limit() } else { limit() };
    for network in networks {
        for seed in 1..=seeds {
            let run = run(network, search, seed, limit);
            runs += 1;
            seconds += run.seconds;
            match run.steps {
                Ok(length) => {
                    solved += 1;
                    explored += run.explored;
                    steps += length;
                }
                Err(why) => reason = why,
            }
        }
    }
    let mean = |sum: u64| sum as f64 / solved as f64;
    Row {
        name: name.to_owned(),
        search,
        runs,
        solved,
        explored: mean(explored),
        seconds: seconds / runs as f64,
        steps: mean(steps),
        reason,
    }
}

/// One search in one network.
pub(crate) struct Run {
    pub(crate) explored: u64,
    pub(crate) seconds: f64,
    pub(crate) steps: Result<u64, String>,
}

/// The time limit of a run on one of many networks.
pub(crate) fn limit() -> Duration {
    let limit = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(limit.unwrap_or(10))
}

/// Runs a search, including the time for building its heuristic.
pub(crate) fn run(network: &Network, search: &str, seed: u64, limit: Duration) -> Run {
    let listed = NETWORK_HEURISTICS.iter().map(|row| row.name).collect();
    let names = HeuristicNames { listed, others: Vec::new() };
    let search = parse_search(search, seed, &names).expect("there is such a search");
    let model = NetworkModel::of(network.clone());
    let plan = Plan { search, bytes: Some(BYTES), ..Plan::default() };
    let start = Instant::now();
    let mut observer = |_: &Stats| {
        if start.elapsed() < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Stop::Time)
        }
    };
    let report = check(&model, &model.properties(), &plan, false, &mut observer);
    let report = report.expect("it is confirmed");
    let seconds = start.elapsed().as_secs_f64();
    let steps = match &report.properties[0].verdict {
        Verdict::Violated(found) => Ok(found[0].length.steps),
        Verdict::Unknown(why) => Err(why.to_string()),
        Verdict::Holds => panic!("there is an error in each of these networks"),
    };
    Run { explored: report.stats.expanded, seconds, steps }
}
