//! Any bytes, read as a domain and a problem; without mistakes also grounded and encoded.
#![no_main]

use std::time::Duration;

use beeline_kernel::Deadline;
use beeline_pddl::{PlanningSystem, PlanningText, read};
use libfuzzer_sys::fuzz_target;

/// The line between the domain and the problem.
const SEPARATOR: &str = "\n;;\n";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (domain, problem) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
    let given = read(
        PlanningText { name: "domain", text: domain },
        PlanningText { name: "problem", text: problem },
    );
    assert_eq!(given.task.is_some(), !given.diagnostics.has_errors());
    for message in given.diagnostics.iter() {
        assert!(!message.message.is_empty());
        given.sources.location(message.span);
    }
    if let Some(task) = given.task {
        let deadline = Deadline::after(Duration::from_secs(2));
        // A limit that is reached, or a metric that is not supported, is no defect.
        drop(PlanningSystem::new(task, deadline, 200 << 20));
    }
});
