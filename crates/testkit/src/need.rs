//! What tests need besides Rust: other programs, and models by other people. A test that misses
//! one of them skips itself by [`skip`]. The test target `what_was_skipped` prints a report about all
//! tests of a run of `cargo test` that were skipped, and how to get what is missing.
//!
//! The record of a run is a file in the temporary directory, with a line `NEED<tab>TEST` for each
//! test. All test binaries of a run have the same parent, Cargo; the number of this process is
//! part of the name of the file.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

/// The tests that `cargo test --workspace` leaves out, as a command.
const LEFT_OUT: &str =
    "cargo test --workspace --release --test differential --test what_was_skipped";

/// A program or a directory that some tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The model checker that Beeline is compared with.
    Spin,
    /// A C compiler that compiles the verifiers of SPIN quickly. Without it, gcc does.
    Tcc,
    /// A C compiler, whose preprocessor is compared with ours.
    Gcc,
    /// A translator of formulas to automata.
    Lbt,
    /// A browser that opens the pages of charts.
    Chromium,
    /// The version control whose revisions `beeline test --changed` compares with.
    Git,
    /// The models by other people; see [`crate::corpus`].
    Corpus,
    /// Formulas of CTL with verdicts of other tools; see [`crate::branching`].
    CtlVerdicts,
    /// Timed automata by other people, with known answers; see [`timed_directory`].
    TimedModels,
}

impl Need {
    /// All needs, in the order of the report.
    pub const ALL: [Self; 9] = [
        Self::Spin,
        Self::Tcc,
        Self::Gcc,
        Self::Lbt,
        Self::Chromium,
        Self::Git,
        Self::Corpus,
        Self::CtlVerdicts,
        Self::TimedModels,
    ];

    /// What the tests need that `cargo test --workspace` leaves out.
    const OF_LEFT_OUT: [Self; 5] =
        [Self::Spin, Self::Tcc, Self::Lbt, Self::Corpus, Self::CtlVerdicts];

    /// The name in records and reports, and of the program.
    fn name(self) -> &'static str {
        match self {
            Self::Spin => "spin",
            Self::Tcc => "tcc",
            Self::Gcc => "gcc",
            Self::Lbt => "lbt",
            Self::Chromium => "chromium",
            Self::Git => "git",
            Self::Corpus => "the corpus",
            Self::CtlVerdicts => "the verdicts of CTL",
            Self::TimedModels => "the timed models",
        }
    }

    /// How to get it.
    fn remedy(self) -> String {
        match self {
            Self::Corpus => "set BEELINE_CORPUS to the directory of its INDEX.tsv".to_owned(),
            Self::CtlVerdicts => "set BEELINE_CTL to the directory of verdicts.json".to_owned(),
            Self::TimedModels => "set BEELINE_TIMED to the directory of its QUERIES.tsv".to_owned(),
            _ => format!("apt-get install {}", self.name()),
        }
    }

    /// Whether it is here: a program in the search path, a directory with its index.
    #[must_use]
    pub fn is_here(self) -> bool {
        match self {
            Self::Corpus => corpus_directory().join("INDEX.tsv").is_file(),
            Self::CtlVerdicts => ctl_directory().join("verdicts.json").is_file(),
            Self::TimedModels => timed_directory().join("QUERIES.tsv").is_file(),
            _ => {
                let path = env::var_os("PATH").unwrap_or_default();
                env::split_paths(&path).any(|directory| directory.join(self.name()).is_file())
            }
        }
    }

    /// Whether it is here. If not, the test is skipped.
    ///
    /// # Panics
    /// As [`skip`].
    #[must_use]
    pub fn is_here_or_skip(self, test: &str) -> bool {
        let is_here = self.is_here();
        if !is_here {
            skip(test, self, "it is not here");
        }
        is_here
    }
}

/// Where the corpus should be: in the directory that the environment variable `BEELINE_CORPUS`
/// names, otherwise in `shared/models` beside the workspace.
pub(crate) fn corpus_directory() -> PathBuf {
    match env::var_os("BEELINE_CORPUS") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models"),
    }
}

/// Where formulas of CTL with known verdicts should be: in the directory that the environment
/// variable `BEELINE_CTL` names, otherwise in `shared/ctl` beside the workspace.
pub fn ctl_directory() -> PathBuf {
    match env::var_os("BEELINE_CTL") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ctl"),
    }
}

/// Where timed automata with known answers should be: in the directory that the environment variable
/// `BEELINE_TIMED` names, otherwise in `shared/timed` beside the workspace.
pub fn timed_directory() -> PathBuf {
    match env::var_os("BEELINE_TIMED") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/timed"),
    }
}

/// Records that a test is skipped because it needs something, and prints the reason.
///
/// # Panics
/// When the environment variable `CI` is set: there, nothing may be skipped.
pub fn skip(test: &str, need: Need, reason: &str) {
    assert!(env::var_os("CI").is_none(), "{test} needs {}: {reason}", need.name());
    eprintln!("\n***** SKIPPED {test}, which needs {}: {reason} *****\n", need.name());
    let file = File::options().create(true).append(true).open(record_file());
    // One call for a line, so that lines of other processes stay apart.
    let line = format!("{}\t{test}\n", need.name());
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("files can be written in the temporary directory");
}

/// The file with the records of this run.
fn record_file() -> PathBuf {
    env::temp_dir().join(format!("beeline-skipped-{}", parent_id()))
}

/// The records of this run, which are removed.
///
/// # Errors
/// When they cannot be read.
pub fn take_records() -> io::Result<String> {
    let file = record_file();
    match fs::read_to_string(&file) {
        Ok(records) => fs::remove_file(&file).map(|()| records),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// What was skipped, for want of what, and how to get it; and what the tests that are left out need
/// besides.
#[must_use]
pub fn report(records: &str, is_here: impl Fn(Need) -> bool) -> String {
    let mut text = String::new();
    let mut missing = Vec::new();
    for need in Need::ALL {
        let (name, remedy) = (need.name(), need.remedy());
        let rows = records.lines().filter_map(|line| line.split_once('\t'));
        let tests: BTreeSet<&str> = rows.filter(|row| row.0 == name).map(|row| row.1).collect();
        match tests.len() {
            0 if Need::OF_LEFT_OUT.contains(&need) && !is_here(need) => {
                missing.push(format!("{name} ({remedy})"));
                continue;
            }
            0 => continue,
            1 => text += &format!("skipped: 1 test needs {name} ({remedy})\n"),
            count => text += &format!("skipped: {count} tests need {name} ({remedy})\n"),
        }
        for test in tests {
            text += &format!("    {test}\n");
        }
    }
    if text.is_empty() {
        text += "nothing was skipped\n";
    }
    text += &format!(
        "left out: the long tests and most comparisons; their command is\n    {LEFT_OUT}\n"
    );
    if !missing.is_empty() {
        text += &format!("    and also needs {}\n", missing.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_counts_each_test_once() {
        let records = "spin\tb\nthe corpus\tc\nspin\ta\nspin\tb\n";
        let text = report(records, |need| need == Need::Gcc || need == Need::Tcc);
        assert_eq!(
            text,
            format!(
                "skipped: 2 tests need spin (apt-get install spin)\n    a\n    b\n\
                 skipped: 1 test needs the corpus (set BEELINE_CORPUS to the directory of its \
                 INDEX.tsv)\n    c\n\
                 left out: the long tests and most comparisons; their command is\n    {LEFT_OUT}\n    \
                 and also needs lbt (apt-get install lbt), the verdicts of CTL (set BEELINE_CTL to \
                 the directory of verdicts.json)\n"
            )
        );
    }

    #[test]
    fn where_everything_is_here_nothing_was_skipped() {
        let text = report("", |_| true);
        assert!(text.starts_with("nothing was skipped\n"), "{text}");
        assert!(!text.contains("needs"), "{text}");
    }
}
