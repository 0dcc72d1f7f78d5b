//! Help texts and typical messages, as recorded in `snapshots/*.txt`. `UPDATE_EXPECT=1` rewrites the
//! texts; then read the difference with the eyes of a beginner.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use crate::run::{Run, run, run_in, scratch};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots")
}

/// The names of the commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).out;
    let (_, list) = help.split_once("Commands:\n").expect("there is a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !["", "help"].contains(name)).map(str::to_owned).collect()
}

#[test]
fn help_is_as_recorded() {
    let mut recorded = BTreeSet::new();
    let mut check = |name: String, args: &[&str]| {
        let result = run(args);
        assert_eq!((result.code, &*result.err), (0, ""), "{args:?}");
        expect_file![directory().join(&name)].assert_eq(&result.out);
        recorded.insert(name);
    };
    check("help.txt".to_owned(), &["--help"]);
    check("help-short.txt".to_owned(), &["-h"]);
    for command in commands() {
        check(format!("help-{command}.txt"), &[&command, "--help"]);
        check(format!("help-{command}-short.txt"), &[&command, "-h"]);
    }
    let entries = fs::read_dir(directory()).expect("the directory is part of the project");
    let files = entries.map(|entry| entry.expect("it can be read").file_name());
    let files = files.map(|name| name.into_string().expect("names are plain"));
    let files: BTreeSet<String> = files.filter(|name| name.starts_with("help")).collect();
    assert_eq!(files, recorded, "a text is of no command");
}

const MUTEX: &str = "/* expect: safe */\nbyte n;\nbool busy;\n\nactive [2] proctype User() {\n  \
                     !busy;\n  busy = true;\n  n++;\n  assert(n == 1);\n  n--;\n  \
                     busy = false\n}\n\nltl free { <>!busy }\n";

/// Command lines with typical messages, in a folder with models.
const LINES: [(&str, &[&[&str]]); 3] = [
    (
        "usage.txt",
        &[
            &[],
            &["chekc", "mutex.pml"],
            &["check"],
            &["check", "mutx.pml"],
            &["check", "mutex.pml", "--serch", "bfs"],
            &["check", "mutex.pml", "--search", "astr(hmax)"],
            &["check", "mutex.pml", "--search", "astar(hmaxx)"],
            &["check", "mutex.pml", "--store", "exakt"],
            &["check", "mutex.pml", "--property", "fre"],
            &["check", "mutex.pml", "--property", "ltl: [] (n"],
            &["check", "mutex.pml", "--expect", "deadlock=hold"],
            &["check", "mutex.pml", "--time", "5 parsecs"],
            &["check", "mutex.pml", "--memory", "4Q"],
            &["check", "mutex.pml", "-a"],
            &["count", "mutex.pml", "--jobs", "0"],
            &["replay", "mutex.pml"],
            &["improve", "mutex.pml"],
            &["test", "nowhere"],
            &["explain", "undeclared-variabel"],
            &["list", "serches"],
        ],
    ),
    (
        "verdicts.txt",
        &[
            &["check", "mutex.pml", "--quiet", "--jobs", "1"],
            &["check", "mutex.pml", "--quiet", "--jobs", "1", "--expect", "assertions=violated"],
            &["check", "mutex.pml", "--quiet", "--jobs", "1", "--expect-from-source"],
            &["check", "mutex.pml", "--quiet", "--property", "deadlock", "--depth", "2"],
            &["check", "stuck.pml", "--quiet", "--jobs", "1"],
            &["check", "lasso.pml", "--quiet", "--jobs", "1"],
            &["replay", "mutex.pml"],
        ],
    ),
    (
        "model-errors.txt",
        &[
            &["check", "wrong.pml"],
            &["lint", "mutex.pml"],
            &["check", "header.pml", "--expect-from-source"],
        ],
    ),
];

#[test]
fn messages_are_as_recorded() {
    let folder = scratch("snapshots");
    for (name, text) in [
        ("mutex.pml", MUTEX),
        ("stuck.pml", "active proctype P() { false }\n"),
        (
            "lasso.pml",
            "byte n;\nactive proctype P() { do :: n = 1 - n od }\nltl p { <>[](n == 1) }\n",
        ),
        ("wrong.pml", "active proctype P() {\n  count = 1\n}\n"),
        ("header.pml", "/* expect: asertions holds */\nactive proctype P() { skip }\n"),
    ] {
        fs::write(folder.join(name), text).expect("the folder is ours");
    }
    for (file, lines) in LINES {
        let mut text = String::new();
        for args in lines {
            let result = run_in(&folder, args);
            let words: Vec<&str> = ["$", "beeline"].iter().chain(*args).copied().collect();
            let (line, Run { code, out, err }) = (words.join(" "), result);
            text += &format!("{line}\n{err}{out}[exit code {code}]\n\n");
        }
        expect_file![directory().join(file)].assert_eq(&text);
    }
}
