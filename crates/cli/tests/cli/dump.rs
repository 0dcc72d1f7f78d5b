use expect_test::expect;

use crate::run::{BAD, GOOD, run_on};

fn dump(model: &str, args: &[&str]) -> String {
    let args = [&["dump", "-"], args].concat();
    run_on(model, &args).out
}

#[test]
fn tokens_stand_one_per_line_with_the_macros_they_came_from() {
    let model = "#define N 2\n#define TWICE N * N\nactive [TWICE] proctype P() { skip }\n";
    expect![[r#"
        <stdin>:3:1   keyword  active
        <stdin>:3:8   punct    [
        <stdin>:1:11  number   2  <- N <- TWICE
        <stdin>:2:17  punct    *  <- TWICE
        <stdin>:1:11  number   2  <- N <- TWICE
        <stdin>:3:14  punct    ]
        <stdin>:3:16  keyword  proctype
        <stdin>:3:25  name     P
        <stdin>:3:26  punct    (
        <stdin>:3:27  punct    )
        <stdin>:3:29  punct    {
        <stdin>:3:31  keyword  skip
        <stdin>:3:36  punct    }
        <stdin>:4:1   end
    "#]]
    .assert_eq(&dump(model, &["--form", "tokens"]));
}

#[test]
fn the_tree_is_printed_as_promela() {
    let text = dump(GOOD, &["--form", "ast"]);
    assert_eq!(run_on(&text, &["lint", "-", "--quiet"]).code, 0, "{text}");
    assert_eq!(dump(&text, &["--form", "ast"]), text, "printing is stable");
}

#[test]
fn later_forms_of_a_good_model_are_there() {
    assert!(dump(GOOD, &["--form", "hir"]).contains('P'));
    assert!(dump(GOOD, &["--form", "automata"]).contains('P'));
    assert!(dump(GOOD, &["--form", "automata", "--plain"]).contains('P'));
    assert!(dump(GOOD, &["--form", "automata", "--dot"]).starts_with("digraph"));
}

#[test]
fn a_bad_model_has_early_forms_only() {
    assert!(dump(BAD, &["--form", "tokens"]).contains("count"));
    assert!(dump(BAD, &["--form", "ast"]).contains("count"));
    assert_eq!(dump(BAD, &["--form", "hir"]), "");
    assert_eq!(dump(BAD, &["--form", "automata"]), "");
}

#[test]
fn facts_tell_what_a_step_waits_for_and_touches() {
    let model = "typedef T { byte n; byte all[2] }\n\
        T t; byte limit = 3; chan q = [2] of { byte };\n\
        proctype Q(byte x) { q?eval(x) }\n\
        active proctype P() { byte i;\n\
          do :: t.n < limit -> t.all[i] = t.n; i++ :: q!i :: nempty(q) && i > 1 -> run Q(i); break od }\n";
    expect![[r#"
        never change: Q:x, limit, q
        proctype Q
             1 -> 2    [id    0]  q?eval(x)
                 waits for: a message in q, x
                 reads: x
                 receives from: q
             2 -> 0    [id    1]  -end-
                 waits for: the end of all younger processes
        proctype P
             2 -> 3    [id    3]  t.all[i] = t.n
                 reads: i, t.n
                 writes: t.all
             3 -> 8    [id    4]  i = i + 1
                 reads: i
                 writes: i
             6 -> 11   [id    7]  run Q(i)
                 waits for: room for a process
                 reads: i
                 starts: Q
             8 -> 2    [id    2]  t.n < limit
                 waits for: limit, t.n
                 reads: limit, t.n
             8 -> 8    [id    5]  q!i
                 waits for: room in q
                 reads: i
                 sends to: q
             8 -> 6    [id    6]  nempty(q) && i > 1
                 waits for: contents of q, i
                 reads: contents of q, i
            11 -> 0    [id   12]  -end-
                 waits for: the end of all younger processes
    "#]]
    .assert_eq(&dump(model, &["--form", "facts"]));
    let model = "chan q[2] = [1] of { byte };\n\
        active [2] proctype P() { chan in; byte n; in = q[_pid]; do :: in!n :: in?n od }\n";
    expect![[r#"
        never change: q
        known anyway: P:in = q[_pid]
        proctype P
             1 -> 4    [id    0]  in = q[_pid]
                 reads: _pid, q
                 writes: in
             4 -> 4    [id    1]  in!n
                 waits for: room in in
                 reads: n
                 sends to: in
             4 -> 4    [id    2]  in?n
                 waits for: a message in in
                 writes: n
                 receives from: in
    "#]]
    .assert_eq(&dump(model, &["--form", "facts"]));
    assert_eq!(dump(BAD, &["--form", "facts"]), "");
    assert_eq!(dump(model, &["--form", "model"]), dump(model, &["--form", "factored"]));
}
