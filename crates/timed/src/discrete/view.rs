//! The factored view of a network for a query.

use std::sync::Arc;

use beeline_factored::{
    Deviation, FactorExpr, FactorReader, FactoredView, Goal, Operator, Ranges, System,
};

use super::effects::may_have_no_value;
use super::expressions::Translator;
use super::operators::Operators;
use super::reader::DiscreteReader;
use crate::network::TimedNetwork;
use crate::semantics::goal::QueryGoal;
use crate::semantics::layout::ZoneLayout;

/// Whether the condition of a query is about locations or variables: then its distance is known.
pub fn guides(net: &TimedNetwork, goal: &QueryGoal) -> bool {
    let goals = Translator::new(net, &mut System::default()).goals(goal);
    goals.iter().all(|goal| !goal.conditions.is_empty())
}

/// Whether the evaluation of a query may fail in some state.
pub fn may_fail(goal: &QueryGoal) -> bool {
    may_have_no_value(&goal.code)
}

/// The discrete part of a network, for any query.
pub struct DiscreteView<'n> {
    net: &'n TimedNetwork,
    /// Without goals.
    system: System,
    failing: Vec<Operator>,
    ranges: Ranges,
    reading: Arc<dyn FactorReader>,
    failed: FactorExpr,
}

impl<'n> DiscreteView<'n> {
    /// The view of a network.
    ///
    /// # Errors
    ///
    /// When the network has too many steps, in words.
    pub fn new(net: &'n TimedNetwork, layout: &ZoneLayout) -> Result<DiscreteView<'n>, String> {
        let mut system = System::default();
        let made = Operators::new(net, &mut system)
            .map_err(|_| "the network has too many synchronisations".to_owned())?;
        let Operators { translator, steps, failing, .. } = made;
        system.steps = steps;
        system.precision.lose("clocks are left out", Deviation::MoreSteps);
        let reading = Arc::new(DiscreteReader::new(net, &translator.factors, layout));
        let ranges = Ranges::of(&system);
        let failed = FactorExpr::Factor(translator.factors.failed);
        Ok(DiscreteView { net, system, failing, ranges, reading, failed })
    }

    /// The view whose goals are the states in which the condition of a query holds.
    pub fn for_goal(&self, goal: &QueryGoal) -> FactoredView {
        let goals = Translator::new(self.net, &mut System::default()).goals(goal);
        let system = System { goals, ..self.system.clone() };
        self.with(system, self.ranges.clone())
    }

    /// What holds in all states in which a goal does not; `None` if clocks decide that, or anything
    /// else that the view does not have.
    pub fn invariant(&self, goal: &QueryGoal) -> Option<FactorExpr> {
        let condition = Translator::new(self.net, &mut System::default()).condition(goal);
        (condition.is_determined() && !may_fail(goal)).then(|| condition.negated())
    }

    /// The view whose goals are failed steps.
    pub fn for_faults(&self) -> FactoredView {
        let mut system = self.system.clone();
        system.steps.extend(self.failing.iter().cloned());
        let conditions = vec![self.failed.clone()];
        system.goals = vec![Goal { name: "failed".to_owned(), conditions }];
        let ranges = Ranges::of(&system);
        self.with(system, ranges)
    }

    fn with(&self, system: System, ranges: Ranges) -> FactoredView {
        FactoredView { system: Arc::new(system), ranges, reading: self.reading.clone() }
    }
}
