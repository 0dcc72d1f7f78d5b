//! The reachable states of the same steps with three libraries of decision diagrams: CPU seconds
//! with the list decision diagrams of `beeline-symbolic`, those of `merc_ldd`, and the binary ones
//! of OxiDD. All apply one step after the other (chaining); ours also saturate, and choose the order
//! of the values. The others have them in the given order.
//!
//! Run it with `cargo bench --features merc` in `oracles/`.

use std::fs;

use beeline_factored::Ranges;
use beeline_oracles::{BddSets, BitRelation, LocalStep, NewValue, system_of};
use beeline_symbolic::{DiagramLimits, SymbolicStrategy, SymbolicSystem};
use merc_ldd::{Ldd, Storage};

/// The recursion of other libraries is as deep as the diagrams.
const STACK: usize = 1 << 30;

struct Task {
    name: String,
    length: usize,
    values: i32,
    steps: Vec<LocalStep>,
}

fn main() {
    println!("system | states | ours, saturation | ours, chaining | merc_ldd | OxiDD");
    println!("---|---:|---:|---:|---:|---:");
    let tasks = [philosophers(100), philosophers(250), counters(12, 16), election(4, 6)];
    for task in tasks {
        let mut seconds = Vec::new();
        let mut states = None;
        type Count = fn(&Task) -> Option<String>;
        let saturating: Count = |task| Some(ours(task, SymbolicStrategy::Saturation));
        let chaining: Count = |task| Some(ours(task, SymbolicStrategy::Chaining));
        for count in [saturating, chaining, merc, oxidd] {
            let (counted, used) = std::thread::scope(|scope| {
                let run = || {
                    let before = cpu_seconds();
                    (count(&task), cpu_seconds() - before)
                };
                let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
                thread.expect("there is memory for a stack").join().expect("it ends")
            });
            // `merc_ldd` counts with 64 bits.
            if let Some(counted) = counted {
                assert_eq!(
                    *states.get_or_insert_with(|| counted.clone()),
                    counted,
                    "{}",
                    task.name
                );
            }
            seconds.push(format!("{used:.2}"));
        }
        let states = states.expect("ours count all");
        let states = if states.len() > 12 { format!("10^{}", states.len() - 1) } else { states };
        println!("{} | {states} | {}", task.name, seconds.join(" | "));
    }
}

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("this is Linux");
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.expect("the first field is a number") / 1e9
}

/// Dining philosophers with forks as bits; per philosopher a fork, and whether each hand has one.
fn philosophers(count: usize) -> Task {
    let mut steps = Vec::new();
    for at in 0..count {
        let (own, left, right) = (3 * at, 3 * at + 1, 3 * at + 2);
        let other = 3 * ((at + 1) % count);
        let mut add = |needs: &[(usize, i32)], sets: &[(usize, i32)]| {
            let sets = sets.iter().map(|&(position, value)| (position, NewValue::Constant(value)));
            steps.push(LocalStep { needs: needs.to_vec(), sets: sets.collect() });
        };
        add(&[(left, 0), (own, 0)], &[(left, 1), (own, 1)]);
        add(&[(left, 1), (right, 0), (other, 0)], &[(right, 1), (other, 1)]);
        add(&[(left, 1), (right, 1)], &[(left, 0), (right, 0), (own, 0), (other, 0)]);
    }
    Task { name: format!("{count} philosophers"), length: 3 * count, values: 2, steps }
}

/// Counters that take a value from their neighbour: many values per level.
fn counters(count: usize, values: i32) -> Task {
    let mut steps = Vec::new();
    for at in 0..count {
        for value in 0..values {
            let up = NewValue::Constant((value + 1) % values);
            steps.push(LocalStep { needs: vec![(at, value)], sets: vec![(at, up)] });
        }
        let reset = vec![(at, NewValue::Copy((at + 1) % count))];
        steps.push(LocalStep { needs: vec![(at, values - 1)], sets: reset });
    }
    Task { name: format!("{count} counters to {values}"), length: count, values, steps }
}

/// A leader election with filters: nothing is local, as each process goes through all filters.
fn election(processes: usize, filters: usize) -> Task {
    let (turn, busy, closed) = (0, filters, 2 * filters);
    let mut steps = Vec::new();
    for process in 0..processes {
        let own = process as i32;
        let location = 3 * filters + 2 * process;
        let filter = location + 1;
        for at in 0..filters {
            let mut add = |from: i32, needs: &[(usize, i32)], to: i32, sets: &[(usize, i32)]| {
                let mut all = vec![(location, from), (filter, at as i32)];
                all.extend(needs);
                let mut new = vec![(location, NewValue::Constant(to))];
                new.extend(sets.iter().map(|&(place, value)| (place, NewValue::Constant(value))));
                steps.push(LocalStep { needs: all, sets: new });
            };
            add(0, &[], 1, &[(turn + at, own)]);
            add(1, &[(busy + at, 0)], 2, &[]);
            add(2, &[], 3, &[(busy + at, 1)]);
            for other in (0..processes as i32).filter(|other| *other != own) {
                add(3, &[(turn + at, other)], 4, &[]);
            }
            add(3, &[(turn + at, own)], 6, &[]);
            add(4, &[], 5, &[(closed + at, 1)]);
            add(5, &[], 8, &[(busy + at, 0)]);
            let next = [(filter, at as i32 + 1)];
            let next = if at + 1 < filters { &next[..] } else { &[] };
            match at {
                0 => add(6, &[], 0, next),
                _ => {
                    add(6, &[(closed + at - 1, 0)], 7, &[]);
                    add(6, &[(closed + at - 1, 1)], 0, next);
                }
            }
            add(7, &[], 8, &[]);
        }
    }
    let length = 3 * filters + 2 * processes;
    let name = format!("{processes} processes, {filters} filters");
    Task { name, length, values: 10, steps }
}

fn ours(task: &Task, strategy: SymbolicStrategy) -> String {
    let system = system_of(task.length, task.values, &task.steps);
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let reached = symbolic.reachable(strategy).expect("there are no limits");
    symbolic.count(&reached.states.free).to_string()
}

fn oxidd(task: &Task) -> Option<String> {
    let bits = (i32::BITS - (task.values - 1).leading_zeros()) as usize;
    let sets = BddSets::with_capacity(task.length, bits, 1 << 24);
    let relations: Vec<BitRelation> = task.steps.iter().map(|step| step.relation(&sets)).collect();
    let reached = sets.reachable(&sets.singleton(&vec![0; task.length]), &relations);
    Some(sets.count(&reached))
}

fn merc(task: &Task) -> Option<String> {
    let mut storage = Storage::new();
    let relations: Vec<(Ldd, Ldd)> =
        task.steps.iter().map(|step| rows(&mut storage, step, task.values)).collect();
    let mut all = merc_ldd::singleton(&mut storage, &vec![0; task.length]);
    loop {
        let before = all.clone();
        for (relation, meta) in &relations {
            let after = merc_ldd::relational_product(&mut storage, &all, relation, meta);
            all = merc_ldd::union(&mut storage, &all, &after);
        }
        if all == before {
            break;
        }
    }
    let fits = (task.length as f64) * f64::from(task.values).log2() < 63.0;
    fits.then(|| merc_ldd::len(&mut storage, &all).to_string())
}

/// The rows of a step and the levels that it reads and writes.
fn rows(storage: &mut Storage, step: &LocalStep, values: i32) -> (Ldd, Ldd) {
    let mut reads: Vec<u32> = step.needs.iter().map(|&(position, _)| position as u32).collect();
    reads.extend(step.sets.iter().filter_map(|(_, value)| match value {
        NewValue::Copy(other) => Some(*other as u32),
        NewValue::Constant(_) => None,
    }));
    reads.sort_unstable();
    reads.dedup();
    let mut writes: Vec<u32> = step.sets.iter().map(|&(position, _)| position as u32).collect();
    writes.sort_unstable();
    let (meta, read_at, write_at) = merc_ldd::compute_meta(storage, &reads, &writes);
    let mut relation = storage.empty_set().clone();
    let all = (values as usize).pow(reads.len() as u32);
    for number in 0..all {
        let value = |at: usize| (number / (values as usize).pow(at as u32)) as u32 % values as u32;
        let of = |position: usize| {
            value(reads.iter().position(|&read| read as usize == position).expect("it is read"))
        };
        if step.needs.iter().any(|&(position, needed)| of(position) != needed as u32) {
            continue;
        }
        let mut row = vec![0; reads.len() + writes.len()];
        for (at, place) in read_at.iter().enumerate() {
            row[*place as usize] = value(at);
        }
        for (write, place) in writes.iter().zip(&write_at) {
            let set = step.sets.iter().find(|(position, _)| *position as u32 == *write);
            row[*place as usize] = match set.expect("it is written").1 {
                NewValue::Constant(value) => value as u32,
                NewValue::Copy(other) => of(other),
            };
        }
        let row = merc_ldd::singleton(storage, &row);
        relation = merc_ldd::union(storage, &relation, &row);
    }
    (relation, meta)
}
