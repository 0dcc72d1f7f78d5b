//! Printer for pattern files.

use std::fmt::Write as _;

use beeline_factored::{Binary, FactorExpr, FactorId, Interval, System, Unary};

use crate::pattern::classes::ValueClasses;
use crate::pattern::feature::Feature;

/// The lines of a table.
pub(crate) fn print(features: &[Feature], system: &System) -> String {
    let mut text = String::new();
    for feature in features {
        let line = match feature {
            Feature::Value(factor) => format!("keep {}", name(*factor, system)),
            Feature::Class(factor, classes) => {
                format!("classes {} = {}", name(*factor, system), shown(classes))
            }
            Feature::Predicate(truth) => format!("predicate {}", expr(&truth.condition, system)),
        };
        writeln!(text, "{line}").expect("writing to a string succeeds");
    }
    text
}

fn name(factor: FactorId, system: &System) -> String {
    format!("\"{}\"", system.factor(factor).name)
}

fn shown(classes: &ValueClasses) -> String {
    let part = |part: &Interval| match part.single() {
        Some(value) => value.to_string(),
        None => format!("{}..{}", part.least, part.greatest),
    };
    match classes {
        ValueClasses::Modulo(by) => format!("modulo {by}"),
        ValueClasses::Sets(sets) => {
            let set = |set: &Vec<Interval>| {
                let parts: Vec<String> = set.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            };
            sets.iter().map(set).collect::<Vec<_>>().join(", ")
        }
    }
}

fn expr(of: &FactorExpr, system: &System) -> String {
    match of {
        FactorExpr::Const(value) => value.to_string(),
        FactorExpr::Factor(factor) => name(*factor, system),
        FactorExpr::Unary(Unary::Not, operand) => format!("!{}", expr(operand, system)),
        FactorExpr::Unary(Unary::Negate, operand) => format!("-({})", expr(operand, system)),
        FactorExpr::Binary(op, a, b) => {
            let op = match op {
                Binary::Or => "||",
                Binary::And => "&&",
                Binary::Equal => "==",
                Binary::NotEqual => "!=",
                Binary::Less => "<",
                Binary::LessEqual => "<=",
                Binary::Add => "+",
                Binary::Subtract => "-",
                Binary::Multiply => "*",
                Binary::Divide => "/",
                Binary::Modulo => "%",
                _ => unreachable!("conditions have no such operators"),
            };
            format!("({} {op} {})", expr(a, system), expr(b, system))
        }
        FactorExpr::Unary(..)
        | FactorExpr::Element(_)
        | FactorExpr::Conditional(..)
        | FactorExpr::Any(_) => {
            unreachable!("conditions have no such parts")
        }
    }
}
