//! The patterns that `pdb` finds for a model: for deadlocks and for assertions, whether they prove
//! that there are none, how many abstract states were explored and are kept, and the factors.
//!
//! `cargo run --release -p beeline-heuristics --example patterns -- MODEL [STATES]`

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_factored::FactoredView;
use beeline_heuristics::pattern::{Pdb, RefinementSettings};
use beeline_promela::preprocess;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which model?")?;
    let states =
        arguments.next().map_or(Ok(RefinementSettings::default().states), |text| text.parse())?;
    let text = std::fs::read_to_string(&path)?;
    let mut files = preprocess::NoIncludes;
    let front =
        beeline_promela::read(&path, &text, &mut files, &preprocess::PreprocessOptions::default());
    if front.diagnostics.has_errors() {
        return Err(format!("{path} has errors").into());
    }
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    for (name, sought) in
        [("deadlock", FactoredGoal::Deadlock), ("assertions", FactoredGoal::Faults)]
    {
        let FactoredView { system, ranges, reading } = relaxed_view(&machine, &sought)?;
        let pdb = Pdb::refined(system.clone(), ranges, reading, RefinementSettings { states });
        let verdict = if pdb.proves_absence() { "proved" } else { "open" };
        let kept: usize = pdb.databases().iter().map(|database| database.len()).sum();
        println!("{name}\t{verdict}\t{}\t{kept}\t{}", pdb.explored(), pdb.databases().len());
        for database in pdb.databases() {
            let names = database.pattern().iter().map(|&id| system.factor(id).name.as_str());
            println!("  {} states: {}", database.len(), names.collect::<Vec<_>>().join(", "));
        }
    }
    Ok(())
}
