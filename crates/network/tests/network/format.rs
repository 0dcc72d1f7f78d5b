//! The text format of networks: parsing, printing, and error messages.

use beeline_network::generate::{Hanoi, arbiter, hanoi, random};
use beeline_network::{Network, read};

const PAIR: &str = "\
# a comment
process one   # its name
states 3
init 0 2
error 1 2
trans 0 go 1
trans 1 tau 2

process two
states 1
init 0
error all
trans 0 go 0
";

/// The error message for a text.
fn mistake(text: &str) -> String {
    read(text).expect_err("there is a mistake").to_string()
}

/// The pair of processes, with one text replaced by another.
fn changed(from: &str, to: &str) -> String {
    assert!(PAIR.contains(from), "{from}");
    PAIR.replacen(from, to, 1)
}

fn survives_printing(network: &Network) {
    let text = network.to_string();
    let again = read(&text).expect("what is printed can be read");
    assert_eq!(again, *network, "{text}");
    assert_eq!(again.to_string(), text);
}

#[test]
fn what_is_read_is_what_was_written() {
    let network = read(PAIR).expect("there is no mistake");
    let [one, two] = network.processes() else { panic!("{network:?}") };
    assert_eq!((one.name.as_str(), one.states), ("one", 3));
    assert_eq!((&one.initial[..], &one.error[..]), (&[0, 2][..], &[false, true, true][..]));
    assert!(two.is_indifferent() && !one.is_indifferent());
    let [go] = network.actions() else { panic!("{network:?}") };
    assert_eq!((go.name.as_str(), go.processes), ("go", [0, 1]));
    assert_eq!(network.action_name(one.transitions[0].action), "go");
    assert_eq!(network.action_name(one.transitions[1].action), "tau");
}

#[test]
fn printing_and_reading_back_gives_the_same_network() {
    survives_printing(&read(PAIR).expect("there is no mistake"));
    for size in 1..5 {
        survives_printing(&arbiter(size));
        survives_printing(&hanoi(size, Hanoi::Top));
        survives_printing(&hanoi(size, Hanoi::Deciding));
    }
    for seed in 0..50 {
        survives_printing(&random(2 + seed as usize % 9, seed));
    }
}

#[test]
fn mistakes_are_told_with_line_cause_and_cure() {
    let all = [
        ("", "line 1: there is no process; the lines of a process are: "),
        ("# nothing\n\n", "line 2: there is no process; "),
        ("states 3\n", "line 1: `states` before the first process; begin with `process NAME`"),
        ("process\n", "line 1: a process has one name, not 0; write `process NAME`"),
        ("process a b\n", "line 1: a process has one name, not 2; "),
        ("process a\ninit 0\n", "line 2: `init` before the states of `a`; write `states N`"),
        ("process a\n", "line 1: process `a` has no states; add `states N`"),
        ("process a\nstates 0\n", "line 2: a process needs at least one state; "),
        ("process a\nstates x\n", "line 2: `x` is not a number; "),
        ("process a\nstates -1\n", "line 2: `-1` is not a number; "),
        ("process a\nstates 1 2\n", "line 2: `states` takes one number; "),
        ("process a\nstates 70000\n", "line 2: 70000 states are too many; "),
        (
            "process a\nstates 99999999999\n",
            "line 2: the number 99999999999 is too large; a process has at most 65535 states",
        ),
        ("process a\nstates 1\nstates 1\n", "line 3: the number of states of `a` is given twice; "),
        ("process a\nstates 1\nerror all\n", "line 1: process `a` has no initial state; "),
        ("process a\nstates 1\ninit 0\n", "line 1: process `a` has no error states; "),
        ("process a\nstates 1\ninit\n", "line 3: `init` without a state; write `init S ...`"),
        ("process a\nstates 1\nerror\n", "line 3: `error` without a state; "),
        (
            "process a\nstates 1\nend 0\n",
            "line 3: no line begins with `end`; the lines of a process",
        ),
    ];
    for (text, expected) in all {
        let found = mistake(text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    let within = [
        ("init 0 2", "init 3", "line 4: there is no state 3 in `one`; it has the states 0 to 2"),
        ("error 1 2", "error 1 9", "line 5: there is no state 9 in `one`; "),
        ("error 1 2", "error all 2", "line 5: `all` is not a number; "),
        ("trans 0 go 1", "trans 0 go 5", "line 6: there is no state 5 in `one`; "),
        ("trans 0 go 1", "trans 0 go", "line 6: `trans` takes three words, not 2; "),
        ("trans 0 go 1", "trans 0 run 1", "line 6: only one process has the action `run`; "),
        ("process two", "process one", "line 9: process `one` is already defined in line 2; "),
    ];
    for (from, to, expected) in within {
        let found = mistake(&changed(from, to));
        assert!(found.starts_with(expected), "{to:?}: {found}");
    }
    let third = format!("{PAIR}process three\nstates 1\ninit 0\nerror all\ntrans 0 go 0\n");
    let expected =
        "line 18: a third process has the action `go`; an action is shared by two processes";
    assert!(mistake(&third).starts_with(expected), "{}", mistake(&third));
}
