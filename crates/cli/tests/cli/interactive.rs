//! `simulate -i`: the commands of the dialog, and the keys of a terminal.

use std::fs;
use std::path::PathBuf;

use crate::run::{run_in, run_in_on, scratch};
use crate::terminal::{BACKSPACE, LEFT, Terminal, UP};

const COUNTER: &str = "byte n;\nactive proctype P() {\n  do\n  :: n < 5 -> n++ /* up */\n\
                       \x20 :: n == 5 -> break\n  od;\n  assert(false)\n}\n";

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), COUNTER).expect("the folder is ours");
    folder
}

#[test]
fn a_run_goes_on_until_a_condition_holds() {
    let folder = folder("interactive-until");
    let talk = |input: &str| run_in_on(&folder, input, &["simulate", "m.pml", "-i"]);
    let result = talk("until n == 3\ns\nuntil n >= 2\nuntil n == 77\n");
    assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
    let order = ["`n == 3` is true\n", "  n = 3\n", "`n >= 2` is true already\n"];
    let mut rest = &*result.out;
    for text in order {
        let at = rest.find(text).unwrap_or_else(|| panic!("{text} is missing: {}", result.out));
        rest = &rest[at..];
    }
    assert!(rest.contains("`n == 77` is false after"), "{result:?}");
    assert!(rest.contains("the run ended before it"), "{result:?}");
    for (input, message) in [
        ("until m == 1\n", "`m`"),
        ("until (n == 1\n", "`)` is missing"),
        ("until\n", "something is missing: `until EXPR`"),
    ] {
        let result = talk(input);
        assert!(result.code == 0 && result.out.contains(message), "{input}: {result:?}");
        assert!(result.out.contains("after 0 steps: stopped"), "{input}: {result:?}");
    }
}

#[test]
fn a_run_goes_back_and_forth() {
    let folder = folder("interactive-goto");
    let talk = |input: &str| run_in_on(&folder, input, &["simulate", "m.pml", "-i"]);
    let result = talk("r 6\ngoto 2\ns\ngoto 6\ns\ngoto 7\nb 3\n1\ngoto 6\n");
    assert_eq!(result.err, "");
    let states: Vec<&str> = result.out.lines().filter(|line| line.starts_with("  n = ")).collect();
    // The last one is that of the end.
    assert_eq!(states, ["  n = 1", "  n = 3", "  n = 3"], "{result:?}");
    assert!(result.out.contains("this run has 6 steps; `random` and `until`"), "{result:?}");
    assert!(result.out.ends_with(&talk("r 6\n").out[talk("r 6\n").out.rfind("after").unwrap()..]));
}

#[test]
fn a_run_is_saved_as_a_trail() {
    let folder = folder("interactive-save");
    let input = "until n == 5\nsave half.trail\nr 9\nsave whole.trail\nsave no/t.trail\n";
    let result = run_in_on(&folder, input, &["simulate", "m.pml", "-i"]);
    assert!(result.out.contains("10 steps written to half.trail\n"), "{result:?}");
    assert!(result.out.contains("cannot write the trail `no/t.trail`"), "{result:?}");
    let whole = run_in(&folder, &["replay", "m.pml", "whole.trail"]);
    assert_eq!(whole.code, 0, "{whole:?}");
    assert!(whole.out.contains("assertion violated"), "{whole:?}");
    let half = run_in(&folder, &["replay", "m.pml", "half.trail", "--steps", "10"]);
    assert_eq!(half.code, 0, "{half:?}");
    assert!(half.out.contains("  n = 5\n"), "{half:?}");
}

#[test]
fn the_line_of_each_step_is_shown() {
    let folder = folder("interactive-source");
    let result = run_in_on(&folder, "1\n1\n", &["simulate", "m.pml", "-i"]);
    assert!(result.out.contains("     > :: n < 5 -> n++ /* up */\n"), "{result:?}");
}

/// In a terminal, the arrow keys edit the line and find earlier ones.
#[test]
fn a_terminal_has_a_history_and_arrow_keys() {
    let folder = folder("interactive-terminal");
    let mut terminal = Terminal::start(&folder, &["simulate", "m.pml", "-i"], &[]);
    let mut talk = |keys: &str, answer: &str| {
        // Keys before the prompt are lost, as the mode of the terminal changes.
        terminal.expect("\x1b[K> ");
        terminal.press(keys);
        terminal.expect(answer);
    };
    talk("1\r", "enabled steps after 1 step");
    // The line before once more.
    talk(&format!("{UP}\r"), "enabled steps after 2 steps");
    // `gox 1` becomes `goto 1`.
    talk(&format!("gox 1{LEFT}{LEFT}{BACKSPACE}to\r"), "enabled steps after 1 step");
    // Ctrl-C empties a line, and the dialog goes on.
    talk("nonsense\x03", "nonsense");
    talk("until n == 2\r", "`n == 2` is true");
    talk("save typed.trail\r", "written to typed.trail");
    // Ctrl-D ends it.
    talk("\x04", "after 4 steps: stopped");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("is not a command"), "{screen}");
    assert!(folder.join("typed.trail").is_file());
}

#[test]
fn a_random_run_on_a_terminal_ends_after_a_thousand_lines() {
    let folder = scratch("simulate-lines");
    fs::write(folder.join("m.pml"), "init { do :: true od }\n").expect("the folder is ours");
    let (code, screen) = Terminal::start(&folder, &["simulate", "m.pml"], &[]).finish();
    assert_eq!(code, Some(2), "{screen}");
    assert!(
        screen.contains("after 1,000 steps: stopped after 1,000 lines; `--steps N`"),
        "{screen}"
    );
    let args = ["simulate", "m.pml", "--steps", "1500"];
    let (code, screen) = Terminal::start(&folder, &args, &[]).finish();
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("after 1,500 steps: step limit reached"), "{screen}");
    // A pipe gets everything.
    let result = run_in(&folder, &["simulate", "m.pml"]);
    assert!(result.out.contains("after 10,000 steps: step limit reached"), "{}", result.code);
}

/// Ctrl-C ends the steps of `until`, and not the dialog.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_steps_and_returns_to_the_prompt() {
    let folder = scratch("interactive-interrupt");
    // Each step takes long.
    let model = "byte n; int i;\nactive proctype P() {\n  do\n  :: d_step { i = 0;\n\
                 do :: i < 5000 -> i++ :: else -> break od; i = 0; n = 1 - n }\n  od\n}\n";
    fs::write(folder.join("m.pml"), model).expect("the folder is ours");
    let mut terminal = Terminal::start(&folder, &["simulate", "m.pml", "-i"], &[]);
    for command in ["until n == 7\r", "random 9999\r"] {
        terminal.expect("\x1b[K> ");
        terminal.press(command);
        // The output is printed in blocks.
        terminal.expect("d_step");
        terminal.expect("d_step");
        let interrupt = ["-INT", &terminal.id().to_string()];
        let sent = std::process::Command::new("kill").args(interrupt).status();
        assert!(sent.expect("kill runs").success());
        if command.starts_with("until") {
            terminal.expect("`n == 7` is false after");
            terminal.expect("steps: interrupted, `until` again goes on");
        }
        terminal.expect("enabled steps after");
    }
    terminal.expect("\x1b[K> ");
    terminal.press("until n < 2\r");
    terminal.expect("`n < 2` is true already");
    terminal.expect("\x1b[K> ");
    terminal.press("\x04");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("after 9999 steps"), "{screen}");
}

#[test]
fn the_first_overflow_is_a_remark() {
    let folder = scratch("interactive-overflow");
    let model = "byte n = 254;\nactive proctype P() {\n  n++; n++;\n  n = n - 1; n++ }\n";
    fs::write(folder.join("m.pml"), model).expect("the folder is ours");
    let input = "r\nr\nr\nb 2\nr\nr 9\n";
    let result = run_in_on(&folder, input, &["simulate", "m.pml", "-i"]);
    let remark = "remark: overflow in step 2, m.pml:3: `n++`: 256 does not fit, 0 is stored\n";
    let found: Vec<&str> = result.out.lines().filter(|line| line.contains("overflow")).collect();
    // Once, and again when the step was undone.
    assert_eq!(found, [remark.trim_end(); 2], "{result:?}");
    let after = format!("     > n++; n++;\n{remark}enabled steps after 2 steps:");
    assert!(result.out.contains(&after), "{result:?}");
}
