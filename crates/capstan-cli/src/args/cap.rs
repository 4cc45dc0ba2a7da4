//! Arguments of `capstan cap`.

use std::path::PathBuf;

use capstan_core::code::Visibility;
use clap::{Args, Subcommand};

use super::values::visibility_parser;

/// Manage remembered code
#[derive(Debug, Subcommand)]
#[command(after_help = "\
NAME is a name, an alias, a full name (with or without its hash) or an id of remembered code.

Examples:
  capstan cap name NAME triage-report
  capstan cap list 'triage*'
  capstan cap export > capabilities.json

Exit codes: 0 ok, 1 failed, 2 wrong usage or input")]
pub(crate) enum CapCommand {
    /// List remembered code
    List(CapListArgs),
    /// Show the code, its parameters, its usage and its history
    Show(CapShowArgs),
    /// Name code that has no name yet
    Name(CapNameArgs),
    /// Change the name; the old name becomes an alias
    Rename(CapNameArgs),
    /// Add another name
    Alias(CapAliasArgs),
    /// Set who may see and call it
    Share(CapShareArgs),
    /// Show which code a name refers to
    Lookup(CapLookupArgs),
    /// Merge two pieces of code that call the same capabilities
    Merge(CapMergeArgs),
    /// Delete it with its names and statistics
    Delete(CapDeleteArgs),
    /// Export as JSON, to import elsewhere
    Export(CapExportArgs),
    /// Import an export, all of it or nothing
    Import(CapImportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CapListArgs {
    /// Select names, aliases and full names that match this pattern (* and ?)
    pub glob: Option<String>,
    /// List only this namespace, such as issue
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// List only code with this visibility
    #[arg(long, value_parser = visibility_parser())]
    pub visibility: Option<Visibility>,
    /// List only code that calls this capability
    #[arg(long, value_name = "ID")]
    pub calls: Option<String>,
    /// List only code that has a name
    #[arg(long, conflicts_with = "unnamed")]
    pub named: bool,
    /// List only code that has no name
    #[arg(long)]
    pub unnamed: bool,
    /// Maximum number of results
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Number of results to skip
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct CapShowArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapNameArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
    /// The new name: letters, digits, `_`, `-` and `:`
    pub new: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapAliasArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
    /// The alias: letters, digits, `_`, `-` and `:`
    pub alias: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapShareArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
    /// Who may see and call it: its owner, the project, the organisation, everyone
    #[arg(value_parser = visibility_parser())]
    pub visibility: Visibility,
}

#[derive(Debug, Args)]
pub(crate) struct CapLookupArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapMergeArgs {
    /// The code to remove; its names become aliases of the other
    pub from: String,
    /// The code to keep
    pub into: String,
}

#[derive(Debug, Args)]
pub(crate) struct CapDeleteArgs {
    /// The code: a name, an alias, a full name or an id
    pub name: String,
    /// Delete without asking
    #[arg(short = 'y', long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CapExportArgs {
    /// Select names, aliases and full names that match this pattern (* and ?)
    pub glob: Option<String>,
    /// Write to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CapImportArgs {
    /// A file that `cap export` wrote; `-` reads standard input
    #[arg(value_name = "FILE|-")]
    pub file: String,
}
