//! `capstan skill draft`: prints a skill that repeats a past execution.

use serde_json::Value;

use crate::args::SkillDraftArgs;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::note;

pub(super) async fn run(context: &Context, args: &SkillDraftArgs) -> anyhow::Result<Exit> {
    let runner = SystemRunner::start(context).await?;
    let input = [
        ("trace", args.from_trace.as_str().into()),
        ("id", args.id.clone().into()),
    ];
    let envelope = runner.run("skill.draft", input).await;
    let yaml = envelope.data.as_ref().and_then(|it| it["yaml"].as_str());
    // The YAML is printed even in a pipe, so that it can go into a file; only `--json` prints JSON.
    let yaml = match yaml {
        Some(yaml) if envelope.ok && !context.global.json => yaml,
        _ => return Ok(runner.print(&envelope)),
    };
    runner.printer.line(yaml.trim_end());
    let notes = envelope.data.as_ref().and_then(|it| it["notes"].as_array());
    for text in notes.into_iter().flatten().filter_map(Value::as_str) {
        note(text, &runner.printer.redactor);
    }
    Ok(Exit::Ok)
}
