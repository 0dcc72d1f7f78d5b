//! Any bytes, read as a model and lowered to automata.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    beeline_testkit::exercise::exercise(&String::from_utf8_lossy(bytes));
});
