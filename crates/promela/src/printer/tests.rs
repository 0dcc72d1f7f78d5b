//! The printed text is as expected, and parses back to the same tree.

use expect_test::{Expect, expect};

use super::*;
use crate::parser::parse;
use crate::preprocess::{NoIncludes, PreprocessOptions, preprocess};
use crate::token::Interner;
use beeline_source::diagnostic::Diagnostics;
use beeline_source::source::SourceMap;

fn tree(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let file = sources.add_file("m.pml", text, None);
    let (loader, options) = (&mut NoIncludes, PreprocessOptions::default());
    let tokens = preprocess(file, &mut sources, &mut interner, loader, &options, &mut diagnostics);
    let program = parse(&tokens, &mut sources, &interner, &mut diagnostics);
    let errors: Vec<_> = diagnostics.iter().map(|d| &d.message).collect();
    assert!(!diagnostics.has_errors(), "{errors:?} in\n{text}");
    program
}

fn check(input: &str, expected: Expect) {
    let program = tree(input);
    let text = print(&program);
    expected.assert_eq(&text);
    assert_eq!(tree(&text), program, "reads back as another tree:\n{text}");
}

/// Statements of a process.
fn check_body(input: &str, expected: Expect) {
    let program = tree(&format!("init {{ {input} }}"));
    let text = print(&program);
    let body = text.trim_start_matches("init {\n").trim_end_matches("}\n");
    let lines = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(tree(&text), program, "reads back as another tree:\n{text}");
}

/// Expressions are printed exactly as written here.
fn stays(expr: &str) {
    let text = print(&tree(&format!("init {{ x = {expr} }}")));
    let printed = text.trim_start_matches("init {\n    x = ").trim_end_matches("\n}\n");
    assert_eq!(printed, expr);
}

#[test]
fn keeps_only_the_parentheses_that_matter() {
    stays("a + b * c");
    stays("(a + b) * c");
    stays("a - b - c");
    stays("a - (b - c)");
    stays("a - (b + c) - d");
    stays("a << b + c");
    stays("(a << b) + c");
    stays("a < b == c < d");
    stays("a & b == c");
    stays("(a & b) == c");
    stays("a | b ^ c & d");
    stays("(a | b) & c");
    stays("a || b && c || d");
    stays("(a || b) && c");
    stays("!a && b");
    stays("!(a && b)");
    stays("-(a + b) * ~c");
}

#[test]
fn keeps_operators_apart_that_would_become_one() {
    stays("!(!a)");
    stays("-(-a)");
    stays("~~a");
    stays("!-a - -b");
    check_body(
        "q!(!a), !b; q!!(!a)",
        expect![[r#"
            q! !a, !b;
            q!! !a
    "#]],
    );
    check_body(
        "q?? -1; q?? <x>; q??x",
        expect![[r#"
            q?? -1;
            q?? <x>;
            q??x
    "#]],
    );
}

#[test]
fn prints_every_kind_of_operand() {
    stays("(a -> b : (c -> d : e)) + 1");
    stays("a[b + 1].c[2].d");
    stays("len(q) + enabled(p) + pc_value(1) + get_priority(_pid)");
    stays("full(q) && (nempty(r[1]) || x)");
    stays("q?[x, 1, eval(y + 1)] || r[0]??[-1]");
    stays("timeout || np_");
    stays("true + false + skip");
    stays(r"'a' + ' ' + '\n' + '\r' + '\t' + '\f' + '\\' + '\''");
    stays("run p(a, b + 1) priority 3");
    stays("p[1]@here + p@there");
}

#[test]
fn numbers_that_wrapped_wrap_again() {
    stays("4294967295 + 2147483647");
}

#[test]
fn prints_declarations() {
    check(
        "mtype{a b,c} mtype:set={d} typedef T{byte f; bit g[2]} hidden int x=1,y; unsigned u:3=5;
         T t[2]; mtype:set m; byte v[3]={1,2,3}; chan q=[0]of{byte,T,mtype:set}; pid p; show short s",
        expect![[r"
            mtype = { a, b, c };
            mtype:set = { d };

            typedef T {
                byte f;
                bool g[2];
            }

            hidden int x = 1, y;
            unsigned u : 3 = 5;
            T t[2];
            mtype:set m;
            byte v[3] = { 1, 2, 3 };
            chan q = [0] of { byte, T, mtype:set };
            byte p;
            show short s;
        "]],
    );
}

#[test]
fn prints_units() {
    check(
        "active[2]proctype p(){skip} D_proctype r(byte a,b;chan c)priority 2 provided(x>0){skip}
         init priority 3{run p()} never{do::skip od} notrace{q!1} ltl{[]<>(x U !y)} ltl n{X(x->y)}",
        expect![[r"
            active [2] proctype p() {
                skip
            }

            D_proctype r(byte a, b; chan c) priority 2 provided (x > 0) {
                skip
            }

            init priority 3 {
                run p()
            }

            never {
                do
                :: skip
                od
            }

            notrace {
                q!1
            }

            ltl { [] <> (x U !y) }
            ltl n { X (x -> y) }
        "]],
    );
}

#[test]
fn prints_choices_with_arrows_behind_guards() {
    check_body(
        "if::x>0->y=1::q?x->y=2;z=3::else->skip::else fi; do::y=1;z=2::atomic{x;y=1}::break od",
        expect![[r#"
                if
                :: x > 0 -> y = 1
                :: q?x ->
                    y = 2;
                    z = 3
                :: else -> skip
                :: else
                fi;
                do
                :: y = 1; z = 2
                :: atomic {
                        x;
                        y = 1
                    }
                :: break
                od
        "#]],
    );
}

#[test]
fn prints_statements() {
    check_body(
        r#"byte i; xr q,r[1]; i++; i--; i=(1); q!!1,2; q?<x,1>; for(i:0..2){skip} for(i in a){skip}
           select(i:0..N-1); goto end; assert(i); printf("%d\n",i); printm(m); set_priority(0,1);
           {skip} unless {x}; a unless b"#,
        expect![[r#"
                byte i;
                xr q, r[1];
                i++;
                i--;
                i = 1;
                q!!1, 2;
                q?<x, 1>;
                for (i : 0 .. 2) {
                    skip
                };
                for (i in a) {
                    skip
                };
                select (i : 0 .. N - 1);
                goto end;
                assert(i);
                printf("%d\n", i);
                printm(m);
                set_priority(0, 1);
                {
                    skip
                } unless {
                    x
                };
                a unless b
        "#]],
    );
}

#[test]
fn a_label_alone_does_not_take_the_next_statement() {
    check_body(
        "a: b: x; c:; y; d:",
        expect![[r#"
            a: b: x;
            c:;
            y;
            d:
    "#]],
    );
}

#[test]
fn a_remote_variable_at_the_start_is_not_taken_for_a_label() {
    check(
        "proctype p(){byte x} init{(p:x==1); p[0]:x==1}",
        expect![[r"
            proctype p() {
                byte x
            }

            init {
                (p:x == 1);
                p[0]:x == 1
            }
        "]],
    );
}

#[test]
fn prints_inlines_as_written() {
    check(
        "inline f(a,b){ a=b;
           if
           :: a -> skip
           fi
         }
         inline g(){return 1}
         init{f(x,y+1); z=g()}",
        expect![[r"
            inline f(a, b) { a = b ;
                if
                    :: a -> skip
                fi
            }

            inline g() { return 1 }

            init {
                f(x, y + 1);
                z = g()
            }
        "]],
    );
}
