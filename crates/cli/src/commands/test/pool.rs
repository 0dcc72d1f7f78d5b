//! Several models at a time, with progress.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::args::test::Test;
use crate::commands::test::model_process;
use crate::render::test::{TestResult, TestedModel};
use crate::run::{HINT, StatusLine, catch_interrupts, is_interrupted};

/// The time between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(200);

/// The state of all tests.
struct Pool<'a> {
    models: &'a [PathBuf],
    options: &'a Test,
    /// The first model that is not started.
    next: AtomicUsize,
    progress: Mutex<Progress>,
}

/// What is running and what is known.
#[derive(Default)]
struct Progress {
    running: Vec<usize>,
    done: Vec<(usize, TestedModel)>,
}

/// Tests all models. After an interrupt, the others are not tested.
pub(super) fn test_all(models: Vec<PathBuf>, options: &Test) -> Vec<TestedModel> {
    catch_interrupts();
    let status = StatusLine::new(options.progress, options.report.quiet);
    let (next, progress) = (AtomicUsize::new(0), Mutex::default());
    let pool = Pool { models: &models, options, next, progress };
    std::thread::scope(|scope| {
        let jobs = options.jobs().min(models.len());
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| pool.work())).collect();
        while status.shows && workers.iter().any(|worker| !worker.is_finished()) {
            status.show(&pool.line());
            std::thread::park_timeout(INTERVAL);
        }
    });
    if status.shows {
        status.clear();
    }
    let mut done = pool.progress.into_inner().expect("no worker panics").done;
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, tested)| tested).collect()
}

impl Pool<'_> {
    /// Tests models until none is left.
    fn work(&self) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(model) = self.models.get(at) else { return };
            self.progress().running.push(at);
            let tested = if is_interrupted() {
                TestedModel::new(model, TestResult::NotTested)
            } else {
                model_process::test(model, self.options)
            };
            let mut progress = self.progress();
            progress.running.retain(|other| *other != at);
            progress.done.push((at, tested));
        }
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().expect("no worker panics")
    }

    /// The number of tested models, the failed ones, and the running ones.
    fn line(&self) -> String {
        let progress = self.progress();
        let failed = progress.done.iter().filter(|(_, one)| one.result == TestResult::Failed);
        let failed = match failed.count() {
            0 => String::new(),
            count => format!(", {count} failed"),
        };
        let running: Vec<String> =
            progress.running.iter().map(|at| self.models[*at].display().to_string()).collect();
        let (done, all) = (progress.done.len(), self.models.len());
        format!("{done} of {all} models{failed}; running: {}; {HINT}", running.join(", "))
    }
}
