//! Other processes that use the same file: this test binary, started again for one of its tests.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A process that does what one of the ignored tests here does.
pub(crate) struct Process {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Process {
    /// `test` is the path of the test; it is told the file and a word.
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
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, said }
    }

    /// The next thing that the process says; nothing when it ended.
    pub(crate) fn hear(&mut self) -> Option<String> {
        loop {
            let line = self.said.next()?.unwrap();
            if let Some((_, said)) = line.split_once(MARK) {
                return Some(said.to_owned());
            }
        }
    }

    /// Ends it without a warning, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    pub(crate) fn wait(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What this process was told, if it was started by `Process::start`.
pub(crate) fn told() -> Option<(PathBuf, String)> {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    Some((PathBuf::from(lines.next()?), lines.next()?))
}

/// Says something to whoever started this process.
pub(crate) fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{MARK}{what}").unwrap();
    out.flush().unwrap();
}

/// Sets what is said apart from what the test runner prints.
const MARK: &str = "said: ";
