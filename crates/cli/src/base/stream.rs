//! Standard output that is written step by step.
//!
//! Most commands compute their whole [`CommandOutput`] first. A simulation or a trail can be long,
//! and is printed while it runs.

use std::io::{self, BufWriter, ErrorKind, Write};

use serde::Serialize;

use crate::base::exit::Exit;
use crate::base::output::CommandOutput;
use crate::base::pager::PersonOutput;

/// Prints until the reader closes the pipe.
pub(crate) struct Stream<W: Write = PersonOutput> {
    out: BufWriter<W>,
    failed: Option<io::Error>,
}

impl Stream {
    /// Standard output.
    pub(crate) fn new() -> Stream {
        Stream::to(PersonOutput::direct())
    }

    /// A pager, if a person reads; else standard output.
    pub(crate) fn paged() -> Stream {
        Stream::to(PersonOutput::paged())
    }

    /// Whether a pager shows the text.
    pub(crate) fn is_paged(&self) -> bool {
        matches!(self.out.get_ref(), PersonOutput::Paged(_))
    }
}

impl<W: Write> Stream<W> {
    fn to(out: W) -> Stream<W> {
        Stream { out: BufWriter::new(out), failed: None }
    }

    /// Prints a text, now or at the next flush.
    pub(crate) fn say(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(text.as_bytes()).err();
        }
    }

    /// Prints an object as one line of JSON, part by part.
    pub(crate) fn say_line(&mut self, object: &impl Serialize) {
        if self.failed.is_none() {
            // The types have string keys and no failing parts: what fails is the output.
            let written = serde_json::to_writer(&mut self.out, object);
            self.failed = written.err().map(io::Error::from);
        }
        self.say("\n");
    }

    /// Flushes what was printed so far.
    pub(crate) fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
    }

    /// Whether the reader has not closed the pipe.
    pub(crate) fn is_heard(&self) -> bool {
        self.failed.is_none()
    }

    /// The rest of the output: standard error and the exit code. A reader that closed the pipe is no
    /// error, but then the end of the run is not known.
    pub(crate) fn finish(self, err: String, exit: Exit) -> CommandOutput {
        self.finish_or(err, exit, Exit::Success)
    }

    /// The rest of the output, where the exit code is known, whether there is a reader or not.
    pub(crate) fn finish_known(self, exit: Exit) -> CommandOutput {
        self.finish_or(String::new(), exit, exit)
    }

    fn finish_or(mut self, err: String, exit: Exit, unheard: Exit) -> CommandOutput {
        self.flush();
        let (err, exit) = match &self.failed {
            None => (err, exit),
            Some(error) if error.kind() == ErrorKind::BrokenPipe => (String::new(), unheard),
            Some(error) => {
                (format!("error: cannot write to standard output: {error}\n"), Exit::Usage)
            }
        };
        CommandOutput { out: String::new(), err, exit }
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
        let end = |kind| {
            let mut stream = Stream::to(Failing(kind));
            stream.say("text");
            stream.flush();
            assert!(!stream.is_heard());
            stream.finish(String::new(), Exit::Violated).exit
        };
        assert_eq!(end(ErrorKind::BrokenPipe), Exit::Success);
        assert_eq!(end(ErrorKind::StorageFull), Exit::Usage);
    }
}
