//! Planning tasks in PDDL: a predicate for each variable, with the value as its argument.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::task::{ConditionalEffect, Fact, FiniteAction, FiniteTask};

/// The domain of a task. Comments name the operators of the model.
pub fn domain_text(task: &FiniteTask, name: &str, heading: &str) -> String {
    let mut text = String::new();
    for line in heading.lines() {
        add(&mut text, format_args!("; {line}"));
    }
    let conditional = match task.has_conditional_effects() {
        true => " :conditional-effects",
        false => "",
    };
    add(&mut text, format_args!("(define (domain {name})"));
    add(&mut text, format_args!("  (:requirements :strips{conditional} :action-costs)"));
    let values: BTreeSet<i32> =
        task.variables.iter().flat_map(|variable| variable.values.iter().copied()).collect();
    let values: Vec<String> = values.into_iter().map(value_name).collect();
    add(&mut text, format_args!("  (:constants {})", values.join(" ")));
    add(&mut text, format_args!("  (:predicates"));
    for variable in &task.variables {
        add(&mut text, format_args!("    ({} ?value)", variable.name));
    }
    add(&mut text, format_args!("  )"));
    add(&mut text, format_args!("  (:functions (total-cost))"));
    for action in &task.actions {
        write_action(&mut text, task, action);
    }
    text.push_str(")\n");
    text
}

/// The problem of a task.
pub fn problem_text(task: &FiniteTask, name: &str, domain: &str) -> String {
    let mut text = String::new();
    add(&mut text, format_args!("(define (problem {name})"));
    add(&mut text, format_args!("  (:domain {domain})"));
    add(&mut text, format_args!("  (:init"));
    for (variable, of) in (0..).zip(&task.variables) {
        let initial = Fact { variable, value: of.initial };
        add(&mut text, format_args!("    {}", atom(task, initial)));
    }
    add(&mut text, format_args!("    (= (total-cost) 0)"));
    add(&mut text, format_args!("  )"));
    add(&mut text, format_args!("  (:goal (and {}))", atom(task, task.goal)));
    add(&mut text, format_args!("  (:metric minimize (total-cost)))"));
    text
}

fn write_action(text: &mut String, task: &FiniteTask, action: &FiniteAction) {
    let remark = action.remark.replace(|c: char| c.is_control(), " ");
    add(text, format_args!("  ; {remark}"));
    add(text, format_args!("  (:action {}", action.name));
    add(text, format_args!("    :parameters ()"));
    add(text, format_args!("    :precondition (and{})", atoms(task, &action.conditions)));
    let mut effects = String::new();
    for effect in &action.effects {
        push_effect(&mut effects, task, action, effect);
    }
    if action.cost > 0 {
        effects += &format!(" (increase (total-cost) {})", action.cost);
    }
    add(text, format_args!("    :effect (and{effects}))"));
}

/// The value that a variable gets, and the values that it loses.
fn push_effect(
    text: &mut String,
    task: &FiniteTask,
    action: &FiniteAction,
    effect: &ConditionalEffect,
) {
    let Fact { variable, value } = effect.fact;
    let known = action.conditions.iter().chain(&effect.conditions);
    let old = known.filter(|fact| fact.variable == variable).map(|fact| fact.value).next();
    let count = task.variables[variable as usize].values.len() as u32;
    let mut all = format!(" {}", atom(task, effect.fact));
    for other in (0..count).filter(|&one| one != value && old.is_none_or(|old| old == one)) {
        all += &format!(" (not {})", atom(task, Fact { variable, value: other }));
    }
    match effect.conditions.is_empty() {
        true => text.push_str(&all),
        false => {
            let conditions = atoms(task, &effect.conditions);
            *text += &format!(" (when (and{conditions}) (and{all}))");
        }
    }
}

fn atoms(task: &FiniteTask, facts: &[Fact]) -> String {
    facts.iter().map(|&fact| format!(" {}", atom(task, fact))).collect()
}

fn atom(task: &FiniteTask, fact: Fact) -> String {
    let variable = &task.variables[fact.variable as usize];
    format!("({} {})", variable.name, value_name(variable.values[fact.value as usize]))
}

/// The object for a value: `n3`, or `m3` for -3.
fn value_name(value: i32) -> String {
    match value < 0 {
        true => format!("m{}", value.unsigned_abs()),
        false => format!("n{value}"),
    }
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string succeeds");
}
