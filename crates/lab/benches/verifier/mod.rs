//! SPIN's verifier for liveness, built once, and run with a stack and a table of the smallest
//! sufficient sizes.

use beeline_testkit::spin::Scratch;

use crate::{Claim, Fairness};
use beeline_lab::resident::peak;
use beeline_lab::tool::run;

/// The depth limit of the first run, which determines the sizes for the others.
const DEEPEST: u64 = 20_000_000;
const FIRST_BITS: u32 = 22;
const LEAST_BITS: u32 = 10;

/// A verifier, ready to run.
pub(crate) struct Verifier {
    scratch: Scratch,
    words: Vec<String>,
}

impl Verifier {
    /// Builds it, and determines its sizes.
    pub(crate) fn build(
        model: &str,
        defines: &[&str],
        claim: Claim,
        fairness: Fairness,
    ) -> Verifier {
        let scratch = Scratch::new().expect("a scratch directory");
        run(scratch.path(), &[&["spin", "-a"], defines, &[model]].concat());
        let gcc = ["gcc", "-O2", "-w", "-DNOREDUCE"];
        // Fairness for more than six processes needs an option of the compiler.
        let fair: &[&str] = if fairness == Fairness::Weak { &["-DNFAIR=3"] } else { &[] };
        let progress: &[&str] = if matches!(claim, Claim::Progress) { &["-DNP"] } else { &[] };
        run(scratch.path(), &[&gcc[..], progress, fair, &["-o", "pan", "pan.c"]].concat());
        let mut words = vec!["./pan".to_owned(), "-A".to_owned()];
        match claim {
            Claim::Progress => words.push("-l".to_owned()),
            Claim::Never => words.push("-a".to_owned()),
            Claim::Formula(name) => words.extend(["-a", "-N", name].map(str::to_owned)),
        }
        if fairness == Fairness::Weak {
            words.push("-f".to_owned());
        }
        let first = Verifier { scratch, words };
        let output = first.output(DEEPEST, FIRST_BITS);
        let learned = || {
            let (_, depth) = output.split_once("depth reached ")?;
            let depth: u64 = depth.split(',').next()?.parse().ok()?;
            Some((depth, before(&output, "states, stored")?))
        };
        let (depth, stored) = learned().unwrap_or_else(|| panic!("{model}: {output}"));
        let bits = (stored.log2().ceil() as u32 + 1).max(LEAST_BITS);
        let Verifier { scratch, mut words } = first;
        words.extend([format!("-m{}", depth + 10), format!("-w{bits}")]);
        Verifier { scratch, words }
    }

    fn output(&self, deepest: u64, bits: u32) -> String {
        let sizes = [format!("-m{deepest}"), format!("-w{bits}")];
        let words: Vec<&str> = self.words.iter().chain(&sizes).map(String::as_str).collect();
        run(self.scratch.path(), &words).output
    }

    /// CPU seconds, states and bytes.
    pub(crate) fn run(&self) -> (f64, f64, f64) {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let ran = run(self.scratch.path(), &words);
        let output = &ran.output;
        assert!(output.contains("errors: 0"), "the property should hold: {output}");
        assert!(!output.contains("max search depth too small"), "it was deep enough before");
        let stored = before(output, "states, stored").expect("pan counts states");
        let megabytes = before(output, "total actual memory usage").expect("and bytes");
        (ran.cpu, stored, megabytes * f64::from(1 << 20))
    }

    /// Its greatest resident memory, in bytes.
    pub(crate) fn resident(&self) -> f64 {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        peak(self.scratch.path(), &words)
    }
}

/// The number before some words.
fn before(output: &str, words: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains(words))?;
    line.split_whitespace().next()?.parse().ok()
}
