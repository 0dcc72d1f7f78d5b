//! Runs the tool and reads its JSON, for many models at once.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use crate::place::root;

/// The result of the tool.
pub struct Asked {
    /// The printed object; null if there is none.
    pub said: Value,
    /// The exit code; -1 if a signal ended the tool.
    pub exit: i32,
    /// Seconds on the clock, from start to end.
    pub seconds: f64,
}

/// Runs a command that prints one JSON object.
pub fn ask(words: &[&str]) -> Asked {
    let begin = Instant::now();
    let output = Command::new(words[0]).args(&words[1..]).current_dir(root()).output();
    let output = output.expect("it runs");
    let seconds = begin.elapsed().as_secs_f64();
    let said = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    Asked { said, exit: output.status.code().unwrap_or(-1), seconds }
}

/// Runs a function on each of many items, in a few threads; results are in the order of the items.
pub fn for_each<T: Sync, R: Send>(
    many: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    for_each_by_thread(many, threads, |_, one| work(one))
}

/// [`for_each`] with a function that is also given the number of its thread.
pub fn for_each_by_thread<T: Sync, R: Send>(
    many: &[T],
    threads: usize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (next, done_by_all, work) = (&next, &done, &work);
    thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = many.get(at) else { break };
                    let result = work(thread, one);
                    let mut done = done_by_all.lock().expect("no thread panics while holding it");
                    done.push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all threads are done");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// `PASS` or `FAIL`.
pub fn verdict(is_met: bool) -> &'static str {
    if is_met { "PASS" } else { "FAIL" }
}

/// A share in percent; 100 if `whole` is 0.
pub fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}
