//! The corpus: Promela models by other people, with SPIN's results.
//!
//! It does not belong to the project and may be absent. It is searched in the directory named by
//! the environment variable `BEELINE_CORPUS`, otherwise in `shared/models` beside the workspace.
//! Three tables describe it: `INDEX.tsv` lists the models, `ACCEPT.tsv` says which of them SPIN
//! accepts, `RESULTS.tsv` holds the outcome of verification runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::need::{self, Need};

/// All models with their records.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Its directory.
    pub root: PathBuf,
    /// The models, in the order of the index.
    pub entries: Vec<Entry>,
    /// The recorded runs, in the order of the table.
    pub results: Vec<ResultRow>,
}

/// One model.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The rough origin of the model.
    pub group: String,
    /// Its file as the tables name it, relative to the corpus.
    pub name: String,
    /// Its file: the entry point, if others are included.
    pub file: PathBuf,
    /// The language features it uses.
    pub features: Vec<String>,
    /// Whether `spin -a` accepts it.
    pub spin_accepts: bool,
    /// Whether it contains embedded C.
    pub embedded_c: bool,
    /// SPIN's message, if there is one.
    pub message: String,
}

/// The end of a recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The whole state space was searched.
    Complete,
    /// The search stopped at the first error, as requested.
    StoppedAtError,
    /// A limit was reached or the run failed: no result.
    Inconclusive(String),
}

/// One recorded run. Counts are absent where the run did not report them.
#[derive(Clone, Debug)]
pub struct ResultRow {
    /// The model, as [`Entry::name`].
    pub name: String,
    /// The configuration, such as `full` or `acc:p1`.
    pub config: String,
    /// The end of the run.
    pub status: Status,
    /// States stored.
    pub stored: Option<u64>,
    /// States matched.
    pub matched: Option<u64>,
    /// Transitions, stored and matched.
    pub transitions: Option<u64>,
    /// Atomic steps.
    pub atomic: Option<u64>,
    /// Longest depth reached.
    pub depth: Option<u64>,
    /// Errors found.
    pub errors: Option<u64>,
    /// Bytes of the state vector.
    pub state_vector: Option<u64>,
    /// The kind of the first error.
    pub error: Option<String>,
    /// The depth of the first error.
    pub error_depth: Option<u64>,
    /// Options of `spin`.
    pub spin: String,
    /// Options of the C compiler; empty when the verifier of an earlier row was used again.
    pub cc: String,
    /// Options of `pan`.
    pub pan: String,
}

impl Corpus {
    /// The corpus, or `None` if there is none.
    ///
    /// # Panics
    /// When there is one, but its tables cannot be read: a damaged corpus must not count as an
    /// absent one.
    #[must_use]
    pub fn open() -> Option<Self> {
        let root = need::corpus_directory();
        if !Need::Corpus.is_here() {
            return None;
        }
        Some(Self::read(&root).unwrap_or_else(|problem| panic!("corpus: {problem}")))
    }

    fn read(root: &Path) -> Result<Self, String> {
        let load = |name: &str| {
            let path = root.join(name);
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            Table::parse(&text).map_err(|problem| format!("{name}: {problem}"))
        };
        let accept = load("ACCEPT.tsv")?;
        let accept: BTreeMap<_, _> = accept.rows().map(|row| (row.text("file"), row)).collect();
        let entries = load("INDEX.tsv")?
            .rows()
            .map(|row| {
                let name = row.text("file");
                match accept.get(name) {
                    Some(accept) => entry(root, row, *accept),
                    None => Err(format!("ACCEPT.tsv: no row for {name}")),
                }
            })
            .collect::<Result<_, _>>()?;
        let results = load("RESULTS.tsv")?.rows().map(result_row).collect::<Result<_, _>>()?;
        Ok(Self { root: root.to_owned(), entries, results })
    }

    /// The recorded run of a model under a configuration.
    #[must_use]
    pub fn result(&self, name: &str, config: &str) -> Option<&ResultRow> {
        self.results.iter().find(|row| row.name == name && row.config == config)
    }
}

/// The corpus. If there is none here, the test is skipped.
///
/// # Panics
/// As [`need::skip`].
#[must_use]
pub fn corpus_or_skip(test: &str) -> Option<Corpus> {
    let corpus = Corpus::open();
    if corpus.is_none() {
        let directory = need::corpus_directory();
        need::skip(test, Need::Corpus, &format!("there is none in {}", directory.display()));
    }
    corpus
}

fn entry(root: &Path, index: Row<'_>, accept: Row<'_>) -> Result<Entry, String> {
    let features = index.text("features").split(',').filter(|word| !word.is_empty());
    Ok(Entry {
        group: index.text("group").to_owned(),
        name: index.text("file").to_owned(),
        file: root.join(index.text("file")),
        features: features.map(str::to_owned).collect(),
        spin_accepts: accept.yes("spin_accepts")?,
        embedded_c: accept.yes("embedded_c")?,
        message: accept.text("spin_message").to_owned(),
    })
}

fn result_row(row: Row<'_>) -> Result<ResultRow, String> {
    let status = match row.text("status") {
        "complete" => Status::Complete,
        "stopped_at_error" => Status::StoppedAtError,
        other => Status::Inconclusive(other.to_owned()),
    };
    let error = row.text("err_type");
    Ok(ResultRow {
        name: row.text("file").to_owned(),
        config: row.text("config").to_owned(),
        status,
        stored: row.count("stored")?,
        matched: row.count("matched")?,
        transitions: row.count("transitions")?,
        atomic: row.count("atomic")?,
        depth: row.count("depth")?,
        errors: row.count("errors")?,
        state_vector: row.count("statevector")?,
        error: (!error.is_empty()).then(|| error.to_owned()),
        error_depth: row.count("err_depth")?,
        spin: row.text("spin").to_owned(),
        cc: row.text("cc").to_owned(),
        pan: row.text("pan").to_owned(),
    })
}

/// A tab-separated file with a line of headings.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn parse(text: &str) -> Result<Self, String> {
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let columns = split(lines.next().ok_or("empty")?);
        let rows: Vec<_> = lines.map(split).collect();
        match rows.iter().position(|row| row.len() != columns.len()) {
            Some(index) => Err(format!("line {}: {} columns expected", index + 2, columns.len())),
            None => Ok(Self { columns, rows }),
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

/// A row whose cells are found by their headings.
#[derive(Clone, Copy)]
struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    fn text(&self, column: &str) -> &'a str {
        let position = self.columns.iter().position(|name| name == column);
        &self.cells[position.unwrap_or_else(|| panic!("the table has no column {column}"))]
    }

    fn yes(&self, column: &str) -> Result<bool, String> {
        match self.text(column) {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("{column} is neither yes nor no: {other}")),
        }
    }

    fn count(&self, column: &str) -> Result<Option<u64>, String> {
        match self.text(column) {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| format!("{column} is not a number: {text}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_the_corpus_is_there() {
        let Some(corpus) = corpus_or_skip("every_model_of_the_corpus_is_there") else {
            return;
        };
        assert!(!corpus.entries.is_empty());
        for entry in &corpus.entries {
            assert!(entry.file.is_file(), "{} is missing", entry.name);
        }
    }

    #[test]
    fn every_result_is_about_a_model_and_conclusive_ones_have_counts() {
        let name = "every_result_is_about_a_model_and_conclusive_ones_have_counts";
        let Some(corpus) = corpus_or_skip(name) else {
            return;
        };
        for row in &corpus.results {
            assert!(corpus.entries.iter().any(|entry| entry.name == row.name), "{}", row.name);
            if !matches!(row.status, Status::Inconclusive(_)) {
                assert!(row.stored.is_some() && row.errors.is_some(), "{row:?}");
            }
        }
    }

    #[test]
    fn ragged_tables_are_refused() {
        let problem = Table::parse("a\tb\r\n1\t2\r\n3\r\n").map(|_| ()).unwrap_err();
        assert_eq!(problem, "line 3: 2 columns expected");
    }
}
