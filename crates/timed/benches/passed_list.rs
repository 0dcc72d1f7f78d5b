//! The passed list with inclusion: memory of a zone, and processor time of a state, as the list
//! grows. Prints `bench/passed_list.md`.
//!
//! Zones of six clocks: those of a model, which has not as many, and random ones in which all clocks
//! count, with bounds of one and of two bytes.

use std::fs;

use beeline_kernel::SplitMix64;
use beeline_model::{Model, SystemOptions};
use beeline_search::bounds_suffix::{self, Width};
use beeline_search::{
    CoveringStore, Exploration, ExplorationOptions, Limits, StateSet, StoreLimits,
};
use beeline_timed::front_end::{OtherQueries, read};
use beeline_timed::generate::train_gate;
use beeline_timed::model::TimedModel;
use beeline_timed::zones::bound::at_most;
use beeline_timed::zones::{Constraint, Dbm};

/// The numbers of zones.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// Clocks, without clock 0.
const CLOCKS: usize = 6;
/// Random zones with the same key, on average.
const BESIDE: usize = 20;

/// What was measured at a size.
struct Measured {
    stored: usize,
    inserted: u64,
    bytes: usize,
    nanoseconds: u64,
}

/// Processor time of this thread.
fn nanoseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("this is Linux");
    let first = text.split_whitespace().next().expect("it has three numbers");
    first.parse().expect("it is a number")
}

/// Explores a model with six clocks up to so many states.
fn of_model(most: usize) -> Measured {
    let front = read("train-gate", &train_gate(CLOCKS as u32), &OtherQueries::default());
    let Ok(model) = TimedModel::new("train-gate", front) else { panic!("the model is read") };
    let mut measured = None;
    model.with_system(&[], SystemOptions::default(), &mut |system| {
        let limits = Limits { states: Some(most), ..Limits::default() };
        let options = ExplorationOptions { limits, any_paths: true, ..Default::default() };
        let search = Exploration::<CoveringStore>::with_store(system.space(), options);
        let Ok(mut search) = search else { panic!("the model has an initial state") };
        let begin = nanoseconds();
        search.finish();
        let (nanoseconds, stats) = (nanoseconds() - begin, search.stats());
        let (stored, bytes) = (stats.stored as usize, stats.store_bytes as usize);
        measured = Some(Measured { stored, inserted: stats.generated, bytes, nanoseconds });
    });
    measured.expect("a model runs what it is given")
}

/// A random zone in which all clocks have bounds: multiples of a unit.
fn random_zone(rng: &mut SplitMix64, unit: usize) -> Dbm {
    let mut zone = Dbm::zero(CLOCKS + 1);
    (1..=CLOCKS).for_each(|clock| zone.free(clock));
    for plus in 0..=CLOCKS {
        for minus in (0..=CLOCKS).filter(|&minus| minus != plus) {
            let bound = match (plus, minus) {
                (0, _) => at_most(-(rng.below(15 * unit) as i32)),
                (_, 0) => at_most((15 * unit + rng.below(15 * unit)) as i32),
                _ => at_most(rng.below(40 * unit) as i32),
            };
            let mut smaller = zone.clone();
            if smaller.constrain(Constraint { plus, minus, bound }) {
                zone = smaller;
            }
        }
    }
    zone
}

/// Stores random zones with bounds of one byte.
fn of_narrow_zones(most: usize) -> Measured {
    of_random_zones(most, 1, Width::One)
}

/// Stores random zones with bounds of two bytes.
fn of_wide_zones(most: usize) -> Measured {
    of_random_zones(most, 10, Width::Two)
}

fn of_random_zones(most: usize, unit: usize, width: Width) -> Measured {
    let mut rng = SplitMix64::new(6);
    let mut store = CoveringStore::new(StoreLimits::NONE);
    let (mut state, mut bounds, mut inserted, mut nanoseconds_in) = (Vec::new(), Vec::new(), 0, 0);
    // Zones are made outside the measured time, a thousand at once.
    while store.len() < most {
        let states: Vec<Vec<u8>> = (0..1000)
            .map(|_| {
                let zone = random_zone(&mut rng, unit);
                state.clear();
                state.extend_from_slice(&(rng.below(most / BESIDE) as u64).to_le_bytes());
                bounds.clear();
                for i in 0..=CLOCKS {
                    bounds.extend((0..=CLOCKS).filter(|&j| j != i).map(|j| zone.at(i, j)));
                }
                bounds_suffix::push(&mut state, &bounds, width);
                state.clone()
            })
            .collect();
        let begin = nanoseconds();
        for state in &states {
            store.insert(state);
        }
        nanoseconds_in += nanoseconds() - begin;
        inserted += states.len() as u64;
    }
    let (stored, bytes) = (store.len(), store.bytes());
    Measured { stored, inserted, bytes, nanoseconds: nanoseconds_in }
}

fn print(name: &str, sizes: &[usize], measure: fn(usize) -> Measured) {
    println!("\n## {name}\n");
    println!("| zones stored | inserted | bytes a zone | ns a stored zone | ns an insertion |");
    println!("|--:|--:|--:|--:|--:|");
    let mut costs = Vec::new();
    let mut most_bytes = 0.0;
    for &size in sizes {
        let Measured { stored, inserted, bytes, nanoseconds } = measure(size);
        let per = |all: f64| all / stored as f64;
        let (bytes, cost) = (per(bytes as f64), per(nanoseconds as f64));
        let insertion = nanoseconds as f64 / inserted as f64;
        println!("| {stored} | {inserted} | {bytes:.1} | {cost:.0} | {insertion:.0} |");
        costs.push(cost);
        most_bytes = bytes;
    }
    let [.., _, _] = sizes else { return };
    let growth = costs[costs.len() - 1] / costs[0];
    let verdict = |is_met: bool| if is_met { "PASS" } else { "FAIL" };
    println!(
        "\n- **{}**: {most_bytes:.1} bytes a zone, of at most 100.",
        verdict(most_bytes < 100.0)
    );
    println!(
        "- **{}**: the cost of a zone grows by {growth:.2} from the smallest list to the largest, of \
         at most 2.",
        verdict(growth < 2.0)
    );
}

fn main() {
    println!("# The passed list with inclusion");
    println!();
    println!("Written by `bench/passed_list`: zones of {CLOCKS} clocks in the covering store.");
    println!("Memory is all that the store holds: keys, zones, lists and tables. Time is that of");
    println!(
        "the processor, in the model with the steps and the zones, otherwise of the store alone."
    );
    let model = format!("`beeline generate train-gate {CLOCKS}`, explored breadth-first");
    print(&model, &SIZES[2..], of_model);
    let random = |width| format!("Random zones with bounds of {width}, {BESIDE} with each key");
    print(&random("one byte"), &SIZES, of_narrow_zones);
    print(&random("two bytes"), &SIZES, of_wide_zones);
}
