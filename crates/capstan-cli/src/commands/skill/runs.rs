//! `capstan skill runs`: which skills were run, and how far each run came.

use crate::args::SkillRunsArgs;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(context: &Context, args: &SkillRunsArgs) -> anyhow::Result<Exit> {
    let own = Own::start(context).await?;
    if let Some(run) = &args.run {
        let envelope = own.run("run.show", [("run", run.as_str().into())]).await;
        return Ok(own.tell(&envelope, Printer::run_of_skill));
    }
    let input = [
        ("skill", args.skill.clone().into()),
        ("state", args.state.clone().into()),
        ("limit", args.limit.into()),
        ("before", args.before.clone().into()),
    ];
    let envelope = own.run("skill.runs", input).await;
    Ok(own.tell(&envelope, Printer::runs))
}
