//! What a line says when something failed, in the words of common compilers, test runners and tools.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// How many lines around a line belong to what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// A text that tells of a failure.
struct Sign {
    text: &'static str,
    place: Place,
    around: Around,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a line, after white space.
    Start,
    Anywhere,
}

const fn start(text: &'static str, before: u64, after: u64) -> Sign {
    let around = Around { before, after };
    Sign {
        text,
        place: Place::Start,
        around,
    }
}

const fn anywhere(text: &'static str, before: u64, after: u64) -> Sign {
    let around = Around { before, after };
    Sign {
        text,
        place: Place::Anywhere,
        around,
    }
}

const SIGNS: &[Sign] = &[
    // Rust
    start("error[E", 0, 12),
    start("error: ", 0, 8),
    anywhere("panicked at", 0, 4),
    anywhere(" ... FAILED", 0, 0),
    start("test result: FAILED", 6, 0),
    // Python
    start("Traceback (most recent call last)", 1, 20),
    start("E   ", 6, 3),
    start("FAILED ", 0, 0),
    anywhere("= short test summary info =", 0, 12),
    start("ERROR collecting", 0, 10),
    // JavaScript and TypeScript
    start("● ", 0, 18),
    start("FAIL ", 0, 8),
    start("✕ ", 0, 0),
    start("× ", 0, 6),
    start("not ok ", 0, 10),
    anywhere("AssertionError", 1, 8),
    anywhere(": error TS", 0, 2),
    anywhere("  error  ", 2, 0),
    start("✖ ", 0, 1),
    start("npm ERR!", 0, 2),
    start("npm error", 0, 2),
    // Go
    start("--- FAIL:", 0, 8),
    start("FAIL\t", 2, 0),
    start("panic: ", 0, 10),
    start("WARNING: DATA RACE", 0, 20),
    // C, C++ and make
    anywhere(": error:", 1, 4),
    anywhere(": fatal error:", 1, 3),
    anywhere("undefined reference to", 1, 1),
    start("make: ***", 2, 0),
    anywhere("]: *** [", 2, 0),
    start("CMake Error", 0, 8),
    start("ninja: build stopped", 4, 0),
    // Java, .NET, Ruby, Swift
    start("[ERROR] ", 0, 3),
    start("FAILURE: Build failed", 0, 12),
    start("Exception in thread", 0, 12),
    start("Caused by:", 0, 4),
    anywhere(": error CS", 0, 1),
    start("Failures:", 0, 14),
    start("rspec ./", 0, 0),
    // Docker and shells
    start("ERROR: ", 1, 8),
    anywhere("failed to solve", 1, 2),
    anywhere(": command not found", 1, 0),
    anywhere(": No such file or directory", 1, 0),
    anywhere(": Permission denied", 1, 0),
    anywhere("Segmentation fault", 3, 1),
    anywhere("No space left on device", 2, 0),
    anywhere("Out of memory", 2, 2),
    // Any
    start("Error: ", 1, 6),
    start("fatal: ", 1, 2),
    start("FATAL", 1, 3),
    anywhere("Assertion failed", 1, 4),
    anywhere("assertion failed", 1, 4),
    anywhere("Unhandled exception", 0, 8),
    anywhere("UnhandledPromiseRejection", 1, 8),
];

/// Returns what lines belong to a line, if it tells of a failure.
pub(crate) fn sign_in(line: &str) -> Option<Around> {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| {
        let texts = SIGNS.iter().map(|sign| sign.text);
        AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(texts)
            .ok()
    });
    let finder = finder.as_ref()?;
    let indent = line.len() - line.trim_start().len();
    let mut found = finder.find_overlapping_iter(line).filter_map(|found| {
        let sign = SIGNS.get(found.pattern().as_usize())?;
        let is_here = sign.place == Place::Anywhere || found.start() == indent;
        is_here.then_some(sign.around)
    });
    let first = found.next()?;
    Some(found.fold(first, |all, around| Around {
        before: all.before.max(around.before),
        after: all.after.max(around.after),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_tools_are_known() {
        for line in [
            "error[E0308]: mismatched types",
            "test sequencer::starts ... FAILED",
            "thread 'a' panicked at src/lib.rs:1:2:",
            "E       assert 1 == 2",
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            "  ● math › adds",
            "FAIL src/math.test.ts",
            "    --- FAIL: TestAdd (0.00s)",
            "src/a.ts(3,1): error TS2322: Type",
            "  12:5  error  'x' is not defined  no-undef",
            "main.c:3:1: error: expected ';'",
            "ERROR: failed to solve: process did not complete",
            "make: *** [Makefile:3: test] Error 2",
            "bash: foo: command not found",
        ] {
            assert!(sign_in(line).is_some(), "{line}");
        }
    }

    #[test]
    fn other_lines_are_not_signs() {
        for line in [
            "",
            "test result: ok. 3 passed; 0 failed",
            "0 errors, 0 warnings",
            "Downloading error-chain v0.12",
            "an error: is not at the beginning",
            "running test_fatal",
        ] {
            assert_eq!(sign_in(line), None, "{line}");
        }
    }
}
