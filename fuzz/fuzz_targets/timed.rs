//! Any bytes, read as timed automata in XML, XTA or TChecker's format; without mistakes also some
//! hundred symbolic states.
#![no_main]

use std::collections::VecDeque;

use beeline_kernel::Expansion;
use beeline_model::{Model, SystemOptions};
use beeline_timed::front_end::{OtherQueries, read};
use beeline_timed::model::TimedModel;
use libfuzzer_sys::fuzz_target;

/// The line between the model and the queries beside it.
const SEPARATOR: &str = "\n///\n";
/// States that are expanded.
const MOST: usize = 200;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (model, queries) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
    let beside = Some(("m.q".to_owned(), queries.to_owned())).filter(|_| !queries.is_empty());
    let front = read("m", model, &OtherQueries { given: Vec::new(), beside });
    assert_eq!(front.model.is_some(), !front.diagnostics.has_errors());
    for message in front.diagnostics.iter() {
        assert!(!message.message.is_empty());
        front.sources.location(message.span);
    }
    let Ok(model) = TimedModel::new("m", front) else { return };
    model.with_system(&model.properties(), SystemOptions::default(), &mut |system| {
        let (mut state, mut expansion) = (Vec::new(), Expansion::default());
        if system.space().initial(&mut state).is_err() {
            return;
        }
        let mut open = VecDeque::from([state]);
        for _ in 0..MOST {
            let Some(state) = open.pop_front() else { return };
            system.space().expand(&state, &mut expansion);
            open.extend(expansion.states().map(<[u8]>::to_vec));
            open.truncate(MOST);
        }
    });
});
