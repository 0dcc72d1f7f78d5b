//! Prints what the tests of this run of `cargo test` skipped, and for want of what. Cargo runs the
//! tests of the packages of a workspace in the order of their names, and this one comes last.

use beeline_testkit::need::{Need, report, take_records};

fn main() -> std::io::Result<()> {
    // Test binaries are also asked for a list of their tests: here are none.
    if !std::env::args().any(|argument| argument == "--list") {
        print!("\n{}\n", report(&take_records()?, Need::is_here));
    }
    Ok(())
}
