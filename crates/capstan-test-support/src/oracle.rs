//! A Python process that answers questions with an independent implementation.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tool;

/// A running script that can use NetworkX and PyNaCl. It reads one question per line as JSON, and writes one answer per line
/// as JSON.
#[derive(Debug)]
pub struct Oracle {
    process: Child,
    pipes: RefCell<Pipes>,
}

#[derive(Debug)]
struct Pipes {
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    #[expect(
        clippy::disallowed_methods,
        reason = "the answers come from a program that is not ours"
    )]
    pub fn start(script: impl AsRef<Path>) -> Self {
        let mut process = Command::new(tool("oracles/bin/python"))
            // Without this, Python would buffer the answers that we wait for.
            .arg("-u")
            .arg(script.as_ref())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let questions = process.stdin.take().expect("its input is a pipe");
        let answers = process.stdout.take().expect("its output is a pipe");
        Self {
            process,
            pipes: RefCell::new(Pipes {
                questions,
                answers: BufReader::new(answers),
            }),
        }
    }

    /// Asks one question and waits for the answer. If the script fails, its message is on standard error.
    pub fn ask<T: DeserializeOwned>(&self, question: &impl Serialize) -> T {
        let mut pipes = self.pipes.borrow_mut();
        let question = serde_json::to_string(question).expect("a question is JSON");
        writeln!(pipes.questions, "{question}").expect("the oracle reads");
        let mut answer = String::new();
        pipes
            .answers
            .read_line(&mut answer)
            .expect("the oracle writes text");
        assert!(!answer.is_empty(), "the oracle failed at {question}");
        serde_json::from_str(&answer).expect("the answer is as described")
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The process may have ended already.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
