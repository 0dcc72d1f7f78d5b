//! The number of states with a reduction, compared with SPIN's.
//!
//! SPIN's numbers for the corpus are those of its table; for our own models, SPIN is run here. Ours
//! are those of complete explorations, errors notwithstanding.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use beeline_checker::{
    NoObserver, Plan, ReductionChoice, check, count, parse_reduction, parse_search,
};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Expansion, Space};
use beeline_model::Model;
use beeline_promela::hir;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::corpus::Status;
use beeline_testkit::spin::{Pan, Translator};
use beeline_testkit::{fixture, model};

use super::{THREADS, Table, mean, share, whole};
use crate::Ground;
use beeline_lab::ask::{for_each, verdict};

pub(crate) const NAME: &str = "strength";

/// The least number of states of a model of the corpus, of one of ours, and the greatest of any.
const LEAST: f64 = 1_000.0;
const LEAST_OF_OURS: f64 = 100.0;
const MOST: f64 = 2_000_000.0;
/// The expected share of states that remain for deadlocks, as a geometric mean.
const LEFT: f64 = 0.3;
/// No model should have more than this many times the states of SPIN.
const WORSE: f64 = 1.2;
/// Models that SPIN reduces unsoundly, and why.
const UNSOUND: [(&str, &str); 1] = [(
    "models/dynamic.pml",
    "the model reads `_nr_pr`, which the end of a process changes;\n  \
     SPIN treats that as an invisible step",
)];
/// The limit of states in which two enabled processes are searched.
const LOOK: usize = 200_000;
/// Time limit of `pan`.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn measure(ground: &Ground, table: &mut Table) {
    let entries = ground.corpus.entries.iter().filter(|entry| ground.wants(&entry.name));
    let mut tasks = Vec::new();
    for entry in entries {
        let stored = |config| {
            let row = ground.corpus.result(&entry.name, config)?;
            row.stored.filter(|_| row.status == Status::Complete).map(|states| states as f64)
        };
        let (Some(full), Some(reduced)) = (stored("full"), stored("por_full")) else { continue };
        if (LEAST..=MOST).contains(&full) {
            tasks.push((entry.name.clone(), entry.file.clone(), Some([full, reduced])));
        }
    }
    for fixture in fixture::all() {
        let name = format!("models/{}.pml", fixture.name);
        let states = fixture.expect.states().unwrap_or_default();
        if states as f64 >= LEAST_OF_OURS && ground.wants(&name) {
            tasks.push((name, fixture.file, None));
        }
    }
    let measured = for_each(&tasks, THREADS, |(name, file, known)| {
        let asked = || Some([ask_spin(file, "-DNOREDUCE")?, ask_spin(file, "-DREDUCE")?]);
        eprintln!("{NAME}: {name}");
        known.or_else(asked).map(|spin| one(name, file, spin)).unwrap_or_default()
    });
    table.append(measured);
}

/// Measures one model, given SPIN's numbers.
fn one(name: &str, file: &Path, spin: [f64; 2]) -> Table {
    let mut table = Table::default();
    let front = model::read(file).expect("the file can be read");
    if model::first_error(&front).is_some() {
        return table;
    }
    let deadlock = parse_reduction("stubborn(c3=none)").expect("there is such a reduction");
    let passing =
        parse_reduction("stubborn(c3=none, pass=yes)").expect("there is such a reduction");
    let safety = parse_reduction("stubborn").expect("there is such a reduction");
    let model = promela(&front);
    table.put(NAME, name, "full", states(&model, ReductionChoice::Off));
    table.put(NAME, name, "deadlock", states(&model, deadlock));
    table.put(NAME, name, "passing", states(&model, passing));
    table.put(NAME, name, "safety", safe_states(&model, safety));
    table.put(NAME, name, "spin full", spin[0]);
    table.put(NAME, name, "spin", spin[1]);
    table.put(NAME, name, "concurrent", f64::from(u8::from(is_concurrent(&front.hir))));
    table
}

/// The number of states that remain for deadlocks.
fn states(model: &dyn Model, reduce: ReductionChoice) -> f64 {
    let plan = Plan { reduce, ..Plan::default() };
    let counted = count(model, &plan, &mut NoObserver).expect("c3=none suits every search");
    counted.stats.stored as f64
}

/// The number of states that remain for deadlocks and assertions, depth-first, with the best
/// condition.
fn safe_states(model: &dyn Model, reduce: ReductionChoice) -> f64 {
    let search = parse_search("dfs", 0, &heuristic_names()).expect("there is such a search");
    let plan = Plan { search, reduce, ..Plan::default() };
    let names = ["deadlock", "assertions"].map(str::to_owned);
    let properties = model.select(&names).expect("every model has those");
    let report = check(model, &properties, &plan, true, &mut NoObserver);
    report.expect("findings are confirmed").stats.stored as f64
}

/// Whether two processes are enabled in some state.
fn is_concurrent(model: &hir::Model) -> bool {
    let machine = Machine::new(model, AutomataOptions::OPTIMISED);
    let mut state = Vec::new();
    if Space::initial(&machine, &mut state).is_err() {
        return false;
    }
    let (mut known, mut waiting) = (HashSet::from([state.clone()]), VecDeque::from([state]));
    let mut expansion = Expansion::default();
    let mut expander = machine.expander();
    while let Some(state) = waiting.pop_front() {
        expander.expand_only(&state, &mut expansion);
        let ways = expansion.successors.transitions();
        if ways.iter().any(|way| way.label.process != ways[0].label.process) {
            return true;
        }
        for at in 0..expansion.len() {
            if known.len() < LOOK && known.insert(expansion.state(at).to_vec()) {
                waiting.push_back(expansion.state(at).to_vec());
            }
        }
    }
    false
}

/// The number of states that SPIN stores, if it is complete.
fn ask_spin(file: &Path, how: &str) -> Option<f64> {
    let pan = Pan::build(file, Translator::Default, &["-DSAFETY", "-DNOCLAIM", how]).ok()?;
    let output = pan.run(&["-c0", "-m1000000"], PATIENCE).ok()?.output();
    let is_partial = ["max search depth too small", "Search not completed"];
    if is_partial.iter().any(|sign| output.contains(sign)) {
        return None;
    }
    let line = output.lines().find(|line| line.contains("states, stored"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The remaining states of a model.
struct Left<'t> {
    model: &'t str,
    full: f64,
    deadlock: f64,
    passing: f64,
    safety: f64,
    spin: f64,
    concurrent: bool,
}

impl Left<'_> {
    fn is_reduced(&self) -> bool {
        self.deadlock < 1.0 || self.safety < 1.0 || self.spin < 1.0
    }
}

fn read(table: &Table) -> Vec<Left<'_>> {
    let read = |model| {
        let value = |what| table.value(NAME, model, what);
        let full = value("full")?;
        Some(Left {
            model,
            full,
            deadlock: value("deadlock")? / full,
            passing: value("passing")? / full,
            safety: value("safety")? / full,
            spin: value("spin")? / value("spin full")?,
            concurrent: value("concurrent")? > 0.0,
        })
    };
    table.models(NAME).into_iter().filter_map(read).collect()
}

/// The section of the page.
pub(crate) fn section(table: &Table) -> String {
    let all = read(table);
    let mut out = format!(
        "\n## Remaining states\n\n\
         The {} models of the corpus with 1,000 to 2,000,000 states that SPIN completes with\n\
         and without its reduction, and our own from {LEAST_OF_OURS} states on, {} in all. *Deadlocks* is\n\
         `count --reduce 'stubborn(c3=none)'`, *passing* the same with `pass=yes`, *safety* is\n\
         `check --search dfs --all --reduce stubborn` for deadlocks and assertions, SPIN's is `pan`\n\
         built with `-DSAFETY -DNOCLAIM`. All continue after errors and visit all states. Shares are\n\
         geometric means of stored states.\n\n\
         | models | | deadlocks | passing | safety | SPIN |\n|---|---|---|---|---|---|\n",
        all.iter().filter(|one| !one.model.starts_with("models/")).count(),
        all.len()
    );
    let mut line = |name: &str, some: Vec<&Left<'_>>| {
        let of = |share: fn(&Left<'_>) -> f64| mean(some.iter().map(|one| share(one)));
        let shares = [
            of(|one| one.deadlock),
            of(|one| one.passing),
            of(|one| one.safety),
            of(|one| one.spin),
        ];
        let words = shares.map(|one| share(Some(one))).join(" | ");
        writeln!(out, "| {name} | {} | {words} |", some.len()).expect("it is a string");
        shares
    };
    let [reached, stored, ..] = line("all", all.iter().collect());
    line("in which two processes can move at the same time", {
        all.iter().filter(|one| one.concurrent).collect()
    });
    let [some, ..] =
        line("that either tool reduces", all.iter().filter(|one| one.is_reduced()).collect());
    let worse = |what: fn(&Left<'_>) -> f64| {
        all.iter().filter(move |one| what(one) > WORSE * one.spin).collect::<Vec<_>>()
    };
    let (deadlock, safety) = (worse(|one| one.deadlock), worse(|one| one.safety));
    let passing = worse(|one| one.passing);
    let worst = all.iter().map(|one| one.passing / one.spin).fold(0.0, f64::max);
    write!(
        out,
        "\nTwo processes can move at the same time if one of the first 200,000 states in breadth-first order\n\
         has steps of two different processes.\n\n\
         - **{}**: for deadlocks, {LEFT} or less should be stored over all models: it is {stored:.3} with\n  \
           `pass=yes`.\n\
         - **{}**: the same without path compression: it is {reached:.3}; over those that either tool\n  \
           reduces, it is {some:.3}.\n\
         - **{}**: for deadlocks, nowhere should more than {WORSE} × SPIN's share be left: with\n  \
           `pass=yes` {} of {} models have more, and the worst has {worst:.3} ×.\n\
         - **{}**: the same without path compression: {} have more.\n\
         - **{}**: for safety, neither: {} have more.\n",
        verdict(stored <= LEFT),
        verdict(reached <= LEFT),
        verdict(passing.is_empty()),
        passing.len(),
        all.len(),
        verdict(deadlock.is_empty()),
        deadlock.len(),
        verdict(safety.is_empty()),
        safety.len(),
    )
    .expect("it is a string");
    for (title, worse) in [("deadlocks", deadlock), ("safety", safety)] {
        list_worse(&mut out, title, &worse);
    }
    out +=
        "\n| model | states | deadlocks | passing | safety | SPIN |\n|---|---|---|---|---|---|\n";
    for one in &all {
        let Left { model, full, deadlock, passing, safety, spin, .. } = one;
        let shares = [deadlock, passing, safety, spin].map(|&one| share(Some(one)));
        let states = whole(Some(*full));
        writeln!(out, "| {model} | {states} | {} |", shares.join(" | ")).expect("it is a string");
    }
    out
}

fn list_worse(out: &mut String, title: &str, worse: &[&Left<'_>]) {
    if worse.is_empty() {
        return;
    }
    write!(out, "\nReduced less than by SPIN, for {title}:\n\n").expect("it is a string");
    for one in worse {
        let ours = if title == "safety" { one.safety } else { one.deadlock };
        let why = UNSOUND.iter().find(|(model, _)| *model == one.model);
        let why =
            why.map_or(String::new(), |(_, why)| format!(", which is not sound\n  there: {why}"));
        writeln!(out, "- {}: {ours:.3}, SPIN {:.3}{why}", one.model, one.spin)
            .expect("it is a string");
    }
}
