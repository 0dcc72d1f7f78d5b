//! Positions in SARIF: the relative URI of a file, and a region in it.

use std::path::Path;

use crate::model::location;
use beeline_promela::source::{SourceMap, Span};
use serde_json::{Value, json};

/// The position of a statement, as a reader sees it.
pub(crate) fn statement(sources: &SourceMap, span: Span) -> Value {
    region(sources, location::seen(sources, span))
}

/// The position of a text.
pub(crate) fn region(sources: &SourceMap, span: Span) -> Value {
    let span = sources.written(span);
    let (start, end) = (sources.location(span), sources.location(span.after()));
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&start.file) },
        "region": {
            "startLine": start.line, "startColumn": start.column,
            "endLine": end.line.max(start.line), "endColumn": end.column,
        },
    } })
}

/// A whole file: its first line, since some readers require one.
pub(crate) fn file(name: &str) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(name) },
        "region": { "startLine": 1 },
    } })
}

/// The URI of a file, relative if it is below the current directory.
pub(crate) fn uri(name: &str) -> String {
    let path = Path::new(name);
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let path = path.strip_prefix("./").unwrap_or(path);
    let scheme = if path.is_absolute() { "file://" } else { "" };
    scheme.to_owned() + &encoded(&path.to_string_lossy())
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_where_they_can_be() {
        let here = std::env::current_dir().unwrap_or_default();
        assert_eq!(uri("models/a.pml"), "models/a.pml");
        assert_eq!(uri("./a.pml"), "a.pml");
        assert_eq!(uri(&here.join("a b.pml").to_string_lossy()), "a%20b.pml");
        assert_eq!(uri("/nowhere/ü.pml"), "file:///nowhere/%C3%BC.pml");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
