//! `capstan skill order`: what runs when, and what leaves in one request.

use capstan_core::Route;
use capstan_skill::render::{order, order_text};
use capstan_skill::{Leaf, Runs};

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
    let catalog = wired.capstan.catalog();
    let fuses = |leaf: &Leaf| match &leaf.runs {
        Runs::Card(name) => catalog
            .get(name)
            .is_ok_and(|card| card.route_order().first() == Some(&Route::Graphql)),
        Runs::Tool(_) | Runs::Capability(_) | Runs::Code(_) => false,
    };
    let levels = order(&plan, &fuses);
    match printer.is_machine() {
        true => printer.json(&levels)?,
        false => printer.line(order_text(&levels).trim_end()),
    }
    Ok(Exit::Ok)
}
