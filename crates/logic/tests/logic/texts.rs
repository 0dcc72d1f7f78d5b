//! Reading formulas, and printing formulas and automata.

use beeline_logic::{Formula, Fragment, dot, hoa, never, parse, translate};

use crate::random::Dice;

fn read(text: &str) -> Formula {
    parse(text, &mut Vec::new()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn name(atom: beeline_logic::Atom) -> String {
    ["a", "b", "c"][atom.0 as usize].to_owned()
}

#[test]
fn operators_bind_as_they_should() {
    let check = |text: &str, full: &str| assert_eq!(read(text), read(full), "{text}");
    check("a || b && c", "a || (b && c)");
    check("a && b U c", "a && (b U c)");
    check("!a U b", "(!a) U b");
    check("[] a -> <> b", "([] a) -> (<> b)");
    check("a U b U c", "(a U b) U c");
    check("a -> b -> c", "(a -> b) -> c");
    check("a <-> b -> c", "a <-> (b -> c)");
    check("X X a W b", "(X (X a)) W b");
    check("[]<>a", "G F a");
    check("a V b", "a R b");
    check("a /\\ b \\/ c", "(a && b) || c");
    check("1 U 0", "true U false");
}

#[test]
fn mistakes_are_found_where_they_are() {
    let check = |text: &str, offset: usize| {
        let error = parse(text, &mut Vec::new()).expect_err("a mistake");
        assert_eq!(error.offset, offset, "{text}: {error}");
    };
    check("", 0);
    check("a &&", 4);
    check("a b", 2);
    check("(a || b", 7);
    check("a ü= b", 3);
    check("a # b", 2);
    check("a && && b", 5);
    check(")", 0);
}

#[test]
fn what_is_printed_reads_the_same() {
    let mut dice = Dice::new(8);
    for _ in 0..500 {
        let formula = dice.formula(15, 3);
        let mut names = vec!["p0".to_owned(), "p1".to_owned(), "p2".to_owned()];
        assert_eq!(parse(&formula.to_string(), &mut names), Ok(formula));
    }
}

#[test]
fn names_keep_their_numbers() {
    let mut names = vec!["b".to_owned()];
    let formula = parse("a U b", &mut names).expect("well-formed");
    assert_eq!(formula, Formula::atom(1).until(Formula::atom(0)));
    assert_eq!(names, ["b", "a"]);
}

#[test]
fn a_never_claim_looks_like_one_of_spin() {
    let claim = never::never(&translate(&read("a U b")), "a U b", &name);
    assert_eq!(
        claim,
        "never  {    /* a U b */\nT0_init:\n\tdo\n\t:: ((a) && !(b)) -> goto T0_init\n\
         \t:: ((b)) -> goto accept_all\n\tod;\naccept_all:\n\tskip\n}\n"
    );
    let claim = never::never(&translate(&Formula::False), "*/ x", &name);
    assert_eq!(claim, "never  {    /* * / x */\nT0_init:\n\tfalse;\n}\n");
}

#[test]
fn the_hanoi_format_has_its_header() {
    let text = hoa::hoa(&translate(&read("[]<>a")), "GF \"a\"", &name);
    assert!(
        text.starts_with("HOA: v1\nname: \"GF \\\"a\\\"\"\nStates: 2\nStart: 0\nAP: 1 \"a\"\n")
    );
    assert!(text.contains("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"), "{text}");
    assert!(text.contains("state-acc deterministic\n--BODY--\nState: 0"), "{text}");
    assert!(text.ends_with("--END--\n"));
}

#[test]
fn a_drawing_shows_every_state_and_edge() {
    let text = dot::dot(&translate(&read("a U b")), &name);
    assert!(text.contains("1 [shape=doublecircle];"), "{text}");
    assert!(text.contains("0 -> 1 [label=\"b\"];") && text.contains("1 -> 1 [label=\"true\"];"));
}

#[test]
fn fragments_are_told_by_their_operators() {
    let check = |text: &str, safety, co_safety, obligation| {
        let found = Fragment::of(&read(text));
        let wanted = (safety, co_safety, obligation);
        assert_eq!((found.safety, found.co_safety, found.obligation), wanted, "{text}");
    };
    check("[]a", true, false, true);
    check("<>a", false, true, true);
    check("a && X b", true, true, true);
    check("[]a || <>b", false, false, true);
    check("a W b", true, false, true);
    check("!(a U b)", true, false, true);
    check("[]<>a", false, false, false);
    check("[](a -> <>b)", false, false, false);
    assert!(!Fragment::of(&read("X a")).stutter_invariant);
    assert!(Fragment::of(&read("a U [] b")).stutter_invariant);
}
