//! How long 1,000 random formulas of size 20 take, and how large their automata are.

#[path = "../tests/logic/random.rs"]
mod random;

use std::time::Instant;

use beeline_logic::translate;

fn main() {
    let mut dice = random::Dice::new(20);
    let formulas: Vec<_> = (0..1000).map(|_| dice.formula(20, 3)).collect();
    let begin = Instant::now();
    let (mut states, mut edges, mut slowest) = (0, 0, (0, String::new()));
    for formula in &formulas {
        let begin = Instant::now();
        let automaton = translate(formula);
        let took = begin.elapsed().as_micros();
        if took > slowest.0 {
            slowest = (took, formula.to_string());
        }
        states += automaton.states.len();
        edges += automaton.edges();
    }
    println!("1000 formulas of size 20: {} ms", begin.elapsed().as_millis());
    println!("{states} states, {edges} edges");
    println!("slowest: {} us, {}", slowest.0, slowest.1);
}
