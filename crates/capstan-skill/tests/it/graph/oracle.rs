//! NetworkX, asked for the truth: a process of Python that answers for many graphs.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde::Deserialize;
use serde_json::json;

use super::samples::Sample;

/// What `oracle.py` says of one graph; it promises no order, unless it says so.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) components: Vec<Vec<usize>>,
    pub(crate) cycles: Vec<Vec<usize>>,
    /// Nothing where there are cycles.
    pub(crate) generations: Option<Vec<Vec<usize>>>,
    /// Nothing where there are cycles.
    pub(crate) order: Option<Vec<usize>>,
    /// On cycles or behind them.
    pub(crate) stuck: Vec<usize>,
    /// For each node.
    pub(crate) reachable: Vec<Vec<usize>>,
    /// For each node to each other, without the edges that lie on cycles.
    pub(crate) paths: Vec<Vec<Vec<Vec<usize>>>>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the answers come from a program that is not ours"
)]
pub(crate) fn ask(samples: &[Sample]) -> Vec<Answer> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../.tools/networkx/bin/python");
    assert!(
        python.is_file(),
        "NetworkX is not installed at {}: run `make tools`",
        python.display()
    );
    let mut process = Command::new(python)
        .arg(root.join("tests/it/graph/oracle.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");

    let questions: String = samples
        .iter()
        .map(|sample| {
            format!(
                "{}\n",
                json!({"nodes": sample.nodes, "edges": sample.edges})
            )
        })
        .collect();
    let mut input = process.stdin.take().expect("it has an input");
    // It answers while it reads: who only wrote would wait for ever.
    let writer = thread::spawn(move || input.write_all(questions.as_bytes()));
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
    assert_eq!(answers.len(), samples.len());
    answers
}
