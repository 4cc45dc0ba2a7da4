//! `capstan skill lock`: which versions skills are made of, written down beside them.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use capstan_core::{Diagnostic, Severity};
use capstan_skill::{Library, Lock, LockChange, read_path};
use serde_json::{Value, json};

use crate::args::SkillLockArgs;
use crate::commands::Context;
use crate::commands::check::{parts_of, paths};
use crate::exit::Exit;
use crate::new_file;
use crate::output::{DIM, NAME, Printer, print_diagnostics};

pub(super) fn run(context: &Context, args: &SkillLockArgs) -> anyhow::Result<Exit> {
    context.start_logging();
    let config = context.config()?;
    if context.global.read_only && !args.check {
        bail!(
            "`skill lock` writes a file, and only reading is allowed: --check tells what it would write"
        );
    }
    let (given, beside) = paths(context, config, &args.paths, "lock")?;
    // Files of one folder have one lock.
    let mut by_lock: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in given {
        by_lock
            .entry(Lock::path_beside(&path))
            .or_default()
            .push(path);
    }
    let mut made = Vec::new();
    for (file, paths) in by_lock {
        match resolved(context, &paths, &beside)? {
            Ok(lock) => made.push((file, lock)),
            Err(wrong) => {
                print_diagnostics(&wrong, &context.redactor());
                return Ok(Exit::Failed);
            }
        }
    }
    // All are sound: only now something is written.
    let printer = context.printer();
    let mut told = Vec::new();
    let mut stale = false;
    for (file, lock) in made {
        let before = Lock::read_beside(&file);
        // One that cannot be read is replaced.
        let is_bad = before.is_err();
        let changes = lock.changes_from(&before.unwrap_or_default());
        let is_stale = is_bad || !changes.is_empty();
        stale |= is_stale;
        if !args.check && is_stale {
            new_file::replace(&file, &lock.text())
                .with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        if printer.is_machine() {
            told.push(as_json(&file, &lock, &changes));
        } else {
            show(&printer, &file, &lock, &changes);
        }
    }
    let ok = !(args.check && stale);
    if printer.is_machine() {
        printer.json(&json!({"ok": ok, "locks": told}))?;
    } else if !ok {
        printer.line("run `capstan skill lock` and keep what it writes");
    }
    Ok(if ok { Exit::Ok } else { Exit::Failed })
}

/// The newest versions that fit, as if nothing were written down; or what is wrong with the skills.
fn resolved(
    context: &Context,
    paths: &[PathBuf],
    beside: &[&PathBuf],
) -> anyhow::Result<Result<Lock, Vec<Diagnostic>>> {
    let mut wrong = Vec::new();
    let mut skills = Vec::new();
    for path in paths {
        let read = read_path(path);
        skills.extend(read.skills);
        wrong.extend(read.diagnostics);
    }
    let own: HashSet<_> = skills.iter().map(|skill| skill.full_name()).collect();
    let others = parts_of(&skills, beside, &HashSet::new());
    let others = others
        .into_iter()
        .filter(|it| !own.contains(&it.full_name()));
    skills.extend(others);
    let (library, twice) = Library::new(skills);
    wrong.extend(twice);
    wrong.extend(checked(context, &library)?);
    wrong.retain(|it| it.severity == Severity::Error);
    Ok(if wrong.is_empty() {
        Ok(Lock::from_library(&library).only(|name| own.contains(name)))
    } else {
        Err(wrong)
    })
}

fn checked(context: &Context, library: &Library) -> anyhow::Result<Vec<Diagnostic>> {
    context.with_engine(context.catalog()?, async |capstan| {
        capstan.skill_plans().check_skills(library).await
    })
}

fn show(printer: &Printer, file: &Path, lock: &Lock, changes: &[LockChange]) {
    for change in changes {
        let LockChange { skill, part, .. } = change;
        let version = |version: &Option<_>| match version {
            Some(version) => format!("{version}"),
            None => "nothing".to_owned(),
        };
        let (before, now) = (version(&change.before), version(&change.now));
        printer.line(format_args!(
            "{NAME}{skill}{NAME:#}  {part} {DIM}{before} →{DIM:#} {now}"
        ));
    }
    let skills = match lock.len() {
        1 => "1 skill is".to_owned(),
        count => format!("{count} skills are"),
    };
    printer.line(format_args!("{}: {skills} made of others", file.display()));
}

fn as_json(file: &Path, lock: &Lock, changes: &[LockChange]) -> Value {
    let version =
        |version: &Option<capstan_skill::Version>| version.as_ref().map(ToString::to_string);
    let changes: Vec<_> = changes
        .iter()
        .map(|it| {
            json!({
                "skill": it.skill,
                "part": it.part,
                "before": version(&it.before),
                "now": version(&it.now),
            })
        })
        .collect();
    json!({"file": file.display().to_string(), "skills": lock.len(), "changes": changes})
}
