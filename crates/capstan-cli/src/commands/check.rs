//! `capstan check`: finds errors in skills and cards without running them.

mod cards;
mod files;
mod report;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use capstan_core::{Diagnostic, Severity};
use capstan_skill::{Library, Lock, Skill, diagnose_empty_path, file_schema, read_path};

use super::Context;
use crate::args::{CheckArgs, CheckFormat};
use crate::config::Config;
use crate::exit::Exit;
use crate::output::Printer;
use files::{CheckedFiles, read_files};
use report::CheckReport;

/// The folder that is checked if no path is given or configured.
const DEFAULT_FOLDER: &str = "skills";

pub(crate) fn run(context: &Context, args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.schema {
        let printer = Printer::for_people(context.redactor());
        printer.pretty_json(&file_schema())?;
        return Ok(Exit::Ok);
    }
    context.start_logging();
    let config = context.config()?;
    let (paths, beside) = paths_to_check(context, config, &args.paths)?;
    let files = read_files(&paths);
    if files.names.is_empty() && files.diagnostics.is_empty() {
        let help = paths.iter().find_map(|it| diagnose_empty_path(it)?.help);
        let advice = help.map(|help| format!(": {help}")).unwrap_or_default();
        let names: Vec<_> = paths
            .iter()
            .map(|it| format!("`{}`", it.display()))
            .collect();
        bail!("there are no YAML files in {}{advice}", names.join(", "));
    }
    let mut report = CheckReport {
        skills: files.skills.len(),
        cards: files.cards.len(),
        files: files.names.len(),
        diagnostics: Vec::new(),
    };
    let (lock, bad_locks) = read_locks(paths.iter().chain(beside.iter().copied()));
    let mut found = check(context, config, files, &beside, lock, &args.github_schema)?;
    found.extend(bad_locks);
    if args.no_hints {
        found.retain(|it| it.severity != Severity::Hint);
    }
    report.diagnostics = sort_and_dedup(found);
    let format = args.format.unwrap_or(if context.global.json {
        CheckFormat::Json
    } else if std::io::stdout().is_terminal() {
        CheckFormat::Full
    } else {
        CheckFormat::Short
    });
    let sound = report.is_sound(args.deny_warnings);
    report.print(&context.printer(), &context.redactor(), format, sound)?;
    Ok(if sound { Exit::Ok } else { Exit::Failed })
}

/// Returns the paths to check and the paths beside them, as [`skill_paths`] does. If no path is given, the folders of
/// cards that the configuration and `--cards` name are checked too.
fn paths_to_check<'a>(
    context: &'a Context,
    config: &'a Config,
    given: &[PathBuf],
) -> anyhow::Result<(Vec<PathBuf>, Vec<&'a PathBuf>)> {
    let found = skill_paths(context, config, given, "check");
    let configured = config.cards.iter().chain(&config.found_cards);
    let folders: Vec<_> = configured.chain(&context.global.cards).cloned().collect();
    if !given.is_empty() || folders.is_empty() {
        return found;
    }
    let (mut paths, beside) = found.unwrap_or_default();
    paths.extend(folders);
    Ok((paths, beside))
}

/// Returns the paths that a command works on, and other paths that may hold skills which those are composed of.
///
/// The paths are the given ones, or those of the configuration and `--skills`, or the default folder. `verb` is
/// the command, for the error if there are no paths.
pub(super) fn skill_paths<'a>(
    context: &'a Context,
    config: &'a Config,
    given: &[PathBuf],
    verb: &str,
) -> anyhow::Result<(Vec<PathBuf>, Vec<&'a PathBuf>)> {
    let configured: Vec<_> = config.all_skills().chain(&context.global.skills).collect();
    if !given.is_empty() {
        return Ok((given.to_vec(), configured));
    }
    if !configured.is_empty() {
        return Ok((configured.into_iter().cloned().collect(), Vec::new()));
    }
    if Path::new(DEFAULT_FOLDER).is_dir() {
        return Ok((vec![PathBuf::from(DEFAULT_FOLDER)], Vec::new()));
    }
    bail!(
        "there is nothing to {verb}: no `./{DEFAULT_FOLDER}`, no `--skills` and no `skills = […]` in the \
         configuration; name files or folders, such as `my-skills`"
    )
}

/// Returns everything that is wrong with the files, and with the skills beside them that they are composed of.
fn check(
    context: &Context,
    config: &Config,
    files: CheckedFiles,
    beside: &[&PathBuf],
    lock: Lock,
    github_schema: &[PathBuf],
) -> anyhow::Result<Vec<Diagnostic>> {
    let (mut catalog, mut found) = context.catalog_with_diagnostics()?;
    found.extend(files.diagnostics);
    for file in &files.cards {
        catalog.insert(file.card.clone());
    }
    found.extend(cards::prove(&files.cards, &catalog, github_schema)?);
    let mut skills = composed_skills(&files.skills, beside, &files.names);
    skills.extend(files.skills);
    set_is_from_folder(&mut skills, context, config);
    let (unlocked, duplicates) = Library::new(skills);
    let library = unlocked.with_lock(lock);
    found.extend(duplicates);
    if library.skills().is_empty() {
        return Ok(found);
    }
    let in_skills = context.with_engine(catalog, async |capstan| {
        capstan.skill_plans().check_skills(&library).await
    })?;
    found.extend(in_skills);
    Ok(found)
}

/// Sets `is_from_folder` on the skills that only the `capstan.toml` of the current folder names. The user's own skills
/// must not be composed of them.
fn set_is_from_folder(skills: &mut [Skill], context: &Context, config: &Config) {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found: Vec<_> = config.found_skills.iter().map(|it| real(it)).collect();
    let named_by_user = config.skills.iter().chain(&context.global.skills);
    let own: Vec<_> = named_by_user.map(|it| real(it)).collect();
    for skill in skills {
        let file = real(Path::new(&skill.origin.source.name));
        let is_below = |paths: &[PathBuf]| paths.iter().any(|path| file.starts_with(path));
        skill.origin.is_from_folder = is_below(&found) && !is_below(&own);
    }
}

/// Reads the lock files beside the paths. Returns the locked versions, and what is wrong with the files.
fn read_locks<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> (Lock, Vec<Diagnostic>) {
    let mut lock = Lock::default();
    let mut wrong = Vec::new();
    let files: BTreeMap<_, _> = paths.map(|path| (Lock::path_beside(path), path)).collect();
    for path in files.into_values() {
        match Lock::read_beside(path) {
            Ok(beside) => lock.extend(beside),
            Err(error) => wrong.push(*error),
        }
    }
    (lock, wrong)
}

/// Returns the skills of `beside` that `skills` are composed of, directly or indirectly. CheckedFiles in `read` are
/// skipped.
pub(super) fn composed_skills(
    skills: &[Skill],
    beside: &[&PathBuf],
    read: &HashSet<PathBuf>,
) -> Vec<Skill> {
    let all = beside.iter().flat_map(|path| read_path(path).skills);
    let mut others: Vec<_> = all
        .filter(|it| {
            let file = Path::new(&it.origin.source.name).canonicalize();
            file.is_ok_and(|file| !read.contains(&file))
        })
        .collect();
    let mut wanted: HashSet<String> = HashSet::new();
    let want = |wanted: &mut HashSet<String>, skill: &Skill| {
        // A skill with the same id is included, so that the library reports the duplicate.
        wanted.insert(skill.id.to_string());
        wanted.extend(skill.composes.iter().map(|it| it.skill.value.clone()));
    };
    for skill in skills {
        want(&mut wanted, skill);
    }
    let mut parts: Vec<Skill> = Vec::new();
    loop {
        let is_wanted = |it: &mut Skill| wanted.contains(it.id.as_str());
        let more: Vec<_> = others.extract_if(.., is_wanted).collect();
        if more.is_empty() {
            return parts;
        }
        for skill in &more {
            want(&mut wanted, skill);
        }
        parts.extend(more);
    }
}

/// Sorts diagnostics by file, position and severity, and removes duplicates: several paths may lead to one file.
fn sort_and_dedup(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |it: &Diagnostic| (it.source.name.clone(), it.span.map(|span| span.start));
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((place(it), it.code, it.message.clone())));
    found.sort_by_cached_key(|it| (place(it), Reverse(it.severity), it.code));
    found
}
