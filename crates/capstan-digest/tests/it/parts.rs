//! Parts of texts: the beginning, ranges, the end, and what was found.

use capstan_core::FileSelection;
use capstan_digest::FileKind;
use proptest::prelude::*;

use crate::support::{read, select, shown};

fn text(lines: usize) -> Vec<u8> {
    let lines = (1..=lines).map(|number| format!("line {number}\n"));
    lines.collect::<String>().into_bytes()
}

#[test]
fn parts_of_a_text() {
    let text = text(1_000);
    let seen: Vec<String> = [
        "",
        "lines=3-5",
        "lines=999-",
        "lines=7",
        "lines=2000-2010",
        "tail=2",
        "find=LINE 99",
        "find=nowhere",
    ]
    .iter()
    .map(|selection| {
        let digest = read(&text, &select(selection), FileKind::Plain).unwrap();
        let mut shown = shown(digest);
        if shown.len() > 700 {
            shown.replace_range(200..shown.len() - 100, "\n[…]\n");
        }
        format!("## {selection}\n{shown}")
    })
    .collect();
    insta::assert_snapshot!(seen.join("\n"));
}

#[test]
fn what_is_not_text_is_described() {
    let bytes = [0x89, b'P', b'N', b'G', 0, 0, 1];
    let digest = read(&bytes, &FileSelection::default(), FileKind::Plain).unwrap();
    assert_eq!((digest.size, digest.text), (7, None));
    let error = read(&bytes, &select("tail=5"), FileKind::Plain).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`tail` reads text, and the file is not text (7 bytes)"
    );
    let error = read(b"text", &select("entry=a"), FileKind::Log).unwrap_err();
    assert!(error.to_string().ends_with("leave `entry` out"), "{error}");
    let empty = read(b"", &FileSelection::default(), FileKind::Log).unwrap();
    assert_eq!((empty.size, empty.lines), (0, Some(0)));
}

/// One line of 5 MB is no reason to show 5 MB, nor to show nothing.
#[test]
fn a_text_that_is_one_line_is_cut() {
    let line = vec![b'x'; 5 << 20];
    for selection in ["", "lines=1", "tail=1", "find=xxx"] {
        for kind in [FileKind::Plain, FileKind::Log] {
            let digest = read(&line, &select(selection), kind).unwrap();
            let text = digest.text.unwrap();
            assert!(
                (300..34_000).contains(&text.len()),
                "{selection}: {}",
                text.len()
            );
            assert!(text.contains("bytes more]"), "{selection}");
            assert_eq!(digest.size, 5 << 20);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The pages of a text, each read where the one before ended, are the text.
    #[test]
    fn pages_make_the_text(lines in prop::collection::vec("[a-zé ]{0,90}", 1..900), end in "\n?") {
        let text = format!("x{}{end}", lines.join("\n"));
        let mut read_so_far = String::new();
        let mut selection = select("lines=1-");
        loop {
            let digest = read(text.as_bytes(), &selection, FileKind::Plain).unwrap();
            read_so_far.push_str(&digest.text.unwrap());
            let (_, last) = digest.shown.unwrap();
            prop_assert_eq!(digest.more.is_some(), last < digest.lines.unwrap());
            if digest.more.is_none() {
                break;
            }
            selection = select(&format!("lines={}-", last + 1));
        }
        prop_assert_eq!(read_so_far, text);
    }
}

proptest! {
    #[test]
    fn no_bytes_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), log in any::<bool>()) {
        let kind = if log { FileKind::Log } else { FileKind::Plain };
        for selection in ["", "lines=2-3", "tail=2", "find=a", "entry=a"] {
            let _ = read(&bytes, &select(selection), kind);
        }
    }

    /// Marks, colours and times in any order are never a panic, and a digest stays small.
    #[test]
    fn no_log_is_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "##[group]Run x", "##[endgroup]", "##[error]e", "##[error]Process completed with exit code 3.",
                "\n", "\r\n", "\r", "\u{1b}[31m", "2026-11-18T22:55:08.1234567Z ", "Post job cleanup.", "error: x",
                "é", "Traceback (most recent call last)", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            ]),
            0..900,
        )
    ) {
        let log = parts.concat();
        let digest = read(log.as_bytes(), &FileSelection::default(), FileKind::Log).unwrap();
        prop_assert!(digest.text.unwrap_or_default().len() < 8_000);
    }
}
