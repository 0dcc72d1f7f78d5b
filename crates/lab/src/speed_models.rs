//! The models on which the speed of exhaustive search is measured: our own, and some of the corpus.

use std::path::PathBuf;

use crate::place::root;

/// A model with the options that determine its size.
pub struct SpeedModel {
    /// The name in tables.
    pub name: &'static str,
    /// The file: below the root of the project, or `corpus:` and a path in the corpus.
    pub file: &'static str,
    /// Definitions for the preprocessor, as `-DNAME=VALUE`.
    pub defines: &'static [&'static str],
}

const fn model(
    name: &'static str,
    file: &'static str,
    defines: &'static [&'static str],
) -> SpeedModel {
    SpeedModel { name, file, defines }
}

/// Of 10^5 to 10^7 states.
pub const SPEED_MODELS: &[SpeedModel] = &[
    model("philosophers 10", "models/philosophers.pml", &["-DN=10"]),
    model("leader 8", "models/leader.pml", &["-DN=8"]),
    model("grid 10^6", "models/grid.pml", &["-DN=6"]),
    model("sliding window 4", "models/sliding_window.pml", &["-DWINDOW=4", "-DSLOTS=4"]),
    model("dynamic 3", "models/dynamic.pml", &["-DHEIGHT=3"]),
    model("peterson.2", "corpus:beem/peterson.2.pml", &[]),
    model("at.3", "corpus:beem/at.3.pml", &[]),
    model("fischer.3", "corpus:beem/fischer.3.pml", &[]),
    model("iprotocol.3", "corpus:beem/iprotocol.3.pml", &[]),
    model("sokoban.2", "corpus:beem/sokoban.2.pml", &[]),
    model("brp.3", "corpus:beem/brp.3.pml", &[]),
    model("leader2", "corpus:case-studies/tests_leader2.pml", &[]),
    model("elevator", "corpus:realworld/elevator_taka.pml", &[]),
    model("go-back-n", "corpus:realworld/gbn_saralazza.pml", &[]),
];

impl SpeedModel {
    /// The path of the file, if it is here.
    pub fn path(&self) -> Option<PathBuf> {
        let path = match self.file.strip_prefix("corpus:") {
            Some(file) => {
                let corpus = std::env::var("BEELINE_CORPUS");
                let default = || root().join("../shared/models");
                corpus.map_or_else(|_| default(), PathBuf::from).join(file)
            }
            None => root().join(self.file),
        };
        path.canonicalize().ok()
    }

    /// The text, with the definitions at its beginning, if the file is here.
    pub fn text(&self) -> Option<String> {
        let define = |option: &&str| {
            let definition = option.trim_start_matches("-D").replacen('=', " ", 1);
            format!("#define {definition}\n")
        };
        let text = std::fs::read_to_string(self.path()?).ok()?;
        Some(self.defines.iter().map(define).collect::<String>() + &text)
    }
}

/// The models whose name contains one of these words; all of them if there are no words.
///
/// # Errors
///
/// If there is no such model: a message with all names.
pub fn named(words: &[String]) -> Result<Vec<&'static SpeedModel>, String> {
    let is_wanted = |model: &&SpeedModel| {
        words.is_empty() || words.iter().any(|word| model.name.contains(word.as_str()))
    };
    let models: Vec<&SpeedModel> = SPEED_MODELS.iter().filter(is_wanted).collect();
    if models.is_empty() {
        let names: Vec<&str> = SPEED_MODELS.iter().map(|model| model.name).collect();
        let (wanted, names) = (words.join(", "), names.join(", "));
        return Err(format!("no model is called {wanted}; there are: {names}"));
    }
    Ok(models)
}
