//! A simple tokenizer for Rust, sufficient for finding imports.

/// The words, the signs and `::` of a text, without comments and literals.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        match rest[0] {
            c if c.is_whitespace() => at += 1,
            '/' if rest.get(1) == Some(&'/') => at += line_length(rest),
            '/' if rest.get(1) == Some(&'*') => at += comment_length(rest),
            '"' => at += string_length(rest),
            '\'' => at += quote_length(rest),
            ':' if rest.get(1) == Some(&':') => {
                found.push("::".to_owned());
                at += 2;
            }
            c if is_word(c) => {
                let length = rest.iter().take_while(|c| is_word(**c)).count();
                let word: String = rest[..length].iter().collect();
                let after = &rest[length..];
                if matches!(word.as_str(), "r" | "br") && is_raw_string(after) {
                    at += length + raw_length(after);
                } else {
                    found.push(word);
                    at += length;
                }
            }
            c => {
                found.push(c.to_string());
                at += 1;
            }
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn line_length(rest: &[char]) -> usize {
    rest.iter().take_while(|c| **c != '\n').count()
}

/// The length of a comment; comments nest.
fn comment_length(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_length(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A character, or the mark of a lifetime.
fn quote_length(rest: &[char]) -> usize {
    match (rest.get(1), rest.get(2)) {
        (Some('\\'), _) => 2 + 1 + rest.iter().skip(3).take_while(|c| **c != '\'').count() + 1,
        (Some(_), Some('\'')) => 3,
        _ => 1 + rest.iter().skip(1).take_while(|c| is_word(**c)).count(),
    }
}

fn is_raw_string(after: &[char]) -> bool {
    let hashes = after.iter().take_while(|c| **c == '#').count();
    after.get(hashes) == Some(&'"')
}

fn raw_length(after: &[char]) -> usize {
    let hashes = after.iter().take_while(|c| **c == '#').count();
    let mut at = hashes + 1;
    while at < after.len() {
        let end = after[at] == '"'
            && after[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
        at += 1;
        if end {
            return at + hashes;
        }
    }
    at
}

/// The tokens without the items for tests.
pub(crate) fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match attribute(&tokens[at..]) {
            Some(length) if is_for_tests(&tokens[at..at + length]) => {
                at += length;
                at += item_length(&tokens[at..]);
            }
            _ => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    kept
}

/// The length of the attribute that the tokens begin with.
fn attribute(tokens: &[String]) -> Option<usize> {
    let opens = tokens.first()? == "#" && tokens.get(1)? == "[";
    opens.then(|| 1 + group_length(&tokens[1..]))
}

fn is_for_tests(attribute: &[String]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token == word);
    has("cfg") && has("test") && !has("not")
}

/// The length of a group in brackets of any kind, including these.
fn group_length(tokens: &[String]) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The length of an item: to its semicolon, or to the end of its braces.
fn item_length(tokens: &[String]) -> usize {
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            ";" => return at + 1,
            "{" => return at + group_length(&tokens[at..]),
            "(" | "[" => at += group_length(&tokens[at..]),
            _ => at += 1,
        }
    }
    at
}

#[test]
fn literals_and_comments_are_no_tokens() {
    let text = r##"use a::b; // c
        /* d /* e */ f */ let g = "h\" i"; let j: &'k str = r#"l " m"#; let n = ['o', '\'', '\u{70}'];"##;
    let expected = "use a :: b ; let g = ; let j : & str = ; let n = [ , , ] ;";
    assert_eq!(tokens(text).join(" "), expected);
}

#[test]
fn items_of_tests_are_left_out() {
    let text = "#[cfg(test)] #[x] mod tests { fn a() { b(); } } #[cfg(not(test))] fn c() {} \
                #[cfg(test)] use d::e; fn f() {} #[cfg(test)] mod g;";
    let expected = "# [ cfg ( not ( test ) ) ] fn c ( ) { } fn f ( ) { }";
    assert_eq!(without_tests(tokens(text)).join(" "), expected);
}
