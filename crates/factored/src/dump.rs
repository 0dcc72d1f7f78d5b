//! The textual form of a system.
//!
//! ```text
//! factor x 0..5 = 0
//! step P 3 "x < 5"
//!   require x < 5
//!   set x = x + 1
//! goal "x is 5"
//!   require x == 5
//! ```

use std::fmt::Write as _;

use crate::arithmetic::{Binary, IntWidth, Unary};
use crate::expr::{Element, FactorExpr};
use crate::factor::{FactorId, FactorKind};
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::system::{AssignmentTarget, Instruction, System};

/// A system as text; each factor with its range.
pub fn dump(system: &System, ranges: &Ranges) -> String {
    let mut text = String::new();
    for (at, factor) in system.factors.iter().enumerate() {
        let kind = match factor.kind {
            FactorKind::Location => "location",
            FactorKind::Variable => "variable",
            FactorKind::Slot => "slot",
            FactorKind::Length => "length",
            FactorKind::Claim => "claim",
            FactorKind::Error => "error",
        };
        let values = interval(ranges.get(FactorId(at as u32)));
        let many = if factor.is_summary { " many" } else { "" };
        let line = format!("{kind} {} {values} = {}{many}", factor.name, system.initial[at]);
        add(&mut text, &line);
    }
    for step in &system.steps {
        let beeline_kernel::StepLabel { edge, process } = step.label;
        let cost = if step.cost == 1 { String::new() } else { format!(" cost {}", step.cost) };
        add(&mut text, &format!("step {process} {edge}{cost} {:?}", step.name));
        for action in &step.actions {
            match action {
                Instruction::Require(condition) => {
                    add(&mut text, &format!("  require {}", expr(system, condition)));
                }
                Instruction::Set(all) => {
                    let each = all.iter().map(|one| {
                        let place = match &one.place {
                            AssignmentTarget::Factor(factor) => system.factor(*factor).name.clone(),
                            AssignmentTarget::Element(chosen) => element(system, chosen),
                        };
                        format!("{place} = {}", expr(system, &one.value))
                    });
                    add(&mut text, &format!("  set {}", each.collect::<Vec<_>>().join(", ")));
                }
            }
        }
    }
    for goal in &system.goals {
        add(&mut text, &format!("goal {:?}", goal.name));
        for condition in &goal.conditions {
            add(&mut text, &format!("  require {}", expr(system, condition)));
        }
    }
    text
}

fn add(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string succeeds");
}

fn interval(interval: Interval) -> String {
    match interval.single() {
        Some(value) => value.to_string(),
        None => format!("{}..{}", interval.least, interval.greatest),
    }
}

fn element(system: &System, chosen: &Element) -> String {
    let name = &system.factor(chosen.first).name;
    format!("{name}[+{} of {}]", expr(system, &chosen.index), chosen.count)
}

fn expr(system: &System, of: &FactorExpr) -> String {
    match of {
        FactorExpr::Const(value) => value.to_string(),
        FactorExpr::Factor(factor) => system.factor(*factor).name.clone(),
        FactorExpr::Element(chosen) => element(system, chosen),
        FactorExpr::Any(values) => format!("any({})", interval(*values)),
        FactorExpr::Unary(op, operand) => {
            let operand = expr(system, operand);
            match op {
                Unary::Not => format!("!{operand}"),
                Unary::Negate => format!("-{operand}"),
                Unary::BitNot => format!("~{operand}"),
                Unary::Cut(IntWidth::Bits(bits)) => format!("cut({bits}, {operand})"),
                Unary::Cut(IntWidth::Short) => format!("cut(short, {operand})"),
            }
        }
        FactorExpr::Binary(op, a, b) => {
            let op = match op {
                Binary::Add => "+",
                Binary::Subtract => "-",
                Binary::Multiply => "*",
                Binary::Divide => "/",
                Binary::Modulo => "%",
                Binary::BitAnd => "&",
                Binary::BitXor => "^",
                Binary::BitOr => "|",
                Binary::ShiftLeft => "<<",
                Binary::ShiftRight => ">>",
                Binary::Less => "<",
                Binary::LessEqual => "<=",
                Binary::Equal => "==",
                Binary::NotEqual => "!=",
                Binary::And => "&&",
                Binary::Or => "||",
            };
            format!("({} {op} {})", expr(system, a), expr(system, b))
        }
        FactorExpr::Conditional(condition, yes, no) => {
            format!("({} -> {} : {})", expr(system, condition), expr(system, yes), expr(system, no))
        }
    }
}
