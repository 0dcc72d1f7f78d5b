//! What is kept, as lines of a file of tables.

use std::fmt::Write as _;

use beeline_factored::{Binary, Expr, FactorId, Interval, System, Unary};

use crate::pattern::classes::Classes;
use crate::pattern::lens::Lens;

/// The lines of a table.
pub(crate) fn print(lenses: &[Lens], system: &System) -> String {
    let mut text = String::new();
    for lens in lenses {
        let line = match lens {
            Lens::Value(factor) => format!("keep {}", name(*factor, system)),
            Lens::Class(factor, classes) => {
                format!("classes {} = {}", name(*factor, system), shown(classes))
            }
            Lens::Truth(truth) => format!("predicate {}", expr(&truth.condition, system)),
        };
        writeln!(text, "{line}").expect("a string takes all that is written");
    }
    text
}

fn name(factor: FactorId, system: &System) -> String {
    format!("\"{}\"", system.factor(factor).name)
}

fn shown(classes: &Classes) -> String {
    let part = |part: &Interval| match part.single() {
        Some(value) => value.to_string(),
        None => format!("{}..{}", part.least, part.greatest),
    };
    match classes {
        Classes::Modulo(by) => format!("modulo {by}"),
        Classes::Sets(sets) => {
            let set = |set: &Vec<Interval>| {
                let parts: Vec<String> = set.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            };
            sets.iter().map(set).collect::<Vec<_>>().join(", ")
        }
    }
}

fn expr(of: &Expr, system: &System) -> String {
    match of {
        Expr::Const(value) => value.to_string(),
        Expr::Factor(factor) => name(*factor, system),
        Expr::Unary(Unary::Not, operand) => format!("!{}", expr(operand, system)),
        Expr::Unary(Unary::Negate, operand) => format!("-({})", expr(operand, system)),
        Expr::Binary(op, a, b) => {
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
        Expr::Unary(..) | Expr::Element(_) | Expr::Conditional(..) | Expr::Any(_) => {
            unreachable!("conditions have no such parts")
        }
    }
}
