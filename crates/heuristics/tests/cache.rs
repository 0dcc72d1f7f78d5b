//! Tables that are kept: made and written once, read and not written afterwards, and made again
//! when anything that they depend on is different.

use std::collections::HashMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::Mutex;

use beeline_engine::automata::Options;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{Files, Goal, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Space};
use beeline_promela::preprocess;

/// Files in memory, and how often one was written.
#[derive(Debug, Default)]
struct Memory {
    files: Mutex<HashMap<String, Vec<u8>>>,
    written: Mutex<usize>,
}

impl Files for Memory {
    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let files = self.files.lock().expect("nobody panics here");
        files.get(name).cloned().ok_or_else(|| Error::from(ErrorKind::NotFound))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        *self.written.lock().expect("nobody panics here") += 1;
        let mut files = self.files.lock().expect("nobody panics here");
        files.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

/// The estimate of the initial state, and how often files have been written by now.
fn estimate(files: &Memory, text: &str, spec: &str, goal: &Goal) -> (Estimate, usize) {
    let options = preprocess::Options::default();
    let front = beeline_promela::read("test", text, &mut preprocess::NoIncludes, &options);
    assert!(!front.diagnostics.has_errors(), "{text}");
    let machine = Machine::new(&front.hir, Options::OPTIMISED);
    let spec = Spec::parse(spec).expect("it is well formed");
    let mut heuristic = build_with(&spec, &machine, goal, files).expect("it can be built");
    let mut first = Vec::new();
    Space::initial(&machine, &mut first).expect("it begins");
    let estimate = heuristic.estimate(&first);
    (estimate, *files.written.lock().expect("nobody panics here"))
}

#[test]
fn tables_are_made_once_for_everything_that_they_depend_on() {
    let text = "byte x = 1; active proctype P() { do :: x < 9 -> x = x + 2 od; assert(x == 1) }";
    let other = text.replace("x = 1;", "x = 0;");
    let files = Memory::default();
    let spec = "pdb(cache=f)";
    let (said, written) = estimate(&files, text, spec, &Goal::Deadlock);
    assert_eq!(written, 1);
    assert_eq!(estimate(&files, text, spec, &Goal::Deadlock), (said, 1));
    assert_eq!(estimate(&files, text, spec, &Goal::Assertions).1, 2);
    assert_eq!(estimate(&files, text, "pdb(x, cache=f)", &Goal::Deadlock).1, 3);
    assert_eq!(estimate(&files, text, "pdb(states=9, cache=f)", &Goal::Deadlock).1, 4);
    // From another beginning it is farther to where nothing is possible any more.
    let (changed, written) = estimate(&files, &other, spec, &Goal::Deadlock);
    assert_eq!(written, 5);
    assert_ne!(changed, said);
    // All of it is still there.
    assert_eq!(estimate(&files, text, spec, &Goal::Deadlock), (said, 5));
    assert_eq!(estimate(&files, &other, spec, &Goal::Deadlock), (changed, 5));
}
