//! Automata of formulas by other programs: SPIN's never claims and lbt's generalised automata, read
//! into our automata.

use std::time::Duration;

use beeline_logic::{Atom, AtomLiteral, Buchi, BuchiEdge, BuchiState, Formula, Guard, parse};
use beeline_testkit::spin::{OracleError, run};

/// An automaton of another program.
#[derive(Debug)]
pub(crate) struct Theirs {
    pub(crate) automaton: Buchi,
    /// States and edges as the program printed them.
    pub(crate) states: usize,
    pub(crate) edges: usize,
}

const NAMES: &[&str] = &["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

/// The automaton of `spin -f`.
pub(crate) fn spin(formula: &Formula, limit: Duration) -> Result<Theirs, OracleError> {
    let text = formula.to_string();
    let answer = run("spin", ["-f", &text], std::path::Path::new("/"), limit)?;
    assert!(answer.success() && answer.stdout.starts_with("never"), "{text}: {}", answer.output());
    Ok(read_claim(&answer.stdout))
}

/// A never claim in SPIN's format.
pub(crate) fn read_claim(text: &str) -> Theirs {
    let text = text.split_once("*/").expect("the formula is a comment").1;
    let mut labels: Vec<Vec<&str>> = Vec::new();
    let mut bodies: Vec<Vec<&str>> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(label) = line.strip_suffix(':') {
            if !open {
                labels.push(Vec::new());
                bodies.push(Vec::new());
            }
            labels.last_mut().expect("just pushed").push(label);
            open = true;
        } else {
            open = false;
            if let Some(body) = bodies.last_mut() {
                body.push(line);
            }
        }
    }
    let all = labels.iter().position(|names| names.contains(&"accept_all"));
    let find = |label: &str| {
        let found = labels.iter().position(|names| names.contains(&label));
        found.unwrap_or_else(|| panic!("no label {label} in {text}"))
    };
    let mut states = Vec::new();
    let mut printed = 0;
    for (names, body) in labels.iter().zip(&bodies) {
        let mut edges = Vec::new();
        for line in body {
            if *line == "skip" {
                edges.push(BuchiEdge {
                    guard: Guard::default(),
                    to: all.expect("skip is there") as u32,
                });
                printed += 1;
            } else if let Some(choice) =
                line.strip_prefix(":: ").filter(|choice| *choice != "false")
            {
                let (guard, to) = match choice.strip_prefix("atomic { ") {
                    Some(choice) => {
                        let guard = choice.split_once(" -> assert").expect("asserts").0;
                        (guard, all.expect("what ends everything is there"))
                    }
                    None => {
                        let (guard, label) = choice
                            .split_once(" -> goto ")
                            .unwrap_or_else(|| panic!("no jump in {line}\n{text}"));
                        (guard, find(label))
                    }
                };
                edges.extend(letters(guard).map(|guard| BuchiEdge { guard, to: to as u32 }));
                printed += 1;
            } else {
                assert!(
                    ["do", "od;", "if", "fi;", "}", "false;", ":: false"].contains(line),
                    "{line}"
                );
            }
        }
        let accepting = names.iter().any(|name| name.starts_with("accept"));
        states.push(BuchiState { accepting, edges });
    }
    let start = find("T0_init") as u32;
    Theirs { states: states.len(), edges: printed, automaton: Buchi { start, states } }
}

/// A guard as the letters that satisfy it.
fn letters(guard: &str) -> impl Iterator<Item = Guard> {
    let mut names = NAMES.iter().map(|&name| name.to_owned()).collect();
    let formula = parse(guard, &mut names).unwrap_or_else(|error| panic!("{guard}: {error}"));
    assert_eq!(names.len(), NAMES.len(), "unknown names in {guard}");
    satisfying(formula)
}

fn satisfying(formula: Formula) -> impl Iterator<Item = Guard> {
    let atoms = formula.atoms();
    let count = 1usize << atoms.len();
    let letter = move |number: usize| -> Vec<AtomLiteral> {
        let literal =
            |(at, &atom): (usize, &Atom)| AtomLiteral { atom, positive: number >> at & 1 == 1 };
        atoms.iter().enumerate().map(literal).collect()
    };
    (0..count).map(letter).filter_map(move |literals| {
        let holds = |atom| literals.iter().any(|one| one.atom == atom && one.positive);
        truth(&formula, &holds).then(|| Guard::new(literals.clone()).expect("each atom once"))
    })
}

fn truth(formula: &Formula, holds: &dyn Fn(Atom) -> bool) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Atom(atom) => holds(*atom),
        Formula::Not(one) => !truth(one, holds),
        Formula::And(one, two) => truth(one, holds) && truth(two, holds),
        Formula::Or(one, two) => truth(one, holds) || truth(two, holds),
        _ => panic!("guards have no time: {formula}"),
    }
}

/// The automaton of `lbt`.
pub(crate) fn lbt(formula: &Formula, limit: Duration) -> Result<Theirs, OracleError> {
    let mut text = String::new();
    prefix(formula, &mut text);
    let script = "printf '%s\\n' \"$1\" | lbt";
    let answer = run("sh", ["-c", script, "sh", &text], std::path::Path::new("/"), limit)?;
    assert!(answer.success() && !answer.stdout.is_empty(), "{text}: {}", answer.output());
    Ok(read_lbt(&answer.stdout))
}

/// The formula in prefix notation.
fn prefix(formula: &Formula, text: &mut String) {
    text.push_str(match formula {
        Formula::True => "t ",
        Formula::False => "f ",
        Formula::Atom(_) => "",
        Formula::Not(_) => "! ",
        Formula::And(..) => "& ",
        Formula::Or(..) => "| ",
        Formula::Next(_) => "X ",
        Formula::Until(..) => "U ",
        Formula::Release(..) => "V ",
    });
    if let Formula::Atom(atom) = formula {
        text.push_str(&format!("p{} ", atom.0));
    }
    formula.operands().for_each(|operand| prefix(operand, text));
}

/// lbt's automaton: sets of accepting states, degeneralised by a counter.
fn read_lbt(text: &str) -> Theirs {
    let mut words = text.split_whitespace();
    let number = |words: &mut std::str::SplitWhitespace<'_>| -> i64 {
        words.next().expect("not at the end").parse().expect("a number")
    };
    let (count, sets) = (number(&mut words) as usize, number(&mut words) as usize);
    if count == 0 {
        let states = vec![BuchiState { accepting: false, edges: Vec::new() }];
        return Theirs { states: 0, edges: 0, automaton: Buchi { start: 0, states } };
    }
    let mut accepting: Vec<Vec<bool>> = vec![vec![false; sets]; count];
    let mut edges: Vec<Vec<(Formula, usize)>> = vec![Vec::new(); count];
    let mut start = 0;
    for _ in 0..count {
        let state = number(&mut words) as usize;
        if number(&mut words) == 1 {
            start = state;
        }
        loop {
            match number(&mut words) {
                -1 => break,
                set => accepting[state][set as usize] = true,
            }
        }
        loop {
            match number(&mut words) {
                -1 => break,
                to => edges[state].push((infix(&mut words), to as usize)),
            }
        }
    }
    let printed = edges.iter().map(Vec::len).sum();
    // The copy `level` of a state waits for set `level`; the last copy accepts.
    let place = |state: usize, level: usize| (state * (sets + 1) + level) as u32;
    let mut states = Vec::new();
    for state in 0..count {
        for level in 0..=sets {
            let reached = if level == sets { 0 } else { level };
            let next = (reached..sets).take_while(|&set| accepting[state][set]).count() + reached;
            let guards = edges[state].iter().flat_map(|(guard, to)| {
                satisfying(guard.clone()).map(|guard| BuchiEdge { guard, to: place(*to, next) })
            });
            states.push(BuchiState { accepting: level == sets, edges: guards.collect() });
        }
    }
    Theirs { states: count, edges: printed, automaton: Buchi { start: place(start, 0), states } }
}

fn infix<'a>(words: &mut impl Iterator<Item = &'a str>) -> Formula {
    match words.next().expect("a guard is complete") {
        "t" => Formula::True,
        "f" => Formula::False,
        "!" => infix(words).not(),
        "&" => {
            let one = infix(words);
            one.and(infix(words))
        }
        "|" => {
            let one = infix(words);
            one.or(infix(words))
        }
        atom => Formula::atom(atom[1..].parse().expect("atoms are p0, p1 and so on")),
    }
}
