//! A pager for long texts: `$PAGER`, or `less -FRX`.

use std::env;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// Where text for people goes: standard output, or a pager that shows it there.
pub(crate) enum PersonOutput {
    /// Standard output.
    Direct(StdoutLock<'static>),
    /// A pager.
    Paged(Pager),
}

/// A running pager.
pub(crate) struct Pager {
    process: Child,
    /// `None` after the end of the text.
    input: Option<ChildStdin>,
}

impl PersonOutput {
    /// Standard output.
    pub(crate) fn direct() -> PersonOutput {
        PersonOutput::Direct(io::stdout().lock())
    }

    /// A pager if standard output is a terminal and there is one; else standard output.
    pub(crate) fn paged() -> PersonOutput {
        let pager = io::stdout().is_terminal().then(start).flatten();
        pager.map_or_else(PersonOutput::direct, PersonOutput::Paged)
    }
}

/// Starts the pager. An empty `PAGER`, and `cat`, mean none.
fn start() -> Option<Pager> {
    let mut command = match env::var("PAGER") {
        Ok(pager) if ["", "cat"].contains(&pager.trim()) => return None,
        Ok(pager) => {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(pager);
            shell
        }
        Err(_) => {
            let mut less = Command::new("less");
            less.arg("-FRX");
            less
        }
    };
    let mut process = command.stdin(Stdio::piped()).spawn().ok()?;
    let input = process.stdin.take();
    Some(Pager { process, input })
}

impl Write for PersonOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PersonOutput::Direct(out) => out.write(bytes),
            PersonOutput::Paged(pager) => {
                let input = pager.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
                input.write(bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            PersonOutput::Direct(out) => out.flush(),
            PersonOutput::Paged(pager) => pager.input.as_mut().map_or(Ok(()), Write::flush),
        }
    }
}

impl Drop for Pager {
    /// The user leaves the pager before the command ends.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.wait();
    }
}
