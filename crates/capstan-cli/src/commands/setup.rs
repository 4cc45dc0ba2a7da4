//! `capstan setup`: the configuration that makes an MCP client start Capstan, printed or merged
//! into the client's own file.

mod change;
mod merge;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::Context;
use crate::exit::Exit;
use change::{read, show, write};
use merge::Launch;

/// Which client, and what to do with its configuration.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan setup claude                 print what to add, and where
  capstan setup cursor --dry-run       show what would change
  capstan setup codex --write          change the file")]
pub(crate) struct SetupArgs {
    /// The client to set up
    client: Client,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Client {
    /// Claude Code: .mcp.json in this folder
    Claude,
    /// Cursor: .cursor/mcp.json in this folder
    Cursor,
    /// Codex: ~/.codex/config.toml
    Codex,
    /// VS Code: .vscode/mcp.json in this folder
    #[value(name = "vscode")]
    VsCode,
}

pub(crate) fn run(context: &Context, args: &SetupArgs) -> anyhow::Result<Exit> {
    let exe = std::env::current_exe().context("cannot tell where capstan is")?;
    let here = std::env::current_dir().context("cannot tell which folder this is")?;
    let home = context.environment.home.clone();
    let mut said = Vec::new();
    let done = set_up(args, &context.global.flags(), home, &here, &exe, &mut said);
    if !said.is_empty() {
        context
            .printer()
            .line(String::from_utf8_lossy(&said).trim_end());
    }
    done.map(|()| Exit::Ok)
}

/// `flags` are the global ones, which the server shall have too.
fn set_up(
    args: &SetupArgs,
    flags: &[String],
    home: Option<PathBuf>,
    current_dir: &Path,
    exe: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let command = if args.absolute {
        exe.to_str()
            .with_context(|| format!("{} cannot be written as text", exe.display()))?
    } else {
        "capstan"
    };
    let arguments: Vec<String> = flags.iter().cloned().chain(["mcp".to_owned()]).collect();
    let launch = Launch {
        command,
        args: &arguments,
    };
    if args.path.is_some() && !args.write && !args.dry_run {
        bail!("--path says which file to change: add --write, or --dry-run to see the change");
    }
    let file = match &args.path {
        Some(path) => Ok(current_dir.join(path)),
        None => args.client.file(home, current_dir),
    };
    if !args.write && !args.dry_run {
        return print(args.client, file.ok().as_deref(), launch, out);
    }
    let file = file?;
    let before = read(&file)?;
    let after = args
        .client
        .merge(before.as_deref().unwrap_or_default(), launch)
        .with_context(|| format!("{} was left as it is", file.display()))?;
    if before.as_deref() == Some(after.as_str()) {
        writeln!(out, "{} is set up already.", file.display())?;
        return Ok(());
    }
    if args.dry_run {
        let what = before
            .as_ref()
            .map_or("would be created", |_| "would change");
        writeln!(out, "{} {what}:", file.display())?;
        return show(before.as_deref().unwrap_or_default(), &after, out);
    }
    write(&file, &after).with_context(|| format!("{} was left as it is", file.display()))?;
    let what = before.map_or("created", |_| "changed");
    writeln!(
        out,
        "{} {what}. Restart the client to use it.",
        file.display()
    )?;
    Ok(())
}

impl Client {
    fn file(self, home: Option<PathBuf>, current_dir: &Path) -> anyhow::Result<PathBuf> {
        Ok(match self {
            Client::Claude => current_dir.join(".mcp.json"),
            Client::Cursor => current_dir.join(".cursor").join("mcp.json"),
            Client::VsCode => current_dir.join(".vscode").join("mcp.json"),
            Client::Codex => home
                .context("the home folder is not known: say which file with --path")?
                .join(".codex")
                .join("config.toml"),
        })
    }

    /// The text of the client's file with Capstan in it.
    fn merge(self, text: &str, launch: Launch<'_>) -> anyhow::Result<String> {
        match self {
            Client::Claude | Client::Cursor => merge::json(text, "mcpServers", false, launch),
            Client::VsCode => merge::json(text, "servers", true, launch),
            Client::Codex => merge::toml(text, launch),
        }
    }
}

fn print(
    client: Client,
    file: Option<&Path>,
    launch: Launch<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let file = file.map_or_else(
        || "the client's configuration".to_owned(),
        |file| file.display().to_string(),
    );
    writeln!(out, "Put this into {file}, or let `--write` do it:\n")?;
    write!(out, "{}", client.merge("", launch)?)?;
    Ok(())
}
