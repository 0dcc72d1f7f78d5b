//! The table of languages: one row each. A new language is a crate that implements
//! [`Model`](beeline_model::Model), a variant of [`LoadedModel`] and a
//! row here.

use std::path::Path;

use beeline_checker::HeuristicNames;
use beeline_heuristics::HEURISTICS;
use beeline_kernel::registry::RegistryRow;
use beeline_network::NETWORK_HEURISTICS;

use crate::model::file::ModelFile;
use crate::model::load_options::LoadOptions;
use crate::model::loaded::LoadedModel;

/// A language of models.
pub(crate) struct Language {
    /// Its name in messages.
    pub(crate) name: &'static str,
    /// Whether a file of this path with this text is written in it.
    recognises: fn(&Path, &str) -> bool,
    /// Reads a model; mistakes are diagnostics.
    pub(crate) load: fn(ModelFile, &LoadOptions<'_>) -> LoadedModel,
    /// Options of the command line that it does not support.
    pub(crate) refused: &'static [&'static str],
}

/// All languages. The last one accepts every text.
pub(crate) const LANGUAGES: &[Language] = &[
    Language {
        name: "process network",
        recognises: |path, text| {
            path.extension().is_some_and(|end| end == "net") || begins_with_process(text)
        },
        load: LoadedModel::network,
        refused: &["--fair", "--coverage", "--lossy", "--strict-ends", "--plain", "-D", "-I"],
    },
    Language {
        name: "Promela model",
        recognises: |_, _| true,
        load: LoadedModel::promela,
        refused: &[],
    },
];

/// The language of a file.
pub(crate) fn language_of(path: &Path, text: &str) -> &'static Language {
    let found = LANGUAGES.iter().find(|language| (language.recognises)(path, text));
    found.expect("the last language takes every text")
}

/// The names of the heuristics of all languages.
pub(crate) fn heuristic_names() -> HeuristicNames {
    let aliases = HEURISTICS.iter().flat_map(|row| row.aliases.iter().copied());
    HeuristicNames {
        listed: HEURISTICS.iter().map(RegistryRow::name).collect(),
        others: aliases.chain(NETWORK_HEURISTICS.iter().map(RegistryRow::name)).collect(),
    }
}

/// Whether the first word outside comments is `process`, with which no Promela model begins.
fn begins_with_process(text: &str) -> bool {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    code.flat_map(str::split_whitespace).next() == Some("process")
}
