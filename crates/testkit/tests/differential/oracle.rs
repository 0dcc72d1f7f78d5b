//! The oracle agrees with the records of the corpus, and every table can be parsed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use beeline_testkit::corpus::{Corpus, Entry, corpus_or_skip};
use beeline_testkit::spin::{
    OracleError, Pan, PanKind, PanProcess, Translator, accepts, available_or_skip,
};

/// SPIN accepts these, but their verifiers refer to an undeclared `Q1`: their only
/// channels with a capacity belong to a typedef that no variable has.
const UNCOMPILABLE: [&str; 2] = [
    "case-studies/fluke_core_cond.d/test/core/cond.main.pml",
    "case-studies/fluke_core_waitQueue.d/test/core/waitQueue.main.pml",
];

/// Calls `check` on every model, on all cores, and reports all problems at once.
fn on_every_model(corpus: &Corpus, check: impl Fn(&Entry) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(entry) = corpus.entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = check(entry) {
                        let complaint = format!("{}: {complaint}", entry.name);
                        complaints.lock().expect("no worker panics").push(complaint);
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().expect("no worker panics");
    complaints.sort();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn acceptance_agrees_with_the_record() {
    let name = "acceptance_agrees_with_the_record";
    let Some(corpus) = corpus_or_skip(name) else {
        return;
    };
    if !available_or_skip(name) {
        return;
    }
    on_every_model(&corpus, |entry| {
        let answer = accepts(&entry.file, &[]).map_err(|error| error.to_string())?;
        if answer.accepted != entry.spin_accepts {
            return Err(format!("recorded {}, but {answer:?}", entry.spin_accepts));
        }
        // The record cannot contain tabs.
        if !answer.message.replace('\t', " ").contains(&entry.message) {
            return Err(format!("{:?} does not contain {:?}", answer.message, entry.message));
        }
        Ok(())
    });
}

#[test]
fn every_table_is_read_to_the_last_line() {
    let name = "every_table_is_read_to_the_last_line";
    let Some(corpus) = corpus_or_skip(name) else {
        return;
    };
    if !available_or_skip(name) {
        return;
    }
    on_every_model(&corpus, |entry| {
        if !entry.spin_accepts {
            return Ok(());
        }
        // The intermediate setting prints nothing that these two do not.
        for translator in [Translator::Default, Translator::Plain] {
            let table = Pan::build(&entry.file, translator, &[]).and_then(|pan| {
                let raw = pan.raw()?;
                Ok((pan.automata()?, raw))
            });
            match table {
                Ok((table, raw)) => plausible(&table, &raw)?,
                Err(OracleError::Compile(_)) if UNCOMPILABLE.contains(&&*entry.name) => {}
                Err(error) => return Err(format!("{translator:?}: {error}")),
            }
        }
        Ok(())
    });
}

/// What holds for all tables, whatever the model.
fn plausible(table: &[PanProcess], raw: &[PanProcess]) -> Result<(), String> {
    if table.is_empty() || table.len() != raw.len() {
        return Err(format!("{} processes, {} raw ones", table.len(), raw.len()));
    }
    for (process, raw) in table.iter().zip(raw) {
        let known = |state| state == 0 || raw.edges.iter().any(|edge| edge.from == state);
        for edge in &process.edges {
            if !known(edge.from) || !known(edge.to) || !known(edge.escape_of.unwrap_or(0)) {
                return Err(format!("{}: {edge:?} leaves the raw automaton", process.name));
            }
        }
        let ends = process.edges.iter().any(|edge| edge.text == "-end-");
        let process_like = matches!(process.kind, PanKind::Proctype | PanKind::Init);
        if process_like && ends && !process.edges.iter().any(|edge| edge.to == 0) {
            return Err(format!("{} ends without ending", process.name));
        }
    }
    Ok(())
}
