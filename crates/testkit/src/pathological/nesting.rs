//! Deeply nested expressions, statements and blocks.

use super::input::Ending::{Error, Errors};
use super::input::{Input, input, numbered, process};

pub(super) const INPUTS: &[Input] = &[
    input(
        "(",
        100_000,
        |n| process(&format!("x = {}1{}", "(".repeat(n), ")".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input("( without )", 1_000_000, |n| process(&"(".repeat(n)), Errors),
    input(
        "[",
        100_000,
        |n| process(&format!("{}1{}", "x[".repeat(n), "]".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "{",
        100_000,
        |n| process(&format!("{}skip{}", "{".repeat(n), "}".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input("{ without }", 1_000_000, |n| process(&"{".repeat(n)), Errors),
    input(
        "if ::",
        100_000,
        |n| process(&format!("{}skip{}", "if :: ".repeat(n), " fi".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input("do :: without od", 500_000, |n| process(&"do :: ".repeat(n)), Errors),
    input(
        "atomic {",
        100_000,
        |n| process(&format!("{}skip{}", "atomic { ".repeat(n), "}".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "!",
        100_000,
        |n| process(&format!("x = {}1", "! ".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "-",
        100_000,
        |n| process(&format!("x = {}1", "- ".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "~",
        100_000,
        |n| process(&format!("x = {}1", "~ ".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "+",
        100_000,
        |n| process(&format!("x = 1{}", " + 1".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input("+ of parentheses of +", 500, |n| process(&sums_in_sums(n)), Error("nested-too-deeply")),
    input(
        "operators that bind tighter and tighter",
        100_000,
        |n| {
            process(&format!(
                "x = 1{}",
                " || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * 1".repeat(n / 10)
            ))
        },
        Error("nested-too-deeply"),
    ),
    input(
        "a.b.c",
        100_000,
        |n| process(&format!("x{} = 1", ".x".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "conditional expressions",
        100_000,
        |n| process(&format!("x = {}1{}", "(1 -> 2 : ".repeat(n), ")".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "labels on one statement",
        100_000,
        |n| process(&(numbered(n, |i| format!("l{i}: ")) + "skip")),
        Error("nested-too-deeply"),
    ),
    input(
        "unless unless",
        100_000,
        |n| process(&format!("skip{}", " unless skip".repeat(n))),
        Errors,
    ),
    input(
        "unless in braces",
        100_000,
        |n| process(&format!("{}skip{}", "{ ".repeat(n), " } unless { skip }".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "unless in escapes",
        100_000,
        |n| process(&format!("{}skip{}", "skip unless { ".repeat(n), " }".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "receive (",
        100_000,
        |n| process(&format!("q?{}1{}", "x(".repeat(n), ")".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "ltl []",
        100_000,
        |n| format!("ltl {{ {}true }}", "[] ".repeat(n)),
        Error("nested-too-deeply"),
    ),
    input(
        "ltl U",
        100_000,
        |n| format!("ltl {{ true{} }}", " U true".repeat(n)),
        Error("nested-too-deeply"),
    ),
    input(
        "ltl (",
        100_000,
        |n| format!("ltl {{ {}true{} }}", "(".repeat(n), ")".repeat(n)),
        Error("nested-too-deeply"),
    ),
    input(
        "run of run",
        100_000,
        |n| process(&format!("{}1{}", "run p(".repeat(n), ")".repeat(n))),
        Error("nested-too-deeply"),
    ),
    input(
        "c_code {",
        1_000_000,
        |n| format!("c_code {}{}", "{".repeat(n), "}".repeat(n)),
        Error("embedded-c"),
    ),
    input("many small proctypes in errors", 100_000, |n| "proctype p( {".repeat(n), Errors),
];

/// Deep and wide: each level is a chain as long as the limit allows.
fn sums_in_sums(levels: usize) -> String {
    let chain = " + 1".repeat(400);
    format!("x = {}1{}", "(".repeat(levels), format!("{chain})").repeat(levels))
}
