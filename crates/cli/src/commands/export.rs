//! `beeline export`: a model as a planning task, or a planning task as a model.

use std::path::{Path, PathBuf};

use beeline_checker::{ExchangeError, ExportedTask, export_queues, export_task};
use beeline_model::{Property, PropertyKind};
use beeline_translation::{
    ActionForm, domain_text, problem_text, queue_domain_text, queue_problem_text, sas_text,
};

use crate::args::export::{Encoding, ExchangeGoals, Export, ExportFormat};
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::{file, json};
use crate::commands::load::{self, LoadRequest};
use crate::commands::planning_task::GivenTask;
use crate::model::loaded::LoadedModel;
use crate::render::export::{self, ExportOutcome};

/// Executes `export`.
pub(crate) fn export(options: &Export) -> Result<CommandOutput, CommandOutput> {
    match &options.problem {
        Some(problem) => export_planning_task(options, problem),
        None => export_model(options),
    }
}

/// Writes a planning task as a model.
fn export_planning_task(options: &Export, problem: &Path) -> Result<CommandOutput, CommandOutput> {
    let given = GivenTask::read(&options.input.model, problem, &options.report)?;
    let text = given.as_promela(&options.report)?;
    let files = write(&options.out, vec![("model.pml", text)])
        .map_err(|failure| load::fail(&given.name, &options.report, failure))?;
    let out = match options.report.json {
        true => json::line(&export::task_object(&given.name, &files)),
        false if options.report.quiet => String::new(),
        false => files.iter().map(|file| format!("{}\n", file.display())).collect(),
    };
    Ok(CommandOutput { out, err: given.warnings, exit: Exit::Success })
}

/// Writes a model as a planning task.
fn export_model(options: &Export) -> Result<CommandOutput, CommandOutput> {
    let (loaded, warnings) = load::read(&LoadRequest {
        properties: &options.goals.properties,
        semantics: options.meaning.semantics(),
        instances: &options.goals.instances,
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let fail = |failure: Failure| load::fail(&loaded.model, &options.report, failure);
    if options.encoding == Encoding::Ipc4 {
        return export_as_queues(&loaded, options, warnings).map_err(fail);
    }
    let properties = properties_of(&loaded, &options.goals).map_err(fail)?;
    let task = export_task(loaded.as_model(), &properties, &ExchangeGoals::plan(), options.form());
    let task = task.map_err(|error| fail(refusal(&loaded.model, &error, options)))?;
    let files = match options.to {
        ExportFormat::Sas => vec![("output.sas", sas_text(&task.translation.task))],
        ExportFormat::Pddl | ExportFormat::Promela => pddl_files(&loaded, options, &task),
    };
    let files = write(&options.out, files).map_err(fail)?;
    let outcome = ExportOutcome { model: &loaded.model, task: &task, files: &files };
    let out = match options.report.json {
        true => json::line(&export::object(&outcome)),
        false if options.report.quiet => String::new(),
        false => export::text(&outcome),
    };
    Ok(CommandOutput { out, err: warnings, exit: Exit::Success })
}

/// Writes a model as processes, queues and transitions.
fn export_as_queues(
    loaded: &LoadedModel,
    options: &Export,
    err: String,
) -> Result<CommandOutput, Failure> {
    let model = loaded.as_model();
    let others = properties_of(loaded, &options.goals)?;
    let is_asked = |one: &Property| one.kind == PropertyKind::Deadlock;
    if !others.iter().any(is_asked) {
        let message = "the goal of --encoding ipc4 is a deadlock";
        return Err(Failure::new(message, "--property deadlock, or --encoding compact"));
    }
    let queues = export_queues(model, &ExchangeGoals::plan())
        .map_err(|error| refusal(&loaded.model, &error, options))?;
    let (name, heading) = (domain_name(loaded), heading(options, "deadlock"));
    let texts = vec![
        ("domain.pddl", queue_domain_text(&queues, &name, &heading)),
        ("problem.pddl", queue_problem_text(&queues, &format!("{name}-deadlock"), &name)),
    ];
    let files = write(&options.out, texts)?;
    let out = match options.report.json {
        true => json::line(&export::task_object(&loaded.model, &files)),
        false if options.report.quiet => String::new(),
        false => files.iter().map(|file| format!("{}\n", file.display())).collect(),
    };
    Ok(CommandOutput { out, err, exit: Exit::Success })
}

/// The name of the domain: that of the file.
fn domain_name(loaded: &LoadedModel) -> String {
    let stem = Path::new(&loaded.model).file_stem().unwrap_or_default().to_string_lossy();
    let letters = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    format!("model-{}", letters.collect::<String>().to_ascii_lowercase())
}

fn heading(options: &Export, errors: &str) -> String {
    let model = options.input.model.display();
    format!("{model} as a planning task, by beeline export\nerrors: {errors}")
}

/// The properties whose errors are the goal.
pub(crate) fn properties_of(
    loaded: &LoadedModel,
    goals: &ExchangeGoals,
) -> Result<Vec<Property>, Failure> {
    let selected = loaded.as_model().select(&goals.properties);
    selected.map_err(|error| {
        Failure::new(error.to_string(), "without --property, the goal is any error")
    })
}

fn refusal(model: &str, error: &ExchangeError, options: &Export) -> Failure {
    if let ExchangeError::Check(error) = error {
        panic!("{error}");
    }
    let help = match (error, options.form()) {
        (ExchangeError::Unfit(_), Some(ActionForm::Strips)) => {
            "with --adl, assignments that copy values need fewer actions"
        }
        (ExchangeError::Unfit(_), _) => "a smaller model or smaller types may fit",
        (ExchangeError::Queues(_), _) => "--encoding compact has no such limits",
        (ExchangeError::View(_), _) => "`beeline count --symbolic` needs the same view",
        _ => "--property deadlock, assertions, runtime-errors or 'invariant: EXPR'",
    };
    Failure::new(format!("`{model}` is not exported: {error}"), help)
}

/// The files of a task, with their texts.
fn pddl_files(
    loaded: &LoadedModel,
    options: &Export,
    task: &ExportedTask,
) -> Vec<(&'static str, String)> {
    let name = domain_name(loaded);
    let names = task.properties.iter().map(|property| property.name.replace('\n', " "));
    let names: Vec<String> = names.collect();
    let heading = format!(
        "{}\nevery action s… is a step of the model; every action b… is bookkeeping, and costs \
         nothing",
        heading(options, &names.join(", "))
    );
    let translated = &task.translation.task;
    vec![
        ("domain.pddl", domain_text(translated, &name, &heading)),
        ("problem.pddl", problem_text(translated, &format!("{name}-errors"), &name)),
    ]
}

/// Writes files in a directory; returns their paths.
fn write(directory: &Path, files: Vec<(&str, String)>) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        Failure::new(message, "--out DIR names another directory")
    };
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = directory.join(name);
        file::replace(&path, text).map_err(|error| failed(&path, error))?;
        paths.push(path);
    }
    Ok(paths)
}
