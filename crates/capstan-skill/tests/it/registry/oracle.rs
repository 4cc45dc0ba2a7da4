//! `oracle.py`, asked one question after the other.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A process of Python that knows the rules and NetworkX.
pub(super) struct Oracle {
    process: Child,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Oracle {
    #[expect(
        clippy::disallowed_methods,
        reason = "the answers come from a program that is not ours"
    )]
    pub(super) fn start() -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let python = root.join("../../.tools/networkx/bin/python");
        assert!(
            python.is_file(),
            "NetworkX is not installed at {}: run `make tools`",
            python.display()
        );
        let mut process = Command::new(python)
            .arg(root.join("tests/it/registry/oracle.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self {
            process,
            pipes: RefCell::new((input, output)),
        }
    }

    /// The question is a map from what is asked to what it is asked about.
    pub(super) fn ask<T: DeserializeOwned>(&self, question: &Value) -> T {
        let mut pipes = self.pipes.borrow_mut();
        writeln!(pipes.0, "{question}").unwrap();
        let mut answer = String::new();
        pipes.1.read_line(&mut answer).unwrap();
        assert!(!answer.is_empty(), "the oracle failed at {question}");
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
