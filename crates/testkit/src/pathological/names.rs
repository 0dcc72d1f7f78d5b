//! Very many names, and types larger than memory.

use super::input::Ending::{Built, Error};
use super::input::{Input, input, numbered, process};

pub(super) const INPUTS: &[Input] = &[
    input(
        "global variables",
        100_000,
        |n| numbered(n, |i| format!("int v{i};\n")) + &process("v0 = v1"),
        Built,
    ),
    input(
        "local variables",
        10_000,
        |n| {
            process(
                &(numbered(n, |i| format!("int v{i};\n"))
                    + &numbered(n, |i| format!("v{i} = {i};\n"))),
            )
        },
        Built,
    ),
    input(
        "variables in blocks",
        20_000,
        |n| process(&numbered(n, |i| format!("{{ int v = {i}; x = v }};\n"))),
        Built,
    ),
    input(
        "undeclared variables",
        100_000,
        |n| {
            numbered(n, |i| format!("int a{i};\n"))
                + &process(&numbered(n, |i| format!("b{i} = 1;\n")))
        },
        Error("undeclared-variable"),
    ),
    input(
        "undeclared variables with long names",
        20_000,
        |n| {
            numbered(n, |i| format!("int {}{i:06};\n", "n".repeat(50)))
                + &process(&numbered(n, |i| format!("{}{i:06} = 1;\n", "m".repeat(50))))
        },
        Error("undeclared-variable"),
    ),
    input("variables declared twice", 100_000, |n| "int x;\n".repeat(n), Error("redeclaration")),
    input(
        "a variable declared again and again",
        100_000,
        |n| process(&"int x;\n".repeat(n)),
        Error("redeclaration"),
    ),
    input(
        "proctypes",
        20_000,
        |n| numbered(n, |i| format!("proctype p{i}() {{ skip }}\n")) + &process("run p0()"),
        Built,
    ),
    input(
        "active proctypes",
        20_000,
        |n| numbered(n, |i| format!("active [255] proctype p{i}() {{ int x; x = 1; x = 2 }}\n")),
        Error("too-many-processes"),
    ),
    input(
        "proctypes",
        20_000,
        |n| {
            let all = numbered(n, |i| format!("proctype p{i}() {{ int x; x = 1; x = 2 }}\n"));
            all + "active [10000] proctype p() { int x; x = 1; x = 2 }\n"
        },
        Built,
    ),
    input(
        "unknown proctypes",
        50_000,
        |n| process(&numbered(n, |i| format!("run q{i}();\n"))),
        Error("unknown-proctype"),
    ),
    input(
        "remote references",
        10_000,
        |n| {
            numbered(n, |i| format!("proctype p{i}() {{ L: skip }}\n"))
                + &process(&numbered(n, |i| format!("p{i}@L;\n")))
        },
        Built,
    ),
    input(
        "remote references to many labels",
        10_000,
        |n| {
            format!(
                "proctype q() {{ {} }}\n{}",
                numbered(n, |i| format!("l{i}: skip;\n")),
                process(&numbered(n, |i| format!("q@l{i};\n")))
            )
        },
        Built,
    ),
    input(
        "remote variables",
        10_000,
        |n| {
            format!(
                "proctype q() {{ {}skip }}\n{}",
                numbered(n, |i| format!("int v{i};\n")),
                process(&numbered(n, |i| format!("q:v{i} > 0;\n")))
            )
        },
        Built,
    ),
    input(
        "constants of an mtype",
        100_000,
        |n| format!("mtype = {{ {} }}\n", numbered(n, |i| format!("c{i} "))),
        Error("too-many-mtypes"),
    ),
    input(
        "mtypes",
        20_000,
        |n| {
            numbered(n, |i| format!("mtype : m{i} = {{ c{i} }}\nmtype : m{i} v{i};\n"))
                + &process("skip")
        },
        Built,
    ),
    input(
        "ltl formulas",
        20_000,
        |n| process("skip") + &numbered(n, |i| format!("ltl f{i} {{ [] true }}\n")),
        Built,
    ),
    input(
        "typedefs",
        20_000,
        |n| {
            numbered(n, |i| format!("typedef t{i} {{ int a }}\n t{i} v{i};\n"))
                + &process("v0.a = 1")
        },
        Built,
    ),
    input("a chain of typedefs", 1_000, typedef_chain, Built),
    input(
        "unknown types",
        50_000,
        |n| "proctype q(foo x) { skip }\n".repeat(n),
        Error("unknown-type"),
    ),
    input(
        "fields",
        10_000,
        |n| {
            format!(
                "typedef t {{ {} }}\nt s;\n{}",
                numbered(n, |i| format!("int f{i};\n")),
                process(&numbered(n, |i| format!("s.f{i} = 1;\n")))
            )
        },
        Built,
    ),
    input(
        "unknown fields",
        10_000,
        |n| {
            format!(
                "typedef t {{ {} }}\nt s;\n{}",
                numbered(n, |i| format!("int f{i};\n")),
                process(&numbered(n, |i| format!("s.g{i} = 1;\n")))
            )
        },
        Error("unknown-field"),
    ),
    input(
        "structures that grow a hundredfold",
        10,
        |n| growing_structs(n, "[100]"),
        Error("message-too-large"),
    ),
    input("structures that double", 60, |n| growing_structs(n, ""), Error("message-too-large")),
    input("a large array in a message", 1, |_| large_array_message(), Error("message-too-large")),
    input(
        "an array of 2^31 - 1",
        1,
        |_| format!("int a[2147483647];\n{}", process("a[0] = 1; int b[2147483647]")),
        Error("too-many-values"),
    ),
    input(
        "a loop over an array of 15 million",
        1,
        |_| format!("int a[15000000];\n{}", process("for (x in a) { skip }")),
        Built,
    ),
    input(
        "extreme loops",
        1,
        |_| {
            process(
                "for (x : -2147483647 .. 2147483647) { skip }; select (x : 0 .. 2147483647); select (x : -2147483647 .. 2147483647)",
            )
        },
        Built,
    ),
    input(
        "elements of a list",
        100_000,
        |n| {
            format!(
                "int a[{n}] = {{ {}0 }};\n{}",
                "1, ".repeat(n - 1),
                process(&"a[0] = a[1];".repeat(10_000))
            )
        },
        Built,
    ),
    input(
        "fields of a message",
        20_000,
        |n| {
            format!(
                "chan q = [1] of {{ {}int }};\n{}",
                "int, ".repeat(n - 1),
                process(&format!("q!{}1", "1,".repeat(n - 1)))
            )
        },
        Built,
    ),
    input(
        "variables received",
        10_000,
        |n| {
            format!(
                "chan q = [1] of {{ {}int }};\n{}{}",
                "int, ".repeat(n - 1),
                numbered(n, |i| format!("int v{i};\n")),
                process(&format!("q?{}", numbered(n, |i| format!("v{i},")).trim_end_matches(',')))
            )
        },
        Built,
    ),
    input(
        "parameters",
        10_000,
        |n| {
            format!(
                "proctype q({}int z) {{ skip }}\n{}",
                numbered(n, |i| format!("int v{i};")),
                process(&format!("run q({}1)", "1,".repeat(n)))
            )
        },
        Built,
    ),
    input(
        "exclusive claims",
        10_000,
        |n| {
            numbered(n, |i| format!("chan q{i} = [1] of {{ int }};\n"))
                + &process(
                    &(numbered(n, |i| format!("xr q{i}; xs q{i};\n"))
                        + &numbered(n, |i| format!("q{i}!1;\n"))),
                )
        },
        Built,
    ),
    input("warnings", 200_000, |n| format!("int y;\n{}", process(&"y[1] = 1;\n".repeat(n))), Built),
];

fn typedef_chain(length: usize) -> String {
    // References to fields are nested, too, and have a limit.
    let depth = length.min(900);
    let chain = numbered(length, |i| format!("typedef t{} {{ t{i} a }}\n", i + 1));
    let path = ".a".repeat(depth + 1);
    let body = process(&format!("part{path} = 1; q!whole; q?whole"));
    format!(
        "typedef t0 {{ int a }}\n{chain}t{depth} part;\nt{length} whole;\n\
         chan q = [1] of {{ t{length} }};\n{body}"
    )
}

fn growing_structs(levels: usize, length: &str) -> String {
    let twice = if length.is_empty() { "; t{} b" } else { "" };
    let chain = numbered(levels, |i| {
        let second = twice.replace("{}", &i.to_string());
        format!("typedef t{} {{ t{i} a{length}{second} }}\n", i + 1)
    });
    format!(
        "typedef t0 {{ int a }}\n{chain}t{levels} s;\nchan q = [1] of {{ t{levels} }};\n{}",
        process("q!s; q?s")
    )
}

fn large_array_message() -> String {
    format!(
        "typedef t {{ int a[2147483647] }}\nt s;\nchan q = [1] of {{ t }};\n{}",
        process("q!s; q?s")
    )
}
