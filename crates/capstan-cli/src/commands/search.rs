//! `capstan search`: capabilities by what they do.

use anyhow::bail;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::{Wanted, form_of};

use super::Context;
use super::find::{Told, check_domain, find, find_with_deps, print};
use crate::args::SearchArgs;
use crate::config::Config;
use crate::exit::Exit;
use crate::wiring;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let printer = context.printer();
    let is_for_agent = context.environment.is_agent && !context.global.json;
    let limit = args.limit.unwrap_or(if is_for_agent { 5 } else { 10 });
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
        find_with_deps(context, &config, &wanted, limit)?
    } else {
        let hits = find(context, &config, &wanted)?.into_iter();
        hits.map(|hit| (hit, None)).collect()
    };
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, &config, domain, args.kind)?;
    }
    if is_for_agent && args.domain.is_none() && args.kind.is_none() {
        hits.retain(|(hit, _)| capstan_presenter::is_worth_showing(hit));
        if let Some(misfit) = capstan_presenter::keep_fitting(&mut hits, &intent, |(hit, _)| hit) {
            printer.line(misfit);
            return Ok(Exit::Ok);
        }
    }
    hits.truncate(limit);
    if hits.is_empty() && (is_for_agent || !printer.is_machine()) {
        printer.line(format_args!(
            "no capability matches `{intent}`; search reads English, and `capstan list` shows all"
        ));
        return Ok(Exit::Ok);
    }
    if is_for_agent {
        printer.line(forms(context, &config, &hits));
    } else {
        print(&printer, &hits)?;
    }
    Ok(Exit::Ok)
}

/// The lines that what was found is written as, for an agent.
fn forms(context: &Context, config: &Config, hits: &[Told]) -> String {
    // What is wrong with cards was said when they were searched.
    let (catalog, _) = wiring::catalog(&context.global, config, &context.environment);
    let line = |(hit, dependencies): &Told| {
        let card = catalog.get(&hit.id).ok();
        let form = card.map_or_else(|| hit.id.clone(), |card| form_of(&card));
        let found = capstan_presenter::match_line(&form, &hit.description);
        match dependencies.as_deref() {
            None | Some([]) => found,
            Some(some) => format!("{found} (uses {})", some.join(", ")),
        }
    };
    hits.iter().map(line).collect::<Vec<_>>().join("\n")
}
