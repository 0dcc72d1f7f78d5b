//! A kind of input: its text at a size, and how it must end.

use beeline_promela::Frontend;
use beeline_promela::preprocess::{FileLoader, LoadedFile, PreprocessOptions};

use crate::exercise::{self, Outcome};

/// How an input must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With automata.
    Built,
    /// With an error of this code, among others.
    Error(&'static str),
    /// With errors, whichever.
    Errors,
}

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// What is excessive about it.
    pub name: &'static str,
    /// The size at which it must be dealt with within two seconds.
    pub size: usize,
    /// Its text at a size.
    pub text: fn(usize) -> String,
    /// How it ends at that size.
    pub ending: Ending,
}

impl Input {
    /// Runs the front-end on a text of this kind.
    pub fn read(&self, text: &str) -> Frontend {
        beeline_promela::read("model.pml", text, &mut Cycles, &PreprocessOptions::default())
    }

    /// The same, and everything that comes after it.
    ///
    /// # Panics
    /// When the front-end breaks a promise.
    pub fn run(&self, text: &str) -> Outcome {
        exercise::exercise_with(text, &mut Cycles)
    }

    /// What is wrong with an outcome; nothing if it is the one expected.
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

/// So many pieces, each with its number.
pub(super) fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}
