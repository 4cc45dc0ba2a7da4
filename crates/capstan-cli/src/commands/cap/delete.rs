//! `capstan cap delete`: deletes remembered code. On a terminal it asks first.

use std::io::{BufRead as _, IsTerminal as _};

use anyhow::Context as _;
use serde_json::Value;

use crate::args::CapDeleteArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::ask;

pub(super) async fn run(runner: &SystemRunner, args: &CapDeleteArgs) -> anyhow::Result<Exit> {
    let name = args.name.as_str();
    let is_interactive = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_interactive && !args.yes {
        let found = runner.run("cap.lookup", [("name", name.into())]).await;
        // `cap.delete` reports a name that does not exist.
        if let Some(data) = &found.data
            && !confirm(data)?
        {
            runner.printer.line("nothing was deleted");
            return Ok(Exit::Failed);
        }
    }
    let envelope = runner
        .run("cap.delete", [("capability", name.into())])
        .await;
    Ok(runner.print(&envelope))
}

/// Asks whether to delete the code that `cap.lookup` found. Only `y`, `Y` and `yes` mean yes.
fn confirm(data: &Value) -> anyhow::Result<bool> {
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    ask(&format!(
        "delete `{}` ({}) with its names and statistics? [y/N] ",
        text("name"),
        text("fqdn")
    ));
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .context("cannot read the answer")?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
