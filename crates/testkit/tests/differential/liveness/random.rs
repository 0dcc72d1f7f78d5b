//! Random programs with random claims. `BEELINE_SEEDS` and `BEELINE_FIRST_SEED` select them;
//! `BEELINE_KEEP` names a directory for the programs that differ.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::TrailLine;
use beeline_model::{Model, Property};
use beeline_promela::{Frontend, printer};
use beeline_testkit::checking::promela;
use beeline_testkit::cycle_verdicts::{Manner, OurVerdict, verdicts};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::spin::{
    self, Asked, Pan, Said, Scratch, Translator, confuses_spin, unconfusing,
};
use beeline_testkit::{chosen, model};

use super::trails::{Case, both_ways};

const PATIENCE: Duration = Duration::from_secs(10);
/// The limit of states.
const ENOUGH: u64 = 300_000;

/// The kind of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Ltl,
    Never,
    Progress,
    Acceptance,
}

impl Kind {
    fn of(seed: u64) -> &'static [Kind] {
        match seed % 4 {
            0 | 1 => &[Kind::Ltl],
            2 => &[Kind::Never],
            _ => &[Kind::Progress, Kind::Acceptance],
        }
    }

    fn property(self) -> &'static str {
        match self {
            Kind::Ltl => "property",
            Kind::Never => "never",
            Kind::Progress => "progress",
            Kind::Acceptance => "acceptance",
        }
    }
}

/// Small cyclic programs, with many language features.
fn config(seed: u64) -> Config {
    let mut config = match seed % 3 {
        0 => Config::small(),
        _ => Config::full(),
    };
    (config.bits, config.channels, config.operators, config.nesting) = (7, 2, 1, 2);
    // In SPIN, a claim counts as a process.
    config = config.without(Feature::ProcessCount);
    config = config.with(Feature::RemoteReference, 15).with(Feature::Timeout, 5);
    match Kind::of(seed)[0] {
        // In SPIN, accept labels of processes count beside a formula, too.
        Kind::Ltl => config.with(Feature::Ltl, 100).without(Feature::AcceptLabel),
        Kind::Never => config.with(Feature::Never, 100).with(Feature::AcceptLabel, 2),
        _ => config.with(Feature::AcceptLabel, 15).with(Feature::ProgressLabel, 15),
    }
}

/// Some programs with rare atoms in their claims: `_last` and `np_`.
fn spiced(seed: u64, text: String) -> String {
    if seed % 8 == 1
        && let Some((before, formula)) = text.split_once("ltl property { ")
        && let Some((formula, after)) = formula.rsplit_once(" }")
    {
        let (who, op) = (seed / 8 % 3, ["&&", "||", "U", "->"][seed as usize / 24 % 4]);
        let own = ["[] <> (_last == ", "<> [] (_last != ", "[] (_last < "][seed as usize / 8 % 3];
        return format!("{before}ltl property {{ ({formula}) {op} ({own}{who})) }}{after}");
    }
    if seed % 8 == 2
        && let Some((before, claim)) = text.split_once("never {")
    {
        return format!("{before}never {{{}", claim.replacen(":: true", ":: np_", 1));
    }
    text
}

/// The program of a seed, without constructs that SPIN executes wrongly.
fn random(seed: u64, file: &Path) -> (String, Frontend) {
    let make = |config: &Config| {
        let text = spiced(seed, printer::print(&generate::program(seed, config)));
        std::fs::write(file, &text).expect("scratch files can be written");
        let front = model::read(file).expect("just written");
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        (text, front)
    };
    let wanted = config(seed);
    let (text, front) = make(&wanted);
    if confuses_spin(&front.hir) {
        return make(&unconfusing(&wanted));
    }
    (text, front)
}

/// Counters of the comparison.
#[derive(Default)]
struct Tally {
    /// By kind and fairness: the number of comparisons, and of violations among them.
    compared: BTreeMap<(Kind, bool), (u64, u64)>,
    /// Skipped programs, by reason.
    skipped: BTreeMap<String, u64>,
    /// Lassos and other trails that SPIN replayed, and that we replayed.
    trails: (u64, u64),
    differences: Vec<String>,
}

impl Tally {
    fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
    }
}

#[test]
fn random_programs_have_spin_s_verdicts() {
    if !spin::available_or_skip("verdicts about random claims") {
        return;
    }
    let scratch = Scratch::new().expect("a scratch directory");
    let seeds = chosen::seeds(60);
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        let file = scratch.path().join(format!("random-{seed}.pml"));
        let (text, front) = random(seed, &file);
        let plain = seed % 8 < 4;
        let translator = if plain { Translator::Plain } else { Translator::Default };
        for &kind in Kind::of(seed) {
            let pan = match Pan::build(&file, translator, Asked::defines(kind == Kind::Progress)) {
                Ok(pan) => pan,
                Err(error) => {
                    tally.skip(&format!("SPIN: {error}").chars().take(90).collect::<String>());
                    continue;
                }
            };
            let properties = promela(&front).select(&[kind.property().to_owned()]);
            let property = properties.expect("the property is there").remove(0);
            let case =
                Case { file: &file, front: &front, translator, pan: &pan, property: &property };
            let mut before = None;
            for fair in [false, true] {
                if let Err(difference) = compare(&case, kind, fair, &mut before, &mut tally) {
                    let what = format!("seed {seed}, {translator:?}, {kind:?}, fair {fair}");
                    if let Ok(directory) = std::env::var("BEELINE_KEEP") {
                        let kept = Path::new(&directory).join(format!("{seed}.pml"));
                        std::fs::write(kept, &text).expect("it can be kept");
                    }
                    println!("{what}: {difference}");
                    tally.differences.push(format!("{what}: {difference}\n{text}"));
                }
            }
        }
    }
    report(&tally, seeds);
    assert!(tally.differences.is_empty(), "{}", tally.differences.join("\n\n"));
}

fn report(tally: &Tally, seeds: Range<u64>) {
    println!("seeds {seeds:?}:");
    for ((kind, fair), (compared, violated)) in &tally.compared {
        println!("{kind:?}, fair {fair}: {compared} compared, {violated} violated");
    }
    for (reason, count) in &tally.skipped {
        println!("{count} left out: {reason}");
    }
    let (ours, theirs) = tally.trails;
    println!("SPIN followed {ours} trails of ours, we followed {theirs} of SPIN's");
    let compared: u64 = tally.compared.values().map(|(compared, _)| compared).sum();
    assert!(compared >= seeds.end - seeds.start, "only {compared} verdicts were compared");
}

/// Whether the cycle that was found is stuttering.
fn rests(verdict: &OurVerdict) -> bool {
    let OurVerdict::Violated(violation) = verdict else { return false };
    let (trail, start) = (&violation.trail, violation.trail.cycle_start);
    let is_claim = |line: &TrailLine| trail.claim.is_some() && line.pid == 0;
    start.is_some_and(|start| trail.lines[start..].iter().all(is_claim))
}

/// One query, for SPIN and for all of our searches. `before` is SPIN's result without fairness.
fn compare(
    case: &Case<'_>,
    kind: Kind,
    fair: bool,
    before: &mut Option<Said>,
    tally: &mut Tally,
) -> Result<(), String> {
    let processes = &case.front.hir.processes;
    if fair && processes.iter().any(|process| process.provided.is_some()) {
        tally.skip("explained: to SPIN, a process that `provided` holds back is not idle");
        return Ok(());
    }
    let text = std::fs::read_to_string(case.file).map_err(|error| error.to_string())?;
    let spiced = text.contains(":: np_");
    let machine = Machine::new(&case.front.hir, AutomataOptions::PLAIN);
    if spiced && machine.initial().is_ok_and(|now| machine.makes_progress(&now)) {
        tally.skip("explained: to SPIN, np_ is true in the first state, whatever is there");
        return Ok(());
    }
    let asked = Asked { progress: kind == Kind::Progress, fair, ..Asked::default() };
    // No assertions of these programs fail but those of the claim.
    let said = case.pan.ask(&asked, |_| true, PATIENCE).map_err(|error| error.to_string())?;
    let before = before.replace(said.clone());
    let was_violated = matches!(before, Some(Said::Violated(_)));
    if before == Some(Said::Holds) && said != Said::Holds {
        tally.skip("explained: SPIN finds a fair cycle where it finds none at all");
        return Ok(());
    }
    let violated = match &said {
        Said::Violated(_) => true,
        Said::Holds => false,
        Said::Elsewhere(what) => {
            tally.skip(&format!("SPIN stops at: {what}"));
            return Ok(());
        }
        Said::Unfinished => {
            tally.skip("SPIN does not come to an end");
            return Ok(());
        }
    };
    let Property { name, .. } = case.property;
    let plain = case.translator == Translator::Plain;
    let manner = Manner { plain, fair, states: ENOUGH };
    let found = verdicts(&promela(case.front), case.property, manner, true)?;
    for verdict in &found {
        match verdict.is_violated() {
            Some(true) if fair && !violated && rests(verdict) => {
                tally.skip("explained: under fairness, SPIN overlooks runs that get stuck");
                return Ok(());
            }
            Some(true) if fair && !violated && kind == Kind::Progress && was_violated => {
                tally.skip("explained: where processes end, SPIN overlooks fair cycles with -l");
                return Ok(());
            }
            Some(false)
                if fair
                    && matches!(&said, Said::Violated(what) if what.starts_with("accept stutter")) =>
            {
                tally.skip("explained: under fairness, SPIN rests at labels that are not there");
                return Ok(());
            }
            Some(ours) if ours != violated => {
                return Err(format!("{name}: {ours} here, SPIN: {said:?}"));
            }
            Some(_) => {}
            None => {
                let OurVerdict::Unknown(why) = verdict else { unreachable!("it is not known") };
                tally.skip(&format!("unknown: {why}"));
                return Ok(());
            }
        }
    }
    let count = tally.compared.entry((kind, fair)).or_default();
    count.0 += 1;
    count.1 += u64::from(violated);
    if violated {
        let (ours, theirs) = match both_ways(case, &found, fair) {
            // In a deadlock, SPIN's `np_` alternates.
            Err(problem) if spiced && problem.starts_with("SPIN's trail: step") => {
                tally.skip("explained: to SPIN, np_ is true and false in turn at the end");
                return Ok(());
            }
            followed => followed?,
        };
        tally.trails.0 += ours;
        tally.trails.1 += theirs;
    }
    Ok(())
}
