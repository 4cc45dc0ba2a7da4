//! The query parameters that select a page of the graph.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_engine::{Cursor, GraphFilter, Page};

use crate::http::error::ApiError;
use crate::http::query::Query;

/// How many edges a page has unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 1000;
const MAX_LIMIT: usize = 10_000;

/// The longest cursor that is read, in bytes. A cursor encodes two capability names.
const MAX_CURSOR_BYTES: usize = 4096;

#[derive(Clone, Debug)]
pub(super) struct GraphQuery {
    pub(super) filter: GraphFilter,
    pub(super) page: Page,
}

impl GraphQuery {
    pub(super) fn take(query: &mut Query) -> Result<Self, ApiError> {
        let filter = GraphFilter {
            kinds: query.take_list(&["type", "edge_type"])?,
            sources: query.take_list(&["source", "edge_source"])?,
            min_confidence: query.take_min_confidence()?,
            prefix: query.take_text("prefix")?,
            nodes: None,
        };
        let limit = query.take_number("limit", 1..=MAX_LIMIT)?;
        let after =
            match query.take_short_text(&["cursor"], MAX_CURSOR_BYTES)? {
                Some(text) => {
                    let cursor = text.parse::<Cursor>();
                    Some(cursor.map_err(|cause| {
                        query.problem("cursor", format!("is not valid: {cause}"))
                    })?)
                }
                None => None,
            };
        let page = Page {
            edges: limit.unwrap_or(DEFAULT_LIMIT),
            after,
        };
        Ok(Self { filter, page })
    }

    /// Returns a text that is equal for equal queries, whatever the order of list items.
    pub(super) fn cache_key(&self) -> String {
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
