//! If SPIN reports "errors: 0" although there is an error, our verdict is *violated*, or *unknown*
//! with a reason; never *holds*.
//!
//! The models are `models/silent_*.pml`, and `tests/silent/*.pml` where SPIN finds the error with no
//! option. SPIN is run as well, to check that each model is still an
//! example.

use std::path::PathBuf;
use std::time::Duration;

use beeline_checker::{NoObserver, Plan, check, parse_search};
use beeline_model::{Model, Verdict};
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model;
use beeline_testkit::spin::Translator::{self, Default, Plain};
use beeline_testkit::spin::{self, Pan};

/// Options of SPIN, of the C compiler, and of `pan`.
type Usage = (Translator, &'static [&'static str], &'static [&'static str]);

/// A way of using SPIN that keeps an error from being reported.
struct Silence {
    /// The model.
    model: &'static str,
    /// The violated property.
    property: &'static str,
    /// The options with which SPIN does not report the error.
    silent: Usage,
    /// The options with which SPIN finds the error; none, if it undoes a step wrongly.
    outspoken: Option<Usage>,
    /// Whether Beeline can find the error.
    checked: bool,
}

const SILENCES: [Silence; 8] = [
    Silence {
        model: "depth",
        property: "assertions",
        silent: (Default, &["-DSAFETY"], &[]),
        outspoken: Some((Default, &["-DSAFETY"], &["-m20000"])),
        checked: true,
    },
    Silence {
        model: "liveness",
        property: "answered_later",
        silent: (Default, &[], &[]),
        outspoken: Some((Default, &[], &["-a"])),
        checked: false,
    },
    Silence {
        model: "second_ltl",
        property: "no_drought",
        silent: (Default, &[], &["-a"]),
        outspoken: Some((Default, &[], &["-a", "-N", "no_drought"])),
        checked: true,
    },
    Silence {
        model: "bfs",
        property: "deadlock",
        silent: (Default, &["-DSAFETY", "-DBFS"], &[]),
        outspoken: Some((Default, &["-DSAFETY"], &[])),
        checked: true,
    },
    Silence {
        model: "reduction",
        property: "assertions",
        silent: (Default, &["-DSAFETY"], &[]),
        outspoken: Some((Default, &["-DSAFETY", "-DNOREDUCE"], &[])),
        checked: true,
    },
    Silence {
        model: "dead_variable",
        property: "assertions",
        silent: (Default, &["-DSAFETY"], &[]),
        outspoken: Some((Plain, &["-DSAFETY"], &[])),
        checked: true,
    },
    Silence {
        model: "undone_receive",
        property: "assertions",
        silent: (Plain, &["-DSAFETY", "-DNOREDUCE"], &[]),
        outspoken: None,
        checked: true,
    },
    Silence {
        model: "undone_priority",
        property: "assertions",
        silent: (Plain, &["-DSAFETY", "-DNOREDUCE"], &[]),
        outspoken: None,
        checked: true,
    },
];

impl Silence {
    fn file(&self) -> PathBuf {
        let crate_directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        match self.outspoken {
            Some(_) => crate_directory.join(format!("../../models/silent_{}.pml", self.model)),
            None => crate_directory.join(format!("tests/silent/{}.pml", self.model)),
        }
    }

    /// Our verdict for the property.
    fn answer(&self, plan: &Plan) -> Verdict {
        let front = model::read(&self.file()).expect("our models can be read");
        let model = promela(&front);
        let report = check(&model, &model.properties(), plan, false, &mut NoObserver);
        let checked = report.expect("violations are confirmed").properties;
        let own = checked.into_iter().find(|checked| checked.property.name == self.property);
        own.unwrap_or_else(|| panic!("{} has no property {}", self.model, self.property)).verdict
    }

    /// Whether SPIN reports an error.
    fn spin_finds(&self, (translator, defines, args): Usage) -> bool {
        let pan = Pan::build(&self.file(), translator, defines).expect("SPIN compiles it");
        let output = pan.run(args, Duration::from_secs(60)).expect("pan ends").output();
        let (_, errors) = output.split_once("errors: ").expect("pan counts errors");
        !errors.starts_with("0\n")
    }
}

#[test]
fn we_never_say_that_it_holds() {
    for silence in &SILENCES {
        for (plain, order) in [(true, "bfs"), (false, "bfs"), (true, "dfs"), (false, "dfs")] {
            let search = parse_search(order, 1, &heuristic_names()).expect("there are both");
            let plan = Plan { plain, search, ..Plan::default() };
            match silence.answer(&plan) {
                Verdict::Violated(found) => assert!(!found.is_empty()),
                Verdict::Unknown(reason) => {
                    assert!(!silence.checked, "{}: {reason}", silence.model);
                    assert!(!reason.to_string().is_empty(), "{}", silence.model);
                }
                Verdict::Holds => panic!("{} {plan:?}: it does not hold", silence.model),
            }
        }
    }
}

#[test]
fn our_own_depth_limit_is_no_silence() {
    for order in ["bfs", "dfs"] {
        let search = parse_search(order, 1, &heuristic_names()).expect("there are both");
        let plan = Plan { search, depth: Some(9_999), ..Plan::default() };
        let Verdict::Unknown(reason) = SILENCES[0].answer(&plan) else {
            panic!("with a depth limit, nothing is known");
        };
        assert!(reason.to_string().contains("depth"), "{reason}");
    }
}

#[test]
fn spin_stays_silent() {
    if !spin::available_or_skip("SPIN's silence") {
        return;
    }
    for silence in &SILENCES {
        assert!(!silence.spin_finds(silence.silent), "SPIN reports {}", silence.model);
        let outspoken = silence.outspoken.is_none_or(|usage| silence.spin_finds(usage));
        assert!(outspoken, "SPIN cannot find {}", silence.model);
    }
}
