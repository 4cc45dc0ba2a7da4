//! `capstan cap show`: everything that is known of one.

use crate::args::CapShowArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapShowArgs) -> Exit {
    let input = [("capability", args.name.as_str().into())];
    let envelope = own.run("cap.show", input).await;
    let fqdn = envelope
        .data
        .as_ref()
        .and_then(|data| data["fqdn"].as_str());
    // Its parameters are told in the words of `explain`.
    let explanation = match fqdn.filter(|_| !own.printer.is_machine()) {
        Some(fqdn) => own.engine.capstan.explain(fqdn).await.ok(),
        None => None,
    };
    own.tell(&envelope, |printer, data| {
        printer.capability(data, explanation.as_ref());
    })
}
