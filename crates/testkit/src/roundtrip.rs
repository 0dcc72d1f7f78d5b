//! What is printed reads back as the same tree.

use beeline_promela::ast::Program;
use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};
use beeline_promela::{Frontend, printer};

use crate::model;

fn read(text: &str) -> Frontend {
    beeline_promela::read("printed.pml", text, &mut NoIncludes, &PreprocessOptions::default())
}

/// Prints, reads back, and compares; the text means something.
///
/// # Panics
///
/// When the printed text has errors or is another tree.
pub fn check(name: &str, program: &Program) {
    let text = printer::print(program);
    let again = read(&text);
    assert_eq!(model::first_error(&again), None, "{name}: the printed text has errors\n{text}");
    check_tree(name, program);
}

/// Prints, reads back, and compares, whether or not it means anything.
///
/// # Panics
///
/// When the printed text is another tree.
pub fn check_tree(name: &str, program: &Program) {
    let text = printer::print(program);
    let again = read(&text);
    if again.program != *program {
        let once_more = printer::print(&again.program);
        let differs = text.lines().zip(once_more.lines()).find(|(a, b)| a != b);
        panic!("{name}: reads back as another tree, first at {differs:?}\n{text}");
    }
}
