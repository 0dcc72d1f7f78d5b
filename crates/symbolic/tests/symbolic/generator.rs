//! Random factored systems: locations, variables and an array of few values, operators with
//! computed indices, conditionals, unknown values, control, shut-outs and failures.

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Element, FactorExpr, FactorId, FactorKind, Instruction,
    IntWidth, Interval, Operator, ShutOutId, System, Unary,
};
use beeline_kernel::{FaultKind, SplitMix64, StepLabel};

/// A random system. Shut-out sets have operators with smaller numbers only, so that some operator
/// is applicable wherever one is shut out.
pub(crate) fn system(seed: u64) -> System {
    let mut rng = SplitMix64::new(seed);
    let mut system = System::default();
    let mut maker = Maker { rng: &mut rng, variables: Vec::new(), row: None };
    maker.factors(&mut system);
    let processes = 1 + maker.rng.below(3) as u32;
    let (has_control, has_shut_outs) = (maker.rng.below(2) == 0, maker.rng.below(2) == 0);
    for edge in 0..6 + maker.rng.below(12) as u32 {
        let process = maker.rng.below(processes as usize) as u32;
        let actions = maker.actions(FactorId(process));
        let label = StepLabel { edge, process };
        let mut operator = Operator::new(format!("step {edge}"), label, 1, actions);
        operator.fails = (maker.rng.below(8) == 0).then_some(FaultKind::Division);
        if has_control && maker.rng.below(3) == 0 {
            let is_own = maker.rng.below(4) > 0;
            let other = maker.rng.below(processes as usize) as u32;
            operator.holds = Some(if is_own { process } else { other });
        }
        if has_shut_outs && maker.rng.below(3) == 0 {
            let all = maker.rng.below(2) == 0;
            let set = (0..edge).filter(|_| all || maker.rng.below(3) == 0).collect();
            operator.shut_out_by = Some(ShutOutId(system.shut_outs.len() as u32));
            system.shut_outs.push(set);
        }
        system.steps.push(operator);
    }
    maker.add_reports(&mut system);
    let end = maker.rng.below(3) as i32;
    system.valid_end = Some(FactorExpr::Factor(FactorId(0)).equals(end));
    system
}

/// A random condition on the factors of [`system`].
pub(crate) fn condition(system: &System, seed: u64) -> FactorExpr {
    let mut rng = SplitMix64::new(seed);
    let variables = (0..system.factors.len() as u32).map(FactorId).collect();
    let last = system.factors.iter().rposition(|factor| factor.name == "row 0");
    let row = last.map(|first| (FactorId(first as u32), 1, 3));
    Maker { rng: &mut rng, variables, row }.expr(4)
}

struct Maker<'r> {
    rng: &'r mut SplitMix64,
    variables: Vec<FactorId>,
    /// First factor, stride and length of an array.
    row: Option<(FactorId, u32, u32)>,
}

impl Maker<'_> {
    fn factors(&mut self, system: &mut System) {
        for process in 0..3 {
            let locations = Interval { least: 0, greatest: 2 };
            system.add(format!("location {process}"), FactorKind::Location, locations, 0);
        }
        let bits = |bits: u8| IntWidth::Bits(bits).interval();
        for at in 0..1 + self.rng.below(3) {
            let domain = bits(1 + self.rng.below(2) as u8);
            let initial = self.rng.below(2) as i32;
            let kind = FactorKind::Variable;
            self.variables.push(system.add(format!("variable {at}"), kind, domain, initial));
        }
        if self.rng.below(3) > 0 {
            let stride = 1 + self.rng.below(2) as u32;
            for at in 0..3 * stride {
                let domain = bits(1);
                let factor = system.add(format!("row {at}"), FactorKind::Variable, domain, 0);
                if at == 0 {
                    self.row = Some((factor, stride, 3));
                }
            }
        }
    }

    fn actions(&mut self, location: FactorId) -> Vec<Instruction> {
        let mut actions = Vec::new();
        if self.rng.below(5) > 0 {
            let from = self.rng.below(3) as i32;
            actions.push(Instruction::Require(FactorExpr::Factor(location).equals(from)));
        }
        for _ in 0..1 + self.rng.below(2) {
            if self.rng.below(3) == 0 {
                actions.push(Instruction::Require(self.expr(3)));
            }
            let set = (0..1 + self.rng.below(2)).map(|_| self.assignment()).collect();
            actions.push(Instruction::Set(set));
        }
        let to = FactorExpr::Const(self.rng.below(3) as i32);
        let place = AssignmentTarget::Factor(location);
        actions.push(Instruction::Set(vec![Assignment { place, value: to }]));
        actions
    }

    /// Adds operators that report faults of others, which go on.
    fn add_reports(&mut self, system: &mut System) {
        for at in 0..system.steps.len() {
            let step = &system.steps[at];
            if step.fails.is_none() && self.rng.below(6) == 0 {
                let mut report = step.clone();
                report.actions.insert(0, Instruction::Require(self.expr(2)));
                (report.fails, report.holds) = (Some(FaultKind::Assertion), None);
                system.steps.push(report);
            }
        }
    }

    fn assignment(&mut self) -> Assignment {
        // Values are truncated to the smallest domain, so that none is outside of its domain.
        let value = self.expr(2).cut(Some(IntWidth::Bits(1)));
        let place = match self.element(1) {
            Some(element) if self.rng.below(2) == 0 => AssignmentTarget::Element(element),
            _ => AssignmentTarget::Factor(self.variable()),
        };
        Assignment { place, value }
    }

    fn variable(&mut self) -> FactorId {
        self.variables[self.rng.below(self.variables.len())]
    }

    fn element(&mut self, depth: usize) -> Option<Element> {
        let (first, stride, count) = self.row?;
        Some(Element { first, stride, count, index: Box::new(self.expr(depth)) })
    }

    fn expr(&mut self, depth: usize) -> FactorExpr {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => FactorExpr::Const(self.rng.below(4) as i32 - 1),
                _ => FactorExpr::Factor(self.variable()),
            };
        }
        let deeper = depth - 1;
        match self.rng.below(10) {
            0 => FactorExpr::Any(Interval { least: 0, greatest: self.rng.below(3) as i64 }),
            1 => FactorExpr::Unary(Unary::Not, Box::new(self.expr(deeper))),
            2 => {
                let parts = [(); 3].map(|()| Box::new(self.expr(deeper)));
                let [condition, yes, no] = parts;
                FactorExpr::Conditional(condition, yes, no)
            }
            3 | 4 => match self.element(deeper) {
                Some(element) => FactorExpr::Element(element),
                None => self.expr(deeper),
            },
            _ => {
                let op = Binary::ALL[self.rng.below(Binary::ALL.len())];
                let (a, b) = (self.expr(deeper), self.expr(deeper));
                FactorExpr::Binary(op, Box::new(a), Box::new(b))
            }
        }
    }
}
