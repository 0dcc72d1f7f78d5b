//! Parser for pattern files.

use beeline_factored::{FactorId, Interval, System};
use beeline_promela::diagnostic::did_you_mean;

use super::condition::condition;
use super::constants::RecipeConstants;
use super::error::RecipeError;
use super::factor_names::{find, unknown};
use super::table_recipe::{Recipe, TableRecipe};
use super::words::{Word, Words};
use crate::pattern::classes::ValueClasses;
use crate::pattern::combination::TableCombination;
use crate::pattern::feature::{Feature, Predicate};

const KEYWORDS: [&str; 5] = ["combine", "table", "keep", "classes", "predicate"];
const FORMAT: &str = "lines are: combine max or sum, table NAME, keep NAME, ..., \
                      classes NAME = CLASS, ... or modulo N, predicate CONDITION";
const CLASSES: &str = "write classes as `classes x = 0, 1..3, {4, 7..9}, 10..` or as \
                       `classes x = modulo 2`";

impl Recipe {
    /// Parses a pattern file for a system; `constants` are names of values.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn read(
        text: &str,
        system: &System,
        constants: &RecipeConstants,
    ) -> Result<Recipe, RecipeError> {
        let mut reader = Reader { system, constants, together: None, tables: Vec::new() };
        let mut last = 1;
        for (at, line) in text.lines().enumerate() {
            let mut words = Words::of(at + 1, line)?;
            if *words.peek() != Word::End {
                reader.line(at + 1, &mut words)?;
            }
            last = at + 1;
        }
        reader.finish(last)
    }
}

struct Reader<'s> {
    system: &'s System,
    constants: &'s RecipeConstants,
    together: Option<TableCombination>,
    tables: Vec<TableRecipe>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, words: &mut Words) -> Result<(), RecipeError> {
        let (column, keyword) = words.name(FORMAT)?;
        match keyword.as_str() {
            "combine" => self.combine(column, words),
            "table" => self.table(number, words),
            "keep" | "classes" | "predicate" if self.tables.is_empty() => {
                let cause = format!("`{keyword}` comes before the first table");
                Err(words.mistake_at(column, cause, "begin a table with `table NAME`"))
            }
            "keep" => self.keep(words),
            "classes" => self.classes(words),
            "predicate" => self.predicate(column, words),
            other => {
                let cause = format!("no line begins with `{other}`");
                let close = did_you_mean(other, KEYWORDS);
                let fix = close.map(|close| format!("did you mean `{close}`?"));
                Err(words.mistake_at(column, cause, fix.as_deref().unwrap_or(FORMAT)))
            }
        }?;
        words.end("put the rest on a new line")
    }

    fn combine(&mut self, column: usize, words: &mut Words) -> Result<(), RecipeError> {
        let fix = "write `combine max` or `combine sum`, once, before all tables";
        if self.together.is_some() || !self.tables.is_empty() {
            return Err(words.mistake_at(column, "`combine` must come first".to_owned(), fix));
        }
        let (column, how) = words.name(fix)?;
        self.together = Some(match how.as_str() {
            "max" => TableCombination::Max,
            "sum" => TableCombination::Sum,
            other => {
                let cause = format!("`{other}` is not a way to combine tables");
                return Err(words.mistake_at(column, cause, fix));
            }
        });
        Ok(())
    }

    fn table(&mut self, line: usize, words: &mut Words) -> Result<(), RecipeError> {
        let (column, name) = words.name("write `table NAME`")?;
        if let Some(other) = self.tables.iter().find(|table| table.name == name) {
            let cause = format!("there is a table `{name}` in line {}", other.line);
            return Err(words.mistake_at(column, cause, "give it another name"));
        }
        self.check_last()?;
        self.tables.push(TableRecipe { name, features: Vec::new(), line });
        Ok(())
    }

    fn keep(&mut self, words: &mut Words) -> Result<(), RecipeError> {
        loop {
            for factor in self.factors(words)? {
                self.add(Feature::Value(factor));
            }
            if !words.takes(",") {
                return Ok(());
            }
        }
    }

    fn classes(&mut self, words: &mut Words) -> Result<(), RecipeError> {
        let factors = self.factors(words)?;
        if !words.takes("=") {
            return Err(words.wrong("`=`", CLASSES));
        }
        let classes = self.read_classes(words)?;
        factors.into_iter().for_each(|one| self.add(Feature::Class(one, classes.clone())));
        Ok(())
    }

    fn predicate(&mut self, column: usize, words: &mut Words) -> Result<(), RecipeError> {
        let condition = condition(words, self.system, self.constants)?;
        let mut is_constant = true;
        condition.factors(&mut |_| is_constant = false);
        if is_constant {
            let cause = "the condition is constant".to_owned();
            return Err(words.mistake_at(column, cause, "compare variables, as in `x < y`"));
        }
        self.add(Feature::Predicate(Predicate::new(condition)));
        Ok(())
    }

    fn add(&mut self, feature: Feature) {
        self.tables.last_mut().expect("`line` looked").features.push(feature);
    }

    /// The factors of a name that the table does not have yet.
    fn factors(&self, words: &mut Words) -> Result<Vec<FactorId>, RecipeError> {
        let (column, name) = words.name("write names as `beeline dump --form factored` does")?;
        let factors =
            find(self.system, &name).map_err(|cause| unknown(words, column, &name, cause))?;
        let table = self.tables.last().expect("`line` looked");
        let is_there = |factor: FactorId| {
            let mut features = table.features.iter();
            features.any(
                |feature| matches!(feature, Feature::Value(one) | Feature::Class(one, _) if *one == factor),
            )
        };
        if let Some(&twice) = factors.iter().find(|&&factor| is_there(factor)) {
            let cause = format!("`{}` is in this table already", self.system.factor(twice).name);
            return Err(words.mistake_at(column, cause, "keep it, or give it classes, once"));
        }
        Ok(factors)
    }

    /// Checks that the last table is complete.
    fn check_last(&self) -> Result<(), RecipeError> {
        match self.tables.last() {
            Some(table) if table.features.is_empty() => Err(RecipeError {
                line: table.line,
                column: 1,
                cause: format!("table `{}` keeps nothing", table.name),
                fix: "add a line with `keep`, `classes` or `predicate`".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn finish(self, line: usize) -> Result<Recipe, RecipeError> {
        self.check_last()?;
        if self.tables.is_empty() {
            let (cause, fix) = ("there is no table".to_owned(), FORMAT.to_owned());
            return Err(RecipeError { line, column: 1, cause, fix });
        }
        Ok(Recipe { together: self.together.unwrap_or(TableCombination::Max), tables: self.tables })
    }
}

/// Value classes.
impl Reader<'_> {
    fn read_classes(&self, words: &mut Words) -> Result<ValueClasses, RecipeError> {
        if *words.peek() == Word::Name("modulo".to_owned()) {
            words.next();
            let column = words.place();
            let by = words.number(CLASSES)?;
            if by < 2 {
                let cause = format!("a remainder by `{by}` makes no classes");
                return Err(words.mistake_at(column, cause, "use a number of at least 2"));
            }
            return Ok(ValueClasses::Modulo(by));
        }
        let mut sets: Vec<Vec<Interval>> = Vec::new();
        loop {
            let mut set = Vec::new();
            let is_set = words.takes("{");
            loop {
                let column = words.place();
                let part = self.range(words)?;
                let all = sets.iter().flatten().chain(&set);
                if let Some(other) = all.into_iter().find(|other| other.meet(part).is_some()) {
                    let shared = other.meet(part).expect("they meet").least;
                    let cause = format!("{shared} is in two classes, or twice in one");
                    return Err(words.mistake_at(column, cause, "put each value into one class"));
                }
                set.push(part);
                if !is_set || !words.takes(",") {
                    break;
                }
            }
            if is_set && !words.takes("}") {
                return Err(words.wrong("`,` or `}`", CLASSES));
            }
            sets.push(set);
            if !words.takes(",") {
                return Ok(ValueClasses::Sets(sets));
            }
        }
    }

    /// `3`, `1..3`, `4..` or `..4`, or the name of a value
    fn range(&self, words: &mut Words) -> Result<Interval, RecipeError> {
        let column = words.place();
        if let Word::Name(name) = words.peek().clone() {
            words.next();
            let value = self.constants.value(words, column, &name, self.system)?;
            let value = value.ok_or_else(|| self.constants.unknown(words, column, &name))?;
            return Ok(Interval { least: i64::from(value), greatest: i64::from(value) });
        }
        let Interval { mut least, mut greatest } = Interval::ALL;
        if *words.peek() != Word::Sign("..") {
            least = i64::from(words.number(CLASSES)?);
            greatest = least;
        }
        if words.takes("..") {
            let has_end = words.is_number() || least == Interval::ALL.least;
            greatest =
                if has_end { i64::from(words.number(CLASSES)?) } else { Interval::ALL.greatest };
        }
        if least > greatest {
            let cause = format!("the range `{least}..{greatest}` is empty");
            return Err(words.mistake_at(column, cause, "write the smaller number first"));
        }
        Ok(Interval { least, greatest })
    }
}
