//! A random program, which is well formed, with a few things changed in it.
//!
//! The first eight bytes pick the program, one more byte says how free its
//! syntax is, and all of them pick the changes.
#![no_main]

use beeline_promela::printer;
use beeline_testkit::exercise::exercise;
use beeline_testkit::generate::{self, Config};
use beeline_testkit::mutate::mutate;
use beeline_testkit::rng::Rng;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, u8, u64)| {
    let (seed, form, changes) = input;
    let config = match form % 4 {
        0 => Config::syntax(),
        1 => Config::small(),
        _ => Config::full(),
    };
    let program = |seed| printer::print(&generate::program(seed, &config));
    let mut rng = Rng::new(changes);
    let text = program(seed);
    // Now and then the program itself, which should get all the way through.
    let text = if changes % 8 == 0 { text } else { mutate(&text, &program(changes), &mut rng) };
    exercise(&text);
});
