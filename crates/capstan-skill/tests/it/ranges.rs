//! Compares version ranges with npm's own `semver`. `tools/semver` makes the table.

use capstan_skill::{Range, Version};

const TABLE: &str = include_str!("ranges/npm.tsv");

#[test]
fn ranges_allow_what_npm_allows() {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let versions: Vec<Version> = lines
        .next()
        .unwrap()
        .split(' ')
        .map(|text| Version::parse(text).unwrap())
        .collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines {
        let (range, expected) = line.split_once('\t').unwrap();
        let range: String = serde_json::from_str(range).unwrap();
        let found = match Range::parse(&range) {
            Ok(range) => digits(&range, &versions),
            Err(_) => "-".to_owned(),
        };
        if found != expected {
            wrong.push(format!("{range:?}: npm says {expected}, we say {found}"));
        }
        count += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count > 2000);
}

/// The only difference to npm: an empty range comes from a forgotten value.
#[test]
fn an_empty_range_is_refused() {
    for empty in ["", "  ", "\t"] {
        let why = Range::parse(empty).unwrap_err();
        assert!(why.contains("is not a range of versions"), "{why}");
    }
}

#[test]
fn a_range_of_nothing_allows_nothing() {
    let range = Range::parse(">=2.0.0 <1.0.0").unwrap();
    for version in ["0.1.0", "1.0.0", "1.5.0", "2.0.0", "3.0.0"] {
        assert!(
            !range.allows(&Version::parse(version).unwrap()),
            "{version}"
        );
    }
}

#[test]
fn hostile_ranges_are_refused_or_read() {
    let long = "1".repeat(100_000);
    let many = "1 || ".repeat(50_000);
    for text in [
        &long,
        &many,
        "18446744073709551615.18446744073709551615.18446744073709551615",
        "^18446744073709551616",
        "<9007199254740991.9007199254740991.9007199254740991",
        ">9007199254740991",
        "1.2.3-\u{e9}",
        "\u{661}.\u{662}.\u{663}",
        "+",
        "1+",
        "-",
    ] {
        if let Ok(range) = Range::parse(text) {
            assert!(!range.allows(&Version::parse("0.0.1-x").unwrap()));
        }
    }
}

fn digits(range: &Range, versions: &[Version]) -> String {
    let digit = |four: &[Version]| {
        let value = four.iter().fold(0, |value, version| {
            value * 2 + u32::from(range.allows(version))
        });
        char::from_digit(value, 16).unwrap()
    };
    versions.chunks(4).map(digit).collect()
}
