//! Arguments of `capstan skill`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::RunOptions;

/// Run, draw, compare, lock and create skills
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Skills are read from --skills PATH and from `skills` in the configuration. NAME is the id of a
skill, with or without a version: report@1.2.0.

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

Exit codes: 0 ok, 1 failed (diff: the version must be raised further), 2 wrong usage or input")]
pub(crate) enum SkillCommand {
    /// Run a skill, or resume a run
    Run(SkillRunArgs),
    /// List runs of skills, or show one step by step
    Runs(SkillRunsArgs),
    /// Show the order of the steps and which of them share a request
    Order(SkillOrderArgs),
    /// Draw the steps and parts of a skill
    Graph(SkillGraphArgs),
    /// Show what changed between two versions, and which version number is due
    Diff(SkillDiffArgs),
    /// Pin the versions of composed skills in a lock file
    Lock(SkillLockArgs),
    /// Print a commented skill to start from
    New(SkillNewArgs),
    /// Print a skill that repeats a past execution
    Draft(SkillDraftArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Each step of a run is recorded. After a crash, or after you have fixed the cause of a failure,
--resume continues the run without repeating finished steps. If it is unknown whether a step was
done before the crash, the run stops and asks: look, and then answer with --done or --redo. A run
that another process is still executing is not resumed; --take-over takes it from that process.

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
    /// Inputs: name=value, converted to the type of the input, or name:=JSON
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// All inputs as a JSON object; `-` reads standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
    /// Repository [default: this folder's git remote]
    #[arg(
        short = 'R',
        long,
        value_name = "OWNER/REPO",
        conflicts_with = "resume"
    )]
    pub repo: Option<String>,
    /// Resume this run: its id or the beginning of it
    #[arg(long, value_name = "RUN", conflicts_with_all = ["name", "inputs", "dry_run"])]
    pub resume: Option<String>,
    /// Continue as if this step of unknown outcome succeeded with this output
    #[arg(long, value_name = "STEP=JSON", requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub done: Vec<String>,
    /// Run this step of unknown outcome again
    #[arg(long, value_name = "STEP", requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub redo: Vec<String>,
    /// Take the run from a process that is still executing it
    #[arg(long, requires = "resume", conflicts_with_all = ["name", "inputs"])]
    pub take_over: bool,
    #[command(flatten)]
    pub options: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SkillRunsArgs {
    /// Show this run: its id or the beginning of it
    #[arg(conflicts_with_all = ["skill", "state", "limit", "before"])]
    pub run: Option<String>,
    /// List only runs of this skill
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// List only this state: open (running, or stopped by a crash), ok or failed
    #[arg(long, value_parser = ["open", "ok", "failed"])]
    pub state: Option<String>,
    /// Maximum number of results
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// List only runs older than this one
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
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A tree, for terminals
    Text,
    /// Graphviz
    Dot,
    /// Mermaid, for Markdown
    Mermaid,
    /// An SVG image
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct SkillDiffArgs {
    /// A file or folder with the old skills, or NAME@VERSION
    pub old: PathBuf,
    /// A file or folder with the new skills, or NAME@VERSION
    pub new: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The versions are in skills.lock, next to the files. A locked skill uses them even if newer
versions exist. A locked version that is missing, or that no longer satisfies the requirements,
is an error.

Examples:
  capstan skill lock skills
  capstan skill lock skills --check

Exit codes: 0 ok, 1 the skills have errors (--check: the lock is not up to date), 2 wrong usage")]
pub(crate) struct SkillLockArgs {
    /// Files or folders [default: those of the configuration, or ./skills]
    pub paths: Vec<PathBuf>,
    /// Check that the lock is up to date without writing it
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SkillNewArgs {
    /// Id of the new skill
    pub id: String,
    /// Level: 1 runs one capability, 2 combines level 1 skills, 3 is a workflow
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub level: u8,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The calls of the trace become steps. A value that came from an earlier call becomes a reference
to it. Other required values become inputs of the skill, and optional values stay as they were.
The skill passes `capstan check`; notes on what to review are printed on standard error.

Examples:
  capstan --demo skill draft --from-trace last > triage.yaml
  capstan skill draft --from-trace TRACE --id triage

Exit codes: 0 ok, 1 failed, 2 wrong usage, or the trace has no calls for a skill")]
pub(crate) struct SkillDraftArgs {
    /// The trace of the execution: its id, the beginning of it, or `last` for the newest
    #[arg(long, value_name = "TRACE")]
    pub from_trace: String,
    /// Id of the new skill
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
}
