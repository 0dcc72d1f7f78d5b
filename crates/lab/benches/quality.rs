//! Directed search on models by other people: states, length of the trail, time and memory,
//! compared with SPIN's depth-first and breadth-first search.
//!
//! Run it with `bench/quality`, which writes `bench/quality.tsv` (every run) and
//! `docs/book/quality.md` (the summary). A run that ends after a few seconds without a verdict
//! counts as not solved. The models with an error, and its kind, are from the corpus' own table;
//! SPIN has the same limits (`rival/mod.rs`).

mod rival;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use beeline_lab::tool::{beeline, root, run};
use beeline_testkit::corpus::{Corpus, corpus_or_skip};

/// Limits of a run.
const LIMITS: [&str; 4] = ["--time", "3s", "--memory", "2G"];

/// The searches that are compared, by kind of error.
const DEADLOCK: &[&str] = &[
    "bfs",
    "dijkstra",
    "astar(active)",
    "astar(nonempty-queues)",
    "astar(dangerous-states(half))",
    "astar(dangerous)",
    "astar(deadlock-formula)",
    "astar(active, w=3)",
    "astar(dangerous, w=3)",
    "astar(deadlock-formula, w=3)",
    "gbfs(active)",
    "gbfs(nonempty-queues)",
    "gbfs(dangerous)",
    "gbfs(deadlock-formula)",
];
const ASSERTIONS: &[&str] = &[
    "bfs",
    "dijkstra",
    "astar(active)",
    "astar(assertion-distance)",
    "astar(formula)",
    "astar(assertion-distance, w=3)",
    "astar(formula, w=3)",
    "gbfs(active)",
    "gbfs(assertion-distance)",
    "gbfs(formula)",
];

/// A run of a search that found an error.
#[derive(Clone, Copy)]
struct Found {
    stored: f64,
    steps: f64,
    seconds: f64,
    bytes: f64,
    shortest: bool,
    /// CPU seconds for compilation, if it is a separate step.
    compile: Option<f64>,
}

struct Model {
    name: String,
    kind: &'static str,
    /// By search; those without a result in time are missing.
    found: BTreeMap<&'static str, Found>,
}

fn main() {
    let Some(corpus) = corpus_or_skip("quality of directed search") else { return };
    let beeline = beeline();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut models = Vec::new();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let is_wanted = |word: &String| entry.name.contains(word.as_str());
        if !wanted.is_empty() && !wanted.iter().any(is_wanted) {
            continue;
        }
        let Some(kind) = kind_of_error(&corpus, &entry.name) else { continue };
        let searches = if kind == "deadlock" { DEADLOCK } else { ASSERTIONS };
        let file = entry.file.to_string_lossy();
        let mut found = BTreeMap::new();
        for &search in searches {
            let words = ["check", &file, "--json", "--no-trail", "--property", kind];
            let words = [&[beeline.as_str()], &words[..], &["--search", search], &LIMITS].concat();
            let ran = run(&root(), &words);
            if let Some(one) = read(&ran.output, ran.cpu) {
                found.insert(search, one);
            }
        }
        let task = rival::Task { model: &entry.file, kind, beeline: &beeline };
        let spin = rival::ORDERS.iter().zip(rival::search(&task));
        found.extend(spin.filter_map(|(&(order, _), one)| Some((order, one?))));
        eprintln!("{}: {} of {} searches", entry.name, found.len(), searches.len() + 2);
        models.push(Model { name: entry.name.clone(), kind, found });
    }
    if !wanted.is_empty() {
        print!("{}", page(&models));
        return;
    }
    fs::write(root().join("bench/quality.tsv"), table(&models)).expect("the table can be written");
    fs::write(root().join("docs/book/quality.md"), page(&models)).expect("so can the page");
}

/// SPIN's error of a model, as a property of ours.
fn kind_of_error(corpus: &Corpus, name: &str) -> Option<&'static str> {
    let row = corpus.result(name, "dfs1_nopor").or_else(|| corpus.result(name, "bfs1"))?;
    let error = row.error.as_deref().filter(|error| !error.is_empty())?;
    Some(if error.starts_with("invalid end state") { "deadlock" } else { "assertions" })
}

fn read(output: &str, cpu: f64) -> Option<Found> {
    let line = output.lines().find(|line| line.starts_with('{'))?;
    if !line.contains("\"verdict\":\"violated\"") {
        return None;
    }
    Some(Found {
        stored: beeline_lab::tool::field(line, "stored"),
        steps: beeline_lab::tool::field(line, "steps"),
        seconds: cpu,
        bytes: beeline_lab::tool::field(line, "peak_bytes"),
        shortest: line.contains("\"shortest\":true"),
        compile: None,
    })
}

/// Every run, one in a line.
fn table(models: &[Model]) -> String {
    let mut out =
        "model\tkind\tsearch\tstored\tsteps\tshortest\tcpu seconds\tpeak bytes\tcompile seconds\n"
            .to_owned();
    for Model { name, kind, found } in models {
        for (search, found) in found {
            let Found { stored, steps, seconds, bytes, shortest, compile } = found;
            let compile = compile.map_or(String::new(), |compile| format!("{compile:.2}"));
            writeln!(
                out,
                "{name}\t{kind}\t{search}\t{stored}\t{steps}\t{shortest}\t{seconds}\t{bytes:.0}\t{compile}"
            )
            .expect("it is a string");
        }
    }
    out
}

/// A geometric mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    logs: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, ratio: f64) {
        self.logs += ratio.max(1e-9).ln();
        self.count += 1.0;
    }

    fn text(self) -> String {
        if self.count == 0.0 {
            "-".to_owned()
        } else {
            format!("{:.2}", (self.logs / self.count).exp())
        }
    }
}

fn page(models: &[Model]) -> String {
    let compile =
        models.iter().flat_map(|model| model.found.values()).filter_map(|run| run.compile);
    let mut to_compile = Mean::default();
    compile.for_each(|seconds| to_compile.add(seconds));
    let mut out = format!(
        "# Directed search, measured\n\n\
         Printed by `bench/quality` over the corpus models in which SPIN finds an error; every\n\
         run is in `bench/quality.tsv`. A search has {} and {}; *solved* counts the models where\n\
         it found the error within these limits. The other columns are geometric means over the models\n\
         that both the search and `dijkstra` solved: states stored, length of the trail, CPU time\n\
         and memory, each as a multiple of that of `dijkstra`, whose trails are the shortest.\n\
         *shortest* counts trails of that length, and in brackets those the search itself proved\n\
         to be shortest.\n\n\
         SPIN is run by the same bench within the same limits, compiled with\n\
         `{}`,\n\
         breadth-first with `-DBFS`, and for long states with `{}`. Its CPU time is\n\
         that of `pan` alone; building `pan` takes another {} s, while our times are measured\n\
         from the file to the verdict. Its memory is the one that `pan` reports, with a stack and a hash\n\
         table no larger than the search needs (`-m`, `-w`); its default table has 128 MiB. Beeline\n\
         follows its trails, so that a rendezvous is one step for both. SPIN warns\n\
         that its breadth-first search may miss invalid end states in models with rendezvous;\n\
         in these cases it has not solved the model.\n",
        LIMITS[1],
        LIMITS[3],
        rival::OPTIONS.join(" "),
        rival::LONG,
        to_compile.text(),
    );
    for (kind, searches) in [("deadlock", DEADLOCK), ("assertions", ASSERTIONS)] {
        let of_kind: Vec<&Model> = models.iter().filter(|model| model.kind == kind).collect();
        writeln!(
            out,
            "\n## {kind}: {} models\n\n\
             | search | solved | stored | trail | CPU | memory | shortest |\n\
             |---|---|---|---|---|---|---|",
            of_kind.len()
        )
        .expect("it is a string");
        let spin = rival::ORDERS.iter().map(|(order, _)| order);
        for &search in spin.chain(searches) {
            let runs = of_kind.iter().filter_map(|model| Some((*model, *model.found.get(search)?)));
            row(&mut out, &format!("`{search}`"), runs);
        }
    }
    out
}

fn row<'m>(out: &mut String, name: &str, runs: impl Iterator<Item = (&'m Model, Found)>) {
    let (mut solved, mut shortest, mut proved) = (0, 0, 0);
    let mut means = [Mean::default(); 4];
    for (model, run) in runs {
        solved += 1;
        proved += u32::from(run.shortest);
        let Some(best) = model.found.get("dijkstra") else { continue };
        shortest += u32::from(run.steps <= best.steps);
        means[0].add(run.stored / best.stored);
        means[1].add((run.steps + 1.0) / (best.steps + 1.0));
        means[2].add(run.seconds.max(0.001) / best.seconds.max(0.001));
        means[3].add(run.bytes / best.bytes);
    }
    let [stored, trail, cpu, memory] = means.map(Mean::text);
    writeln!(
        out,
        "| {name} | {solved} | {stored} | {trail} | {cpu} | {memory} | {shortest} ({proved}) |"
    )
    .expect("it is a string");
}
