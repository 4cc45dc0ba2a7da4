//! `capstan skill diff`: shows what changed between two versions of skills, and whether the version number was
//! raised enough.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use capstan_core::{Diagnostic, Severity};
use capstan_skill::{
    Bump, ComparedSkill, Contract, Diff, Impact, Library, Skill, SkillFolders, diff, read_path,
};
use serde_json::{Value, json};

use crate::args::SkillDiffArgs;
use crate::commands::Context;
use crate::commands::check::composed_skills;
use crate::exit::Exit;
use crate::output::{print_diagnostics, wrapped};

pub(super) fn run(context: &Context, args: &SkillDiffArgs) -> anyhow::Result<Exit> {
    let mut old = DiffSide::load(context, &args.old)?;
    let mut new = DiffSide::load(context, &args.new)?;
    infer_contracts(context, [&mut old, &mut new])?;
    let pairs = pairs(&old, &new);
    if pairs.is_empty() {
        bail!(
            "`{}` and `{}` have no skill in common: expected the same `id` in both",
            args.old.display(),
            args.new.display()
        );
    }
    let mut is_enough = true;
    let mut compared = Vec::new();
    let printer = context.printer();
    for (old, new) in pairs {
        let diff = diff(old, new);
        is_enough &= diff.is_enough();
        if printer.is_for_programs() {
            compared.push(to_json(old.skill, new.skill, &diff));
        } else {
            printer.line(to_text(old.skill, new.skill, &diff));
        }
    }
    let (removed, added) = (only_in(&old, &new), only_in(&new, &old));
    // No version number announces a removal, which breaks every skill that uses the removed one.
    is_enough &= removed.is_empty();
    if printer.is_for_programs() {
        let all = json!({"ok": is_enough, "skills": compared, "removed": removed, "added": added});
        printer.json(&all)?;
    } else {
        for (ids, impact, change) in [
            (&removed, "breaking", "removed"),
            (&added, "compatible", "added"),
        ] {
            for id in ids {
                printer.line(format_args!("{id}\n  {impact:<10}  it was {change}"));
            }
        }
    }
    Ok(if is_enough { Exit::Ok } else { Exit::Failed })
}

/// The skills of one side of the comparison, with the skills that they may be composed of.
struct DiffSide {
    library: Library,
    /// The skills of the library that are compared.
    compared: Vec<Arc<Skill>>,
    /// Inferred contracts, by index in the library. Empty if all compared skills declare theirs.
    contracts: Vec<Option<Contract>>,
}

impl DiffSide {
    /// Loads a file or a folder. If there is none, loads the configured skill of this name.
    fn load(context: &Context, given: &Path) -> anyhow::Result<Self> {
        let config = context.config()?;
        let known: Vec<_> = config.all_skills().chain(&context.global.skills).collect();
        if !given.exists() {
            let folders = SkillFolders::new(known.into_iter().cloned().collect());
            let name = given.to_string_lossy();
            let Some(skill) = folders.library().find(&name) else {
                bail!(
                    "`{name}` is not a file, a folder or a skill: expected a path, or NAME@VERSION"
                );
            };
            return Ok(Self {
                compared: vec![Arc::clone(skill)],
                library: folders.library().closure(skill.id.as_str()),
                contracts: Vec::new(),
            });
        }
        let read = read_path(given);
        print_diagnostics(&read.diagnostics, &context.redactor());
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        if read.diagnostics.iter().any(is_error) {
            bail!(
                "`{}` cannot be compared: fix its errors first",
                given.display()
            );
        }
        let ids: HashSet<_> = read.skills.iter().map(|it| it.id.clone()).collect();
        let mut skills = read.skills;
        let beside = composed_skills(&skills, &known, &HashSet::new());
        // The skills of this path take precedence over others with the same id.
        skills.extend(beside.into_iter().filter(|it| !ids.contains(&it.id)));
        let library = Library::new(skills).0;
        let compared = library.skills().iter().filter(|it| ids.contains(&it.id));
        Ok(Self {
            compared: compared.cloned().collect(),
            library,
            contracts: Vec::new(),
        })
    }

    /// Returns the newest version of a skill.
    fn newest(&self, id: &str) -> Option<ComparedSkill<'_>> {
        let same = self.compared.iter().filter(|skill| skill.id.as_str() == id);
        let skill = same.max_by(|one, other| one.version.cmp(&other.version))?;
        let all = self.library.skills();
        let place = all.iter().position(|it| Arc::ptr_eq(it, skill));
        let contract = place.and_then(|place| self.contracts.get(place)?.as_ref());
        Some(ComparedSkill { skill, contract })
    }
}

/// Infers the schemas that skills do not declare from the skills and cards that they are composed of. Starts an
/// engine only if a schema is missing.
fn infer_contracts(context: &Context, sides: [&mut DiffSide; 2]) -> anyhow::Result<()> {
    let states = |it: &Arc<Skill>| it.input_schema.is_some() && it.output_schema.is_some();
    if sides.iter().all(|side| side.compared.iter().all(states)) {
        return Ok(());
    }
    context.with_engine(context.catalog()?, async |capstan| {
        for side in sides {
            side.contracts = capstan.skill_plans().skill_contracts(&side.library).await;
        }
    })
}

/// Returns the newest version on both sides of each skill that both sides have.
fn pairs<'a>(old: &'a DiffSide, new: &'a DiffSide) -> Vec<(ComparedSkill<'a>, ComparedSkill<'a>)> {
    let mut ids: Vec<&str> = old.compared.iter().map(|it| it.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let pair = |id: &&str| Some((old.newest(id)?, new.newest(id)?));
    ids.iter().filter_map(pair).collect()
}

/// Returns the ids of the skills that only `side` has.
fn only_in<'a>(side: &'a DiffSide, other: &DiffSide) -> Vec<&'a str> {
    let has = |id: &str| other.compared.iter().any(|it| it.id.as_str() == id);
    let all = side.compared.iter().map(|it| it.id.as_str());
    let mut ids: Vec<_> = all.filter(|id| !has(id)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn to_json(old: &Skill, new: &Skill, diff: &Diff) -> Value {
    let changes: Vec<_> = diff
        .changes
        .iter()
        .map(|it| {
            json!({
                "part": it.part.as_str(),
                "path": it.path,
                "impact": it.impact.as_str(),
                "message": it.message,
            })
        })
        .collect();
    json!({
        "id": old.id.as_str(),
        "old": old.version.to_string(),
        "new": new.version.to_string(),
        "due": diff.due.as_str(),
        "declared": diff.declared.map(Bump::as_str),
        "enough": diff.is_enough(),
        "next": old.version.raised(diff.due).to_string(),
        "changes": changes,
        "notes": diff.notes,
    })
}

fn to_text(old: &Skill, new: &Skill, diff: &Diff) -> String {
    let mut lines = vec![format!("{} {} → {}", old.id, old.version, new.version)];
    if diff.is_empty() {
        lines.push("  nothing changed".to_owned());
    }
    for change in &diff.changes {
        let mark = match change.impact {
            Impact::Breaking => "breaking",
            Impact::Compatible => "compatible",
            Impact::Internal => "internal",
        };
        lines.push(format!("  {mark:<10}  {}", change.message));
    }
    for note in &diff.notes {
        let before = format!("  {:<10}  ", "note");
        lines.push(format!("{before}{}", wrapped(note, before.len())));
    }
    let next = old.version.raised(diff.due);
    lines.push(match (diff.is_enough(), diff.due) {
        (true, Bump::None) => "  no new version is due".to_owned(),
        (true, due) => format!(
            "  a {} version is due, and {} is one",
            due.as_str(),
            new.version
        ),
        (false, due) => format!(
            "  a {} version is due: expected at least {next}, not {}",
            due.as_str(),
            new.version
        ),
    });
    lines.join("\n")
}
