//! The queries of `QUERIES.tsv`: first all of a model in one run, then each that is open in a run of
//! its own.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Cells, Request, table};
use beeline_lab::ask::percent;
use beeline_lab::tool::root;

/// Answers that were written down before the model was changed: file, and number unless it is all of
/// them. For the first, the README of the collection says so. The second is contradicted by the
/// authors' picture of their results and by digitised time (a test of `beeline-timed`).
const OUTDATED: &[(&str, Option<&str>)] =
    &[("train_controller_alarm.xml", None), ("e_exam.xml", Some("1"))];

/// The kinds of queries that are not for this tool.
const OTHER_KINDS: &[&str] = &["smc", "game/strategy", "sup/inf", "other"];

/// A run of the tool.
struct Asked {
    said: Value,
    seconds: f64,
}

/// The answer to a query.
struct Answer {
    /// `yes`, `no`, `unknown`, or `refused` for a model that is not read.
    answer: &'static str,
    reason: String,
    /// Processor time of its run.
    seconds: f64,
    formula: Option<String>,
}

/// How many queries there are, and how they are answered.
#[derive(Default)]
struct Sums {
    known: Counts,
    others: Counts,
}

#[derive(Default)]
struct Counts {
    all: usize,
    right: usize,
    wrong: usize,
    refused: usize,
}

/// Measures, and returns the table.
pub(super) fn measure(request: &Request, directory: &Path) -> String {
    let rows = table(&directory.join("QUERIES.tsv"));
    let mut lines = vec!["file\tn\tkind\tknown\tby\tanswer\tseconds\treason".to_owned()];
    let mut sums = Sums::default();
    let before = request.continues.then(|| table(&root().join("bench/timed_queries.tsv")));
    for of_file in rows.chunk_by(|one, other| one["file"] == other["file"]) {
        let file = &of_file[0]["file"];
        if !request.wants(file) {
            continue;
        }
        let path = directory.join("models").join(file);
        let model = model_of(&path);
        let before = |row: &Cells| {
            let is_it = |one: &&Cells| one["file"] == row["file"] && one["n"] == row["n"];
            let found = before.as_ref()?.iter().find(is_it)?;
            let answer = ["yes", "no"].into_iter().find(|one| *one == found["answer"])?;
            let seconds = found["seconds"].parse().expect("a number");
            Some(Answer { answer, reason: found["reason"].clone(), seconds, formula: None })
        };
        // The tool asks the queries of a model, and those beside it only if it has none.
        let has_others = path != model && text(&model).contains("<formula>");
        let all = (!has_others && !request.continues).then(|| ask(request, &model, None));
        for row in of_file.iter().filter(|row| !OTHER_KINDS.contains(&&*row["kind"])) {
            let mut answer = all.as_ref().map(|all| answer_to(all, &row["n"])).or(before(row));
            let is_open = |answer: &Answer| answer.answer == "unknown";
            if answer.as_ref().is_none_or(is_open) {
                let formula = answer.and_then(|one| one.formula);
                let formula = formula.unwrap_or_else(|| row["query"].clone());
                answer = Some(answer_to(&ask(request, &model, Some(&formula)), "1"));
            }
            let answer = answer.expect("it was asked");
            let (known, by) = known(row);
            let is_outdated =
                OUTDATED.iter().any(|(of, n)| of == file && n.is_none_or(|n| n == row["n"]));
            sums.add(is_outdated, known, &answer);
            let Answer { answer, reason, seconds, .. } = answer;
            let (n, kind) = (&row["n"], &row["kind"]);
            let line =
                format!("{file}\t{n}\t{kind}\t{known}\t{by}\t{answer}\t{seconds:.1}\t{reason}");
            eprintln!("{line}");
            lines.push(line);
        }
    }
    sums.print();
    lines.join("\n") + "\n"
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).expect("the file can be read")).into_owned()
}

/// The model of a file, or of a file of queries.
fn model_of(path: &Path) -> PathBuf {
    if path.extension().is_none_or(|end| end != "q") {
        return path.to_owned();
    }
    let others = ["xml", "xta", "ta"].map(|end| path.with_extension(end));
    others.into_iter().find(|path| path.is_file()).expect("queries have a model")
}

/// Asks all queries of a model, or one formula.
fn ask(request: &Request, model: &Path, formula: Option<&str>) -> Asked {
    let model = model.to_string_lossy();
    let mut words = vec!["check", &*model, "--no-trail"];
    words.extend(formula.into_iter().flat_map(|formula| ["--query", formula]));
    let ran = request.run(request.seconds, &words);
    Asked { said: ran.object(), seconds: ran.cpu }
}

/// The answer to a query, by its number.
fn answer_to(asked: &Asked, number: &str) -> Answer {
    let seconds = asked.seconds;
    let open =
        |answer, reason: &str| Answer { answer, reason: reason.to_owned(), seconds, formula: None };
    let Some(all) = asked.said["properties"].as_array() else {
        return match asked.said["error"].is_null() && asked.said["diagnostics"].is_null() {
            true => open("unknown", "no result: a limit was hit"),
            false => open("refused", ""),
        };
    };
    let is_it = |one: &&Value| one["query"].as_u64().map(|n| n.to_string()) == Some(number.into());
    let Some(one) = all.iter().find(is_it) else { return open("refused", "no such query") };
    let answer = match one["verdict"].as_str() {
        Some("holds") => "yes",
        Some("violated") => "no",
        _ => "unknown",
    };
    let reason = if answer == "unknown" { one["reason"].as_str().unwrap_or_default() } else { "" };
    let formula = one["formula"].as_str().map(str::to_owned);
    Answer { answer, reason: reason.replace(['\t', '\n'], " "), seconds, formula }
}

/// The known answer, and its source.
fn known(row: &Cells) -> (&str, &str) {
    let sources = ["tchecker", "stated", "literature"];
    let found = sources.into_iter().find(|source| !row[*source].is_empty());
    found.map_or(("", ""), |source| (&*row[source], source))
}

impl Sums {
    fn add(&mut self, is_outdated: bool, known: &str, answer: &Answer) {
        let is_known = matches!(known, "yes" | "no");
        let counts = if is_known { &mut self.known } else { &mut self.others };
        counts.all += 1;
        match answer.answer {
            "refused" => counts.refused += 1,
            "unknown" => {}
            settled if !is_known || settled == known || is_outdated => {
                counts.right += 1;
            }
            _ => counts.wrong += 1,
        }
    }

    fn print(&self) {
        for (name, counts) in [("known answers", &self.known), ("other queries", &self.others)] {
            let Counts { all, right, wrong, refused } = *counts;
            println!(
                "{name}: {all}; settled {right} ({:.1} %), {:.1} % of those in models that are \
                 read; wrong {wrong}; in refused models {refused}",
                percent(right, all),
                percent(right, all - refused)
            );
        }
    }
}
