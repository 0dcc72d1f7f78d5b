//! Exact counts.

use beeline_kernel::SplitMix64;
use beeline_symbolic::{BigUint, DiagramLimits, Forest};

/// Adds two decimal numbers.
fn add(a: &str, b: &str) -> String {
    let digits = |text: &str| text.bytes().rev().map(|digit| digit - b'0').collect::<Vec<u8>>();
    let (a, b) = (digits(a), digits(b));
    let (mut sum, mut carry) = (Vec::new(), 0);
    for at in 0..a.len().max(b.len()) {
        let all = a.get(at).unwrap_or(&0) + b.get(at).unwrap_or(&0) + carry;
        sum.push(all % 10);
        carry = all / 10;
    }
    sum.extend((carry > 0).then_some(carry));
    sum.iter().rev().map(|digit| char::from(digit + b'0')).collect()
}

#[test]
fn sums_are_those_of_decimal_addition() {
    for seed in 0..50 {
        let mut rng = SplitMix64::new(seed);
        let (mut number, mut text) = (BigUint::default(), "0".to_owned());
        for _ in 0..200 {
            let (more, more_text) = match rng.below(3) {
                0 => (number.clone(), text.clone()),
                1 => (BigUint::from(u64::MAX), u64::MAX.to_string()),
                _ => {
                    let value = rng.next_u64() >> rng.below(64);
                    (BigUint::from(value), value.to_string())
                }
            };
            let before = number.clone();
            number.add(&more);
            text = add(&text, &more_text);
            assert_eq!(number.to_string(), text, "seed {seed}");
            assert!(number >= before);
        }
    }
    assert_eq!(BigUint::default().to_string(), "0");
    assert_eq!(BigUint::default(), BigUint::from(0));
}

#[test]
fn two_to_the_200_is_counted_exactly() {
    let length = 200;
    let mut forest = Forest::new(length, DiagramLimits::default());
    let mut all = forest.singleton(&vec![0; length]).expect("no limits");
    for level in 0..length {
        let support =
            beeline_symbolic::SupportLevel::new(level as u32, beeline_symbolic::LevelAccess::Write);
        let support = beeline_symbolic::Support::new(&mut forest, vec![support]);
        let values = forest.from_vectors([&[0][..], &[1]]).expect("no limits");
        all = forest.image(&all, &values, &support).expect("no limits");
    }
    let (mut power, mut text) = (BigUint::from(1), "1".to_owned());
    for _ in 0..length {
        power.add(&power.clone());
        text = add(&text, &text);
    }
    assert_eq!(forest.count(&all), power);
    assert_eq!(power.to_string(), text);
    assert_eq!(forest.node_count(&all), 2 * length);
    assert!((power.to_f64() / 2f64.powi(200) - 1.0).abs() < 1e-9);
}
