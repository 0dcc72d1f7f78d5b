//! The arguments of a best-first search that add to its one list: rows, and how they are read.

use beeline_kernel::registry::ArgumentRow;
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_search::{Diversification, NoveltyWidth, UselessSteps, Weight};

use super::options::{common_divisor, heuristic_of};
use crate::plan::arguments::Arguments;

/// How many turns ahead preferred steps get, as in LAMA.
const BOOST: usize = 1000;

/// What stands for the heuristic where there may be several.
pub(crate) const HEURISTICS: ArgumentRow = ArgumentRow::new(
    "h",
    "auto, or any of `beeline list heuristics`, or several: [h1, h2]",
    "the heuristic; auto is the usual one for the property. Each of several has a list of \
            all states that wait, and the lists take turns",
);

/// The arguments that take a search away from the order of one estimate.
pub(crate) const PREFERRED: ArgumentRow = ArgumentRow::new(
    "preferred",
    "no, yes",
    "more lists, of the states behind steps that a heuristic prefers; without effect \
            where none does",
);
pub(crate) const BOOSTED: ArgumentRow = ArgumentRow::new(
    "boost",
    "1000, or any number",
    "how many turns ahead these lists get when an estimate is less than any before",
);
pub(crate) const USELESS: ArgumentRow = ArgumentRow::new(
    "useless",
    "ignore, penalty",
    "whether states wait behind all others when a heuristic calls the steps to them useless",
);
pub(crate) const EPSILON: ArgumentRow = ArgumentRow::new(
    "epsilon",
    "0, or any number up to 1",
    "the chance that a turn is that of any state that waits",
);
pub(crate) const TYPES: ArgumentRow = ArgumentRow::new(
    "types",
    "no, yes",
    "one more list: any state, of any pair of steps so far and estimate",
);
pub(crate) const NOVELTY: ArgumentRow = ArgumentRow::new(
    "novelty",
    "no, 1, 2",
    "first the states in which a byte, or one of two, is as in no state before with the \
            same estimate; then by the estimate",
);
pub(crate) const SEED: ArgumentRow = ArgumentRow::new(
    "seed",
    "that of --seed, or any number",
    "what `epsilon` and `types` depend on",
);

/// Those that `gbfs` has and `astar` has not.
const GREEDY_ONLY: [&str; 7] =
    [PREFERRED.name, BOOSTED.name, USELESS.name, EPSILON.name, TYPES.name, NOVELTY.name, SEED.name];

/// Why a search does not have an argument that greedy search has; `None` for any other one.
pub(crate) fn not_here(search: &str, key: &str) -> Option<String> {
    GREEDY_ONLY.contains(&key).then(|| {
        format!(
            "`{search}` has no argument `{key}`: it would no longer take states in the order that \
             its promises come from; `gbfs` has it"
        )
    })
}

impl Arguments<'_> {
    /// One heuristic or several, without a key; `None` stands for the usual one.
    pub(crate) fn heuristics(&mut self) -> Result<(Option<Spec>, Vec<Option<Spec>>), String> {
        let one = |value: &SpecValue| match value.text() {
            Some("auto") => Ok(None),
            _ => heuristic_of(value).map(Some),
        };
        match self.take("h") {
            None => Ok((None, Vec::new())),
            Some(SpecValue::List(values)) => {
                let mut all = values.iter().map(one).collect::<Result<Vec<_>, _>>()?;
                if all.is_empty() {
                    return Err("`[]` names no heuristic; write `[h1, h2]`, or leave it out".into());
                }
                let first = all.remove(0);
                Ok((first, all))
            }
            Some(value) => Ok((one(value)?, Vec::new())),
        }
    }

    /// All that takes a search away from the order of one estimate.
    pub(crate) fn variety(&mut self, seed: u64) -> Result<Diversification, String> {
        let preferred = self.flag("preferred")?;
        let boost = self.count("boost")?;
        if boost.is_some() && !preferred {
            return Err("`boost` is for `preferred=yes`: give both, or none".to_owned());
        }
        let boost = u32::try_from(boost.unwrap_or(BOOST))
            .map_err(|_| format!("`boost` is a number from 0 to {}", u32::MAX))?;
        let choices = [("ignore", UselessSteps::Ignored), ("penalty", UselessSteps::Last)];
        let useless = self.choice("useless", &choices)?;
        let (chance, types) = (self.chance("epsilon")?, self.flag("types")?);
        let own = self.count("seed")?;
        if own.is_some() && chance.over == 0 && !types {
            let why = "`seed` is for `epsilon` and `types`: give one of them, or leave it out";
            return Err(why.to_owned());
        }
        Ok(Diversification {
            preferred: preferred.then_some(boost),
            useless,
            chance,
            types,
            novelty: self.width("novelty")?,
            // Without chance, the seed is no difference.
            seed: if chance.over == 0 && !types { 0 } else { own.map_or(seed, |own| own as u64) },
        })
    }

    /// Yes or no, or as programs say it.
    fn flag(&mut self, key: &str) -> Result<bool, String> {
        let Some(value) = self.take(key) else { return Ok(false) };
        match value.text() {
            Some("no" | "false") => Ok(false),
            Some("yes" | "true") => Ok(true),
            _ => Err(format!("`{key}` is one of no, yes")),
        }
    }

    /// A number from 0 to 1 as a fraction.
    fn chance(&mut self, key: &str) -> Result<Weight, String> {
        const UNDER: u16 = 10_000;
        let Some(value) = self.take(key) else { return Ok(Diversification::NONE.chance) };
        let number = value.number().filter(|number| (0.0..=1.0).contains(number));
        let Some(number) = number else {
            return Err(format!("`{key}` is a number from 0 to 1, such as 0.2"));
        };
        let over = (number * f64::from(UNDER)).round() as u16;
        let common = common_divisor(over, UNDER);
        Ok(Weight { over: over / common, under: UNDER / common })
    }

    fn width(&mut self, key: &str) -> Result<Option<NoveltyWidth>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match (value.text(), value.number()) {
            (Some("no"), _) => Ok(None),
            (_, Some(1.0)) => Ok(Some(NoveltyWidth::One)),
            (_, Some(2.0)) => Ok(Some(NoveltyWidth::Two)),
            _ => Err(format!("`{key}` is one of no, 1, 2")),
        }
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
    use crate::plan::searches::{DirectedAlgorithm, DirectedConfig, Strategy, parse_search};

    fn directed(text: &str) -> DirectedConfig {
        match parse_search(text, 9, &promela()).map(|search| search.strategy) {
            Ok(Strategy::Directed(directed)) => directed,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn variety(text: &str) -> Diversification {
        match directed(text).algorithm {
            DirectedAlgorithm::BestFirst(method) => method.diversification,
            other => panic!("{text}: {other:?}"),
        }
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
            ("gbfs(boost=3)", "`boost` is for `preferred=yes`: give both, or none"),
            ("gbfs(preferred=yes, boost=99999999999)", "`boost` is a number from 0 to 4294967295"),
            ("gbfs(preferred=maybe)", "`preferred` is one of no, yes"),
            ("gbfs(useless=no)", "`useless` is one of ignore, penalty"),
            ("gbfs(epsilon=2)", "`epsilon` is a number from 0 to 1, such as 0.2"),
            ("gbfs(epsilon=few)", "`epsilon` is a number from 0 to 1"),
            ("gbfs(novelty=3)", "`novelty` is one of no, 1, 2"),
            ("gbfs(novelty=1, ties=low-g)", "of `ties`, only lifo and fifo go with it"),
            ("gbfs(seed=3)", "`seed` is for `epsilon` and `types`: give one of them"),
            ("astar([active, blind])", "need not be nearest: write `max(h1, h2)`"),
            ("astar([active, blind], mix=0.5)", "need not be nearest"),
            ("astar(active, w=1, epsilon=0.1)", "`astar` has no argument `epsilon`: it would no"),
            ("beam(active, types=yes)", "`gbfs` has it"),
            ("ida([active, blind])", "it follows one heuristic: `max(h1, h2)`"),
        ] {
            let why = parse_search(text, 1, &promela()).expect_err(text);
            assert!(why.contains(expected), "{text}: {why}");
        }
    }
}
