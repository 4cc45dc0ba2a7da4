//! What code decides on is a typed field. `details` is for callers: the executor and the engine write it through
//! functions of `capstan-core` and never look into it.

use super::imports::code_of;
use super::sources::{read, sources};

#[test]
fn nobody_inside_reads_details() {
    let mut readers = Vec::new();
    for source in sources() {
        let path = source.to_string_lossy().into_owned();
        let inside = ["crates/capstan-exec/src/", "crates/capstan-engine/src/"];
        if !inside.iter().any(|it| path.starts_with(it)) {
            continue;
        }
        let code = code_of(&read(&source));
        let lines = code.lines().filter(|line| line.contains(".details"));
        readers.extend(lines.map(|line| format!("{path}: {}", line.trim())));
    }
    assert!(
        readers.is_empty(),
        "keep the fact in a field of `Failure` instead: {readers:#?}"
    );
}

#[test]
fn facts_become_json_in_one_place() {
    let facts = ["outcome", "retry_after_s", "verified"];
    let mut writers = Vec::new();
    for source in sources() {
        let path = source.to_string_lossy().into_owned();
        if !path.starts_with("crates/capstan-") || !path.contains("/src/") {
            continue;
        }
        let code = code_of(&read(&source));
        for fact in facts {
            let writes = [
                format!("with_detail(\"{fact}\""),
                format!("details.insert(\"{fact}\""),
                format!("(\"{fact}\", "),
            ];
            if writes.iter().any(|written| code.contains(written)) {
                writers.push(path.clone());
            }
        }
    }
    writers.dedup();
    assert_eq!(writers, ["crates/capstan-core/src/port/failure.rs"]);
}
