//! The list of remaining import cycles, `cycles.txt`, and its comparison with the existing ones.
//!
//! The list can only shrink: an unlisted cycle is rejected, and so is a listed one that no longer
//! exists or is smaller. `UPDATE_EXPECT=1` rewrites the list, if no crate has more files or modules
//! in cycles than before; files may have moved.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The members of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Files,
    Modules,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Files => "files",
            Kind::Modules => "modules",
        }
    }
}

/// An import cycle of a crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cycle {
    pub(crate) crate_name: String,
    pub(crate) kind: Kind,
    pub(crate) members: BTreeSet<String>,
    /// Why it is allowed; empty for a cycle that was found.
    pub(crate) reason: String,
}

impl Cycle {
    fn is(&self, other: &Cycle) -> bool {
        self.is_beside(other) && self.members == other.members
    }

    /// Whether both are in the same crate, and have the same kind of members.
    fn is_beside(&self, other: &Cycle) -> bool {
        self.crate_name == other.crate_name && self.kind == other.kind
    }

    /// Its kind, and its members.
    pub(crate) fn title(&self) -> String {
        let shown: Vec<&str> = self.members.iter().map(String::as_str).collect();
        let shown = shown.join(" ");
        format!("{} of {}, {}: {shown}", self.kind.name(), self.crate_name, self.members.len())
    }
}

/// Reads the list. A cycle is a line `crate kind: reason`, and a line with two spaces for each
/// member; `#` begins a remark.
pub(crate) fn read(text: &str) -> Vec<Cycle> {
    let mut cycles: Vec<Cycle> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(member) = line.strip_prefix("  ") {
            let cycle = cycles.last_mut().expect("a member comes after its cycle");
            cycle.members.insert(member.to_owned());
            continue;
        }
        let parts = line.split_once(": ").and_then(|(head, reason)| {
            let (name, kind) = head.split_once(' ')?;
            let kind = [Kind::Files, Kind::Modules].into_iter().find(|each| each.name() == kind)?;
            Some((name, kind, reason))
        });
        let (name, kind, reason) = parts.unwrap_or_else(|| panic!("cycles.txt: `{line}`"));
        cycles.push(Cycle {
            crate_name: name.to_owned(),
            kind,
            members: BTreeSet::new(),
            reason: reason.to_owned(),
        });
    }
    cycles
}

/// Writes the format of `read`, after the remarks at the start of the old text.
pub(crate) fn write(cycles: &[Cycle], old: &str) -> String {
    let mut text = String::new();
    for line in old.lines().take_while(|line| line.starts_with('#')) {
        let _ = writeln!(text, "{line}");
    }
    for cycle in cycles {
        let _ = writeln!(text, "\n{} {}: {}", cycle.crate_name, cycle.kind.name(), cycle.reason);
        for member in &cycle.members {
            let _ = writeln!(text, "  {member}");
        }
    }
    text
}

/// The differences from the list.
pub(crate) struct Difference {
    /// Cycles that are not listed.
    pub(crate) new: Vec<String>,
    /// Listed cycles that no longer exist or are smaller.
    pub(crate) stale: Vec<String>,
    /// The correct list; `None` if it would grow.
    pub(crate) shrunk: Option<Vec<Cycle>>,
}

/// Compares cycles that were found with the list.
pub(crate) fn compare(found: &[Cycle], listed: &[Cycle]) -> Difference {
    let missing = |cycles: &[Cycle], from: &[Cycle]| {
        let absent = |cycle: &&Cycle| !from.iter().any(|other| other.is(cycle));
        cycles.iter().filter(absent).map(Cycle::title).collect()
    };
    let entangled = |cycles: &[Cycle], like: &Cycle| -> usize {
        let beside = cycles.iter().filter(|cycle| cycle.is_beside(like));
        beside.map(|cycle| cycle.members.len()).sum()
    };
    let grows = found.iter().any(|cycle| entangled(found, cycle) > entangled(listed, cycle));
    let shrunk = (!grows).then(|| {
        let mut shrunk: Vec<Cycle> = found.iter().map(|cycle| explained(cycle, listed)).collect();
        shrunk.sort();
        shrunk
    });
    Difference { new: missing(found, listed), stale: missing(listed, found), shrunk }
}

/// A cycle with the reason of the listed one with the most common members.
fn explained(cycle: &Cycle, listed: &[Cycle]) -> Cycle {
    let common = |other: &&Cycle| cycle.members.intersection(&other.members).count();
    let nearest = listed.iter().filter(|other| other.is_beside(cycle)).max_by_key(common);
    let reason = nearest.map(|nearest| nearest.reason.clone()).unwrap_or_default();
    Cycle { reason, ..cycle.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# Cycles.\n\nx files: a tree\n  a.rs\n  b.rs\n  c.rs\n";

    fn found(members: &[&str]) -> Cycle {
        Cycle {
            crate_name: "x".to_owned(),
            kind: Kind::Files,
            members: members.iter().map(|member| (*member).to_owned()).collect(),
            reason: String::new(),
        }
    }

    #[test]
    fn the_list_is_read_as_it_is_written() {
        assert_eq!(write(&read(LIST), LIST), LIST);
    }

    #[test]
    fn the_list_can_only_shrink() {
        let same = compare(&[found(&["a.rs", "b.rs", "c.rs"])], &read(LIST));
        assert!(same.new.is_empty() && same.stale.is_empty());
        let smaller = compare(&[found(&["a.rs", "b.rs"])], &read(LIST));
        assert!(smaller.stale.len() == 1);
        assert_eq!(smaller.shrunk.expect("it is smaller")[0].reason, "a tree");
        let gone = compare(&[], &read(LIST));
        assert!(gone.new.is_empty() && gone.stale.len() == 1);
        let larger = compare(&[found(&["a.rs", "b.rs", "c.rs", "d.rs"])], &read(LIST));
        assert!(larger.new.len() == 1 && larger.shrunk.is_none());
    }
}
