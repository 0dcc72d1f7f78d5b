//! SPIN 6.5.2 as an oracle: whether it accepts a model, and the process automata that it makes of
//! it.
//!
//! SPIN writes `pan.*` into the current directory, so every call has a scratch directory of its own
//! and uses the absolute path of the model; the C preprocessor searches included files next to the
//! including one, so models with includes work too. Every child process has a time limit.
//!
//! The automata are read from the table which the generated verifier prints
//! under `pan -d`; see [`table`] for its format.

mod child;
mod confusing;
mod error;
mod retold;
mod scratch;
pub mod table;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

pub use child::{Finished, run};
pub use confusing::{confuses_spin, unconfusing};
pub use error::OracleError;
pub use retold::Retold;
pub use scratch::Scratch;
pub use table::{PanEdge, PanKind, PanProcess};
pub use verdict::{Asked, Said};

use crate::need::{self, Need};

/// The version whose behaviour is our reference.
pub const VERSION: &str = "6.5.2";

/// Time limit of `spin -a`. The slowest accepted model of the corpus needs a second.
const TRANSLATE: Duration = Duration::from_secs(60);
/// Time limit of a C compiler.
const COMPILE: Duration = Duration::from_secs(120);
/// Time limit of `pan` for printing its table.
const PRINT: Duration = Duration::from_secs(60);

/// Whether SPIN 6.5.2 and a C compiler can be run here.
#[must_use]
pub fn available() -> bool {
    missing().is_none()
}

/// As [`available`]. If they cannot be run, the test is skipped.
///
/// # Panics
/// As [`need::skip`].
#[must_use]
pub fn available_or_skip(test: &str) -> bool {
    match missing() {
        None => true,
        Some((need, what)) => {
            need::skip(test, need, &what);
            false
        }
    }
}

/// What is missing to consult the oracle, found out once per process.
fn missing() -> Option<(Need, String)> {
    static MISSING: OnceLock<Option<(Need, String)>> = OnceLock::new();
    MISSING
        .get_or_init(|| {
            let Ok(answer) = run("spin", ["-V"], Path::new("."), PRINT) else {
                return Some((Need::Spin, format!("SPIN {VERSION} is not installed")));
            };
            let banner = answer.output();
            if !banner.contains(&format!("Version {VERSION}")) {
                let found = format!("need SPIN {VERSION}, found: {}", banner.trim());
                return Some((Need::Spin, found));
            }
            if !Need::Tcc.is_here() && !Need::Gcc.is_here() {
                return Some((Need::Gcc, "neither tcc nor gcc is installed".to_owned()));
            }
            None
        })
        .clone()
}

/// tcc compiles a verifier some twenty times faster than gcc.
fn has_tcc() -> bool {
    static HAS_TCC: OnceLock<bool> = OnceLock::new();
    *HAS_TCC.get_or_init(|| Need::Tcc.is_here())
}

/// The program that compiles verifiers.
#[must_use]
pub fn c_compiler() -> &'static str {
    if has_tcc() { "tcc" } else { "gcc" }
}

/// SPIN's three ways of translating a model, which yield three state spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translator {
    /// `spin -a`: statement merging and dead-variable elimination.
    Default,
    /// `-o3`: no statement merging.
    NoMerge,
    /// `-o1 -o2 -o3`: no optimisations.
    Plain,
}

impl Translator {
    /// All settings.
    pub const ALL: [Self; 3] = [Self::Default, Self::NoMerge, Self::Plain];

    /// The options of `spin` besides `-a`.
    #[must_use]
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Self::Default => &[],
            Self::NoMerge => &["-o3"],
            Self::Plain => &["-o1", "-o2", "-o3"],
        }
    }
}

/// SPIN's result for a model.
#[derive(Clone, Debug)]
pub struct Accept {
    /// Whether `spin -a` succeeded and wrote a verifier.
    pub accepted: bool,
    /// Its output; an accepted model may also have warnings, some of which say `Error`.
    pub message: String,
}

/// Whether `spin -a`, with further `args`, accepts the model.
///
/// # Errors
/// When SPIN cannot be run or exceeds its time limit. A rejected model is a result, not an error.
pub fn accepts(model: &Path, args: &[&str]) -> Result<Accept, OracleError> {
    translate(&Scratch::new()?, model, args)
}

/// The automata of the verifier, first transition of each process first.
///
/// # Errors
/// When SPIN rejects the model, or the verifier cannot be compiled, run or read.
pub fn automata(model: &Path, translator: Translator) -> Result<Vec<PanProcess>, OracleError> {
    Pan::build(model, translator, &[])?.automata()
}

/// The automata before `pan` simplifies them: with all control states, and with `goto` and `DO`
/// steps. For debugging.
///
/// # Errors
/// As [`automata`].
pub fn translate_raw(model: &Path, translator: Translator) -> Result<Vec<PanProcess>, OracleError> {
    Pan::build(model, translator, &[])?.raw()
}

/// Runs `spin -a` in the scratch directory.
fn translate(scratch: &Scratch, model: &Path, args: &[&str]) -> Result<Accept, OracleError> {
    let model = absolute(model)?;
    let mut words = vec!["-a".into()];
    words.extend(args.iter().map(Into::into));
    words.push(model.clone().into_os_string());
    let answer = run("spin", words, scratch.path(), TRANSLATE)?;
    // The exit status decides. A rejected model may leave a partial verifier, and a run that was
    // ended by a signal leaves none.
    let accepted = answer.success() && scratch.path().join("pan.c").is_file();
    Ok(Accept { accepted, message: without_directory(&answer.output(), &model) })
}

/// A message with the model's name, but without its directory.
fn without_directory(message: &str, model: &Path) -> String {
    match model.parent() {
        Some(parent) => message.replace(&format!("{}/", parent.display()), ""),
        None => message.to_owned(),
    }
}

/// The absolute path of the model, with symbolic links resolved.
fn absolute(model: &Path) -> Result<PathBuf, OracleError> {
    fs::canonicalize(model).map_err(|error| OracleError::Io(model.display().to_string(), error))
}

/// A compiled verifier in its scratch directory.
#[derive(Debug)]
pub struct Pan {
    scratch: Scratch,
}

impl Pan {
    /// Translates and compiles a model; `defines` are options for the C compiler,
    /// such as `-DSAFETY`.
    ///
    /// # Errors
    /// When SPIN rejects the model or the verifier does not compile.
    pub fn build(
        model: &Path,
        translator: Translator,
        defines: &[&str],
    ) -> Result<Self, OracleError> {
        let scratch = Scratch::new()?;
        let accept = translate(&scratch, model, translator.options())?;
        if !accept.accepted {
            return Err(OracleError::Rejected(accept.message));
        }
        let pan = Self { scratch };
        if has_tcc() && pan.compile("tcc", &["-w"], defines, model)?.success() {
            return Ok(pan);
        }
        // tcc does not support all of C, so gcc decides.
        let answer = pan.compile("gcc", &["-w", "-O0"], defines, model)?;
        if answer.success() { Ok(pan) } else { Err(OracleError::Compile(answer.output())) }
    }

    fn compile(
        &self,
        compiler: &str,
        options: &[&str],
        defines: &[&str],
        model: &Path,
    ) -> Result<Finished, OracleError> {
        let mut words: Vec<std::ffi::OsString> = options.iter().map(Into::into).collect();
        words.extend(defines.iter().map(Into::into));
        // Embedded C may include headers beside the model.
        if let Some(parent) = absolute(model)?.parent() {
            words.push("-I".into());
            words.push(parent.into());
        }
        words.extend(["-o", "pan", "pan.c"].map(Into::into));
        run(compiler, words, self.scratch.path(), COMPILE)
    }

    /// Runs the verifier with these options.
    ///
    /// # Errors
    /// When it cannot be started or does not end within `limit`.
    pub fn run(&self, args: &[&str], limit: Duration) -> Result<Finished, OracleError> {
        run(self.scratch.path().join("pan"), args, self.scratch.path(), limit)
    }

    /// Its directory, where it writes its trails.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.scratch.path()
    }

    /// The table of `pan -d`.
    ///
    /// # Errors
    /// When `pan` stops early or its output cannot be parsed.
    pub fn automata(&self) -> Result<Vec<PanProcess>, OracleError> {
        table::optimised(&self.print(&["-d"])?)
    }

    /// The table of `pan -d -d -d -d`.
    ///
    /// # Errors
    /// When `pan` stops early or its output cannot be parsed.
    pub fn raw(&self) -> Result<Vec<PanProcess>, OracleError> {
        let kinds = self.automata()?;
        table::raw(&self.print(&["-d", "-d", "-d", "-d"])?, &kinds)
    }

    fn print(&self, args: &[&str]) -> Result<String, OracleError> {
        let answer = self.run(args, PRINT)?;
        if answer.success() {
            Ok(answer.stdout)
        } else {
            Err(OracleError::Aborted(answer.output()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_found_and_nothing_is_written_beside_the_model() {
        if !available_or_skip("includes_are_found_and_nothing_is_written_beside_the_model") {
            return;
        }
        let scratch = Scratch::new().unwrap();
        let home = scratch.path().join("a b:3");
        fs::create_dir(&home).unwrap();
        fs::write(home.join("part.h"), "byte y;\n").unwrap();
        let model = home.join("m.pml");
        fs::write(&model, "#include \"part.h\"\nactive proctype A() { y = 1 }\n").unwrap();

        let processes = automata(&model, Translator::Default).unwrap();
        assert_eq!(processes.len(), 1);
        assert_eq!(processes[0].name, "A");
        assert_eq!(processes[0].edges[0].text, "y = 1");
        assert_eq!(processes[0].edges[0].line, 2);

        let raw = translate_raw(&model, Translator::Plain).unwrap();
        assert_eq!(raw[0].kind, PanKind::Proctype);
        assert_eq!(fs::read_dir(&home).unwrap().count(), 2);
    }

    #[test]
    fn rejection_is_an_answer() {
        if !available_or_skip("rejection_is_an_answer") {
            return;
        }
        let scratch = Scratch::new().unwrap();
        let model = scratch.path().join("m.pml");
        fs::write(&model, "init { x = 1 }\n").unwrap();
        let answer = accepts(&model, &[]).unwrap();
        assert!(!answer.accepted);
        assert!(answer.message.starts_with("spin: m.pml:1, Error"), "{}", answer.message);
        assert!(matches!(automata(&model, Translator::Default), Err(OracleError::Rejected(_))));
    }

    #[test]
    fn trace_and_notrace_are_told_apart() {
        if !available_or_skip("trace_and_notrace_are_told_apart") {
            return;
        }
        for (word, kind) in [("trace", PanKind::Trace), ("notrace", PanKind::Notrace)] {
            let scratch = Scratch::new().unwrap();
            let model = scratch.path().join("m.pml");
            let text = format!(
                "chan q = [1] of {{ byte }};\n{word} {{ q!1; q?1 }}\n\
                 init {{ q!1; q?1 }}\nltl p {{ [](len(q) < 2) }}\n"
            );
            fs::write(&model, text).unwrap();
            let expected = [(kind, word), (PanKind::Init, "init"), (PanKind::Claim, "p")];
            for processes in [
                automata(&model, Translator::Default).unwrap(),
                translate_raw(&model, Translator::Default).unwrap(),
            ] {
                let found: Vec<_> = processes.iter().map(|p| (p.kind, p.name.as_str())).collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn escapes_remember_where_they_come_from() {
        if !available_or_skip("escapes_remember_where_they_come_from") {
            return;
        }
        let scratch = Scratch::new().unwrap();
        let model = scratch.path().join("m.pml");
        fs::write(&model, "byte x;\ninit { { x = 1; x = 2 } unless { x == 3 } }\n").unwrap();
        let table = automata(&model, Translator::Plain).unwrap();
        let escape = table[0].edges.iter().find(|edge| edge.text == "((x==3))").unwrap();
        let origin = escape.escape_of.unwrap();
        let raw = translate_raw(&model, Translator::Plain).unwrap();
        let guarded = raw[0].edges.iter().find(|edge| edge.text == "x = 1").unwrap();
        assert_eq!(guarded.escapes, [origin]);
    }
}
