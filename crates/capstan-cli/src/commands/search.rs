//! `capstan search`: searches capabilities by what they do.

use anyhow::bail;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::{SearchRequest, form_of};

use super::Context;
use super::find::{HitWithDependencies, check_domain, find, find_with_deps, print};
use crate::args::SearchArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    let is_for_agent = context.environment.is_agent && !context.global.json;
    let limit = args.limit.unwrap_or(if is_for_agent { 5 } else { 10 });
    let intent = args.intent.join(" ");
    if intent.trim().is_empty() {
        bail!("the search is empty: say what you want to do, in your own words");
    }
    if intent.len() > LONGEST_INTENT {
        bail!("the search is too long: use a few words, at most {LONGEST_INTENT} bytes");
    }
    let wanted = SearchRequest {
        intent: Some(intent.clone()),
        domain: args.domain.clone(),
        kind: args.kind,
        with_generated: true,
    };
    let mut hits = if args.deps {
        find_with_deps(context, &wanted, limit)?
    } else {
        let hits = find(context, &wanted)?.into_iter();
        hits.map(|hit| (hit, None)).collect()
    };
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, domain, args.kind)?;
    }
    if is_for_agent && args.domain.is_none() && args.kind.is_none() {
        hits.retain(|(hit, _)| capstan_presenter::is_worth_showing(hit));
        if let Some(misfit) = capstan_presenter::keep_fitting(&mut hits, &intent, |(hit, _)| hit) {
            printer.line(misfit);
            return Ok(Exit::Ok);
        }
    }
    hits.truncate(limit);
    if hits.is_empty() && (is_for_agent || !printer.is_for_programs()) {
        printer.line(format_args!(
            "no capability matches `{intent}`; search reads English, and `capstan list` shows all"
        ));
        return Ok(Exit::Ok);
    }
    if is_for_agent {
        printer.line(agent_lines(context, &hits)?);
    } else {
        print(&printer, &hits)?;
    }
    Ok(Exit::Ok)
}

/// Returns one line for each hit, in the syntax that an agent writes to run it.
fn agent_lines(context: &Context, hits: &[HitWithDependencies]) -> anyhow::Result<String> {
    // The search printed the diagnostics of the cards already.
    let (catalog, _) = context.catalog_with_diagnostics()?;
    let line = |(hit, dependencies): &HitWithDependencies| {
        let card = catalog.get(&hit.id).ok();
        let form = card.map_or_else(|| hit.id.clone(), |card| form_of(&card));
        let found = capstan_presenter::match_line(&form, &hit.description);
        match dependencies.as_deref() {
            None | Some([]) => found,
            Some(some) => format!("{found} (uses {})", some.join(", ")),
        }
    };
    let lines: Vec<_> = hits.iter().map(line).collect();
    Ok(lines.join("\n"))
}
