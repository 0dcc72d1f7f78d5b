//! A network as text, in the format that [`read`](crate::read()) reads.

use std::fmt;

use crate::network::{Network, NetworkProcess};

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for process in self.processes() {
            let NetworkProcess { name, states, initial, error, transitions } = process;
            writeln!(f, "process {name}\nstates {states}")?;
            writeln!(f, "init {}", words(initial.iter().copied()))?;
            if process.is_indifferent() {
                writeln!(f, "error all")?;
            } else {
                let states = (0..*states).filter(|&state| error[state as usize]);
                writeln!(f, "error {}", words(states))?;
            }
            for one in transitions {
                writeln!(f, "trans {} {} {}", one.from, self.action_name(one.action), one.to)?;
            }
        }
        Ok(())
    }
}

fn words(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}
