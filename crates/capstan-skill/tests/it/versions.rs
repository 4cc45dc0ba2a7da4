//! Tests of version resolution.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use capstan_core::{Diagnostic, Source};
use capstan_skill::{Library, Plan, Version, check, read_text};
use proptest::prelude::*;
use time::macros::date;

#[test]
fn an_older_part_is_taken_where_the_newest_asks_for_what_another_excludes() {
    let library = library(
        "
id: flow
level: 3
composes: [left, right]
---
id: left
level: 2
version: 2.0.0
composes: [{skill: leaf, version: ^2.0.0}]
---
id: left
level: 2
version: 1.0.0
composes: [{skill: leaf, version: ^1.0.0}]
---
id: right
level: 2
composes: [{skill: leaf, version: ^1.0.0}]
---
id: leaf
level: 1
version: 2.0.0
code: return 2
---
id: leaf
level: 1
version: 1.5.0
code: return 1
",
    );
    assert_eq!(conflicts(&library), Vec::<String>::new());
    let plan = plan(&library, "flow");
    assert_eq!(versions(&plan), ["flow@1.0.0", "left@1.0.0", "right@1.0.0"]);
}

#[test]
fn a_prerelease_is_taken_only_where_it_is_asked_for_or_alone() {
    let skills = |asked: &str| {
        let composed = match asked {
            "" => "composes: [part]".to_owned(),
            asked => format!("composes: [{{skill: part, version: \"{asked}\"}}]"),
        };
        library(&format!(
            "
id: flow
level: 2
{composed}
---
{}
---
{}
",
            part("1.0.0"),
            part("2.0.0-beta.1")
        ))
    };
    let taken = |asked: &str| chosen(&skills(asked));
    assert_eq!(taken(""), "1.0.0");
    assert_eq!(taken("*"), "1.0.0");
    assert_eq!(taken(">=1.0.0"), "1.0.0");
    assert_eq!(taken(">=2.0.0-beta.1"), "2.0.0-beta.1");
    let library = skills("");
    assert_eq!(library.newest("part").unwrap().version.to_string(), "1.0.0");
    assert_eq!(library.find("part").unwrap().version.to_string(), "1.0.0");
    let beta = library.find("part@^2.0.0-beta.0").unwrap();
    assert_eq!(beta.version.to_string(), "2.0.0-beta.1");

    let alone = self::library(&format!(
        "
id: flow
level: 2
composes: [part]
---
{}
",
        part("2.0.0-beta.1")
    ));
    assert_eq!(chosen(&alone), "2.0.0-beta.1");
}

fn part(version: &str) -> String {
    format!(
        "id: part\nlevel: 1\nversion: {version}\ncode: return args\noutput_schema: {{type: object, title: \"{version}\"}}"
    )
}

/// Returns the version of `part` that the plan of `flow` runs, which is the title of its output.
fn chosen(library: &Library) -> String {
    let plan = plan(library, "flow");
    let (.., leaf) = plan.leaves().next().unwrap();
    let output = leaf.output.as_deref().unwrap();
    output["title"].as_str().unwrap().to_owned()
}

/// A registry for which naive backtracking would never end.
#[test]
fn a_hopeless_registry_is_refused_soon() {
    let mut text = String::from("id: flow\nlevel: 3\ncomposes: [");
    for index in 0..20 {
        let _ = write!(text, "mid-{index}, ");
    }
    text.push_str("first, second]\n");
    for index in 0..20 {
        for version in 1..=5 {
            let _ = write!(
                text,
                "---\nid: mid-{index}\nlevel: 2\nversion: {version}.0.0\ncomposes: [leaf-{index}]\n"
            );
        }
        let _ = write!(text, "---\nid: leaf-{index}\nlevel: 1\ncode: return 1\n");
    }
    for (name, range) in [("first", "^1.0.0"), ("second", "^2.0.0")] {
        let _ = write!(
            text,
            "---\nid: {name}\nlevel: 2\ncomposes: [{{skill: shared, version: {range}}}]\n"
        );
    }
    for version in 1..=2 {
        let _ = write!(
            text,
            "---\nid: shared\nlevel: 1\nversion: {version}.0.0\ncode: return 1\n"
        );
    }
    let conflicts = conflicts(&library(&text));
    assert_eq!(conflicts.len(), 1, "{conflicts:?}");
    assert!(conflicts[0].contains("'shared'"), "{conflicts:?}");
}

/// By name and version: the requested ranges, by name.
type VersionRegistry = BTreeMap<(usize, u64), Vec<(usize, Option<&'static str>)>>;

const LEAVES: usize = 3;
const MIDDLES: usize = 3;

/// Generates a skill that composes three others, each of which composes two of three leaves, with up to three
/// versions each.
fn registries() -> impl Strategy<Value = VersionRegistry> {
    let range = prop::sample::select(vec![
        None,
        Some("^1.0.0"),
        Some("^2.0.0"),
        Some(">=2.0.0"),
        Some("1.0.0 || 3.0.0"),
        Some("<3.0.0"),
    ]);
    let asks = prop::collection::vec((0..LEAVES, range), 2..=2);
    let middles = prop::collection::vec(prop::collection::vec(asks, 1..=3), MIDDLES);
    middles.prop_map(|middles| {
        let mut registry = VersionRegistry::new();
        for (name, versions) in middles.into_iter().enumerate() {
            for (version, asks) in versions.into_iter().enumerate() {
                registry.insert((name, version as u64 + 1), asks);
            }
        }
        registry
    })
}

fn written(registry: &VersionRegistry) -> String {
    let mut text = String::from("id: flow\nlevel: 3\ncomposes: [mid-0, mid-1, mid-2]\n");
    for ((name, version), asks) in registry {
        let _ = write!(
            text,
            "---\nid: mid-{name}\nlevel: 2\nversion: {version}.0.0\ncomposes:\n"
        );
        for (at, (leaf, range)) in asks.iter().enumerate() {
            let _ = write!(text, "  - {{skill: leaf-{leaf}, as: step_{at}");
            if let Some(range) = range {
                let _ = write!(text, ", version: \"{range}\"");
            }
            text.push_str("}\n");
        }
    }
    for leaf in 0..LEAVES {
        for version in 1..=3 {
            let _ = write!(
                text,
                "---\nid: leaf-{leaf}\nlevel: 1\nversion: {version}.0.0\ncode: return {version}\n"
            );
        }
    }
    text
}

/// Whether any choice of versions satisfies all requests, found by trying all choices.
fn can_be_satisfied(registry: &VersionRegistry) -> bool {
    let count = |name: usize| registry.keys().filter(|(it, _)| *it == name).count() as u64;
    let fits = |middles: [u64; 3], leaves: [u64; 3]| {
        middles.iter().enumerate().all(|(name, version)| {
            registry[&(name, *version)].iter().all(|(leaf, range)| {
                let version = Version::parse(&format!("{}.0.0", leaves[*leaf])).unwrap();
                range.is_none_or(|range| {
                    capstan_skill::Range::parse(range).unwrap().allows(&version)
                })
            })
        })
    };
    let triples = |most: [u64; 3]| {
        (1..=most[0]).flat_map(move |a| {
            (1..=most[1]).flat_map(move |b| (1..=most[2]).map(move |c| [a, b, c]))
        })
    };
    triples([count(0), count(1), count(2)])
        .any(|middles| triples([3, 3, 3]).any(|leaves| fits(middles, leaves)))
}

#[test]
fn a_conflict_is_reported_exactly_where_no_choice_satisfies_everybody() {
    let mut runner = crate::registry::runner(1000);
    let seen = std::cell::Cell::new((0, 0));
    runner
        .run(&registries(), |registry| {
            let library = library(&written(&registry));
            let of_flow: Vec<_> = diagnostics(&library)
                .into_iter()
                .filter(|it| it.code == "E017" && place(it) <= 3)
                .collect();
            let expected = can_be_satisfied(&registry);
            let (yes, no) = seen.get();
            seen.set((yes + u32::from(expected), no + u32::from(!expected)));
            prop_assert_eq!(of_flow.is_empty(), expected, "{:?}", of_flow);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let (yes, no) = seen.get();
    assert!(yes > 100 && no > 100, "{yes} can be satisfied, {no} cannot");
}

fn place(diagnostic: &Diagnostic) -> usize {
    let start = diagnostic.span.unwrap().start;
    diagnostic.source.position(start).line
}

fn library(text: &str) -> Library {
    let read = read_text(&Source::new("skills.yaml", text));
    assert_eq!(read.diagnostics, []);
    let (library, twice) = Library::new(read.skills);
    assert_eq!(twice, []);
    library
}

fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    check(library, &(), date!(2026 - 11 - 17)).diagnostics
}

fn conflicts(library: &Library) -> Vec<String> {
    let found = diagnostics(library)
        .into_iter()
        .filter(|it| it.code == "E017");
    found.map(|it| it.message).collect()
}

fn plan(library: &Library, id: &str) -> Plan {
    let skill = library.newest(id).unwrap();
    check(library, &(), date!(2026 - 11 - 17))
        .plan(skill)
        .unwrap()
}

/// Returns the skills in a plan.
fn versions(plan: &Plan) -> Vec<String> {
    plan.scopes
        .iter()
        .map(|scope| scope.skill.clone())
        .collect()
}
