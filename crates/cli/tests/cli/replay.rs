use std::fs;
use std::path::Path;
use std::time::Duration;

use beeline_testkit::fixture::{self, Clause, Fixture};
use beeline_testkit::spin;
use serde_json::Value;

use crate::run::{run_in, scratch};

const LIMIT: Duration = Duration::from_secs(60);

const MODEL: &str = "mtype = { red, green };\nmtype light = red;\nchan q = [2] of { mtype, byte };\n\
    chan r = [0] of { byte };\nbyte n;\n\
    active proctype P() { byte x; light = green; q!light, 7; r!3; x = 2; assert(x == n) }\n\
    active proctype Q() { r?n; q?_, _ }\n";

fn model(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), MODEL).expect("the test directory is ours");
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]);
    assert_eq!(result.code, 1, "{result:?}");
    folder
}

#[test]
fn a_story_has_who_where_what_and_what_changed() {
    let folder = model("replay-story");
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    for needle in [
        "light = green   {light: red -> green}",
        "{q: [] -> [(green, 7)]}",
        "r!3  =>  Q(1) m.pml:7 r?n   {n: 0 -> 3}",
        "{P(0):x: 0 -> 2}",
        "P(0)  m.pml:6 ",
        "assertion violated: assert(x == n) with x = 2, n = 3",
    ] {
        assert!(result.out.contains(needle), "{needle} is not in\n{}", result.out);
    }
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(object["error"], "assertion violated");
    let steps = object["steps"].as_array().unwrap();
    let meeting = steps.iter().find(|step| !step["partner"].is_null()).unwrap();
    assert_eq!(meeting["process"], "P");
    assert_eq!(meeting["partner"]["line"], 7);
    assert!(object["values"].as_array().unwrap().iter().any(|one| one["name"] == "light"));
}

#[test]
fn columns_show_who_does_what() {
    let folder = scratch("replay-columns");
    let model = "chan q = [1] of { byte };\nchan r = [0] of { byte };\n\
                 active proctype P() { q!7; r!3; assert(false) }\n\
                 active proctype Q() { byte x; d_step { r?x; printf(\"got %d\\n\", x) } }\n";
    fs::write(folder.join("m.pml"), model).unwrap();
    assert_eq!(run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]).code, 1);
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--columns"]);
    assert_eq!(result.code, 0, "{result:?}");
    let expected = "     P(0)           Q(1)
  1  q!7                                               {q: [] -> [7]}
  2  r!3            d_step { r?x; printf(\"got %d\\n\"…
                    | got 3
  3  assert(false)                                    !! assertion violated
after 3 steps: assertion violated: assert(false)
  P(0) is at m.pml:3: -end-
  Q(1) is at m.pml:4: -end-
  Q(1):x = 3
  q = [7]
";
    assert_eq!(result.out, expected);
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--columns", "--json"]);
    assert_eq!(result.code, 4, "{result:?}");
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(object["steps"][1]["printed"], "got 3\n", "{object}");
    assert_eq!(object["steps"][0]["changes"][0]["after"], "[7]", "{object}");
}

/// The fixtures with a trail to a violation.
fn faulty() -> Vec<Fixture> {
    let mut all = fixture::all();
    // Formulas and claims have tests of their own.
    all.retain(|fixture| {
        let file = fixture.file.to_str().expect("the path is UTF-8");
        let kinds = ["deadlock", "assertions", "trace"].map(|kind| ["--property", kind]);
        let has_trace =
            |clause: &Clause| matches!(clause, Clause::Trace { .. } | Clause::Notrace { .. });
        let asked = if fixture.expect.clauses.iter().any(has_trace) { 3 } else { 2 };
        let args = [&["check", file, "--no-trail"], &kinds[..asked].concat()[..]].concat();
        run_in(Path::new("."), &args).code == 1
    });
    assert!(all.len() >= 5, "only {} models have errors", all.len());
    all
}

#[test]
fn our_trails_replay_here_and_in_spin() {
    let has_spin = spin::available_or_skip("our_trails_replay_here_and_in_spin");
    let folder = scratch("replay-ours");
    for fixture in faulty() {
        let file = fixture.file.to_str().unwrap();
        for mode in [&["--plain"][..], &[]] {
            let args = [&["check", file, "--quiet", "--trail", "t.trail"], mode].concat();
            assert_eq!(run_in(&folder, &args).code, 1, "{}", fixture.name);
            let result = run_in(&folder, &["replay", file, "t.trail"]);
            assert_eq!(result.code, 0, "{}: {result:?}", fixture.name);
            if has_spin {
                let args = ["-t", "-p", "-k", "t.trail", file];
                let answer = spin::run("spin", args, &folder, LIMIT).unwrap();
                let text = answer.output();
                assert!(text.contains("spin: trail ends after"), "{}: {text}", fixture.name);
                for complaint in ["transition failed", "not executable", "cannot find"] {
                    assert!(!text.contains(complaint), "{} {mode:?}: {text}", fixture.name);
                }
            }
        }
    }
}

#[test]
fn trails_of_spin_replay_here() {
    if !spin::available_or_skip("trails_of_spin_replay_here") {
        return;
    }
    for fixture in faulty() {
        for translator in [spin::Translator::Default, spin::Translator::Plain] {
            if fixture.name == "silent_dead_variable" && translator == spin::Translator::Default {
                continue; // SPIN reports no error here.
            }
            let folder = scratch("replay-spin");
            fs::write(folder.join("m.pml"), &fixture.text).unwrap();
            let mut args = vec!["-a"];
            args.extend(translator.options());
            args.push("m.pml");
            assert!(spin::run("spin", args, &folder, LIMIT).unwrap().success());
            let args = ["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
            assert!(spin::run(spin::c_compiler(), args, &folder, LIMIT).unwrap().success());
            // One error is beyond SPIN's default depth.
            spin::run(folder.join("pan"), ["-c1", "-m100000"], &folder, LIMIT).unwrap();
            let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
            assert_eq!(result.code, 0, "{} {translator:?}: {result:?}", fixture.name);
        }
    }
}

#[test]
fn trails_of_claims_go_both_ways() {
    if !spin::available_or_skip("trails_of_claims_go_both_ways") {
        return;
    }
    let model = "byte x;\nactive proctype A() { do :: x < 3 -> x++ :: x = 0 od }\n\
                 active proctype B() { do :: x == 2 -> x = 5; break od }\n\
                 never { do :: x == 5 -> break :: else od; do :: x == 0 -> break :: else od }\n";
    for plain in [false, true] {
        let folder = scratch("replay-claim");
        fs::write(folder.join("m.pml"), model).unwrap();
        let mode = if plain { &["--plain"][..] } else { &[] };
        let args = [&["check", "m.pml", "--quiet"], mode].concat();
        assert_eq!(run_in(&folder, &args).code, 1);
        let translator = if plain { spin::Translator::Plain } else { spin::Translator::Default };
        let mut args = translator.options().to_vec();
        args.extend(["-t", "-p", "m.pml"]);
        let text = spin::run("spin", args, &folder, LIMIT).unwrap().output();
        assert!(text.contains("spin: trail ends after 15 steps"), "{text}");
        assert!(text.contains("x = 0\n") && !text.contains("transition failed"), "{text}");
        let mut args = vec!["-a"];
        args.extend(translator.options());
        args.push("m.pml");
        assert!(spin::run("spin", args, &folder, LIMIT).unwrap().success());
        let args = ["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
        assert!(spin::run(spin::c_compiler(), args, &folder, LIMIT).unwrap().success());
        fs::remove_file(folder.join("m.pml.trail")).unwrap();
        spin::run(folder.join("pan"), ["-c1"], &folder, LIMIT).unwrap();
        let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
        assert_eq!(result.code, 0, "{result:?}");
        assert!(result.out.contains("never claim violated"), "{result:?}");
    }
}
