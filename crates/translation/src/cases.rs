//! Cases: the combinations of values that decide, found by asking for one variable after the other.

use std::ops::ControlFlow;

use beeline_factored::FactorId;

use crate::evaluate::Need;

/// The values that variables are known to have.
pub(crate) type Known = Vec<Option<i32>>;

/// The enumeration of cases.
pub(crate) struct Cases<'a> {
    /// The possible values of each variable.
    pub(crate) values: &'a [Vec<i32>],
    /// How many evaluations are left.
    pub(crate) left: &'a mut u64,
}

/// Too many evaluations were needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyCases;

impl Cases<'_> {
    /// Reports the cases in which `run` has a result, with the variables that were asked for beyond
    /// what is known.
    pub(crate) fn each<T>(
        &mut self,
        known: &mut Known,
        run: &mut impl FnMut(&Known) -> Result<Option<T>, Need>,
        tell: &mut impl FnMut(&Known, &[FactorId], T) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TooManyCases> {
        self.from(known, &mut Vec::new(), run, tell)
    }

    fn from<T>(
        &mut self,
        known: &mut Known,
        asked: &mut Vec<FactorId>,
        run: &mut impl FnMut(&Known) -> Result<Option<T>, Need>,
        tell: &mut impl FnMut(&Known, &[FactorId], T) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TooManyCases> {
        *self.left = self.left.checked_sub(1).ok_or(TooManyCases)?;
        let Need(factor) = match run(known) {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some(result)) => return Ok(tell(known, asked, result)),
            Err(need) => need,
        };
        asked.push(factor);
        for &value in &self.values[factor.index()] {
            known[factor.index()] = Some(value);
            if self.from(known, asked, run, tell)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        known[factor.index()] = None;
        asked.pop();
        Ok(ControlFlow::Continue(()))
    }
}
