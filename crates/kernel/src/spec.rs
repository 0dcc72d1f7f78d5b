//! Specs of components: `name(argument, key=value, ...)`.
//!
//! ```text
//! spec     = name [ "(" [ argument { "," argument } ] ")" ]
//! argument = [ key "=" ] value
//! value    = number | word | "text" | spec | "[" [ value { "," value } ] "]"
//! ```
//!
//! A word without brackets is a [`SpecValue::Word`]; [`SpecValue::spec`] reads it as a component
//! without arguments. This file does not know the names of components.

use std::error::Error;
use std::fmt;

/// A requested component.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Its name.
    pub name: String,
    /// The arguments in the brackets, in order.
    pub arguments: Vec<SpecArgument>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecArgument {
    /// The word before `=`.
    pub key: Option<String>,
    /// The value.
    pub value: SpecValue,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecValue {
    /// `3`, `-1.5`
    Number(f64),
    /// `word`
    Word(String),
    /// `"text"`; a `\` quotes the next character.
    Text(String),
    /// `name(...)`
    Nested(Spec),
    /// `[a, b]`
    List(Vec<SpecValue>),
}

/// Why a text is not a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The position, in characters from 1.
    pub column: usize,
    /// The problem.
    pub cause: String,
    /// The remedy.
    pub fix: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}; {}", self.column, self.cause, self.fix)
    }
}

impl Error for SpecError {}

/// Limit of nested brackets, since the parser recurses.
const DEEPEST: usize = 64;

impl Spec {
    /// A component without arguments.
    pub fn named(name: impl Into<String>) -> Spec {
        Spec { name: name.into(), arguments: Vec::new() }
    }

    /// Reads a spec.
    ///
    /// # Errors
    ///
    /// When the text is not a spec; the error has position, cause and remedy.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser { text: text.chars().collect(), at: 0 };
        let spec = parser.spec(0)?;
        parser.skip_spaces();
        match parser.peek() {
            None => Ok(spec),
            Some(found) => Err(parser.error(
                format!("`{found}` follows a complete spec"),
                "end the spec here, or put the rest into the parentheses",
            )),
        }
    }

    /// The value of the argument with this key.
    pub fn value(&self, key: &str) -> Option<&SpecValue> {
        let found = self.arguments.iter().find(|one| one.key.as_deref() == Some(key));
        found.map(|argument| &argument.value)
    }

    /// The values of the arguments without a key, in order.
    pub fn positional(&self) -> impl Iterator<Item = &SpecValue> {
        self.arguments.iter().filter(|one| one.key.is_none()).map(|argument| &argument.value)
    }
}

impl SpecValue {
    /// The component of this value: a nested spec, or a single word.
    pub fn spec(&self) -> Option<Spec> {
        match self {
            SpecValue::Nested(spec) => Some(spec.clone()),
            SpecValue::Word(name) => Some(Spec::named(name.as_str())),
            SpecValue::Number(_) | SpecValue::Text(_) | SpecValue::List(_) => None,
        }
    }

    /// The characters of a word or a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            SpecValue::Word(text) | SpecValue::Text(text) => Some(text),
            SpecValue::Number(_) | SpecValue::Nested(_) | SpecValue::List(_) => None,
        }
    }

    /// The value of a number.
    pub fn number(&self) -> Option<f64> {
        if let SpecValue::Number(number) = self { Some(*number) } else { None }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        for (at, argument) in self.arguments.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            if let Some(key) = &argument.key {
                write!(f, "{key}=")?;
            }
            argument.value.fmt(f)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for SpecValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecValue::Number(number) => number.fmt(f),
            SpecValue::Word(word) => f.write_str(word),
            SpecValue::Text(text) => {
                write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
            // Without brackets it would be read as a word.
            SpecValue::Nested(spec) if spec.arguments.is_empty() => write!(f, "{spec}()"),
            SpecValue::Nested(spec) => spec.fmt(f),
            SpecValue::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    value.fmt(f)?;
                }
                f.write_str("]")
            }
        }
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Skips spaces and takes a character if it is next.
    fn takes(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, cause: impl Into<String>, fix: impl Into<String>) -> SpecError {
        SpecError { column: self.at + 1, cause: cause.into(), fix: fix.into() }
    }

    fn found(&self) -> String {
        self.peek().map_or("the end".to_owned(), |found| format!("`{found}`"))
    }

    fn word(&mut self) -> Result<String, SpecError> {
        self.skip_spaces();
        let start = self.at;
        let begins = self.peek().is_some_and(|first| first.is_alphabetic() || first == '_');
        while begins && self.peek().is_some_and(is_of_word) {
            self.at += 1;
        }
        if start == self.at {
            let cause = format!("expected a name, found {}", self.found());
            return Err(self.error(cause, "write a name, such as `active` or `max(h1, h2)`"));
        }
        Ok(self.text[start..self.at].iter().collect())
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let name = self.word()?;
        let arguments = if self.takes('(') { self.arguments(depth + 1)? } else { Vec::new() };
        Ok(Spec { name, arguments })
    }

    /// The arguments after an opening bracket, including the closing one.
    fn arguments(&mut self, depth: usize) -> Result<Vec<SpecArgument>, SpecError> {
        self.check(depth)?;
        let mut arguments = Vec::new();
        if self.takes(')') {
            return Ok(arguments);
        }
        loop {
            let start = self.at;
            let value = self.value(depth)?;
            let column = self.at;
            if !self.takes('=') {
                arguments.push(SpecArgument { key: None, value });
            } else if let SpecValue::Word(key) = value {
                let twice = |one: &SpecArgument| one.key.as_deref() == Some(key.as_str());
                if arguments.iter().any(twice) {
                    self.at = start;
                    let cause = format!("`{key}` is given twice");
                    return Err(self.error(cause, "keep one of them"));
                }
                let value = self.value(depth)?;
                arguments.push(SpecArgument { key: Some(key), value });
            } else {
                self.at = column;
                return Err(self.error("expected a word before `=`", "write `key=value`"));
            }
            if self.takes(')') {
                return Ok(arguments);
            }
            self.comma(')')?;
        }
    }

    fn value(&mut self, depth: usize) -> Result<SpecValue, SpecError> {
        self.skip_spaces();
        match self.peek() {
            Some('[') => {
                self.at += 1;
                self.list(depth + 1)
            }
            Some('"') => self.quoted(),
            Some(first) if first.is_ascii_digit() || "+-.".contains(first) => self.number(),
            _ => {
                let name = self.word()?;
                if !self.takes('(') {
                    return Ok(SpecValue::Word(name));
                }
                let arguments = self.arguments(depth + 1)?;
                Ok(SpecValue::Nested(Spec { name, arguments }))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<SpecValue, SpecError> {
        self.check(depth)?;
        let mut values = Vec::new();
        if self.takes(']') {
            return Ok(SpecValue::List(values));
        }
        loop {
            values.push(self.value(depth)?);
            if self.takes(']') {
                return Ok(SpecValue::List(values));
            }
            self.comma(']')?;
        }
    }

    fn comma(&mut self, close: char) -> Result<(), SpecError> {
        if self.takes(',') {
            return Ok(());
        }
        let cause = format!("expected `,` or `{close}`, found {}", self.found());
        Err(self.error(cause, format!("separate values by `,` and close with `{close}`")))
    }

    fn number(&mut self) -> Result<SpecValue, SpecError> {
        let start = self.at;
        while self.peek().is_some_and(|next| next.is_alphanumeric() || "+-.".contains(next)) {
            self.at += 1;
        }
        let text: String = self.text[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(SpecValue::Number(number)),
            _ => {
                self.at = start;
                let cause = format!("`{text}` is not a number");
                Err(self.error(cause, "write one such as `3` or `1.5`, or put text in quotes"))
            }
        }
    }

    fn quoted(&mut self) -> Result<SpecValue, SpecError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(next) = self.peek() {
            self.at += 1;
            match next {
                '"' => return Ok(SpecValue::Text(text)),
                '\\' => {
                    text.extend(self.peek());
                    self.at += 1;
                }
                next => text.push(next),
            }
        }
        self.at = start;
        Err(self.error("a string without a closing quotation mark", "add the closing `\"`"))
    }

    fn check(&self, depth: usize) -> Result<(), SpecError> {
        if depth <= DEEPEST {
            return Ok(());
        }
        let cause = format!("brackets are nested more than {DEEPEST} deep");
        Err(self.error(cause, "nest less deeply"))
    }
}

fn is_of_word(next: char) -> bool {
    next.is_alphanumeric() || "_-.@:*".contains(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match Spec::parse(text) {
            Ok(spec) => {
                let again = Spec::parse(&spec.to_string());
                assert_eq!(again.as_ref(), Ok(&spec), "{text} read back");
                spec.to_string()
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_kind_of_value_is_read() {
        check("active", "active");
        check(" active ( ) ", "active");
        check("wa*(w=2.50, h=active)", "wa*(w=2.5, h=active)");
        check("max(h1, weighted(h2, -3))", "max(h1, weighted(h2, -3))");
        check(r#"fsm([P@cs, "Q \"x\" \\"], by=sum)"#, r#"fsm([P@cs, "Q \"x\" \\"], by=sum)"#);
        check("max(active(), [[], [1]])", "max(active(), [[], [1]])");
    }

    #[test]
    fn values_are_found_by_key_and_by_place() {
        let spec = Spec::parse("a(1, k=b, c(2), \"t\")").expect("it is well formed");
        assert_eq!(spec.value("k").and_then(SpecValue::text), Some("b"));
        assert_eq!(spec.value("l"), None);
        let places: Vec<&SpecValue> = spec.positional().collect();
        assert_eq!(places[0].number(), Some(1.0));
        assert_eq!(places[1].spec().map(|spec| spec.to_string()), Some("c(2)".to_owned()));
        assert_eq!(places[2].text(), Some("t"));
        assert_eq!(places[2].spec(), None);
    }

    #[test]
    fn errors_name_place_cause_and_fix() {
        let name = "write a name, such as `active` or `max(h1, h2)`";
        check("", &format!("column 1: expected a name, found the end; {name}"));
        check("a(1,)", &format!("column 5: expected a name, found `)`; {name}"));
        check(
            "a(1 2)",
            "column 5: expected `,` or `)`, found `2`; separate values by `,` and close with `)`",
        );
        check(
            "a(b",
            "column 4: expected `,` or `)`, found the end; separate values by `,` and close with `)`",
        );
        check(
            "a(b) c",
            "column 6: `c` follows a complete spec; end the spec here, or put the rest into the parentheses",
        );
        check("a(k=1, k=2)", "column 7: `k` is given twice; keep one of them");
        check("a(1=2)", "column 4: expected a word before `=`; write `key=value`");
        check(
            "a(\"b)",
            "column 3: a string without a closing quotation mark; add the closing `\"`",
        );
        check(
            "a(1x)",
            "column 3: `1x` is not a number; write one such as `3` or `1.5`, or put text in quotes",
        );
        let deep = "a(".repeat(100);
        let error = Spec::parse(&deep).expect_err("too deep");
        assert_eq!(error.cause, "brackets are nested more than 64 deep");
    }
}
