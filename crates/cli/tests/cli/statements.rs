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
        // A loop is told by its parts.
        "i = 1",
        "i <= 1",
        "a[i]++",
        "i = i + 1",
        "else",
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
