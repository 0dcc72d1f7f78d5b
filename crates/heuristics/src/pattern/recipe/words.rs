//! Tokens of a line.

use super::error::RecipeError;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A name or a keyword.
    Name(String),
    Number(i64),
    Sign(&'static str),
    /// The end of the line.
    End,
}

impl Word {
    /// The text for messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Word::Name(name) => format!("`{name}`"),
            Word::Number(number) => format!("`{number}`"),
            Word::Sign(sign) => format!("`{sign}`"),
            Word::End => "the end of the line".to_owned(),
        }
    }
}

/// Operators and punctuation, longer ones first.
const SIGNS: [&str; 21] = [
    "..", "||", "&&", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")",
    "{", "}", ",", "=",
];

/// The tokens of a line, consumed from left to right.
pub(super) struct Words {
    line: usize,
    all: Vec<(usize, Word)>,
    at: usize,
}

impl Words {
    pub(super) fn of(line: usize, text: &str) -> Result<Words, RecipeError> {
        let text: Vec<char> = text.chars().collect();
        let (mut all, mut at) = (Vec::new(), 0);
        loop {
            while text.get(at).is_some_and(|next| next.is_whitespace()) {
                at += 1;
            }
            let column = at + 1;
            if text.get(at).is_none_or(|&next| next == '#') {
                all.push((column, Word::End));
                return Ok(Words { line, all, at: 0 });
            }
            let (word, length) = word(&text[at..]).map_err(|(cause, fix)| RecipeError {
                line,
                column,
                cause,
                fix: fix.to_owned(),
            })?;
            all.push((column, word));
            at += length;
        }
    }

    pub(super) fn peek(&self) -> &Word {
        &self.all[self.at].1
    }

    /// Consumes the next token; the end is never consumed.
    pub(super) fn next(&mut self) -> Word {
        let word = self.all[self.at].1.clone();
        self.at = (self.at + 1).min(self.all.len() - 1);
        word
    }

    /// Consumes a sign if it is next.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Word::Sign(next) if *next == sign);
        if found {
            self.next();
        }
        found
    }

    /// Column of the next token.
    pub(super) fn place(&self) -> usize {
        self.all[self.at].0
    }

    /// An error at a column.
    pub(super) fn mistake_at(&self, column: usize, cause: String, fix: &str) -> RecipeError {
        RecipeError { line: self.line, column, cause, fix: fix.to_owned() }
    }

    /// An error: unexpected token.
    pub(super) fn wrong(&self, wanted: &str, fix: &str) -> RecipeError {
        let cause = format!("expected {wanted}, found {}", self.peek().shown());
        self.mistake_at(self.place(), cause, fix)
    }

    /// A name.
    pub(super) fn name(&mut self, fix: &str) -> Result<(usize, String), RecipeError> {
        let column = self.place();
        match self.peek().clone() {
            Word::Name(name) => {
                self.next();
                Ok((column, name))
            }
            _ => Err(self.wrong("a name", fix)),
        }
    }

    /// Whether a number is next, with an optional sign.
    pub(super) fn is_number(&self) -> bool {
        let behind = self.all.get(self.at + 1).map(|one| &one.1);
        match self.peek() {
            Word::Number(_) => true,
            Word::Sign("-") => matches!(behind, Some(Word::Number(_))),
            _ => false,
        }
    }

    /// A signed 32-bit number.
    pub(super) fn number(&mut self, fix: &str) -> Result<i32, RecipeError> {
        let column = self.place();
        let is_negative = self.takes("-");
        let Word::Number(number) = *self.peek() else {
            return Err(self.wrong("a number", fix));
        };
        self.next();
        let number = if is_negative { -number } else { number };
        i32::try_from(number).map_err(|_| {
            let cause = format!("`{number}` is too large");
            self.mistake_at(column, cause, "values are numbers of 32 bits")
        })
    }

    /// The end.
    pub(super) fn end(&self, fix: &str) -> Result<(), RecipeError> {
        match self.peek() {
            Word::End => Ok(()),
            _ => Err(self.wrong("the end of the line", fix)),
        }
    }
}

/// The first token and its length; the text is not empty.
fn word(text: &[char]) -> Result<(Word, usize), (String, &'static str)> {
    let first = text[0];
    let length = |is_of: &dyn Fn(char) -> bool| {
        text.iter().position(|&next| !is_of(next)).unwrap_or(text.len())
    };
    let written = |length: usize| text[..length].iter().collect::<String>();
    if first == '"' {
        let end = text[1..].iter().position(|&next| next == '"');
        let Some(end) = end else {
            return Err((
                "a name without a closing quotation mark".to_owned(),
                "add the closing `\"`",
            ));
        };
        return Ok((Word::Name(text[1..=end].iter().collect()), end + 2));
    }
    if first.is_ascii_digit() {
        let length = length(&|next| next.is_ascii_digit());
        let number = written(length);
        let too_large = |_| (format!("`{number}` is too large"), "values are numbers of 32 bits");
        return number.parse().map(|number| (Word::Number(number), length)).map_err(too_large);
    }
    if first.is_alphabetic() || first == '_' {
        let length = length(&|next| next.is_alphanumeric() || "_[]@:.".contains(next));
        return Ok((Word::Name(written(length)), length));
    }
    let two = written(text.len().min(2));
    let Some(sign) = SIGNS.into_iter().find(|sign| two.starts_with(sign)) else {
        let cause = format!("`{first}` has no meaning here");
        return Err((cause, "put a name with other characters in quotation marks"));
    };
    Ok((Word::Sign(sign), sign.len()))
}
