//! Counts of the corpus by sets of states and by enumeration: where both are complete, they must be
//! the same number.
//!
//! Run it with `bench/counts`, which writes `bench/counts.tsv`.

use std::fs;

use beeline_lab::place::{beeline, root};
use beeline_lab::tool;
use beeline_testkit::corpus::corpus_or_skip;

/// The time of an enumeration: enough for five million states of most models.
const EXPLICIT: &str = "20s";
/// The time of a count by sets.
const SYMBOLIC: &str = "40s";

fn main() {
    let Some(corpus) = corpus_or_skip("counts by sets") else { return };
    let beeline = beeline();
    let mut table =
        String::from("model\texplicit states\tCPU s\tstates of sets\tCPU s\tprecision\n");
    let (mut exact, mut same, mut wrong, mut only_sets) = (0, 0, 0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let file = entry.file.to_string_lossy().into_owned();
        let count = |more: &[&str]| {
            let words = [&[&*beeline, "count", &*file, "--json"], more].concat();
            let ran = tool::run(&root(), &words);
            (ran.object(), ran.cpu)
        };
        let (sets, of_sets) = count(&["--symbolic", "--time", SYMBOLIC]);
        if sets["precision"] != "exact" {
            continue;
        }
        exact += 1;
        let (explicit, of_explicit) = count(&["--time", EXPLICIT]);
        let by_sets = sets["states"].as_str().filter(|_| sets["complete"] == true);
        let by_hand = explicit["stored"].as_u64().filter(|_| explicit["complete"] == true);
        match (by_sets, by_hand) {
            (Some(sets), Some(stored)) if sets == stored.to_string() => same += 1,
            (Some(_), Some(_)) => wrong += 1,
            (Some(_), None) => only_sets += 1,
            _ => {}
        }
        let row = format!(
            "{}\t{}\t{of_explicit:.2}\t{}\t{of_sets:.2}\texact\n",
            entry.name,
            by_hand.map_or("stopped".to_owned(), |states| states.to_string()),
            by_sets.unwrap_or("stopped"),
        );
        eprint!("{row}");
        table += &row;
    }
    let sum = format!("{exact} exact; {same} equal, {wrong} different, {only_sets} by sets alone");
    eprintln!("{sum}");
    table += &format!("# {sum}\n");
    fs::write(root().join("bench/counts.tsv"), table).expect("the table can be written");
    assert_eq!(wrong, 0, "a count is wrong");
}
