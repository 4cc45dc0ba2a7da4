//! The words of `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
A skill may compose the cards of the same paths, and the skills of --skills and of the configuration.
Cards are proven against GitHub's schema as this version knows it: documents, variables, paths and types.
Nothing is run, and nothing is sent.

Examples:
  capstan check                                  # the configured skills, else ./skills
  capstan check skills examples/cards
  capstan check skills --deny-warnings --no-hints
  capstan check examples/cards --github-schema FILE
  capstan check --json skills > found.json
  capstan check --schema > skill.schema.json     # for editors
  capstan explain E021                           # what a code means

Exit codes: 0 nothing is wrong, 1 something is wrong, 2 wrong usage")]
pub(crate) struct CheckArgs {
    /// Skill files, card files, and folders that hold some; without any, those of --skills and of the
    /// configuration, else ./skills
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How to show what is found; without it, full on a terminal and short in a pipe
    #[arg(long, value_enum)]
    pub format: Option<CheckFormat>,
    /// Fail on warnings too
    #[arg(long)]
    pub deny_warnings: bool,
    /// Leave hints out
    #[arg(long, visible_alias = "quiet")]
    pub no_hints: bool,
    /// Prove cards against this schema (SDL) instead of the built-in one: a newer one, or that of a
    /// GitHub Enterprise Server; `none` leaves out the proofs that need one
    #[arg(long, value_name = "FILE")]
    pub github_schema: Vec<PathBuf>,
    /// Print the JSON Schema of skill files, for editors
    #[arg(long, conflicts_with_all = ["paths", "format", "deny_warnings", "no_hints", "github_schema"])]
    pub schema: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With the lines of the file
    Full,
    /// A line each
    Short,
    /// An object
    Json,
}
