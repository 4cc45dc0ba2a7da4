//! `capstan skill order`: what runs when, and what leaves in one request.

use capstan_core::Route;
use capstan_engine::Capstan;
use capstan_skill::render::{LevelShown, order, order_text};
use capstan_skill::{Leaf, Plan, Runs};

use super::planned;
use crate::args::SkillOrderArgs;
use crate::commands::{Context, failed};
use crate::exit::Exit;

pub(super) async fn run(context: &Context, args: &SkillOrderArgs) -> anyhow::Result<Exit> {
    let (wired, plan) = planned(context, &args.name).await?;
    let printer = context.printer();
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return failed(&printer, &error),
    };
    let levels = levels(&wired.capstan, &plan);
    match printer.is_machine() {
        true => printer.json(&levels)?,
        false => printer.line(order_text(&levels).trim_end()),
    }
    Ok(Exit::Ok)
}

/// What runs when. Cards that go by GraphQL first leave together.
pub(in crate::commands) fn levels(capstan: &Capstan, plan: &Plan) -> Vec<LevelShown> {
    let fuses = |leaf: &Leaf| match &leaf.runs {
        Runs::Card(name) => capstan
            .catalog()
            .get(name)
            .is_ok_and(|card| card.route_order().first() == Some(&Route::Graphql)),
        Runs::Tool(_) | Runs::Capability(_) | Runs::Code(_) => false,
    };
    order(plan, &fuses)
}
