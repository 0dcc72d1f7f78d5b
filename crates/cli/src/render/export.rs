//! The output of `export`.

use std::path::PathBuf;

use beeline_checker::ExportedTask;
use beeline_translation::ActionForm;
use serde::Serialize;

use crate::base::json::Header;
use crate::base::numbers::count;
use crate::base::text::push;

/// What was exported.
pub(crate) struct ExportOutcome<'a> {
    pub(crate) model: &'a str,
    pub(crate) task: &'a ExportedTask,
    pub(crate) files: &'a [PathBuf],
}

/// The object of `export --json`.
#[derive(Serialize)]
pub(crate) struct ExportObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    files: Vec<String>,
    properties: Vec<&'a str>,
    left_out: Vec<&'a str>,
    form: &'static str,
    variables: usize,
    actions: usize,
    /// What the model has beyond the task.
    excess: Option<&'a str>,
}

/// The outcome for programs.
pub(crate) fn object<'a>(outcome: &ExportOutcome<'a>) -> ExportObject<'a> {
    let ExportOutcome { model, task, files } = *outcome;
    let translated = &task.translation.task;
    ExportObject {
        header: Header::new(model),
        files: files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
        properties: task.properties.iter().map(|property| &*property.name).collect(),
        left_out: task.left_out.iter().map(|property| &*property.name).collect(),
        form: form(task),
        variables: translated.variables.len(),
        actions: translated.actions.len(),
        excess: task.excess.as_deref(),
    }
}

/// The object of `export --to promela --json`.
#[derive(Serialize)]
pub(crate) struct TaskObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    files: Vec<String>,
}

/// A planning task as a model, for programs.
pub(crate) fn task_object<'a>(name: &'a str, files: &[PathBuf]) -> TaskObject<'a> {
    let files = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    TaskObject { header: Header::new(name), files }
}

fn form(task: &ExportedTask) -> &'static str {
    match task.translation.form {
        ActionForm::Strips => "strips",
        ActionForm::Conditional => "adl",
    }
}

/// The outcome for people.
pub(crate) fn text(outcome: &ExportOutcome<'_>) -> String {
    let ExportOutcome { task, files, .. } = outcome;
    let mut out = String::new();
    for file in *files {
        push(&mut out, format_args!("{}\n", file.display()));
    }
    let translated = &task.translation.task;
    let names: Vec<&str> = task.properties.iter().map(|property| &*property.name).collect();
    let (variables, actions) = (translated.variables.len(), translated.actions.len());
    push(
        &mut out,
        format_args!(
            "{} variables, {} actions ({}); goal: {}\n",
            count(variables as u64),
            count(actions as u64),
            form(task),
            names.join(", ")
        ),
    );
    for property in &task.left_out {
        push(&mut out, format_args!("note: `{}` is not in the task\n", property.name));
    }
    if let Some(excess) = &task.excess {
        push(
            &mut out,
            format_args!("note: the model may have {excess}; then there may be further errors\n"),
        );
    }
    out
}
