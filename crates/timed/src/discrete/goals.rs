//! Conditions of queries as goals: one for each case, a conjunction.

use beeline_factored::{Binary, FactorExpr, Goal, Interval};

use super::expressions::Translator;
use crate::semantics::goal::QueryGoal;

/// The most cases of a condition that become goals of their own.
const MOST_GOALS: usize = 300;

impl Translator<'_> {
    /// The condition of a goal.
    pub(super) fn condition(&mut self, goal: &QueryGoal) -> FactorExpr {
        self.begin(&[]);
        let condition = self.truth(&goal.code);
        if goal.holds { condition } else { condition.negated() }
    }

    /// The goals of a condition. Comparisons of clocks may hold.
    pub(super) fn goals(&mut self, goal: &QueryGoal) -> Vec<Goal> {
        let condition = self.condition(goal);
        let cases = match cases(&condition) {
            Some(cases) => cases,
            None => vec![vec![condition]],
        };
        let named = cases.into_iter().enumerate();
        named
            .map(|(at, conditions)| Goal { name: format!("goal {}", at + 1), conditions })
            .collect()
    }
}

/// The cases of a condition, each the parts of a conjunction; `None` if there are too many.
fn cases(condition: &FactorExpr) -> Option<Vec<Vec<FactorExpr>>> {
    Some(match condition {
        FactorExpr::Const(0) => Vec::new(),
        FactorExpr::Const(_) => vec![Vec::new()],
        FactorExpr::Any(all) if *all == Interval::TRUTH => vec![Vec::new()],
        FactorExpr::Binary(Binary::Or, one, other) => {
            let mut all = cases(one)?;
            for case in cases(other)? {
                if !all.contains(&case) {
                    all.push(case);
                }
            }
            (all.len() <= MOST_GOALS).then_some(all)?
        }
        FactorExpr::Binary(Binary::And, one, other) => {
            let (one, other) = (cases(one)?, cases(other)?);
            if one.len() * other.len() > MOST_GOALS {
                return None;
            }
            let mut all = Vec::new();
            for (a, b) in one.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                let mut case = a.clone();
                case.extend(b.iter().filter(|part| !a.contains(part)).cloned());
                // The order of the parts has no meaning: equal cases are found.
                case.sort_by_cached_key(|part| format!("{part:?}"));
                if !all.contains(&case) {
                    all.push(case);
                }
            }
            all
        }
        other => vec![vec![other.clone()]],
    })
}
