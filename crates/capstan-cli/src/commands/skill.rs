//! `capstan skill`: runs, draws, compares, locks and creates skills. One file for each subcommand.

mod diff;
mod draft;
mod graph;
mod lock;
mod new;
mod order;
mod run;
mod runs;

use std::sync::Arc;

use capstan_core::ResultError;
use capstan_skill::Plan;

use super::Context;
use super::dispatch::block_on;
use crate::args::SkillCommand;
use crate::exit::Exit;
use crate::wiring::Engine;

pub(crate) fn run(context: &Context, command: &SkillCommand) -> anyhow::Result<Exit> {
    match command {
        SkillCommand::Run(args) => block_on(run::run(context, args)),
        SkillCommand::Runs(args) => block_on(runs::run(context, args)),
        SkillCommand::Order(args) => block_on(order::run(context, args)),
        SkillCommand::Graph(args) => block_on(graph::run(context, args)),
        SkillCommand::Diff(args) => diff::run(context, args),
        SkillCommand::Draft(args) => block_on(draft::run(context, args)),
        SkillCommand::Lock(args) => lock::run(context, args),
        SkillCommand::New(args) => new::run(context, args),
    }
}

/// Returns the plan of a skill, and the engine that made it. Nothing is sent.
async fn planned(
    context: &Context,
    name: &str,
) -> anyhow::Result<(Engine, Result<Arc<Plan>, ResultError>)> {
    let engine = context.engine().await?;
    let plan = engine.capstan.skill_plans().skill(name).await;
    engine.shut_down().await;
    Ok((engine, plan))
}
