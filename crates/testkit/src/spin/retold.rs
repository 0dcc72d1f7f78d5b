//! The output of SPIN when it follows a trail: `spin -t -p` with its simulator, `pan -r` with the
//! verifier.
//!
//! ```text
//! spin: m.pml:29, Error: assertion violated          pan:1: assertion violated (x==1) (at depth 7)
//! spin: trail ends after 7 steps                     spin: trail ends after 7 steps
//! #processes: 2                                      #processes 2:
//!   7:    proc  1 (P:1) m.pml:30 (state 5)             7:    proc 0 (P)  m.pml:25 (state  7) (invalid end state)
//! ```

/// The end of a trail, according to SPIN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retold {
    /// The number of its steps; a rendezvous counts twice.
    pub steps: Option<u64>,
    /// The number of processes.
    pub processes: Option<usize>,
    /// The positions of the processes, by number: line and location.
    pub places: Vec<(usize, u32, u32)>,
    /// The error messages, such as `m.pml:29, Error: assertion violated`.
    pub complaints: Vec<String>,
    /// Whether some process is at an invalid end; only `pan -r` reports it.
    pub invalid_end: bool,
}

impl Retold {
    /// Parses the output.
    #[must_use]
    pub fn parse(output: &str) -> Retold {
        let mut retold = Retold::default();
        for line in output.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("spin: trail ends after ") {
                // Without steps, the number is that of the line with the settings.
                let number = rest.split(' ').next().and_then(|number| number.parse::<i64>().ok());
                retold.steps = number.map(|number| u64::try_from(number).unwrap_or(0));
                retold.places.clear();
            } else if let Some(rest) = line.strip_prefix("#processes") {
                retold.processes = rest.trim_matches([':', ' ']).parse().ok();
            } else if let Some(place) = place(line) {
                retold.places.push(place);
                retold.invalid_end |= line.ends_with("(invalid end state)");
            } else if let Some((_, complaint)) = line.split_once("pan:1: ") {
                // Output of the model may precede it.
                retold.complaints.push(complaint.to_owned());
            } else if let Some(rest) = line.strip_prefix("spin: ")
                && rest.contains("Error")
            {
                retold.complaints.push(rest.to_owned());
            }
        }
        retold.places.sort_unstable();
        retold
    }

    /// Whether an error message contains this text.
    #[must_use]
    pub fn complains(&self, of: &str) -> bool {
        self.complaints.iter().any(|complaint| complaint.contains(of))
    }

    /// The line of the assertion that failed, as the simulator names it.
    #[must_use]
    pub fn failed_line(&self) -> Option<u32> {
        let failed = self.complaints.iter().rfind(|c| c.contains("assertion violated"))?;
        let (place, _) = failed.split_once(", Error")?;
        place.rsplit(':').next()?.parse().ok()
    }
}

/// `7: proc 1 (P:1) m.pml:30 (state 5)`, without a statement after it.
fn place(line: &str) -> Option<(usize, u32, u32)> {
    let (step, rest) = line.split_once(':')?;
    step.parse::<i64>().ok()?;
    let rest = rest.trim_start().strip_prefix("proc ")?.trim_start();
    let (pid, rest) = rest.split_once(' ')?;
    let (before, state) = rest.split_once(" (state ")?;
    let (state, behind) = state.split_once(')')?;
    if behind.contains('[') {
        return None;
    }
    let line = before.rsplit(':').next()?;
    Some((pid.parse().ok()?, line.trim().parse().ok()?, state.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulator_is_understood() {
        let retold = Retold::parse(
            "  6:\tproc  1 (P:1) m.pml:28 (state 3)\t[x = 1]\n\
             spin: m.pml:29, Error: assertion violated\n\
             spin: trail ends after 7 steps\n#processes: 2\n\t\tx = 1\n\
             \x20 7:\tproc  1 (P:1) m.pml:30 (state 5)\n\
             \x20 7:\tproc  0 (:init::1) m.pml:24 (state 7) <valid end state>\n",
        );
        assert_eq!((retold.steps, retold.processes), (Some(7), Some(2)));
        assert_eq!(retold.places, [(0, 24, 7), (1, 30, 5)]);
        assert_eq!(retold.failed_line(), Some(29));
        assert!(!retold.invalid_end);
    }

    #[test]
    fn the_verifier_is_understood() {
        let retold = Retold::parse(
            "  1:\tproc  2 (P) m.pml:25 (state 7)\t[(!(busy))]\n\
             pan:1: assertion violated (x==1) (at depth 7)\n\
             spin: trail ends after 7 steps\n#processes 1:\n\
             \x20 7:\tproc 0 (P)  m.pml:25 (state  7) (invalid end state)\n\t\t(!(busy))\n",
        );
        assert_eq!((retold.steps, retold.processes), (Some(7), Some(1)));
        assert_eq!(retold.places, [(0, 25, 7)]);
        assert!(retold.complains("assertion violated") && retold.invalid_end);
    }
}
