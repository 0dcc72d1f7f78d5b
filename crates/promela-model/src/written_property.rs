//! Properties that someone writes on the command line: `'invariant: EXPR'` and
//! `'ltl: FORMULA'`. Each becomes a formula that is read together with the model.

use beeline_model::PropertyKind;

/// How a formula is called that stands for a property of the command line.
const PREFIX: &str = "__property_";

/// What such a property begins with, and what it then is.
const MARKS: [(&str, PropertyKind); 2] =
    [("invariant:", PropertyKind::Invariant), ("ltl:", PropertyKind::Ltl)];

/// What a property on the command line asks for, if it is one that is written there.
pub(crate) fn parse_written(property: &str) -> Option<(PropertyKind, &str)> {
    let begins = |&(mark, kind): &(&str, PropertyKind)| {
        property.trim_start().strip_prefix(mark).map(|text| (kind, text.trim()))
    };
    MARKS.iter().find_map(begins)
}

/// What such a text is called in messages about it.
pub const COMMAND_LINE_SOURCE: &str = "--property";

/// Looks whether a property of the command line is a text of its own, so that nothing of it
/// belongs to what is read behind it.
///
/// # Errors
///
/// What is wrong with it.
pub fn check_written(property: &str) -> Result<(), String> {
    let Some((_, text)) = parse_written(property) else { return Ok(()) };
    if text.is_empty() {
        return Err("nothing stands behind the colon".to_owned());
    }
    let mut open: Vec<char> = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(found) = rest.next() {
        match found {
            '/' if rest.next_if_eq(&'*').is_some() => {
                let mut before = ' ';
                if !rest.any(|next| std::mem::replace(&mut before, next) == '*' && next == '/') {
                    return Err("a comment is not closed".to_owned());
                }
            }
            '/' if rest.next_if_eq(&'/').is_some() => {
                rest.find(|&next| next == '\n');
            }
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(found) => {
                return Err(format!("`{found}` closes nothing"));
            }
            _ => {}
        }
    }
    open.pop().map_or(Ok(()), |missing| Err(format!("`{missing}` is missing")))
}

/// Promela for the properties that are written on the command line, to be read together with
/// the model. What stands there is a line of its own, so that messages point at it.
pub fn formulas(properties: &[String]) -> String {
    let written = properties.iter().enumerate();
    let written =
        written.filter_map(|(at, property)| parse_written(property).map(|asked| (at, asked)));
    written
        .map(|(at, (kind, text))| {
            let name = formula_name(at);
            let (open, close) =
                if kind == PropertyKind::Invariant { ("{ [] (", ") }") } else { ("{", " }") };
            // A comment ends with its line.
            format!("\nltl {name} {open}\n#line 1 \"{COMMAND_LINE_SOURCE}\"\n{text}\n{close}\n")
        })
        .collect()
}

/// The formula that stands for the property at this place of the command line.
pub(crate) fn formula_name(at: usize) -> String {
    format!("{PREFIX}{}", at + 1)
}

/// Whether a formula stands for a property of the command line.
pub(crate) fn is_written(formula: &str) -> bool {
    formula.starts_with(PREFIX)
}
