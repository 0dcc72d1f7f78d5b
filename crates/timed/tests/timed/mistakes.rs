//! Mistakes in models: each is told with its place, and none is a panic.

use beeline_kernel::FaultKind;
use beeline_timed::front_end::{OtherQueries, read};

/// The first error about a text: line, column, message.
fn error(text: &str) -> Option<(u32, u32, String)> {
    let front = read("m", text, &OtherQueries::default());
    let first = front.diagnostics.iter().next()?;
    let place = front.sources.location(first.span);
    Some((place.line, place.column, first.message.clone()))
}

fn check(text: &str, line: u32, column: u32, part: &str) {
    let (its_line, its_column, message) = error(text).unwrap_or_else(|| panic!("no error: {text}"));
    assert!(message.contains(part), "{message}");
    assert_eq!((its_line, its_column), (line, column), "{message}");
}

const P: &str = "process P() { state A; init A; trans A -> A { }; }\nsystem P;\n";

#[test]
fn mistakes_are_told_with_their_places() {
    check(&format!("int x = y;\n{P}"), 1, 9, "`y` is not declared");
    check(&format!("int[3,4] x = 7;\n{P}"), 1, 14, "7 is not between 3 and 4");
    check(&format!("typedef int T;\nT T;\n{P}"), 2, 3, "declared twice");
    check(&format!("int f() {{ return f(); }}\n{P}"), 1, 18, "`f` is not declared");
    check(&format!("const int N;\n{P}"), 1, 11, "has no value");
    check(&format!("int a[0];\n{P}"), 1, 7, "no 0 elements");
    check(&format!("int x = 99999999999;\n{P}"), 1, 9, "does not fit in 32 bits");
    check(&format!("int x = 1/0;\n{P}"), 1, 9, "division by zero");
    check(&format!("double d;\n{P}"), 1, 1, "`double`");
    check(&format!("string s;\n{P}"), 1, 8, "the constant `s` has no value");
    check(&format!("const bool b = \"a\" < \"b\";\n{P}"), 1, 16, "a string has no value");
    check(&format!("const bool b = \"a\" == 1;\n{P}"), 1, 16, "a string has no value");
    check(&format!("struct {{ string s; }} x;\n{P}"), 1, 22, "strings that change");
    check(&format!("chan priority a < b;\n{P}"), 1, 1, "channel priorities");
    check("process P() { state A; init A; }\nsystem Q;", 2, 8, "no template `Q`");
    check("process P() { state A; init A; }", 1, 33, "a `system` line is missing");
    check("process P() { state A; init B; }\nsystem P;", 1, 29, "no location `B`");
    check(
        "clock x;\nprocess P() { state A { x < 3 || x > 5 }; init A; }\nsystem P;",
        2,
        21,
        "conjunction",
    );
    check(
        "clock x;\nprocess P() { state A; init A; trans A -> A { guard 2 * x < 3; }; }\nsystem P;",
        2,
        53,
        "multiplied",
    );
    check(
        "clock x; int i;\nprocess P() { state A; init A; trans A -> A { assign i = x; }; }\nsystem P;",
        2,
        58,
        "no value",
    );
    check(
        "int i;\nprocess P() { state A; init A; trans A -> A { guard i++ > 1; }; }\nsystem P;",
        2,
        53,
        "must not change",
    );
    check(
        "urgent chan c; clock x;\nprocess P() { state A; init A; trans A -> A { guard x > 1; sync c!; }; }\nsystem P;",
        2,
        53,
        "urgent channels",
    );
    check("process P(int i) { state A; init A; }\nsystem P;", 1, 15, "has no value");
    check("P = Q();\nQ = P();\nsystem P;", 2, 5, "instantiation of itself");
}

#[test]
fn recursive_and_empty_declarations_are_mistakes() {
    check(&format!("typedef struct {{ T x; }} T;\n{P}"), 1, 18, "`T` is not declared");
    check(&format!("int g() {{ return 1; }}\nint f() {{ return f() + g(); }}\n{P}"), 2, 18, "`f`");
    let mutual = "int f() { return g(); }\nint g() { return f(); }\n";
    check(&format!("{mutual}{P}"), 1, 18, "`g` is not declared");
    check("process P() { state A; init A; }\nsystem ;", 2, 8, "");
    check("", 1, 1, "");
    check("system:s\n", 1, 1, "");
    check("<nta><system>system ;</system></nta>", 1, 21, "");
}

#[test]
fn numbers_that_are_too_large_are_told() {
    check(&format!("int[0,2147483648] x;\n{P}"), 1, 7, "does not fit in 32 bits");
    check(&format!("int[5,3] x;\n{P}"), 1, 10, "has no values");
    // What only a run can tell is a fault of the step.
    let run = |guard: &str, update: &str| {
        let text = format!(
            "clock x; int i = 32767;\nprocess P() {{ state A, B; init A; trans A -> B {{ \
             guard {guard}; assign {update}; }}; }}\nsystem P;"
        );
        let model = crate::exploring::model(&text, &[]);
        crate::exploring::faults(&model, 100)
    };
    assert_eq!(run("x >= 1", "x = 1"), []);
    assert_eq!(run("x >= 536870911", "x = 536870911"), []);
    assert_eq!(run("x >= 1073741825", "x = 0"), [FaultKind::Overflow]);
    assert_eq!(run("x >= i * i * 2", "x = 0"), [FaultKind::Overflow]);
    assert_eq!(run("x >= 1", "x = 1073741825"), [FaultKind::Overflow]);
    assert_eq!(run("x >= 1", "x = 0 - 1"), [FaultKind::Overflow]);
}

#[test]
fn clocks_that_grow_without_end_are_a_fault() {
    // A difference of clocks forbids extrapolation.
    let text = "clock x, y; process P() { state A { y <= 500000000 }; init A; trans A -> A { guard y \
                == 500000000 && x - y >= 0; assign y = 0; }; }\nsystem P;";
    let model = crate::exploring::model(text, &[]);
    assert_eq!(crate::exploring::faults(&model, 100), [FaultKind::Overflow]);
}

#[test]
fn places_in_xml_are_those_of_the_file() {
    let model = |declaration: &str, guard: &str| {
        format!(
            "<nta>\n<declaration>{declaration}</declaration>\n<template><name>P</name>\n\
             <location id=\"a\"><name>A</name></location><init ref=\"a\"/>\n\
             <transition><source ref=\"a\"/><target ref=\"a\"/>\n\
             <label kind=\"guard\">{guard}</label></transition>\n\
             </template><system>system P;</system></nta>"
        )
    };
    assert_eq!(error(&model("clock x;", "x &gt; 3 &amp;&amp; x &lt; 5")), None);
    check(&model("clock x;", "x &gt; 3 &amp;&amp; y &lt; 5"), 6, 41, "`y` is not declared");
    check(&model("clock x;", "x &gt;"), 6, 27, "an expression is missing");
    check(&model("int x; x", "true"), 2, 21, "a declaration is missing");
    check(&model("", "q"), 6, 21, "`q` is not declared");
    let (_, _, message) = error("<nta>\n<x>").expect("the element is open");
    assert!(message.contains("malformed"), "{message}");
    check("<!DOCTYPE nta [<!ENTITY a \"b\">]><nta/>", 1, 16, "definitions of entities");
    let bomb = "<!DOCTYPE nta [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]><nta>&b;</nta>";
    check(bomb, 1, 16, "definitions of entities");
    let (_, _, message) = error("<nta>&undefined;</nta>").expect("the entity is unknown");
    assert!(message.contains("malformed"), "{message}");
    check("<model/>", 1, 1, "the root is `<nta>`");
    check("<nta></nta>", 1, 1, "no processes");
    let front = read("m", &model("clock x;", "y &lt; 5"), &OtherQueries::default());
    let first = front.diagnostics.iter().next().expect("there is an error");
    let place = "in the guard of edge `A` → `A` of template `P`";
    assert!(first.notes.iter().any(|note| note == place), "{:?}", first.notes);
}

#[test]
fn mistakes_in_the_format_of_tchecker_are_told() {
    let text = "system:s\nprocess:P\nlocation:P:a{initial:}\n";
    assert_eq!(error(text), None);
    check(&format!("{text}edge:P:a:b:e"), 4, 12, "`e` is not declared");
    check(&format!("{text}event:e\nedge:P:a:b:e"), 5, 10, "no location `b`");
    check(&format!("{text}edge:Q:a:b:e"), 4, 6, "no process `Q`");
    check(&format!("{text}thing:P"), 4, 1, "no line begins with");
    check(&format!("{text}clock:1"), 4, 1, "another number of parts");
}

#[test]
fn no_beginning_and_no_deep_nesting_is_a_panic() {
    let text = "clock x; chan c; int f(int a) { int b[2] = {1, 2}; if (a > 1) return b[0]; for (i : \
                int[0,1]) a++; return a; }\nprocess P(const int[0,1] i) { clock y; state A { x < 3 \
                }, B; commit B; init A; trans A -> B { select j : int[0,2]; guard forall (k : \
                int[0,1]) f(k) > j && y >= 2; sync c!; assign y = 0, f(i); }; }\nsystem P;";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = error(&text[..end]);
    }
    for (open, close) in [("(", ")"), ("!", ""), ("-", ""), ("{", "}"), ("x[", "]"), ("f(", ")")] {
        let nested = open.repeat(50_000) + "1" + &close.repeat(50_000);
        assert!(error(&format!("int x = {nested};\n{P}")).is_some());
        assert!(error(&format!("void g() {{ {nested}; }}\n{P}")).is_some());
    }
}

/// Texts in the other two formats.
const OTHER_FORMATS: [&str; 2] = [
    "<?xml version=\"1.0\"?>\n<nta><declaration>clock x; int[0,3] n = 1; chan c[2];</declaration>\n\
     <template><name>P</name><parameter>const int[0,1] i</parameter><declaration>clock y;</declaration>\n\
     <location id=\"a\"><name>A</name><label kind=\"invariant\">y &lt;= 3</label></location>\n\
     <location id=\"b\"><committed/></location><init ref=\"a\"/>\n\
     <transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"select\">j : int[0,1]</label>\n\
     <label kind=\"guard\">y &gt;= 1 &amp;&amp; n &gt; j</label><label kind=\"synchronisation\">c[i]!</label>\n\
     <label kind=\"assignment\">y = 0, n = (n + j) % 4</label></transition></template>\n\
     <system>system P;</system><queries><query><formula>E&lt;&gt; P(1).A &amp;&amp; n == 2</formula></query></queries></nta>",
    "system:s\nclock:2:x\nint:1:0:3:0:n\nevent:e\nevent:f\nprocess:P\nlocation:P:a{initial: : invariant:x[0]<=3}\n\
     location:P:b{labels:goal}\nedge:P:a:b:e{provided:x[0]>1&&n<3 : do:n=n+1;x[0]=0}\nedge:P:b:a:f\n\
     process:Q\nlocation:Q:a{initial:}\nedge:Q:a:a:e{do:x[1]=0}\nsync:P@e:Q@e?\n",
];

/// Parts that a change puts somewhere.
const PARTS: [&str; 24] = [
    "2147483647",
    "-1",
    "0",
    "x",
    "y",
    "<",
    "<=",
    "==",
    "&&",
    "||",
    "!",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    "int",
    "clock",
    "forall (i : int[0,3])",
    "'",
];

/// A text with a few changes.
fn changed(text: &str, rng: &mut beeline_kernel::SplitMix64) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        let length = letters.len();
        let at = rng.below(length + 1);
        let end = (at + 1 + rng.below(12)).min(length);
        match rng.below(4) {
            0 => drop(letters.drain(at..end)),
            1 => {
                let part = letters[at..end].to_vec();
                let to = rng.below(length + 1);
                letters.splice(to..to, part);
            }
            2 => drop(letters.splice(at..at, PARTS[rng.below(PARTS.len())].chars())),
            _ => drop(letters.splice(at..end, PARTS[rng.below(PARTS.len())].chars())),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn a_changed_model_is_read_or_refused() {
    let mut texts: Vec<String> = OTHER_FORMATS.map(str::to_owned).to_vec();
    for text in &texts {
        assert_eq!(error(text), None, "{text}");
    }
    texts.extend(crate::fixtures::fixtures().into_iter().map(|(_, text, _)| text));
    let mut rng = beeline_kernel::SplitMix64::new(7);
    let (mut read_ones, mut refused) = (0, 0);
    for (number, text) in texts.iter().enumerate() {
        for _ in 0..if number < OTHER_FORMATS.len() { 400 } else { 10 } {
            let text = changed(text, &mut rng);
            let front = read("m", &text, &OtherQueries::default());
            let has_errors = front.diagnostics.has_errors();
            assert_eq!(front.model.is_some(), !has_errors, "{text}");
            for message in front.diagnostics.iter() {
                assert!(!message.message.is_empty(), "{text}");
                front.sources.location(message.span);
            }
            if has_errors {
                refused += 1;
                continue;
            }
            read_ones += 1;
            let model = crate::exploring::of_front(front);
            crate::exploring::expand_some(&model, 30);
        }
    }
    assert!(read_ones > 100 && refused > 1_000, "{read_ones} {refused}");
}
