use crate::run::{BAD, GOOD, feed, run, run_on, start};

#[test]
fn lint_speaks_on_standard_output_and_dump_on_standard_error() {
    let lint = run_on(BAD, &["lint", "-"]);
    assert!(lint.out.contains("--> <stdin>:2:3") && lint.err.is_empty(), "{lint:?}");
    let dump = run_on(BAD, &["dump", "-", "--form", "tokens"]);
    assert!(dump.err.contains("--> <stdin>:2:3") && !dump.out.contains("error"), "{dump:?}");
}

#[test]
fn the_summary_comes_last_unless_it_is_unwanted() {
    assert_eq!(run_on(GOOD, &["lint", "-"]).out, "<stdin>: no problems\n");
    assert_eq!(run_on(GOOD, &["lint", "-", "--quiet"]).out, "");
    assert!(run_on(BAD, &["lint", "-"]).out.ends_with("\n<stdin>: 1 error\n"));
    let quiet = run_on(BAD, &["lint", "-", "--quiet"]).out;
    assert!(quiet.contains("error") && !quiet.contains("1 error"), "{quiet}");
}

#[test]
fn colors_come_on_demand_only() {
    let colored = |args: &[&str]| run_on(BAD, args).out.contains('\u{1b}');
    assert!(!colored(&["lint", "-"]), "standard output is no terminal here");
    assert!(!colored(&["lint", "-", "--color", "never"]));
    assert!(colored(&["lint", "-", "--color", "always"]));
    assert!(run_on(BAD, &["dump", "-", "--form", "ast", "--color=always"]).err.contains('\u{1b}'));
}

#[test]
fn messages_about_the_command_line_obey_the_color_option_too() {
    assert!(run(&["lint", "--what", "--color", "always"]).err.contains('\u{1b}'));
    assert!(!run(&["lint", "--what", "--color=never"]).err.contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    let cases: [(&str, &[&str], i32); 2] =
        [(GOOD, &["dump", "-", "--form", "tokens"], 0), (BAD, &["lint", "-"], 3)];
    for (model, args, code) in cases {
        let mut child = start(args);
        // The reader closes the pipe before there is output.
        drop(child.stdout.take());
        let result = feed(child, model);
        assert_eq!((result.code, &*result.err), (code, ""), "{args:?}");
    }
}
