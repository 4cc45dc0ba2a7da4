//! Compares what skills do not declare but their parts imply.

use std::sync::Arc;

use capstan_core::Source;
use capstan_skill::{Bump, ComparedSkill, Contract, Diff, Library, Skill, check, diff, read_text};
use time::macros::date;

/// Returns the newest skill in a text, with its inferred contract.
fn seen(text: &str) -> (Arc<Skill>, Option<Contract>) {
    let read = read_text(&Source::new("skill.yaml", text));
    assert_eq!(read.diagnostics, [], "{text}");
    let (library, twice) = Library::new(read.skills);
    assert_eq!(twice, []);
    let checked = check(&library, &(), date!(2026 - 11 - 16));
    let skill = library.newest("whole").unwrap();
    (Arc::clone(skill), checked.contract(skill))
}

fn compared(old: &str, new: &str) -> Diff {
    let ((old, before), (new, now)) = (seen(old), seen(new));
    let side = |skill, contract| ComparedSkill { skill, contract };
    diff(side(&*old, before.as_ref()), side(&*new, now.as_ref()))
}

fn told(diff: &Diff) -> Vec<String> {
    let changes = diff.changes.iter().map(ToString::to_string);
    changes.chain(diff.notes.iter().cloned()).collect()
}

const PART: &str = "---
id: part
level: 1
code: return args
operation: READ
effects: [Query]
input_schema: {type: object, properties: {a: {type: string}}, required: [a]}
output_schema: {type: object, properties: {b: {type: string}}, required: [b]}
";

fn whole(more: &str, part: &str) -> String {
    format!("id: whole\nlevel: 2\ncomposes: [part]\n{more}{part}")
}

#[test]
fn what_a_part_needs_and_gives_is_what_the_whole_does() {
    let part = PART
        .replace("required: [a]", "required: [a, c]")
        .replace(
            "{a: {type: string}}",
            "{a: {type: string}, c: {type: integer}}",
        )
        .replace("{b: {type: string}}", "{b: {type: integer}}")
        .replace("READ", "WRITE")
        .replace("[Query]", "[Query, Mutate]");
    let diff = compared(&whole("", PART), &whole("", &part));
    assert_eq!(
        told(&diff),
        [
            "breaking: New required input field 'c'",
            "breaking: Output field 'b' was changed: was string, is integer",
            "breaking: Operation was raised from READ to WRITE",
            "breaking: Effect 'Mutate' was added",
        ]
    );
    assert_eq!(diff.due, Bump::Major);
}

#[test]
fn to_state_what_was_known_changes_nothing_for_others() {
    let stated = "input_schema: {type: object, properties: {a: {type: string}}, required: [a]}
output_schema: {type: object, properties: {b: {type: string}}, required: [b]}
";
    let (plain, stated) = (whole("", PART), whole(stated, PART));
    let now = compared(&plain, &stated);
    assert_eq!(
        told(&now),
        [
            "internal: The input is now declared, unchanged",
            "internal: The output is now declared, unchanged",
        ]
    );
    assert_eq!(now.due, Bump::Patch);
    let back = compared(&stated, &plain);
    assert_eq!(
        told(&back),
        [
            "internal: The input is no longer declared, but unchanged",
            "internal: The output is no longer declared, but unchanged",
        ]
    );
    assert!(compared(&plain, &plain).is_empty());
}

#[test]
fn what_cannot_be_known_is_noted() {
    let unknown = PART
        .lines()
        .filter(|line| !line.contains("schema"))
        .map(|line| format!("{line}\n"));
    let unknown = whole("", &unknown.collect::<String>());
    let both = compared(&unknown, &unknown);
    assert_eq!(both.changes, []);
    assert_eq!(
        both.notes,
        [
            "the input of both versions is not declared and cannot be derived from their parts, so it \
             counts as anything: declare it with `input_schema`",
            "the output of both versions is not declared and cannot be derived from their parts, so it \
             counts as anything: declare it with `output_schema`",
        ]
    );
    let known = compared(&unknown, &whole("", PART));
    assert_eq!(
        told(&known)[..2],
        [
            "breaking: The input is now known from its parts",
            "compatible: The output is now known from its parts",
        ]
    );
    assert_eq!(known.notes.len(), 2);
    // A part that does not exist.
    let missing = compared(&whole("", PART), &whole("", ""));
    assert_eq!(missing.notes.len(), 2, "{missing:?}");
}
