//! Tests of the renderer, line by line.

use beeline_promela::diagnostic::Diagnostic;
use beeline_promela::source::{ExpansionKind, FileId, SourceMap, Span};
use expect_test::{Expect, expect};

use crate::base::color::Paint;
use crate::render::diagnostics::render;

/// The span of the first `needle` in a file.
fn find(sources: &SourceMap, file: FileId, needle: &str) -> Span {
    let start = sources.file(file).text.find(needle).expect("the needle is in the text") as u32;
    Span::new(file, start, start + needle.len() as u32)
}

fn check(diagnostic: &Diagnostic, sources: &SourceMap, expected: Expect) {
    expected.assert_eq(&render(diagnostic, sources, Paint::Plain));
}

const MODEL: &str = "byte conut;\n\nactive proctype P() {\n\tcount = 1;\n\tassert(conut == 1)\n}\n";

#[test]
fn a_message_shows_place_label_note_and_the_mended_line() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", MODEL, None);
    let here = find(&sources, file, "count");
    let diagnostic = Diagnostic::error("undeclared", here, "`count` is not declared")
        .label("no such variable")
        .related(find(&sources, file, "conut"), "`conut` is declared here")
        .note("variables must be declared before they are used")
        .fix("did you mean `conut`?", here, "conut");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[undeclared]: `count` is not declared
         --> model.pml:4:2
          |
        1 | byte conut;
          |      ----- `conut` is declared here
        ...
        4 |     count = 1;
          |     ^^^^^ no such variable
          |
          = note: variables must be declared before they are used
        help: did you mean `conut`?
          |
        4 -     count = 1;
        4 +     conut = 1;
          |
    "#]],
    );
}

#[test]
fn advice_without_an_edit_is_a_remark() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", MODEL, None);
    let diagnostic = Diagnostic::warning("odd", find(&sources, file, "assert"), "this is odd")
        .help("think again");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        warning[odd]: this is odd
         --> model.pml:5:2
          |
        5 |     assert(conut == 1)
          |     ^^^^^^
          |
          = help: think again
    "#]],
    );
}

#[test]
fn an_inserted_semicolon_is_shown_where_it_belongs() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", "init {\n  x = 1 y = 2\n}", None);
    let after = find(&sources, file, "x = 1").after();
    let diagnostic = Diagnostic::error("missing-separator", after, "expected `;`").fix(
        "separate the statements",
        after,
        ";",
    );
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[missing-separator]: expected `;`
         --> model.pml:2:8
          |
        2 |   x = 1 y = 2
          |        ^
          |
        help: separate the statements
          |
        2 |   x = 1; y = 2
          |        +
    "#]],
    );
}

#[test]
fn the_end_of_the_file_can_be_pointed_at() {
    for text in ["init {\n  skip\n", "init {\n  skip", ""] {
        let mut sources = SourceMap::default();
        let file = sources.add_file("model.pml", text, None);
        let end = Span::new(file, text.len() as u32, text.len() as u32);
        let drawn = render(&Diagnostic::error("e", end, "expected `}`"), &sources, Paint::Plain);
        let line = text.matches('\n').count() + 1;
        assert!(drawn.contains(&format!("model.pml:{line}:")), "{drawn}");
        assert!(drawn.contains('^'), "{drawn}");
    }
}

#[test]
fn line_marks_number_the_lines() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("out.pml", "one\n#line 70 \"in.pml\"\ntwo\nthrée four\n", None);
    sources.add_line_mark(file, 22, 70, Some("in.pml"));
    let diagnostic = Diagnostic::error("e", find(&sources, file, "four"), "no fours")
        .related(find(&sources, file, "one"), "but one is fine")
        .related(find(&sources, file, "two"), "and two");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[e]: no fours
          --> in.pml:71:7
           |
        70 | two
           | --- and two
        71 | thrée four
           |       ^^^^
           |
          ::: out.pml:1:1
           |
         1 | one
           | --- but one is fine
    "#]],
    );
}

#[test]
fn a_macro_leads_to_its_call() {
    let mut sources = SourceMap::default();
    let text = "#define MAX (N +)\n#define LIMIT MAX\ninit { x = LIMIT }\n";
    let file = sources.add_file("model.pml", text, None);
    let call = Span::new(file, 47, 52);
    let outer = sources.add_expansion(ExpansionKind::Macro("LIMIT".into()), call);
    let inner_call = Span::new(file, 32, 35).within(outer);
    let inner = sources.add_expansion(ExpansionKind::Macro("MAX".into()), inner_call);
    let here = find(&sources, file, ")").within(inner);
    let diagnostic = Diagnostic::error("syntax", here, "expected an operand").label("not this");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[syntax]: expected an operand
         --> model.pml:1:17
          |
        1 | #define MAX (N +)
          |                 ^ not this
          |
        note: in this expansion of macro `MAX`
         --> model.pml:2:15
          |
        2 | #define LIMIT MAX
          |               ^^^
        note: in this expansion of macro `LIMIT`
         --> model.pml:3:12
          |
        3 | init { x = LIMIT }
          |            ^^^^^
    "#]],
    );
}

#[test]
fn a_long_chain_keeps_its_ends() {
    let mut sources = SourceMap::default();
    let text = (0..10).map(|line| format!("call{line}\n")).collect::<String>() + "bad\n";
    let file = sources.add_file("model.pml", &text, None);
    let mut here = find(&sources, file, "call9");
    for line in (0..10).rev() {
        let kind = ExpansionKind::Inline(format!("f{line}").into());
        let outer = sources.add_expansion(kind, here);
        let inner = if line == 0 { "bad".to_owned() } else { format!("call{}", line - 1) };
        here = find(&sources, file, &inner).within(outer);
    }
    check(
        &Diagnostic::error("e", here, "bad"),
        &sources,
        expect![[r#"
        error[e]: bad
          --> model.pml:11:1
           |
        11 | bad
           | ^^^
           |
        note: in this call of inline `f0`
          --> model.pml:1:1
           |
         1 | call0
           | ^^^^^
        note: in this call of inline `f1`
          --> model.pml:2:1
           |
         2 | call1
           | ^^^^^
        note: in this call of inline `f2`
          --> model.pml:3:1
           |
         3 | call2
           | ^^^^^
        note: … 6 more
        note: in this call of inline `f9`
          --> model.pml:10:1
           |
        10 | call9
           | ^^^^^
    "#]],
    );
}

#[test]
fn pasted_text_is_shown_at_the_call_and_never_edited() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", "init { CAT(a, b) }", None);
    let call = find(&sources, file, "CAT(a, b)");
    let expansion = sources.add_expansion(ExpansionKind::Macro("CAT".into()), call);
    let pasted = sources.add_synthetic("ab");
    let here = Span::new(pasted, 0, 2).within(expansion);
    let diagnostic = Diagnostic::error("undeclared", here, "`ab` is not declared").fix(
        "did you mean `abc`?",
        here,
        "abc",
    );
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[undeclared]: `ab` is not declared
         --> model.pml:1:8
          |
        1 | init { CAT(a, b) }
          |        ^^^^^^^^^
          |
          = note: macro `CAT` makes `ab` here
          = help: did you mean `abc`?
    "#]],
    );
}

#[test]
fn an_argument_needs_no_second_look_at_its_call() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", "init { SET(y) }", None);
    let call = find(&sources, file, "SET(y)");
    let expansion = sources.add_expansion(ExpansionKind::Macro("SET".into()), call);
    let here = find(&sources, file, "y").within(expansion);
    check(
        &Diagnostic::error("e", here, "no `y`"),
        &sources,
        expect![[r#"
        error[e]: no `y`
         --> model.pml:1:12
          |
        1 | init { SET(y) }
          |            ^
    "#]],
    );
}

#[test]
fn an_included_file_says_who_wants_it() {
    let mut sources = SourceMap::default();
    let main = sources.add_file("main.pml", "\n#include \"a.h\"\n", None);
    let a_site = find(&sources, main, "#include");
    let a = sources.add_file("a.h", "#include \"b.h\"\n", Some(a_site));
    let b_site = find(&sources, a, "#include");
    let b = sources.add_file("b.h", "oops\n", Some(b_site));
    let diagnostic = Diagnostic::error("e", find(&sources, b, "oops"), "oops")
        .related(find(&sources, main, "a.h"), "from here");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[e]: oops
         --> b.h:1:1
          |
        1 | oops
          | ^^^^
          |
         ::: main.pml:2:11
          |
        2 | #include "a.h"
          |           --- from here
          |
          = note: included from a.h:1, from main.pml:2
    "#]],
    );
}

#[test]
fn escape_codes_in_a_model_do_not_reach_the_terminal() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("m\u{1b}[31m.pml", "x \u{1b}[31m red", None);
    let here = find(&sources, file, "\u{1b}");
    let diagnostic = Diagnostic::error("e", here, "odd \u{1b}[31m")
        .label("odd \u{1b}")
        .note("odd \u{1b}")
        .fix("drop \u{1b}", here, "\u{1b}");
    let drawn = render(&diagnostic, &sources, Paint::Plain);
    assert!(!drawn.contains('\u{1b}'), "{drawn:?}");
}

#[test]
fn colors_are_drawn_on_demand() {
    let mut sources = SourceMap::default();
    let file = sources.add_file("model.pml", "x", None);
    let diagnostic = Diagnostic::error("e", Span::new(file, 0, 1), "no");
    assert!(render(&diagnostic, &sources, Paint::Colored).contains("\u{1b}["));
}
