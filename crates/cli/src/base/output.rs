//! The output of a command.
//!
//! Commands compute their whole output first. So the exit code is known before anything is printed,
//! and stays right when a reader like `head` closes the pipe.

use std::io::{self, ErrorKind, Write};

use crate::base::exit::Exit;
use crate::base::pager::PersonOutput;

/// The output of a command.
pub(crate) struct CommandOutput {
    /// For standard output.
    pub(crate) out: String,
    /// For standard error.
    pub(crate) err: String,
    /// For the caller.
    pub(crate) exit: Exit,
}

impl CommandOutput {
    /// Shows a text that does not fit the terminal in a pager. What is left has no text.
    pub(crate) fn paged(self) -> CommandOutput {
        let size = terminal_size::terminal_size_of(io::stdout());
        let Some((_, terminal_size::Height(height))) = size else { return self };
        if self.out.lines().count() < usize::from(height) {
            return self;
        }
        // As in `give`: neither a closed terminal nor a pager that was left is an error.
        let _ = write(&mut io::stderr().lock(), &self.err);
        let _ = write(&mut PersonOutput::paged(), &self.out);
        CommandOutput { out: String::new(), err: String::new(), exit: self.exit }
    }

    /// Prints the output. Returns the exit code of the process.
    pub(crate) fn give(self) -> Exit {
        // A closed standard error cannot be reported anywhere.
        let _ = write(&mut io::stderr().lock(), &self.err);
        match write(&mut io::stdout().lock(), &self.out) {
            Ok(()) => self.exit,
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: cannot write to standard output: {error}");
                Exit::Usage
            }
        }
    }
}

/// Writes the text. A reader that closed the pipe is no error.
fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_leaves_is_no_error_but_a_full_disk_is() {
        assert!(write(&mut Failing(ErrorKind::BrokenPipe), "text").is_ok());
        assert!(write(&mut Failing(ErrorKind::StorageFull), "text").is_err());
    }
}
