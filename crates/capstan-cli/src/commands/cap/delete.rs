//! `capstan cap delete`: forgets a capability, after a question where somebody can answer it.

use std::io::{BufRead as _, IsTerminal as _};

use anyhow::Context as _;
use serde_json::Value;

use crate::args::CapDeleteArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::ask;

pub(super) async fn run(own: &Own, args: &CapDeleteArgs) -> anyhow::Result<Exit> {
    let name = args.name.as_str();
    let somebody = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if somebody && !args.yes {
        let meant = own.run("cap.lookup", [("name", name.into())]).await;
        // What is not there is reported by the deletion itself.
        if let Some(data) = &meant.data
            && !agreed(data)?
        {
            own.printer.line("nothing was deleted");
            return Ok(Exit::Failed);
        }
    }
    let envelope = own.run("cap.delete", [("capability", name.into())]).await;
    Ok(own.tell_plainly(&envelope))
}

fn agreed(data: &Value) -> anyhow::Result<bool> {
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    ask(&format!(
        "forget `{}` ({}), with its names and statistics? [y/N] ",
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
