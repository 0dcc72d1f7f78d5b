//! The definitions, declarations, imports and references of a file.

use std::collections::BTreeSet;

use super::tokens::{tokens, without_tests};

/// One name that a `use` brings in, or all names of a module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// As written, without braces: `crate::a::B`.
    pub(crate) path: Vec<String>,
    /// Its name in the file; `None` for `*`.
    pub(crate) name: Option<String>,
    /// Whether it is re-exported.
    pub(crate) is_public: bool,
}

/// A file, as far as imports are concerned. Tests are left out.
#[derive(Default)]
pub(crate) struct Syntax {
    /// Functions, types, traits, constants and macros outside other items.
    pub(crate) items: BTreeSet<String>,
    /// `mod name;`
    pub(crate) children: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    /// Paths of two names or more outside imports.
    pub(crate) paths: Vec<Vec<String>>,
    /// All words outside imports.
    pub(crate) words: BTreeSet<String>,
}

impl Syntax {
    pub(crate) fn of(text: &str) -> Syntax {
        let tokens = without_tests(tokens(text));
        let mut syntax = Syntax::default();
        let mut depth = 0;
        let mut at = 0;
        while at < tokens.len() {
            let next = tokens.get(at + 1).map_or("", String::as_str);
            match tokens[at].as_str() {
                "use" if next != "<" => {
                    at += syntax.read_use(&tokens, at);
                    continue;
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                "mod" if depth == 0 && tokens.get(at + 2).is_some_and(|end| end == ";") => {
                    syntax.children.insert(next.to_owned());
                    at += 3;
                    continue;
                }
                keyword if depth == 0 => syntax.items.extend(defined(keyword, &tokens[at + 1..])),
                _ => {}
            }
            if is_word(&tokens[at]) {
                syntax.words.insert(tokens[at].clone());
                let path = path(&tokens[at..]);
                if path.len() > 1 && !continues(&tokens, at) {
                    at += 2 * path.len() - 1;
                    syntax.words.extend(path.iter().cloned());
                    syntax.paths.push(path);
                    continue;
                }
            }
            at += 1;
        }
        syntax
    }

    /// Reads the `use` at an index and returns its length.
    fn read_use(&mut self, tokens: &[String], at: usize) -> usize {
        let length = tokens[at..].iter().take_while(|token| *token != ";").count();
        let is_public = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
        let mut reader = Tree { tokens: &tokens[at + 1..at + length], at: 0, is_public };
        reader.read(&[], &mut self.imports);
        length + 1
    }
}

/// The tree of a `use`.
struct Tree<'a> {
    tokens: &'a [String],
    at: usize,
    is_public: bool,
}

impl Tree<'_> {
    fn next(&mut self) -> &str {
        self.at += 1;
        self.tokens.get(self.at - 1).map_or("", String::as_str)
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    /// Reads one branch; ends before the comma or brace that ends it.
    fn read(&mut self, prefix: &[String], found: &mut Vec<Import>) {
        let mut path = prefix.to_vec();
        loop {
            match self.next() {
                "{" => {
                    while !matches!(self.peek(), "}" | "") {
                        self.read(&path, found);
                        if self.peek() == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    found.push(Import { path, name: None, is_public: self.is_public });
                    return;
                }
                "::" | "" => {}
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
            if self.peek() == "as" {
                self.at += 1;
                let name = Some(self.next().to_owned());
                found.push(Import { path, name, is_public: self.is_public });
                return;
            }
            if matches!(self.peek(), "," | "}" | "") {
                let name = path.last().cloned();
                found.push(Import { path, name, is_public: self.is_public });
                return;
            }
        }
    }
}

/// The name that an item has, if the keyword begins one.
pub(crate) fn defined(keyword: &str, rest: &[String]) -> Option<String> {
    let after = |index: usize| rest.get(index).filter(|token| is_word(token)).cloned();
    match keyword {
        "fn" | "struct" | "enum" | "union" | "trait" | "type" | "static" | "mod" => after(0),
        "const" if rest.first().is_some_and(|next| next != "fn" && next != "unsafe") => after(0),
        "macro_rules" => after(1),
        _ => None,
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names of the path that the tokens begin with.
fn path(tokens: &[String]) -> Vec<String> {
    let mut names = vec![tokens[0].clone()];
    for pair in tokens[1..].chunks_exact(2) {
        if pair[0] != "::" || !is_word(&pair[1]) {
            break;
        }
        names.push(pair[1].clone());
    }
    names
}

/// Whether the word at an index follows `::` or `in`, so that it does not begin a path.
fn continues(tokens: &[String], at: usize) -> bool {
    at > 0 && matches!(tokens[at - 1].as_str(), "::" | "in")
}

#[test]
fn imports_are_read_from_trees() {
    let syntax = Syntax::of(
        "use crate::a::{self, B, c::{D as E, f::*}}; pub(crate) use g::H; fn i() { j::k(); }",
    );
    let found: Vec<String> = syntax
        .imports
        .iter()
        .map(|import| {
            let name = import.name.as_deref().unwrap_or("*");
            format!("{} {name} {}", import.path.join("::"), import.is_public)
        })
        .collect();
    let expected = [
        "crate::a a false",
        "crate::a::B B false",
        "crate::a::c::D E false",
        "crate::a::c::f * false",
        "g::H H true",
    ];
    assert_eq!(found, expected);
    assert_eq!(syntax.paths, [["j", "k"]]);
    assert!(syntax.items.contains("i"));
}
