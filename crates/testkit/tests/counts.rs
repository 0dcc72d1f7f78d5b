//! quick
use std::collections::HashSet;
use beeline_engine::automata::Options;
use beeline_engine::interpreter::Machine;
use beeline_testkit::{corpus, model};

#[test]
fn counts() {
    let Some(corpus) = corpus::corpus_or_skip("counts") else { return };
    let only = std::env::var("ONLY").ok();
    let max: u64 = std::env::var("MAX").ok().and_then(|x| x.parse().ok()).unwrap_or(3000);
    for (config, options) in [("full_plain", Options::PLAIN), ("full", Options::OPTIMISED)] {
    let (mut good, mut bad, mut skipped) = (0, 0, 0);
    for entry in &corpus.entries {
        if only.as_ref().is_some_and(|o| !entry.name.contains(o.as_str())) { continue; }
        let Some(row) = corpus.result(&entry.name, config) else { continue };
        if !matches!(row.status, corpus::Status::Complete) { continue; }
        let stored = row.stored.unwrap_or(0);
        if stored > max { continue; }
        let front = model::read(&entry.file).unwrap();
        if front.diagnostics.has_errors() { continue; }
        let machine = match Machine::new(&front.hir, options) { Ok(m) => m, Err(e) => { println!("{} skipped {e}", entry.name); skipped += 1; continue } };
        let initial = match machine.initial() { Ok(n) => n.bytes, Err(e) => { println!("{} {e}", entry.name); continue } };
        let mut seen = HashSet::from([initial.clone()]);
        let mut queue = vec![initial];
        let (mut matched, mut errors) = (0u64, 0u64);
        while let Some(s) = queue.pop() {
            let e = machine.expand(&s);
            errors += e.faults.len() as u64 + u64::from(e.deadlock);
            for n in e.next { if seen.insert(n.clone()) { queue.push(n); } else { matched += 1; } }
            if seen.len() as u64 > stored * 3 + 100 { break; }
        }
        let ours = seen.len() as u64;
        if ours == stored && Some(ours + matched) == row.transitions && (errors > 0) == (row.errors.unwrap_or(0) > 0) { good += 1; } else {
            bad += 1;
            println!("{} {config}: stored {ours} vs {stored}, transitions {} vs {:?}, errors {errors} vs {:?}", entry.name, ours + matched, row.transitions, row.errors);
        }
    }
    println!("{config}: good {good} bad {bad} skipped {skipped}");
    }
}
