//! `capstan setup`: the configuration that makes an MCP client start Capstan, printed or merged
//! into the client's own file; or a skill that makes an agent use Capstan through its shell.

mod change;
mod clients;
mod existing;
mod merge;
mod places;
mod skill;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use change::{read, show, write};
use clients::{Client, Scope};
use existing::Merged;
use merge::Launch;
use places::Places;
use skill::Skill;

/// Which client, and what to do with its configuration.
#[derive(Debug, Args)]
#[command(after_help = "\
The token is never written down: clients that clear the environment are told which variables to pass on.

Examples:
  capstan setup claude                          # print what to add, and where
  capstan setup claude --scope user --dry-run   # for all your projects: show what would change
  capstan setup codex --dry-run
  capstan setup cursor --path my-mcp.json --dry-run
  capstan setup --skill claude                  # print the skill, and where it goes
  capstan setup --skill codex --scope project --dry-run

With --write the file is changed; everything else in it stays as it is. A skill is a file of its own:
--write replaces it if Capstan wrote it, and refuses if somebody else did.")]
pub(crate) struct SetupArgs {
    /// The client to set up
    client: Client,
    /// Install a short Agent Skill instead of the MCP server: the agent uses Capstan through its shell
    #[arg(long)]
    skill: bool,
    /// For this project or for all of yours; without it, the first that the client has of both
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Write the configuration into the client's file, keeping everything else in it
    #[arg(long)]
    write: bool,
    /// Show the file and the change without writing
    #[arg(long)]
    dry_run: bool,
    /// Another file than the client's usual one
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Name this binary by its full path instead of finding `capstan` on the client's PATH
    #[arg(long)]
    absolute: bool,
}

pub(crate) fn run(context: &Context, args: &SetupArgs) -> anyhow::Result<Exit> {
    let exe = std::env::current_exe().context("cannot tell where capstan is")?;
    let here = std::env::current_dir().context("cannot tell which folder this is")?;
    let places = Places::of(&context.environment, here);
    let done = set_up(args, &context.global.flags(), &places, &exe)?;
    let printer = context.printer();
    if context.global.json {
        printer.json(&done)?;
    } else {
        printer.line(done.text().trim_end());
    }
    Ok(Exit::Ok)
}

/// What was done, or is to be done.
#[derive(Debug, Serialize)]
struct Done {
    client: &'static str,
    /// Nothing where another file was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Scope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    action: Action,
    /// What stands in the file then; printed alone, what to add to it.
    content: String,
    #[serde(skip)]
    before: String,
    /// What stays of an entry that is there already, where something else of it changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<String>,
    /// What is replaced in an entry that is there already.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<String>,
    /// What the user has to do beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Print,
    WouldCreate,
    WouldChange,
    Unchanged,
    Created,
    Changed,
}

/// `flags` are the global ones, which the server and the commands of the skill shall have too.
fn set_up(args: &SetupArgs, flags: &[String], places: &Places, exe: &Path) -> anyhow::Result<Done> {
    let program = if args.absolute {
        exe.to_str()
            .with_context(|| format!("{} cannot be written as text", exe.display()))?
    } else {
        "capstan"
    };
    if args.path.is_some() && !args.write && !args.dry_run {
        bail!("--path says which file to change: add --write, or --dry-run to see the change");
    }
    let client = args.client;
    let (scope, usual_file) = usual_file(args, places)?;
    let file = match &args.path {
        Some(path) => Ok(places.current_dir.join(path)),
        None => usual_file,
    };
    let note = if args.skill {
        file.as_ref().ok().and_then(|file| skill::note(file))
    } else {
        client.note()
    };
    let merge = |existing: &str| merged(args, program, flags, places, existing);
    let mut done = Done {
        client: client.name(),
        scope: args.path.is_none().then_some(scope),
        file: file.as_ref().ok().map(|file| file.display().to_string()),
        action: Action::Print,
        content: String::new(),
        before: String::new(),
        kept: Vec::new(),
        changed: Vec::new(),
        note,
    };
    if !args.write && !args.dry_run {
        done.content = merge("")?.text;
        return Ok(done);
    }
    let file = file?;
    let before = read(&file)?;
    let exists = before.is_some();
    done.before = before.unwrap_or_default();
    let merged =
        merge(&done.before).with_context(|| format!("{} was left as it is", file.display()))?;
    done.content = merged.text;
    done.action = match (exists && done.before == done.content, args.dry_run, exists) {
        (true, _, _) => Action::Unchanged,
        (false, true, true) => Action::WouldChange,
        (false, true, false) => Action::WouldCreate,
        (false, false, true) => Action::Changed,
        (false, false, false) => Action::Created,
    };
    if done.action != Action::Unchanged {
        (done.kept, done.changed) = (merged.kept, merged.changed);
    }
    if matches!(done.action, Action::Changed | Action::Created) {
        write(&file, &done.content)
            .with_context(|| format!("{} was left as it is", file.display()))?;
    }
    Ok(done)
}

/// The scope that is meant, and its file, if the home folder is known.
fn usual_file(
    args: &SetupArgs,
    places: &Places,
) -> anyhow::Result<(Scope, anyhow::Result<PathBuf>)> {
    let client = args.client;
    if !args.skill {
        let scope = client.scope(args.scope)?;
        return Ok((scope, client.file(scope, places)));
    }
    let scope = client.skill_scope(args.scope);
    let Some(file) = client.skill_file(scope, places) else {
        let name = client.name();
        bail!(
            "{name} reads no Agent Skills from files: `capstan setup {name}` sets up the MCP server"
        );
    };
    Ok((scope, file))
}

/// What the file holds then, if it holds `existing` now.
fn merged(
    args: &SetupArgs,
    program: &str,
    flags: &[String],
    places: &Places,
    existing: &str,
) -> anyhow::Result<Merged> {
    let flags = flags.iter().cloned();
    if args.skill {
        let command: Vec<_> = [program.to_owned()].into_iter().chain(flags).collect();
        let skill = Skill {
            command: &command,
            asks_for_view: args.client.needs_view_flag(),
        };
        return skill.replace(existing);
    }
    let arguments: Vec<_> = flags.chain(["mcp".to_owned()]).collect();
    let launch = Launch {
        command: program,
        args: &arguments,
        variables: &places.token_variables,
    };
    args.client.merge(existing, launch)
}

impl Done {
    fn text(&self) -> String {
        let file = self.file.as_deref().unwrap_or("the client's configuration");
        let mut text = match self.action {
            Action::Print => format!(
                "Put this into {file}, or let `--write` do it:\n\n{}",
                self.content
            ),
            Action::WouldCreate => {
                format!(
                    "{file} would be created:\n{}",
                    show(&self.before, &self.content)
                )
            }
            Action::WouldChange => {
                format!(
                    "{file} would change:\n{}",
                    show(&self.before, &self.content)
                )
            }
            Action::Unchanged => format!("{file} is set up already.\n"),
            Action::Created => format!("{file} created. Restart the client to use it.\n"),
            Action::Changed => format!("{file} changed. Restart the client to use it.\n"),
        };
        for what in &self.changed {
            text.push_str(&format!("changed: {what}\n"));
        }
        for what in &self.kept {
            text.push_str(&format!("kept: {what}\n"));
        }
        if let Some(note) = self.note {
            text.push_str(&format!("\n{note}\n"));
        }
        text
    }
}
