//! Inputs that nobody writes but a generator, a slipped hand or an attacker:
//! very long, very deep, very many. Each has a size, so that one can see how
//! time grows with it, and says how it must end.

use beeline_promela::preprocess::{FileLoader, LoadedFile};

use crate::exercise::{self, Outcome};
use crate::rng::Rng;

/// How an input must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With automata.
    Built,
    /// With an error of this code, among others.
    Error(&'static str),
    /// With errors, whichever.
    Errors,
}

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// What is excessive about it.
    pub name: &'static str,
    /// The size at which it must be dealt with within two seconds.
    pub size: usize,
    /// Its text at a size.
    pub text: fn(usize) -> String,
    /// How it ends at that size.
    pub ending: Ending,
}

impl Input {
    /// Reads it at its size, or a multiple of that.
    ///
    /// # Panics
    /// When the front-end breaks a promise.
    pub fn run(&self, text: &str) -> Outcome {
        exercise::exercise_with(text, &mut Cycles)
    }

    /// What is wrong with an outcome; nothing if it is the one expected.
    pub fn complaint(&self, outcome: &Outcome) -> Option<String> {
        let fine = match (self.ending, outcome) {
            (Ending::Built, Outcome::Built(_)) | (Ending::Errors, Outcome::Refused(_)) => true,
            (Ending::Error(code), Outcome::Refused(codes)) => codes.contains(&code),
            _ => false,
        };
        (!fine).then(|| format!("expected {:?}, not {outcome:?}", self.ending))
    }
}

/// Files that include themselves and each other.
struct Cycles;

impl FileLoader for Cycles {
    fn load(&mut self, name: &str, _from: &str, _angled: bool) -> Option<LoadedFile> {
        let text = match name {
            "self" => "#include \"self\"\n",
            "ping" => "int ping;\n#include \"pong\"\n",
            "pong" => "#include \"ping\"\n",
            "twice" => "#include \"twice\"\n#include \"twice\"\n",
            _ => return None,
        };
        Some(LoadedFile { name: name.to_owned(), text: text.to_owned() })
    }
}

/// All of them, by the part of the front-end that they are after.
pub const GROUPS: [(&str, &[Input]); 5] = [
    ("text", TEXT),
    ("macros", MACROS),
    ("nesting", NESTING),
    ("names", NAMES),
    ("automata", AUTOMATA),
];

const fn input(
    name: &'static str,
    size: usize,
    text: fn(usize) -> String,
    ending: Ending,
) -> Input {
    Input { name, size, text, ending }
}

use Ending::{Built, Error, Errors};

const TEXT: &[Input] = &[
    input("random bytes", 10_000_000, random_bytes, Errors),
    input("letters without end", 10_000_000, |n| "a".repeat(n), Errors),
    input("words", 10_000_000, |n| "ab ".repeat(n / 3), Errors),
    input("digits without end", 5_000_000, |n| process(&format!("x = {}", "9".repeat(n))), Built),
    input("one long line", 5_000_000, |n| process(&"x = x + 1; ".repeat(n / 22)), Built),
    input("empty lines", 10_000_000, |n| process(&("\n".repeat(n) + "skip")), Built),
    input("comments only", 5_000_000, |n| "/* nothing */ // at all\n".repeat(n / 24), Built),
    input("ends of comments", 10_000_000, |n| "*/".repeat(n / 2), Errors),
    input("starts of comments", 10_000_000, |n| "/*".repeat(n / 2), Error("unterminated-comment")),
    input("quotes", 5_000_000, |n| "\"".repeat(n), Errors),
    input("apostrophes", 5_000_000, |n| "'".repeat(n), Errors),
    input("a string without end", 10_000_000, |n| format!("\"{}", "x".repeat(n)), Errors),
    input("backslashes", 5_000_000, |n| "\\ ".repeat(n / 2), Errors),
    input("joined lines", 5_000_000, |n| process(&("x\\\n".repeat(n / 3) + " = 1")), Errors),
    input("NUL bytes", 10_000_000, |n| "\0".repeat(n), Built),
    input("byte order marks", 9_000_000, |n| "\u{feff}".repeat(n / 3), Errors),
    input("carriage returns", 5_000_000, |n| process(&"x = 1;\r\n".repeat(n / 40)), Built),
    input("numbers too large", 200_000, |n| process(&"x = 99999999999;".repeat(n / 16)), Built),
    input("braces that close", 5_000_000, |n| "}".repeat(n), Errors),
    input("semicolons", 5_000_000, |n| ";".repeat(n), Built),
];

fn random_bytes(size: usize) -> String {
    let mut rng = Rng::new(1);
    let bytes: Vec<u8> = (0..size.div_ceil(8)).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A process with an `x` and the given statements.
fn process(body: &str) -> String {
    format!("active proctype p() {{ int x;\n{body}\n}}\n")
}

const MACROS: &[Input] = &[
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
    input("many definitions", 1_000_000, |n| numbered(n, |i| format!("#define M{i} {i}\n")), Built),
    input(
        "many definitions of one name",
        1_000_000,
        |n| numbered(n, |i| format!("#define M {i}\n")),
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
        |n| format!("{}{}", "#if 1\n".repeat(n), "#endif\n".repeat(n)),
        Built,
    ),
    input(
        "nested #if 0",
        100_000,
        |n| format!("{}{}", "#if 0\n".repeat(n), "#endif\n".repeat(n)),
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
    input("#elif", 500_000, |n| format!("#if 0\n{}#endif\n", "#elif 0\n".repeat(n)), Built),
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

/// Macros of which each is twice the one before.
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

fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

const NESTING: &[Input] = &[
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

/// As deep as it is wide: each level is a chain as long as the limit allows.
fn sums_in_sums(levels: usize) -> String {
    let chain = " + 1".repeat(400);
    format!("x = {}1{}", "(".repeat(levels), format!("{chain})").repeat(levels))
}

const NAMES: &[Input] = &[
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
        Built,
    ),
    input(
        "a loop over an array of 2^31 - 1",
        1,
        |_| format!("int a[2147483647];\n{}", process("for (x in a) { skip }")),
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
    let chain = numbered(length, |i| format!("typedef t{} {{ t{i} a }}\n", i + 1));
    let path = ".a".repeat(900);
    let end = length - 900;
    let value = format!("typedef t0 {{ int a }}\n{chain}t{length} s;\nt{} part;\n", 898);
    let _ = end;
    format!(
        "{value}chan q = [1] of {{ t{length} }};\n{}",
        process(&format!("part{}.a = 1; q!s; q?s", &path[..2 * 898]))
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

const AUTOMATA: &[Input] = &[
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
