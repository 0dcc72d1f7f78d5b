//! `beeline test`: many models, each against the verdicts that it states.

mod changed;
mod collect;
mod model_process;
mod pool;

use std::time::Instant;

use crate::args::test::Test;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::commands::load;
use crate::commands::output_files::OutputFiles;
use crate::render::test::{self, TestOutcome};

/// Executes `test`.
pub(crate) fn test(options: &Test) -> Result<CommandOutput, CommandOutput> {
    let fail = |failure: Failure| load::fail("", &options.report, failure);
    let mut models = collect::models(&options.paths).map_err(|error| fail(error.into()))?;
    if let Some(revision) = &options.changed {
        models = changed::changed(models, revision, options).map_err(|error| fail(error.into()))?;
    }
    let start = Instant::now();
    let models = pool::test_all(models, options);
    let outcome = TestOutcome {
        models,
        revision: options.changed.as_deref(),
        seconds: start.elapsed().as_secs_f64(),
        paint: options.report.color.paint(&std::io::stdout()),
        is_quiet: options.report.quiet,
    };
    if outcome.states_nothing() {
        let message = match outcome.models.len() {
            1 => "the model states no expected verdicts".to_owned(),
            count => format!("none of the {count} models states expected verdicts"),
        };
        let help = "begin a model with a line such as `/* expect: safe */`";
        return Err(fail(Failure::new(message, help)));
    }
    let out = if options.report.json { test::json(&outcome) } else { test::text(&outcome) };
    let output = CommandOutput { out, err: String::new(), exit: outcome.exit() };
    let mut files = OutputFiles { output, report: &options.report };
    if let Some(file) = &options.junit {
        files.put("the JUnit report", file, || test::junit(&outcome));
    }
    Ok(files.output)
}
