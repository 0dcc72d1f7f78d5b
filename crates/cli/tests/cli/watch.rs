//! `check --watch`: a check after each change.

use std::fs;
use std::process::Command;

use crate::run::{GOOD, run, scratch};
use crate::terminal::Terminal;

#[test]
fn a_change_starts_another_check() {
    let folder = scratch("watch");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the folder is ours");
    };
    write("m.pml", "#include \"n.h\"\nactive proctype P() { assert(n == 0) }\n");
    write("n.h", "byte n;\n");
    let mut terminal = Terminal::start(&folder, &["check", "m.pml", "--watch", "--quiet"], &[]);
    terminal.expect("assertions      holds");
    terminal.expect("watching m.pml, n.h; Ctrl-C ends");
    write("n.h", "byte n = 1;\n");
    terminal.expect("──── n.h changed: check 2 ────");
    terminal.expect("assertions      violated");
    terminal.expect("watching");
    write("m.pml", "active proctype P() { oops }\n");
    terminal.expect("──── m.pml changed: check 3 ────");
    terminal.expect("error[");
    terminal.expect("watching m.pml; Ctrl-C ends");
    write("m.pml", GOOD);
    terminal.expect("check 4");
    terminal.expect("assertions      holds");
    terminal.expect("watching");
    let id = terminal.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let (code, screen) = terminal.finish();
    // The exit code is that of the last check.
    assert_eq!(code, Some(0), "{screen}");
}

#[test]
fn standard_input_cannot_be_watched() {
    let result = run(&["check", "-", "--watch"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("--watch looks at files"), "{result:?}");
}
