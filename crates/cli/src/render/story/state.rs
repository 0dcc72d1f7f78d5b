//! A state for people: where the processes are, and the values of variables and channels.
//!
//! Processes and array elements that are alike share a line, and a long state is cut: fifty
//! philosophers fit into two lines.

use beeline_model::{ProcessPosition, StoryEnd};
use beeline_promela::source::SourceMap;

use crate::base::text::push;
use crate::render::story::text::{doing, name_of};

/// This many neighbours that are alike share a line.
const CROWD: usize = 4;

/// The most lines of a state in brief.
const MOST_LINES: usize = 12;

/// The most values of an array in brief.
const MOST_VALUES: usize = 16;

/// The state in brief: the first lines, without values that are zero or empty.
pub(crate) fn brief_state(end: &StoryEnd, sources: &SourceMap) -> String {
    let lines = grouped(end, sources);
    if lines.len() <= MOST_LINES {
        return lines.concat();
    }
    let shown = MOST_LINES - 1;
    let more = lines.len() - shown;
    lines[..shown].concat() + &format!("  … {more} more (`replay --full`)\n")
}

/// The positions of the processes, and all values that are not zero or empty.
pub(crate) fn state(end: &StoryEnd, sources: &SourceMap) -> String {
    grouped(end, sources).concat()
}

/// The positions of the processes, and all values, each in a line.
pub(crate) fn whole_state(end: &StoryEnd, sources: &SourceMap) -> String {
    let mut out = String::new();
    for process in &end.processes {
        let doing = doing(process, Some(end), sources);
        push(&mut out, format_args!("  {} {doing}\n", name_of(process)));
    }
    for (name, value) in &end.values {
        push(&mut out, format_args!("  {name} = {value}\n"));
    }
    out
}

/// A process, and its position in words.
type Resting<'a> = (&'a ProcessPosition, String);

/// The lines of a state, in groups.
fn grouped(end: &StoryEnd, sources: &SourceMap) -> Vec<String> {
    let resting = end.processes.iter().map(|process| (process, doing(process, Some(end), sources)));
    let resting: Vec<Resting<'_>> = resting.collect();
    let alike = |(a, doing): &Resting<'_>, (b, other): &Resting<'_>| {
        let are_neighbours = a.process == b.process && a.pid + 1 == b.pid;
        are_neighbours && a.span == b.span && pattern(doing) == pattern(other)
    };
    let mut lines: Vec<String> = resting.chunk_by(alike).flat_map(process_lines).collect();
    lines.extend(end.values.chunk_by(are_neighbours).flat_map(value_lines));
    lines
}

/// The lines of processes that differ in numbers at most.
fn process_lines(alike: &[Resting<'_>]) -> Vec<String> {
    let one =
        |(process, doing): &(&ProcessPosition, String)| format!("  {} {doing}\n", name_of(process));
    let [first, second, .., last] = alike else { return alike.iter().map(one).collect() };
    if alike.len() < CROWD {
        return alike.iter().map(one).collect();
    }
    let (from, next, to) = (name_of(first.0), name_of(second.0), name_of(last.0));
    if alike.iter().all(|(_, doing)| *doing == first.1) {
        return vec![format!("  {from} to {to}: each {}\n", first.1)];
    }
    vec![one(first), format!("  {next} to {to}: likewise, with other numbers\n")]
}

/// Whether one value is that of the array element after the other.
fn are_neighbours((a, _): &(String, String), (b, _): &(String, String)) -> bool {
    index(a).zip(index(b)).is_some_and(|((one, at), (other, next))| one == other && at + 1 == next)
}

/// The name of the array of an element, and its index.
fn index(name: &str) -> Option<(&str, u64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

/// The lines of neighbouring values.
fn value_lines(values: &[(String, String)]) -> Vec<String> {
    let is_zero = |value: &str| value == "0" || value == "[]";
    if values.iter().all(|(_, value)| is_zero(value)) {
        return Vec::new();
    }
    let [(from, first), .., (to, _)] = values else {
        return values.iter().map(value_line).collect();
    };
    if values.len() < CROWD {
        return values.iter().filter(|(_, value)| !is_zero(value)).map(value_line).collect();
    }
    if values.iter().all(|(_, value)| value == first) {
        return vec![format!("  {from} to {to}: each {first}\n")];
    }
    let shown: Vec<&str> = values.iter().take(MOST_VALUES).map(|(_, value)| &**value).collect();
    let more = if values.len() > MOST_VALUES { ", …" } else { "" };
    vec![format!("  {from} to {to} = {}{more}\n", shown.join(", "))]
}

fn value_line((name, value): &(String, String)) -> String {
    format!("  {name} = {value}\n")
}

/// A text with `#` for each number.
fn pattern(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if !letter.is_ascii_digit() {
            out.push(letter);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(values: &[(&str, &str)]) -> String {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let values = values.collect();
        let end = StoryEnd {
            error: None,
            detail: None,
            causes: Vec::new(),
            stuck: false,
            processes: Vec::new(),
            values,
        };
        brief_state(&end, &SourceMap::default())
    }

    #[test]
    fn elements_of_an_array_share_a_line() {
        let each = [("a[0]", "1"), ("a[1]", "1"), ("a[2]", "1"), ("a[3]", "1"), ("n", "3")];
        assert_eq!(lines(&each), "  a[0] to a[3]: each 1\n  n = 3\n");
        let other = [("a[0]", "1"), ("a[1]", "0"), ("a[2]", "7"), ("a[3]", "1")];
        assert_eq!(lines(&other), "  a[0] to a[3] = 1, 0, 7, 1\n");
        let few = [("a[0]", "0"), ("a[1]", "2"), ("a[2]", "0"), ("b", "0")];
        assert_eq!(lines(&few), "  a[1] = 2\n");
        let none: Vec<_> = ["a[0]", "a[1]", "a[2]", "a[3]"].map(|name| (name, "0")).to_vec();
        assert_eq!(lines(&none), "");
    }

    #[test]
    fn a_long_state_is_cut() {
        let names: Vec<String> = (0..50).map(|at| format!("x{at}")).collect();
        let values: Vec<_> = names.iter().map(|name| (&**name, "1")).collect();
        let text = lines(&values);
        assert_eq!(text.lines().count(), MOST_LINES);
        assert!(text.ends_with("  x10 = 1\n  … 39 more (`replay --full`)\n"), "{text}");
        assert_eq!(lines(&values[..MOST_LINES]).lines().last(), Some("  x11 = 1"));
    }
}
