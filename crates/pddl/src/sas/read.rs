//! Reads the format line by line. The first mistake ends the reading.

use std::fmt;
use std::str::FromStr;

use super::sas_task::{SasEffect, SasFact, SasOperator, SasRule, SasTask, SasVariable};

/// The only version that planners use today.
const VERSION: u32 = 3;
/// The most values of a variable: a state has two bytes for it.
const MOST_VALUES: u32 = 1 << 16;

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SasError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for SasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for SasError {}

/// Reads a task.
///
/// # Errors
///
/// The first line that is not as it should be.
pub fn read_sas(text: &str) -> Result<SasTask, SasError> {
    let mut reader = SasReader { lines: text.lines(), line: 0, variables: Vec::new() };
    reader.keyword("begin_version")?;
    let version: u32 = reader.number("the version")?;
    if version != VERSION {
        return Err(reader.error(format!("version {version} is not supported, only {VERSION} is")));
    }
    reader.keyword("end_version")?;
    reader.keyword("begin_metric")?;
    let has_costs = match reader.number::<u32>("0 or 1")? {
        0 => false,
        1 => true,
        other => return Err(reader.error(format!("expected 0 or 1, not {other}"))),
    };
    reader.keyword("end_metric")?;
    reader.variables()?;
    for _ in 0..reader.number::<usize>("the number of mutex groups")? {
        reader.keyword("begin_mutex_group")?;
        reader.facts()?;
        reader.keyword("end_mutex_group")?;
    }
    reader.keyword("begin_state")?;
    for at in 0..reader.variables.len() {
        let value = reader.number("the initial value of a variable")?;
        reader.check(SasFact { variable: at, value })?;
        reader.variables[at].initial = value;
    }
    reader.keyword("end_state")?;
    reader.keyword("begin_goal")?;
    let goal = reader.facts()?;
    reader.keyword("end_goal")?;
    let mut operators = Vec::new();
    for _ in 0..reader.number::<usize>("the number of operators")? {
        operators.push(reader.operator(has_costs)?);
    }
    let mut rules = Vec::new();
    for _ in 0..reader.number::<usize>("the number of axioms")? {
        rules.push(reader.rule()?);
    }
    Ok(SasTask { variables: reader.variables, operators, rules, goal })
}

struct SasReader<'t> {
    lines: std::str::Lines<'t>,
    /// The number of the last line.
    line: usize,
    variables: Vec<SasVariable>,
}

impl<'t> SasReader<'t> {
    fn error(&self, why: impl Into<String>) -> SasError {
        SasError { line: self.line, why: why.into() }
    }

    fn next(&mut self, expected: &str) -> Result<&'t str, SasError> {
        self.line += 1;
        match self.lines.next() {
            Some(line) => Ok(line.trim()),
            None => Err(self.error(format!("the file ends where {expected} should be"))),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), SasError> {
        let line = self.next(&format!("`{keyword}`"))?;
        if line == keyword {
            return Ok(());
        }
        let found: String = line.chars().take(40).collect();
        Err(self.error(format!("expected `{keyword}`, not `{found}`")))
    }

    fn number<T: FromStr>(&mut self, what: &str) -> Result<T, SasError> {
        let line = self.next(what)?;
        self.parsed(line, what)
    }

    fn parsed<T: FromStr>(&self, word: &str, what: &str) -> Result<T, SasError> {
        let found: String = word.chars().take(40).collect();
        word.parse().map_err(|_| self.error(format!("expected {what}, not `{found}`")))
    }

    /// The numbers of a line.
    fn numbers(&mut self, what: &str) -> Result<Vec<i64>, SasError> {
        let line = self.next(what)?;
        line.split_whitespace().map(|word| self.parsed(word, what)).collect()
    }

    fn check(&self, fact: SasFact) -> Result<SasFact, SasError> {
        let SasFact { variable, value } = fact;
        match self.variables.get(variable) {
            None => Err(self.error(format!("there is no variable {variable}"))),
            Some(of) if value as usize >= of.values.len() => {
                Err(self.error(format!("variable {variable} has no value {value}")))
            }
            Some(_) => Ok(fact),
        }
    }

    fn fact(&self, variable: i64, value: i64) -> Result<SasFact, SasError> {
        let number = |value: i64| u32::try_from(value);
        match (number(variable), number(value)) {
            (Ok(variable), Ok(value)) => self.check(SasFact { variable: variable as usize, value }),
            _ => Err(self.error("numbers of variables and values are not negative")),
        }
    }

    /// A number of facts, and then these, a line each.
    fn facts(&mut self) -> Result<Vec<SasFact>, SasError> {
        let mut facts = Vec::new();
        for _ in 0..self.number::<usize>("a number of facts")? {
            let what = "a variable and a value";
            let line = self.numbers(what)?;
            let [variable, value] = line[..] else {
                return Err(self.error(format!("expected {what}")));
            };
            facts.push(self.fact(variable, value)?);
        }
        Ok(facts)
    }

    fn variables(&mut self) -> Result<(), SasError> {
        for _ in 0..self.number::<usize>("the number of variables")? {
            self.keyword("begin_variable")?;
            self.next("the name of a variable")?;
            let layer: i64 = self.number("the layer of axioms, or -1")?;
            let count: u32 = self.number("the number of values")?;
            if count == 0 || count > MOST_VALUES {
                let why = format!("a variable has 1 to {MOST_VALUES} values, not {count}");
                return Err(self.error(why));
            }
            if layer >= 0 && count != 2 {
                let why = format!("derived variables have two values, not {count}");
                return Err(self.error(why));
            }
            let mut values = Vec::new();
            for _ in 0..count {
                values.push(self.next("the name of a value")?.to_owned());
            }
            self.keyword("end_variable")?;
            self.variables.push(SasVariable {
                layer: u32::try_from(layer).ok(),
                values,
                initial: 0,
            });
        }
        Ok(())
    }

    fn operator(&mut self, has_costs: bool) -> Result<SasOperator, SasError> {
        self.keyword("begin_operator")?;
        let name = self.next("the name of an operator")?;
        if name.is_empty() {
            return Err(self.error("an operator has no name"));
        }
        let mut conditions = self.facts()?;
        let mut effects = Vec::new();
        for _ in 0..self.number::<usize>("the number of effects")? {
            effects.push(self.effect(&mut conditions)?);
        }
        let cost = self.number("the cost of an operator")?;
        self.keyword("end_operator")?;
        let cost = if has_costs { cost } else { 1 };
        Ok(SasOperator { name: name.to_owned(), conditions, effects, cost })
    }

    /// An effect: the number of its conditions, these, the variable, its value before or -1, and its
    /// value afterwards.
    fn effect(&mut self, conditions: &mut Vec<SasFact>) -> Result<SasEffect, SasError> {
        let what = "an effect";
        let line = self.numbers(what)?;
        let count = line.first().and_then(|&count| usize::try_from(count).ok());
        let has_length = count.and_then(|count| count.checked_mul(2)?.checked_add(4));
        if has_length != Some(line.len()) {
            return Err(self.error(
                "an effect is the number of its conditions, variables and values of \
                                   these, a variable, its value before or -1, and its new value",
            ));
        }
        let (of_effect, last) = line[1..].split_at(line.len() - 4);
        let mut needed = Vec::new();
        for pair in of_effect.chunks(2) {
            needed.push(self.fact(pair[0], pair[1])?);
        }
        let sets = self.fact(last[0], last[2])?;
        if self.variables[sets.variable].layer.is_some() {
            return Err(self.error("an operator sets a derived variable"));
        }
        if last[1] != -1 {
            conditions.push(self.fact(last[0], last[1])?);
        }
        Ok(SasEffect { conditions: needed, sets })
    }

    fn rule(&mut self) -> Result<SasRule, SasError> {
        self.keyword("begin_rule")?;
        let conditions = self.facts()?;
        let line = self.numbers("a variable and two values")?;
        let [variable, before, after] = line[..] else {
            return Err(self.error("expected a variable and two values"));
        };
        let (before, sets) = (self.fact(variable, before)?, self.fact(variable, after)?);
        let head = &self.variables[sets.variable];
        let Some(layer) = head.layer else {
            return Err(self.error("an axiom sets a variable that is not derived"));
        };
        if before.value != head.initial || sets.value == head.initial {
            return Err(
                self.error("an axiom changes a variable from its initial value to the other")
            );
        }
        // Strata: negative conditions are about lower ones.
        for one in &conditions {
            let of = &self.variables[one.variable];
            let most = if one.value == of.initial { layer.checked_sub(1) } else { Some(layer) };
            if of.layer.is_some_and(|of| most.is_none_or(|most| of > most)) {
                return Err(
                    self.error("axioms are not stratified: a condition is in a higher layer")
                );
            }
        }
        self.keyword("end_rule")?;
        Ok(SasRule { conditions, sets })
    }
}
