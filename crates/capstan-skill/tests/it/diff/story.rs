//! A skill that changed in many ways at once.

use capstan_skill::{Bump, diff};

use super::skills::skill;

const OLD: &str = include_str!("old.yaml");
const NEW: &str = include_str!("new.yaml");

#[test]
fn everything_is_told() {
    let diff = diff(&skill(OLD), &skill(NEW));
    let lines: Vec<String> = diff
        .changes
        .iter()
        .map(|it| format!("{:<11} {:<16} {it}", it.part.as_str(), it.path))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert_eq!(diff.due, Bump::Major);
    assert_eq!(diff.declared, Some(Bump::Minor));
    assert!(!diff.is_enough());
}

#[test]
fn the_way_back_is_told_too() {
    let diff = diff(&skill(NEW), &skill(OLD));
    let lines: Vec<String> = diff.changes.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert_eq!(diff.declared, None);
    assert!(!diff.is_enough());
}
