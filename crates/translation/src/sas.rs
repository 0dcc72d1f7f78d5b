//! Planning tasks in the format of Fast Downward's translator, version 3.
//!
//! Source: [Hel06] for the planner; the format is described in its documentation.

use std::fmt::Write as _;

use crate::task::{ConditionalEffect, Fact, FiniteAction, FiniteTask};

/// The text of a task.
pub fn sas_text(task: &FiniteTask) -> String {
    let mut text = String::from("begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n");
    add(&mut text, format_args!("{}", task.variables.len()));
    for (at, variable) in task.variables.iter().enumerate() {
        let count = variable.values.len();
        add(&mut text, format_args!("begin_variable\nvar{at}\n-1\n{count}"));
        for value in &variable.values {
            add(&mut text, format_args!("Atom {}({value})", variable.name));
        }
        add(&mut text, format_args!("end_variable"));
    }
    // Each variable is a mutex group already.
    add(&mut text, format_args!("0\nbegin_state"));
    for variable in &task.variables {
        add(&mut text, format_args!("{}", variable.initial));
    }
    let Fact { variable, value } = task.goal;
    add(&mut text, format_args!("end_state\nbegin_goal\n1\n{variable} {value}"));
    add(&mut text, format_args!("end_goal\n{}", task.actions.len()));
    for action in &task.actions {
        write_operator(&mut text, action);
    }
    // There are no axioms.
    add(&mut text, format_args!("0"));
    text
}

fn write_operator(text: &mut String, action: &FiniteAction) {
    let is_changed =
        |fact: &&Fact| action.effects.iter().any(|effect| effect.fact.variable == fact.variable);
    let prevail: Vec<&Fact> = action.conditions.iter().filter(|fact| !is_changed(fact)).collect();
    add(text, format_args!("begin_operator\n{}\n{}", action.name, prevail.len()));
    for Fact { variable, value } in prevail {
        add(text, format_args!("{variable} {value}"));
    }
    add(text, format_args!("{}", action.effects.len()));
    for ConditionalEffect { conditions, fact } in &action.effects {
        let mut line = conditions.len().to_string();
        for Fact { variable, value } in conditions {
            write!(line, " {variable} {value}").expect("writing to a string succeeds");
        }
        let before = action.conditions.iter().find(|known| known.variable == fact.variable);
        let before = before.map_or(-1, |known| i64::from(known.value));
        add(text, format_args!("{line} {} {before} {}", fact.variable, fact.value));
    }
    add(text, format_args!("{}\nend_operator", action.cost));
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string succeeds");
}
