//! `capstan skill runs`: lists runs of skills, or shows one step by step.

use crate::args::SkillRunsArgs;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(context: &Context, args: &SkillRunsArgs) -> anyhow::Result<Exit> {
    let runner = SystemRunner::start(context).await?;
    if let Some(run) = &args.run {
        let envelope = runner.run("run.show", [("run", run.as_str().into())]).await;
        return Ok(runner.print_with(&envelope, Printer::skill_run));
    }
    let input = [
        ("skill", args.skill.clone().into()),
        ("state", args.state.clone().into()),
        ("limit", args.limit.into()),
        ("before", args.before.clone().into()),
    ];
    let envelope = runner.run("skill.runs", input).await;
    Ok(runner.print_with(&envelope, Printer::runs))
}
