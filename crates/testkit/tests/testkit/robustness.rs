//! No text makes the front-end fail: whatever it is given, it answers with
//! automata or with errors. `tests/differential/robustness.rs` has long texts.
//!
//! This is the short, deterministic variant of `fuzz/`.

use std::panic::AssertUnwindSafe;
use std::path::Path;

use beeline_testkit::exercise::{Outcome, exercise};
use beeline_testkit::mutate::{Mutation, mutate};
use beeline_testkit::rng::Rng;
use beeline_testkit::{fixture, generate};

/// Exercises a text; if that fails, says which text it was.
fn survive(what: &str, text: &str) -> Outcome {
    let attempt = std::panic::catch_unwind(AssertUnwindSafe(|| exercise(text)));
    attempt.unwrap_or_else(|_| {
        let bytes: String = text.chars().take(20_000).collect();
        panic!("failed on {what}; the input is\n{bytes}\n----")
    })
}

fn models() -> Vec<(String, String)> {
    let read = |file: &Path| std::fs::read_to_string(file).expect("our models can be read");
    fixture::all().iter().map(|fixture| (fixture.name.clone(), read(&fixture.file))).collect()
}

#[test]
fn survives_models_spoilt_in_every_way() {
    let models = models();
    for (number, (name, text)) in models.iter().enumerate() {
        let (_, other) = &models[(number + 1) % models.len()];
        for mutation in Mutation::ALL {
            for seed in 0..12 {
                let spoilt = mutation.apply(text, other, &mut Rng::new(seed));
                survive(&format!("{name}, {mutation:?}, seed {seed}"), &spoilt);
            }
        }
        for seed in 0..60 {
            let spoilt = mutate(text, other, &mut Rng::new(1_000 + seed));
            survive(&format!("{name}, mutate, seed {seed}"), &spoilt);
        }
    }
}

#[test]
fn survives_models_cut_off_anywhere() {
    for (name, text) in models() {
        for end in (0..text.len()).step_by(23).filter(|&end| text.is_char_boundary(end)) {
            survive(&format!("the first {end} bytes of {name}"), &text[..end]);
            survive(&format!("{name} from byte {end}"), &text[end..]);
        }
    }
}

#[test]
fn survives_random_programs_spoilt() {
    let config = generate::Config::full();
    let program = |seed| beeline_promela::printer::print(&generate::program(seed, &config));
    let mut other = program(0);
    for seed in 1..400 {
        let text = program(seed);
        let spoilt = mutate(&text, &other, &mut Rng::new(seed));
        survive(&format!("random program {seed}, spoilt"), &spoilt);
        other = text;
    }
}

#[test]
fn the_generated_mutants_reach_both_ends() {
    // If no mutated text were accepted, this would test the lexer only.
    let models = models();
    let (mut refused, mut built) = (0, 0);
    for (name, text) in &models {
        for seed in 0..20 {
            let spoilt = Mutation::ReplaceNumbers.apply(text, text, &mut Rng::new(seed));
            match survive(name, &spoilt) {
                Outcome::Refused(codes) => refused += usize::from(!codes.is_empty()),
                Outcome::Built(_) => built += 1,
            }
        }
    }
    assert!(refused > 50 && built > 50, "{refused} were refused, {built} were built");
}

#[test]
fn survives_what_it_once_failed_on() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regress");
    let entries = std::fs::read_dir(&directory).expect("the directory of regressions is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{} regressions are left", files.len());
    for file in files {
        let bytes = std::fs::read(&file).expect("a regression can be read");
        survive(&file.to_string_lossy(), &String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn tiny_texts_are_dealt_with() {
    for text in [
        "",
        " ",
        "\n",
        "\0",
        "\u{feff}",
        "\r\n",
        "\\",
        "\\\n",
        "#",
        "##",
        "#\n",
        "\"",
        "'",
        "'\\",
        "'\\x",
        "/",
        "/*",
        "/*/",
        "//",
        "//\\",
        "*/",
        "#define",
        "#define F(",
        "#define F(x",
        "#define F(x)\nF(",
        "#if",
        "#if 1 +",
        "#ifdef",
        "#else",
        "#endif",
        "#include",
        "#include <",
        "#include \"",
        "#line",
        "#line 1 \"",
        "#error",
        "proctype",
        "proctype p",
        "proctype p(",
        "proctype p() {",
        "init",
        "init {",
        "init { if",
        "init { if ::",
        "init { do :: skip",
        "init { q!",
        "init { q?",
        "init { q?[",
        "init { x = ",
        "init { x[",
        "init { run",
        "init { run p(",
        "init { L:",
        "init { goto",
        "init { for (",
        "init { for (i : 1 ..",
        "init { select (",
        "init { atomic",
        "init { skip unless",
        "init { (1 -> 2",
        "init { c_code",
        "init { c_code {",
        "init { printf(",
        "init { p[1]@",
        "init { p:",
        "ltl",
        "ltl {",
        "ltl p {",
        "never",
        "never {",
        "trace {",
        "mtype",
        "mtype =",
        "mtype = {",
        "mtype :",
        "mtype : a = {",
        "typedef",
        "typedef t",
        "typedef t {",
        "chan q =",
        "chan q = [",
        "chan q = [1] of",
        "chan q = [1] of {",
        "int x[",
        "int x =",
        "int x :",
        "unsigned x :",
        "hidden",
        "inline",
        "inline f",
        "inline f(",
        "inline f() {",
        "active",
        "active [",
        "active [2]",
        "D_proctype",
        "c_decl",
        "c_state",
        "c_track",
        "xr",
        "xs",
        "init priority",
        "proctype p() priority",
        "proctype p() provided",
        "proctype p() provided (",
    ] {
        survive(&format!("{text:?}"), text);
        survive(&format!("{text:?} and more"), &format!("{text} x y ; }} )\n"));
    }
}
