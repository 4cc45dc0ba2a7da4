//! What an agent sees of logs, for the logs of common tools in `logs/`.

use std::fs;
use std::path::{Path, PathBuf};

use capstan_core::FileSelection;
use capstan_digest::FileKind;

use crate::support::{archive, read, select, shown};

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/logs");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    });
    named.collect()
}

fn fixture(name: &str) -> Vec<u8> {
    let mut fixtures = fixtures().into_iter();
    fixtures.find(|(known, _)| known == name).unwrap().1
}

#[test]
fn logs_of_common_tools() {
    for (name, log) in fixtures() {
        let digest = read(&log, &FileSelection::default(), FileKind::Log).unwrap();
        let text = shown(digest);
        assert!(text.len() < 5_000, "{name}: {} bytes", text.len());
        insta::assert_snapshot!(name, text);
    }
}

/// Returns the lines of the last step that is no cleaning up.
fn last_step(log: &[u8]) -> Vec<u8> {
    let log = String::from_utf8(log.to_vec()).unwrap();
    let start = log.rfind("##[group]Run ").unwrap();
    let end = log.find("Post job cleanup.").unwrap();
    let line_at = |at: usize| log[..at].rfind('\n').unwrap() + 1;
    log.as_bytes()[line_at(start)..line_at(end)].to_vec()
}

/// A run with a matrix: three jobs fail in the same way, one in another, and one succeeds.
#[test]
fn a_run_with_a_matrix() {
    let step = |name: &str, log: &str| {
        let log = last_step(&fixture(log));
        [
            (
                format!("{name}/1_Set up job.txt"),
                b"Current runner version: '2.328.0'\n".to_vec(),
            ),
            (format!("{name}/2_Run tests.txt"), log),
            (
                format!("{name}/system.txt"),
                b"Job is about to start".to_vec(),
            ),
        ]
    };
    let mut files = Vec::new();
    for (number, (job, log)) in [
        ("test (ubuntu-24.04, stable)", "cargo_test"),
        ("test (ubuntu-24.04, beta)", "cargo_test"),
        ("test (macos-15, stable)", "cargo_test"),
        ("ui", "jest"),
        ("docs", "without_errors"),
    ]
    .into_iter()
    .enumerate()
    {
        files.push((format!("{number}_{job}.txt"), fixture(log)));
        files.extend(step(job, log));
    }
    let bytes = archive(&files);
    let log = |selection: &str| {
        let digest = read(&bytes, &select(selection), FileKind::Log).unwrap();
        format!("## {selection}\n{}\n", shown(digest))
    };
    insta::assert_snapshot!(
        [
            log(""),
            log("entry=ui"),
            log("entry=docs"),
            log("entry=ui/2_Run tests.txt, lines=70-72"),
            log("entry=ui, tail=3"),
            log("find=outlier"),
            log("entry=ui*, find=Received"),
        ]
        .join("\n")
    );
}

/// Some archives have no files for steps.
#[test]
fn a_run_without_files_for_steps() {
    let files = [
        ("0_test.txt", fixture("cargo_test")),
        ("1_lint.txt", fixture("eslint")),
        ("test/system.txt", b"x".to_vec()),
    ];
    let digest = read(&archive(&files), &FileSelection::default(), FileKind::Log).unwrap();
    insta::assert_snapshot!(shown(digest));
}

#[test]
fn a_run_without_errors() {
    let files = [("0_test.txt", fixture("without_errors"))];
    let digest = read(&archive(&files), &FileSelection::default(), FileKind::Log).unwrap();
    insta::assert_snapshot!(shown(digest));
}
