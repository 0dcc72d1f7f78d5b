//! Any bytes, read as a model and lowered to automata.
//!
//! Half of the inputs are made by libFuzzer, which knows bytes and a dictionary;
//! the other half by our own mutations, which know tokens and brackets.
#![no_main]

use beeline_testkit::mutate::mutate;
use beeline_testkit::rng::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| {
    beeline_testkit::exercise::exercise(&String::from_utf8_lossy(bytes));
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let text = String::from_utf8_lossy(&data[..size]).into_owned();
    let spoilt = mutate(&text, &text, &mut Rng::new(seed.into()));
    let length = spoilt.len().min(max_size);
    data[..length].copy_from_slice(&spoilt.as_bytes()[..length]);
    length
});
