//! Sets of vectors, images and counts: list decision diagrams against the diagrams of OxiDD.

use beeline_kernel::SplitMix64;
use beeline_oracles::{BddSets, BitRelation};
use beeline_symbolic::{DiagramLimits, Forest, LevelAccess, Set, Support, SupportLevel};
use oxidd::BooleanFunction as _;

const BITS: usize = 3;
const NO_LIMITS: &str = "there are no limits";

fn vectors(rng: &mut SplitMix64, length: usize) -> Vec<Vec<i32>> {
    let values = 1 + rng.below(1 << BITS);
    (0..rng.below(80)).map(|_| (0..length).map(|_| rng.below(values) as i32).collect()).collect()
}

fn slices(vectors: &[Vec<i32>]) -> impl Iterator<Item = &[i32]> {
    vectors.iter().map(Vec::as_slice)
}

/// The set has the vectors of the oracle: diagrams of equal sets are equal.
fn agree(forest: &Forest, set: &Set, oracle: &BddSets, expected: &oxidd::bdd::BDDFunction) {
    let all: Vec<Vec<i32>> = forest.vectors(set).collect();
    assert!(oracle.from_vectors(slices(&all)) == *expected);
    assert_eq!(forest.count(set).to_string(), oracle.count(expected));
}

#[test]
fn boolean_operations_and_counts_agree() {
    for seed in 0..400 {
        let mut rng = SplitMix64::new(seed);
        let length = 1 + rng.below(6);
        let mut forest = Forest::new(length, DiagramLimits::default());
        let oracle = BddSets::with_capacity(length, BITS, 1 << 16);
        let both = [vectors(&mut rng, length), vectors(&mut rng, length)];
        let [a, b] = [0, 1].map(|at| forest.from_vectors(slices(&both[at])).expect(NO_LIMITS));
        let [x, y] = [0, 1].map(|at| oracle.from_vectors(slices(&both[at])));
        let union = forest.union(&a, &b).expect(NO_LIMITS);
        agree(&forest, &union, &oracle, &x.or(&y).unwrap());
        let intersection = forest.intersection(&a, &b).expect(NO_LIMITS);
        agree(&forest, &intersection, &oracle, &x.and(&y).unwrap());
        let difference = forest.difference(&a, &b).expect(NO_LIMITS);
        agree(&forest, &difference, &oracle, &x.and(&y.not().unwrap()).unwrap());
    }
}

/// A random support, and the rows of a relation over it.
fn relation(rng: &mut SplitMix64, length: usize) -> (Vec<SupportLevel>, Vec<Vec<i32>>) {
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
    let both = levels.iter().filter(|level| level.access == LevelAccess::Both).count();
    let rows = vectors(rng, levels.len() + both);
    (levels, rows)
}

/// The same relation between bits.
fn relation_of_bits(oracle: &BddSets, levels: &[SupportLevel], rows: &[Vec<i32>]) -> BitRelation {
    let mut pairs = oracle.empty();
    for row in rows {
        let (mut one, mut row) = (oracle.all(), row.iter().copied());
        for SupportLevel { level, access, .. } in levels {
            if *access != LevelAccess::Write {
                let value = row.next().expect("a row has a value for each access");
                one = one.and(&oracle.value(*level as usize, value)).unwrap();
            }
            if *access != LevelAccess::Read {
                let value = row.next().expect("a row has a value for each access");
                one = one.and(&oracle.next_value(*level as usize, value)).unwrap();
            }
        }
        pairs = pairs.or(&one).unwrap();
    }
    let is_changed = |level: &&SupportLevel| level.access != LevelAccess::Read;
    let changed: Vec<usize> =
        levels.iter().filter(is_changed).map(|level| level.level as usize).collect();
    oracle.relation(pairs, &changed)
}

#[test]
fn images_and_preimages_agree() {
    let (mut images, mut preimages) = (0, 0);
    for seed in 0..600 {
        let mut rng = SplitMix64::new(seed);
        let length = 1 + rng.below(5);
        let mut forest = Forest::new(length, DiagramLimits::default());
        let oracle = BddSets::with_capacity(length, BITS, 1 << 16);
        let (levels, rows) = relation(&mut rng, length);
        let bits = relation_of_bits(&oracle, &levels, &rows);
        let relation = forest.from_vectors(slices(&rows)).expect(NO_LIMITS);
        // A short vector is one of a forest with as many levels; the forest does not mind.
        let support = Support::new(&mut forest, levels);
        let (from, within) = (vectors(&mut rng, length), vectors(&mut rng, length));
        let [a, b] = [&from, &within].map(|all| forest.from_vectors(slices(all)).expect(NO_LIMITS));
        let [x, y] = [&from, &within].map(|all| oracle.from_vectors(slices(all)));
        let image = forest.image(&a, &relation, &support).expect(NO_LIMITS);
        let expected = oracle.image(&x, &bits);
        agree(&forest, &image, &oracle, &expected);
        images += usize::from(!image.is_empty());
        // Backwards from the image, so that there is often a vector.
        let preimage = forest.preimage(&image, &relation, &support, &b).expect(NO_LIMITS);
        let expected = oracle.preimage(&expected, &bits).and(&y).unwrap();
        agree(&forest, &preimage, &oracle, &expected);
        preimages += usize::from(!preimage.is_empty());
    }
    assert!(images > 150 && preimages > 80, "{images} {preimages}");
}
