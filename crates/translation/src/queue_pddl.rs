//! Processes, queues and transitions as PDDL objects, in the style of the Promela domains of the
//! fourth planning competition.
//!
//! Source: [EMJ05], the section on planning; the domains are [Ede03]'s. A step of the model has four
//! actions: a process activates a transition, reads from or writes to the queue, the queue advances,
//! the process performs the transition. The goal is that all processes are blocked.
//!
//! Deviation: in the domains of the competition, a transition that turns out to be blocked takes
//! from its process the right to activate another one (`pending`), and its queue is not `settled` any
//! more. So a process that waits with two or more outgoing transitions is never blocked, and neither
//! are two processes that wait for one queue. Here, both get it back.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::plan::{FactoredRun, PlanMistake, run_operators};
use crate::queue_model::{Direction, QueueModel};
use beeline_factored::System;

/// The parts of the domain that are the same for all models.
const PREDICATES: &str = "\
  (:types process proctype state queue queuetype queue-state transition number message)
  (:predicates
    (is-a-queue ?q - queue ?qt - queuetype)
    (is-a-process ?p - process ?pt - proctype)
    (at-process ?p - process ?s - state)
    (trans ?pt - proctype ?t - transition ?s1 ?s2 - state)
    (trans-msg ?t - transition ?m - message)
    (reads ?p - process ?q - queue ?t - transition)
    (writes ?p - process ?q - queue ?t - transition)
    (pending ?p - process)
    (activate ?p - process ?t - transition)
    (enabled ?p - process ?t - transition)
    (blocked-trans ?p - process ?t - transition)
    (blocked ?p - process)
    (settled ?q - queue)
    (advance-head ?q - queue)
    (advance-tail ?q - queue)
    (queue-next ?qt - queuetype ?qs1 ?qs2 - queue-state)
    (queue-head ?q - queue ?qs - queue-state)
    (queue-tail ?q - queue ?qs - queue-state)
    (queue-msg ?q - queue ?qs - queue-state ?m - message)
    (queue-size ?q - queue ?n - number)
    (is-max ?qt - queuetype ?n - number)
    (is-zero ?n - number)
    (inc ?n1 ?n2 - number))
";

const ACTIONS: &str = "\
  (:action queue-read
    :parameters (?p - process ?t - transition ?q - queue ?qs - queue-state ?m - message ?n - number)
    :precondition (and (activate ?p ?t) (settled ?q) (reads ?p ?q ?t) (queue-size ?q ?n)
      (not (is-zero ?n)) (queue-head ?q ?qs) (queue-msg ?q ?qs ?m) (trans-msg ?t ?m))
    :effect (and (enabled ?p ?t) (not (activate ?p ?t)) (advance-head ?q) (not (settled ?q))
      (forall (?p1 - process) (not (blocked ?p1)))
      (forall (?p1 - process ?t1 - transition) (not (blocked-trans ?p1 ?t1)))))
  (:action queue-write
    :parameters (?p - process ?t - transition ?q - queue ?qt - queuetype ?qs - queue-state
      ?m - message ?n - number)
    :precondition (and (activate ?p ?t) (settled ?q) (writes ?p ?q ?t) (is-a-queue ?q ?qt)
      (queue-size ?q ?n) (not (is-max ?qt ?n)) (queue-tail ?q ?qs) (trans-msg ?t ?m))
    :effect (and (enabled ?p ?t) (not (activate ?p ?t)) (advance-tail ?q) (not (settled ?q))
      (queue-msg ?q ?qs ?m)
      (forall (?p1 - process) (not (blocked ?p1)))
      (forall (?p1 - process ?t1 - transition) (not (blocked-trans ?p1 ?t1)))))
  (:action advance-queue-head
    :parameters (?q - queue ?qt - queuetype ?qs1 ?qs2 - queue-state ?m - message ?n1 ?n2 - number)
    :precondition (and (advance-head ?q) (is-a-queue ?q ?qt) (queue-next ?qt ?qs1 ?qs2)
      (queue-head ?q ?qs1) (queue-msg ?q ?qs1 ?m) (queue-size ?q ?n1) (inc ?n2 ?n1))
    :effect (and (settled ?q) (not (advance-head ?q)) (not (queue-msg ?q ?qs1 ?m))
      (not (queue-head ?q ?qs1)) (queue-head ?q ?qs2)
      (not (queue-size ?q ?n1)) (queue-size ?q ?n2)))
  (:action advance-queue-tail
    :parameters (?q - queue ?qt - queuetype ?qs1 ?qs2 - queue-state ?n1 ?n2 - number)
    :precondition (and (advance-tail ?q) (is-a-queue ?q ?qt) (queue-next ?qt ?qs1 ?qs2)
      (queue-tail ?q ?qs1) (queue-size ?q ?n1) (inc ?n1 ?n2))
    :effect (and (settled ?q) (not (advance-tail ?q))
      (not (queue-tail ?q ?qs1)) (queue-tail ?q ?qs2)
      (not (queue-size ?q ?n1)) (queue-size ?q ?n2)))
  (:action block-read-queue-empty
    :parameters (?p - process ?t - transition ?q - queue ?n - number)
    :precondition (and (activate ?p ?t) (reads ?p ?q ?t) (settled ?q) (queue-size ?q ?n)
      (is-zero ?n))
    :effect (and (blocked-trans ?p ?t) (not (activate ?p ?t)) (pending ?p)))
  (:action block-read-wrong-message
    :parameters (?p - process ?t - transition ?q - queue ?qs - queue-state ?m - message ?n - number)
    :precondition (and (activate ?p ?t) (reads ?p ?q ?t) (settled ?q) (queue-size ?q ?n)
      (not (is-zero ?n)) (queue-head ?q ?qs) (queue-msg ?q ?qs ?m) (not (trans-msg ?t ?m)))
    :effect (and (blocked-trans ?p ?t) (not (activate ?p ?t)) (pending ?p)))
  (:action block-write
    :parameters (?p - process ?t - transition ?q - queue ?qt - queuetype ?n - number)
    :precondition (and (activate ?p ?t) (writes ?p ?q ?t) (settled ?q) (is-a-queue ?q ?qt)
      (queue-size ?q ?n) (is-max ?qt ?n))
    :effect (and (blocked-trans ?p ?t) (not (activate ?p ?t)) (pending ?p)))
";

/// The domain. Queues are constants: that all of them are settled is a conjunction. Each local state
/// has an action that finds a process blocked in it.
pub fn queue_domain_text(model: &QueueModel, name: &str, heading: &str) -> String {
    let mut text: String = heading.lines().map(|line| format!("; {line}\n")).collect();
    add(&mut text, format_args!("(define (domain {name})"));
    add(&mut text, format_args!("  (:requirements :typing :adl)"));
    let (types, predicates) = PREDICATES.split_once('\n').expect("types are the first line");
    add(&mut text, format_args!("{types}"));
    add(&mut text, format_args!("  (:constants"));
    let list = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(" ");
    let queues = model.queues.iter().map(|queue| queue.name.clone()).collect();
    let kinds = model.processes.iter().map(|process| process.kind.clone()).collect();
    add(&mut text, format_args!("    {} - queue", list(queues)));
    add(&mut text, format_args!("    {} - proctype", list(kinds)));
    add(&mut text, format_args!("    {} - state", list(states(model))));
    let transitions = model.processes.iter().flat_map(|process| &process.transitions);
    let transitions: BTreeSet<String> = transitions.map(|one| one.name.clone()).collect();
    add(&mut text, format_args!("    {} - transition)", list(transitions)));
    text.push_str(predicates);
    let settled: Vec<String> =
        model.queues.iter().map(|queue| format!("(settled {})", queue.name)).collect();
    let settled = settled.join(" ");
    add(
        &mut text,
        format_args!(
            "  (:action activate-trans
    :parameters (?p - process ?pt - proctype ?t - transition ?s1 ?s2 - state)
    :precondition (and (pending ?p) (is-a-process ?p ?pt) (at-process ?p ?s1)
      (trans ?pt ?t ?s1 ?s2) {settled})
    :effect (and (activate ?p ?t) (not (pending ?p))))
  (:action perform-trans
    :parameters (?p - process ?pt - proctype ?t - transition ?s1 ?s2 - state)
    :precondition (and (enabled ?p ?t) (is-a-process ?p ?pt) (at-process ?p ?s1)
      (trans ?pt ?t ?s1 ?s2) {settled})
    :effect (and (not (at-process ?p ?s1)) (at-process ?p ?s2) (not (enabled ?p ?t)) (pending ?p)))"
        ),
    );
    text.push_str(ACTIONS);
    let mut known = BTreeSet::new();
    for process in model.processes.iter().filter(|process| known.insert(&process.kind)) {
        let kind = &process.kind;
        let places: BTreeSet<i32> = process
            .transitions
            .iter()
            .flat_map(|one| [one.from, one.to])
            .chain([process.start])
            .collect();
        for place in places {
            let own = process.transitions.iter().filter(|one| one.from == place);
            let blocked: String =
                own.map(|one| format!(" (blocked-trans ?p {})", one.name)).collect();
            add(
                &mut text,
                format_args!(
                    "  (:action block-{kind}-state-{place}
    :parameters (?p - process)
    :precondition (and (is-a-process ?p {kind}) (at-process ?p state-{place}) (pending ?p){blocked})
    :effect (blocked ?p))"
                ),
            );
        }
    }
    text.push_str(")\n");
    text
}

/// The problem: all processes are to be blocked.
pub fn queue_problem_text(model: &QueueModel, name: &str, domain: &str) -> String {
    let mut text = String::new();
    add(&mut text, format_args!("(define (problem {name})\n  (:domain {domain})\n  (:objects"));
    let processes: Vec<&str> = model.processes.iter().map(|process| &*process.name).collect();
    let capacities: BTreeSet<u32> = model.queues.iter().map(|queue| queue.capacity).collect();
    let most = capacities.iter().copied().max().unwrap_or(0);
    let join = |names: Vec<String>| names.join(" ");
    add(&mut text, format_args!("    {} - process", processes.join(" ")));
    let kinds = capacities.iter().map(|capacity| format!("queue-{capacity}")).collect();
    add(&mut text, format_args!("    {} - queuetype", join(kinds)));
    let cells = (0..most).map(|at| format!("qs-{at}")).collect();
    add(&mut text, format_args!("    {} - queue-state", join(cells)));
    let numbers = (0..=most).map(|at| format!("n{at}")).collect();
    add(&mut text, format_args!("    {} - number", join(numbers)));
    let messages: BTreeSet<i32> = model
        .processes
        .iter()
        .flat_map(|process| &process.transitions)
        .flat_map(|one| one.messages.iter().copied())
        .collect();
    let messages = messages.into_iter().map(message).collect();
    add(&mut text, format_args!("    {} - message)\n  (:init", join(messages)));
    for capacity in capacities {
        add(&mut text, format_args!("    (is-max queue-{capacity} n{capacity})"));
        for at in 0..capacity {
            let next = (at + 1) % capacity;
            add(&mut text, format_args!("    (queue-next queue-{capacity} qs-{at} qs-{next})"));
        }
    }
    add(&mut text, format_args!("    (is-zero n0)"));
    for at in 0..most {
        add(&mut text, format_args!("    (inc n{at} n{})", at + 1));
    }
    for queue in &model.queues {
        let name = &queue.name;
        add(
            &mut text,
            format_args!(
                "    (is-a-queue {name} queue-{}) (queue-head {name} qs-0) (queue-tail {name} qs-0)",
                queue.capacity
            ),
        );
        add(&mut text, format_args!("    (queue-size {name} n0) (settled {name})"));
    }
    let mut known = BTreeSet::new();
    for process in &model.processes {
        let (name, kind) = (&process.name, &process.kind);
        add(
            &mut text,
            format_args!(
                "    (pending {name}) (is-a-process {name} {kind}) (at-process {name} state-{})",
                process.start
            ),
        );
        let is_new = known.insert(kind);
        for one in &process.transitions {
            let verb = match one.direction {
                Direction::Read => "reads",
                Direction::Write => "writes",
            };
            let (queue, transition) = (&model.queues[one.queue].name, &one.name);
            add(&mut text, format_args!("    ({verb} {name} {queue} {transition})"));
            if is_new {
                let (from, to) = (one.from, one.to);
                add(
                    &mut text,
                    format_args!("    (trans {kind} {transition} state-{from} state-{to})"),
                );
                for &value in &one.messages {
                    let value = message(value);
                    add(&mut text, format_args!("    (trans-msg {transition} {value})"));
                }
            }
        }
    }
    let goal: String = processes.iter().map(|name| format!(" (blocked {name})")).collect();
    add(&mut text, format_args!("  )\n  (:goal (and{goal})))"));
    text
}

/// Whether a plan is one of this encoding: it begins with the activation of a transition.
pub fn is_queue_plan(actions: &[String]) -> bool {
    actions.first().is_some_and(|first| {
        let name = first.split(' ').next().unwrap_or_default();
        name == "activate-trans" || name.starts_with("block-")
    })
}

/// Executes a plan on the system: the reads and writes of queues are its steps. Each action is its
/// name and its arguments, separated by spaces.
///
/// # Errors
///
/// The first action that is unknown or not applicable.
pub fn run_queue_plan(
    system: &System,
    model: &QueueModel,
    actions: &[String],
) -> Result<FactoredRun, PlanMistake> {
    let mut operators = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let unknown = || PlanMistake::Unknown { step: at + 1, action: action.clone() };
        let words: Vec<&str> = action.split(' ').collect();
        match words[0] {
            "queue-read" | "queue-write" => {
                let [process, transition] = words[1..].get(..2).ok_or_else(unknown)? else {
                    return Err(unknown());
                };
                let process = model.processes.iter().find(|one| one.name == *process);
                let process = process.ok_or_else(unknown)?;
                let transition = process.transitions.iter().find(|one| one.name == *transition);
                let transition = transition.ok_or_else(unknown)?;
                operators.push((at + 1, action.clone(), transition.operator));
            }
            "activate-trans" | "perform-trans" | "advance-queue-head" | "advance-queue-tail" => {}
            name if name.starts_with("block-") => {}
            _ => return Err(unknown()),
        }
    }
    run_operators(system, operators)
}

/// The local states of all processes.
fn states(model: &QueueModel) -> BTreeSet<String> {
    let all = model.processes.iter().flat_map(|process| {
        let places = process.transitions.iter().flat_map(|one| [one.from, one.to]);
        places.chain([process.start])
    });
    all.map(|place| format!("state-{place}")).collect()
}

fn message(value: i32) -> String {
    match value < 0 {
        true => format!("msg-m{}", value.unsigned_abs()),
        false => format!("msg-{value}"),
    }
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string succeeds");
}
