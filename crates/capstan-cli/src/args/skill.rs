//! The words of `skill`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::HowArgs;

/// What is done with skills, beside checking them.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Skills are read from --skills PATH and from `skills` in the configuration. NAME is the id of a skill,
or its id and version: report@1.2.0.

Examples:
  capstan --demo --skills skills skill run issue-brief -R acme/rocket issue_number=1
  capstan --skills skills skill run --resume RUN
  capstan skill runs --state open
  capstan --skills skills skill order issue-brief
  capstan --skills skills skill graph issue-brief --format svg > brief.svg
  capstan skill diff OLD NEW
  capstan skill lock skills
  capstan skill new report --level 2 > report.yaml
  capstan --demo skill draft --from-trace last --id triage > triage.yaml

Exit codes: 0 ok, 1 failed (diff: the version was not raised enough), 2 wrong usage or input")]
pub(crate) enum SkillCommand {
    /// Run a skill, or go on where a run of one stopped
    Run(SkillRunArgs),
    /// List runs of skills, or show one step by step
    Runs(SkillRunsArgs),
    /// Show what runs when, and what leaves in one request
    Order(SkillOrderArgs),
    /// Draw what a skill is made of
    Graph(SkillGraphArgs),
    /// Tell what changed between two versions, and how much the version must be raised
    Diff(SkillDiffArgs),
    /// Write down which versions skills are made of, so that newer ones change nothing by themselves
    Lock(SkillLockArgs),
    /// Print a commented skill to start from
    New(SkillNewArgs),
    /// Print a skill that does what an execution did
    Draft(SkillDraftArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
A run is written down step by step. After a crash, or a failure that is mended, --resume goes on with
it: what is done is not done again. Of a step that left before the crash nobody may know whether it was
done: the run then says so, and goes on when you say what you found, with --done or --redo. A run that
another process still has is not resumed; --take-over takes it from that process.

Examples:
  capstan --demo --skills skills skill run issue-brief -R acme/rocket issue_number=1
  capstan --skills skills skill run --resume RUN
  capstan --skills skills skill run --resume RUN --redo close
  capstan --skills skills skill run --resume RUN --done 'open={\"number\": 7}'

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed")]
pub(crate) struct SkillRunArgs {
    /// The skill
    #[arg(index = 1, required_unless_present = "resume")]
    pub name: Option<String>,
    /// Inputs: name=value by the type of the input, name:=JSON as it stands
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// All inputs as a JSON object; `-` reads it from standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
    /// The repository; by default the one of this folder's git remote
    #[arg(
        short = 'R',
        long,
        value_name = "OWNER/REPO",
        conflicts_with = "resume"
    )]
    pub repo: Option<String>,
    /// Go on with this run, by its id or the beginning of it
    #[arg(long, value_name = "RUN", conflicts_with_all = ["name", "inputs", "dry_run"])]
    pub resume: Option<String>,
    /// A step of unknown outcome was done, and gave this
    #[arg(long, value_name = "STEP=JSON", requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub done: Vec<String>,
    /// A step of unknown outcome was not done: do it
    #[arg(long, value_name = "STEP", requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub redo: Vec<String>,
    /// Take the run from a process that still has it
    #[arg(long, requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub take_over: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SkillRunsArgs {
    /// Show this one, by its id or the beginning of it
    #[arg(conflicts_with_all = ["skill", "state", "limit", "before"])]
    pub run: Option<String>,
    /// Only of this skill
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Only those that are open (under way, or stopped by a crash), ok or failed
    #[arg(long, value_parser = ["open", "ok", "failed"])]
    pub state: Option<String>,
    /// How many at most
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Only those older than this one
    #[arg(long, value_name = "RUN")]
    pub before: Option<String>,
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
#[command(after_help = "\
The versions are in skills.lock, beside the files. As long as it is there, a skill is made of them, however
many newer ones there are; one that is gone, or that somebody does not ask for any more, is an error.

Examples:
  capstan skill lock skills
  capstan skill lock skills --check

Exit codes: 0 ok, 1 something is wrong with the skills (--check: the lock is not up to date), 2 wrong usage")]
pub(crate) struct SkillLockArgs {
    /// Folders or files; by default those that are configured, else ./skills
    pub paths: Vec<PathBuf>,
    /// Write nothing, and say whether the lock is up to date
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SkillNewArgs {
    /// What it is to be called
    pub id: String,
    /// 1: runs one thing, 2: combines such skills, 3: a workflow of both
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub level: u8,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The calls of the trace become steps. What a call took from an earlier one is taken from there, other
inputs that it needs become inputs of the skill, and what is optional stays as it was. The skill
passes the checker; what to look at is told on standard error.

Examples:
  capstan --demo skill draft --from-trace last > triage.yaml
  capstan skill draft --from-trace TRACE --id triage

Exit codes: 0 ok, 1 failed, 2 wrong usage, or nothing in the trace to make a skill of")]
pub(crate) struct SkillDraftArgs {
    /// The execution, by the id of its trace or the beginning of it; `last` is the newest
    #[arg(long, value_name = "TRACE")]
    pub from_trace: String,
    /// What it is to be called
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
}
