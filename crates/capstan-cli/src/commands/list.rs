//! `capstan list`: lists capabilities. Without a configuration and remembered code, it opens no files.

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
    let rows: Vec<_> = hits.into_iter().map(|hit| (hit, None)).collect();
    print(&printer, &rows)?;
    Ok(Exit::Ok)
}
