//! `capstan skill graph`: draws the steps and parts of a skill.

use capstan_skill::render::{dot, mermaid, svg, text_tree};
use serde_json::json;

use super::planned;
use crate::args::{GraphFormat, SkillGraphArgs};
use crate::commands::{Context, failed};
use crate::exit::Exit;

pub(super) async fn run(context: &Context, args: &SkillGraphArgs) -> anyhow::Result<Exit> {
    let (_engine, plan) = planned(context, &args.name).await?;
    let printer = context.printer();
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return failed(&printer, &error),
    };
    let picture = match args.format {
        GraphFormat::Text => text_tree(&plan),
        GraphFormat::Dot => dot(&plan),
        GraphFormat::Mermaid => mermaid(&plan),
        GraphFormat::Svg => svg(&plan),
    };
    // The drawing is printed for people and programs alike; only `--json` wraps it in JSON.
    if context.global.json {
        printer.json(&json!({"skill": plan.id.as_str(), "graph": picture}))?;
    } else {
        printer.line(picture.trim_end());
    }
    Ok(Exit::Ok)
}
