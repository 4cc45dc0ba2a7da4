//! `capstan search`: capabilities by what they do.

use anyhow::bail;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::Wanted;

use super::Context;
use super::find::{find, print};
use crate::args::SearchArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let printer = context.printer();
    let intent = args.intent.join(" ");
    if intent.len() > LONGEST_INTENT {
        bail!(
            "this is too long: say what you look for in a few words, at most {LONGEST_INTENT} bytes"
        );
    }
    let wanted = Wanted {
        intent: Some(intent.clone()),
        domain: args.domain.clone(),
        kind: args.kind,
    };
    let mut hits = find(context, &config, &wanted)?;
    hits.truncate(args.limit);
    if hits.is_empty() && !printer.is_machine() {
        printer.line(format_args!(
            "no capability matches `{intent}`; `capstan list` shows all"
        ));
        return Ok(Exit::Ok);
    }
    print(&printer, &hits)?;
    Ok(Exit::Ok)
}
