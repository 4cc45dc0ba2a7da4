//! The words of `cap`.

use std::path::PathBuf;

use capstan_core::code::Visibility;
use clap::{Args, Subcommand};

use super::values::visibilities;

/// What is done with remembered code, beside calling it.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
NAME is a name, an alias, a full name (with or without its hash) or an id.

Examples:
  capstan cap name NAME triage-report
  capstan cap list 'triage*'
  capstan cap export > capabilities.json

Exit codes: 0 ok, 1 failed, 2 wrong usage or input")]
pub(crate) enum CapCommand {
    /// List the code that is remembered
    List(CapListArgs),
    /// Show the code, its parameters, how it was used and what became of it
    Show(CapShowArgs),
    /// Name code that has no name yet
    Name(CapNameArgs),
    /// Give another name; the old one stays as an alias
    Rename(CapNameArgs),
    /// Give a further name
    Alias(CapAliasArgs),
    /// Say who may see and call it
    Share(CapShareArgs),
    /// Tell what a name means
    Lookup(CapLookupArgs),
    /// Join two that call the same things
    Merge(CapMergeArgs),
    /// Forget it
    Delete(CapDeleteArgs),
    /// Print what can be imported elsewhere, as JSON
    Export(CapExportArgs),
    /// Take over what was exported; all of it or nothing
    Import(CapImportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CapListArgs {
    /// Only names, aliases and full names like this, with * and ?
    pub glob: Option<String>,
    /// Only those of a namespace, such as issue
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// Only those that so many may see
    #[arg(long, value_parser = visibilities())]
    pub visibility: Option<Visibility>,
    /// Only those that call this capability
    #[arg(long, value_name = "ID")]
    pub calls: Option<String>,
    /// Only those that were given a name
    #[arg(long, conflicts_with = "unnamed")]
    pub named: bool,
    /// Only those that were given none
    #[arg(long)]
    pub unnamed: bool,
    /// How many at most
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// How many to leave out at the beginning
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct CapShowArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapNameArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
    /// The name to give: letters, digits, `_`, `-` and `:`
    pub new: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapAliasArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
    /// The further name: letters, digits, `_`, `-` and `:`
    pub alias: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapShareArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
    /// Who: its owner, the project, the organisation, everyone
    #[arg(value_parser = visibilities())]
    pub visibility: Visibility,
}

#[derive(Debug, Args)]
pub(crate) struct CapLookupArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapMergeArgs {
    /// The one that goes, by any of its names, which become aliases
    pub from: String,
    /// The one that stays
    pub into: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapDeleteArgs {
    /// Its name, an alias, its full name or its id
    pub name: String,
    /// Do not ask
    #[arg(short = 'y', long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CapExportArgs {
    /// Only names, aliases and full names like this, with * and ?
    pub glob: Option<String>,
    /// Write a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if there is one
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CapImportArgs {
    /// What `cap export` printed; `-` reads it from standard input
    #[arg(value_name = "FILE|-")]
    pub file: String,
}
