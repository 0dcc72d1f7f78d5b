//! Cached tables: computed and written once, then only read, and computed again when any of their
//! inputs changes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::Mutex;
use std::time::Duration;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{Files, HeuristicGoal, Resources, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Deadline, Estimate, Space};
use beeline_promela::preprocess;

/// Files in memory, and the number of writes.
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

/// The estimate of the initial state, and the number of writes so far.
fn estimate(files: &Memory, text: &str, spec: &str, goal: &HeuristicGoal) -> (Estimate, usize) {
    let resources = Resources { files, ..Resources::default() };
    let estimate = estimate_with(resources, text, spec, goal);
    (estimate, *files.written.lock().expect("nobody panics here"))
}

fn estimate_with(
    resources: Resources<'_>,
    text: &str,
    spec: &str,
    goal: &HeuristicGoal,
) -> Estimate {
    let options = preprocess::PreprocessOptions::default();
    let front = beeline_promela::read("test", text, &mut preprocess::NoIncludes, &options);
    assert!(!front.diagnostics.has_errors(), "{text}");
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    let spec = Spec::parse(spec).expect("it is well formed");
    let built = build_with(&spec, &machine, goal, resources);
    let mut heuristic = built.expect("it can be built");
    let mut first = Vec::new();
    Space::initial(&machine, &mut first).expect("it begins");
    heuristic.estimate(&first)
}

/// Without time or memory, estimates are 0, no request is refused, and incomplete tables are not
/// cached.
#[test]
fn tables_that_were_cut_short_know_nothing_and_are_not_kept() {
    let text = "byte x; active proctype P() { do :: x < 99 -> x++ :: else -> break od; \
                assert(x < 99) }";
    let recipe = "table a\nkeep x\n";
    let files = Memory::default();
    files.write("recipe", recipe.as_bytes()).expect("it is written");
    let told = RefCell::new(Vec::new());
    let tell = |remark: String| told.borrow_mut().push(remark);
    for spec in ["pdb(cache=c)", "pdb(x, cache=c)", "pdb(file=recipe, cache=c)"] {
        let goal = HeuristicGoal::Assertions;
        let ample = Resources { files: &files, ..Resources::default() };
        let late = Deadline::after(Duration::ZERO);
        let hurried = Resources { deadline: late, tell: &tell, ..ample };
        assert_eq!(estimate_with(hurried, text, spec, &goal), Estimate::Finite(Cost::ZERO));
        assert_eq!(told.take(), ["pdb is cut short: its time limit was reached"], "{spec}");
        assert!(!files.files.lock().expect("nobody panics here").contains_key("c"), "{spec}");
        let known = estimate_with(ample, text, spec, &goal);
        assert!(known > Estimate::Finite(Cost(50)), "{spec}: {known:?}");
        assert_eq!(estimate_with(hurried, text, spec, &goal), known, "{spec}: it is kept");
        assert!(told.take().is_empty(), "{spec}: nothing was cut");
        files.files.lock().expect("nobody panics here").remove("c");
    }
    let poor = Resources { bytes: 1000, files: &files, tell: &tell, ..Resources::default() };
    for spec in ["pdb(cache=c)", "pdb(x, cache=c)", "pdb(file=recipe, cache=c)"] {
        let estimate = estimate_with(poor, text, spec, &HeuristicGoal::Assertions);
        assert!(estimate < Estimate::Finite(Cost(50)), "{spec}: {estimate:?}");
        assert!(told.take()[0].contains("its share of the memory"), "{spec}");
        assert!(!files.files.lock().expect("nobody panics here").contains_key("c"), "{spec}");
    }
}

#[test]
fn tables_are_made_once_for_everything_that_they_depend_on() {
    let text = "byte x = 1; active proctype P() { do :: x < 9 -> x = x + 2 od; assert(x == 1) }";
    let other = text.replace("x = 1;", "x = 0;");
    let files = Memory::default();
    let spec = "pdb(cache=f)";
    let (said, written) = estimate(&files, text, spec, &HeuristicGoal::Deadlock);
    assert_eq!(written, 1);
    assert_eq!(estimate(&files, text, spec, &HeuristicGoal::Deadlock), (said, 1));
    assert_eq!(estimate(&files, text, spec, &HeuristicGoal::Assertions).1, 2);
    assert_eq!(estimate(&files, text, "pdb(x, cache=f)", &HeuristicGoal::Deadlock).1, 3);
    assert_eq!(estimate(&files, text, "pdb(states=9, cache=f)", &HeuristicGoal::Deadlock).1, 4);
    // From another initial state, the deadlock is farther away.
    let (changed, written) = estimate(&files, &other, spec, &HeuristicGoal::Deadlock);
    assert_eq!(written, 5);
    assert_ne!(changed, said);
    // Both are still cached.
    assert_eq!(estimate(&files, text, spec, &HeuristicGoal::Deadlock), (said, 5));
    assert_eq!(estimate(&files, &other, spec, &HeuristicGoal::Deadlock), (changed, 5));
}
