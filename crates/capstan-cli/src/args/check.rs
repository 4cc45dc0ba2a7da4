//! Arguments of `capstan check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
A skill may use the cards of the same paths, and the skills of --skills and the configuration.
Cards are checked against GitHub's schema as of this version: documents, variables, paths and
types. Nothing is run or sent.

Examples:
  capstan check                                  # the configured skills, or ./skills
  capstan check skills examples/cards
  capstan check skills --deny-warnings --no-hints
  capstan check examples/cards --github-schema FILE
  capstan check --json skills > found.json
  capstan check --schema > skill.schema.json     # for editors
  capstan explain E021                           # what a code means

Exit codes: 0 no errors, 1 errors found, 2 wrong usage")]
pub(crate) struct CheckArgs {
    /// Skill files, card files or folders [default: those of --skills and the configuration, or
    /// ./skills]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Output format [default: full on a terminal, short in a pipe]
    #[arg(long, value_enum)]
    pub format: Option<CheckFormat>,
    /// Fail on warnings
    #[arg(long)]
    pub deny_warnings: bool,
    /// Do not show hints
    #[arg(long, visible_alias = "quiet")]
    pub no_hints: bool,
    /// Check cards against this GraphQL schema (SDL) instead of the built-in one, such as that of a
    /// GitHub Enterprise Server; `none` skips the checks that need a schema
    #[arg(long, value_name = "FILE")]
    pub github_schema: Vec<PathBuf>,
    /// Print the JSON Schema of skill files, for editors
    #[arg(long, conflicts_with_all = ["paths", "format", "deny_warnings", "no_hints", "github_schema"])]
    pub schema: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With an excerpt of the file
    Full,
    /// One line for each diagnostic
    Short,
    /// One JSON object
    Json,
}
