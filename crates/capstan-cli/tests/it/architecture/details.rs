//! What code decides on is a typed field. `details` is for callers: the executor and the engine write it through
//! functions of `capstan-core` and never look into it.

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
        let text = read(&source);
        let code = text.split("#[cfg(test)]\nmod tests").next();
        for (number, line) in code.unwrap_or_default().lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && line.contains(".details") {
                readers.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        readers.is_empty(),
        "keep the fact in a field of `Failure` instead: {readers:#?}"
    );
}
