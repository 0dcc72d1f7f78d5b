//! Runs of searches with relaxation heuristics and without, and the table of all runs.

mod compare;
mod goal;
mod known;
mod page;

use std::fmt::Write as _;
use std::fs;

use beeline_lab::tool::{self, field, root};

pub(crate) use goal::last_reached;
pub(crate) use known::known_error;
pub(crate) use page::{figures, page};

/// The compared searches: the claim distance, which is uninformative for a claim with a single
/// condition; relaxed layers with intervals, as in the paper, and with sets; and candidates for the
/// best search.
pub(crate) const SEARCHES: [&str; 8] = [
    HC,
    HC_FIFO,
    INTERVALS,
    SETS,
    "gbfs(hadd)",
    "gbfs(hff)",
    "gbfs(hff, preferred=yes)",
    "gbfs([hff, active])",
];
/// The searches that the page names.
pub(crate) const HC: &str = "gbfs(hc)";
pub(crate) const HC_FIFO: &str = "gbfs(hc, ties=fifo)";
pub(crate) const INTERVALS: &str = "gbfs(hpl(intervals))";
pub(crate) const SETS: &str = "gbfs(hpl)";
/// The candidates for the best search.
pub(crate) const OURS: std::ops::Range<usize> = 4..SEARCHES.len();
pub(crate) const DEADLOCK: &str = "deadlock";
const MEMORY: &str = "3G";

/// A model, and its error: `deadlock`, or a never claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) model: String,
    pub(crate) property: String,
}

/// The origin of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A known error of the model.
    Error,
    /// The last new fact of breadth-first search.
    Goal,
    /// A deadlock.
    Deadlock,
}

impl Instance {
    pub(crate) fn origin(&self) -> Origin {
        if self.property == DEADLOCK {
            Origin::Deadlock
        } else if known::is_known(&self.model) {
            Origin::Error
        } else {
            Origin::Goal
        }
    }
}

/// The result of a search that found an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) steps: f64,
    pub(crate) explored: f64,
    pub(crate) evaluated: f64,
    /// CPU seconds from start to end.
    pub(crate) cpu: f64,
    pub(crate) bytes: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) instance: Instance,
    pub(crate) search: String,
    /// `None` without a result in time.
    pub(crate) found: Option<Found>,
}

/// All runs; those of an instance are adjacent.
pub(crate) struct Table {
    /// The time limit of a run in seconds.
    pub(crate) limit: f64,
    pub(crate) runs: Vec<Run>,
}

/// All searches for the goal of an instance.
pub(crate) fn run(beeline: &str, text: &str, instance: &Instance, limit: f64) -> Vec<Run> {
    let file = std::env::temp_dir().join(format!("beeline-relaxation-{}.pml", std::process::id()));
    let is_claim = instance.property != DEADLOCK;
    let claim = if is_claim { instance.property.as_str() } else { "" };
    fs::write(&file, format!("{text}\n{claim}\n")).expect("there is room");
    let (path, limit) = (file.to_string_lossy(), format!("{limit}s"));
    let property = if is_claim { "never" } else { DEADLOCK };
    let one = |search: &&str| {
        // A deadlock has no claim distance.
        let asked = if is_claim { search.to_string() } else { search.replace("hc", "blind") };
        let words = ["check", &path, "--json", "--no-trail", "--property", property];
        let limits = ["--search", &asked, "--time", &limit, "--memory", MEMORY];
        let ran = tool::run(&root(), &[&[beeline], &words[..], &limits].concat());
        let line = ran.output.lines().find(|line| line.starts_with('{'));
        let line = line.filter(|line| line.contains("\"verdict\":\"violated\""));
        let found = line.map(|line| Found {
            steps: field(line, "steps"),
            explored: field(line, "expanded"),
            evaluated: field(line, "evaluated"),
            cpu: ran.cpu,
            bytes: field(line, "peak_bytes"),
        });
        Run { instance: instance.clone(), search: (*search).to_owned(), found }
    };
    let runs = SEARCHES.iter().map(one).collect();
    fs::remove_file(&file).expect("it was written");
    runs
}

impl Table {
    pub(crate) fn text(&self) -> String {
        let mut out = format!(
            "model\tproperty\tsearch\tsteps\texplored\tevaluated\tcpu seconds\tpeak bytes\n\
             all\tlimit\t{}\n",
            self.limit
        );
        for Run { instance: Instance { model, property }, search, found } in &self.runs {
            write!(out, "{model}\t{property}\t{search}").expect("it is a string");
            if let Some(Found { steps, explored, evaluated, cpu, bytes }) = found {
                write!(out, "\t{steps}\t{explored}\t{evaluated}\t{cpu:.3}\t{bytes}")
                    .expect("it is a string");
            }
            out.push('\n');
        }
        out
    }

    pub(crate) fn read(text: &str) -> Table {
        let mut table = Table { limit: 0.0, runs: Vec::new() };
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| cells[at].parse::<f64>().expect("it is a number");
            let [model, property, search] = [cells[0], cells[1], cells[2]].map(str::to_owned);
            if property == "limit" {
                table.limit = number(2);
                continue;
            }
            let found = (cells.len() > 3).then(|| Found {
                steps: number(3),
                explored: number(4),
                evaluated: number(5),
                cpu: number(6),
                bytes: number(7),
            });
            table.runs.push(Run { instance: Instance { model, property }, search, found });
        }
        table
    }

    /// The instances, in the order in which they were measured.
    pub(crate) fn instances(&self) -> Vec<&Instance> {
        let mut instances: Vec<&Instance> = Vec::new();
        for run in &self.runs {
            if instances.last() != Some(&&run.instance) {
                instances.push(&run.instance);
            }
        }
        instances
    }

    /// The result of a search, if it found an error.
    pub(crate) fn found(&self, instance: &Instance, search: &str) -> Option<Found> {
        let is_it = |run: &&Run| run.instance == *instance && run.search == search;
        self.runs.iter().find(is_it)?.found
    }
}
