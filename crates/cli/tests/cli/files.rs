use std::fs;

use crate::run::{BAD, GOOD, run_in, scratch};

#[test]
fn a_missing_file_is_named_and_a_similar_one_is_offered() {
    let folder = scratch("missing");
    fs::write(folder.join("peterson.pml"), GOOD).unwrap();
    for name in ["petersen.pml", "peterson"] {
        let result = run_in(&folder, &["lint", name]);
        assert_eq!(result.out, "");
        assert!(result.err.contains(&format!("cannot read `{name}`: there is no such file")));
        assert!(result.err.contains("did you mean `peterson.pml`?"), "{}", result.err);
    }
    let result = run_in(&folder, &["lint", "nowhere/model.pml"]);
    assert!(result.err.contains("there is no directory `nowhere` either"), "{}", result.err);
}

#[test]
fn a_directory_is_no_model() {
    let folder = scratch("directory");
    let result = run_in(&folder, &["lint", "."]);
    assert!(result.err.contains("cannot read `.`: it is a directory"), "{}", result.err);
}

#[test]
fn a_comment_in_an_old_encoding_is_no_obstacle() {
    let folder = scratch("latin1");
    let mut model = b"/* Gr\xfc\xdfe */\n".to_vec();
    model.extend(GOOD.as_bytes());
    fs::write(folder.join("model.pml"), &model).unwrap();
    let result = run_in(&folder, &["lint", "model.pml"]);
    assert_eq!((result.code, &*result.out), (0, "model.pml: no problems\n"), "{result:?}");
}

#[test]
fn included_files_are_found_beside_the_file_and_in_the_directories_given() {
    let folder = scratch("include");
    fs::create_dir_all(folder.join("sub/deep")).unwrap();
    fs::create_dir_all(folder.join("lib")).unwrap();
    fs::write(folder.join("sub/model.pml"), "#include \"deep/a.h\"\n#include <c.h>\n").unwrap();
    fs::write(folder.join("sub/deep/a.h"), "#include \"b.h\"\n").unwrap();
    fs::write(folder.join("sub/deep/b.h"), "byte n;\n").unwrap();
    fs::write(folder.join("lib/c.h"), "active proctype P() { n = 1; assert(n == 1) }\n").unwrap();
    let found = run_in(&folder, &["lint", "sub/model.pml", "-I", "lib"]);
    assert_eq!(found.code, 0, "{found:?}");
    let lost = run_in(&folder, &["lint", "sub/model.pml"]);
    assert_eq!(lost.code, 3, "{lost:?}");
    assert!(lost.out.contains("c.h"), "{lost:?}");
}

#[test]
fn a_quoted_name_beside_the_file_comes_before_the_directories_given() {
    let folder = scratch("include-order");
    fs::create_dir_all(folder.join("lib")).unwrap();
    fs::write(folder.join("model.pml"), "#include \"p.h\"\n").unwrap();
    fs::write(folder.join("p.h"), GOOD).unwrap();
    fs::write(folder.join("lib/p.h"), BAD).unwrap();
    let result = run_in(&folder, &["lint", "-I", "lib", "model.pml"]);
    assert_eq!(result.code, 0, "{result:?}");
}

#[test]
fn a_directory_of_included_files_that_is_missing_is_reported() {
    let folder = scratch("include-nowhere");
    fs::write(folder.join("model.pml"), GOOD).unwrap();
    for command in ["check", "count", "lint", "hsf"] {
        let result = run_in(&folder, &[command, "model.pml", "-I", "nowhere"]);
        assert_eq!((result.code, &*result.out), (4, ""), "{command}: {result:?}");
        assert!(result.err.contains("-I: there is no directory `nowhere`"), "{result:?}");
    }
}

#[test]
fn an_error_in_an_included_file_says_who_includes_it() {
    let folder = scratch("included-error");
    fs::write(folder.join("model.pml"), "\n#include \"p.h\"\n").unwrap();
    fs::write(folder.join("p.h"), BAD).unwrap();
    let result = run_in(&folder, &["lint", "model.pml"]);
    assert!(result.out.contains("--> p.h:2:3"), "{}", result.out);
    assert!(result.out.contains("included from model.pml:2"), "{}", result.out);
}

#[test]
fn macros_can_be_defined_on_the_command_line() {
    let folder = scratch("define");
    let model =
        "byte n;\nactive [N] proctype P() {\n#ifdef ON\n  n = 1; assert(n == 1)\n#endif\n}\n";
    fs::write(folder.join("model.pml"), model).unwrap();
    let with = run_in(&folder, &["lint", "-DN=2", "-D", "ON", "model.pml"]);
    assert_eq!(with.code, 0, "{with:?}");
    let without = run_in(&folder, &["lint", "model.pml"]);
    assert_eq!(without.code, 3, "{without:?}");
}
