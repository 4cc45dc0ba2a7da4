//! `capstan cap show`: shows everything about one piece of remembered code.

use crate::args::CapShowArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapShowArgs) -> Exit {
    let input = [("capability", args.name.as_str().into())];
    let envelope = runner.run("cap.show", input).await;
    let fqdn = envelope
        .data
        .as_ref()
        .and_then(|data| data["fqdn"].as_str());
    // People see the parameters as `explain` shows them.
    let explanation = match fqdn {
        Some(fqdn) if !runner.printer.is_for_programs() => {
            runner.engine.capstan.explain(fqdn).await.ok()
        }
        _ => None,
    };
    runner.print_with(&envelope, |printer, data| {
        printer.capability(data, explanation.as_ref());
    })
}
