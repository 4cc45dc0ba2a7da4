//! `capstan list`: everything that can be run. Reads nothing but the binary when there is no
//! configuration and nothing is remembered.

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
        ..SearchRequest::default()
    };
    let hits = find(context, &wanted)?;
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, domain, args.kind)?;
    }
    let hits: Vec<_> = hits.into_iter().map(|hit| (hit, None)).collect();
    print(&printer, &hits)?;
    Ok(Exit::Ok)
}
