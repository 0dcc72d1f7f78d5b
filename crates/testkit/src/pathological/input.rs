//! A kind of input: its text at a size, and the expected result.

use beeline_promela::Frontend;
use beeline_promela::preprocess::{FileLoader, LoadedFile, PreprocessOptions};

use crate::exercise::{self, Outcome};

/// The expected result of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Automata.
    Built,
    /// An error of this code, perhaps with others.
    Error(&'static str),
    /// Any errors.
    Errors,
}

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its excessive feature.
    pub name: &'static str,
    /// The size that must be processed within two seconds.
    pub size: usize,
    /// Its text at a size.
    pub text: fn(usize) -> String,
    /// The expected result at that size.
    pub ending: Ending,
}

impl Input {
    /// Runs the front-end on a text of this kind.
    pub fn read(&self, text: &str) -> Frontend {
        beeline_promela::read("model.pml", text, &mut Cycles, &PreprocessOptions::default())
    }

    /// Runs the front-end and all later passes.
    ///
    /// # Panics
    /// When a guarantee of the front-end is violated.
    pub fn run(&self, text: &str) -> Outcome {
        exercise::exercise_with(text, &mut Cycles)
    }

    /// The problem with an outcome; `None` if it is the expected one.
    pub fn complaint(&self, outcome: &Outcome) -> Option<String> {
        let fine = match (self.ending, outcome) {
            (Ending::Built, Outcome::Built(_)) | (Ending::Errors, Outcome::Refused(_)) => true,
            (Ending::Error(code), Outcome::Refused(codes)) => codes.contains(&code),
            _ => false,
        };
        (!fine).then(|| format!("expected {:?}, not {outcome:?}", self.ending))
    }
}

/// Files that include themselves and each other.
struct Cycles;

impl FileLoader for Cycles {
    fn load(&mut self, name: &str, _from: &str, _angled: bool) -> Option<LoadedFile> {
        let text = match name {
            "self" => "#include \"self\"\n",
            "ping" => "int ping;\n#include \"pong\"\n",
            "pong" => "#include \"ping\"\n",
            "twice" => "#include \"twice\"\n#include \"twice\"\n",
            _ => return None,
        };
        Some(LoadedFile { name: name.to_owned(), text: text.to_owned() })
    }
}

pub(super) const fn input(
    name: &'static str,
    size: usize,
    text: fn(usize) -> String,
    ending: Ending,
) -> Input {
    Input { name, size, text, ending }
}

/// A process with an `x` and the given statements.
pub(super) fn process(body: &str) -> String {
    format!("active proctype p() {{ int x;\n{body}\n}}\n")
}

/// `count` pieces, each with its number.
pub(super) fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}
