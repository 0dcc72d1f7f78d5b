//! A terminal for tests: the command runs on a pseudo-terminal, and the test types and reads.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

/// The longest time until an expected text appears.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keys beside letters.
pub(crate) const UP: &str = "\x1b[A";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const BACKSPACE: &str = "\x7f";

/// A command on a terminal.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    screen: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
    /// The part of the output that was compared already.
    seen: usize,
}

impl Terminal {
    /// Starts the command on a terminal of 24 lines and 100 columns.
    pub(crate) fn start(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(Some(&size), None).expect("a pseudo-terminal opens");
        let stream = || Stdio::from(pair.slave.try_clone().expect("a terminal can be shared"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_beeline"));
        command.args(args).current_dir(folder).env("TERM", "xterm").env("NO_COLOR", "1");
        command.env_remove("PAGER").envs(variables.iter().copied());
        let command = command.stdin(stream()).stdout(stream()).stderr(stream());
        let child = command.spawn().expect("beeline starts");
        let keys = File::from(pair.master);
        let output = keys.try_clone().expect("a terminal can be shared");
        let screen = Arc::new(Mutex::new(String::new()));
        let shown = screen.clone();
        let reader = std::thread::spawn(move || read(output, &shown));
        Terminal { child, keys, screen, reader, seen: 0 }
    }

    /// Waits until a text appears after those that were expected before.
    pub(crate) fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let screen = self.screen.lock().expect("the reader does not panic").clone();
            if let Some(at) = screen[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{text:?} is missing: {screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal is open");
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end. Returns the exit code and everything on the screen.
    pub(crate) fn finish(mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("the process is ours") {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => {
                    self.child.kill().expect("the process is ours");
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        self.reader.join().expect("the reader does not panic");
        let screen = self.screen.lock().expect("the reader does not panic").clone();
        (status.code(), screen)
    }
}

/// Reads until the last process leaves the terminal.
fn read(mut output: File, screen: &Mutex<String>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..count]).replace("\r\n", "\n");
        screen.lock().expect("the test does not panic").push_str(&text);
    }
}
