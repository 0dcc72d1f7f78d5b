//! Costs of actions: by how much each one increases the metric.

use super::error::GroundError;
use super::ground_task::{GroundChange, GroundNumber, GroundOperation};
use crate::task::NumericChange;

/// A metric as a weighted sum of fluents.
#[derive(Debug, Default)]
pub(super) struct LinearMetric {
    /// Fluents with their weights.
    pub(super) weights: Vec<(u32, i64)>,
}

impl LinearMetric {
    /// The weights of a numeric expression.
    pub(super) fn of(expr: &GroundNumber) -> Result<LinearMetric, GroundError> {
        let mut metric = LinearMetric::default();
        metric.add(expr, 1)?;
        Ok(metric)
    }

    fn add(&mut self, expr: &GroundNumber, factor: i64) -> Result<(), GroundError> {
        let not_linear = || GroundError::Metric("it is not a weighted sum of functions".to_owned());
        match expr {
            GroundNumber::Const(_) => Ok(()),
            GroundNumber::Fluent(fluent) => {
                match self.weights.iter_mut().find(|one| one.0 == *fluent) {
                    Some((_, weight)) => *weight += factor,
                    None => self.weights.push((*fluent, factor)),
                }
                Ok(())
            }
            GroundNumber::Operation(GroundOperation::Add, a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)
            }
            GroundNumber::Operation(GroundOperation::Subtract, a, b) => {
                self.add(a, factor)?;
                self.add(b, -factor)
            }
            GroundNumber::Operation(GroundOperation::Multiply, a, b) => match (&**a, &**b) {
                (GroundNumber::Const(by), other) | (other, GroundNumber::Const(by)) => {
                    self.add(other, factor.checked_mul(*by).ok_or_else(not_linear)?)
                }
                _ => Err(not_linear()),
            },
            GroundNumber::Operation(GroundOperation::Divide, ..) => Err(not_linear()),
        }
    }

    /// The cost of an action with these effects; the flags tell whether an effect is conditional.
    pub(super) fn cost<'e>(
        &self,
        action: &str,
        effects: impl Iterator<Item = (bool, &'e GroundChange)>,
    ) -> Result<u32, GroundError> {
        let mut cost = 0i64;
        for (is_conditional, change) in effects {
            let GroundChange::Number(kind, fluent, value) = change else { continue };
            let Some((_, weight)) = self.weights.iter().find(|one| one.0 == *fluent) else {
                continue;
            };
            let why = |what: &str| GroundError::Metric(format!("action `{action}` {what}"));
            let GroundNumber::Const(value) = value else {
                return Err(why("has a cost that depends on the state"));
            };
            if is_conditional {
                return Err(why("has a conditional cost"));
            }
            cost += weight
                * match kind {
                    NumericChange::Increase => *value,
                    NumericChange::Decrease => -*value,
                    _ => return Err(why("sets a cost to a value")),
                };
        }
        u32::try_from(cost)
            .map_err(|_| GroundError::Metric(format!("action `{action}` has the cost {cost}")))
    }
}
