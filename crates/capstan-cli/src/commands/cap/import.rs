//! `capstan cap import`: takes over what `cap export` gave.

use anyhow::bail;
use serde_json::{Map, Value};

use crate::args::CapImportArgs;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::input;

pub(super) async fn run(context: &Context, args: &CapImportArgs) -> anyhow::Result<Exit> {
    let document = read(&args.file)?;
    let own = Own::start(context).await?;
    let envelope = own.run_with("cap.import", document).await;
    Ok(own.tell_plainly(&envelope))
}

fn read(file: &str) -> anyhow::Result<Map<String, Value>> {
    let text = input::file_or_standard_input(file)?;
    let what = match file {
        "-" => "standard input".to_owned(),
        file => format!("`{file}`"),
    };
    match input::json(&text, &what)? {
        Value::Object(document) => Ok(document),
        _ => bail!(
            "{what} is not what `capstan cap export` prints: {{\"version\": 1, \"capabilities\": […]}}"
        ),
    }
}
