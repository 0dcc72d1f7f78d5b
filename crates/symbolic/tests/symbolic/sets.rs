//! Operations on sets against explicit sets of vectors.

use std::collections::BTreeSet;

use beeline_kernel::SplitMix64;
use beeline_symbolic::{DiagramLimits, Forest, LevelAccess, Set, Support, SupportLevel};

pub(crate) type Vectors = BTreeSet<Vec<i32>>;

/// Random vectors of one length with few values per position, some of them negative.
pub(crate) fn vectors(rng: &mut SplitMix64, length: usize) -> Vectors {
    let values = 1 + rng.below(5);
    let value = |rng: &mut SplitMix64| match rng.below(values) as i32 {
        4 => i32::MIN,
        3 => i32::MAX,
        value => value - 1,
    };
    (0..rng.below(60)).map(|_| (0..length).map(|_| value(rng)).collect()).collect()
}

pub(crate) fn made(forest: &mut Forest, vectors: &Vectors) -> Set {
    forest.from_vectors(vectors.iter().map(Vec::as_slice)).expect("no limits")
}

fn told(forest: &Forest, set: &Set) -> Vectors {
    let all: Vec<Vec<i32>> = forest.vectors(set).collect();
    assert!(all.is_sorted(), "vectors come in lexicographic order");
    all.into_iter().collect()
}

/// A random support with an access for each level.
fn support(rng: &mut SplitMix64, length: usize) -> Vec<SupportLevel> {
    let mut levels = Vec::new();
    for level in 0..length as u32 {
        let access = match rng.below(5) {
            0 => LevelAccess::Read,
            1 => LevelAccess::Write,
            2 => LevelAccess::Both,
            _ => continue,
        };
        levels.push(SupportLevel::new(level, access));
    }
    levels
}

/// The vectors after a row of a relation, if it applies.
fn after(vector: &[i32], row: &[i32], levels: &[SupportLevel]) -> Option<Vec<i32>> {
    let (mut new, mut row) = (vector.to_vec(), row.iter().copied());
    for SupportLevel { level, access, .. } in levels {
        let place = &mut new[*level as usize];
        if *access != LevelAccess::Write && row.next()? != *place {
            return None;
        }
        if *access != LevelAccess::Read {
            *place = row.next()?;
        }
    }
    Some(new)
}

#[test]
fn boolean_operations_agree_with_explicit_sets() {
    for seed in 0..500 {
        let mut rng = SplitMix64::new(seed);
        let length = rng.below(6);
        let mut forest = Forest::new(length, DiagramLimits::default());
        let (a, b) = (vectors(&mut rng, length), vectors(&mut rng, length));
        let (x, y) = (made(&mut forest, &a), made(&mut forest, &b));
        assert_eq!(told(&forest, &x), a);
        let union = forest.union(&x, &y).expect("no limits");
        let intersection = forest.intersection(&x, &y).expect("no limits");
        let difference = forest.difference(&x, &y).expect("no limits");
        assert_eq!(told(&forest, &union), a.union(&b).cloned().collect());
        assert_eq!(told(&forest, &intersection), a.intersection(&b).cloned().collect());
        assert_eq!(told(&forest, &difference), a.difference(&b).cloned().collect());
        assert_eq!(forest.count(&union).to_u64(), Some(a.union(&b).count() as u64));
        assert_eq!(forest.first(&x), a.first().cloned());
        assert_eq!(x.is_empty(), a.is_empty());
        assert!(b.iter().all(|vector| forest.contains(&x, vector) == a.contains(vector)));
        // Equal sets are the same set, however they were made.
        let parts = [&difference, &intersection];
        let again = forest.union(parts[0], parts[1]).expect("no limits");
        assert_eq!(again, x);
    }
}

#[test]
fn projection_and_selection_agree_with_explicit_sets() {
    for seed in 0..500 {
        let mut rng = SplitMix64::new(seed);
        let length = 1 + rng.below(6);
        let mut forest = Forest::new(length, DiagramLimits::default());
        let a = vectors(&mut rng, length);
        let x = made(&mut forest, &a);
        let mut levels = support(&mut rng, length);
        levels.iter_mut().for_each(|level| level.access = LevelAccess::Read);
        let short = |vector: &Vec<i32>| -> Vec<i32> {
            levels.iter().map(|level| vector[level.level as usize]).collect()
        };
        let reads = Support::new(&mut forest, levels.clone());
        let projected = forest.project(&x, &reads).expect("no limits");
        assert_eq!(told(&forest, &projected), a.iter().map(short).collect());
        let mut chosen = vectors(&mut rng, levels.len());
        chosen.extend(
            a.iter().map(short).filter(|vector| vector.iter().fold(0, |a, b| a ^ b) % 2 == 0),
        );
        let y = made(&mut forest, &chosen);
        let joined = forest.join(&x, &y, &reads).expect("no limits");
        let is_chosen = |vector: &&Vec<i32>| chosen.contains(&short(vector));
        assert_eq!(told(&forest, &joined), a.iter().filter(is_chosen).cloned().collect());
        let others = forest.anti_join(&x, &y, &reads).expect("no limits");
        let is_other = |vector: &&Vec<i32>| !is_chosen(vector);
        assert_eq!(told(&forest, &others), a.iter().filter(is_other).cloned().collect());
        let level = rng.below(length);
        let selected = forest.select(&x, level as u32, &[1, -1, i32::MIN]).expect("no limits");
        let is_selected = |vector: &&Vec<i32>| [1, -1, i32::MIN].contains(&vector[level]);
        assert_eq!(told(&forest, &selected), a.iter().filter(is_selected).cloned().collect());
    }
}

#[test]
fn a_projection_keeps_allowed_values_only() {
    let mut forest = Forest::new(2, DiagramLimits::default());
    let set = made(&mut forest, &Vectors::from([vec![1, 5], vec![2, 6], vec![3, 7]]));
    let allowed = Some(vec![1, 3]);
    let levels = vec![SupportLevel { level: 0, access: LevelAccess::Read, allowed }];
    let support = Support::new(&mut forest, levels);
    let projected = forest.project(&set, &support).expect("no limits");
    assert_eq!(told(&forest, &projected), Vectors::from([vec![1], vec![3]]));
}

#[test]
fn image_and_preimage_agree_with_explicit_relations() {
    for seed in 0..800 {
        let mut rng = SplitMix64::new(seed);
        let length = 1 + rng.below(5);
        let mut forest = Forest::new(length, DiagramLimits::default());
        let levels = support(&mut rng, length);
        let both = levels.iter().filter(|level| level.access == LevelAccess::Both).count();
        let rows = vectors(&mut rng, levels.len() + both);
        let (from, within) = (vectors(&mut rng, length), vectors(&mut rng, length));
        let sets = [&from, &within, &rows].map(|vectors| made(&mut forest, vectors));
        let support = Support::new(&mut forest, levels.clone());
        let steps = |vector: &Vec<i32>| -> Vectors {
            rows.iter().filter_map(|row| after(vector, row, &levels)).collect()
        };
        let image = forest.image(&sets[0], &sets[2], &support).expect("no limits");
        assert_eq!(told(&forest, &image), from.iter().flat_map(&steps).collect(), "seed {seed}");
        let target = forest.union(&image, &sets[0]).expect("no limits");
        let preimage = forest.preimage(&target, &sets[2], &support, &sets[1]).expect("no limits");
        let targets = told(&forest, &target);
        let leads = |vector: &&Vec<i32>| steps(vector).iter().any(|new| targets.contains(new));
        let expected = within.iter().filter(leads).cloned().collect();
        assert_eq!(told(&forest, &preimage), expected, "seed {seed}");
    }
}

#[test]
fn garbage_collection_at_any_moment_changes_no_set() {
    for seed in 0..60 {
        let mut rng = SplitMix64::new(seed);
        let mut forest = Forest::new(4, DiagramLimits::default());
        let mut known: Vec<(Set, Vectors)> = Vec::new();
        for _ in 0..150 {
            match rng.below(6) {
                0 | 1 => {
                    let new = vectors(&mut rng, 4);
                    known.push((made(&mut forest, &new), new));
                }
                2 if known.len() > 1 => drop(known.swap_remove(rng.below(known.len()))),
                3 => forest.collect(),
                _ if known.len() > 1 => {
                    let (x, a) = known[rng.below(known.len())].clone();
                    let (y, b) = known[rng.below(known.len())].clone();
                    let union = forest.union(&x, &y).expect("no limits");
                    known.push((union, a.union(&b).cloned().collect()));
                    let difference = forest.difference(&x, &y).expect("no limits");
                    known.push((difference, a.difference(&b).cloned().collect()));
                }
                _ => {}
            }
        }
        for (set, vectors) in &known {
            assert_eq!(told(&forest, set), *vectors, "seed {seed}");
        }
        let in_use = forest.nodes_in_use();
        known.clear();
        forest.collect();
        assert!(in_use > 0 && forest.nodes_in_use() == 0, "all nodes were garbage");
    }
}

#[test]
fn vectors_may_be_very_long() {
    let length = 20_000;
    let mut forest = Forest::new(length, DiagramLimits::default());
    let zeros = forest.singleton(&vec![0; length]).expect("no limits");
    let ones = forest.singleton(&vec![1; length]).expect("no limits");
    let both = forest.union(&zeros, &ones).expect("no limits");
    assert_eq!(forest.count(&both).to_u64(), Some(2));
    let last = SupportLevel::new(length as u32 - 1, LevelAccess::Both);
    let support = Support::new(&mut forest, vec![last]);
    let pairs = made(&mut forest, &Vectors::from([vec![1, 7]]));
    let image = forest.image(&both, &pairs, &support).expect("no limits");
    assert_eq!(forest.count(&image).to_u64(), Some(1));
    let back = forest.preimage(&image, &pairs, &support, &both).expect("no limits");
    assert_eq!(back, ones);
    let rest = forest.difference(&both, &back).expect("no limits");
    assert_eq!(rest, zeros);
}
