//! `capstan setup`: prints the configuration that makes an MCP client start Capstan, or merges it into the client's
//! own file. With `--skill`, installs an Agent Skill that makes an agent use Capstan through its shell.

mod change;
mod client_folders;
mod clients;
mod existing;
mod merge;
mod skill;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use change::{diff_text, read_if_exists, replace};
use client_folders::ClientFolders;
use clients::{Client, SetupScope};
use existing::Merged;
use merge::LaunchCommand;
use skill::AgentSkill;

/// Set up a client to use Capstan
#[derive(Debug, Args)]
#[command(after_help = "\
The token is never written to a file. For clients that clear the environment, the entry names the
variables to pass on.

Examples:
  capstan setup claude                          # print what to add, and to which file
  capstan setup claude --scope user --dry-run   # for all your projects: show the change
  capstan setup codex --dry-run
  capstan setup cursor --path my-mcp.json --dry-run
  capstan setup --skill claude                  # print the skill and the name of its file
  capstan setup --skill codex --scope project --dry-run

--write changes only Capstan's entry in the file. A skill has its own file, which --write
replaces only if Capstan wrote it.")]
pub(crate) struct SetupArgs {
    /// The client to set up
    client: Client,
    /// Install a short Agent Skill instead of the MCP server; the agent then uses Capstan through its shell
    #[arg(long)]
    skill: bool,
    /// For this project or for all your projects [default: the usual one of the client]
    #[arg(long, value_enum)]
    scope: Option<SetupScope>,
    /// Write the entry into the client's file, keeping everything else in it
    #[arg(long)]
    write: bool,
    /// Show the file and the change without writing
    #[arg(long)]
    dry_run: bool,
    /// Change this file instead of the client's usual one
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Start this binary by its full path instead of `capstan` on the client's PATH
    #[arg(long)]
    absolute: bool,
}

pub(crate) fn run(context: &Context, args: &SetupArgs) -> anyhow::Result<Exit> {
    let exe = std::env::current_exe().context("cannot find the path of this program")?;
    let here = std::env::current_dir().context("cannot find the current folder")?;
    let folders = ClientFolders::from_environment(&context.environment, here);
    let result = set_up(args, &context.global.flags(), &folders, &exe)?;
    let printer = context.printer();
    if context.global.json {
        printer.json(&result)?;
    } else {
        printer.line(result.text().trim_end());
    }
    Ok(Exit::Ok)
}

/// What `setup` did, or would do.
#[derive(Debug, Serialize)]
struct SetupResult {
    client: &'static str,
    /// `None` if `--path` names the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<SetupScope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    action: Action,
    /// The new content of the file; if it is only printed, what to add to the file.
    content: String,
    #[serde(skip)]
    before: String,
    /// What stays of an existing entry that changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<String>,
    /// What is replaced in an existing entry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<String>,
    /// What else the user has to do.
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

/// Prints, compares or writes the file of a client. `flags` are the global flags, which the entry repeats.
fn set_up(
    args: &SetupArgs,
    flags: &[String],
    folders: &ClientFolders,
    exe: &Path,
) -> anyhow::Result<SetupResult> {
    let program = if args.absolute {
        exe.to_str().with_context(|| {
            format!(
                "the path `{}` of this program is not valid Unicode: leave `--absolute` out",
                exe.display()
            )
        })?
    } else {
        "capstan"
    };
    if args.path.is_some() && !args.write && !args.dry_run {
        bail!("--path names the file to change: add --write, or --dry-run to see the change");
    }
    let client = args.client;
    let (scope, default_file) = default_file(args, folders)?;
    let file = match &args.path {
        Some(path) => Ok(folders.current_dir.join(path)),
        None => default_file,
    };
    let note = if args.skill {
        file.as_ref().ok().and_then(|file| skill::note(file))
    } else {
        client.note()
    };
    let merge = |existing: &str| merged(args, program, flags, folders, existing);
    let mut result = SetupResult {
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
        result.content = merge("")?.text;
        return Ok(result);
    }
    let file = file?;
    let before = read_if_exists(&file)?;
    let exists = before.is_some();
    result.before = before.unwrap_or_default();
    let merged =
        merge(&result.before).with_context(|| format!("`{}` was not changed", file.display()))?;
    result.content = merged.text;
    result.action = if exists && result.before == result.content {
        Action::Unchanged
    } else if args.dry_run {
        if exists {
            Action::WouldChange
        } else {
            Action::WouldCreate
        }
    } else if exists {
        Action::Changed
    } else {
        Action::Created
    };
    if result.action != Action::Unchanged {
        (result.kept, result.changed) = (merged.kept, merged.changed);
    }
    if matches!(result.action, Action::Changed | Action::Created) {
        replace(&file, &result.content)
            .with_context(|| format!("`{}` was not changed", file.display()))?;
    }
    Ok(result)
}

/// Returns the scope to use and its file. The file is an error if the home folder is unknown.
fn default_file(
    args: &SetupArgs,
    folders: &ClientFolders,
) -> anyhow::Result<(SetupScope, anyhow::Result<PathBuf>)> {
    let client = args.client;
    if !args.skill {
        let scope = client.scope(args.scope)?;
        return Ok((scope, client.file(scope, folders)));
    }
    let scope = client.skill_scope(args.scope);
    let Some(file) = client.skill_file(scope, folders) else {
        let name = client.name();
        bail!(
            "{name} reads no Agent Skills from files: use `capstan setup {name}` to set up the MCP server"
        );
    };
    Ok((scope, file))
}

/// Returns the new content of a file whose content is `existing`.
fn merged(
    args: &SetupArgs,
    program: &str,
    flags: &[String],
    folders: &ClientFolders,
    existing: &str,
) -> anyhow::Result<Merged> {
    let flags = flags.iter().cloned();
    if args.skill {
        let command: Vec<_> = [program.to_owned()].into_iter().chain(flags).collect();
        let skill = AgentSkill {
            command: &command,
            needs_view_flag: args.client.needs_view_flag(),
        };
        return skill.replace(existing);
    }
    let arguments: Vec<_> = flags.chain(["mcp".to_owned()]).collect();
    let launch = LaunchCommand {
        command: program,
        args: &arguments,
        variables: &folders.token_variables,
    };
    args.client.merge(existing, launch)
}

impl SetupResult {
    fn text(&self) -> String {
        let file = self.file.as_deref().unwrap_or("the client's configuration");
        let mut text = match self.action {
            Action::Print => format!("Add this to {file}, or use `--write`:\n\n{}", self.content),
            Action::WouldCreate => {
                format!(
                    "{file} would be created:\n{}",
                    diff_text(&self.before, &self.content)
                )
            }
            Action::WouldChange => {
                format!(
                    "{file} would change:\n{}",
                    diff_text(&self.before, &self.content)
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
