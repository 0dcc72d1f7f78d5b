//! Formulas for tests: fixed shapes over given atoms, and random ones.

use beeline_promela::hir::{Model, Type};

use crate::rng::Rng;

/// Shapes of formulas of CTL, CTL* and the mu-calculus over the atoms `p`, `q` and `r`.
pub const SHAPES: &[&str] = &[
    "ctl AX p",
    "ctl EX p",
    "ctl AF p",
    "ctl EF p",
    "ctl AG p",
    "ctl EG p",
    "ctl A[p U q]",
    "ctl E[p U q]",
    "ctl A[p W q]",
    "ctl E[p W q]",
    "ctl A[p V q]",
    "ctl E[p V q]",
    "ctl AG EF p",
    "ctl AG AF p",
    "ctl EF AG p",
    "ctl EF EG p",
    "ctl AF AG p",
    "ctl AF EG p",
    "ctl EG EF p",
    "ctl EG AF p",
    "ctl AG (p -> AF q)",
    "ctl AG (p -> EF q)",
    "ctl AG (p -> AX q)",
    "ctl AG (p -> EX q)",
    "ctl AG (p -> A[p W q])",
    "ctl AG (p -> E[p U q])",
    "ctl EF (p && EX (q && EX r))",
    "ctl EF (p && EG !q)",
    "ctl A[p U A[q U r]]",
    "ctl E[p U E[q U r]]",
    "ctl E[EX p U AX q]",
    "ctl AX AX p",
    "ctl EX EX EX p",
    "ctl !(EF p) || EG q",
    "ctl EF p && EF q && EF r",
    "ctl AG EF deadlock",
    "ctl EF (deadlock && p)",
    "ctl AG (deadlock -> p)",
    "ctl AF (p <-> q)",
    "ctl EF AX p <-> AG EX q",
    "ctl A (G F p)",
    "ctl E (G F p)",
    "ctl A (G F p -> G F q)",
    "ctl E (G F p && F G q)",
    "ctl E (F (p && X (E (G q))))",
    "ctl A (F G p || G F q)",
    "ctl A ((p U q) || G X r)",
    "ctl E (X X p && G !q)",
    "mu mu X . (p || <> X)",
    "mu nu X . (p && [] X)",
    "mu nu X . mu Y . <> ((p && X) || Y)",
    "mu mu X . nu Y . ((p || [] X) && [] Y)",
    "mu nu X . (<> X && mu Y . (q || [] Y))",
    "mu mu X . (q || (p && <> true && [] X))",
    "mu nu X . mu Y . ((p && <> X) || (q && [] Y))",
    "mu !(mu X . (p || [] X)) <-> nu Y . (q && <> Y)",
];

/// A shape over three atoms, as a unit of a model.
pub fn shape(shape: &str, name: &str, atoms: &[String; 3]) -> String {
    let (language, formula) = shape.split_once(' ').expect("a language and a formula");
    let mut text = String::new();
    for word in formula.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let (letters, rest) =
            word.split_at(word.trim_end_matches(|c: char| !c.is_alphanumeric()).len());
        match letters {
            "p" => text += &atoms[0],
            "q" => text += &atoms[1],
            "r" => text += &atoms[2],
            other => text += other,
        }
        text += rest;
    }
    format!("\n{language} {name} {{ {text} }}\n")
}

/// A random formula of CTL or CTL* over some atoms.
pub fn random_formula(rng: &mut Rng, atoms: &[String], depth: u32) -> String {
    let one = |rng: &mut Rng, of: &[&str]| (*rng.pick(of).expect("there are some")).to_owned();
    if depth == 0 || rng.percent(15) {
        return rng.pick(atoms).expect("there are some").clone();
    }
    let a = random_formula(rng, atoms, depth - 1);
    let b = random_formula(rng, atoms, depth - 1);
    match rng.below(10) {
        0..=3 => format!("{} ({a})", one(rng, &["AX", "EX", "AF", "EF", "AG", "EG"])),
        4 => format!("A[({a}) U ({b})]"),
        5 => format!("E[({a}) U ({b})]"),
        6 => format!("!({a})"),
        7 => format!("({a}) && ({b})"),
        8 => format!("({a}) -> ({b})"),
        _ => {
            let paths =
                ["G F ({a})", "F G ({a}) || X ({b})", "({a}) U G ({b})", "(X ({a})) W ({b})"];
            let path = one(rng, &paths).replace("{a}", &a).replace("{b}", &b);
            format!("{} ({path})", one(rng, &["A", "E"]))
        }
    }
}

/// Atoms about the global variables and channels of a model, and about its first processes.
pub fn atoms_of(model: &Model) -> Vec<String> {
    let mut atoms = vec!["deadlock".to_owned(), "enabled(0)".to_owned(), "enabled(1)".to_owned()];
    for variable in &model.globals {
        let index = if variable.length.is_some() { "[0]" } else { "" };
        let name = format!("{}{index}", variable.name.name);
        match variable.ty {
            Type::Struct(_) => {}
            Type::Chan => atoms.push(format!("(len({name}) > 0)")),
            _ => atoms.extend([format!("({name} == 0)"), format!("({name} > 1)")]),
        }
    }
    atoms
}
