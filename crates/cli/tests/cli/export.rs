//! Models as planning tasks and back, and planning tasks as models and back.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{Run, run_in, scratch};

/// Three philosophers who take the left fork first.
const PHILOSOPHERS: &str = "#ifndef N\n#define N 3\n#endif\nchan fork[N] = [1] of { bit };
active [N] proctype philosopher() {
  fork[_pid]!1;
  do :: fork[_pid]?1 -> fork[(_pid + 1) % N]?1; fork[(_pid + 1) % N]!1; fork[_pid]!1 od
}\n";

/// An assertion behind an atomic sequence, a rendezvous and a `timeout`.
const MIXED: &str = "unsigned n : 2; chan c = [0] of { byte };
active proctype P() { atomic { n++; c!n; n++ } timeout; assert(n == 1) }
active proctype Q() { unsigned got : 2; c?got; n = got + n }\n";

/// Processes that wait with two transitions, and for the same queue: the deadlock that the encoding
/// of the competition does not have.
const WAITING: &str = "chan a = [1] of { bit }; chan b = [1] of { bit };
active proctype P() { a!1; a?1; do :: a?1 -> b!1 :: b?1 -> a!1 od }
active proctype Q() { do :: a?1 -> b!1 :: b?0 -> a!1 od }\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("model.pml"), model).expect("the model can be written");
    folder
}

fn object(run: &Run) -> Value {
    serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

/// The cost and the length of a cheapest plan; `None` if there is none.
fn plan(folder: &Path, options: &[&str]) -> Option<(u64, u64)> {
    let line = ["plan", "task/domain.pddl", "task/problem.pddl", "--json", "--out", "plan"];
    let line: Vec<&str> = line.iter().chain(options).copied().collect();
    let found = run_in(folder, &line);
    let object = object(&found);
    match found.code {
        0 => Some((object["cost"].as_u64()?, object["length"].as_u64()?)),
        1 => None,
        code => panic!("{code}: {}", found.out),
    }
}

fn export(folder: &Path, options: &[&str]) -> Run {
    let line = ["export", "model.pml", "--to", "pddl", "--out", "task"];
    run_in(folder, &line.iter().chain(options).copied().collect::<Vec<_>>())
}

#[test]
fn a_cheapest_plan_is_a_shortest_trail() {
    let cases = [
        (PHILOSOPHERS, "deadlock", "invalid end state"),
        (MIXED, "assertions", "assertion violated"),
    ];
    for (model, property, error) in cases {
        let folder = folder(&format!("export-{property}"), model);
        let line = ["check", "model.pml", "--property", property, "--search", "astar(hmax)"];
        let line: Vec<&str> = line.into_iter().chain(["--json", "--no-trail"]).collect();
        let checked = object(&run_in(&folder, &line));
        let trail = &checked["properties"][0]["trail"];
        assert_eq!(trail["shortest"], true, "{checked}");
        let steps = trail["steps"].as_u64().expect("a number");
        for form in ["--strips", "--adl"] {
            let exported = export(&folder, &["--property", property, form]);
            assert_eq!((exported.code, &*exported.err), (0, ""), "{}", exported.err);
            let found = plan(&folder, &["--search", "astar(hmax)"]).expect("there is a plan");
            assert_eq!(found.0, steps, "{property} {form}");
            let line = ["import-plan", "model.pml", "plan", "--json", "--trail", "found.trail"];
            let back = run_in(&folder, &line);
            let object = object(&back);
            assert_eq!((back.code, &object["verdict"]), (1, &"violated".into()), "{}", back.out);
            assert_eq!(object["property"], property);
            assert_eq!(object["trail"]["steps"], steps);
            assert_eq!(object["trail"]["error"], error);
            let replayed = run_in(&folder, &["replay", "model.pml", "found.trail"]);
            assert!(replayed.out.contains(error), "{}", replayed.out);
        }
    }
}

#[test]
fn a_task_without_a_plan_is_a_model_without_errors() {
    let folder = folder("export-safe", &PHILOSOPHERS.replace("active [N]", "active [1]"));
    assert_eq!(export(&folder, &[]).code, 0);
    // The other forks are never laid: a single philosopher waits for one.
    assert!(plan(&folder, &[]).is_some());
    let safe = "chan c = [1] of { bit }; active proctype P() { do :: c!1 -> c?1 od }\n";
    fs::write(folder.join("model.pml"), safe).unwrap();
    assert_eq!(export(&folder, &[]).code, 0);
    assert_eq!(plan(&folder, &[]), None);
}

#[test]
fn mistakes_in_plans_are_reported_with_their_place() {
    let folder = folder("export-mistakes", PHILOSOPHERS);
    let import = |text: &str| {
        fs::write(folder.join("plan"), text).unwrap();
        let result = run_in(&folder, &["import-plan", "model.pml", "plan"]);
        (result.code, result.err.lines().next().unwrap_or_default().to_owned())
    };
    let unknown = "error: `plan`: action 2, `s99-e1-philosopher-0`, is no action of the exported \
                   model";
    assert_eq!(import("(s0-e0-philosopher-0)\n(s99-e1-philosopher-0)\n"), (4, unknown.to_owned()));
    let twice = "error: `plan`: action 2, `s0-e0-philosopher-0`, cannot be executed: \
                 `philosopher[0] fork[_pid]!1` is not executable";
    let plan = "(s0-e0-philosopher-0)\n(s0-e0-philosopher-0)\n";
    assert_eq!(import(plan), (4, twice.to_owned()));
    let short = "error: `plan`: the plan can be executed, but no property is violated at its end";
    assert_eq!(import("(s0-e0-philosopher-0)\n"), (4, short.to_owned()));
    let (code, message) = import("philosopher 0\n");
    assert!(code == 4 && message.starts_with("error: `plan` is not a plan: line 1"), "{message}");
}

#[test]
fn models_that_do_not_fit_are_refused_with_the_reason() {
    let refused = |name: &str, model: &str, options: &[&str]| {
        let result = export(&folder(name, model), options);
        assert_eq!(result.code, 4, "{}", result.out);
        result.err.lines().next().unwrap_or_default().to_owned()
    };
    let counts = "int ticks; active proctype P() { do :: ticks = ticks + 1 od }\n";
    assert_eq!(
        refused("export-ticks", counts, &[]),
        "error: `model.pml` is not exported: `ticks` may have more than 1024 values"
    );
    let message = refused("export-ipc4", MIXED, &["--encoding", "ipc4"]);
    assert!(message.contains("the encoding ipc4 has statements on buffered channels"), "{message}");
    let message =
        refused("export-formula", PHILOSOPHERS, &["--property", "ltl: [] <> (len(fork[0]) == 0)"]);
    assert!(message.contains("none of the properties is about one of them"), "{message}");
}

#[test]
fn the_style_of_the_competition_has_its_lengths() {
    let folder = folder("export-queues", &PHILOSOPHERS.replace("define N 3", "define N 2"));
    let exported = export(&folder, &["--encoding", "ipc4"]);
    assert_eq!((exported.code, &*exported.err), (0, ""));
    assert_eq!(plan(&folder, &["--search", "astar(hmax)"]), Some((22, 22)));
    let back = run_in(&folder, &["import-plan", "model.pml", "plan", "-q", "--no-trail"]);
    let expected = "deadlock: violated, invalid end state after 4 steps (there may be a shorter \
                    trail)\n";
    assert_eq!((back.code, &*back.out), (1, expected));
}

#[test]
fn processes_that_wait_with_several_transitions_are_blocked() {
    let folder = folder("export-waiting", WAITING);
    assert_eq!(export(&folder, &["--encoding", "ipc4"]).code, 0);
    // Two steps are four actions each, four transitions are blocked by two, and two processes.
    assert_eq!(plan(&folder, &["--search", "astar(hmax)"]), Some((18, 18)));
    let back = run_in(&folder, &["import-plan", "model.pml", "plan", "-q", "--no-trail"]);
    assert_eq!(back.code, 1, "{}", back.err);
    assert!(
        back.out.starts_with("deadlock: violated, invalid end state after 2 steps"),
        "{}",
        back.out
    );
    // With the rules of the competition, activation consumes the right to activate.
    let domain = fs::read_to_string(folder.join("task/domain.pddl")).unwrap();
    fs::write(folder.join("task/domain.pddl"), with_the_defect(&domain)).unwrap();
    assert_eq!(plan(&folder, &[]), None);
}

/// Two stations of an optical telegraph, as in the first instance of the competition.
const TELEGRAPH: &str = "#define N 2
#define K ((_pid - N + 1) % N)
mtype = { start, control, attention, data, stop };
chan up[N] = [1] of { mtype }; chan down[N] = [1] of { mtype };
chan station[N] = [1] of { mtype };
active [N] proctype DownStation() { do
  :: down[_pid]?start -> station[_pid]!control; up[_pid]!attention;
    do :: down[_pid]?data -> up[_pid]!data :: down[_pid]?stop -> break od;
    up[_pid]!stop; station[_pid]?control
  :: station[_pid]!control -> up[_pid]!start; down[_pid]?attention;
    do :: up[_pid]!data -> down[_pid]?data :: up[_pid]!stop -> break od;
    down[_pid]?stop; station[_pid]?control od }
active [N] proctype UpStation() { do
  :: up[K]?start -> station[_pid - N]!control; down[K]!attention;
    do :: up[K]?data -> down[K]!data :: up[K]?stop -> break od;
    down[K]!stop; station[_pid - N]?control
  :: station[_pid - N]!control -> down[K]!start; up[K]?attention;
    do :: down[K]!data -> up[K]?data :: down[K]!stop -> break od;
    up[K]?stop; station[_pid - N]?control od }\n";

/// A domain with the defect of the competition's: activation consumes the right to activate.
fn with_the_defect(domain: &str) -> String {
    let consumed = domain.replace(
        "(blocked-trans ?p ?t) (not (activate ?p ?t)) (pending ?p)",
        "(blocked-trans ?p ?t) (not (activate ?p ?t))",
    );
    let consumed = consumed.replace("(pending ?p) (blocked-trans", "(blocked-trans");
    assert!(consumed != domain);
    consumed
}

/// Optimal plans of the competition's instances for the telegraph have 18 actions for each station.
/// They end in a deadlock after six steps, where each process waits with one transition. After four
/// steps, two stations wait with two transitions each: 32 actions, but not with the defect.
#[test]
fn the_defect_hides_the_first_deadlock_of_the_telegraph() {
    let folder = folder("export-telegraph", TELEGRAPH);
    assert_eq!(export(&folder, &["--encoding", "ipc4"]).code, 0);
    let domain = fs::read_to_string(folder.join("task/domain.pddl")).unwrap();
    fs::write(folder.join("task/domain.pddl"), with_the_defect(&domain)).unwrap();
    assert_eq!(plan(&folder, &["--search", "astar(hmax)"]), Some((36, 36)));
    let import = ["import-plan", "model.pml", "plan", "-q", "--no-trail"];
    let back = run_in(&folder, &import);
    assert!(back.out.contains("invalid end state after 6 steps"), "{}", back.out);
}

const ROBOT: &str = "(define (domain robot) (:requirements :adl)
  (:predicates (at ?r) (door ?a ?b) (open ?a ?b) (lit ?r) (seen ?r))
  (:action move :parameters (?from ?to) :precondition (and (at ?from) (open ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (when (lit ?to) (seen ?to))))
  (:action unlock :parameters (?from ?to) :precondition (and (at ?from) (door ?from ?to))
    :effect (open ?from ?to))
  (:action light :parameters (?r) :effect (lit ?r)))\n";
const ROOMS: &str = "(define (problem rooms) (:domain robot) (:objects hall kitchen cellar)
  (:init (at hall) (door hall kitchen) (door kitchen cellar) (open kitchen hall))
  (:goal (and (seen kitchen) (at cellar))))\n";

#[test]
fn a_trail_of_an_exported_planning_task_is_a_plan() {
    let folder = scratch("export-promela");
    fs::write(folder.join("robot.pddl"), ROBOT).unwrap();
    fs::write(folder.join("rooms.pddl"), ROOMS).unwrap();
    let line = ["export", "robot.pddl", "rooms.pddl", "--to", "promela", "--out", "model"];
    let exported = run_in(&folder, &line);
    let file = Path::new("model").join("model.pml");
    assert_eq!((exported.code, &*exported.out), (0, &*format!("{}\n", file.display())));
    let line = ["check", "model/model.pml", "--search", "bfs", "--property", "assertions", "-q"];
    let checked = run_in(&folder, &line);
    assert!(checked.out.contains("after 5 steps"), "{}", checked.out);
    let line = ["import-trail", "robot.pddl", "rooms.pddl", "model.pml.trail", "--out", "plan"];
    let back = run_in(&folder, &line);
    assert_eq!((back.code, &*back.out), (0, "; the plan is valid: 5 actions, cost 5\n"));
    let validated = run_in(&folder, &["plan", "robot.pddl", "rooms.pddl", "--validate", "plan"]);
    assert_eq!(validated.code, 0, "{}", validated.out);
    // A trail that is cut short leads to no goal.
    let trail = fs::read_to_string(folder.join("model.pml.trail")).unwrap();
    let lines: Vec<&str> = trail.lines().collect();
    fs::write(folder.join("short.trail"), lines[..lines.len() - 1].join("\n")).unwrap();
    let line = ["import-trail", "robot.pddl", "rooms.pddl", "short.trail"];
    let short = run_in(&folder, &line);
    assert_eq!(short.code, 1, "{}", short.out);
    assert!(short.out.ends_with("the goal does not hold after the last step\n"), "{}", short.out);
}

#[test]
fn the_files_have_to_fit_the_format() {
    let folder = folder("export-usage", PHILOSOPHERS);
    let line = ["export", "model.pml", "--to", "promela", "--out", "task"];
    let result = run_in(&folder, &line);
    assert_eq!(result.code, 4);
    assert!(result.err.contains("--to promela needs two files"), "{}", result.err);
    let line = ["export", "model.pml", "other.pml", "--to", "sas", "--out", "task"];
    let result = run_in(&folder, &line);
    assert_eq!(result.code, 4);
    assert!(result.err.contains("--to pddl and --to sas need one file"), "{}", result.err);
    let sas = run_in(&folder, &["export", "model.pml", "--to", "sas", "--out", "task"]);
    assert_eq!(sas.code, 0, "{}", sas.err);
    let text = fs::read_to_string(folder.join("task/output.sas")).unwrap();
    assert!(text.starts_with("begin_version\n3\nend_version\n") && text.ends_with("\n0\n"));
}
