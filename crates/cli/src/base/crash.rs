//! Panics: an apology, the facts for a report, and exit code 5.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write;
use std::panic::PanicHookInfo;

use crate::base::exit::Exit;

/// From now on, a panic of any thread ends the process with a report.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        let command: Vec<_> =
            std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let text = report(&what(info), &place(info), &command.join(" "));
        let mut stderr = std::io::stderr().lock();
        // A second failure in here would abort; if standard error is closed, only the exit code is
        // left.
        let _ = stderr.write_all(text.as_bytes());
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            let _ = writeln!(stderr, "\n{backtrace}");
        }
        std::process::exit(Exit::Internal as i32);
    }));
}

fn what(info: &PanicHookInfo<'_>) -> String {
    info.payload_as_str().unwrap_or("(no message)").to_owned()
}

fn place(info: &PanicHookInfo<'_>) -> String {
    info.location().map_or_else(|| "(unknown place)".to_owned(), ToString::to_string)
}

fn report(what: &str, place: &str, command: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "\
error: internal error. This is a bug in Beeline, not in your model.

    what:     {what}
    where:    {place}
    version:  beeline {version} ({system}, {machine})
    command:  {command}

To report it, send these lines to the Beeline issue tracker together with the
model and the files it includes. RUST_BACKTRACE=1 adds details.
"
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// Set in the child process that panics.
    const CHILD: &str = "BEELINE_TEST_CRASH";

    #[test]
    fn a_panic_ends_with_an_apology_and_code_5() {
        if std::env::var_os(CHILD).is_some() {
            super::install();
            panic!("the pigeon is lost");
        }
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "base::crash::tests::a_panic_ends_with_an_apology_and_code_5"])
            .args(["--nocapture"])
            .env(CHILD, "1")
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        for needle in ["a bug in Beeline", "the pigeon is lost", "crash.rs:", "version:  beeline "]
        {
            assert!(stderr.contains(needle), "{needle} is not in:\n{stderr}");
        }
    }
}
