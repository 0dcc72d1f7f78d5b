//! Guarantees of the generator: the same seed yields the same program; every feature can be
//! switched on and off.

use beeline_promela::printer::print;

use super::*;

/// Faults are not visible in the tree.
const FAULTS: [Feature; 3] = [Feature::FailingAssert, Feature::OutOfBounds, Feature::DivideByZero];

/// The configuration with the features that a feature requires.
fn with_company(config: Config, feature: Feature) -> Config {
    match feature {
        Feature::RemoteReference => config.with(Feature::Ltl, 100),
        Feature::MtypeSet => config.with(Feature::Mtype, 100),
        Feature::RecordMessage | Feature::ForIn => config.with(Feature::Record, 60),
        Feature::Param | Feature::LocalChannel => config.with(Feature::Run, 100),
        Feature::Exclusive => config.with(Feature::Rendezvous, 100),
        _ => config,
    }
}

fn uses(seed: u64, config: &Config, feature: Feature) -> bool {
    features(&program(seed, config)).contains(&feature)
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for config in [Config::small(), Config::full(), Config::syntax()] {
        for seed in 0..20 {
            let (one, other) = (program(seed, &config), program(seed, &config));
            assert_eq!(one, other);
            assert_eq!(print(&one), print(&other));
        }
    }
}

#[test]
fn neighbouring_seeds_give_different_programs() {
    for config in [Config::small(), Config::full(), Config::syntax()] {
        let texts: std::collections::BTreeSet<_> =
            (0..100).map(|seed| print(&program(seed, &config))).collect();
        assert_eq!(texts.len(), 100);
    }
}

#[test]
fn a_feature_switched_on_turns_up() {
    for &feature in Feature::ALL.iter().filter(|feature| !FAULTS.contains(feature)) {
        let weight = Config::full().weight(feature).max(30);
        let config = with_company(Config::full().with(feature, weight), feature);
        assert!((0..500).any(|seed| uses(seed, &config, feature)), "no program has {feature:?}");
    }
}

#[test]
fn a_feature_switched_off_stays_away() {
    for &feature in Feature::ALL.iter().filter(|feature| !FAULTS.contains(feature)) {
        let config = Config::full().without(feature);
        let seed = (0..60).find(|&seed| uses(seed, &config, feature));
        assert_eq!(
            seed,
            None,
            "{feature:?} in\n{}",
            seed.map_or(String::new(), |seed| print(&program(seed, &config)))
        );
    }
}

#[test]
fn faults_change_programs() {
    for fault in FAULTS {
        let config = Config::full().with(fault, 50);
        let changed = |&seed: &u64| program(seed, &config) != program(seed, &Config::full());
        assert!((0..50).filter(changed).count() > 10, "{fault:?} makes no difference");
    }
}

#[test]
fn the_small_preset_has_only_its_features() {
    let config = Config::small();
    for seed in 0..200 {
        let extra = features(&program(seed, &config)).into_iter().find(|&f| config.weight(f) == 0);
        assert_eq!(extra, None, "seed {seed}");
    }
}

#[test]
fn the_syntax_preset_reaches_every_kind_of_node() {
    let found: std::collections::BTreeSet<_> =
        (0..300).flat_map(|seed| features(&program(seed, &Config::syntax()))).collect();
    let missing: Vec<_> =
        Feature::ALL.iter().filter(|f| !found.contains(f) && !FAULTS.contains(f)).collect();
    assert_eq!(missing, [&Feature::Rendezvous], "its channels all have buffers");
}

#[test]
fn the_full_preset_really_uses_its_features() {
    const SEEDS: u64 = 400;
    let config = Config::full();
    let mut census = std::collections::BTreeMap::new();
    for feature in (0..SEEDS).flat_map(|seed| features(&program(seed, &config))) {
        *census.entry(feature).or_insert(0) += 1;
    }
    let count = |feature: Feature| census.get(&feature).copied().unwrap_or(0);
    for &feature in Feature::ALL.iter().filter(|&&feature| config.weight(feature) > 0) {
        let programs = count(feature);
        assert!(programs * 50 >= SEEDS, "only {programs} of {SEEDS} programs use {feature:?}");
    }
    // Interactions of processes must not be rare.
    for feature in [
        Feature::Buffered,
        Feature::Rendezvous,
        Feature::Atomic,
        Feature::DStep,
        Feature::Unless,
        Feature::Timeout,
        Feature::Array,
        Feature::Record,
        Feature::Run,
    ] {
        let programs = count(feature);
        assert!(programs * 8 >= SEEDS, "only {programs} of {SEEDS} programs use {feature:?}");
    }
}
