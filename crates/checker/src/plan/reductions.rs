//! The registry of partial order reductions, and the parsing of their specs.

use beeline_kernel::registry::{self, ArgumentError, ArgumentRow, Arguments, Row};
use beeline_kernel::spec::Spec;
use beeline_search::{Backoff, CycleCondition};

use super::error::PlanError;

/// The requested partial order reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionChoice {
    /// The reduced proof of the automatic strategy, while it pays; none for a search by name.
    #[default]
    Auto,
    /// No reduction.
    Off,
    /// Stubborn sets.
    Stubborn {
        /// The cycle condition; `None` for the one that suits the search and the property.
        c3: Option<CycleProviso>,
        /// When to suspend the reduction.
        effort: Backoff,
        /// Path compression: states with a single kept transition are not stored.
        pass: bool,
    },
}

/// The cycle condition C3, by which no step is postponed indefinitely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleProviso {
    /// By the model: edges that lead back in a process automaton are never chosen alone.
    Static,
    /// By the search: a condition on the successors.
    Condition(CycleCondition),
}

/// A row of the registry of reductions.
pub type ReductionRow = Row<fn(&Arguments<'_>) -> Result<ReductionChoice, ArgumentError>>;

/// All reductions. The first is the default.
pub const REDUCTIONS: &[ReductionRow] = &[
    ReductionRow {
        name: "auto",
        aliases: &[],
        arguments: &[],
        about: "stubborn sets for the exhaustive search of the automatic strategy, and for the \
                searches of `plan` for optimal plans, as long as they pay; with --search, no reduction",
        promises: Some("the same verdicts as without a reduction"),
        source: None,
        build: |_| Ok(ReductionChoice::Auto),
    },
    ReductionRow {
        name: "off",
        aliases: &["none"],
        arguments: &[],
        about: "no reduction: every transition of every state is explored",
        promises: Some("no state is omitted"),
        source: None,
        build: |_| Ok(ReductionChoice::Off),
    },
    ReductionRow {
        name: "stubborn",
        aliases: &["ample"],
        arguments: &[
            ArgumentRow::new(
                "c3",
                "best, none, stack, stack-, duplicate, duplicate-, open, static",
                "cycle condition, so that no step is postponed for ever: the best for the search \
                 and the property; none (for deadlocks); no successor on the stack, or not all \
                 (stack-); no successor generated before, or not all (duplicate-); not all \
                 successors expanded before (open); or no edge that may close a cycle of a \
                 process (static)",
            ),
            ArgumentRow::new(
                "when",
                "always, or pays",
                "whether the reduction is always used, or given up if it omits hardly any step of \
                 the first ten thousand states",
            ),
            ArgumentRow::new(
                "pass",
                "no, or yes",
                "path compression: a state with a single explored step is not stored, which takes \
                 less memory and more time; for deadlocks alone, with bfs, dfs and random-dfs",
            ),
        ],
        about: "partial order reduction by stubborn sets: in each state, only the steps of some \
                processes are explored, and those of the others, which are independent, are \
                postponed. For deadlocks alone, the reduction is strongest. In planning \
                tasks, only the operators are explored with which a cheapest plan can begin",
        promises: Some(
            "the same verdicts as without a reduction; trails need not be shortest, but \
             optimal plans stay so. Liveness properties are reduced with ndfs, indfs, cndfs and scc, without X \
             and --fair",
        ),
        source: None,
        build: stubborn,
    },
];

/// Parses a reduction as written on the command line.
///
/// # Errors
///
/// When the syntax, the name or an argument is wrong.
pub fn parse_reduction(text: &str) -> Result<ReductionChoice, PlanError> {
    let spec = Spec::parse(text)?;
    let Some(row) = registry::find(REDUCTIONS, &spec.name) else {
        let known = registry::names(REDUCTIONS).into_iter().map(str::to_owned).collect();
        return Err(PlanError::Unknown { kind: "reduction", name: spec.name, known });
    };
    Ok((row.build)(&Arguments::new(row.name, &spec, row.arguments)?)?)
}

/// Parses the arguments of stubborn sets.
fn stubborn(arguments: &Arguments<'_>) -> Result<ReductionChoice, ArgumentError> {
    let mut provisos = vec![("best", None), ("static", Some(CycleProviso::Static))];
    let conditions = CycleCondition::ALL.into_iter();
    provisos.extend(conditions.map(|one| (one.word(), Some(CycleProviso::Condition(one)))));
    let c3 = arguments.choice("c3", &provisos)?;
    let efforts = [("always", Backoff::Always), ("pays", Backoff::WhenItPays)];
    let effort = arguments.choice("when", &efforts)?;
    let pass = arguments.choice("pass", &[("no", false), ("yes", true)])?;
    Ok(ReductionChoice::Stubborn { c3, effort, pass })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_asked_for_by_its_name_alone() {
        let stubborn = ReductionChoice::Stubborn { c3: None, effort: Backoff::Always, pass: false };
        let expected = [ReductionChoice::Auto, ReductionChoice::Off, stubborn];
        assert_eq!(expected.len(), REDUCTIONS.len());
        for (row, expected) in REDUCTIONS.iter().zip(expected) {
            assert_eq!(parse_reduction(row.name), Ok(expected));
        }
    }

    #[test]
    fn arguments_make_the_difference() {
        let minus = CycleProviso::Condition(CycleCondition::StackMinus);
        let stubborn = |c3, effort, pass| ReductionChoice::Stubborn { c3: Some(c3), effort, pass };
        let reduce = stubborn(minus, Backoff::WhenItPays, false);
        assert_eq!(parse_reduction("stubborn(c3=stack-, when=pays)"), Ok(reduce));
        let none = CycleProviso::Condition(CycleCondition::None);
        let reduce = stubborn(none, Backoff::Always, true);
        assert_eq!(parse_reduction("stubborn(none, pass=yes)"), Ok(reduce));
        let reduce = stubborn(CycleProviso::Static, Backoff::Always, false);
        assert_eq!(parse_reduction("stubborn(static)"), Ok(reduce));
        assert_eq!(parse_reduction("ample(static)"), Ok(reduce));
        assert_eq!(parse_reduction("none"), Ok(ReductionChoice::Off));
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text| parse_reduction(text).expect_err("it is wrong").to_string();
        assert!(wrong("sleep").contains("there is no reduction `sleep`; there are: auto"));
        assert!(wrong("off(1)").contains("takes no arguments"));
        assert!(wrong("stubborn(c3=heap)").contains("`c3` must be one of best, static, none"));
        assert!(wrong("stubborn(when=never)").contains("`when` must be one of always, pays"));
    }
}
