//! Zones against the integer points of a grid.

use super::*;
use crate::zones::bound::{constant, is_strict};
use crate::zones::federation::subtract;
use beeline_kernel::SplitMix64;

/// Clocks of the random zones.
const CLOCKS: usize = 3;
/// Points have coordinates in sixths, so that there is one in each region.
const SCALE: i32 = 6;
/// Coordinates are below this.
const GRID: i32 = 5 * SCALE;

/// Whether a zone contains a point with coordinates in sixths.
fn contains(zone: &Dbm, point: &[i32; CLOCKS]) -> bool {
    (0..CLOCKS).all(|i| {
        (0..CLOCKS).all(|j| {
            let bound = zone.at(i, j);
            let difference = point[i] - point[j];
            bound == UNBOUNDED
                || if is_strict(bound) {
                    difference < SCALE * constant(bound)
                } else {
                    difference <= SCALE * constant(bound)
                }
        })
    })
}

fn points() -> impl Iterator<Item = [i32; CLOCKS]> {
    (0..GRID).flat_map(|x| (0..GRID).map(move |y| [0, x, y]))
}

fn random_constraint(rng: &mut SplitMix64) -> Constraint {
    let plus = rng.below(CLOCKS);
    let minus = (plus + 1 + rng.below(CLOCKS - 1)) % CLOCKS;
    let number = rng.below(9) as i32 - 4;
    let bound = if rng.below(2) == 0 { at_most(number) } else { below(number) };
    Constraint { plus, minus, bound }
}

fn random_zone(rng: &mut SplitMix64) -> Dbm {
    loop {
        let mut zone = Dbm::zero(CLOCKS);
        zone.up();
        for clock in 1..CLOCKS {
            if rng.below(2) == 0 {
                zone.reset(clock, rng.below(3) as i32);
                zone.up();
            }
        }
        let mut is_full = true;
        for _ in 0..rng.below(3) {
            is_full &= zone.constrain(random_constraint(rng));
        }
        if is_full {
            return zone;
        }
    }
}

#[test]
fn operations_on_zones_are_those_on_their_points() {
    let mut rng = SplitMix64::new(7);
    for _ in 0..100 {
        let zone = random_zone(&mut rng);
        let constraint = random_constraint(&mut rng);
        let mut constrained = zone.clone();
        let is_full = constrained.constrain(constraint);
        assert_eq!(is_full, zone.meets(constraint));
        let mut canonical = constrained.clone();
        canonical.close();
        assert!(!is_full || canonical == constrained, "the result is canonical");
        let mut reset = zone.clone();
        reset.reset(1, 2);
        let mut down = zone.clone();
        down.down();
        let mut freed = zone.clone();
        freed.free(2);
        let holds = |point: &[i32; CLOCKS]| {
            let difference = point[constraint.plus] - point[constraint.minus];
            if is_strict(constraint.bound) {
                difference < SCALE * constant(constraint.bound)
            } else {
                difference <= SCALE * constant(constraint.bound)
            }
        };
        for point in points() {
            let inside = contains(&zone, &point);
            assert_eq!(is_full && contains(&constrained, &point), inside && holds(&point));
            if inside {
                assert!(contains(&reset, &[0, 2 * SCALE, point[2]]));
                assert!(contains(&freed, &[0, point[1], 5]));
                for back in 0..=point[1].min(point[2]) {
                    assert!(contains(&down, &[0, point[1] - back, point[2] - back]));
                }
            }
        }
    }
}

#[test]
fn a_difference_has_the_points_of_one_zone_that_are_not_in_the_other() {
    let mut rng = SplitMix64::new(8);
    for _ in 0..100 {
        let (one, other) = (random_zone(&mut rng), random_zone(&mut rng));
        let parts = subtract(vec![one.clone()], &other);
        for point in points() {
            let number = parts.iter().filter(|part| contains(part, &point)).count();
            let wanted = contains(&one, &point) && !contains(&other, &point);
            assert_eq!(number, usize::from(wanted), "parts are disjoint and complete");
        }
    }
}

#[test]
fn extrapolation_adds_only_valuations_that_are_simulated() {
    let mut rng = SplitMix64::new(9);
    for _ in 0..40 {
        let zone = random_zone(&mut rng);
        let mut largest = || match rng.below(4) {
            0 => None,
            number => Some(number as i32 - 1),
        };
        let lower: Vec<Largest> = (0..CLOCKS).map(|_| largest()).collect();
        let upper: Vec<Largest> = (0..CLOCKS).map(|_| largest()).collect();
        let active: Vec<u32> = (1..CLOCKS as u32)
            .filter(|&clock| lower[clock as usize].max(upper[clock as usize]).is_some())
            .collect();
        let mut wide = zone.clone();
        wide.extrapolate(&active, &lower, &upper);
        assert!(wide.includes(&zone));
        let mut canonical = wide.clone();
        canonical.close();
        assert_eq!(canonical, wide, "the result is canonical");
        // [BBLP06] definition 4: a clock may differ where both values are beyond the constant.
        let beyond =
            |value: i32, largest: Largest| largest.is_none_or(|largest| value > SCALE * largest);
        let inside: Vec<[i32; CLOCKS]> =
            far_points().filter(|point| contains(&zone, point)).collect();
        for outside in points().filter(|point| point.iter().all(|one| one % 2 == 0)) {
            if !contains(&wide, &outside) || contains(&zone, &outside) {
                continue;
            }
            let is_simulated = inside.iter().any(|inside| {
                (1..CLOCKS).all(|clock| {
                    let (v, w) = (outside[clock], inside[clock]);
                    v == w || w < v && beyond(w, lower[clock]) || v < w && beyond(v, upper[clock])
                })
            });
            assert!(is_simulated, "{outside:?} in {wide:?} of {zone:?}: {lower:?} {upper:?}");
        }
    }
}

fn far_points() -> impl Iterator<Item = [i32; CLOCKS]> {
    (0..10 * SCALE).flat_map(|x| (0..10 * SCALE).map(move |y| [0, x, y]))
}
