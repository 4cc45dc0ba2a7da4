//! `capstan skill draft`: a skill that does what an execution did.

use serde_json::Value;

use crate::args::SkillDraftArgs;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::note;

pub(super) async fn run(context: &Context, args: &SkillDraftArgs) -> anyhow::Result<Exit> {
    let own = Own::start(context).await?;
    let input = [
        ("trace", args.from_trace.as_str().into()),
        ("id", args.id.clone().into()),
    ];
    let envelope = own.run("skill.draft", input).await;
    let yaml = envelope.data.as_ref().and_then(|it| it["yaml"].as_str());
    // It goes into a file as it is; only `--json` asks for JSON.
    let Some(yaml) = yaml.filter(|_| envelope.ok && !context.global.json) else {
        return Ok(own.tell_plainly(&envelope));
    };
    own.printer.line(yaml.trim_end());
    let notes = envelope.data.as_ref().and_then(|it| it["notes"].as_array());
    for text in notes.into_iter().flatten().filter_map(Value::as_str) {
        note(text, &own.printer.redactor);
    }
    Ok(Exit::Ok)
}
