//! Limits of time and memory, and interrupts, on models with long trails and huge steps: a few of
//! the runs of `bench/limits`.

use std::path::Path;

use beeline_test_size::portion;
use beeline_testkit::limits::{limited_run, tasks};
use beeline_testkit::spin::Scratch;
use serde_json::Value;

/// How often a run that ends too late is repeated: other tests run beside it.
const REPETITIONS: usize = 3;

#[test]
#[cfg(target_os = "linux")]
fn no_run_exceeds_its_limits() {
    let beeline = Path::new(env!("CARGO_BIN_EXE_beeline"));
    let scratch = Scratch::new().expect("there is room for a model");
    for task in tasks(12, 12, portion(1_500)) {
        let run = || limited_run(beeline, scratch.path(), &task);
        let mut last = run();
        for _ in 0..REPETITIONS {
            if last.late > task.most_late() {
                last = run();
            }
        }
        assert!(last.late <= task.most_late(), "{task:?}: {last:?}");
        assert!(last.resident <= task.most_resident(), "{task:?}: {last:?}");
        let said: Value = serde_json::from_str(&last.printed).expect("the answer is JSON");
        let codes = ["holds", "violated", "unknown"];
        let code = codes.iter().position(|verdict| said["verdict"] == *verdict);
        assert_eq!(code, usize::try_from(last.exit).ok(), "{task:?}: {last:?}");
    }
}
