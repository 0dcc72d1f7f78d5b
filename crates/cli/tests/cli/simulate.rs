use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use beeline_testkit::spin;
use serde_json::Value;

use crate::run::{BAD, run, run_in, run_in_on, run_on, scratch};

const LIMIT: Duration = Duration::from_secs(60);

/// Every run prints the same, for any order of steps.
const TALK: &str = r#"mtype = { red, green };
mtype:fruit = { apple, pear };
mtype m = green;
byte b = 65;
short s = -3;
int i = 255;
chan q = [1] of { mtype };
active proctype P() {
  mtype:fruit f = pear;
  printf("%d %c %x %o %u %% %e\t|\n", s, b, i, i, s, m);
  printm(m); printf("\n");
  printf("%e %e\n", i, f);
  printf("a \"quote\", a \\ and no newline,");
  printf(" %d %x\n", _pid, -1);
  d_step { i = 3; printf("%d ", i); i = 4; printf("%d\n", i) }
  atomic { q!red; q?m; printf("%e\n", m) }
}
"#;

const TALK_PRINTS: &str = "-3 A ff 377 4294967293 % green\t|\ngreen\n255 pear\n\
    a \"quote\", a \\ and no newline, 0 ffffffff\n3 4\nred\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

#[test]
fn what_a_model_prints_is_what_spin_prints() {
    let folder = folder("simulate-print", TALK);
    let result = run_in(&folder, &["simulate", "m.pml", "--quiet"]);
    assert_eq!((result.code, &*result.err, &*result.out), (0, "", TALK_PRINTS));
    if spin::available_or_skip("what_a_model_prints_is_what_spin_prints") {
        let answer = spin::run("spin", ["-T", "m.pml"], &folder, LIMIT).expect("spin runs");
        let text = answer.output();
        assert!(text.starts_with(TALK_PRINTS), "{text}");
    }
}

/// Exit code and last lines for the body of a process.
fn ending(body: &str, args: &[&str]) -> (i32, String) {
    let model = format!("byte n, a[2];\nactive proctype P() {{ {body} }}\n");
    let result = run_on(&model, &[&["simulate", "-"], args].concat());
    let text = result.out.lines().find(|line| line.starts_with("after "));
    (result.code, text.unwrap_or_else(|| panic!("no ending: {result:?}")).to_owned())
}

#[test]
fn a_run_says_why_it_ends_and_the_exit_code_does_too() {
    for (body, code, words) in [
        ("n = 1", 0, "after 2 steps: all processes ended"),
        ("n = 1; end: n == 2", 0, "after 1 step: no process can move, and each is at a valid end"),
        ("n = 1; n == 2", 1, "after 1 step: timeout, no process can move: invalid end state"),
        (
            "n = 1; assert(n == 2)",
            1,
            "after 2 steps: assertion violated: assert(n == 2) with n = 1",
        ),
        ("n = 2; a[n] = 1", 1, "after 2 steps: array index out of bounds"),
        ("do :: n++ od", 2, "after 10,000 steps: step limit reached"),
    ] {
        let (found_code, text) = ending(body, &[]);
        assert_eq!(found_code, code, "{body}: {text}");
        assert!(text.starts_with(words), "{body}: {text}");
    }
    assert_eq!(ending("do :: n++ od", &["--steps", "7"]).1, "after 7 steps: step limit reached");
    // A model that fails before its first step.
    let result = run_on("byte z; byte n = 1 / z;\ninit { n = 1 }\n", &["simulate", "-"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(
        result.out.contains("after 0 steps: division by zero: in the initial value"),
        "{result:?}"
    );
}

#[test]
fn quiet_runs_tell_errors_on_standard_error() {
    let model = "active proctype P() { printf(\"hi\\n\"); assert(false) }\n";
    let result = run_on(model, &["simulate", "-", "--quiet"]);
    assert_eq!((result.code, &*result.out), (1, "hi\n"), "{result:?}");
    assert!(result.err.contains("after 2 steps: assertion violated"), "{result:?}");
}

#[test]
fn the_object_has_every_step() {
    let model = "chan r = [0] of { byte };\nactive proctype P() { r!3 }\n\
                 active proctype Q() { byte x;\n d_step { r?x; printf(\"x %d\\n\", x) } }\n";
    let result = run_on(model, &["simulate", "-", "--json", "--seed", "5"]);
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    let object: Value = serde_json::from_str(&result.out).expect("one JSON value");
    assert_eq!(object["ending"], "all processes ended");
    assert_eq!((&object["seed"], &object["trail"]), (&Value::from(5), &Value::Null));
    assert_eq!((&object["error"], &object["model"]), (&Value::Null, &Value::from("<stdin>")));
    let steps = object["steps"].as_array().expect("a list");
    assert_eq!(steps.len(), 3, "{object}");
    let step = &steps[0];
    assert_eq!(
        (&step["process"], &step["pid"], &step["line"]),
        (&"P".into(), &0.into(), &2.into())
    );
    assert_eq!((&step["statement"], &step["printed"]), (&"r!3".into(), &"x 3\n".into()));
    assert_eq!((&step["partner"]["process"], &step["partner"]["line"]), (&"Q".into(), &4.into()));
    assert_eq!(step["changes"][0]["name"], "Q(1):x");
    let limited = run_on("init { do :: true od }\n", &["simulate", "-", "--json", "--steps", "3"]);
    let object: Value = serde_json::from_str(&limited.out).expect("one JSON value");
    assert_eq!((limited.code, &object["ending"]), (2, &"step limit reached".into()));
}

#[test]
fn a_trail_guides_a_run() {
    let model = "byte n;\nactive [2] proctype P() { n++; printf(\"n %d\\n\", n); assert(n < 2) }\n";
    let folder = folder("simulate-trail", model);
    for mode in [&["--plain"][..], &[]] {
        let args = [&["check", "m.pml", "--quiet"], mode].concat();
        assert_eq!(run_in(&folder, &args).code, 1);
        let result = run_in(&folder, &["simulate", "m.pml", "--trail", "m.pml.trail"]);
        assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
        assert!(result.out.contains("     | n 1\n"), "{result:?}");
        assert!(result.out.contains("assertion violated"), "{result:?}");
        let quiet = run_in(&folder, &["simulate", "m.pml", "--trail", "m.pml.trail", "--quiet"]);
        assert!(quiet.out.starts_with("n 1\n"), "{quiet:?}");
        if spin::available_or_skip("a_trail_guides_a_run") {
            let args = ["-T", "-t", "-k", "m.pml.trail", "m.pml"];
            let answer = spin::run("spin", args, &folder, LIMIT).expect("spin runs");
            let text = answer.output();
            let printed = format!("{}spin: m.pml:2, Error: assertion violated", quiet.out);
            assert!(text.contains(&printed), "{mode:?}: {text}");
        }
    }
    fs::write(folder.join("t"), "1:7:7\n").expect("the test directory is ours");
    let result = run_in(&folder, &["simulate", "m.pml", "--trail", "t"]);
    assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    assert!(result.err.contains("`t` is not a trail of `m.pml`"), "{result:?}");
    fs::write(folder.join("t"), "").expect("the test directory is ours");
    let result = run_in(&folder, &["simulate", "m.pml", "--trail", "t"]);
    assert!(result.code == 0 && result.out.contains("the trail ends"), "{result:?}");
}

const CHOICE: &str = "byte n;\nactive proctype P() {\n  if\n  :: n = 1; printf(\"one\\n\")\n\
                      \x20 :: n = 2; assert(false)\n  fi\n}\n";

#[test]
fn steps_are_chosen_by_lines_of_input() {
    let folder = folder("simulate-choose", CHOICE);
    let talk = |input: &str| run_in_on(&folder, input, &["simulate", "m.pml", "--interactive"]);
    let result = talk("1\nr 9\n");
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    assert!(result.out.contains("  2  P(0)  m.pml:4         printf"), "{result:?}");
    assert!(result.out.contains("     | one\n"), "{result:?}");
    assert!(result.out.contains(": all processes ended\n"), "{result:?}");
    // The other choice, after `back`, leads to the error.
    let result = talk("1\nback\n2\n1\nq\n");
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("after 2 steps: assertion violated"), "{result:?}");
    assert!(!result.out.contains("| one"), "{result:?}");
}

#[test]
fn a_conversation_survives_everything_and_ends_cleanly() {
    let folder = folder("simulate-talk", CHOICE);
    let talk = |input: &[u8]| run_in_on(&folder, input, &["simulate", "m.pml", "-i"]);
    for (input, answer) in [
        ("s\n", "  n = 0\n"),
        ("help\n", "take step N of the list"),
        ("7\n", "there is no step 7: choose from 1 to 2"),
        ("0\n", "there is no step 0"),
        ("2\n1\n1\n", "no step is enabled; `back` undoes one"),
        ("b\n", "this is the beginning"),
        ("fly\n", "`fly` is not a command"),
        ("r many\n", "`many` is not a number"),
        ("\n\n", "after 0 steps: stopped"),
        ("", "after 0 steps: stopped"),
        ("1", "after 1 step: stopped"),
        ("1\r\nq\r\n", "after 1 step: stopped"),
    ] {
        let result = talk(input.as_bytes());
        assert_eq!(result.err, "", "{input:?}");
        assert!(result.out.contains(answer), "{input:?}: {}", result.out);
        assert_eq!(result.code, i32::from(input.starts_with("2\n1")), "{input:?}: {result:?}");
    }
    // Invalid UTF-8 is an unknown command.
    let result = talk(b"\xff\xfe\n2\n1\n");
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("` is not a command: `help` lists them"), "{result:?}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    for line in [
        &["--interactive", "--json"][..],
        &["--interactive", "--trail", "t"],
        &["--trail", "t", "--seed", "3"],
        &["--trail", "t", "--steps", "3"],
        &["--interactive"],
        &["--seed", "x"],
        &["--save", "-"],
    ] {
        let result = run(&[&["simulate", "-"], line].concat());
        let is_told = result.out.contains(r#""ok":false"#);
        assert_eq!((result.code, is_told), (4, line.contains(&"--json")), "{line:?}: {result:?}");
        assert_eq!(result.out.is_empty(), !is_told, "{line:?}: {result:?}");
        assert!(!result.err.is_empty(), "{line:?}");
    }
    assert_eq!(run_on(BAD, &["simulate", "-"]).code, 3);
}

#[test]
fn the_first_overflow_of_a_run_is_a_remark() {
    let model = "byte n = 250, c;\nactive proctype P() {\n  do\n  :: c == 80 -> break\n\
                 \x20 :: c < 80 -> c++;\n    d_step { skip; n = n + 7 }\n  od;\n  assert(false)\n}\n";
    let folder = folder("simulate-overflow", model);
    let result = run_in(&folder, &["simulate", "m.pml"]);
    assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
    let remark = "overflow in step 3, m.pml:6: `n = n + 7`: 257 does not fit, 1 is stored";
    let lines: Vec<&str> = result.out.lines().collect();
    let at = lines.iter().position(|line| *line == format!("remark: {remark}"));
    let at = at.unwrap_or_else(|| panic!("{result:?}"));
    assert!(lines[at - 1].ends_with("{n: 250 -> 1}"), "{result:?}");
    assert_eq!(result.out.matches("overflow").count(), 1, "{result:?}");
    let result = run_in(&folder, &["simulate", "m.pml", "--json"]);
    let object: Value = serde_json::from_str(&result.out).expect("it is JSON");
    assert_eq!(object["remarks"], serde_json::json!([remark]), "{object}");
    // Along a trail, too; and with `--quiet`, only the model speaks.
    let result = run_in(&folder, &["simulate", "m.pml", "--quiet", "--save", "run.trail"]);
    assert_eq!(result.out, "", "{result:?}");
    let result = run_in(&folder, &["simulate", "m.pml", "--trail", "run.trail"]);
    assert!(result.out.contains(&format!("remark: {remark}\n")), "{result:?}");
    let fine = "byte n;\nactive proctype P() { n = 255; n--; printf(\"%d\\n\", n) }\n";
    let result = run_on(fine, &["simulate", "-", "--json"]);
    let object: Value = serde_json::from_str(&result.out).expect("it is JSON");
    assert_eq!(object["remarks"], serde_json::json!([]), "{object}");
}
