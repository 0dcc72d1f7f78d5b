//! The paths of trail files.

use std::fs;
use std::path::{Path, PathBuf};

use beeline_kernel::Trail;
use beeline_model::fingerprint;

use crate::model::file::STDIN;

/// The longest name of a property that is part of a file name.
const LONGEST: usize = 64;

/// The files of the trails of a check.
///
/// Each trail has a file that is named after its property. The first one is also written to the
/// file that SPIN would write, which `spin -t` and `beeline replay` find; or, if the user names a
/// file, to that file only.
pub(crate) struct TrailPaths {
    first: PathBuf,
    /// Whether the user named the first file.
    is_requested: bool,
    /// Whether the name says which model the trails are of.
    is_certain: bool,
    stem: String,
    extension: String,
    directory: PathBuf,
}

impl TrailPaths {
    /// As in SPIN: the model's file name with `.trail` appended, in the current directory; or the
    /// requested file.
    pub(crate) fn new(model: &str, requested: Option<&Path>) -> TrailPaths {
        match requested {
            Some(file) => TrailPaths {
                first: file.to_owned(),
                is_requested: true,
                is_certain: true,
                stem: text(file.file_stem()),
                extension: text(file.extension()),
                directory: file.parent().map(Path::to_owned).unwrap_or_default(),
            },
            None => TrailPaths::in_directory(model, Path::new("")),
        }
    }

    /// The default files, in a directory.
    fn in_directory(model: &str, directory: &Path) -> TrailPaths {
        let is_certain = model != STDIN;
        let model = Path::new(if is_certain { model } else { "stdin" });
        let first = directory.join(format!("{}.trail", text(model.file_name())));
        let (stem, extension) = (text(model.file_stem()), "trail".to_owned());
        let directory = directory.to_owned();
        TrailPaths { first, is_requested: false, is_certain, stem, extension, directory }
    }

    /// The file of the first trail, whatever its property.
    pub(crate) fn first(&self) -> &Path {
        &self.first
    }

    /// The file that is named after a property, for the trail of this number, from 1.
    pub(crate) fn of_property(&self, property: &str, number: usize) -> PathBuf {
        let property = file_part(property);
        let number = if number == 1 { String::new() } else { format!(".{number}") };
        let dot = if self.extension.is_empty() { "" } else { "." };
        let name =
            |mark: &str| format!("{}.{property}{mark}{number}{dot}{}", self.stem, self.extension);
        let path = self.directory.join(name(""));
        // A formula called `pml` must not take the place of the first file of `model.pml`.
        if path == self.first { self.directory.join(name("-property")) } else { path }
    }

    /// The files of a trail: the one that reports name, and a copy.
    pub(crate) fn of_trail(&self, place: TrailPlace<'_>) -> (PathBuf, Option<PathBuf>) {
        let named = self.of_property(place.property, place.number);
        match (place.is_first, self.is_requested) {
            (true, true) => (self.first.clone(), None),
            (true, false) => (self.first.clone(), Some(named)),
            (false, _) => (named, None),
        }
    }

    /// The files of earlier trails of a property, from this number on. Only regular files with the
    /// names of this table that contain a trail are among them.
    pub(crate) fn earlier(&self, property: &str, from: usize) -> Vec<PathBuf> {
        let files = (from..).map(|number| self.of_property(property, number));
        files.take_while(|file| is_trail(file)).collect()
    }

    /// Whether a file of these names is of the same model: standard input may be another one.
    pub(crate) fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Whether the first trail has no file that is named after its property.
    pub(crate) fn is_requested(&self) -> bool {
        self.is_requested
    }
}

/// The place of a trail among those of a check.
#[derive(Clone, Copy)]
pub(crate) struct TrailPlace<'a> {
    pub(crate) property: &'a str,
    /// The number among the trails of the property, from 1.
    pub(crate) number: usize,
    /// Whether it is the first of all trails.
    pub(crate) is_first: bool,
}

/// The default files of a model in which a trail may be, in the order of preference: of a property,
/// if one is given, then of any; in the current directory, then beside the model.
pub(crate) fn candidates(model: &str, property: Option<&str>) -> Vec<PathBuf> {
    let beside = Path::new(model).parent().unwrap_or(Path::new(""));
    let mut places = vec![TrailPaths::in_directory(model, Path::new(""))];
    if model != STDIN && beside != Path::new("") {
        places.push(TrailPaths::in_directory(model, beside));
    }
    let named = property.into_iter().flat_map(|property| {
        places.iter().map(|paths| paths.of_property(property, 1)).collect::<Vec<_>>()
    });
    named.chain(places.iter().map(|paths| paths.first.clone())).collect()
}

/// The file of a numbered output: the number stands before the extension, except for the first one.
pub(crate) fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let (stem, extension) = (text(file.file_stem()), text(file.extension()));
    let dot = if extension.is_empty() { "" } else { "." };
    file.with_file_name(format!("{stem}{number}{dot}{extension}"))
}

fn text(part: Option<&std::ffi::OsStr>) -> String {
    part.map_or_else(String::new, |part| part.to_string_lossy().into_owned())
}

/// A property as part of a file name. A formula of the command line is replaced by its kind and a
/// hash, so that different formulas have different files, which are the same in every run.
fn file_part(property: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if property.len() <= LONGEST && property.chars().all(is_plain) {
        return property.to_owned();
    }
    let kind: String = property.chars().take_while(|&letter| is_plain(letter)).take(16).collect();
    format!("{kind}-{:08x}", fingerprint([property]) as u32)
}

fn is_trail(file: &Path) -> bool {
    let is_file = fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
    is_file && fs::read_to_string(file).is_ok_and(|text| Trail::parse(&text).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(model: &str, requested: Option<&str>, property: &str, number: usize) -> Vec<String> {
        let paths = TrailPaths::new(model, requested.map(Path::new));
        let is_first = number == 1;
        let (file, copy) = paths.of_trail(TrailPlace { property, number, is_first });
        let all = std::iter::once(file).chain(copy);
        all.map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn trails_are_named_after_their_properties() {
        let first = names("dir/mutex.pml", None, "deadlock", 1);
        assert_eq!(first, ["mutex.pml.trail", "mutex.deadlock.trail"]);
        assert_eq!(names("mutex.pml", None, "deadlock", 2), ["mutex.deadlock.2.trail"]);
        assert_eq!(names(STDIN, None, "p", 1), ["stdin.trail", "stdin.p.trail"]);
        assert_eq!(names("m.pml", None, "pml", 1), ["m.pml.trail", "m.pml-property.trail"]);
        assert_eq!(names("a.pml", Some("out/t"), "p", 1), ["out/t"]);
        assert_eq!(names("a.pml", Some("out/t.trail"), "p", 3), ["out/t.p.3.trail"]);
    }

    #[test]
    fn formulas_of_the_command_line_have_short_names_of_their_own() {
        let (one, other) = (file_part("ltl: [] p"), file_part("ltl: <> p"));
        assert!(one.starts_with("ltl-") && one.len() == 12, "{one}");
        assert_ne!(one, other);
        assert!(file_part(&"p".repeat(300)).len() < LONGEST);
    }

    #[test]
    fn a_trail_is_looked_for_here_and_beside_the_model() {
        let found = |model, property| -> Vec<String> {
            let all = candidates(model, property);
            all.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(found("m.pml", None), ["m.pml.trail"]);
        assert_eq!(found("d/m.pml", None), ["m.pml.trail", "d/m.pml.trail"]);
        let expected = ["m.p.trail", "d/m.p.trail", "m.pml.trail", "d/m.pml.trail"];
        assert_eq!(found("d/m.pml", Some("p")), expected);
        assert_eq!(found(STDIN, None), ["stdin.trail"]);
    }

    #[test]
    fn numbers_stand_before_the_extension() {
        assert_eq!(numbered(Path::new("out/t.json"), 1), Path::new("out/t.json"));
        assert_eq!(numbered(Path::new("out/t.json"), 2), Path::new("out/t2.json"));
        assert_eq!(numbered(Path::new("out/t"), 2), Path::new("out/t2"));
    }
}
