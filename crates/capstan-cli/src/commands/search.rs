//! `capstan search`: capabilities by what they do.

use anyhow::bail;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::Wanted;

use super::Context;
use super::find::{check_domain, find, find_with_deps, print};
use crate::args::SearchArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let printer = context.printer();
    let intent = args.intent.join(" ");
    if intent.trim().is_empty() {
        bail!("nothing is looked for: say what you want to do, in your words");
    }
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
    let mut hits = if args.deps {
        find_with_deps(context, &config, &wanted, args.limit)?
    } else {
        let hits = find(context, &config, &wanted)?.into_iter();
        hits.map(|hit| (hit, None)).collect()
    };
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, &config, domain, args.kind)?;
    }
    hits.truncate(args.limit);
    if hits.is_empty() && !printer.is_machine() {
        printer.line(format_args!(
            "no capability matches `{intent}`; search reads English, and `capstan list` shows all"
        ));
        return Ok(Exit::Ok);
    }
    print(&printer, &hits)?;
    Ok(Exit::Ok)
}
