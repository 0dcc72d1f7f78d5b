//! Incorrect models, made from correct ones by small changes.
//!
//! Random bytes rarely pass the lexer. A correct model with a missing word, an extra bracket or a
//! part of another model gets much further, and resembles real mistakes.

use beeline_promela::token::Keyword;

use crate::rng::Rng;

/// A mutation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Some bits of some bytes are flipped.
    FlipBytes,
    /// Some tokens are deleted.
    DeleteTokens,
    /// Some tokens are doubled.
    DoubleTokens,
    /// Some tokens are swapped.
    SwapTokens,
    /// Keywords, and sometimes names, are replaced by others.
    ReplaceWords,
    /// All brackets of one kind, or one bracket, are deleted.
    DropBrackets,
    /// Numbers are replaced by extreme ones.
    ReplaceNumbers,
    /// The beginning of this model, followed by the end of another one.
    Splice,
    /// A part is repeated several times.
    RepeatStretch,
    /// The end is missing.
    Truncate,
}

impl Mutation {
    /// All mutations.
    pub const ALL: [Mutation; 10] = [
        Mutation::FlipBytes,
        Mutation::DeleteTokens,
        Mutation::DoubleTokens,
        Mutation::SwapTokens,
        Mutation::ReplaceWords,
        Mutation::DropBrackets,
        Mutation::ReplaceNumbers,
        Mutation::Splice,
        Mutation::RepeatStretch,
        Mutation::Truncate,
    ];

    /// Mutates `text`; `other` is the second model where two are needed.
    pub fn apply(self, text: &str, other: &str, rng: &mut Rng) -> String {
        match self {
            Mutation::FlipBytes => flip_bytes(text, rng),
            Mutation::DeleteTokens => edit(text, rng, |tokens, at, _| {
                tokens.remove(at);
            }),
            Mutation::DoubleTokens => edit(text, rng, |tokens, at, _| {
                tokens.insert(at, tokens[at]);
            }),
            Mutation::SwapTokens => edit(text, rng, |tokens, at, rng| {
                let with = position(tokens.len(), rng);
                tokens.swap(at, with);
            }),
            Mutation::ReplaceWords => replace_words(text, rng),
            Mutation::DropBrackets => drop_brackets(text, rng),
            Mutation::ReplaceNumbers => replace_numbers(text, rng),
            Mutation::Splice => splice(text, other, rng),
            Mutation::RepeatStretch => repeat_stretch(text, rng),
            Mutation::Truncate => text[..boundary(text, rng)].to_owned(),
        }
    }
}

/// Applies one to three random mutations.
pub fn mutate(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut spoilt = text.to_owned();
    for _ in 0..rng.between(1, 3) {
        if let Some(mutation) = rng.pick(&Mutation::ALL) {
            spoilt = mutation.apply(&spoilt, other, rng);
        }
    }
    spoilt
}

/// A text split into words, numbers, blanks and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '_' => 1,
        '0'..='9' => 2,
        ' ' | '\t' => 3,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = 0;
    for (at, c) in text.char_indices() {
        let now = class(c);
        let goes_on = now == before && now != 0 || before == 1 && now == 2;
        if at > start && !goes_on {
            tokens.push(&text[start..at]);
            start = at;
        }
        // Digits inside a word belong to the word.
        before = if goes_on { before } else { now };
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn position(length: usize, rng: &mut Rng) -> usize {
    rng.below(length as u32) as usize
}

/// A random position between two characters.
fn boundary(text: &str, rng: &mut Rng) -> usize {
    let mut at = position(text.len() + 1, rng);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Makes one to four small changes at random tokens that are not blank.
fn edit(text: &str, rng: &mut Rng, change: impl Fn(&mut Vec<&str>, usize, &mut Rng)) -> String {
    let mut tokens = tokens(text);
    for _ in 0..rng.between(1, 4) {
        let candidates: Vec<usize> =
            (0..tokens.len()).filter(|&at| !tokens[at].trim().is_empty()).collect();
        if let Some(&at) = rng.pick(&candidates) {
            change(&mut tokens, at, rng);
        }
    }
    tokens.concat()
}

fn flip_bytes(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        for _ in 0..rng.between(1, 8) {
            let at = position(bytes.len(), rng);
            bytes[at] ^= 1 << rng.below(8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn replace_words(text: &str, rng: &mut Rng) -> String {
    let keywords: Vec<&str> = Keyword::spellings().collect();
    let mut tokens = tokens(text);
    let names: Vec<&str> = tokens.iter().copied().filter(|token| is_word(token)).collect();
    for token in &mut tokens {
        if is_word(token) && rng.percent(4) {
            let words = if rng.chance(1, 3) { &names } else { &keywords };
            *token = rng.pick(words).copied().unwrap_or("");
        }
    }
    tokens.concat()
}

fn drop_brackets(text: &str, rng: &mut Rng) -> String {
    let kinds: [&[char]; 7] =
        [&['('], &[')'], &['{'], &['}'], &['[', ']'], &['(', ')'], &['{', '}']];
    let kind = kinds[position(kinds.len(), rng)];
    if rng.chance(1, 3) {
        return text.replace(kind, " ");
    }
    let places: Vec<(usize, &str)> = text.match_indices(kind).collect();
    match rng.pick(&places) {
        Some(&(at, bracket)) => format!("{}{}", &text[..at], &text[at + bracket.len()..]),
        None => text.to_owned(),
    }
}

fn replace_numbers(text: &str, rng: &mut Rng) -> String {
    const EXTREME: [&str; 10] = [
        "0",
        "-1",
        "255",
        "256",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "9223372036854775808",
        "99999999999999999999999999",
    ];
    let mut tokens = tokens(text);
    for token in &mut tokens {
        if token.starts_with(|c: char| c.is_ascii_digit()) && rng.percent(25) {
            *token = EXTREME[position(EXTREME.len(), rng)];
        }
    }
    tokens.concat()
}

fn splice(text: &str, other: &str, rng: &mut Rng) -> String {
    let (end, start) = (boundary(text, rng), boundary(other, rng));
    format!("{}{}", &text[..end], &other[start..])
}

fn repeat_stretch(text: &str, rng: &mut Rng) -> String {
    let (a, b) = (boundary(text, rng), boundary(text, rng));
    let (start, end) = (a.min(b), a.max(b));
    let times = rng.between(2, 5) as usize;
    format!("{}{}{}", &text[..start], text[start..end].repeat(times), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_numbers_blanks_and_single_characters() {
        let text = "x1 =  12+é;\n";
        assert_eq!(tokens(text), ["x1", " ", "=", "  ", "12", "+", "é", ";", "\n"]);
        assert_eq!(tokens(text).concat(), text);
    }

    #[test]
    fn every_mutation_changes_something_and_is_the_same_for_the_same_seed() {
        let text = "active proctype p() { int x; do :: x < 3 -> x++ :: else -> break od }";
        for mutation in Mutation::ALL {
            let spoil = |seed| mutation.apply(text, "init { skip }", &mut Rng::new(seed));
            assert!((0..20).any(|seed| spoil(seed) != text), "{mutation:?}");
            assert_eq!(spoil(7), spoil(7), "{mutation:?}");
        }
    }

    #[test]
    fn an_empty_text_can_be_spoilt_too() {
        for seed in 0..200 {
            mutate("", "", &mut Rng::new(seed));
        }
    }
}
