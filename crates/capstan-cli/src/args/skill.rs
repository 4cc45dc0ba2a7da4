//! The words of `skill`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::RunArgs;

/// What is done with skills, beside checking them.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Skills are read from --skills PATH and from `skills` in the configuration. NAME is the id of a skill,
or its id and version: report@1.2.0.

Examples:
  capstan --skills skills skill run issue-brief -R acme/rocket issue_number=1
  capstan --skills skills skill order issue-brief
  capstan --skills skills skill graph issue-brief --format svg > brief.svg
  capstan skill diff old/report.yaml new/report.yaml
  capstan skill new report --level 2 > skills/report.yaml

Exit codes: 0 ok, 1 failed (diff: the version was not raised enough), 2 wrong usage or input")]
pub(crate) enum SkillCommand {
    /// Run a skill, like `capstan run`
    Run(RunArgs),
    /// Show what runs when, and what leaves in one request
    Order(SkillOrderArgs),
    /// Draw what a skill is made of
    Graph(SkillGraphArgs),
    /// Tell what changed between two versions, and how much the version must be raised
    Diff(SkillDiffArgs),
    /// Print a commented skill to start from
    New(SkillNewArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SkillOrderArgs {
    /// The skill
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct SkillGraphArgs {
    /// The skill
    pub name: String,
    /// As what
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A tree, for terminals
    Text,
    /// For Graphviz
    Dot,
    /// For Markdown
    Mermaid,
    /// A picture
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct SkillDiffArgs {
    /// A file or folder with the old skills, or NAME@VERSION
    pub old: PathBuf,
    /// A file or folder with the new ones, or NAME@VERSION
    pub new: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SkillNewArgs {
    /// What it is to be called
    pub id: String,
    /// 1: runs one thing, 2: combines such skills, 3: a workflow of both
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub level: u8,
}
