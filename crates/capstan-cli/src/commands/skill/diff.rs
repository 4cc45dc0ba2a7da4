//! `capstan skill diff`: what changed between two versions, and whether the version says so.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use capstan_core::Severity;
use capstan_skill::{Bump, Diff, Impact, Library, Shelf, Skill, diff, read_path};
use serde_json::{Value, json};

use crate::args::SkillDiffArgs;
use crate::commands::Context;
use crate::exit::Exit;
use crate::output::print_diagnostics;

pub(super) fn run(context: &Context, args: &SkillDiffArgs) -> anyhow::Result<Exit> {
    let old = skills(context, &args.old)?;
    let new = skills(context, &args.new)?;
    let pairs = pairs(&old, &new);
    if pairs.is_empty() {
        bail!(
            "`{}` and `{}` have no skill in common: expected the same `id` in both",
            args.old.display(),
            args.new.display()
        );
    }
    let mut enough = true;
    let mut told = Vec::new();
    let printer = context.printer();
    for (old, new) in pairs {
        let diff = diff(old, new);
        enough &= diff.is_enough();
        match printer.is_machine() {
            true => told.push(as_json(old, new, &diff)),
            false => printer.line(in_words(old, new, &diff)),
        }
    }
    if printer.is_machine() {
        printer.json(&json!({"ok": enough, "skills": told}))?;
    }
    Ok(match enough {
        true => Exit::Ok,
        false => Exit::Failed,
    })
}

/// Of a file or a folder; else of the name of a skill that is known.
fn skills(context: &Context, given: &Path) -> anyhow::Result<Vec<Arc<Skill>>> {
    if given.exists() {
        let read = read_path(given);
        print_diagnostics(&read.diagnostics, &context.redactor());
        if read
            .diagnostics
            .iter()
            .any(|it| it.severity == Severity::Error)
        {
            bail!("`{}` cannot be compared: it has mistakes", given.display());
        }
        return Ok(Library::new(read.skills).0.skills().to_vec());
    }
    let config = context.config()?;
    let paths = config.skills.iter().chain(&context.global.skills);
    let shelf = Shelf::new(paths.cloned().collect());
    let name = given.to_string_lossy();
    match shelf.library().named(&name) {
        Some(skill) => Ok(vec![Arc::clone(skill)]),
        None => bail!("`{name}` is no file, no folder and no skill: give a path, or NAME@VERSION"),
    }
}

/// Of each name the newest of both.
fn pairs<'a>(old: &'a [Arc<Skill>], new: &'a [Arc<Skill>]) -> Vec<(&'a Skill, &'a Skill)> {
    let newest = |all: &'a [Arc<Skill>], id: &str| -> Option<&'a Skill> {
        let same = all.iter().filter(|skill| skill.id.as_str() == id);
        same.max_by(|one, other| one.version.cmp(&other.version))
            .map(|skill| &**skill)
    };
    let mut ids: Vec<&str> = old.iter().map(|skill| skill.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let pair = |id: &&str| Some((newest(old, id)?, newest(new, id)?));
    ids.iter().filter_map(pair).collect()
}

fn as_json(old: &Skill, new: &Skill, diff: &Diff) -> Value {
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
    })
}

fn in_words(old: &Skill, new: &Skill, diff: &Diff) -> String {
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
