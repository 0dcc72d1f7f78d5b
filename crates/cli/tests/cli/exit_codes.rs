use crate::run::{BAD, GOOD, Run, run, run_on, scratch};

fn check(result: Run, code: i32) {
    assert_eq!(result.code, code, "{result:?}");
}

#[test]
fn a_good_model_ends_with_0() {
    check(run_on(GOOD, &["lint", "-"]), 0);
    for form in ["tokens", "ast", "hir", "automata"] {
        check(run_on(GOOD, &["dump", "-", "--form", form]), 0);
    }
}

#[test]
fn a_bad_model_ends_with_3() {
    check(run_on(BAD, &["lint", "-"]), 3);
    check(run_on(BAD, &["lint", "-", "--json"]), 3);
    for form in ["tokens", "ast", "hir", "automata"] {
        check(run_on(BAD, &["dump", "-", "--form", form]), 3);
    }
}

#[test]
fn a_bad_command_line_ends_with_4_and_says_so_on_standard_error() {
    let lines: &[&[&str]] = &[
        &[],
        &["lint"],
        &["lint", "a.pml", "b.pml"],
        &["frobnicate", "a.pml"],
        &["lint", "--frobnicate", "a.pml"],
        &["lint", "-D", "3=4", "-"],
        &["lint", "--color", "sometimes", "-"],
        &["dump", "-"],
        &["dump", "-", "--form", "poem"],
        &["dump", "-", "--form", "ast", "--dot"],
        &["dump", "-", "--form", "tokens", "--plain"],
    ];
    for line in lines {
        let result = run(line);
        assert_eq!(result.code, 4, "{line:?}: {result:?}");
        assert_eq!(result.out, "", "{line:?}");
        assert!(!result.err.is_empty(), "{line:?}");
    }
}

#[test]
fn an_unreadable_model_ends_with_4() {
    let folder = scratch("unreadable");
    let folder = folder.to_str().unwrap();
    check(run(&["lint", folder]), 4);
    check(run(&["lint", &format!("{folder}/missing.pml")]), 4);
    check(run(&["dump", folder, "--form", "ast"]), 4);
}

#[test]
fn help_and_version_end_with_0() {
    for line in [&["--help"][..], &["-h"], &["help"], &["lint", "--help"], &["--version"]] {
        let result = run(line);
        assert_eq!(result.code, 0, "{line:?}: {result:?}");
        assert!(result.out.contains("beeline"), "{line:?}: {result:?}");
    }
}
