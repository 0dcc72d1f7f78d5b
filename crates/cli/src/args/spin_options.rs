//! Options of SPIN and of its verifier `pan`, with Beeline's equivalents.
//!
//! An option of SPIN that Beeline does not have is refused, with the equivalent. A compile-time
//! option such as `-DBFS` is a valid definition of a macro; if the model does not use the macro, a
//! note names the equivalent.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The commands whose options are SPIN's or HSF-SPIN's own.
const EXEMPT: [&str; 1] = ["hsf"];

/// An option of SPIN.
struct SpinOption {
    /// The option, without a number after it.
    name: &'static str,
    /// Beeline's equivalent.
    ours: &'static str,
}

const fn row(name: &'static str, ours: &'static str) -> SpinOption {
    SpinOption { name, ours }
}

/// Options of `pan` and of `spin`.
const OPTIONS: &[SpinOption] = &[
    row("-a", "every check includes acceptance cycles; to check them alone: --property acceptance"),
    row("-A", "to ignore assertions, name the other properties: --property deadlock"),
    row("-b", "--depth N: a search that reaches the limit ends with the verdict unknown"),
    row("-bfs", "--search bfs"),
    row("-bfspar", "--search bfs, with --jobs N threads"),
    row("-biterate", "trails are shortened by default; --search bfs finds a shortest one"),
    row("-bitstate", "--store bitstate"),
    row("-B", "--depth N bounds the depth of a search"),
    row("-c", "--all continues after the first error and reports distinct ones"),
    row("-C", "--columns of `beeline replay` draws a column for each process"),
    row("-collapse", "--store compact"),
    row("-d", "`beeline dump MODEL --form automata` prints the process automata"),
    row("-e", "--all writes a trail for each distinct error"),
    row("-E", "to ignore invalid end states, name the other properties: --property assertions"),
    row("-f", "--fair"),
    row("-F", "--property 'ltl: FORMULA'"),
    row("-g", "`beeline replay MODEL` shows each change of a variable"),
    row("-hc", "--store hash-compact"),
    row("-i", "trails are shortened by default; --search bfs finds a shortest one"),
    row("-j", "`beeline simulate MODEL --trail FILE` follows a trail"),
    row("-k", "`beeline replay MODEL TRAIL`; hash functions: --store 'bitstate(bits=N)'"),
    row("-l", "--property progress finds non-progress cycles"),
    row("-ltl", "--property NAME checks one ltl formula of the model"),
    row("-m", "--depth N limits the depth; by default there is no limit"),
    row("-M", "--store 'bitstate(bytes=N)'"),
    row("-n", "unreached statements are listed with --coverage only; a seed is --seed N"),
    row("-noreduce", "--reduce off"),
    row("-N", "--property NAME checks one never claim or ltl formula"),
    row("-o", "--plain switches statement merging and dead-variable reset off"),
    row("-O", "no compiler runs: leave it out"),
    row("-p", "`beeline replay MODEL` shows each statement"),
    row("-pp", "`beeline lint MODEL` reports mistakes"),
    row("-Q", "--time limits the time, as in --time 5m"),
    row("-r", "`beeline replay MODEL` executes the trail of the last check"),
    row("-replay", "`beeline replay MODEL` executes the trail of the last check"),
    row("-R", "--store 'bitstate(runs=N)'"),
    row("-RS", "--search random-dfs --seed N"),
    row("-run", "`beeline check MODEL` translates, compiles and searches: leave it out"),
    row("-s", "`beeline replay MODEL` shows each message"),
    row("-S", "`beeline replay MODEL` executes the trail of the last check"),
    row("-safety", "--property deadlock --property assertions"),
    row("-search", "`beeline check MODEL` translates, compiles and searches: leave it out"),
    row("-swarm", "--store 'bitstate(runs=N)'"),
    row("-t", "`beeline replay MODEL` executes the trail of the last check"),
    row("-T", "`beeline simulate MODEL --quiet` prints the output of the model only"),
    row("-u", "`beeline simulate MODEL --steps N` stops after N steps"),
    row("-w", "the hash table grows as needed: leave it out"),
    row("-x", "`--trail FILE` keeps an earlier trail; `--no-trail` writes none"),
    row("-X", "leave it out"),
];

/// Compile-time options of `pan`, without `-D`.
const MACROS: &[SpinOption] = &[
    row("BCS", "`beeline improve MODEL TRAIL --switches` prefers few context switches"),
    row("BFS", "--search bfs"),
    row("BFS_PAR", "--search bfs, with --jobs N threads"),
    row("BITSTATE", "--store bitstate"),
    row("COLLAPSE", "--store compact"),
    row("DFS_PAR", "--jobs N"),
    row("FULLSTACK", "leave it out"),
    row("HC", "--store hash-compact"),
    row("HC4", "--store hash-compact"),
    row("MA", "--store compact"),
    row("MEMLIM", "--memory, as in --memory 4G"),
    row("NCORE", "--jobs N"),
    row("NFAIR", "--fair supports up to 63 processes"),
    row("NOBOUNDCHECK", "array bounds are always checked"),
    row("NOCLAIM", "--property deadlock --property assertions"),
    row("NOFAIR", "fairness is off without --fair"),
    row("NOREDUCE", "--reduce off"),
    row("NP", "--property progress"),
    row("NXT", "formulas may contain X"),
    row("P_RAND", "--search random-dfs --seed N"),
    row("REACH", "--search bfs finds a shortest trail"),
    row("RANDOMIZE", "--search random-dfs --seed N"),
    row("SAFETY", "--property deadlock --property assertions"),
    row("SPACE", "--store compact"),
    row("T_RAND", "--search random-dfs --seed N"),
    row("VECTORSZ", "states have any length: leave it out"),
    row("XUSAFE", "--reduce off"),
];

/// The macros of the command line that are compile-time options of SPIN, with the equivalents.
pub(crate) fn macro_equivalent(name: &str) -> Option<&'static str> {
    MACROS.iter().find(|row| row.name == name).map(|row| row.ours)
}

/// The message for a command line that the parser refuses because of an option of SPIN: all such
/// options with their equivalents. `None` if the refused argument is no option of SPIN.
pub(super) fn refusal(args: &[OsString], error: &clap::Error) -> Option<clap::Error> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|arg| arg.to_str()).collect();
    if error.kind() != ErrorKind::UnknownArgument || EXEMPT.contains(words.first()?) {
        return None;
    }
    let Some(ContextValue::String(refused)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let words = words.iter().take_while(|word| **word != "--");
    let found: Vec<(&str, &str)> =
        words.filter_map(|word| Some((*word, equivalent(word)?))).collect();
    found.iter().find(|(word, _)| word.starts_with(refused))?;
    let names: Vec<String> = found.iter().map(|(word, _)| format!("`{word}`")).collect();
    let are = if names.len() == 1 { "is an option" } else { "are options" };
    let width = found.iter().map(|(word, _)| word.len()).max().unwrap_or(0);
    let rows: Vec<String> =
        found.iter().map(|(word, ours)| format!("  {word:<width$}  {ours}\n")).collect();
    let text = format!(
        "{} {are} of SPIN, not of Beeline\n\nInstead:\n{}\nFor more information, try '--help'.\n",
        names.join(", "),
        rows.concat()
    );
    Some(clap::Error::raw(ErrorKind::UnknownArgument, text))
}

/// The equivalent of a word of the command line, if it is an option of SPIN. Numbers may follow the
/// name.
fn equivalent(word: &str) -> Option<&'static str> {
    let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ',');
    let find = |name: &str| OPTIONS.iter().find(|row| row.name == name).map(|row| row.ours);
    find(word).or_else(|| find(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_belong_to_options_and_each_row_is_documented_once() {
        assert_eq!(equivalent("-m10000"), equivalent("-m"));
        assert!(equivalent("-c0").is_some_and(|ours| ours.starts_with("--all")));
        assert_eq!(equivalent("-swarm10,4"), equivalent("-swarm"));
        for word in ["-", "--all", "-DBFS", "m.pml", "-frob"] {
            assert_eq!(equivalent(word), None, "{word}");
        }
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/spin.md");
        let page = std::fs::read_to_string(page).expect("the page is part of the project");
        for (table, prefix) in [(OPTIONS, ""), (MACROS, "-D")] {
            for (at, row) in table.iter().enumerate() {
                assert!(table[..at].iter().all(|other| other.name != row.name), "{}", row.name);
                let line = format!("| `{prefix}{}` | {} |\n", row.name, row.ours);
                assert!(page.contains(&line), "docs/book/spin.md lacks {line}");
            }
        }
    }
}
