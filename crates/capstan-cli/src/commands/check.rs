//! `capstan check`: finds what is wrong with skills and cards, before anything runs.

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
use files::{Files, gather};
use report::Report;

/// Where skills are when nobody says where.
const USUAL_FOLDER: &str = "skills";

pub(crate) fn run(context: &Context, args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.schema {
        let printer = Printer::for_people(context.redactor());
        printer.pretty_json(&file_schema())?;
        return Ok(Exit::Ok);
    }
    context.start_logging();
    let config = context.config()?;
    let (paths, beside) = what_to_check(context, config, &args.paths)?;
    let files = gather(&paths);
    if files.names.is_empty() && files.diagnostics.is_empty() {
        let help = paths.iter().find_map(|it| diagnose_empty_path(it)?.help);
        let help = help.map(|help| format!(": {help}")).unwrap_or_default();
        let paths: Vec<_> = paths
            .iter()
            .map(|it| format!("`{}`", it.display()))
            .collect();
        bail!("there are no YAML files in {}{help}", paths.join(", "));
    }
    let mut report = Report {
        skills: files.skills.len(),
        cards: files.cards.len(),
        files: files.names.len(),
        diagnostics: Vec::new(),
    };
    let (lock, bad_locks) = locks(paths.iter().chain(beside.iter().copied()));
    let mut found = check(context, config, files, &beside, lock, &args.github_schema)?;
    found.extend(bad_locks);
    if args.no_hints {
        found.retain(|it| it.severity != Severity::Hint);
    }
    report.diagnostics = in_order(found);
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

/// As [`paths`]; without given paths the folders of cards that are configured or named, too.
fn what_to_check<'a>(
    context: &'a Context,
    config: &'a Config,
    given: &[PathBuf],
) -> anyhow::Result<(Vec<PathBuf>, Vec<&'a PathBuf>)> {
    let found = paths(context, config, given, "check");
    let folders = config.cards.iter().chain(&config.found_cards);
    let folders: Vec<_> = folders.chain(&context.global.cards).cloned().collect();
    if !given.is_empty() || folders.is_empty() {
        return found;
    }
    let (mut paths, beside) = found.unwrap_or_default();
    paths.extend(folders);
    Ok((paths, beside))
}

/// What a command is about: the paths that were given, else those of the configuration, else the usual
/// folder; and paths beside them where parts may be.
pub(super) fn paths<'a>(
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
    if Path::new(USUAL_FOLDER).is_dir() {
        return Ok((vec![PathBuf::from(USUAL_FOLDER)], Vec::new()));
    }
    bail!(
        "there is nothing to {verb}: no `./{USUAL_FOLDER}`, no `--skills` and no `skills = […]` in the \
         configuration; give files or folders, such as `my-skills`"
    )
}

/// Everything that is wrong with the files, and with the skills beside them that they are made of.
fn check(
    context: &Context,
    config: &Config,
    files: Files,
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
    let mut skills = parts_of(&files.skills, beside, &files.names);
    skills.extend(files.skills);
    mark_found(&mut skills, context, config);
    let (library, twice) = Library::new(skills);
    let library = library.with_lock(lock);
    found.extend(twice);
    if library.skills().is_empty() {
        return Ok(found);
    }
    let of_skills = context.with_engine(catalog, async |capstan| {
        capstan.skill_plans().check_skills(&library).await
    })?;
    found.extend(of_skills);
    Ok(found)
}

/// Marks the skills that only the configuration of the current folder asks for: the user's own are not made of
/// them.
fn mark_found(skills: &mut [Skill], context: &Context, config: &Config) {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found: Vec<_> = config.found_skills.iter().map(|it| real(it)).collect();
    let own = config.skills.iter().chain(&context.global.skills);
    let own: Vec<_> = own.map(|it| real(it)).collect();
    for skill in skills {
        let file = real(Path::new(&skill.origin.source.name));
        let is_below = |paths: &[PathBuf]| paths.iter().any(|path| file.starts_with(path));
        skill.origin.is_found = is_below(&found) && !is_below(&own);
    }
}

/// The versions that were written down beside paths, and what is wrong with where they were.
fn locks<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> (Lock, Vec<Diagnostic>) {
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

/// What skills are made of, however indirectly, among the skills of other paths.
pub(super) fn parts_of(
    skills: &[Skill],
    beside: &[&PathBuf],
    read: &HashSet<PathBuf>,
) -> Vec<Skill> {
    let others = beside.iter().flat_map(|path| read_path(path).skills);
    let mut others: Vec<_> = others
        .filter(|it| {
            let file = Path::new(&it.origin.source.name).canonicalize();
            file.is_ok_and(|file| !read.contains(&file))
        })
        .collect();
    let mut wanted: HashSet<String> = HashSet::new();
    let want = |wanted: &mut HashSet<String>, skill: &Skill| {
        // One of the same name is told as there twice.
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

/// By file and place, the worst first, each once: a folder may be named in several ways.
fn in_order(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |it: &Diagnostic| (it.source.name.clone(), it.span.map(|span| span.start));
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((place(it), it.code, it.message.clone())));
    found.sort_by_cached_key(|it| (place(it), Reverse(it.severity), it.code));
    found
}
