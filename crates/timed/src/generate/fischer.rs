//! Fischer's mutual exclusion: a process writes its number within 2 units, and enters if it finds it
//! again after more than 2.

/// How long a process waits before it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Longer than a write may take.
    Longer,
    /// Perhaps as long: mutual exclusion is violated.
    AsLong,
}

/// Fischer's protocol for several processes.
pub fn fischer(processes: u32, waiting: Waiting) -> String {
    let (comparison, answer) = match waiting {
        Waiting::Longer => (">", "yes"),
        Waiting::AsLong => (">=", "no"),
    };
    format!(
        "// Fischer's mutual exclusion with {processes} processes.\n\
         // {answer}: A[] forall (i : int[1,{processes}]) forall (j : int[1,{processes}]) \
         P(i).critical and P(j).critical imply i == j\n\
         int[0,{processes}] turn;\n\n\
         process P(const int[1,{processes}] number) {{\n\
         clock x;\n\
         state idle, asking {{ x <= 2 }}, waiting, critical;\n\
         init idle;\n\
         trans\n\
         idle -> asking {{ guard turn == 0; assign x = 0; }},\n\
         asking -> waiting {{ assign turn = number, x = 0; }},\n\
         waiting -> asking {{ guard turn == 0; assign x = 0; }},\n\
         waiting -> critical {{ guard turn == number && x {comparison} 2; }},\n\
         critical -> idle {{ assign turn = 0; }};\n\
         }}\n\
         system P;\n"
    )
}
