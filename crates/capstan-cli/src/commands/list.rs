//! `capstan list`: lists capabilities. Without a configuration and remembered code, it opens no files.

use capstan_core::card::Kind;
use capstan_engine::SearchRequest;

use super::Context;
use super::find::{check_domain, find, print};
use crate::args::ListArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ListArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    let wanted = SearchRequest {
        domain: args.domain.clone(),
        kind: args.kind,
        with_generated: args.all || args.domain.is_some(),
        ..SearchRequest::default()
    };
    let hits = find(context, &wanted)?;
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, domain, args.kind)?;
    }
    let rows: Vec<_> = hits.into_iter().map(|hit| (hit, None)).collect();
    print(&printer, &rows)?;
    let hides_cards = !wanted.with_generated && args.kind.is_none_or(|kind| kind == Kind::Card);
    if hides_cards && !printer.is_for_programs() {
        // The search printed the diagnostics of the cards already.
        let (catalog, _) = context.catalog_with_diagnostics()?;
        let more = catalog.generated_count();
        printer.line(format_args!(
            "{more} more cards are generated from GitHub's REST API: `capstan list DOMAIN` shows those of a domain, \
             `capstan list --all` shows all, and `capstan search` finds them"
        ));
    }
    Ok(Exit::Ok)
}
