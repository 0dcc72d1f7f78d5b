//! The data of charts: messages with senders and receivers, lifetimes of processes, states, routes
//! through the automata, and graphs of all states.

use std::collections::BTreeMap;

use beeline_checker::{Plan, check, count};
use beeline_engine::automata::AutomataOptions as Automata;
use beeline_model::{Chronicle, MessageFate, MessageRole, Model, Verdict, Violation};
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_promela_model::{PromelaModel, SemanticsOptions, route, state_graph};
use beeline_testkit::checking::promela;
use beeline_testkit::fixture;
use beeline_testkit::model::Disk;

fn read(text: &str) -> Frontend {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front
}

fn violations(model: &dyn Model, plan: &Plan) -> Vec<Violation> {
    let report = check(model, &model.properties(), plan, false, &mut beeline_checker::NoObserver);
    let report = report.expect("what is found can be confirmed");
    let violations = report.properties.into_iter().filter_map(|checked| match checked.verdict {
        Verdict::Violated(violations) => Some(violations),
        _ => None,
    });
    violations.flatten().collect()
}

/// The chronicle of the first violation.
fn told(text: &str, plan: &Plan) -> Chronicle {
    told_of(&promela(&read(text)), plan)
}

fn told_of(model: &dyn Model, plan: &Plan) -> Chronicle {
    let violation = violations(model, plan).into_iter().next().expect("something is wrong");
    model.chronicle(&violation.trail).expect("it was replayed before")
}

fn plain() -> Plan {
    Plan { plain: true, ..Plan::default() }
}

/// `channel text sent-in-step fate` of each message.
fn messages(chronicle: &Chronicle) -> Vec<String> {
    let message = |message: &beeline_model::Message| {
        let fate = match message.fate {
            MessageFate::Waits => "waits".to_owned(),
            MessageFate::Lost => "lost".to_owned(),
            MessageFate::Taken { step, pid } => format!("taken {step} by {pid}"),
            MessageFate::Met { pid } => format!("met {pid}"),
        };
        format!(
            "{} {} sent {} by {}: {fate}",
            message.channel, message.text, message.sent, message.sender
        )
    };
    chronicle.messages.iter().map(message).collect()
}

#[test]
fn a_message_is_followed_from_its_sender_to_its_receiver() {
    let text = "mtype = { one, two };\nchan q = [3] of { mtype, byte };\n\
                chan r = [0] of { byte };\n\
                active proctype A() { q!one, 7; q!two, 8; r!5 }\n\
                active proctype B() { byte n; r?n; q??two, n; q?<one, n>; q?one, n; assert(n == 0) }\n";
    let chronicle = told(text, &plain());
    let expected = [
        "q (one, 7) sent 0 by 0: taken 5 by 1",
        "q (two, 8) sent 1 by 0: taken 3 by 1",
        "r 5 sent 2 by 0: met 1",
    ];
    assert_eq!(messages(&chronicle), expected);
    assert_eq!(chronicle.step_details[4].parts, [MessageRole::Looks(0)]);
    assert_eq!(chronicle.step_details[2].parts, [MessageRole::Sends(2)]);
}

#[test]
fn sorted_sends_and_equal_messages_keep_their_identity() {
    let text = "chan q = [4] of { byte };\n\
                active proctype A() { byte n; q!!3; q!!1; q!!3; q?n; q?n; assert(false) }\n";
    let expected = [
        "q 3 sent 0 by 0: taken 4 by 0",
        "q 1 sent 1 by 0: taken 3 by 0",
        "q 3 sent 2 by 0: waits",
    ];
    assert_eq!(messages(&told(text, &plain())), expected);
}

#[test]
fn a_d_step_may_send_and_take_several_messages() {
    let text = "chan q = [2] of { byte };\nbyte n;\n\
                active proctype A() { d_step { q!1; q!2; q?n }; assert(n == 0) }\n";
    let chronicle = told(text, &plain());
    let expected = ["q 1 sent 0 by 0: taken 0 by 0", "q 2 sent 0 by 0: waits"];
    assert_eq!(messages(&chronicle), expected);
    assert_eq!(
        chronicle.step_details[0].parts,
        [MessageRole::Sends(0), MessageRole::Sends(1), MessageRole::Takes(0)]
    );
}

#[test]
fn a_lost_message_is_one_that_was_sent() {
    let text = "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2; assert(false) }\n";
    let front = read(text);
    let semantics = SemanticsOptions { lossy: true, ..SemanticsOptions::default() };
    let model = PromelaModel::new("m.pml", &front, semantics);
    let expected = ["q 1 sent 0 by 0: waits", "q 2 sent 1 by 0: lost"];
    assert_eq!(messages(&told_of(&model, &plain())), expected);
}

#[test]
fn processes_are_born_and_die_and_their_channels_with_them() {
    let text = "byte x;\nproctype C() { chan own = [1] of { byte }; own!3; x++ }\n\
                init { run C(); _nr_pr == 1; run C(); _nr_pr == 1; assert(x == 0) }\n";
    let chronicle = told(text, &plain());
    let lives: Vec<_> = chronicle
        .step_details
        .iter()
        .enumerate()
        .filter(|(_, one)| !one.started.is_empty() || one.ended.is_some())
        .map(|(at, one)| (at, one.started.clone(), one.ended))
        .collect();
    let expected =
        [(0, vec![1], None), (3, vec![], Some(1)), (5, vec![1], None), (8, vec![], Some(1))];
    assert_eq!(lives, expected);
    // Both messages are still in their channels when these cease to exist.
    let expected = ["C(1):own 3 sent 1 by 1: waits", "C(1):own 3 sent 6 by 1: waits"];
    assert_eq!(messages(&chronicle), expected);
    assert!(chronicle.step_details[3].delta.gone.contains(&"C(1):own".to_owned()));
}

#[test]
fn a_channel_that_is_passed_on_keeps_its_name() {
    let text = "chan hub = [1] of { chan };\n\
                active proctype A() { chan mine = [1] of { byte }; byte n; hub!mine; mine?n; assert(n == 0) }\n\
                active proctype B() { chan c; hub?c; c!4 }\n";
    let names: Vec<String> =
        told(text, &plain()).messages.into_iter().map(|message| message.channel).collect();
    assert_eq!(names, ["hub", "A(0):mine"]);
}

/// The last state, computed from the initial state and the differences of each step.
fn rebuilt(chronicle: &Chronicle) -> BTreeMap<String, String> {
    let mut values: BTreeMap<String, String> = chronicle.initial.values.iter().cloned().collect();
    for details in &chronicle.step_details {
        for name in &details.delta.gone {
            values.remove(name);
        }
        values.extend(details.delta.values.iter().cloned());
    }
    values
}

#[test]
fn differences_add_up_to_the_last_state_on_every_fixture() {
    let semantics = SemanticsOptions::default();
    let mut trails = 0;
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        for plan in [plain(), Plan::default()] {
            for violation in violations(&model, &plan) {
                let chronicle = model.chronicle(&violation.trail).unwrap();
                let end: BTreeMap<String, String> =
                    chronicle.story.end.values.iter().cloned().collect();
                assert_eq!(rebuilt(&chronicle), end, "{}", fixture.name);
                assert_eq!(chronicle.step_details.len(), chronicle.story.steps.len());
                let received = |message: &beeline_model::Message| match message.fate {
                    MessageFate::Taken { step, .. } => step >= message.sent,
                    _ => true,
                };
                assert!(chronicle.messages.iter().all(received), "{}", fixture.name);
                let route = route(&front, &violation.trail, semantics).unwrap();
                let turns =
                    |step: &beeline_model::StoryStep| 1 + usize::from(step.partner.is_some());
                let taken: usize = chronicle.story.steps.iter().map(turns).sum();
                assert_eq!(route.edges.values().sum::<usize>(), taken, "{}", fixture.name);
                let resting = chronicle.story.end.processes.len();
                assert_eq!(route.ends.values().sum::<usize>(), resting, "{}", fixture.name);
                trails += 1;
            }
        }
    }
    assert!(trails >= 10, "only {trails} trails");
}

#[test]
fn a_graph_has_the_states_and_transitions_that_count_counts() {
    let semantics = SemanticsOptions::default();
    let mut graphs = 0;
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        for (plan, options) in [(plain(), Automata::PLAIN), (Plan::default(), Automata::OPTIMISED)]
        {
            let Ok(graph) = state_graph(&front, options, semantics, 3_000) else { continue };
            let stats = count(&model, &plan, &mut beeline_checker::NoObserver)
                .expect("it can be counted")
                .stats;
            assert_eq!(graph.states.len() as u64, stats.stored, "{}", fixture.name);
            // SPIN counts the initial state as a transition, and no fault without a successor.
            let edges = graph.edges.iter().filter(|edge| edge.to.is_some()).count() as u64;
            assert_eq!(edges + 1, stats.transitions(), "{}", fixture.name);
            graphs += 1;
        }
    }
    assert!(graphs >= 10, "only {graphs} graphs");
}

#[test]
fn a_graph_shows_deadlocks_and_faults_and_has_a_limit() {
    let front =
        read("byte n;\nactive proctype P() { if :: n = 1; n == 2 :: n = 1 / n :: assert(n) fi }\n");
    let graph = state_graph(&front, Automata::PLAIN, SemanticsOptions::default(), 100).unwrap();
    assert_eq!(graph.states.iter().filter(|state| state.deadlock).count(), 1);
    let faults: Vec<_> =
        graph.edges.iter().filter_map(|edge| Some((edge.fault?, edge.to?))).collect();
    assert_eq!(faults.len(), 1, "the assertion leads on: {faults:?}");
    assert_eq!(
        graph.edges.iter().filter(|edge| edge.to.is_none()).count(),
        1,
        "the division does not"
    );
    assert!(state_graph(&front, Automata::PLAIN, SemanticsOptions::default(), 2).is_err());
}
