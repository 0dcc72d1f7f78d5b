//! Figures 4, 5 and 6 of [DFP06], drawn from our data.

use std::collections::{BTreeMap, HashMap, VecDeque};

use beeline_kernel::spec::Spec;
use beeline_kernel::{Expansion, Resources, Space};
use beeline_lab::chart::{Chart, Line};
use beeline_network::generate::{Hanoi, arbiter, draw_random, hanoi};
use beeline_network::{Composition, Network, NetworkComponents, build_network_heuristic};

use crate::measure;

/// A figure with its file.
pub(crate) struct Figure {
    pub(crate) file: &'static str,
    pub(crate) chart: Chart,
    /// Its description.
    pub(crate) about: String,
}

/// All figures.
pub(crate) fn all() -> Vec<Figure> {
    let far = "error distance";
    let near = hanoi(3, Hanoi::Deciding);
    let fig4 = inaccuracies(
        "fig4.svg",
        "Three disks, N = 40: which buckets are split first",
        far,
        &near,
        &[("near an error first", "dpa(n=40)"), ("far from one first", "dpa(n=40, buckets=far)")],
    );
    let fig5 = inaccuracies(
        "fig5.svg",
        "Arbiter tree with eight processes, N = 20: the order of composition",
        far,
        &arbiter(2),
        &[("ranking", "dpa(n=20)"), ("default", "dpa(n=20, order=default)")],
    );
    vec![fig4, fig5, tradeoff()]
}

/// The difference between estimates and true distances, by error distance.
fn inaccuracies(
    file: &'static str,
    title: &str,
    across: &str,
    network: &Network,
    heuristics: &[(&str, &str)],
) -> Figure {
    let truths = distances(network);
    let factored = NetworkComponents::new(network);
    let mut about = Vec::new();
    let line = |&(name, text): &(&str, &str)| {
        let spec = Spec::parse(text).expect("it is well formed");
        let mut built = build_network_heuristic(&spec, &factored, Resources::default())
            .expect("there is such a one");
        let mut by_distance: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
        for (state, &truth) in &truths {
            let estimate = built.estimate(state).finite().expect("an error can be reached").0;
            let sum = by_distance.entry(truth).or_default();
            sum.0 += f64::from(truth - estimate);
            sum.1 += 1;
        }
        let percent = |(&d, &(sum, count)): (&u32, &(f64, u32))| {
            let short = sum / f64::from(count);
            (f64::from(d), if d == 0 { 0.0 } else { 100.0 * short / f64::from(d) })
        };
        let points: Vec<(f64, f64)> = by_distance.iter().map(percent).collect();
        let exact = points.iter().take_while(|point| point.1 == 0.0).count().saturating_sub(1);
        let (sum, all) = points.iter().fold((0.0, 0.0), |(s, n), point| (s + point.1, n + 1.0));
        about.push(format!(
            "{name}: exact up to distance {exact}, {:.1} % short on average over all distances",
            sum / all
        ));
        Line { name: name.to_owned(), points }
    };
    let lines: Vec<Line> = heuristics.iter().map(line).collect();
    let up = "estimate short of the truth, in percent".to_owned();
    let chart = Chart { title: title.to_owned(), across: across.to_owned(), up, lines };
    Figure { file, chart, about: about.join("; ") }
}

/// The error distance of each state from which an error is reachable. Ordered, so that sums are the
/// same every time.
fn distances(network: &Network) -> BTreeMap<Vec<u8>, u32> {
    let space = Composition::new(network);
    let mut initial = Vec::new();
    space.initial(&mut initial).expect("it begins");
    let mut predecessors: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
    predecessors.insert(initial.clone(), Vec::new());
    let (mut queue, mut errors) = (VecDeque::from([initial]), VecDeque::new());
    let mut expansion = Expansion::default();
    while let Some(state) = queue.pop_front() {
        space.expand(&state, &mut expansion);
        if !expansion.violated_invariants.is_empty() {
            errors.push_back(state.clone());
        }
        for next in expansion.states() {
            if !predecessors.contains_key(next) {
                queue.push_back(next.to_vec());
            }
            predecessors.entry(next.to_vec()).or_default().push(state.clone());
        }
    }
    let mut found: BTreeMap<Vec<u8>, u32> = errors.iter().map(|one| (one.clone(), 0)).collect();
    while let Some(state) = errors.pop_front() {
        let depth = found[&state] + 1;
        for before in &predecessors[&state] {
            if !found.contains_key(before) {
                found.insert(before.clone(), depth);
                errors.push_back(before.clone());
            }
        }
    }
    found
}

/// The random system with eight processes of Fig. 6: among the first fifteen, the one for which A\*
/// with N = 50 explores the most states.
fn hard_system() -> (u64, Network) {
    let systems = (1..=15).map(|seed| (seed, draw_random(8, seed).expect("one is drawn")));
    let explored = |(_, network): &(u64, Network)| {
        measure::run(network, "astar(dpa(n=50))", 1, measure::limit()).explored
    };
    systems.max_by_key(explored).expect("there are fifteen")
}

/// Running time by N.
fn tradeoff() -> Figure {
    let (seed, network) = hard_system();
    let mut points = Vec::new();
    let mut best: Option<(f64, usize, u64)> = None;
    for n in (10..=300).step_by(10) {
        let search = format!("astar(dpa(n={n}))");
        let runs = [1, 2, 3].map(|_| measure::run(&network, &search, 1, measure::limit()));
        if runs[0].steps.is_err() {
            continue;
        }
        let seconds = runs.iter().map(|run| run.seconds).fold(f64::MAX, f64::min);
        points.push((n as f64, 1000.0 * seconds));
        if best.is_none_or(|(least, _, _)| seconds < least) {
            best = Some((seconds, n, runs[0].explored));
        }
    }
    let (seconds, n, explored) = best.expect("some bound solves it");
    let about = format!(
        "seed {seed}; the least time is {:.0} ms at N = {n}, with {explored} states explored",
        1000.0 * seconds
    );
    let chart = Chart {
        title: "A random system with eight processes: time by the bound N".to_owned(),
        across: "N".to_owned(),
        up: "milliseconds, A* with dpa(n=N)".to_owned(),
        lines: vec![Line { name: "time, best of three".to_owned(), points }],
    };
    Figure { file: "fig6.svg", chart, about }
}
