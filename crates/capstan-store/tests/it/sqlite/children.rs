//! Other processes that use the same file: this test binary, started again for one of its tests.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A child process that runs one of the ignored tests here.
pub(crate) struct ChildProcess {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
}

impl ChildProcess {
    /// Starts the test at this path, and sends it the file and a word.
    #[expect(
        clippy::disallowed_methods,
        reason = "what several processes do can be seen with several processes only"
    )]
    pub(crate) fn start(test: &str, file: &Path, word: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{}\n{word}", file.display()).unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, output }
    }

    /// Returns the next message of the child; `None` when it has ended.
    pub(crate) fn next_message(&mut self) -> Option<String> {
        loop {
            let line = self.output.next()?.unwrap();
            if let Some((_, message)) = line.split_once(MESSAGE_MARK) {
                return Some(message.to_owned());
            }
        }
    }

    /// Ends the child without a warning, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    pub(crate) fn wait(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the file and the word, if this process was started by `ChildProcess::start`.
pub(crate) fn parent_arguments() -> Option<(PathBuf, String)> {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    Some((PathBuf::from(lines.next()?), lines.next()?))
}

/// Sends a message to the parent process.
pub(crate) fn send_message(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{MESSAGE_MARK}{what}").unwrap();
    out.flush().unwrap();
}

/// Distinguishes messages from what the test runner prints.
const MESSAGE_MARK: &str = "said: ";
