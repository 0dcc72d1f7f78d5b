//! Texts that are long or deep: the front-end answers with automata or with errors, soon and
//! without running out of stack.

use std::sync::mpsc;
use std::time::Duration;

use beeline_testkit::pathological::{GROUPS, Input};

/// No input takes this long unless something is wrong. A guard against hanging,
/// not a measurement: the bench `frontend` measures.
const PATIENCE: Duration = Duration::from_secs(60);

/// On a thread as small as those of tests, and with a limit to our patience.
fn run_in_time(input: Input, size: usize) {
    let (send, receive) = mpsc::channel();
    let work = move || {
        let outcome = input.run(&(input.text)(size));
        // Nobody listens any more when patience was lost.
        let _ = send.send(input.complaint(&outcome));
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    let thread = thread.expect("a thread can be started");
    match receive.recv_timeout(PATIENCE) {
        Ok(None) => thread.join().expect("it has answered"),
        Ok(Some(complaint)) => panic!("{}: {complaint}", input.name),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{}: no answer in time", input.name),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{}: it panicked", input.name),
    }
}

fn run_group(group: &str) {
    let inputs = GROUPS.iter().find(|(name, _)| *name == group).map(|(_, inputs)| *inputs);
    for &input in inputs.expect("the group exists") {
        // Without optimisation, length takes long and shows nothing that a tenth
        // of it would not. Depth does, and takes no time.
        let long = input.size >= 10_000 && group != "nesting" && cfg!(debug_assertions);
        run_in_time(input, if long { input.size / 10 } else { input.size });
    }
}

#[test]
fn copes_with_text_without_end() {
    run_group("text");
}

#[test]
fn copes_with_bombs_of_macros_and_inlines() {
    run_group("macros");
}

#[test]
fn copes_with_nesting_without_end() {
    run_group("nesting");
}

#[test]
fn copes_with_names_without_number() {
    run_group("names");
}

#[test]
fn copes_with_control_flow_without_end() {
    run_group("automata");
}
