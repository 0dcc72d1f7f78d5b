//! Pattern databases on the command line: pattern files, and cache files of tables.

use std::fs;

use crate::run::{Run, run_in, scratch};

/// The parity of `x` never changes; `y` does.
const EVEN: &str = "byte x, y;\n\
    active proctype P() { do :: x < 40 -> x = x + 2 :: x > 2 -> x = x - 2 od }\n\
    active proctype Q() { do :: y = 1 - y; assert(x % 2 == 0) od }\n";

fn check(directory: &std::path::Path, model: &str, heuristic: &str) -> Run {
    let search = format!("gbfs({heuristic})");
    run_in(directory, &["check", model, "--no-trail", "--search", &search])
}

/// A directory with a model and a file of tables.
fn place(name: &str) -> std::path::PathBuf {
    let directory = scratch(name);
    fs::write(directory.join("even.pml"), EVEN).expect("it can be written");
    fs::write(directory.join("even.pdb"), "table parity\n  classes x = modulo 2\n")
        .expect("it can be written");
    directory
}

#[test]
fn a_file_says_what_is_kept_and_proves_the_assertion() {
    let directory = place("pdb_file");
    let result = check(&directory, "even.pml", "pdb(file=\"even.pdb\")");
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    assert!(result.out.contains("assertions      holds"), "{result:?}");
    // One state for each property, without expansions.
    assert!(result.out.contains("\n2 states in "), "{result:?}");
    // The parity of `y` alone needs a search.
    fs::write(directory.join("even.pdb"), "table y\nkeep y\n").expect("it can be written");
    let result = check(&directory, "even.pml", "pdb(file=\"even.pdb\")");
    assert!(result.code == 0 && !result.out.contains("\n2 states in "), "{result:?}");
}

#[test]
fn the_model_of_the_book_is_proved_by_its_file() {
    let models = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let args = ["check", "gauges.pml", "--search", "gbfs(pdb(file=\"gauges.pdb\"))"];
    for limit in ["-DLIMIT=20", "-DLIMIT=250"] {
        let result = run_in(std::path::Path::new(&models), &[&args[..], &[limit]].concat());
        assert_eq!(result.code, 0, "{result:?}");
        assert!(result.out.contains("\n2 states in "), "{result:?}");
    }
}

#[test]
fn mistakes_in_the_file_are_told_with_their_place() {
    let directory = place("pdb_mistakes");
    let refused = |text: &[u8], expected: &str| {
        fs::write(directory.join("even.pdb"), text).expect("it can be written");
        let result = check(&directory, "even.pml", "pdb(file=\"even.pdb\")");
        assert_eq!(result.code, 4, "{result:?}");
        assert!(result.err.contains(expected), "{expected}\n{}", result.err);
    };
    refused(
        b"table a\n  keeps x\n",
        "`even.pdb`, line 2, column 3: no line begins with `keeps`; did you mean `keep`?",
    );
    refused(
        b"table a\nkeep P[0]@@",
        "line 2, column 6: there is no `P[0]@@` in this model; did you mean `P[0]@`?",
    );
    refused(b"\xff\xfe", "`file` names `even.pdb`, which is not UTF-8 text");
    let result = check(&directory, "even.pml", "pdb(file=\"odd.pdb\")");
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("`file` names `odd.pdb`, which cannot be read"), "{result:?}");
    let result = check(&directory, "even.pml", "pdb(x, file=\"even.pdb\")");
    assert!(result.err.contains("`file` cannot be given together with `of`"), "{result:?}");
    fs::write(directory.join("even.pdb"), "table wide\nkeep x, y, P, Q").expect("written");
    let result = check(&directory, "even.pml", "pdb(file=\"even.pdb\", states=5)");
    assert_eq!(result.code, 4, "{result:?}");
    let large = "`even.pdb`, line 1: table `wide` has too many abstract states, or too many steps \
                 between them; keep fewer";
    assert!(result.err.contains(large), "{result:?}");
}

/// Requests and replies alternate; `noise` makes the state space large.
const TURNS: &str = "mtype = { ask, reply };\nmtype:light = { red, green };\nbyte noise;\n\
    mtype next = ask; mtype:light lamp = red;\n\
    active proctype P() {\n\
    do :: next == ask -> d_step { lamp = green; next = reply }\n\
       :: next == reply -> d_step { lamp = red; next = ask }\n\
       :: noise++ od }\n\
    active proctype Q() { do :: assert(next != ask || lamp != green) od }\n";

#[test]
fn files_name_the_values_of_an_mtype() {
    let directory = scratch("pdb_mtype");
    fs::write(directory.join("turns.pml"), TURNS).expect("it can be written");
    let check = |text: &str| {
        fs::write(directory.join("turns.pdb"), text).expect("it can be written");
        check(&directory, "turns.pml", "pdb(file=\"turns.pdb\")")
    };
    let result = check("table turns\npredicate (next == reply) == (lamp == green)\nkeep next\n");
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    // One state for each property, without expansions: the file proves both.
    assert!(result.out.contains("\n2 states in "), "{result:?}");
    let result = check("table turns\n  classes lamp = red, grean\n  keep next\n");
    assert_eq!(result.code, 4, "{result:?}");
    let expected = "`turns.pdb`, line 2, column 23: there is no value `grean` in this model; did \
                    you mean `green`?";
    assert!(result.err.contains(expected), "{result:?}");
}

#[test]
fn tables_are_kept_from_one_run_to_the_next() {
    let directory = place("pdb_cache");
    let saved = directory.join("tables.bin");
    let with_cache = "pdb(file=\"even.pdb\", cache=\"tables.bin\")";
    let first = check(&directory, "even.pml", with_cache);
    assert_eq!(first.code, 0, "{first:?}");
    let bytes = fs::read(&saved).expect("it was written");
    // A comment does not change the model, and the cached tables are used.
    fs::write(directory.join("even.pml"), format!("/* the same */\n{EVEN}")).expect("written");
    let second = check(&directory, "even.pml", with_cache);
    assert_eq!((second.code, &fs::read(&saved).expect("it is there")), (0, &bytes), "{second:?}");
    // Other tables for the same model are added.
    let other = check(&directory, "even.pml", "pdb(cache=\"tables.bin\")");
    assert_eq!(other.code, 0, "{other:?}");
    assert!(fs::read(&saved).expect("it is there").len() > bytes.len());
}

#[test]
fn files_of_tables_that_cannot_be_used_are_refused_and_stay() {
    let directory = place("pdb_refused");
    let heuristic = "pdb(cache=\"tables.bin\")";
    assert_eq!(check(&directory, "even.pml", heuristic).code, 0);
    let saved = directory.join("tables.bin");
    let bytes = fs::read(&saved).expect("it was written");
    fs::write(directory.join("odd.pml"), EVEN.replace("x + 2", "x + 1")).expect("written");
    let refused = |model: &str, expected: &str| {
        let before = fs::read(&saved).expect("it is there");
        let result = check(&directory, model, heuristic);
        assert_eq!(result.code, 4, "{result:?}");
        let expected =
            format!("`cache`: `tables.bin` {expected}; name another file, or remove this one");
        assert!(result.err.contains(&expected), "{expected}\n{}", result.err);
        assert_eq!(fs::read(&saved).expect("it is there"), before);
    };
    refused("odd.pml", "was made for another model");
    fs::write(&saved, &bytes[..bytes.len() / 2]).expect("it can be written");
    refused("even.pml", "is cut off or damaged");
    fs::write(&saved, "garbage").expect("it can be written");
    refused("even.pml", "is not a file of pattern databases");
    let mut newer = bytes.clone();
    newer[12] = 9;
    fs::write(&saved, newer).expect("it can be written");
    refused("even.pml", "has version 9 of the format instead of 1");
    let result = check(&directory, "even.pml", "pdb(cache=\"no/such/place\")");
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("`cache` names `no/such/place`, which cannot be written"));
    let result = check(&directory, "even.pml", "pdb(cache=\".\")");
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("`cache` names `.`, which cannot be read"), "{result:?}");
    let result = check(&directory, "even.pml", "pdb(cache=7)");
    assert!(result.code == 4 && result.err.contains("`cache` is `7`"), "{result:?}");
}
