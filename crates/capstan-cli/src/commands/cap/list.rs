//! `capstan cap list`: the code that is remembered.

use serde_json::Value;

use crate::args::CapListArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &CapListArgs) -> Exit {
    let named = match (args.named, args.unnamed) {
        (false, false) => Value::Null,
        (named, _) => named.into(),
    };
    let visibility = args.visibility.map(|visibility| visibility.as_str());
    let input = [
        ("glob", args.glob.clone().into()),
        ("namespace", args.namespace.clone().into()),
        ("visibility", visibility.into()),
        ("calls", args.calls.clone().into()),
        ("named", named),
        ("limit", args.limit.into()),
        ("offset", args.offset.into()),
    ];
    let envelope = own.run("cap.list", input).await;
    own.tell(&envelope, Printer::capabilities)
}
