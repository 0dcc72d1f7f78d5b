//! Traversal of expressions and statements.

use super::code::{Action, Argument, Code, Place};

fn visit_arguments(arguments: &[Argument], each: &mut dyn FnMut(&Code)) {
    for argument in arguments {
        match argument {
            Argument::Value(value, ..) => visit(value, each),
            Argument::Copy(from, _) | Argument::Reference(from) => {
                from.subscripts.iter().for_each(|one| visit(&one.index, each));
            }
            Argument::Result(_, arguments, _) => visit_arguments(arguments, each),
        }
    }
}

/// Calls `each` for an expression and all parts of it.
pub fn visit(code: &Code, each: &mut dyn FnMut(&Code)) {
    each(code);
    let place = |place: &Place, each: &mut dyn FnMut(&Code)| {
        place.subscripts.iter().for_each(|one| visit(&one.index, each));
    };
    match code {
        Code::Const(_) | Code::At(..) | Code::Deadlock => {}
        Code::Load(inner) => place(inner, each),
        Code::Negate(inner, _) | Code::Not(inner) | Code::Quantified(.., inner) => {
            visit(inner, each);
        }
        Code::Binary(_, left, right, _) | Code::And(left, right) | Code::Or(left, right) => {
            visit(left, each);
            visit(right, each);
        }
        Code::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|one| visit(one, each));
        }
        Code::Assign(assignment) => {
            place(&assignment.to, each);
            visit(&assignment.value, each);
        }
        Code::Copy(pair) | Code::Same(pair) => {
            place(&pair.0, each);
            place(&pair.1, each);
        }
        Code::Reset(reset) => {
            place(&reset.0, each);
            visit(&reset.1, each);
        }
        Code::Call(_, arguments) => visit_arguments(arguments, each),
        Code::Fill(fill) => {
            place(&fill.0, each);
            visit_arguments(&fill.2, each);
        }
        Code::Clocks(comparison) => {
            [&comparison.plus, &comparison.minus]
                .into_iter()
                .flatten()
                .for_each(|clock| place(clock, each));
            visit(&comparison.bound, each);
        }
    }
}

/// Calls `each` for the expressions of a statement.
pub fn visit_actions(action: &Action, each: &mut dyn FnMut(&Code)) {
    match action {
        Action::Eval(code) | Action::Assert(code, _) => each(code),
        Action::Block(actions) => actions.iter().for_each(|one| visit_actions(one, each)),
        Action::If(condition, yes, no) => {
            each(condition);
            visit_actions(yes, each);
            no.iter().for_each(|no| visit_actions(no, each));
        }
        Action::Loop(condition, body, then, _) => {
            condition.iter().chain(then).for_each(&mut *each);
            visit_actions(body, each);
        }
        Action::ForEach(.., body) => visit_actions(body, each),
        Action::Return(value) => value.iter().for_each(each),
        Action::Clear(..) | Action::ReturnCopy(..) => {}
    }
}

/// Whether an expression compares a difference of clocks.
pub fn has_differences(code: &Code) -> bool {
    let mut found = false;
    visit(code, &mut |one| {
        found |= matches!(one, Code::Clocks(comparison)
            if comparison.plus.is_some() && comparison.minus.is_some());
    });
    found
}

/// Whether an expression compares clocks or asks for deadlocks.
pub fn has_clocks(code: &Code) -> bool {
    let mut found = false;
    visit(code, &mut |one| found |= matches!(one, Code::Clocks(_) | Code::Deadlock));
    found
}
