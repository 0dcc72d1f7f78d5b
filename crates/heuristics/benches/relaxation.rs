//! The cost of relaxation heuristics: microseconds for each estimate, on processes that exchange
//! messages and share variables. `cargo bench -p beeline-heuristics --bench relaxation`, with names
//! of heuristics to select some.

use std::sync::Arc;
use std::time::Instant;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Element, FactorExpr, FactorId, FactorKind, FactorReader,
    Goal, Instruction, IntWidth, Interval, Operator, System, successors,
};
use beeline_heuristics::relaxation::{
    ChannelModel, Relaxation, RelaxationOptions, RelaxedHeuristic, ValueSets,
};
use beeline_kernel::StepLabel;

/// The capacity of a channel, whose messages have two fields.
const CAPACITY: u32 = 3;
const LOCATIONS: i32 = 24;

struct Bytes(usize);

impl FactorReader for Bytes {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        for (at, value) in state.chunks_exact(4).take(self.0).enumerate() {
            let value = i32::from_le_bytes(value.try_into().expect("four bytes"));
            tell(FactorId(at as u32), value);
        }
        true
    }
}

fn is(factor: FactorId, op: Binary, value: i32) -> Instruction {
    Instruction::Require(FactorExpr::Factor(factor).binary(op, FactorExpr::Const(value)))
}

fn assign(factor: FactorId, value: FactorExpr) -> Assignment {
    Assignment { place: AssignmentTarget::Factor(factor), value }
}

fn plus(factor: FactorId, by: i32) -> FactorExpr {
    FactorExpr::Factor(factor).binary(Binary::Add, FactorExpr::Const(by))
}

struct Process {
    location: FactorId,
    counter: FactorId,
    got: FactorId,
    length: FactorId,
    slots: FactorId,
}

/// A ring of processes: each cycles through its locations, counts, sends its counter to the next
/// one, and receives.
fn ring(processes: usize) -> System {
    let mut system = System::default();
    let shared = system.add("shared".into(), FactorKind::Variable, IntWidth::Bits(8).interval(), 0);
    let mut all = Vec::new();
    for at in 0..processes {
        let name = |what: &str| format!("{what}{at}");
        let places = Interval { least: 0, greatest: i64::from(LOCATIONS) - 1 };
        let location = system.add(name("at"), FactorKind::Location, places, 0);
        let counter =
            system.add(name("counter"), FactorKind::Variable, IntWidth::Bits(8).interval(), 0);
        let got = system.add(name("got"), FactorKind::Variable, IntWidth::Bits(8).interval(), 0);
        let bound = Interval { least: 0, greatest: i64::from(CAPACITY) };
        let length = system.add(name("length"), FactorKind::Length, bound, 0);
        let slots = FactorId(system.factors.len() as u32);
        for slot in 0..CAPACITY * 2 {
            let id = system.add(name("slot"), FactorKind::Slot, IntWidth::Bits(8).interval(), 0);
            system.factors[id.index()].pool = FactorId(slots.0 + slot % 2);
        }
        all.push(Process { location, counter, got, length, slots });
    }
    for (number, own) in all.iter().enumerate() {
        let next = &all[(number + 1) % processes];
        for at in 0..LOCATIONS {
            let mut steps: Vec<Vec<Instruction>> = Vec::new();
            match at % 6 {
                0 => {
                    let increased = plus(own.counter, 1).cut(Some(IntWidth::Bits(8)));
                    let count = Instruction::Set(vec![assign(own.counter, increased)]);
                    steps.push(vec![is(own.counter, Binary::Less, 20), count]);
                    let back = Instruction::Set(vec![assign(own.counter, FactorExpr::Const(0))]);
                    steps.push(vec![is(own.counter, Binary::Equal, 20), back]);
                }
                1 | 4 => {
                    let row = |field: u32| {
                        AssignmentTarget::Element(Element {
                            first: FactorId(next.slots.0 + field),
                            stride: 2,
                            count: CAPACITY,
                            index: Box::new(FactorExpr::Factor(next.length)),
                        })
                    };
                    let send = vec![
                        Assignment { place: row(0), value: FactorExpr::Const(at % 6) },
                        Assignment { place: row(1), value: FactorExpr::Factor(own.counter) },
                        assign(next.length, plus(next.length, 1)),
                    ];
                    steps.push(vec![
                        is(next.length, Binary::Less, CAPACITY as i32),
                        Instruction::Set(send),
                    ]);
                }
                2 | 5 => {
                    for kind in [1, 4] {
                        let mut taken = vec![
                            assign(own.got, FactorExpr::Factor(FactorId(own.slots.0 + 1))),
                            assign(own.length, plus(own.length, -1)),
                        ];
                        for slot in 0..CAPACITY * 2 {
                            let value = match slot + 2 < CAPACITY * 2 {
                                true => FactorExpr::Factor(FactorId(own.slots.0 + slot + 2)),
                                false => FactorExpr::Const(0),
                            };
                            taken.push(assign(FactorId(own.slots.0 + slot), value));
                        }
                        steps.push(vec![
                            is(own.length, Binary::NotEqual, 0),
                            is(own.slots, Binary::Equal, kind),
                            Instruction::Set(taken),
                        ]);
                    }
                    steps.push(vec![is(own.length, Binary::Equal, 0)]);
                }
                _ => {
                    let less = FactorExpr::Factor(own.got)
                        .binary(Binary::Less, FactorExpr::Factor(own.counter));
                    let take = Instruction::Set(vec![assign(shared, FactorExpr::Factor(own.got))]);
                    steps.push(vec![Instruction::Require(less.clone()), take]);
                    steps.push(vec![Instruction::Require(less.negated())]);
                }
            }
            for mut actions in steps {
                actions.insert(0, is(own.location, Binary::Equal, at));
                let to = FactorExpr::Const((at + 1) % LOCATIONS);
                actions.push(Instruction::Set(vec![assign(own.location, to)]));
                let label = StepLabel { edge: at as u32, process: number as u32 };
                system.steps.push(Operator::new(String::new(), label, 1, actions));
            }
        }
    }
    let at = |process: &Process| FactorExpr::Factor(process.location).equals(LOCATIONS - 1);
    let conditions =
        vec![at(&all[0]), at(&all[processes / 2]), FactorExpr::Factor(shared).equals(7)];
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
        for values in [ValueSets::Sets, ValueSets::Intervals] {
            for channels in [ChannelModel::Pooled, ChannelModel::Slots] {
                let reading = Arc::new(Bytes(system.factors.len()));
                let relaxation =
                    Relaxation::new(&system, reading, RelaxationOptions { values, channels });
                for which in
                    [RelaxedHeuristic::Layers, RelaxedHeuristic::Add, RelaxedHeuristic::Path]
                {
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
