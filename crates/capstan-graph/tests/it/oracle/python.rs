//! NetworkX, asked for the truth: a process of Python that answers for many graphs.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde::{Deserialize, Serialize};

/// A graph with what we say about it.
#[derive(Debug, Serialize)]
pub(crate) struct Question {
    pub(crate) nodes: usize,
    /// From, to, confidence.
    pub(crate) edges: Vec<(usize, usize, f64)>,
    pub(crate) communities: Vec<Vec<usize>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) ranks: Vec<f64>,
    /// From each of the first ten to each that can be reached.
    pub(crate) costs: Vec<Vec<(usize, f64)>>,
    /// Of our communities.
    pub(crate) modularity: f64,
    /// Of what NetworkX finds, greedily and by Louvain: the best of a few.
    pub(crate) greedy: f64,
    pub(crate) louvain: f64,
    /// Whether each of our communities is.
    pub(crate) connected: bool,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the answers come from a program that is not ours"
)]
pub(crate) fn ask(questions: &[Question]) -> Vec<Answer> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../.tools/networkx/bin/python");
    assert!(
        python.is_file(),
        "NetworkX is not installed at {}: run `make tools`",
        python.display()
    );
    let mut process = Command::new(python)
        .arg(root.join("tests/it/oracle/oracle.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let lines: String = questions
        .iter()
        .map(|question| serde_json::to_string(question).unwrap() + "\n")
        .collect();
    let mut input = process.stdin.take().expect("it has an input");
    // It answers while it reads: who only wrote would wait for ever.
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = process.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "the oracle failed");
    writer
        .join()
        .expect("the writer ends")
        .expect("everything is read");
    let text = String::from_utf8(output.stdout).expect("answers are text");
    let answers: Vec<Answer> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer is as described"))
        .collect();
    assert_eq!(answers.len(), questions.len());
    answers
}
