//! Systems for tests: some by hand, and random ones. A state consists of its values, four bytes
//! each.

use std::sync::Arc;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Element, FactorExpr, FactorId, FactorKind, FactorReader,
    Goal, Instruction, IntWidth, Interval, Operator, System, Unary,
};
use beeline_kernel::StepLabel;

/// Decodes the bytes of values. Some factors are not reported while another one is 0.
pub(crate) struct Plain {
    pub(crate) factors: usize,
    pub(crate) unless: Vec<(FactorId, FactorId)>,
}

impl FactorReader for Plain {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        let value = |at: usize| {
            let bytes = state[at * 4..at * 4 + 4].try_into().expect("four bytes");
            i32::from_le_bytes(bytes)
        };
        for at in 0..self.factors {
            let id = FactorId(at as u32);
            let is_hidden =
                self.unless.iter().any(|(one, zero)| *one == id && value(zero.index()) == 0);
            if !is_hidden {
                tell(id, value(at));
            }
        }
        true
    }
}

pub(crate) fn plain(system: &System) -> Arc<dyn FactorReader> {
    Arc::new(Plain { factors: system.factors.len(), unless: Vec::new() })
}

pub(crate) fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(crate) fn factor(id: FactorId) -> FactorExpr {
    FactorExpr::Factor(id)
}

pub(crate) fn compare(id: FactorId, op: Binary, value: i32) -> FactorExpr {
    factor(id).binary(op, FactorExpr::Const(value))
}

pub(crate) fn require(condition: FactorExpr) -> Instruction {
    Instruction::Require(condition)
}

pub(crate) fn set(id: FactorId, value: FactorExpr) -> Instruction {
    Instruction::Set(vec![Assignment { place: AssignmentTarget::Factor(id), value }])
}

pub(crate) fn plus(id: FactorId, value: i32) -> FactorExpr {
    factor(id).binary(Binary::Add, FactorExpr::Const(value))
}

pub(crate) fn step(system: &mut System, name: &str, actions: Vec<Instruction>) {
    let label = StepLabel { edge: system.steps.len() as u32, process: 0 };
    system.steps.push(Operator::new(name.to_owned(), label, 1, actions));
}

pub(crate) fn goal(system: &mut System, conditions: Vec<FactorExpr>) {
    system.goals.push(Goal { name: "goal".to_owned(), conditions });
}

/// The program of [AWW15] Listing 1.1, with the claim of §2.
pub(crate) struct Listing {
    pub(crate) system: System,
    pub(crate) a: FactorId,
    pub(crate) b: FactorId,
    pub(crate) slot: FactorId,
    pub(crate) length: FactorId,
}

pub(crate) fn listing() -> Listing {
    let mut system = System::default();
    let location = system.add("S".into(), FactorKind::Location, Interval::TRUTH, 0);
    let a = system.add("a".into(), FactorKind::Variable, Interval::ALL, 0);
    let b = system.add("b".into(), FactorKind::Variable, Interval::ALL, 0);
    let slot = system.add("c".into(), FactorKind::Slot, Interval::ALL, 0);
    let length = system.add("len(c)".into(), FactorKind::Length, Interval::TRUTH, 0);
    let send = vec![
        require(compare(location, Binary::Equal, 0)),
        require(compare(length, Binary::Less, 1)),
        set(slot, factor(a)),
        set(length, plus(length, 1)),
        set(location, FactorExpr::Const(1)),
    ];
    step(&mut system, "c!a", send);
    let count = vec![
        require(compare(location, Binary::Equal, 1)),
        set(a, plus(a, 1)),
        set(location, FactorExpr::Const(0)),
    ];
    step(&mut system, "a++", count);
    let receive = vec![
        require(compare(length, Binary::NotEqual, 0)),
        set(b, factor(slot)),
        set(length, plus(length, -1)),
    ];
    step(&mut system, "c?b", receive);
    goal(&mut system, vec![compare(a, Binary::Equal, 2), compare(b, Binary::Equal, 1)]);
    Listing { system, a, b, slot, length }
}

/// Pseudorandom numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 24) % bound as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The contents of random systems.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Everything.
    All,
    /// Conditions on one factor, and values that depend on one factor.
    Single,
}

const COMPARISONS: [Binary; 4] = [Binary::Less, Binary::LessEqual, Binary::Equal, Binary::NotEqual];

/// The operators to draw from: sums and equality occur twice.
fn operators() -> Vec<Binary> {
    let often = |op| if matches!(op, Binary::Add | Binary::Equal) { 2 } else { 1 };
    Binary::ALL.into_iter().flat_map(|op| std::iter::repeat_n(op, often(op))).collect()
}

/// A random system.
pub(crate) fn random(seed: u64, parts: Parts) -> System {
    let mut maker = Maker {
        random: Random::new(seed),
        system: System::default(),
        bits: Vec::new(),
        row: 0,
        parts,
        operators: operators(),
    };
    maker.make();
    maker.system
}

struct Maker {
    random: Random,
    system: System,
    /// The width of each factor.
    bits: Vec<u8>,
    /// The number of factors that form an array, from the first on.
    row: u32,
    parts: Parts,
    operators: Vec<Binary>,
}

impl Maker {
    fn make(&mut self) {
        let same = 1 + self.random.below(2) as u8;
        self.row = 2 + self.random.below(2) as u32;
        let count = self.row as usize + 1 + self.random.below(3);
        for at in 0..count {
            let bits = match self.random.below(8) {
                _ if at < self.row as usize => same,
                0 => 9,
                other => 1 + other as u8 % 3,
            };
            let domain = IntWidth::Bits(bits).interval();
            let kind =
                if self.random.one_in(5) { FactorKind::Length } else { FactorKind::Variable };
            let initial = self.random.below(2) as i32;
            self.system.add(format!("f{at}"), kind, domain, initial);
            self.bits.push(bits);
        }
        // Some factors are the slots of one channel.
        if self.random.one_in(2) {
            for at in 0..self.row as usize {
                self.system.factors[at].pool = FactorId(0);
                self.system.factors[at].kind = FactorKind::Slot;
            }
        }
        for at in 0..4 + self.random.below(7) {
            let actions = self.actions();
            step(&mut self.system, &format!("s{at}"), actions);
            // Free additions with many values would be approximated by the full range.
            let is_exact = self.parts == Parts::Single;
            let is_large = self.bits.iter().any(|&bits| bits > 8);
            let is_free = self.random.one_in(7) && !(is_exact && is_large);
            self.system.steps.last_mut().expect("just added").cost = u32::from(!is_free);
        }
        for _ in 0..1 + self.random.below(2) {
            let conditions = (0..1 + self.random.below(3)).map(|_| match self.random.below(3) {
                0 if self.parts == Parts::All => self.disjunction(),
                _ => self.comparison(),
            });
            let conditions = conditions.collect();
            goal(&mut self.system, conditions);
        }
    }

    fn any_factor(&mut self) -> FactorId {
        FactorId(self.random.below(self.bits.len()) as u32)
    }

    fn comparison(&mut self) -> FactorExpr {
        let (id, op) = (self.any_factor(), self.random.of(&COMPARISONS));
        let most = if self.bits[id.index()] > 3 { 40 } else { 1 << self.bits[id.index()] };
        compare(id, op, self.random.below(most) as i32)
    }

    /// A disjunction of conjunctions.
    fn disjunction(&mut self) -> FactorExpr {
        let mut any = FactorExpr::Const(0);
        for _ in 0..2 + self.random.below(2) {
            let mut all = self.comparison();
            for _ in 0..self.random.below(3) {
                all = all.and(self.condition());
            }
            any = any.or(all);
        }
        any
    }

    fn actions(&mut self) -> Vec<Instruction> {
        let mut actions = vec![require(self.comparison())];
        for _ in 0..1 + self.random.below(4) {
            actions.push(match self.random.below(5) {
                0 | 1 => require(self.condition()),
                2 if self.parts == Parts::All && self.random.one_in(2) => {
                    require(self.disjunction())
                }
                _ => {
                    let all = (0..1 + self.random.below(2)).map(|_| self.assignment()).collect();
                    Instruction::Set(all)
                }
            });
        }
        actions
    }

    fn condition(&mut self) -> FactorExpr {
        if self.parts == Parts::All && self.random.one_in(2) {
            return self.expr(3);
        }
        self.comparison()
    }

    fn assignment(&mut self) -> Assignment {
        if self.parts == Parts::All && self.random.one_in(3) {
            let element = self.element(1);
            let value = self.expr(2).cut(Some(IntWidth::Bits(self.bits[0])));
            return Assignment { place: AssignmentTarget::Element(element), value };
        }
        let id = self.any_factor();
        let from = self.any_factor();
        let amount = self.random.below(4) as i32 - 1;
        let value = match self.random.below(4) {
            0 => FactorExpr::Const(amount),
            1 => plus(id, amount),
            2 => plus(from, amount),
            _ if self.parts == Parts::All => self.expr(3),
            _ => factor(from),
        };
        let value = value.cut(Some(IntWidth::Bits(self.bits[id.index()])));
        Assignment { place: AssignmentTarget::Factor(id), value }
    }

    fn element(&mut self, depth: usize) -> Element {
        let index = Box::new(self.expr(depth));
        let (stride, count) =
            if self.row == 3 && self.random.one_in(3) { (2, 2) } else { (1, self.row) };
        Element { first: FactorId(0), stride, count, index }
    }

    fn expr(&mut self, depth: usize) -> FactorExpr {
        let leaf = depth == 0 || self.random.one_in(4);
        match self.random.below(if leaf { 4 } else { 12 }) {
            0 => FactorExpr::Const(self.random.below(5) as i32 - 1),
            1 | 2 => factor(self.any_factor()),
            3 if self.random.one_in(3) => FactorExpr::Any(Interval { least: 0, greatest: 2 }),
            3 => factor(self.any_factor()),
            4 => FactorExpr::Element(self.element(depth - 1)),
            5 => {
                let width = Unary::Cut(self.random.of(&[IntWidth::Bits(2), IntWidth::Short]));
                let op = self.random.of(&[Unary::Not, Unary::Negate, Unary::BitNot, width]);
                FactorExpr::Unary(op, Box::new(self.expr(depth - 1)))
            }
            6 => FactorExpr::Conditional(
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
            ),
            _ => {
                let op = self.random.of(&self.operators);
                FactorExpr::Binary(
                    op,
                    Box::new(self.expr(depth - 1)),
                    Box::new(self.expr(depth - 1)),
                )
            }
        }
    }
}
