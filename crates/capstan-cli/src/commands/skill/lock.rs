//! `capstan skill lock`: writes the versions of composed skills to lock files beside the skills.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use capstan_core::{Diagnostic, Severity};
use capstan_skill::{Library, Lock, LockChange, read_path};
use serde_json::{Value, json};

use crate::args::SkillLockArgs;
use crate::atomic_file;
use crate::commands::Context;
use crate::commands::check::{composed_skills, skill_paths};
use crate::exit::Exit;
use crate::output::{DIM, NAME, Printer, print_diagnostics};

pub(super) fn run(context: &Context, args: &SkillLockArgs) -> anyhow::Result<Exit> {
    context.start_logging();
    let config = context.config()?;
    if context.global.read_only && !args.check {
        bail!(
            "`skill lock` writes a file, which `--read-only` forbids: use --check to see what it would write"
        );
    }
    let (given, beside) = skill_paths(context, config, &args.paths, "lock")?;
    // All files of one folder share a lock file.
    let mut by_lock: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in given {
        by_lock
            .entry(Lock::path_beside(&path))
            .or_default()
            .push(path);
    }
    let mut made = Vec::new();
    for (file, paths) in by_lock {
        match resolve(context, &paths, &beside)? {
            Ok(lock) => made.push((file, lock)),
            Err(wrong) => {
                print_diagnostics(&wrong, &context.redactor());
                return Ok(Exit::Failed);
            }
        }
    }
    // Nothing is written unless all skills are free of errors.
    let printer = context.printer();
    let mut written = Vec::new();
    let mut stale = false;
    for (file, lock) in made {
        let before = Lock::read_beside(&file);
        // A lock file that cannot be read is replaced.
        let is_bad = before.is_err();
        let changes = lock.changes_from(&before.unwrap_or_default());
        let is_stale = is_bad || !changes.is_empty();
        stale |= is_stale;
        if !args.check && is_stale {
            atomic_file::replace(&file, &lock.text())
                .with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        if printer.is_for_programs() {
            written.push(to_json(&file, &lock, &changes));
        } else {
            print_lock(&printer, &file, &lock, &changes);
        }
    }
    let ok = !(args.check && stale);
    if printer.is_for_programs() {
        printer.json(&json!({"ok": ok, "locks": written}))?;
    } else if !ok {
        printer.line("the lock is not up to date: run `capstan skill lock` and commit the result");
    }
    Ok(if ok { Exit::Ok } else { Exit::Failed })
}

/// Returns the newest versions that satisfy the requirements, ignoring existing lock files; or the errors of the
/// skills.
fn resolve(
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
    let others = composed_skills(&skills, beside, &HashSet::new());
    skills.extend(
        others
            .into_iter()
            .filter(|it| !own.contains(&it.full_name())),
    );
    let (library, duplicates) = Library::new(skills);
    wrong.extend(duplicates);
    wrong.extend(check(context, &library)?);
    wrong.retain(|it| it.severity == Severity::Error);
    Ok(if wrong.is_empty() {
        Ok(Lock::from_library(&library).only(|name| own.contains(name)))
    } else {
        Err(wrong)
    })
}

fn check(context: &Context, library: &Library) -> anyhow::Result<Vec<Diagnostic>> {
    context.with_engine(context.catalog()?, async |capstan| {
        capstan.skill_plans().check_skills(library).await
    })
}

fn print_lock(printer: &Printer, file: &Path, lock: &Lock, changes: &[LockChange]) {
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
        1 => "1 skill".to_owned(),
        count => format!("{count} skills"),
    };
    printer.line(format_args!("{}: {skills} locked", file.display()));
}

fn to_json(file: &Path, lock: &Lock, changes: &[LockChange]) -> Value {
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
