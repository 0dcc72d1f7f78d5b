//! Building `pdb`: patterns by refinement, by names or from a file, with an optional cache file.

use beeline_factored::FactoredView;
use beeline_kernel::{BoxedHeuristic, Resources};
use std::io::ErrorKind;

use beeline_engine::automata;
use beeline_kernel::spec::SpecValue;

use super::budget::PatternBudget;
use super::cache_file::{CacheFile, Fingerprint};
use super::pdb::{NoPattern, Pdb, from_recipe, named, refined};
use super::recipe::{Recipe, RecipeConstants};
use super::refinement::RefinementSettings;
use super::tables::Tables;
use super::task::PatternTask;
use crate::error::BuildError;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow, Request, argument};
use beeline_kernel::registry::ArgumentRow;

const ARGUMENTS: &[ArgumentRow] = &[
    argument("of", "auto, or a list of names as \"x\", \"P[0]@\" or \"P[0]\" (default: auto)"),
    argument(
        "states",
        "maximum number of abstract states of a table, at least 1 (default: 100000)",
    ),
    argument("file", "a file that describes the tables (docs/book/patterns.md)"),
    argument("cache", "a file that stores the tables for later runs"),
];

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "pdb",
    aliases: &[],
    arguments: ARGUMENTS,
    about: "distance to an error in an abstraction that keeps some variables and locations, from \
            a table",
    promises: Some("admissible, consistent, safe"),
    source: Some("[EMJ05] Abstraction Databases"),
    build: HeuristicBuilder { goals: GoalKind::ALL, build: |of| of.patterns() },
};

/// The choice of patterns.
enum Choice {
    Auto,
    Names(Vec<String>),
    /// A pattern file: its name and its text.
    File(String, String),
}

impl<'a> Request<'a, '_> {
    /// Pattern databases.
    fn patterns(&self) -> Result<BoxedHeuristic<'a>, BuildError> {
        let settings = match self.arguments.number("states")? {
            None => RefinementSettings::default(),
            Some(states) if states < 1.0 => return Err(self.refuse("states")),
            Some(states) => RefinementSettings { states: states as usize },
        };
        let choice = self.choice()?;
        let cache = match self.arguments.value("cache") {
            None => None,
            Some(value) => Some(self.file_name("cache", value)?),
        };
        let FactoredView { system, ranges, reading } = self.view()?;
        // The key of cached tables covers the whole system, errors included.
        let asked = match &choice {
            Choice::Auto => "auto".to_owned(),
            Choice::Names(names) => format!("{names:?}"),
            Choice::File(_, text) => format!("{:?} {text}", self.constants()),
        };
        let about = cache.as_ref().map(|_| {
            let version = env!("CARGO_PKG_VERSION");
            format!("{version} {settings:?} {asked:?} {system:?} {ranges:?}")
        });
        let task = PatternTask::new(system, ranges);
        let Resources { bytes, deadline, .. } = self.resources;
        let budget = PatternBudget { bytes, deadline, ..PatternBudget::new(settings.states) };
        let make = || self.tables(&task, &choice, budget);
        let tables = match (cache, about) {
            (Some(name), Some(about)) => {
                self.cached(&name, Fingerprint::of(about.as_bytes()), &task, make)?
            }
            _ => make()?,
        };
        if let Some(short_of) = tables.short_of {
            (self.resources.tell)(short_of.remark());
        }
        Ok(Box::new(Pdb::new(&task.system, tables, reading)))
    }

    fn choice(&self) -> Result<Choice, BuildError> {
        let of = self.arguments.value("of");
        if let Some(value) = self.arguments.value("file") {
            if of.is_some() {
                let cause = "cannot be given together with `of`".to_owned();
                return Err(self.wrong("file", cause));
            }
            let name = self.file_name("file", value)?;
            let bytes = self.resources.files.read(&name);
            let bytes = bytes
                .map_err(|error| self.file("file", &name, &format!("cannot be read: {error}")))?;
            let text = String::from_utf8(bytes)
                .map_err(|_| self.file("file", &name, "is not UTF-8 text"))?;
            return Ok(Choice::File(name, text));
        }
        let Some(value) = of else { return Ok(Choice::Auto) };
        match (value, value.text()) {
            (_, Some("auto")) => Ok(Choice::Auto),
            (_, Some(text)) => Ok(Choice::Names(vec![text.to_owned()])),
            (SpecValue::List(all), _) => {
                let texts = all.iter().map(|one| one.text().map(str::to_owned));
                let texts: Option<Vec<String>> = texts.collect();
                let wrong = || self.wrong("of", "has an element that is not a name".to_owned());
                texts.map(Choice::Names).ok_or_else(wrong)
            }
            _ => Err(self.refuse("of")),
        }
    }

    fn tables(
        &self,
        task: &PatternTask,
        choice: &Choice,
        budget: PatternBudget,
    ) -> Result<Tables, BuildError> {
        match choice {
            Choice::Auto => Ok(refined(task, budget)),
            Choice::Names(names) => {
                let made = named(task, budget, names);
                made.map_err(|cause| self.wrong("of", cause.to_string()))
            }
            Choice::File(name, text) => {
                let recipe = Recipe::read(text, &task.system, &self.constants())
                    .map_err(|mistake| self.no_recipe(name, &mistake.to_string()))?;
                from_recipe(task, budget, &recipe).map_err(|cause: NoPattern| {
                    let fix = "keep fewer variables in it, or raise the limit with `states`";
                    self.no_recipe(name, &format!("{cause}; {fix}"))
                })
            }
        }
    }

    /// Reads tables from a cache file, or computes and stores them.
    fn cached(
        &self,
        name: &str,
        key: Fingerprint,
        task: &PatternTask,
        make: impl FnOnce() -> Result<Tables, BuildError>,
    ) -> Result<Tables, BuildError> {
        let model = self.model();
        let mut shelf = match self.resources.files.read(name) {
            Ok(bytes) => CacheFile::read(&bytes, model).map_err(|cause| {
                let fix = "name another file, or remove this one, and a new one is written";
                let (name, cause) = (self.row.name, format!("`cache`: `{name}` {cause}"));
                BuildError::Argument { name, cause, fix: fix.to_owned() }
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound => CacheFile::new(model),
            Err(error) => {
                return Err(self.file("cache", name, &format!("cannot be read: {error}")));
            }
        };
        if let Some(tables) = shelf.find(key, &task.system) {
            return Ok(tables);
        }
        let tables = make()?;
        if tables.short_of.is_some() {
            return Ok(tables);
        }
        shelf.put(key, &tables, &task.system);
        let written = self.resources.files.write(name, &shelf.bytes());
        written
            .map_err(|error| self.file("cache", name, &format!("cannot be written: {error}")))?;
        Ok(tables)
    }

    /// Names of values for pattern files.
    fn constants(&self) -> RecipeConstants {
        RecipeConstants::of(self.machine.model())
    }

    /// The fingerprint of a model: that of its unoptimised automata.
    fn model(&self) -> Fingerprint {
        let model = self.machine.model();
        let automata = automata::build(model, automata::AutomataOptions::PLAIN);
        Fingerprint::of(automata::dump(&automata, model).as_bytes())
    }

    fn file_name(&self, at: &str, value: &SpecValue) -> Result<String, BuildError> {
        let name = value.text().filter(|name| !name.is_empty()).map(str::to_owned);
        name.ok_or_else(|| self.wrong(at, format!("is `{value}`")))
    }

    fn file(&self, at: &str, name: &str, cause: &str) -> BuildError {
        self.wrong(at, format!("names `{name}`, which {cause}"))
    }

    /// An error in a pattern file.
    fn no_recipe(&self, file: &str, what: &str) -> BuildError {
        let (cause, fix) = what.split_once("; ").unwrap_or((what, ""));
        let (cause, fix) = (format!("`{file}`, {cause}"), fix.to_owned());
        BuildError::Argument { name: self.row.name, cause, fix }
    }
}
