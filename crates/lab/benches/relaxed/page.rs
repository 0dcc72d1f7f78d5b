//! The page, and its figures.

use std::fmt::Write as _;

use beeline_lab::chart::Scatter;

use super::compare::{Comparison, ENOUGH};
use super::goal::{LOOKED_AT, NEAR};
use super::{Found, HC, HC_FIFO, INTERVALS, Instance, MEMORY, OURS, Origin, SEARCHES, SETS, Table};

/// How often hpl should explore fewer states than h^c, in percent.
const FEWER: f64 = 80.0;

/// What was found when we looked why.
const WHY: &str = "\
## Why it is so

*h^c* is the same everywhere, so greedy search with it depends on the order of states that seem equal
alone. With the last one first, which is our default, it goes deep. That the paper finds shorter
trails with *hpl* tells that HSF-SPIN did not go broad, either, since then *h^c* would have the
shortest. Going deep is good where one process after the other can run on: in `fischer.7`, two of
them are in the critical section after 207 states. *hpl* does not find that in 20 s.

What is looked for matters as much as the heuristic. With goals that are a single fact, as they were
here before, *hpl* explored fewer states in 42 % of them, in 1.43 times the time. Rules for pairs
were set up before they were measured, each for all models, with *h^c* and *hpl* alone: two processes
at any labels, 56 % and 1.23; one of these or a process and a value of a global variable, 49 % and
1.56; two at labels of the same name first, 61 % and 1.21. This last one is used here for models whose
error is not known. The errors of the database, which nobody here has chosen, come nearest to what the
paper has measured.

- **Timers** (`at`, `fischer`). In a relaxed state a timer has all values at once, and a variable that
  was claimed by one process stays free for the others. In `at.6` *hpl* does not leave its plateaus in
  20 s and 2,000,000 states; `hff` with preferred steps needs 64.
- **Puzzles** (`sokoban`, `hanoi`, `peg_solitaire`). What is moved away also stays where it was, and an
  estimate takes as long as 17 states without in `peg_solitaire.2`, and some hundred in the others.
  With 20 s instead of 3, *hpl* also solves `krebs.3`, `peg_solitaire.6` and `sokoban.1`, with fewer
  states than *h^c*; with these, it would be 69 % of the errors.
- **Arithmetic** (`adding`). Sums of sums make sets of hundreds of values. Intervals are faster there.
- Where processes have to work together (`lamport`, `bridge`, `brp`, `bopdp`, `szymanski`), *hpl*
  with sets is far better. Intervals often lose that: ours are also those of locations, so
  that a process that can be at two of them can be at all with numbers between.
- **Deadlocks**. To be stuck is something about all processes, of which a relaxed state knows little.

Next to *hpl*, which counts layers, `hff` counts steps, and tells more states apart; with `active` to
choose among those that it does not, it explores fewer states than *h^c* in four of five errors, and
takes less time. `gbfs([hpl, active])`, measured on the errors alone, has 71 % and 0.88.

Most errors are found in some 10 ms by either search, so that medians of time vary by a tenth from one
measurement to the next: of the errors with *hpl*, between 0.94 and 1.05.

What an estimate costs is mostly trying the values of what a condition reads: two thirds of the
time in `sokoban.1` and `hanoi.1`. Elsewhere it is finding out which steps may have become possible,
and looking at them.
";

/// Something that is compared.
struct Measure {
    name: &'static str,
    /// In the name of a file.
    file: &'static str,
    /// The least that is told apart from nothing.
    least: f64,
    of: fn(&Found) -> f64,
}

const MEASURES: [Measure; 4] = [
    Measure { name: "steps of the trail", file: "length", least: 1.0, of: |run| run.steps },
    Measure { name: "explored states", file: "states", least: 1.0, of: |run| run.explored },
    Measure { name: "CPU seconds", file: "time", least: 0.001, of: |run| run.cpu },
    Measure { name: "bytes for states", file: "memory", least: 1.0, of: |run| run.bytes },
];

/// Of those that may be best, the one that solves most; of several, the one that explores fewest
/// states where all of them solve it.
fn best(table: &Table) -> &'static str {
    let instances = table.instances();
    let solved = |search: &str| {
        instances.iter().filter(|instance| table.found(instance, search).is_some()).count()
    };
    let by_all = |instance: &&&Instance| {
        SEARCHES[OURS].iter().all(|search| table.found(instance, search).is_some())
    };
    let common: Vec<_> = instances.iter().filter(by_all).collect();
    let size = |search: &str| -> f64 {
        let found = common.iter().filter_map(|instance| table.found(instance, search));
        found.map(|run| run.explored.max(1.0).ln()).sum()
    };
    let order = |one: &&&str, other: &&&str| {
        let counts = (solved(one), solved(other));
        counts.0.cmp(&counts.1).then(size(other).total_cmp(&size(one)))
    };
    SEARCHES[OURS].iter().max_by(order).expect("there are some")
}

/// All figures: names of files, and what is in them.
pub(crate) fn figures(table: &Table) -> Vec<(String, String)> {
    let instances = table.instances();
    let mut figures = Vec::new();
    for (kind, one, other) in [("hc", HC, SETS), ("best", SETS, best(table))] {
        for Measure { name, file, least, of } in &MEASURES {
            let value = |instance, search| table.found(instance, search).as_ref().map(of);
            let values = instances.iter().map(|one_of| (value(one_of, one), value(one_of, other)));
            let scatter = Scatter {
                title: (*name).to_owned(),
                across: one.to_owned(),
                up: other.to_owned(),
                points: values.filter(|(a, b)| a.is_some() || b.is_some()).collect(),
                least: *least,
            };
            figures.push((format!("{kind}-{file}.svg"), scatter.svg()));
        }
    }
    figures
}

/// Where instances come from, and what those are called.
const ORIGINS: [(&str, Origin); 3] =
    [("Errors", Origin::Error), ("Goals", Origin::Goal), ("Deadlocks", Origin::Deadlock)];

/// The instances of one origin.
fn of(table: &Table, origin: Origin) -> Vec<&Instance> {
    table.instances().into_iter().filter(|instance| instance.origin() == origin).collect()
}

/// What is looked for, and how.
fn introduction(table: &Table) -> String {
    let [errors, goals, deadlocks] = ORIGINS.map(|(_, origin)| of(table, origin).len());
    format!(
        "# Relaxation heuristics, measured\n\n\
         Written by `bench/relaxation`; every run is in `bench/relaxation.tsv`, with what was looked for.\n\n\
         [AWW15] ([bibliography](../bibliography.md)) compares, in its Fig. 2, greedy search with *hpl*,\n\
         the number of layers of a relaxed state space, to greedy search with *h^c*, the distance of a\n\
         never claim to its end, on faulty models of the BEEM database. This is the same with our\n\
         heuristics ([all of them](heuristics.md)).\n\n\
         ## What is looked for\n\n\
         The paper does not say which errors its models have, and the Promela texts of BEEM come without\n\
         properties. There are {} instances:\n\n\
         - {errors} **errors** that the database itself tells of, as far as we know them: two processes in a critical\n  \
           section, a place for errors, a puzzle that is solved. Which models have them is published with\n  \
           the translation of BEEM to BTOR; exhaustive search agrees, where it ends.\n\
         - {goals} **goals**, one for each other model. All states are visited in breadth-first order, {LOOKED_AT} at\n  \
           most, and what is new last is the goal: two processes at labels of the same name; where there\n  \
           is no such pair, two processes at any labels; where there is none either, a global variable\n  \
           with a value or a process at a label. A goal among the first {NEAR} states is left out, and so is\n  \
           a model that SPIN does not accept (`production_cell`).\n\
         - {deadlocks} **deadlocks**, in the models in which SPIN finds one. Without a claim there is no *h^c*; `blind`\n  \
           stands for it.\n\n\
         For errors and goals, the claim `never {{ do :: (goal) -> break :: else od }}` is added to the model. In\n\
         such a claim *h^c* is the same everywhere; the paper says so of its own example. So `{HC}` goes\n\
         deep, and `{HC_FIFO}` goes broad.\n\n\
         A run has {} s on the clock and {MEMORY}. What no search finds is left out. The machine has two cores,\n\
         which others used as well, so that some searches had half of that time. CPU seconds are all there\n\
         is from the file to the verdict.\n\n\
         ## What comes of it\n\n",
        table.instances().len(),
        table.limit,
    )
}

pub(crate) fn page(table: &Table) -> String {
    let all = table.instances();
    let best = best(table);
    let mut out = introduction(table);
    let mut add = |text: String| writeln!(out, "{text}").expect("it is a string");
    for (name, search) in [("sets of values", SETS), ("intervals, as in the paper", INTERVALS)] {
        let next = Comparison::of(table, &all, HC, search);
        let (fewer, time) = (next.share(|run| run.explored), next.ratio(|run| run.cpu));
        let word = |is_met| if is_met { "PASS" } else { "FAIL" };
        add(format!(
            "- **{}**: `{search}`, with {name}, should explore\n  \
             fewer states than `{HC}` in {FEWER} % of the instances: it does in {fewer:.0} %.",
            word(fewer >= FEWER)
        ));
        add(format!(
            "- **{}**: it should take no more time in the median: it takes {time:.2} times as much.",
            word(time <= 1.0)
        ));
        let each = ORIGINS.map(|(what, origin)| {
            let next = Comparison::of(table, &of(table, origin), HC, search);
            let (fewer, time) = (next.share(|run| run.explored), next.ratio(|run| run.cpu));
            format!("{} {fewer:.0} % and {time:.2}", what.to_lowercase())
        });
        add(format!("  Of each kind: {}.", each.join(", ")));
    }
    add(format!(
        "- Of what may be best, `{best}` solves most instances, and of several that\n  \
         do explores the fewest states where all of them find the error.\n\n{WHY}"
    ));
    add(shares(table));
    for (what, origin) in ORIGINS {
        add(format!("\n### {what}\n"));
        add(rows(table, &of(table, origin)));
    }
    add(costs(table, &all));
    add(pictures(best));
    out
}

/// How often each search explores fewer states than one that goes deep, and one that goes broad.
fn shares(table: &Table) -> String {
    let mut out = format!(
        "## Deep and broad\n\n\
         The percentage of instances with fewer states, of those that at least one of the two solves; one\n\
         that is solved by one alone counts for that one.\n\n\
         | search | errors: `{HC}` | goals | deadlocks | all | errors: `{HC_FIFO}` | goals | deadlocks | all |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    let mut sets: Vec<_> = ORIGINS.iter().map(|(_, origin)| of(table, *origin)).collect();
    sets.push(table.instances());
    for search in &SEARCHES[2..] {
        write!(out, "| `{search}` |").expect("it is a string");
        for base in [HC, HC_FIFO] {
            for instances in &sets {
                let next = Comparison::of(table, instances, base, search);
                write!(out, " {:.0} |", next.share(|run| run.explored)).expect("it is a string");
            }
        }
        out.push('\n');
    }
    out
}

/// Every search next to h^c.
fn rows(table: &Table, instances: &[&Instance]) -> String {
    let mut out = format!(
        "Next to `{HC}`. *Fewer* counts the instances that both solve with fewer states, and in brackets\n\
         those with as many; then those solved by one only, this or `{HC}`. Ratios are medians.\n\n\
         | search | solved | fewer states | only this | only the other | states | trail | CPU | memory |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for search in SEARCHES {
        let next = Comparison::of(table, instances, HC, search);
        let (fewer, same) = next.less(|run| run.explored);
        let [length, states, time, memory] = MEASURES.map(|measure| next.ratio(measure.of));
        writeln!(
            out,
            "| `{search}` | {} | {fewer} ({same}) of {} | {} | {} | {states:.2} | {length:.2} | {time:.2} | {memory:.2} |",
            next.pairs.len() + next.only_other,
            next.pairs.len(),
            next.only_other,
            next.only_one,
        )
        .expect("it is a string");
    }
    out
}

/// What estimates cost.
fn costs(table: &Table, instances: &[&Instance]) -> String {
    let mut out = format!(
        "## What an estimate costs\n\n\
         CPU microseconds for each state that is estimated, less those of `{HC}` on the same instance where\n\
         that is known as well; over the instances that are solved with {ENOUGH} estimates or more, so that\n\
         what it takes to start matters little.\n\n\
         | search | instances | least | median | nine tenths | most |\n|---|---|---|---|---|---|\n"
    );
    for search in &SEARCHES[2..] {
        let (count, costs) = Comparison::of(table, instances, HC, search).costs();
        let [least, median, most_of, most] = costs.map(|cost| format!("{cost:.1}"));
        writeln!(out, "| `{search}` | {count} | {least} | {median} | {most_of} | {most} |")
            .expect("it is a string");
    }
    out
}

/// Where the figures are shown.
fn pictures(best: &str) -> String {
    let mut out = String::from(
        "## Figures\n\n\
         A cross is an instance that both solve, a triangle one that only one of them does. Below the\n\
         diagonal, the search that is named at the left took less.\n",
    );
    for (kind, one, other) in [("hc", HC, SETS), ("best", SETS, best)] {
        writeln!(out, "\n### `{one}` and `{other}`\n").expect("it is a string");
        for Measure { name, file, .. } in &MEASURES {
            writeln!(out, "![{name}](relaxation/{kind}-{file}.svg)").expect("it is a string");
        }
    }
    out
}
