//! The command line arguments: one file for each group of commands.

mod cap;
mod cards;
mod check;
mod cli;
mod code;
mod dep;
mod doctor;
mod find;
mod graph;
mod mcp;
mod run;
mod serve;
mod sim;
mod skill;
mod suggest;
mod trace;
mod types;
mod values;

pub(crate) use cap::{
    CapAliasArgs, CapCommand, CapDeleteArgs, CapExportArgs, CapImportArgs, CapListArgs,
    CapLookupArgs, CapMergeArgs, CapNameArgs, CapShareArgs, CapShowArgs,
};
pub(crate) use cards::{CardsCommand, CardsImportArgs, CardsImportCommand};
pub(crate) use check::{CheckArgs, CheckFormat};
pub(crate) use cli::{Cli, Command, GlobalArgs};
pub(crate) use code::{CallArgs, CodeRunOptions, ExecArgs};
pub(crate) use dep::{
    DepAddArgs, DepCommand, DepForgetArgs, DepListArgs, DepRmArgs, DepShowArgs, DepUpdateArgs,
};
pub(crate) use doctor::DoctorArgs;
pub(crate) use find::{ExplainArgs, ListArgs, SearchArgs};
pub(crate) use graph::{
    GraphCommand, GraphNeighborsArgs, GraphPathArgs, GraphSnapshotArgs, SnapshotFormat,
};
pub(crate) use mcp::McpArgs;
pub(crate) use run::{ChainArgs, RunArgs, RunOptions};
pub(crate) use serve::ServeArgs;
pub(crate) use sim::SimArgs;
pub(crate) use skill::{
    GraphFormat, SkillCommand, SkillDiffArgs, SkillDraftArgs, SkillGraphArgs, SkillLockArgs,
    SkillNewArgs, SkillOrderArgs, SkillRunArgs, SkillRunsArgs,
};
pub(crate) use suggest::SuggestArgs;
pub(crate) use trace::{TraceCommand, TraceListArgs, TracePruneArgs, TraceShowArgs};
pub(crate) use types::TypesArgs;
pub(crate) use values::{OutputFormat, parse_output_format};
