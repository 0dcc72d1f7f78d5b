//! Texts of small tasks, and plans that are no plans.

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Instruction, Interval,
    Operator, Ranges, System,
};
use beeline_kernel::StepLabel;
use beeline_translation::{
    ActionForm, FactoredError, PlanMistake, Translation, Unfit, domain_text, problem_text,
    run_plan, sas_text, translate,
};

fn read(factor: FactorId) -> FactorExpr {
    FactorExpr::Factor(factor)
}

fn set(factor: FactorId, value: FactorExpr) -> Instruction {
    Instruction::Set(vec![Assignment { place: AssignmentTarget::Factor(factor), value }])
}

fn operator(name: &str, process: u32, edge: u32, actions: Vec<Instruction>) -> Operator {
    Operator::new(name.to_owned(), StepLabel { edge, process }, 1, actions)
}

/// Two locations and a counter: `P` counts to 2 in steps that it holds together, `Q` copies.
fn counter() -> System {
    let mut system = System::default();
    let bound = |greatest| Interval { least: 0, greatest };
    let at = system.add("P[0]@".to_owned(), FactorKind::Location, bound(3), 1);
    let other = system.add("Q[1]@".to_owned(), FactorKind::Location, bound(3), 1);
    let count = system.add("n".to_owned(), FactorKind::Variable, bound(255), 0);
    let copy = system.add("copy".to_owned(), FactorKind::Variable, bound(255), 0);
    let add = read(count).binary(beeline_factored::Binary::Add, FactorExpr::Const(1));
    let first = vec![
        Instruction::Require(read(at).equals(1)),
        set(count, add.clone()),
        set(at, FactorExpr::Const(2)),
    ];
    let holding = Operator { holds: Some(0), ..operator("P[0] n++", 0, 0, first) };
    let second = vec![
        Instruction::Require(read(at).equals(2)),
        set(count, add),
        set(at, FactorExpr::Const(3)),
    ];
    let copies = vec![
        Instruction::Require(read(other).equals(1)),
        set(copy, read(count)),
        set(other, FactorExpr::Const(2)),
    ];
    system.steps =
        vec![holding, operator("P[0] n++", 0, 1, second), operator("Q[1] copy = n", 1, 2, copies)];
    system
}

fn translated(copied: i32, form: ActionForm) -> (System, Result<Translation, Unfit>) {
    let system = counter();
    let ranges = Ranges::of(&system);
    let error = FactoredError::Violation(read(FactorId(3)).equals(copied));
    let made = translate(&system, &ranges, &[error], form);
    (system, made)
}

#[test]
fn values_are_enumerated_or_copied_by_conditional_effects() {
    let (_, strips) = translated(2, ActionForm::Strips);
    let (_, conditional) = translated(2, ActionForm::Conditional);
    let count = |made: &Translation, what: &str| {
        made.task.actions.iter().filter(|action| action.name.starts_with(what)).count()
    };
    let (strips, conditional) = (strips.unwrap(), conditional.unwrap());
    assert!(count(&strips, "s2-") >= 3 && !strips.task.has_conditional_effects());
    assert_eq!(count(&conditional, "s2-"), 1);
    assert!(conditional.task.has_conditional_effects());
    let domain = domain_text(&conditional.task, "counter", "a heading");
    assert!(domain.starts_with("; a heading\n(define (domain counter)\n"), "{domain}");
    assert!(domain.contains("(when (and (n n2)) (and (copy n2)"), "{domain}");
    let problem = problem_text(&conditional.task, "p", "counter");
    assert!(problem.contains("(:goal (and (error n1)))"), "{problem}");
    let sas = sas_text(&strips.task);
    assert!(sas.starts_with("begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"));
    assert!(sas.ends_with("end_operator\n0\n"), "{sas}");
}

#[test]
fn a_plan_of_operators_is_executed_and_mistakes_are_told_with_their_place() {
    let (system, _) = translated(2, ActionForm::Strips);
    let run = |plan: &[&str]| {
        let plan: Vec<String> = plan.iter().map(|&action| action.to_owned()).collect();
        run_plan(&system, &plan)
    };
    let done = run(&["s0-e0-p-0", "s1-e1-p-0-c1", "s2-e2-q-1-c7", "b0-violated"]).unwrap();
    assert_eq!((done.length, done.states.len()), (3, 3));
    assert_eq!(done.states.last().unwrap()[3], 2);
    let unknown = |plan: &[&str], at: usize| {
        let mistake = run(plan).unwrap_err();
        assert!(matches!(&mistake, PlanMistake::Unknown { step, .. } if *step == at), "{mistake}");
    };
    unknown(&["s0-e0-p-0", "s9-e1-p-0"], 2);
    unknown(&["s0-e0-q-0"], 1);
    unknown(&["s0-e0-p-0-cx"], 1);
    unknown(&["b0-invented"], 1);
    // P holds control between its steps.
    let held = run(&["s0-e0-p-0", "s2-e2-q-1"]).unwrap_err().to_string();
    let expected = "action 2, `s2-e2-q-1`, cannot be executed: process 0 is in an atomic sequence \
                    and can move";
    assert_eq!(held, expected);
    let twice = run(&["s2-e2-q-1", "s2-e2-q-1"]).unwrap_err().to_string();
    assert!(twice.starts_with("action 2, `s2-e2-q-1`, cannot be executed"), "{twice}");
    assert!(run(&["s0-e0-p-0"]).unwrap().is_held);
}

#[test]
fn a_factor_with_too_many_values_is_named() {
    let mut system = System::default();
    let all = Interval { least: 0, greatest: 100_000 };
    let n = system.add("ticks".to_owned(), FactorKind::Variable, all, 0);
    let add = read(n).binary(beeline_factored::Binary::Add, FactorExpr::Const(1));
    let less = read(n).binary(beeline_factored::Binary::Less, FactorExpr::Const(100_000));
    system.steps =
        vec![operator("P[0] ticks++", 0, 0, vec![Instruction::Require(less), set(n, add)])];
    let ranges = Ranges::of(&system);
    let error = FactoredError::Violation(read(n).equals(70_000));
    let refused = translate(&system, &ranges, &[error], ActionForm::Strips).unwrap_err();
    assert_eq!(refused.to_string(), "`ticks` may have more than 1024 values");
}
