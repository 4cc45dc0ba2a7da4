//! Generates registries: mostly correct, with occasional mistakes of every kind.

use std::collections::BTreeSet;
use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;

/// A capability that is not a skill but can be composed.
pub(super) const CARD: &str = "tool.card";

/// Names by the level that most of their versions have.
const NAMES: [&[&str]; 3] = [
    &["leaf-a", "leaf-b", "leaf-c"],
    &["pair-a", "pair-b", "pair-c"],
    &["flow-a", "flow-b"],
];
const VERSIONS: [&str; 6] = ["1.0.0", "1.1.0", "1.2.3", "2.0.0", "0.3.0", "0.3.4"];
const RANGES: [&str; 12] = [
    "*",
    "1.1.0",
    ">=1.1.0",
    "^1.0.0",
    "^1.1.0",
    "~1.2.0",
    "^0.3.1",
    "~0.3.0",
    "1.x",
    ">=1.0.0 <2.0.0",
    "^1.2.0 || ^2.0.0",
    "^3.0.0",
];

#[derive(Clone, Serialize)]
pub(super) struct SampleRegistry(pub(super) Vec<SampleSkill>);

#[derive(Clone, Debug, Serialize)]
pub(super) struct SampleSkill {
    pub(super) id: &'static str,
    pub(super) version: &'static str,
    level: u8,
    composes: Vec<SamplePart>,
    requires: Vec<SamplePart>,
    deprecated: Option<Deprecated>,
    cached: bool,
    operation: Option<&'static str>,
    effects: Option<Vec<&'static str>>,
}

/// An entry of `composes` or `requires`.
#[derive(Clone, Debug, Serialize)]
struct SamplePart {
    skill: &'static str,
    version: Option<&'static str>,
    /// The index of a replacement, if the skill does not exist.
    #[serde(skip)]
    other: usize,
}

#[derive(Clone, Debug, Serialize)]
struct Deprecated {
    sunset: Option<&'static str>,
}

impl SampleSkill {
    pub(super) fn full_name(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }

    /// Returns the text of the skill file.
    pub(super) fn yaml(&self) -> String {
        let mut lines = vec![
            format!("id: {}", self.id),
            format!("version: {}", self.version),
            format!("level: {}", self.level),
        ];
        if self.level == 1 {
            lines.push("code: return {}".to_owned());
        }
        let mut names = BTreeSet::new();
        for (index, part) in self.composes.iter().enumerate() {
            if index == 0 {
                lines.push("composes:".to_owned());
            }
            lines.push(format!("  - skill: {}", part.skill));
            if !names.insert(part.skill) {
                lines.push(format!("    as: again-{index}"));
            }
            if let Some(range) = part.version {
                lines.push(format!("    version: \"{range}\""));
            }
        }
        if !self.requires.is_empty() {
            lines.push("requires:".to_owned());
        }
        for part in &self.requires {
            let range = part.version.unwrap_or("*");
            lines.push(format!(
                "  - {{skill: {}, version: \"{range}\"}}",
                part.skill
            ));
        }
        match &self.deprecated {
            Some(Deprecated { sunset: Some(day) }) => {
                lines.push(format!("deprecated: {{since: 1.0.0, sunset: {day}}}"));
            }
            Some(Deprecated { sunset: None }) => {
                lines.push("deprecated: {since: 1.0.0}".to_owned());
            }
            None => {}
        }
        if self.cached {
            lines.push("cache: run".to_owned());
        }
        if let Some(operation) = self.operation {
            lines.push(format!("operation: {operation}"));
        }
        if let Some(effects) = &self.effects {
            lines.push(format!("effects: [{}]", effects.join(", ")));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// Failures show the files.
impl fmt::Debug for SampleRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<_> = self.0.iter().map(SampleSkill::yaml).collect();
        write!(f, "\n{}", files.join("---\n"))
    }
}

pub(super) fn registries() -> impl Strategy<Value = SampleRegistry> {
    prop::collection::vec(skill(), 1..=10).prop_map(|mut skills| {
        let mut known = BTreeSet::new();
        skills.retain(|skill| known.insert(skill.full_name()));
        let there: BTreeSet<_> = skills.iter().map(|skill| skill.id).collect();
        for skill in &mut skills {
            for parts in [&mut skill.composes, &mut skill.requires] {
                parts.retain_mut(|part| part.settle(&there));
            }
        }
        SampleRegistry(skills)
    })
}

impl SamplePart {
    /// Replaces most skills that do not exist by others of the same level.
    fn settle(&mut self, there: &BTreeSet<&'static str>) -> bool {
        let Some(level) = NAMES.iter().find(|names| names.contains(&self.skill)) else {
            return true;
        };
        if !there.contains(self.skill) {
            let others: Vec<_> = level.iter().filter(|it| there.contains(*it)).collect();
            match others.get(self.other % others.len().max(1)) {
                Some(other) => self.skill = other,
                None => return false,
            }
        }
        true
    }
}

fn skill() -> impl Strategy<Value = SampleSkill> {
    let home = prop_oneof![2 => Just(1_u8), 3 => Just(2), 3 => Just(3)];
    home.prop_flat_map(|home| {
        (
            (select(NAMES[usize::from(home) - 1]), select(&VERSIONS[..])),
            prop_oneof![12 => Just(home), 1 => 1_u8..=3],
            composes(home),
            requires(),
            deprecated(),
            prop::bool::weighted(0.1),
            prop::option::weighted(0.4, select(&["TRANSFORM", "READ", "WRITE"][..])),
            prop::option::weighted(0.4, effects()),
        )
    })
    .prop_map(
        |((id, version), level, composes, requires, deprecated, cached, operation, effects)| {
            SampleSkill {
                id,
                version,
                level,
                composes,
                requires,
                deprecated,
                cached,
                operation,
                effects,
            }
        },
    )
}

fn composes(home: u8) -> BoxedStrategy<Vec<SamplePart>> {
    let below: Vec<&'static str> = NAMES[..usize::from(home) - 1].concat();
    let version = prop::option::weighted(0.3, select(&RANGES[..]));
    let part = move |names: Vec<&'static str>| {
        (select(names), version.clone(), 0_usize..6).prop_map(|(skill, version, other)| {
            SamplePart {
                skill,
                version,
                other,
            }
        })
    };
    let anywhere = NAMES.concat();
    let stray = prop::collection::vec(part(anywhere), 0..=1);
    let strays = prop_oneof![8 => Just(Vec::new()), 1 => stray];
    if below.is_empty() {
        return strays.boxed();
    }
    let usual = prop_oneof![
        20 => part(below),
        1 => part(vec![CARD]),
        1 => part(vec!["ghost"]),
    ];
    let most = if home == 3 { 5 } else { 3 };
    let usual = prop_oneof![
        1 => Just(Vec::new()),
        15 => prop::collection::vec(usual, 1..=most),
    ];
    (usual, strays)
        .prop_map(|(usual, strays)| [usual, strays].concat())
        .boxed()
}

/// Requirements on parts, on parts of parts, and on unrelated skills.
fn requires() -> impl Strategy<Value = Vec<SamplePart>> {
    let one = (select(NAMES.concat()), select(&RANGES[..]), 0_usize..6);
    let one = one.prop_map(|(skill, range, other)| SamplePart {
        skill,
        version: Some(range),
        other,
    });
    prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec(one, 1..=2)]
}

/// The third date is the day of the check, on which the skill still exists.
fn deprecated() -> impl Strategy<Value = Option<Deprecated>> {
    let days = ["2026-11-15", "2027-06-30", "2026-11-16"];
    let sunset = prop::option::of(select(days.to_vec()));
    prop::option::weighted(0.15, sunset.prop_map(|sunset| Deprecated { sunset }))
}

fn effects() -> impl Strategy<Value = Vec<&'static str>> {
    let all = vec!["Fail", "Mutate", "Network", "Query"];
    prop::sample::subsequence(all, 0..=4)
}
