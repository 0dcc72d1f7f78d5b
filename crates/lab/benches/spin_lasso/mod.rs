//! The first lasso that SPIN finds, without reduction, measured like ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use beeline_testkit::spin::Scratch;

use crate::two_phases::Parts;
use beeline_lab::ask::ask;

/// The result of SPIN.
#[derive(Clone, Debug)]
pub(crate) struct Theirs {
    /// `cycle`, `holds`, `unknown`, or another message.
    pub(crate) said: String,
    pub(crate) parts: Option<Parts>,
    /// Whether the trail was replayed; otherwise its lines are counted, and a rendezvous has two.
    pub(crate) followed: bool,
}

/// Searches for a cycle that violates a property.
pub(crate) fn search(beeline: &str, model: &Path, property: &str, seconds: u64) -> Theirs {
    let scratch = Scratch::new().expect("a scratch directory");
    let run = |words: &[&str]| {
        let mut command = Command::new("timeout");
        command.arg(format!("{}", seconds.max(20))).args(words).current_dir(scratch.path());
        let output = command.output().expect("timeout runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run(&["spin", "-a", &model.to_string_lossy()]);
    let progress: &[&str] = if property == "progress" { &["-DNP"] } else { &[] };
    let gcc = ["gcc", "-O1", "-w", "-DNOREDUCE", "-DMEMLIM=2048", "-DVECTORSZ=32768"];
    run(&[&gcc[..], progress, &["-o", "pan", "pan.c"]].concat());
    let asked: &[&str] = match property {
        "progress" => &["-l"],
        "never" | "acceptance" => &["-a"],
        name => &["-a", "-N", name],
    };
    let limit = seconds.to_string();
    let words = [&["timeout", &limit, "./pan", "-A", "-m10000000"], asked].concat();
    let output = run(&words);
    let error = output.lines().find_map(|line| line.strip_prefix("pan:1: "));
    let Some(error) = error else {
        let is_over = output.contains("errors: 0") && !output.contains("Search not completed");
        let said = if is_over { "holds" } else { "unknown" }.to_owned();
        return Theirs { said, parts: None, followed: false };
    };
    if !["acceptance cycle", "non-progress cycle"].iter().any(|kind| error.starts_with(kind)) {
        let said = error.split(" (at").next().unwrap_or_default().to_owned();
        return Theirs { said, parts: None, followed: false };
    }
    let said = "cycle".to_owned();
    let Some(trail) = trail(scratch.path()) else {
        return Theirs { said, parts: None, followed: false };
    };
    let text = fs::read_to_string(&trail).expect("it was written");
    let short = scratch.path().join("system.short");
    fs::write(&short, system_only(&text)).expect("so can this be");
    let parts = [&trail, &short].into_iter().find_map(|trail| follow(beeline, model, trail));
    let followed = parts.is_some();
    Theirs { said, parts: parts.or_else(|| Some(counted(&system_only(&text)))), followed }
}

/// A trail without the steps of the claim, which is its process 0.
fn system_only(trail: &str) -> String {
    let (mut out, mut number, mut has_claim) = (String::new(), 0, false);
    for line in trail.lines() {
        let fields: Vec<i64> = line.split(':').filter_map(|field| field.parse().ok()).collect();
        let &[step, process, edge] = &fields[..] else { continue };
        if step == -2 {
            has_claim = true;
        } else if step < 0 {
            out += &format!("{line}\n");
        } else if process > 0 || !has_claim {
            number += 1;
            out += &format!("{number}:{}:{edge}\n", process - i64::from(has_claim));
        }
    }
    out
}

/// The lasso of a trail, if Beeline can replay it and it closes.
fn follow(beeline: &str, model: &Path, trail: &Path) -> Option<Parts> {
    let (model, trail) = (model.to_string_lossy(), trail.to_string_lossy());
    let said = ask(&[beeline, "replay", &model, &trail, "--json"]).said;
    let seed = said["cycle_start"].as_u64()?;
    let steps = said["steps"].as_array()?.last().map_or(Some(0), |step| step["step"].as_u64())?;
    // Stuttering counts as a step, as in our lassos.
    let cycle = (steps - seed).max(1);
    said["error"].is_string().then_some(Parts { seed, cycle })
}

fn counted(trail: &str) -> Parts {
    let is_step = |line: &&str| !line.starts_with('-');
    let (stem, cycle) = trail.split_once("-1:-1:-1").unwrap_or((trail, ""));
    let count = |text: &str| text.lines().filter(|line| !line.is_empty()).filter(is_step).count();
    Parts { seed: count(stem) as u64, cycle: count(cycle).max(1) as u64 }
}

fn trail(directory: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(directory).ok()?;
    let mut paths = files.filter_map(|file| Some(file.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|end| end == "trail"))
}
