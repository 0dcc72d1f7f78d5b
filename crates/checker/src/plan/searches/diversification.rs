//! The arguments that diversify best-first search: rows and parsing.

use beeline_kernel::registry::{ArgumentError, ArgumentRow, Arguments, Expected};
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_search::{Diversification, NoveltyWidth, UselessSteps, Weight};

use super::options::{fraction, heuristic_of};
use crate::plan::error::PlanError;

/// The default boost of the open lists of preferred steps, as in LAMA.
const BOOST: usize = 1000;

/// The argument for one or several heuristics.
pub(crate) const HEURISTIC_LIST: ArgumentRow = ArgumentRow::new(
    "h",
    "auto, or any of `beeline list heuristics`, or several: [h1, h2]",
    "the heuristic; auto is the default of the property. Each of several heuristics has an open \
     list with all states, and the lists alternate",
);

/// The arguments of diversification: the search does not follow the order of one estimate.
pub(crate) const PREFERRED: ArgumentRow = ArgumentRow::new(
    "preferred",
    "no, yes",
    "one more open list per heuristic, for states reached by preferred steps; no effect if no \
     heuristic prefers steps",
);
pub(crate) const BOOSTED: ArgumentRow = ArgumentRow::new(
    "boost",
    "1000, or any number",
    "extra turns of these lists after an estimate that is less than all before",
);
pub(crate) const USELESS: ArgumentRow = ArgumentRow::new(
    "useless",
    "ignore, penalty",
    "whether a state comes after all others if all steps that lead to it are useless",
);
pub(crate) const EPSILON: ArgumentRow = ArgumentRow::new(
    "epsilon",
    "0, or any number up to 1",
    "probability that a random open state is expanded",
);
pub(crate) const TYPES: ArgumentRow = ArgumentRow::new(
    "types",
    "no, yes",
    "one more open list: a random state of a random pair of depth and estimate",
);
pub(crate) const NOVELTY: ArgumentRow = ArgumentRow::new(
    "novelty",
    "no, 1, 2",
    "states come first in which some byte (2: or some pair of bytes) has a value that it had in \
     no earlier state with the same estimate; then the estimate decides",
);
pub(crate) const SEED: ArgumentRow =
    ArgumentRow::new("seed", "the value of --seed, or any number", "seed of `epsilon` and `types`");

/// The arguments that `gbfs` has and `astar` has not.
const GREEDY_ONLY: [&str; 7] =
    [PREFERRED.name, BOOSTED.name, USELESS.name, EPSILON.name, TYPES.name, NOVELTY.name, SEED.name];

/// Whether only greedy search has this argument.
pub(super) fn is_greedy_only(key: &str) -> bool {
    GREEDY_ONLY.contains(&key)
}

/// Parses one heuristic or a list of heuristics; `None` stands for the usual one.
pub(super) fn heuristics(
    arguments: &Arguments<'_>,
) -> Result<(Option<Spec>, Vec<Option<Spec>>), PlanError> {
    let one = |value: &SpecValue| match value.text() {
        Some("auto") => Ok(None),
        _ => heuristic_of(value).map(Some),
    };
    match arguments.value(HEURISTIC_LIST.name) {
        None => Ok((None, Vec::new())),
        Some(SpecValue::List(values)) => {
            let mut all = values.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            if all.is_empty() {
                return Err(PlanError::EmptyList);
            }
            let first = all.remove(0);
            Ok((first, all))
        }
        Some(value) => Ok((one(value)?, Vec::new())),
    }
}

/// The arguments of diversification: the search does not follow the order of one estimate.
pub(super) fn diversification(
    arguments: &Arguments<'_>,
    seed: u64,
) -> Result<Diversification, PlanError> {
    let preferred = flag(arguments, PREFERRED.name)?;
    let boost = arguments.count(BOOSTED.name, 0, u32::MAX as usize)?;
    if boost.is_some() && !preferred {
        return Err(PlanError::BoostAlone);
    }
    let choices = [("ignore", UselessSteps::Ignored), ("penalty", UselessSteps::Last)];
    let useless = arguments.choice(USELESS.name, &choices)?;
    let (chance, types) = (chance(arguments, EPSILON.name)?, flag(arguments, TYPES.name)?);
    let own = arguments.count(SEED.name, 0, usize::MAX)?;
    let is_random = chance.over > 0 || types;
    if own.is_some() && !is_random {
        return Err(PlanError::SeedAlone);
    }
    Ok(Diversification {
        preferred: preferred.then_some(boost.unwrap_or(BOOST) as u32),
        useless,
        chance,
        types,
        novelty: width(arguments, NOVELTY.name)?,
        // Without randomness, the seed makes no difference.
        seed: if is_random { own.map_or(seed, |own| own as u64) } else { 0 },
    })
}

/// Parses yes or no, or true or false.
fn flag(arguments: &Arguments<'_>, name: &'static str) -> Result<bool, ArgumentError> {
    let Some(value) = arguments.value(name) else { return Ok(false) };
    match value.text() {
        Some("no" | "false") => Ok(false),
        Some("yes" | "true") => Ok(true),
        _ => Err(arguments.refuse(name, Expected::OneOf(vec!["no", "yes"]))),
    }
}

/// Parses a number from 0 to 1 as a fraction.
fn chance(arguments: &Arguments<'_>, name: &'static str) -> Result<Weight, ArgumentError> {
    const UNDER: u16 = 10_000;
    let Some(value) = arguments.value(name) else { return Ok(Diversification::NONE.chance) };
    let Some(number) = value.number().filter(|number| (0.0..=1.0).contains(number)) else {
        return Err(arguments.refuse(name, Expected::Fraction));
    };
    Ok(fraction((number * f64::from(UNDER)).round() as u16, UNDER))
}

fn width(
    arguments: &Arguments<'_>,
    name: &'static str,
) -> Result<Option<NoveltyWidth>, ArgumentError> {
    let Some(value) = arguments.value(name) else { return Ok(None) };
    match (value.text(), value.number()) {
        (Some("no"), _) => Ok(None),
        (_, Some(1.0)) => Ok(Some(NoveltyWidth::One)),
        (_, Some(2.0)) => Ok(Some(NoveltyWidth::Two)),
        _ => Err(arguments.refuse(name, Expected::OneOf(vec!["no", "1", "2"]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::HeuristicNames;
    use beeline_heuristics::HEURISTICS;

    /// The names of the heuristics for Promela.
    fn promela() -> HeuristicNames {
        let listed = HEURISTICS.iter().map(|row| row.name).collect();
        let others = HEURISTICS.iter().flat_map(|row| row.aliases).copied().collect();
        HeuristicNames { listed, others }
    }
    use crate::plan::searches::{DirectedConfig, Strategy, parse_search};

    fn directed(text: &str) -> DirectedConfig {
        match parse_search(text, 9, &promela()).map(|search| search.strategy) {
            Ok(Strategy::Directed(directed)) => directed,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn variety(text: &str) -> Diversification {
        let algorithm = directed(text).algorithm;
        algorithm.best_first().expect("it is best-first search").diversification
    }

    #[test]
    fn arguments_make_the_difference() {
        let none = Diversification::NONE;
        let chance = |over, under| Weight { over, under };
        for (text, expected) in [
            ("gbfs", none),
            ("gbfs(preferred=no, epsilon=0, types=false, novelty=no, useless=ignore)", none),
            ("gbfs(preferred=true)", Diversification { preferred: Some(1000), ..none }),
            ("gbfs(preferred=yes, boost=0)", Diversification { preferred: Some(0), ..none }),
            ("gbfs(useless=penalty)", Diversification { useless: UselessSteps::Last, ..none }),
            ("gbfs(epsilon=0.2)", Diversification { chance: chance(1, 5), seed: 9, ..none }),
            ("gbfs(epsilon=1, seed=3)", Diversification { chance: chance(1, 1), seed: 3, ..none }),
            (
                "gbfs(epsilon=0.0123)",
                Diversification { chance: chance(123, 10_000), seed: 9, ..none },
            ),
            ("gbfs(types=yes)", Diversification { types: true, seed: 9, ..none }),
            (
                "gbfs(novelty=1, ties=fifo)",
                Diversification { novelty: Some(NoveltyWidth::One), ..none },
            ),
            ("gbfs(novelty=2)", Diversification { novelty: Some(NoveltyWidth::Two), ..none }),
        ] {
            assert_eq!(variety(text), expected, "{text}");
        }
    }

    #[test]
    fn heuristics_come_alone_or_in_lists() {
        let names = |text: &str| {
            let DirectedConfig { heuristic, others, .. } = directed(text);
            let name = |spec: Option<Spec>| spec.map_or("auto".to_owned(), |one| one.to_string());
            std::iter::once(heuristic).chain(others).map(name).collect::<Vec<_>>()
        };
        assert_eq!(names("gbfs"), ["auto"]);
        assert_eq!(names("gbfs([active])"), ["active"]);
        assert_eq!(names("gbfs([active, auto])"), ["active", "auto"]);
        assert_eq!(names("gbfs(h=[auto, max(active, blind)])"), ["auto", "max(active, blind)"]);
        assert_eq!(names("astar([active, blind], w=1.5)"), ["active", "blind"]);
        assert_eq!(names("astar([active, blind], mix=0.7)"), ["active", "blind"]);
        assert_eq!(names("astar([active])"), ["active"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("gbfs([])", "`[]` names no heuristic; write `[h1, h2]`"),
            ("gbfs([active, actve])", "there is no heuristic `actve`"),
            ("gbfs([[active]])", "`[active]` is not a heuristic"),
            ("gbfs(boost=3)", "`boost` needs `preferred=yes`: give both, or none"),
            (
                "gbfs(preferred=yes, boost=99999999999)",
                "`boost` must be a number from 0 to 4294967295",
            ),
            ("gbfs(preferred=maybe)", "`preferred` must be one of no, yes"),
            ("gbfs(useless=no)", "`useless` must be one of ignore, penalty"),
            ("gbfs(epsilon=2)", "`epsilon` must be a number from 0 to 1, such as 0.2"),
            ("gbfs(epsilon=few)", "`epsilon` must be a number from 0 to 1"),
            ("gbfs(novelty=3)", "`novelty` must be one of no, 1, 2"),
            ("gbfs(novelty=1, ties=low-g)", "with `novelty`, `ties` must be lifo or fifo"),
            ("gbfs(seed=3)", "`seed` needs `epsilon` or `types`: give one of them"),
            ("astar([active, blind])", "need not be the nearest: write `max(h1, h2)`"),
            ("astar([active, blind], mix=0.5)", "need not be the nearest"),
            (
                "astar(active, w=1, epsilon=0.1)",
                "`astar` has no argument `epsilon`, since its guarantees",
            ),
            ("beam(active, types=yes)", "`gbfs` has it"),
            ("ida([active, blind])", "it takes one heuristic: combine several by `max(h1, h2)`"),
        ] {
            let why = parse_search(text, 1, &promela()).expect_err(text);
            assert!(why.to_string().contains(expected), "{text}: {why}");
        }
    }
}
