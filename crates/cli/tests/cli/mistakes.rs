//! Typical mistakes, and their messages: every `mistakes/*.pml` with the output of `lint` in the
//! `.txt` beside it. `UPDATE_EXPECT=1` rewrites the texts; then read them with the eyes of a
//! beginner.
//!
//! A name that begins with `trap` is a valid model whose meaning differs from its appearance; one
//! that begins with `fine` looks like a trap and is none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use crate::run::run_in;

/// Codes whose example would be too large for a file, with the reason.
pub(crate) const TOO_LARGE: [(&str, &str); 2] = [
    ("include-limit", "takes ten thousand files"),
    ("macro-too-deep", "takes ten thousand nested calls"),
];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/mistakes")
}

/// The files of a directory with this extension, in order.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory is part of the project");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

fn name(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).expect("names are plain")
}

#[test]
fn every_mistake_is_explained_as_recorded() {
    let directory = directory();
    let models = files(&directory, "pml");
    for model in &models {
        let result = run_in(&directory, &["lint", name(model)]);
        assert_eq!(result.err, "", "{}", model.display());
        expect_file![model.with_extension("txt")].assert_eq(&result.out);
    }
    assert!(models.len() >= 180, "only {} mistakes are left", models.len());
    assert_eq!(models.len(), files(&directory, "txt").len(), "a text lacks its model");
}

/// The codes that the recorded mistakes provoke.
pub(crate) fn provoked() -> BTreeSet<String> {
    let mut provoked = BTreeSet::new();
    for text in files(&directory(), "txt") {
        let text = fs::read_to_string(&text).expect("the file is part of the project");
        for line in text.lines() {
            let code = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["));
            if let Some((code, _)) = code.and_then(|rest| rest.split_once(']')) {
                provoked.insert(code.to_owned());
            }
        }
    }
    provoked
}

/// The codes in the sources of the front-end.
pub(crate) fn written() -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../promela/src");
    let mut written = BTreeSet::new();
    codes_below(&source, &mut written);
    assert!(written.len() > 100, "the codes are no longer found: {written:?}");
    written
}

#[test]
fn every_message_of_the_front_end_is_provoked_by_a_mistake() {
    let (provoked, written) = (provoked(), written());
    let exempt = TOO_LARGE.map(|(code, _)| code);
    let missing: Vec<_> = written
        .iter()
        .filter(|code| !exempt.contains(&&***code) && !provoked.contains(*code))
        .collect();
    assert!(missing.is_empty(), "no mistake provokes {missing:?}");
}

/// The message codes in the sources below a directory.
fn codes_below(directory: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).expect("the sources are part of the project") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            codes_below(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for constructor in ["Diagnostic::error(", "Diagnostic::warning("] {
                let calls = text.split(constructor).skip(1);
                let literals = calls.filter_map(|call| call.trim_start().strip_prefix('"'));
                codes.extend(literals.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
            }
        }
    }
}

#[test]
fn every_trap_comes_with_advice_and_nothing_fine_is_called_one() {
    let directory = directory();
    for model in files(&directory, "pml") {
        let model = name(&model);
        if !model.starts_with("trap") && !model.starts_with("fine") {
            continue;
        }
        let result = run_in(&directory, &["lint", "--json", model]);
        let report: serde_json::Value = serde_json::from_str(&result.out).expect("it is JSON");
        let messages = report["diagnostics"].as_array().expect("there is a list");
        assert_eq!(messages.is_empty(), model.starts_with("fine"), "{model}");
        for message in messages {
            assert_eq!(message["severity"], "warning", "{model}");
            assert_ne!(message["label"], "", "{model}: nothing beside the caret");
            assert!(message["fix"].is_object(), "{model}: {} has no advice", message["code"]);
        }
    }
}

#[test]
fn the_models_of_the_project_fall_into_no_trap() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for model in files(&models, "pml") {
        let model = name(&model);
        let result = run_in(&models, &["lint", model]);
        assert_eq!(result.out, format!("{model}: no problems\n"));
    }
}
