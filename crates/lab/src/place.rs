//! Paths: the root of the project, and its tool, which is built first.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The tool: the program that the environment variable `BEELINE` names, for a machine without Rust;
/// otherwise it is built.
pub fn beeline() -> String {
    if let Ok(program) = std::env::var("BEELINE") {
        return program;
    }
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "-p", "beeline"])
        .current_dir(root())
        .status();
    assert!(built.expect("cargo runs").success(), "beeline does not build");
    let target =
        std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root().join("target"), PathBuf::from);
    target
        .join("release/beeline")
        .canonicalize()
        .expect("it was built")
        .to_string_lossy()
        .into_owned()
}
