//! The table of process automata that `pan -d` prints.
//!
//! ```text
//! proctype A
//! <tab>state  12 -(tr  13)-> state  12  [id  13 tp   2 org   8] [A-epG] m.pml:5 => ((x==3))
//! ```
//!
//! The text after the arrow is a statement of the model, with newlines escaped; the file name may
//! contain blanks and colons. In the brackets: the transition's number; its class for the partial
//! order reduction (one or two numbers); for a step copied from the escape of an `unless`, the
//! state it was copied from (`org`); in raw tables, the states of the escapes (`esc`).
//!
//! A table ends with a blank line and a legend. `pan` prints `notrace assertion` above a `trace`
//! and `trace assertion` above a `notrace`; the parser corrects this. Raw tables have the headers
//! `STEP 1 NAME` without the kind of NAME, but list the processes in the order of the optimised
//! table, which has it.

use super::error::OracleError;

/// The kind of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanKind {
    /// A process type.
    Proctype,
    /// The initial process.
    Init,
    /// A never claim, or the claim made from an `ltl` formula.
    Claim,
    /// A trace assertion.
    Trace,
    /// A notrace assertion.
    Notrace,
}

/// The automaton of one process type, claim or trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanProcess {
    /// Its kind.
    pub kind: PanKind,
    /// Its name; `init`, `trace` and `notrace` for those that have none.
    pub name: String,
    /// Its edges in the order of the table: depth first from the initial state,
    /// those of one state in the order in which the verifier tries them.
    /// In a raw table: by state.
    pub edges: Vec<PanEdge>,
}

impl PanProcess {
    /// The initial state, which an optimised table (not a raw one) prints first.
    #[must_use]
    pub fn initial(&self) -> Option<u32> {
        self.edges.first().map(|edge| edge.from)
    }
}

/// One transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanEdge {
    /// The state it leaves.
    pub from: u32,
    /// The number of the code it runs (`tr`); 0 and 1 are for steps without effect.
    pub forward: u32,
    /// The state it enters; 0 is the end of the process.
    pub to: u32,
    /// Its number.
    pub id: u32,
    /// Its class for the partial order reduction.
    pub tpe: (u32, u32),
    /// For a step out of an `unless`: the first state of the escape.
    pub escape_of: Option<u32>,
    /// In raw tables, the first states of the escapes that may interrupt it, innermost first.
    pub escapes: Vec<u32>,
    /// Whether the process keeps exclusive control afterwards.
    pub atomic: bool,
    /// Whether it is a whole `d_step`.
    pub d_step: bool,
    /// Whether the state it leaves is an accepting one.
    pub accept: bool,
    /// Whether the state it leaves is a valid end state.
    pub end: bool,
    /// Whether the state it leaves is a progress state.
    pub progress: bool,
    /// Whether it is invisible to other processes.
    pub local: bool,
    /// The line of the state it leaves (SPIN stores 16 bits of it).
    pub line: u32,
    /// The statement; of merged ones, the first.
    pub text: String,
}

/// Reads the output of `pan -d`.
///
/// # Errors
/// When a line is unknown or the end is missing.
pub fn optimised(output: &str) -> Result<Vec<PanProcess>, OracleError> {
    read(output, |_, line| {
        let (kind, name) = match line {
            "init" => (PanKind::Init, "init"),
            "notrace assertion" => (PanKind::Trace, "trace"),
            "trace assertion" => (PanKind::Notrace, "notrace"),
            _ => match line.split_once(' ')? {
                ("proctype", name) => (PanKind::Proctype, name),
                ("claim", name) => (PanKind::Claim, name),
                _ => return None,
            },
        };
        Some((kind, name.to_owned()))
    })
}

/// Reads the output of `pan -d -d -d -d`; `optimised` is the table of the same verifier.
///
/// # Errors
/// When a line is unknown, the end is missing or the two tables do not match.
pub fn raw(output: &str, optimised: &[PanProcess]) -> Result<Vec<PanProcess>, OracleError> {
    let processes = read(output, |position, line| {
        let name = line.strip_prefix("STEP 1 ")?.trim_matches(':');
        let twin = optimised.get(position).filter(|twin| twin.name == name)?;
        Some((twin.kind, name.to_owned()))
    })?;
    if processes.len() == optimised.len() {
        Ok(processes)
    } else {
        Err(OracleError::Aborted("the raw table lacks processes".to_owned()))
    }
}

/// Reads a table whose headers are parsed by `header`, given their position.
fn read(
    output: &str,
    header: impl Fn(usize, &str) -> Option<(PanKind, String)>,
) -> Result<Vec<PanProcess>, OracleError> {
    let mut processes: Vec<PanProcess> = Vec::new();
    let mut lines = output.split('\n');
    for line in lines.by_ref().take_while(|line| !line.is_empty()) {
        if is_remark(line) {
            continue;
        }
        let unparsed = || OracleError::Unparsed(line.to_owned());
        if line.starts_with('\t') {
            let process = processes.last_mut().ok_or_else(unparsed)?;
            process.edges.push(edge(line).ok_or_else(unparsed)?);
        } else {
            let (kind, name) = header(processes.len(), line).ok_or_else(unparsed)?;
            processes.push(PanProcess { kind, name, edges: Vec::new() });
        }
    }
    match lines.next() {
        Some(legend) if legend.starts_with("Transition Type:") => Ok(processes),
        _ => Err(OracleError::Aborted("the table has no legend".to_owned())),
    }
}

/// Whether a line is a remark of `pan` about its partial order reduction.
fn is_remark(line: &str) -> bool {
    let about = line.starts_with("warning: line ") || line.starts_with("pan: warning, line ");
    let pair = line.starts_with("\t'") && line.contains("' <-> '");
    about || pair
}

/// Reads one transition.
fn edge(line: &str) -> Option<PanEdge> {
    let (from, rest) = number(line.strip_prefix("\tstate")?)?;
    let (forward, rest) = number(rest.strip_prefix(" -(tr")?)?;
    let (to, rest) = number(rest.strip_prefix(")-> state")?)?;
    let (id, rest) = number(rest.strip_prefix("  [id")?)?;
    let (first, mut rest) = number(rest.strip_prefix(" tp")?)?;
    let mut second = 0;
    if let Some(more) = rest.strip_prefix(',') {
        (second, rest) = number(more)?;
    }
    let mut escape_of = None;
    if let Some(more) = rest.strip_prefix(" org") {
        let (origin, more) = number(more)?;
        (escape_of, rest) = (Some(origin), more);
    }
    let mut escapes = Vec::new();
    while let Some(more) = rest.strip_prefix(" esc") {
        let (escape, more) = number(more)?;
        escapes.push(escape);
        rest = more;
    }
    let rest = rest.strip_prefix("] [")?;
    let (flags, rest) = rest.split_once("] ")?;
    let &[step, accept, end, progress, scope] = flags.as_bytes() else {
        return None;
    };
    let flag = |found: u8, letter: u8| match found {
        b'-' => Some(false),
        _ if found == letter => Some(true),
        _ => None,
    };
    let (line, text) = place(rest)?;
    Some(PanEdge {
        from,
        forward,
        to,
        id,
        tpe: (first, second),
        escape_of,
        escapes,
        atomic: step == b'A',
        d_step: step != b'A' && flag(step, b'D')?,
        accept: flag(accept, b'a')?,
        end: flag(end, b'e')?,
        progress: flag(progress, b'p')?,
        local: scope != b'G' && flag(scope, b'L')?,
        line,
        text: text.to_owned(),
    })
}

/// A number, padded with blanks on the left, and the rest of the text.
fn number(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start_matches(' ');
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// Splits `FILE:LINE => TEXT` at the first possible position.
fn place(text: &str) -> Option<(u32, &str)> {
    for (arrow, separator) in text.match_indices(" => ") {
        let before = &text[..arrow];
        let Some((_, digits)) = before.rsplit_once(':') else {
            continue;
        };
        // Lines are C shorts, so those beyond 32767 come out negative.
        let line = digits
            .parse::<u16>()
            .ok()
            .or_else(|| digits.parse::<i16>().ok().map(i16::cast_unsigned));
        if let Some(line) = line {
            return Some((line.into(), &text[arrow + separator.len()..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGEND: &str = "\nTransition Type: A=atomic; D=d_step; L=local; G=global\n";

    fn one(line: &str) -> PanEdge {
        let output = format!("init\n\t{line}\n{LEGEND}");
        let mut processes = optimised(&output).unwrap();
        assert_eq!(processes.len(), 1);
        processes.remove(0).edges.remove(0)
    }

    #[test]
    fn every_field_is_read() {
        let edge = one("state  12 -(tr  13)-> state   0  [id 1013 tp 3500,2 org   8] \
                        [Aa-pL] a b:1.pml:5 => ((x==3))");
        let expected = PanEdge {
            from: 12,
            forward: 13,
            to: 0,
            id: 1013,
            tpe: (3500, 2),
            escape_of: Some(8),
            escapes: vec![],
            atomic: true,
            d_step: false,
            accept: true,
            end: false,
            progress: true,
            local: true,
            line: 5,
            text: "((x==3))".to_owned(),
        };
        assert_eq!(edge, expected);
    }

    #[test]
    fn the_text_may_look_like_a_place() {
        let edge = one("state 1 -(tr 3)-> state 2  [id 0 tp 2] [D-e-G] \
                        m => n.pml:7 => printf('a:3 => b] \\n')");
        assert_eq!((edge.line, edge.text.as_str()), (7, "printf('a:3 => b] \\n')"));
        assert!(edge.d_step && edge.end && !edge.local);
    }

    #[test]
    fn lines_beyond_a_c_short_are_unwrapped() {
        let edge = one("state 1 -(tr 3)-> state 2  [id 0 tp 2] [----G] m.pml:-1 => x = 1");
        assert_eq!(edge.line, 65535);
    }

    #[test]
    fn unknown_lines_and_missing_ends_are_errors() {
        let check = |output: &str| optimised(output).unwrap_err().to_string();
        assert!(check(&format!("banana\n{LEGEND}")).contains("banana"));
        assert!(check(&format!("init\n\tstate 1\n{LEGEND}")).contains("state 1"));
        assert!(check("init\n").contains("no legend"));
        assert!(check("").contains("no legend"));
    }
}
