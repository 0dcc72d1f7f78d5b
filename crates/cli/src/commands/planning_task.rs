//! Planning tasks that commands read, and their form as Promela models.

use std::path::Path;

use beeline_kernel::Deadline;
use beeline_pddl::{PlanningRead, PlanningTask, PlanningText, promela_text, read};

use crate::args::report::Reporting;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::{json, units};
use crate::commands::load;
use crate::model::file::ModelFile;
use crate::render::diagnostics::{self, DiagnosticsObject};

/// A task without errors.
pub(crate) struct GivenTask {
    pub(crate) task: PlanningTask,
    /// The name of the problem in messages.
    pub(crate) name: String,
    pub(crate) warnings: String,
}

impl GivenTask {
    /// Reads a domain and a problem.
    ///
    /// # Errors
    ///
    /// With the output of a command that cannot read them.
    pub(crate) fn read(
        domain: &Path,
        problem: &Path,
        report: &Reporting,
    ) -> Result<GivenTask, CommandOutput> {
        let source = |path: &Path| {
            ModelFile::read(path)
                .map_err(|error| load::fail(&path.to_string_lossy(), report, error))
        };
        let (domain, problem) = (source(domain)?, source(problem)?);
        let text = |file: &ModelFile| (file.name.clone(), file.text.clone());
        let ((domain, domain_text), (name, problem_text)) = (text(&domain), text(&problem));
        let given = read(
            PlanningText { name: &domain, text: &domain_text },
            PlanningText { name: &name, text: &problem_text },
        );
        let messages = messages(&given, report);
        match given.task {
            Some(task) => {
                let silent = report.quiet || report.json;
                let warnings = if silent { String::new() } else { messages };
                Ok(GivenTask { task, name, warnings })
            }
            None => Err(refuse(&name, &given, messages, report)),
        }
    }

    /// The task as a Promela model.
    ///
    /// # Errors
    ///
    /// With the output of a command, when the task does not become one.
    pub(crate) fn as_promela(&self, report: &Reporting) -> Result<String, CommandOutput> {
        promela_text(&self.task, Deadline::NEVER, units::half_of_memory()).map_err(|error| {
            let message = format!("`{}` is not exported: {error}", self.name);
            load::fail(&self.name, report, Failure::new(message, "`beeline plan` may solve it"))
        })
    }
}

fn messages(given: &PlanningRead, report: &Reporting) -> String {
    let paint = report.color.paint(&std::io::stderr());
    let all = given.diagnostics.iter();
    all.map(|message| diagnostics::render(message, &given.sources, paint) + "\n").collect()
}

/// The output for texts with errors.
fn refuse(name: &str, given: &PlanningRead, messages: String, report: &Reporting) -> CommandOutput {
    if report.json {
        let object = DiagnosticsObject::about(name, &given.diagnostics, &given.sources);
        let (out, err) = (json::line(&object), String::new());
        return CommandOutput { out, err, exit: Exit::Model };
    }
    let mut err = messages;
    if !report.quiet {
        err += &diagnostics::summary(name, &given.diagnostics);
    }
    CommandOutput { out: String::new(), err, exit: Exit::Model }
}
