//! Archives: names, patterns, and what must not be read.

use capstan_core::FileSelection;
use capstan_digest::FileKind;

use crate::support::{archive, read, select};

#[test]
fn entries_are_listed_chosen_and_read() {
    let bytes = archive(&[
        ("build/1_Set up.txt", "one"),
        ("build/2_Run.txt", "two\ntwo\n"),
        ("core.bin", "\0\0"),
    ]);
    let names = |selection: &str| -> Vec<String> {
        let digest = read(&bytes, &select(selection), FileKind::Plain).unwrap();
        let entries = digest.entries.unwrap_or_default().into_iter();
        entries
            .map(|it| format!("{} {}", it.name, it.size))
            .collect()
    };
    let all = ["build/1_Set up.txt 3", "build/2_Run.txt 8", "core.bin 2"];
    assert_eq!(names(""), all);
    assert_eq!(names("entry=build/*"), all[..2]);
    for wanted in ["build/2_Run.txt", "*Run*"] {
        let digest = read(&bytes, &select(&format!("entry={wanted}")), FileKind::Plain).unwrap();
        assert_eq!(digest.entry.as_deref(), Some("build/2_Run.txt"));
        assert_eq!(digest.text.as_deref(), Some("two\ntwo\n"));
        assert_eq!(digest.lines, Some(2));
    }
    let digest = read(&bytes, &select("entry=core.bin"), FileKind::Plain).unwrap();
    assert_eq!((digest.size, digest.text), (2, None));
    let empty = read(&archive::<&str, &str>(&[]), &select(""), FileKind::Plain).unwrap();
    assert_eq!(empty.entries, Some(Vec::new()));
}

#[test]
fn mistakes_say_what_to_do() {
    let bytes = archive(&[("build/2_Run.txt", "two"), ("core.bin", "\0\0")]);
    for (selection, expected) in [
        ("entry=build/2_run.txt", "did you mean build/2_Run.txt?"),
        ("entry=../../etc/passwd", "without it, the names are listed"),
        ("entry=*.log", "the archive has no entry `*.log`"),
        (
            "tail=5",
            "`tail` needs `entry`, because the archive has 2 files: `build/2_Run.txt`, `core.bin`",
        ),
        ("entry=*, lines=5", "`lines` needs `entry`"),
        (
            "entry=core.bin, lines=5",
            "`lines` reads text, and `core.bin` is not text (2 bytes)",
        ),
    ] {
        let error = read(&bytes, &select(selection), FileKind::Plain).unwrap_err();
        assert!(error.to_string().contains(expected), "{selection}: {error}");
    }
}

#[test]
fn a_list_of_many_names_is_cut() {
    let files: Vec<_> = (0..250)
        .map(|number| (format!("{number}.log"), "x"))
        .collect();
    let bytes = archive(&files);
    let digest = read(&bytes, &select(""), FileKind::Plain).unwrap();
    assert_eq!(digest.entries.unwrap().len(), 100);
    assert!(digest.more.unwrap().starts_with("100 of 250 entries"));
}

#[test]
fn a_bomb_is_not_inflated() {
    let zeros = vec![b'\n'; 6 << 20];
    let bytes = archive(&[("0_bomb.txt", zeros)]);
    assert!(bytes.len() < 1 << 20);
    for (selection, kind) in [
        ("entry=0_bomb.txt", FileKind::Plain),
        ("entry=0_bomb.txt, tail=1", FileKind::Plain),
        ("find=x", FileKind::Plain),
        ("", FileKind::Log),
    ] {
        let error = read(&bytes, &select(selection), kind).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the entry `0_bomb.txt` becomes more than 300 times larger when it is unpacked, as in a zip bomb: it is \
             not read"
        );
    }
}

/// The directory of an archive may name millions of entries that it does not have room for.
#[test]
fn a_directory_that_never_ends_is_not_read() {
    let files: Vec<_> = (0..320)
        .map(|number| (format!("{number}{}", "x".repeat(60_000)), ""))
        .collect();
    let bytes = archive(&files);
    let error = read(&bytes, &FileSelection::default(), FileKind::Plain).unwrap_err();
    assert!(error.to_string().contains("too many entries"), "{error}");
}

/// Every byte is changed, and the archive is cut at every length.
#[test]
fn damage_is_never_a_panic() {
    let bytes = archive(&[("0_a.txt", "some text, some text"), ("b/1_c.txt", "")]);
    let try_all = |bytes: &[u8]| {
        for selection in ["", "entry=0_a.txt", "find=text"] {
            let _ = read(bytes, &select(selection), FileKind::Plain);
            let _ = read(bytes, &select(selection), FileKind::Log);
        }
    };
    for at in 0..bytes.len() {
        for value in [0, 0xff, bytes[at].wrapping_add(1)] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            try_all(&bytes);
        }
        try_all(&bytes[..at]);
    }
}
