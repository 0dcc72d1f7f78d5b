//! Statements in trails are shown as they are written in the source.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{run_in, scratch};

/// One process, so that there is one run. It ends with an error.
const EVERYTHING: &str = "#define LIMIT 3
#define inc(x) x = x + 1
#define TEST if :: n > 0 -> skip :: else fi
#define LOOP(i,n) for (i : 1 .. n)
chan q = [2] of { byte, byte };
byte n = 1, a[4];
inline set(target) { n--
  target = /* one
    more */ n   +  1; target++ }
inline outer(x) { set(x); x = 0 }
active proctype P() { byte w; int i;
  n++;
  true; skip;
  set(w);
  outer(w);
  inc (n);
  LOOP(i, 1) { a[i]++ }
  q ! 1,n;
  q?1 , w;
  TEST;
  n < LIMIT -> w = (n > 2 -> 1 : 0);
  do :: w < 1 -> w++ :: else -> break od;
  if :: timeout fi;
  d_step { w = 2;
    n = 2 };
  printf(\"a  /* b */ %d\\n\",  w);
  run  Q( 1 );
  w =
#ifdef ABSENT
    1 +
#endif
    7;
  assert(n == 7)
}
proctype Q(byte x) { x == 1 }
";

/// The statements of the trail of the first error.
fn statements(folder: &Path, options: &[&str]) -> Vec<String> {
    let check = ["check", "m.pml", "--quiet", "--property", "assertions"];
    let result = run_in(folder, &[&check[..], options].concat());
    assert_eq!(result.code, 1, "{result:?}");
    let result = run_in(folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let told: Value = serde_json::from_str(&result.out).expect("it is JSON");
    let steps = told["steps"].as_array().expect("steps are listed").iter();
    steps.map(|step| step["statement"].as_str().expect("it is text").to_owned()).collect()
}

fn folder(name: &str, model: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

#[test]
fn statements_are_shown_as_they_are_written() {
    let folder = folder("statements-written", EVERYTHING);
    let told = statements(&folder, &["--plain", "--search", "bfs"]);
    let expected = [
        "n++",
        "true",
        "skip",
        "set(w): n--",
        "set(w): target = n + 1",
        "set(w): target++",
        "outer(w): set(x): n--",
        "outer(w): set(x): target = n + 1",
        "outer(w): set(x): target++",
        "outer(w): x = 0",
        "inc (n)",
        // A loop is its head, and its further parts follow the head.
        "LOOP(i, 1)",
        "LOOP(i, 1): i <= 1",
        "a[i]++",
        "LOOP(i, 1): i = i + 1",
        "LOOP(i, 1): else",
        "q ! 1,n",
        "q?1 , w",
        // A macro of several statements.
        "TEST: n > 0",
        "TEST: skip",
        "n < LIMIT",
        "w = (n > 2 -> 1 : 0)",
        "w < 1",
        "w++",
        "else",
        "timeout",
        "d_step { w = 2; n = 2 }",
        "printf(\"a  /* b */ %d\\n\", w)",
        "run Q( 1 )",
        // Lines of the preprocessor are in between.
        "w = 7",
        "assert(n == 7)",
    ];
    assert_eq!(told, expected);
}

#[test]
fn loops_and_declarations_are_shown_as_they_are_written() {
    let model = "#define FIRST byte f = 4
#define FILL(v) for (i in a) { a[i] = v }
typedef M { byte x };
chan q = [2] of { M };
byte a[2];
inline twice(v) { byte t = v; a[0] = t; t = 0 }
active proctype P() { int i, k; M m;
  q!m;
  for (i : 1
    .. /* two */ 2) { a[0] = (i) }
  for (i in a) { skip }
  for (m in q) { a[1] = m.x }
  select (k : 1 .. 1);
  select (k : (i) .. i);
  byte x = 3, y = (1 + 2) , z [2];
  bool done = true;
  hidden byte h = 2;
  FIRST;
  twice(x);
  twice(y);
  FILL(3);
  assert(false)
}
";
    let folder = folder("statements-loops", model);
    let told = statements(&folder, &["--plain", "--search", "bfs"]);
    let range = "for (i : 1 .. 2)";
    let part = |head: &str, part: &str| format!("{head}: {part}");
    let counted = |part: &str| format!("{range}: {part}");
    let mut expected = vec!["q!m".to_owned(), range.to_owned()];
    for _ in 0..2 {
        expected.extend([counted("i <= 2"), "a[0] = (i)".to_owned(), counted("i = i + 1")]);
    }
    expected.push(counted("else"));
    let array = "for (i in a)";
    expected.push(array.to_owned());
    for _ in 0..2 {
        expected.extend([part(array, "i <= 1"), "skip".to_owned(), part(array, "i = i + 1")]);
    }
    expected.push(part(array, "else"));
    let at = expected.len();
    assert_eq!(told[..at], expected);
    // The counter of a loop over a channel has no name in the source.
    assert_eq!(told[at], "for (m in q)");
    let channel: Vec<&String> = told[at..].iter().filter(|one| one.contains("m in q")).collect();
    assert_eq!(channel.len(), 6, "{told:?}");
    assert_eq!(*channel[2], "for (m in q): q?m.x");
    assert_eq!(*channel[5], "for (m in q): else");
    let at = at + 7;
    let rest = [
        "select (k : 1 .. 1): k = 1",
        "select (k : (i) .. i)",
        "select (k : (i) .. i): break",
        "byte x = 3",
        "byte y = (1 + 2)",
        "byte z [2]",
        "bool done = true",
        "hidden byte h = 2",
        "FIRST",
        "twice(x): byte t = v",
        "twice(x): a[0] = t",
        "twice(x): t = 0",
        "twice(y): byte t = v",
        "twice(y): a[0] = t",
        "twice(y): t = 0",
        // A macro of a loop and its body.
        "FILL(3): i = 0",
        "FILL(3): i <= 1",
        "FILL(3): a[i] = 3",
    ];
    assert_eq!(told[at..at + rest.len()], rest);
    assert_eq!(told[told.len() - 2..], ["FILL(3): else", "assert(false)"]);
}

#[test]
fn merged_parts_of_a_loop_have_its_head_once() {
    let model = "active proctype P() { byte i, n; for (i : 1 .. 2) { n = n + i } assert(n < 3) }\n";
    let folder = folder("statements-merged-loop", model);
    let told = statements(&folder, &[]);
    let heads = |text: &String| text.matches("for (i : 1 .. 2)").count();
    assert!(told.iter().all(|text| heads(text) <= 1), "{told:?}");
    assert!(told[0].starts_with("for (i : 1 .. 2)"), "{told:?}");
}

#[test]
fn all_readers_show_the_same_text() {
    let model = "byte n;\nactive proctype P() { n++; n++; assert(n < 2) }\n";
    let folder = folder("statements-readers", model);
    let options = ["--sarif", "m.sarif", "--chart", "m.html", "--trace", "itf:m.itf.json"];
    let result = run_in(&folder, &[&["check", "m.pml", "--plain"], &options[..4]].concat());
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("m.pml:2         n++   {n: 0 -> 1}\n"), "{result:?}");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("it was written");
    assert!(read("m.sarif").contains("P(0): n++"), "{}", read("m.sarif"));
    assert!(read("m.html").contains("\"n++\""), "{}", read("m.html"));
    let result = run_in(&folder, &["simulate", "m.pml"]);
    assert!(result.out.contains("n++   {n: 0 -> 1}\n"), "{result:?}");
    let result = run_in(&folder, &["replay", "m.pml", "--columns"]);
    assert!(result.out.contains("  1  n++"), "{result:?}");
}

#[test]
fn a_long_statement_is_cut() {
    let sum = vec!["n"; 200].join(" + ");
    let model = format!("byte n;\nactive proctype P() {{ n = {sum}; assert(false) }}\n");
    let folder = folder("statements-long", &model);
    let told = statements(&folder, &["--plain"]);
    assert_eq!(told[0].chars().count(), 100, "{told:?}");
    assert!(told[0].starts_with("n = n + n") && told[0].ends_with('…'), "{told:?}");
    assert_eq!(told[1], "assert(false)");
}

#[test]
fn merged_statements_are_shown_one_after_the_other() {
    let model = "active proctype P() { byte n; n++; n = n  * 2; assert(n < 2) }\n";
    let folder = folder("statements-merged", model);
    assert_eq!(statements(&folder, &[]), ["n++; n = n * 2; assert(n < 2)"]);
}
