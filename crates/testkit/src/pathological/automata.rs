//! Control flow of every shape, in large amounts.

use super::input::Ending::{Built, Error};
use super::input::{Input, input, numbered, process};

pub(super) const INPUTS: &[Input] = &[
    input("statements", 100_000, |n| process(&"x = x + 1;\n".repeat(n)), Built),
    input(
        "statements that others see",
        100_000,
        |n| format!("int g;\n{}", process(&"g = g + 1;\n".repeat(n))),
        Built,
    ),
    input("options", 100_000, |n| process(&format!("if {} fi", ":: x = 1 ".repeat(n))), Built),
    input(
        "loop options",
        100_000,
        |n| process(&format!("do {} od", ":: x > 1 -> x = 1 ".repeat(n))),
        Built,
    ),
    input(
        "selections in a row",
        50_000,
        |n| process(&"if :: x > 1 :: else fi;\n".repeat(n)),
        Built,
    ),
    input(
        "loops in a row",
        50_000,
        |n| process(&"do :: x > 1 -> break :: else -> x++ od;\n".repeat(n)),
        Built,
    ),
    input(
        "nested selections",
        300,
        |n| process(&format!("{}skip{}", "if :: x > 1 :: ".repeat(n), " fi".repeat(n))),
        Built,
    ),
    input(
        "nested selections of many options",
        100,
        |n| {
            process(&format!(
                "{}skip{}",
                format!("if {} :: ", ":: x > 1 ".repeat(30)).repeat(n),
                " fi".repeat(n)
            ))
        },
        Built,
    ),
    input(
        "nested loops",
        300,
        |n| {
            process(&format!(
                "{}break{}",
                "do :: x > 1 :: ".repeat(n),
                " od; break".repeat(n - 1) + " od"
            ))
        },
        Built,
    ),
    input(
        "nested atomics",
        300,
        |n| process(&format!("{}skip{}", "atomic { x = 1; ".repeat(n), "; x = 2 }".repeat(n))),
        Built,
    ),
    input(
        "nested d_steps",
        300,
        |n| process(&format!("{}skip{}", "d_step { x = 1; ".repeat(n), "; x = 2 }".repeat(n))),
        Built,
    ),
    input(
        "nested atomics and many statements",
        300,
        |n| {
            process(&format!(
                "{}skip{}",
                "atomic { x = 1; ".repeat(n),
                "; x = 2 ".repeat(100) + &"}".repeat(n)
            ))
        },
        Built,
    ),
    input(
        "nested blocks",
        250,
        |n| process(&format!("{}skip{}", "{ x = 1; ".repeat(n), "; x = 2 }".repeat(n))),
        Built,
    ),
    input("d_steps in a row", 20_000, |n| process(&"d_step { x = 1; x = 2 };\n".repeat(n)), Built),
    input(
        "a long d_step",
        100_000,
        |n| process(&format!("d_step {{ {}skip }}", "x = x + 1;\n".repeat(n))),
        Built,
    ),
    input("atomics in a row", 50_000, |n| process(&"atomic { x = 1; x = 2 };\n".repeat(n)), Built),
    input(
        "a long atomic",
        100_000,
        |n| process(&format!("atomic {{ {}skip }}", "x = x + 1;\n".repeat(n))),
        Built,
    ),
    input(
        "labels and gotos",
        10_000,
        |n| process(&numbered(n, |i| format!("l{i}: goto l{};\n", (i * 7 + 1) % n))),
        Built,
    ),
    input(
        "labels and gotos, many",
        50_000,
        |n| {
            process(&numbered(n, |i| {
                format!("l{i}: if :: x > {i} -> goto l{} :: else fi;\n", (i * 7 + 1) % n)
            }))
        },
        Built,
    ),
    input(
        "unknown labels",
        50_000,
        |n| process(&numbered(n, |i| format!("l{i}: goto k{i};\n"))),
        Error("undefined-label"),
    ),
    input(
        "a chain of gotos",
        5_000,
        |n| {
            process(
                &(numbered(n, |i| format!("l{i}: goto l{};\n", i + 1)) + &format!("l{n}: skip")),
            )
        },
        Built,
    ),
    input(
        "a circle of gotos",
        5_000,
        |n| process(&numbered(n, |i| format!("l{i}: goto l{};\n", (i + 1) % n))),
        Built,
    ),
    input(
        "gotos to one label",
        50_000,
        |n| process(&format!("l: x = 1; if {} fi", ":: x > 1 -> goto l ".repeat(n))),
        Built,
    ),
    input(
        "unless around many statements",
        50_000,
        |n| process(&format!("{{ {}skip }} unless {{ x > 3; x = 1 }}", "x = x + 1;\n".repeat(n))),
        Built,
    ),
    input(
        "unlesses in a row",
        20_000,
        |n| process(&"{ x = 1; x = 2 } unless { x > 3 };\n".repeat(n)),
        Built,
    ),
    input(
        "unless over unless",
        150,
        |n| process(&format!("{}skip{}", "{ ".repeat(n), "; x = 1 } unless { x > 3 }".repeat(n))),
        Built,
    ),
    input(
        "unless in escapes of escapes",
        150,
        |n| process(&format!("{}skip{}", "x = 1 unless { x > 1; ".repeat(n), " }".repeat(n))),
        Built,
    ),
    input(
        "an escape of many options",
        10_000,
        |n| process(&format!("{{ x = 1; x = 2 }} unless {{ if {} fi }}", ":: x > 1 ".repeat(n))),
        Built,
    ),
    input(
        "many statements, an escape of many options",
        300,
        |n| {
            process(&format!(
                "{{ {}skip }} unless {{ if {} fi }}",
                "x = 1;".repeat(n),
                ":: x > 1 ".repeat(n)
            ))
        },
        Built,
    ),
    input(
        "a loop around an unless that jumps back",
        1,
        |_| process("do :: B: break od; { goto B } unless { x > 1 }"),
        Built,
    ),
    input("for loops", 20_000, |n| process(&"for (x : 0 .. 9) { skip };\n".repeat(n)), Built),
    input("selects", 20_000, |n| process(&"select (x : 0 .. 9);\n".repeat(n)), Built),
    input(
        "live variables",
        3_000,
        |n| {
            process(
                &(numbered(n, |i| format!("int v{i};\n"))
                    + &numbered(n, |i| format!("v{i} = 1;\n"))
                    + &numbered(n, |i| format!("x = v{i};\n"))),
            )
        },
        Built,
    ),
    input(
        "live variables in a loop",
        2_000,
        |n| {
            process(
                &(numbered(n, |i| format!("int v{i};\n"))
                    + "do "
                    + &numbered(n, |i| format!(":: v{i} > 1 -> v{i} = v{}\n", (i + 1) % n))
                    + "od"),
            )
        },
        Built,
    ),
    input(
        "never claims",
        1,
        |_| {
            process("skip")
                + "never { T0: if :: true -> goto T0 :: true -> goto accept fi; accept: skip }\n"
        },
        Built,
    ),
    input(
        "labels that mean something",
        20_000,
        |n| process(&numbered(n, |i| format!("end{i}: progress{i}: accept{i}: x = {i};\n"))),
        Built,
    ),
];
