//! `capstan cap import`: imports a document of `cap export`.

use anyhow::bail;
use serde_json::{Map, Value};

use crate::args::CapImportArgs;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::input;

pub(super) async fn run(context: &Context, args: &CapImportArgs) -> anyhow::Result<Exit> {
    let document = read(&args.file)?;
    let runner = SystemRunner::start(context).await?;
    let envelope = runner.run_with_input("cap.import", document).await;
    Ok(runner.print(&envelope))
}

fn read(file: &str) -> anyhow::Result<Map<String, Value>> {
    let text = input::read_file_or_standard_input(file)?;
    let what = match file {
        "-" => "standard input".to_owned(),
        file => format!("`{file}`"),
    };
    match input::parse_json(&text, &what)? {
        Value::Object(document) => Ok(document),
        _ => bail!(
            "{what} is not an export: expected the output of `capstan cap export`, {{\"version\": 1, \"capabilities\": […]}}"
        ),
    }
}
