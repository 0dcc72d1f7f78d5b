//! Macros, includes and inlines whose expansion is much larger than their text.

use super::input::Ending::{Built, Error, Errors};
use super::input::{Input, input, numbered, process};

pub(super) const INPUTS: &[Input] = &[
    input("macros that double", 40, |n| doubling(n, "", ""), Error("macro-bomb")),
    input(
        "macros that double their argument",
        40,
        |n| doubling(n, "(x)", "(x)"),
        Error("macro-bomb"),
    ),
    input("arguments that double", 40, argument_bomb, Error("macro-bomb")),
    input("a macro of itself", 100_000, |n| format!("#define A A A\n{}", "A ".repeat(n)), Errors),
    input(
        "macros of each other",
        100_000,
        |n| format!("#define A B B\n#define B A A\n{}", "A ".repeat(n)),
        Errors,
    ),
    input(
        "a call in a call in a call",
        100_000,
        |n| format!("#define F(x) x\n{}1{}", "F(".repeat(n), ")".repeat(n)),
        Errors,
    ),
    input(
        "a call without end",
        1_000_000,
        |n| format!("#define F(x) x\n{}", "F(".repeat(n)),
        Error("macro-unterminated"),
    ),
    input(
        "arguments without end",
        1_000_000,
        |n| format!("#define F(...) __VA_ARGS__\nF({}", "a,".repeat(n)),
        Error("macro-unterminated"),
    ),
    input("a chain of macros", 100_000, macro_chain, Errors),
    input("glue", 20, |n| doubling(n, "", "##"), Errors),
    input("strings of strings", 40, string_bomb, Errors),
    input(
        "many definitions",
        1_000_000,
        |n| numbered(n, |i| format!("#define M{i} {i}\n")) + "init { skip }\n",
        Built,
    ),
    input(
        "many definitions of one name",
        1_000_000,
        |n| numbered(n, |i| format!("#define M {i}\n")) + "init { skip }\n",
        Built,
    ),
    input(
        "many uses of a macro",
        200_000,
        |n| format!("#define INC x = x + 1\n{}", process(&"INC;\n".repeat(n))),
        Built,
    ),
    input(
        "many parameters",
        20_000,
        |n| {
            format!(
                "#define F({}) a0\n{}",
                numbered(n, |i| format!("a{i},")) + "z",
                process("skip")
            )
        },
        Built,
    ),
    input(
        "nested #if",
        100_000,
        |n| format!("{}{}\n{}", "#if 1\n".repeat(n), process("skip"), "#endif\n".repeat(n)),
        Built,
    ),
    input(
        "nested #if 0",
        100_000,
        |n| format!("{}{}{}", "#if 0\n".repeat(n), "#endif\n".repeat(n), process("skip")),
        Built,
    ),
    input("#if without #endif", 1_000_000, |n| "#if 1\n".repeat(n), Errors),
    input(
        "#if with many parentheses",
        100_000,
        |n| format!("#if {}1{}\n#endif\n", "(".repeat(n), ")".repeat(n)),
        Errors,
    ),
    input(
        "#if with many operators",
        100_000,
        |n| format!("#if 1{}\n#endif\n{}", " + 1".repeat(n), process("skip")),
        Built,
    ),
    input("#if with many signs", 100_000, |n| format!("#if {}1\n#endif\n", "- ".repeat(n)), Errors),
    input(
        "#elif",
        500_000,
        |n| format!("#if 0\n{}#endif\n{}", "#elif 0\n".repeat(n), process("skip")),
        Built,
    ),
    input("#line", 500_000, |n| numbered(n, |i| format!("#line {i}\n") + "__LINE__\n"), Errors),
    input("unknown directives", 500_000, |n| "#defnie X\n".repeat(n), Errors),
    input(
        "missing files",
        200_000,
        |n| "#include \"none\"\n".repeat(n),
        Error("include-not-found"),
    ),
    input(
        "a file that includes itself",
        1,
        |_| "#include \"self\"\n".to_owned(),
        Error("include-cycle"),
    ),
    input(
        "files that include each other",
        1,
        |_| "#include \"ping\"\n".to_owned(),
        Error("include-cycle"),
    ),
    input("a file that includes itself twice", 1, |_| "#include \"twice\"\n".to_owned(), Errors),
    input("inlines that call ten others", 16, inline_bomb, Error("expansion-too-large")),
    input(
        "an inline of itself",
        1,
        |_| format!("inline f() {{ f() }}\n{}", process("f()")),
        Error("recursive-inline"),
    ),
    input(
        "inlines of each other",
        1,
        |_| format!("inline f() {{ g() }}\ninline g() {{ f() }}\n{}", process("f()")),
        Errors,
    ),
    input(
        "calls of an inline",
        20_000,
        |n| {
            format!(
                "inline f(a) {{ a = a + 1; L: if :: a > 3 -> goto L :: else fi }}\n{}",
                process(&"f(x);\n".repeat(n))
            )
        },
        Built,
    ),
    input(
        "inlines",
        50_000,
        |n| numbered(n, |i| format!("inline f{i}(a) {{ a = {i} }}\n")) + &process("f0(x)"),
        Built,
    ),
    input("parameters of an inline", 5_000, inline_parameters, Built),
];

/// Macros each of which is twice as long as the previous one.
fn doubling(levels: usize, parameters: &str, arguments: &str) -> String {
    let mut text = format!("#define M0{parameters} 1 +\n");
    for level in 1..=levels {
        let before = level - 1;
        text += &if arguments == "##" {
            format!("#define G{level}(x) x ## x\n#define M{level} G{level}(x)\n")
        } else {
            format!("#define M{level}{parameters} M{before}{arguments} M{before}{arguments}\n")
        };
    }
    let call = if arguments == "(x)" { "(1)" } else { "" };
    format!("{text}{}", process(&format!("x = M{levels}{call} 1")))
}

fn argument_bomb(levels: usize) -> String {
    let calls = "F(".repeat(levels) + "1" + &")".repeat(levels);
    format!("#define F(x) x + x\n{}", process(&format!("x = {calls}")))
}

fn string_bomb(levels: usize) -> String {
    let definitions: String = (1..=levels)
        .map(|level| {
            let before = level - 1;
            format!("#define S{level}(x) S{before}(#x #x)\n")
        })
        .collect();
    format!("#define S0(x) #x\n{definitions}{}", process(&format!("printf(S{levels}(\"a\"))")))
}

fn macro_chain(length: usize) -> String {
    let chain = numbered(length, |i| format!("#define M{i} M{} +\n", i + 1));
    format!("{chain}{}", process(&format!("#define M{length} 1\nx = M0 1")))
}

fn inline_bomb(levels: usize) -> String {
    let mut text = "inline f0() { x = x + 1 }\n".to_owned();
    for level in 1..levels {
        let calls = format!("f{}(); ", level - 1).repeat(10);
        text += &format!("inline f{level}() {{ {calls} }}\n");
    }
    text + &process(&format!("f{}()", levels - 1))
}

fn inline_parameters(count: usize) -> String {
    let parameters: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
    let uses: String = parameters.iter().map(|name| format!("x = {name};")).collect();
    let arguments = vec!["1"; count].join(",");
    format!(
        "inline f({}) {{ {uses} }}\n{}",
        parameters.join(","),
        process(&format!("f({arguments})"))
    )
}
