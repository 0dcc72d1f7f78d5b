//! What relaxation heuristics cost: microseconds for each estimate, on processes that send each
//! other messages and share variables. `cargo bench -p beeline-heuristics --bench relaxation`,
//! with names of heuristics for these alone.

use std::sync::Arc;
use std::time::Instant;

use beeline_factored::{
    Action, Assignment, Binary, Element, Expr, FactorId, Goal, Interval, Kind, Place, Reading,
    Step, System, Width, successors,
};
use beeline_heuristics::relaxation::{Channels, Options, Relaxation, Values, Which};
use beeline_kernel::Mover;

/// How many places a channel has for messages of two fields.
const CAPACITY: u32 = 3;
const LOCATIONS: i32 = 24;

struct Bytes(usize);

impl Reading for Bytes {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        for (at, value) in state.chunks_exact(4).take(self.0).enumerate() {
            let value = i32::from_le_bytes(value.try_into().expect("four bytes"));
            tell(FactorId(at as u32), value);
        }
        true
    }
}

fn is(factor: FactorId, op: Binary, value: i32) -> Action {
    Action::Require(Expr::Factor(factor).binary(op, Expr::Const(value)))
}

fn assign(factor: FactorId, value: Expr) -> Assignment {
    Assignment { place: Place::Factor(factor), value }
}

fn plus(factor: FactorId, by: i32) -> Expr {
    Expr::Factor(factor).binary(Binary::Add, Expr::Const(by))
}

struct Process {
    location: FactorId,
    counter: FactorId,
    got: FactorId,
    length: FactorId,
    slots: FactorId,
}

/// A ring of processes: each goes round its locations, counts, sends to the next one what it
/// counted, and receives.
fn ring(processes: usize) -> System {
    let mut system = System::default();
    let shared = system.add("shared".into(), Kind::Variable, Width::Bits(8).interval(), 0);
    let mut all = Vec::new();
    for at in 0..processes {
        let name = |what: &str| format!("{what}{at}");
        let places = Interval { least: 0, greatest: i64::from(LOCATIONS) - 1 };
        let location = system.add(name("at"), Kind::Location, places, 0);
        let counter = system.add(name("counter"), Kind::Variable, Width::Bits(8).interval(), 0);
        let got = system.add(name("got"), Kind::Variable, Width::Bits(8).interval(), 0);
        let bound = Interval { least: 0, greatest: i64::from(CAPACITY) };
        let length = system.add(name("length"), Kind::Length, bound, 0);
        let slots = FactorId(system.factors.len() as u32);
        for slot in 0..CAPACITY * 2 {
            let id = system.add(name("slot"), Kind::Slot, Width::Bits(8).interval(), 0);
            system.factors[id.index()].pool = FactorId(slots.0 + slot % 2);
        }
        all.push(Process { location, counter, got, length, slots });
    }
    for (number, own) in all.iter().enumerate() {
        let next = &all[(number + 1) % processes];
        for at in 0..LOCATIONS {
            let mut steps: Vec<Vec<Action>> = Vec::new();
            match at % 6 {
                0 => {
                    let increased = plus(own.counter, 1).cut(Some(Width::Bits(8)));
                    let count = Action::Set(vec![assign(own.counter, increased)]);
                    steps.push(vec![is(own.counter, Binary::Less, 20), count]);
                    let back = Action::Set(vec![assign(own.counter, Expr::Const(0))]);
                    steps.push(vec![is(own.counter, Binary::Equal, 20), back]);
                }
                1 | 4 => {
                    let row = |field: u32| {
                        Place::Element(Element {
                            first: FactorId(next.slots.0 + field),
                            stride: 2,
                            count: CAPACITY,
                            index: Box::new(Expr::Factor(next.length)),
                        })
                    };
                    let send = vec![
                        Assignment { place: row(0), value: Expr::Const(at % 6) },
                        Assignment { place: row(1), value: Expr::Factor(own.counter) },
                        assign(next.length, plus(next.length, 1)),
                    ];
                    steps.push(vec![
                        is(next.length, Binary::Less, CAPACITY as i32),
                        Action::Set(send),
                    ]);
                }
                2 | 5 => {
                    for kind in [1, 4] {
                        let mut taken = vec![
                            assign(own.got, Expr::Factor(FactorId(own.slots.0 + 1))),
                            assign(own.length, plus(own.length, -1)),
                        ];
                        for slot in 0..CAPACITY * 2 {
                            let value = match slot + 2 < CAPACITY * 2 {
                                true => Expr::Factor(FactorId(own.slots.0 + slot + 2)),
                                false => Expr::Const(0),
                            };
                            taken.push(assign(FactorId(own.slots.0 + slot), value));
                        }
                        steps.push(vec![
                            is(own.length, Binary::NotEqual, 0),
                            is(own.slots, Binary::Equal, kind),
                            Action::Set(taken),
                        ]);
                    }
                    steps.push(vec![is(own.length, Binary::Equal, 0)]);
                }
                _ => {
                    let less =
                        Expr::Factor(own.got).binary(Binary::Less, Expr::Factor(own.counter));
                    let take = Action::Set(vec![assign(shared, Expr::Factor(own.got))]);
                    steps.push(vec![Action::Require(less.clone()), take]);
                    steps.push(vec![Action::Require(less.negated())]);
                }
            }
            for mut actions in steps {
                actions.insert(0, is(own.location, Binary::Equal, at));
                let to = Expr::Const((at + 1) % LOCATIONS);
                actions.push(Action::Set(vec![assign(own.location, to)]));
                let mover = Mover { edge: at as u32, process: number as u32 };
                system.steps.push(Step { name: String::new(), mover, cost: 1, actions });
            }
        }
    }
    let at = |process: &Process| Expr::Factor(process.location).equals(LOCATIONS - 1);
    let conditions = vec![at(&all[0]), at(&all[processes / 2]), Expr::Factor(shared).equals(7)];
    system.goals.push(Goal { name: String::new(), conditions });
    system
}

/// States of a random walk.
fn walk(system: &System, length: usize) -> Vec<Vec<u8>> {
    let mut state = system.initial.clone();
    let mut random: u64 = 1;
    let mut states = Vec::new();
    while states.len() < length {
        let mut all = Vec::new();
        for step in &system.steps {
            successors(step, &state, &mut |next| all.push(next.to_vec())).expect("plain steps");
        }
        if all.is_empty() {
            all.push(system.initial.clone());
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state = all.swap_remove((random >> 33) as usize % all.len());
        states.push(state.iter().flat_map(|value| value.to_le_bytes()).collect());
    }
    states
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    println!("steps  values     channels  heuristic  microseconds  mean");
    for processes in [2, 4, 8] {
        let system = ring(processes);
        let states = walk(&system, 2000);
        for values in [Values::Sets, Values::Intervals] {
            for channels in [Channels::Pooled, Channels::Slots] {
                let reading = Arc::new(Bytes(system.factors.len()));
                let relaxation = Relaxation::new(&system, reading, Options { values, channels });
                for which in [Which::Layers, Which::Add, Which::Path] {
                    let mut heuristic = which.build(&relaxation);
                    if !names.is_empty() && !names.iter().any(|name| name == heuristic.name()) {
                        continue;
                    }
                    let begin = Instant::now();
                    let mut sum = 0;
                    for state in &states {
                        sum += heuristic.estimate(state).finite().map_or(0, |cost| cost.0);
                    }
                    let each = begin.elapsed().as_secs_f64() * 1e6 / states.len() as f64;
                    println!(
                        "{:5}  {:9}  {:8}  {:9}  {each:12.1}  {:.1}",
                        system.steps.len(),
                        format!("{values:?}"),
                        format!("{channels:?}"),
                        heuristic.name(),
                        f64::from(sum) / states.len() as f64
                    );
                }
            }
        }
    }
}
