//! Which part of the graph is wanted.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_engine::{Cursor, GraphFilter, Page};

use crate::http::failure::Failure;
use crate::http::query::Query;

const FEW: usize = 1000;
const MOST: usize = 10_000;

/// A cursor holds two names, written in a longer way.
const LONGEST_CURSOR: usize = 4096;

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) filter: GraphFilter,
    pub(super) page: Page,
}

impl Part {
    pub(super) fn read(query: &mut Query) -> Result<Self, Failure> {
        let filter = GraphFilter {
            kinds: query.list(&["type", "edge_type"])?,
            sources: query.list(&["source", "edge_source"])?,
            min_confidence: query.min_confidence()?,
            prefix: query.text("prefix")?,
            nodes: None,
        };
        let edges = query.number("limit", 1..=MOST)?.unwrap_or(FEW);
        let after = match query.short(&["cursor"], LONGEST_CURSOR)? {
            Some(text) => {
                let cursor = text.parse::<Cursor>();
                Some(cursor.map_err(|cause| {
                    query.refuse("cursor", format!("is not understood: {cause}"))
                })?)
            }
            None => None,
        };
        let page = Page { edges, after };
        Ok(Self { filter, page })
    }

    /// The same text for the same part, however it was asked for.
    pub(super) fn key(&self) -> String {
        let Self { filter, page } = self;
        let mut kinds: Vec<_> = filter
            .kinds
            .iter()
            .map(|it| EdgeKind::as_str(*it))
            .collect();
        kinds.sort_unstable();
        let mut sources: Vec<_> = filter
            .sources
            .iter()
            .map(|it| EdgeSource::as_str(*it))
            .collect();
        sources.sort_unstable();
        let after = page.after.as_ref().map(ToString::to_string);
        format!(
            "{kinds:?} {sources:?} {:?} {:?} {} {after:?}",
            filter.min_confidence, filter.prefix, page.edges
        )
    }
}
