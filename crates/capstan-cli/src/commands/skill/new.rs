//! `capstan skill new`: prints a commented skill to start from. It passes `capstan check`.

use capstan_skill::SkillId;

use crate::args::SkillNewArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(super) fn run(context: &Context, args: &SkillNewArgs) -> anyhow::Result<Exit> {
    let id = SkillId::parse(&args.id)?;
    let template = match args.level {
        1 => include_str!("new/level1.yaml"),
        2 => include_str!("new/level2.yaml"),
        _ => include_str!("new/level3.yaml"),
    };
    let text = template.replace("ID", id.as_str());
    context.printer().line(text.trim_end());
    Ok(Exit::Ok)
}
