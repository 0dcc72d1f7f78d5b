use std::fs;

use expect_test::{Expect, expect};

use crate::run::{run_in, scratch};

fn check(name: &str, model: &str, expected: Expect) {
    let folder = scratch(name);
    fs::write(folder.join("model.pml"), model).expect("the directory is ours");
    expected.assert_eq(&run_in(&folder, &["lint", "model.pml"]).out);
}

#[test]
fn an_undeclared_variable() {
    check(
        "message-undeclared",
        "byte count;\nactive proctype P() {\n  conut = 1;\n  assert(count == 1)\n}\n",
        expect![[r#"
            error[undeclared-variable]: `conut` is not declared
             --> model.pml:3:3
              |
            3 |   conut = 1;
              |   ^^^^^ unknown name
              |
            help: did you mean `count`?
              |
            3 -   conut = 1;
            3 +   count = 1;
              |

            model.pml: 1 error
        "#]],
    );
}

#[test]
fn an_error_inside_a_macro() {
    check(
        "message-macro",
        "#define SET conut = 1\nbyte count;\nactive proctype P() { SET; assert(count == 1) }\n",
        expect![[r#"
            error[undeclared-variable]: `conut` is not declared
             --> model.pml:1:13
              |
            1 | #define SET conut = 1
              |             ^^^^^ unknown name
              |
            note: in this expansion of macro `SET`
             --> model.pml:3:23
              |
            3 | active proctype P() { SET; assert(count == 1) }
              |                       ^^^
            help: did you mean `count`?
              |
            1 - #define SET conut = 1
            1 + #define SET count = 1
              |

            model.pml: 1 error
        "#]],
    );
}

#[test]
fn an_error_inside_an_inline() {
    check(
        "message-inline",
        "byte count;\ninline set(v) {\n  conut = v\n}\n\
         active proctype P() {\n  set(1);\n  assert(count == 1)\n}\n",
        expect![[r#"
            error[undeclared-variable]: `conut` is not declared
             --> model.pml:3:3
              |
            3 |   conut = v
              |   ^^^^^ unknown name
              |
            note: in this call of inline `set`
             --> model.pml:6:3
              |
            6 |   set(1);
              |   ^^^^^^
            help: did you mean `count`?
              |
            3 -   conut = v
            3 +   count = v
              |

            model.pml: 1 error
        "#]],
    );
}

#[test]
fn lines_count_as_line_directives_say() {
    check(
        "message-line",
        "#line 100 \"origin.pml\"\nactive proctype P() {\n  count = 1\n}\n",
        expect![[r#"
            error[undeclared-variable]: `count` is not declared
               --> origin.pml:101:3
                |
            101 |   count = 1
                |   ^^^^^ unknown name
                |
                = help: declare it above its first use: a global at the top, or a local in this block

            model.pml: 1 error
        "#]],
    );
}
