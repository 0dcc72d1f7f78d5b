//! Timed automata by other people: the answers to their queries, next to those that are known, and
//! the speed of exploration next to TChecker's. Writes `bench/timed_queries.tsv` and
//! `bench/timed_speed.tsv`.
//!
//! `BEELINE_TIMED` names the directory of the models; otherwise it is `shared/timed` beside the
//! workspace. `BEELINE_BENCH_SECONDS` limits the processor time of each run (default 10). With
//! names, only models whose name begins with one of them, printed and not written. `--queries` and
//! `--speed` measure one of the two. With `--continue`, only queries that `bench/timed_queries.tsv`
//! has as *unknown* or refused are asked again.

#[path = "timed/queries.rs"]
mod queries;
#[path = "timed/speed.rs"]
mod speed;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use beeline_lab::tool::{Ran, beeline, root, run};
use beeline_testkit::need::timed_directory;

/// A row of a table of the collection, by column.
type Cells = BTreeMap<String, String>;

/// What is asked for.
struct Request {
    tool: String,
    /// Processor time of a run.
    seconds: u64,
    /// Beginnings of names; all models if there are none.
    names: Vec<String>,
    /// Whether the queries that the table has as settled keep their answers.
    continues: bool,
}

impl Request {
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|one| name.starts_with(one.as_str()))
    }

    /// Runs the tool with limits: 4 GiB, and this processor time.
    fn run(&self, seconds: u64, words: &[&str]) -> Ran {
        let limited = format!("ulimit -t {} -v 4600000; exec nice -n 10 \"$@\"", seconds + 2);
        // The tool measures time on the clock. A machine with other work needs more of it.
        let time = format!("{}s", 2 * seconds);
        let mut all = vec!["bash", "-c", &*limited, "bash", &*self.tool];
        all.extend_from_slice(words);
        all.extend(["--json", "--jobs", "1", "--memory", "4G", "--time", &*time]);
        run(&root(), &all)
    }
}

/// The rows of a table.
fn table(path: &Path) -> Vec<Cells> {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a table has a head").collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|one| one == flag);
    let seconds = std::env::var("BEELINE_BENCH_SECONDS").ok();
    let seconds = seconds.map_or(10, |seconds| seconds.parse().expect("it is a number"));
    let names: Vec<String> =
        arguments.iter().filter(|one| !one.starts_with('-')).cloned().collect();
    let request = Request { tool: beeline(), seconds, names, continues: has("--continue") };
    let directory = timed_directory();
    let write = |name: &str, text: &str| {
        if request.names.is_empty() {
            let path = root().join("bench").join(name);
            fs::write(&path, text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    };
    if has("--queries") || !has("--speed") {
        write("timed_queries.tsv", &queries::measure(&request, &directory));
    }
    if has("--speed") || !has("--queries") {
        write("timed_speed.tsv", &speed::measure(&request, &directory));
    }
}
