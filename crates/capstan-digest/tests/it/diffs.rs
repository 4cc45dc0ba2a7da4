//! What an agent sees of diffs.

use capstan_digest::reduce_diff;
use serde_json::Value;

use crate::support::select;

/// A diff of some files with so many changed lines each.
fn diff(files: &[(&str, usize)]) -> String {
    let section = |(path, lines): &(&str, usize)| {
        let head = format!(
            "diff --git a/{path} b/{path}\nindex 1a2b3c4..5d6e7f8 100644\n--- a/{path}\n+++ b/{path}\n"
        );
        let changes = (0..*lines).map(|n| format!("-let value = {n};\n+let value = {};\n", n + 1));
        format!(
            "{head}@@ -1,{lines} +1,{lines} @@\n{}",
            changes.collect::<String>()
        )
    };
    files.iter().map(section).collect()
}

fn shown(diff: &str, selection: &str) -> String {
    let mut fields = reduce_diff(diff, &select(selection)).unwrap();
    let text = fields.remove("text");
    let text = text.as_ref().and_then(Value::as_str).unwrap_or("(no text)");
    let text = if text.len() > 900 {
        format!("{}\n[{} bytes]", &text[..120], text.len())
    } else {
        text.to_owned()
    };
    format!("## {selection}\n{}\n{text}", Value::from(fields))
}

#[test]
fn small_diffs_are_whole_and_large_ones_are_listed() {
    let small = diff(&[("README.md", 1), ("src/vote.rs", 2)]);
    let large = diff(&[
        ("Cargo.lock", 900),
        ("src/a.rs", 40),
        ("src/b.rs", 3),
        ("tests/é.rs", 200),
    ]);
    insta::assert_snapshot!(
        [
            shown(&small, ""),
            shown(&large, ""),
            shown(&large, "entry=src/b.rs"),
            shown(&large, "entry=src"),
            shown(&large, "entry=*.rs, find=value = 199"),
            shown(&large, "entry=Cargo.lock"),
            shown(&large, "entry=Cargo.lock, lines=1799-1804"),
            shown("", ""),
        ]
        .join("\n\n")
    );
}

#[test]
fn a_wrong_path_is_answered_with_the_right_one() {
    let diff = diff(&[("src/vote.rs", 1)]);
    let error = reduce_diff(&diff, &select("entry=src/votes.rs")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the diff has no file `src/votes.rs`; did you mean src/vote.rs?"
    );
}

#[test]
fn a_diff_of_many_files_is_cut() {
    let names: Vec<String> = (0..400)
        .map(|number| format!("src/file_{number}.rs"))
        .collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), 3)).collect();
    let fields = reduce_diff(&diff(&files), &select("")).unwrap();
    assert_eq!(fields["changed_files"], 400);
    assert_eq!(fields["files"].as_array().unwrap().len(), 100);
    assert!(
        fields["more"]
            .as_str()
            .unwrap()
            .starts_with("300 more files are not listed.")
    );
}
