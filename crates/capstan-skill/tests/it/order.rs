//! Tests of the order of many writes, and of cycles of many skills.

use std::fmt::Write as _;

use capstan_core::Source;
use capstan_skill::{Library, check, read_text};
use time::macros::date;

fn library(text: &str) -> Library {
    let read = read_text(&Source::new("skills.yaml", text));
    assert_eq!(read.diagnostics, []);
    let (library, twice) = Library::new(read.skills);
    assert_eq!(twice, []);
    library
}

/// Each write waits for every write before it, even with reads and data in between. `cargo bench -p
/// capstan-skill --bench check` measures how long planning takes.
#[test]
fn hundreds_of_ordered_writes_keep_their_order() {
    const STEPS: usize = 240;
    let mut text = String::from("id: flow\nlevel: 2\ncomposes:\n");
    for step in 0..STEPS {
        let _ = writeln!(text, "  - {{skill: write, as: step-{step}}}");
    }
    text.push_str("---\nid: write\nlevel: 1\noperation: WRITE\ncode: return args\n");
    text.push_str("input_schema: {type: object}\noutput_schema: {type: object}\n");
    let library = library(&text);
    let checked = check(&library, &(), date!(2026 - 11 - 17));
    let plan = checked.plan(library.newest("flow").unwrap()).unwrap();
    let levels = plan.levels();
    assert_eq!(levels.len(), STEPS);
    for (step, level) in levels.iter().enumerate() {
        let names: Vec<_> = level
            .iter()
            .map(|index| plan.nodes[*index].name.as_str())
            .collect();
        assert_eq!(names, [format!("step-{step}")]);
    }
}

/// Six skills that all compose each other have 409 cycles.
#[test]
fn all_cycles_are_reported_however_many_there_are() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut text = String::new();
    for name in names {
        let others: Vec<_> = names.into_iter().filter(|it| *it != name).collect();
        let _ = writeln!(
            text,
            "---\nid: {name}\nlevel: 3\ncomposes: [{}]",
            others.join(", ")
        );
    }
    let library = library(&text);
    let diagnostics = check(&library, &(), date!(2026 - 11 - 17)).diagnostics;
    let mut cycles: Vec<_> = diagnostics
        .iter()
        .filter(|it| it.code == "E003")
        .map(|it| it.message.as_str())
        .collect();
    assert_eq!(cycles.len(), 409);
    cycles.sort_unstable();
    cycles.dedup();
    assert_eq!(cycles.len(), 409);
}

/// Eight skills that all compose each other have 16,064 cycles.
#[test]
fn the_first_of_too_many_cycles_are_reported_and_the_others_counted() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut text = String::new();
    for name in names {
        let others: Vec<_> = names.into_iter().filter(|it| *it != name).collect();
        let _ = writeln!(
            text,
            "---\nid: {name}\nlevel: 3\ncomposes: [{}]",
            others.join(", ")
        );
    }
    let library = library(&text);
    let diagnostics = check(&library, &(), date!(2026 - 11 - 17)).diagnostics;
    let cycles: Vec<_> = diagnostics.iter().filter(|it| it.code == "E003").collect();
    assert_eq!(cycles.len(), 10_000);
    let helps: Vec<_> = cycles.iter().filter_map(|it| it.help.as_deref()).collect();
    let counts = helps
        .iter()
        .filter(|help| help.contains("6064 more cycles are not shown"));
    assert_eq!(counts.count(), 1);
}
