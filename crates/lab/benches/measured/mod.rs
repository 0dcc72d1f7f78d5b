//! The summary of the runs of the automatic strategy: the table and the page.

use std::fmt::Write as _;

use crate::{KINDS, MEMORY, Run, THREADS, Trail, Truth};
use beeline_lab::ask::{percent, verdict};

/// Expectation: `FOUND` percent of the errors are found, with trails at most `NEAR` times the best.
const FOUND: f64 = 95.0;
const NEAR: f64 = 1.2;

/// Every model, one in a line.
pub(crate) fn table(runs: &[Run]) -> String {
    let mut out = "model\ttruth\tseconds".to_owned();
    for kind in KINDS {
        write!(out, "\t{kind}\tsteps\tfound by\tbest single\tits steps").expect("it is a string");
    }
    out += "\tspin\tits trail\tits seconds\n";
    for run in runs {
        let truth = match run.truth {
            Truth::Safe => "safe",
            Truth::Violated => "violated",
            Truth::Complaint => "complaint",
        };
        write!(out, "{}\t{truth}\t{:.2}", run.model, run.seconds).expect("it is a string");
        for (said, single) in run.said.iter().zip(&run.single) {
            let of = |trail: &Option<Trail>| match trail {
                Some(trail) => (trail.steps.to_string(), trail.by.clone()),
                None => Default::default(),
            };
            let ((steps, by), (least, search)) = (of(&said.trail), of(single));
            write!(out, "\t{}\t{steps}\t{by}\t{search}\t{least}", said.verdict)
                .expect("it is a string");
        }
        let steps = run.spin.steps.map_or(String::new(), |steps| steps.to_string());
        writeln!(out, "\t{}\t{steps}\t{:.2}", run.spin.verdict, run.spin.seconds)
            .expect("it is a string");
    }
    out
}

/// An error that a single search finds, and the result of the automatic strategy.
struct Pair<'r> {
    run: &'r Run,
    kind: &'static str,
    single: &'r Trail,
    automatic: Option<&'r Trail>,
}

impl Pair<'_> {
    fn is_near(&self) -> bool {
        self.automatic.is_some_and(|trail| trail.steps as f64 <= NEAR * self.single.steps as f64)
    }
}

fn pairs(runs: &[Run]) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for run in runs.iter().filter(|run| run.truth == Truth::Violated) {
        for (at, kind) in KINDS.iter().enumerate() {
            let Some(single) = &run.single[at] else { continue };
            pairs.push(Pair { run, kind, single, automatic: run.said[at].trail.as_ref() });
        }
    }
    pairs
}

/// The page.
pub(crate) fn page(runs: &[Run], unknown: &[String], seconds: u64) -> String {
    let pairs = pairs(runs);
    let of = |truth| runs.iter().filter(move |run| run.truth == truth);
    let wrong: Vec<&Run> = runs.iter().filter(|run| run.is_wrong()).collect();
    let found = pairs.iter().filter(|pair| pair.automatic.is_some()).count();
    let near = pairs.iter().filter(|pair| pair.is_near()).count();
    let open: Vec<&Run> = of(Truth::Safe).filter(|run| !run.is_proved()).collect();
    let (safe, bad) = (of(Truth::Safe).count(), of(Truth::Violated).count());
    let (found_share, near_share) = (percent(found, pairs.len()), percent(near, pairs.len()));
    let mut out = format!(
        "# The automatic strategy, measured\n\n\
         Printed by `bench/auto` over the {} corpus models whose verdict is known from SPIN's exhaustive search\n\
         or an error it found: {safe} have neither deadlocks nor failing assertions,\n\
         {bad} have. Each is checked by `beeline check --property deadlock --property assertions`\n\
         with a limit of {seconds} s and {MEMORY}, without further options; {THREADS} models at a time, on two cores\n\
         that ran other programs as well, so that times are approximate. Every run is in `bench/auto.tsv`.\n\
         {} more models have no verdict to compare with.\n\n\
         - **{}**: {} wrong verdicts; there should be none.\n\
         - **{}**: of {} errors that some single search finds, {found} ({found_share:.1} %) are found;\n  \
           {FOUND} % should be. Single searches are those of `bench/quality.tsv`, 3 s each, and\n  \
           depth-first, random depth-first, greedy and breadth-first search with {seconds} s where\n  \
           those or the automatic strategy find nothing.\n\
         - **{}**: {near} ({near_share:.1} %) have a trail at most {NEAR} × the best of any single\n  \
           search; {FOUND} % should.\n\
         - **{}**: {} of {safe} models without errors are proved.\n",
        safe + bad,
        unknown.len(),
        verdict(wrong.is_empty()),
        wrong.len(),
        verdict(found_share >= FOUND),
        pairs.len(),
        verdict(near_share >= FOUND),
        verdict(open.is_empty()),
        safe - open.len(),
    );
    list(&mut out, "Wrong verdicts", wrong.iter().map(|run| run.model.clone()));
    let missed = pairs.iter().filter(|pair| pair.automatic.is_none()).map(|pair| {
        let Pair { run, kind, single, .. } = pair;
        format!("{} ({kind}): `{}` has {} steps", run.model, single.by, single.steps)
    });
    list(&mut out, "Errors that are not found", missed);
    let far = pairs.iter().filter(|pair| !pair.is_near()).filter_map(|pair| {
        let Pair { run, kind, single, automatic } = pair;
        let (model, Trail { steps, by }) = (&run.model, (*automatic)?);
        Some(format!("{model} ({kind}): {steps} by `{by}`, {} by `{}`", single.steps, single.by))
    });
    list(&mut out, "Trails that are too long", far);
    let why = open.iter().map(|run| format!("{}, {:.1} s", run.model, run.seconds));
    list(&mut out, "Models without errors that are not proved", why);
    let silent = of(Truth::Violated).filter(|run| !run.is_violated());
    let silent = silent.map(|run| run.model.clone());
    list(&mut out, "Models with errors of which none is found", silent);
    let others: Vec<&Run> = of(Truth::Complaint).collect();
    let held = others.iter().filter(|run| run.is_proved()).count();
    let title = format!(
        "In {} more models SPIN's verifier stops with an error that is neither a deadlock nor a\n\
         failed assertion, such as a poll of a rendezvous. They are in none of the figures\n\
         above. If they counted as errors, {held} of them would be wrong verdicts\n\
         (*holds holds*). The verdicts of the automatic strategy on deadlocks and assertions there",
        others.len()
    );
    let others = others.iter().map(|run| {
        let [deadlock, assertions] = &run.said;
        format!("{}: {} {}", run.model, deadlock.verdict, assertions.verdict)
    });
    list(&mut out, &title, others);
    list(&mut out, "Models without a verdict to compare with", unknown.iter().cloned());
    out + &finders(runs) + &rivals(runs)
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        write!(out, "\n{title}:\n\n").expect("it is a string");
        items.iter().for_each(|item| *out += &format!("- {item}\n"));
    }
}

/// The searches that found the errors.
fn finders(runs: &[Run]) -> String {
    let trails = runs.iter().flat_map(|run| &run.said).filter_map(|said| said.trail.as_ref());
    let mut names: Vec<&str> = trails.map(|trail| &*trail.by).collect();
    names.sort_unstable();
    let mut out = "\n## Errors by search\n\n| search | errors |\n|---|---|\n".to_owned();
    for group in names.chunk_by(|one, two| one == two) {
        writeln!(out, "| `{}` | {} |", group[0], group.len()).expect("it is a string");
    }
    out
}

/// The comparison with SPIN.
fn rivals(runs: &[Run]) -> String {
    let runs: Vec<&Run> = runs.iter().filter(|run| run.truth != Truth::Complaint).collect();
    let count = |is: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| is(run)).count();
    let truth = |run: &Run| if run.truth == Truth::Safe { "holds" } else { "violated" };
    let ours = |run: &Run| match run.truth {
        Truth::Safe => run.is_proved(),
        Truth::Violated | Truth::Complaint => run.is_violated(),
    };
    let theirs = |run: &Run| run.spin.verdict == truth(run);
    let spin_wrong = |run: &Run| !theirs(run) && run.spin.verdict != "unknown";
    let both: Vec<&Run> = runs.iter().copied().filter(|run| ours(run) && theirs(run)).collect();
    let mean = |ratios: Vec<f64>| {
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        (logs / ratios.len().max(1) as f64).exp()
    };
    let time = |run: &&Run| run.spin.seconds / run.seconds.max(0.001);
    let trail = |run: &&Run| {
        let mut trails = run.said.iter().filter_map(|said| said.trail.as_ref());
        // It reports one error, of either kind.
        let steps = trails.by_ref().map(|trail| trail.steps).max()?;
        Some((run.spin.steps? + 1) as f64 / (steps + 1) as f64)
    };
    format!(
        "\n## Comparison with `spin -run`\n\n\
         `spin -run -noclaim -m1000000` has the same time, compilation included. It has partial\n\
         order reduction, and stops at the first error of either kind; its trail counts a rendezvous\n\
         as two steps.\n\n\
         | | Beeline | SPIN |\n\
         |---|---|---|\n\
         | correct verdict | {} | {} |\n\
         | wrong verdict | {} | {} |\n\
         | no verdict | {} | {} |\n\n\
         Over the {} models with a correct verdict from both, SPIN takes {:.1} × the time (geometric\n\
         mean), and its trails are {:.1} × as long.\n",
        count(&ours),
        count(&theirs),
        count(&|run| run.is_wrong()),
        count(&spin_wrong),
        count(&|run| !ours(run) && !run.is_wrong()),
        count(&|run| run.spin.verdict == "unknown"),
        both.len(),
        mean(both.iter().map(time).collect()),
        mean(both.iter().filter_map(trail).collect()),
    )
}
