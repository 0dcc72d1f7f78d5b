//! Tables as bytes, for a file that is kept between runs.
//!
//! ```text
//! "beeline pdb\n"  version: 4 bytes  model: 16 bytes  sections: 4 bytes
//! section: key: 16 bytes  length: 8 bytes  tables
//! check: 16 bytes, over all of the above
//! ```
//!
//! Numbers are little-endian. Fingerprints identify the model and the use of a section: the
//! factored system with its errors, and the request for the tables. Tables are used only if all of
//! these are equal.

use std::error::Error;
use std::fmt;

use beeline_factored::System;

use super::combination::TableCombination;
use super::database::Database;
use super::feature::Feature;
use super::recipe::{Recipe, RecipeConstants, print};
use super::tables::Tables;

const MAGIC: &[u8] = b"beeline pdb\n";

/// The format version; changes with the format and with the meaning of tables.
pub const VERSION: u32 = 1;

/// Upper bound on sections; the latest are kept.
const MOST_SECTIONS: usize = 16;

/// A 128-bit hash of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// FNV-1a with 128 bits.
    pub fn of(bytes: &[u8]) -> Fingerprint {
        let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(prime);
        Fingerprint(bytes.iter().fold(start, step))
    }
}

/// Why a cache file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheError {
    /// It is not a cache file.
    Foreign,
    /// It has another version.
    Version(u32),
    /// It is truncated or damaged.
    Broken,
    /// It belongs to another model.
    OtherModel,
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheError::Foreign => write!(f, "is not a file of pattern databases"),
            CacheError::Version(version) => {
                write!(f, "has version {version} of the format instead of {VERSION}")
            }
            CacheError::Broken => write!(f, "is cut off or damaged"),
            CacheError::OtherModel => write!(f, "was made for another model"),
        }
    }
}

impl Error for CacheError {}

/// The contents of a cache file: tables by key.
#[derive(Debug)]
pub(crate) struct CacheFile {
    model: Fingerprint,
    sections: Vec<(Fingerprint, Vec<u8>)>,
}

impl CacheFile {
    /// An empty cache file.
    pub(crate) fn new(model: Fingerprint) -> CacheFile {
        CacheFile { model, sections: Vec::new() }
    }

    /// Parses a cache file of a model.
    pub(crate) fn read(bytes: &[u8], model: Fingerprint) -> Result<CacheFile, CacheError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CacheError::Foreign)?;
        let mut header = Bytes { rest };
        let version = header.number().ok_or(CacheError::Broken)?;
        if version != VERSION {
            return Err(CacheError::Version(version));
        }
        let length = bytes.len().checked_sub(16).ok_or(CacheError::Broken)?;
        let (body, check) = bytes.split_at(length);
        if Fingerprint::of(body).0.to_le_bytes() != check {
            return Err(CacheError::Broken);
        }
        let mut rest = Bytes { rest: &body[MAGIC.len() + 4..] };
        if rest.fingerprint().ok_or(CacheError::Broken)? != model {
            return Err(CacheError::OtherModel);
        }
        let mut shelf = CacheFile::new(model);
        for _ in 0..rest.number().ok_or(CacheError::Broken)? {
            let section = rest.section().ok_or(CacheError::Broken)?;
            shelf.sections.push(section);
        }
        if rest.rest.is_empty() { Ok(shelf) } else { Err(CacheError::Broken) }
    }

    /// The tables with a key, if present.
    pub(crate) fn find(&self, key: Fingerprint, system: &System) -> Option<Tables> {
        let (_, bytes) = self.sections.iter().find(|section| section.0 == key)?;
        read_tables(bytes, system)
    }

    /// Adds tables, unless factor names are ambiguous.
    pub(crate) fn put(&mut self, key: Fingerprint, tables: &Tables, system: &System) {
        let is_told = |one: &Database| {
            let read = read_lenses(&print(one.features(), system), system);
            read.is_some_and(|read| read == one.features())
        };
        if !tables.databases.iter().all(is_told) {
            return;
        }
        self.sections.retain(|section| section.0 != key);
        let oldest = self.sections.len().saturating_sub(MOST_SECTIONS - 1);
        self.sections.drain(..oldest);
        self.sections.push((key, write_tables(tables, system)));
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.model.0.to_le_bytes());
        bytes.extend((self.sections.len() as u32).to_le_bytes());
        for (key, tables) in &self.sections {
            bytes.extend(key.0.to_le_bytes());
            bytes.extend((tables.len() as u64).to_le_bytes());
            bytes.extend(tables);
        }
        let check = Fingerprint::of(&bytes).0.to_le_bytes();
        bytes.extend(check);
        bytes
    }
}

fn write_tables(tables: &Tables, system: &System) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: usize| {
        bytes.extend((number as u32).to_le_bytes());
    };
    number(&mut bytes, usize::from(tables.is_complete));
    number(&mut bytes, tables.groups.len());
    for group in &tables.groups {
        number(&mut bytes, usize::from(group.together == TableCombination::Sum));
        number(&mut bytes, group.of.len());
        for database in &tables.databases[group.of.clone()] {
            let lines = print(database.features(), system);
            number(&mut bytes, lines.len());
            bytes.extend(lines.bytes());
            number(&mut bytes, database.features().len());
            number(&mut bytes, database.len());
            for (kept, distance) in database.sorted() {
                kept.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
                bytes.extend(distance.to_le_bytes());
            }
        }
    }
    bytes
}

/// Parses tables; `None` if the format differs: then they are recomputed.
fn read_tables(bytes: &[u8], system: &System) -> Option<Tables> {
    let mut bytes = Bytes { rest: bytes };
    let is_complete = bytes.number()? == 1;
    let mut tables = Tables::new();
    for _ in 0..bytes.number()? {
        let together =
            if bytes.number()? == 1 { TableCombination::Sum } else { TableCombination::Max };
        let mut databases = Vec::new();
        for _ in 0..bytes.number()? {
            let length = bytes.number()? as usize;
            let lines = std::str::from_utf8(bytes.take(length)?).ok()?;
            let features = read_lenses(lines, system)?;
            let (width, count) = (bytes.number()? as usize, bytes.number()?);
            if width != features.len() {
                return None;
            }
            let mut all = std::collections::HashMap::new();
            for _ in 0..count {
                let kept: Option<Box<[i32]>> =
                    (0..width).map(|_| bytes.number().map(|one| one as i32)).collect();
                all.insert(kept?, bytes.number()?);
            }
            let first: Vec<i32> =
                features.iter().map(|feature| feature.of(&system.initial)).collect();
            let initial = *all.get(first.as_slice())?;
            databases.push(Database::of(features, all, initial));
        }
        tables.add(databases, together);
    }
    (bytes.rest.is_empty() && tables.is_complete == is_complete).then_some(tables)
}

fn read_lenses(lines: &str, system: &System) -> Option<Vec<Feature>> {
    if lines.is_empty() {
        return Some(Vec::new());
    }
    let recipe =
        Recipe::read(&format!("table saved\n{lines}"), system, &RecipeConstants::default()).ok()?;
    recipe.tables.into_iter().next().map(|table| table.features)
}

/// A byte reader; `None` at the end.
struct Bytes<'b> {
    rest: &'b [u8],
}

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn fingerprint(&mut self) -> Option<Fingerprint> {
        Some(Fingerprint(u128::from_le_bytes(self.take(16)?.try_into().ok()?)))
    }

    fn section(&mut self) -> Option<(Fingerprint, Vec<u8>)> {
        let key = self.fingerprint()?;
        let length = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        Some((key, self.take(usize::try_from(length).ok()?)?.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use beeline_factored::{FactorExpr, FactorKind, Goal, Interval, Ranges};

    use super::*;
    use crate::pattern::budget::PatternBudget;
    use crate::pattern::task::PatternTask;

    fn system() -> System {
        let mut system = System::default();
        let range = Interval { least: 0, greatest: 5 };
        for name in ["x", "y", "len(channel 1)"] {
            system.add(name.to_owned(), FactorKind::Variable, range, 2);
        }
        let x = FactorExpr::Factor(beeline_factored::FactorId(0));
        system.goals.push(Goal { name: "x".to_owned(), conditions: vec![x.equals(2)] });
        system
    }

    const TEXT: &str = "combine sum\ntable a\nkeep x, \"len(channel 1)\"\ntable b\nkeep y\n\
                        classes x = ..-1, {0, 2..3}\npredicate !(x - 1 < -y || y % 2 >= x)";

    fn tables(system: &System) -> Tables {
        let task = PatternTask::new(Arc::new(system.clone()), Ranges::of(system));
        let recipe =
            Recipe::read(TEXT, system, &RecipeConstants::default()).expect("it is well formed");
        Tables::from_recipe(&task, &recipe, PatternBudget::new(100)).expect("it is small")
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (system, model) = (system(), Fingerprint::of(b"model"));
        let (one, two) = (Fingerprint::of(b"one"), Fingerprint::of(b"two"));
        let made = tables(&system);
        let mut shelf = CacheFile::new(model);
        shelf.put(one, &made, &system);
        let bytes = shelf.bytes();
        let again = CacheFile::read(&bytes, model).expect("it is what was written");
        assert_eq!(again.bytes(), bytes);
        assert!(again.find(two, &system).is_none());
        let read = again.find(one, &system).expect("it is there");
        assert_eq!(read.databases.len(), 2);
        assert_eq!(read.groups[0].together, TableCombination::Sum);
        for (made, read) in made.databases.iter().zip(&read.databases) {
            assert_eq!(made.features(), read.features());
            assert_eq!(made.sorted(), read.sorted());
            assert_eq!(made.initial(), read.initial());
        }
    }

    #[test]
    fn what_names_do_not_tell_is_not_kept() {
        let mut system = system();
        system.factors[1].name = "x".to_owned();
        let task = PatternTask::new(Arc::new(system.clone()), Ranges::of(&system));
        let features = vec![Feature::Value(beeline_factored::FactorId(1))];
        let table = crate::pattern::TableRecipe { name: "a".to_owned(), features, line: 1 };
        let recipe = Recipe { together: TableCombination::Max, tables: vec![table] };
        let made =
            Tables::from_recipe(&task, &recipe, PatternBudget::new(100)).expect("it is small");
        let mut shelf = CacheFile::new(Fingerprint::of(b"model"));
        shelf.put(Fingerprint::of(b"key"), &made, &system);
        assert!(shelf.find(Fingerprint::of(b"key"), &system).is_none());
        system.tell_names_apart();
        assert_eq!(system.factors[1].name, "x@2");
        shelf.put(Fingerprint::of(b"key"), &made, &system);
        assert!(shelf.find(Fingerprint::of(b"key"), &system).is_some());
    }

    #[test]
    fn only_the_latest_sections_stay() {
        let (system, model) = (system(), Fingerprint::of(b"model"));
        let mut shelf = CacheFile::new(model);
        let key = |at: u8| Fingerprint::of(&[at]);
        (0..20).for_each(|at| shelf.put(key(at), &tables(&system), &system));
        let there: Vec<bool> = (0..20).map(|at| shelf.find(key(at), &system).is_some()).collect();
        assert_eq!(there, [[false; 4].as_slice(), &[true; 16]].concat());
    }

    #[test]
    fn no_byte_can_be_changed_or_left_out() {
        let (system, model) = (system(), Fingerprint::of(b"model"));
        let mut shelf = CacheFile::new(model);
        shelf.put(model, &tables(&system), &system);
        let bytes = shelf.bytes();
        let refused =
            |bytes: &[u8]| CacheFile::read(bytes, model).map(|_| ()).expect_err("refused");
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            let expected = match at {
                0..12 => CacheError::Foreign,
                12..16 => CacheError::Version(VERSION ^ 1 << (8 * (at - 12))),
                _ => CacheError::Broken,
            };
            assert_eq!(refused(&other), expected, "byte {at}");
            let expected = if at < 12 { CacheError::Foreign } else { CacheError::Broken };
            assert_eq!(refused(&bytes[..at]), expected, "the first {at} bytes");
        }
        let other = Fingerprint::of(b"another model");
        let refused = CacheFile::read(&bytes, other).map(|_| ()).expect_err("refused");
        assert_eq!(refused, CacheError::OtherModel);
    }
}
