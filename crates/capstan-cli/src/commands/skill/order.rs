//! `capstan skill order`: shows the order of the steps, and which of them share a request.

use capstan_skill::render::order_text;

use super::planned;
use crate::args::SkillOrderArgs;
use crate::commands::{Context, failed};
use crate::exit::Exit;

pub(super) async fn run(context: &Context, args: &SkillOrderArgs) -> anyhow::Result<Exit> {
    let (engine, plan) = planned(context, &args.name).await?;
    let printer = context.printer();
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return failed(&printer, &error),
    };
    let levels = engine.capstan.skill_plans().skill_order(&plan);
    if printer.is_for_programs() {
        printer.json(&levels)?;
    } else {
        printer.line(order_text(&levels).trim_end());
    }
    Ok(Exit::Ok)
}
