//! Reads lists to their end: page after page, up to a limit, the lists of several steps together.

use serde_json::{Map, Value, json};

use capstan_core::card::Card;
use capstan_core::{ChainStep, Options, TaskRequest};
use capstan_exec::ChainSpec;

use super::rows;
use crate::recorder::CallContext;
use crate::run::Runner;
use crate::step_result::StepResult;

/// How many rows are read at most.
pub(super) const MOST_ROWS: u64 = 1000;

/// The largest page, if the card does not say. GitHub returns no larger ones.
const LARGEST_PAGE: u64 = 100;

/// A list that is to be read to its end.
pub(super) struct Listing<'a> {
    pub(super) card: &'a Card,
    /// The step as it was sent for the first page.
    pub(super) step: ChainStep,
    pub(super) result: &'a mut StepResult,
}

/// Sets the largest page size in the input of a list that is read to its end.
pub(super) fn with_large_pages(
    card: &Card,
    options: &Options,
    mut input: Map<String, Value>,
) -> Map<String, Value> {
    if !card.is_paged() || !card.has_page_size() {
        return input;
    }
    let largest = largest_page(card);
    if options.sort.is_some() {
        // The limit applies after sorting.
        input.insert("first".to_owned(), json!(largest));
    } else if options.all && !input.contains_key("first") {
        let wanted = options.limit.unwrap_or(MOST_ROWS);
        input.insert("first".to_owned(), json!(wanted.clamp(1, largest)));
    }
    input
}

fn largest_page(card: &Card) -> u64 {
    let maximum = card.input_schema.pointer("/properties/first/maximum");
    let maximum = maximum.and_then(Value::as_u64).filter(|most| *most >= 1);
    maximum.map_or(LARGEST_PAGE, |most| most.min(MOST_ROWS))
}

/// Returns how many rows the caller wants; `None` if the caller sets no number.
pub(super) fn wanted_rows(request: &TaskRequest) -> Option<usize> {
    let first = request.input.get("first").and_then(Value::as_u64);
    let wanted = request.options.limit.or(first)?;
    usize::try_from(wanted).ok()
}

impl Listing<'_> {
    fn limit(&self) -> usize {
        let limit = self.step.request.options.limit.unwrap_or(MOST_ROWS);
        usize::try_from(limit.min(MOST_ROWS)).unwrap_or(usize::MAX)
    }

    fn rows(&self) -> usize {
        let data = self.result.data();
        let list = self.card.list.as_ref();
        data.zip(list)
            .map_or(0, |(data, list)| rows::in_list(list, data).len())
    }

    /// Returns the step for the next page; `None` if there is none or the limit is reached.
    fn next(&self) -> Option<ChainStep> {
        let pages = self.result.meta.pagination.as_ref();
        let cursor = pages.filter(|it| it.has_next_page)?.end_cursor.clone()?;
        if self.rows() >= self.limit() {
            return None;
        }
        let mut step = self.step.clone();
        step.name = None;
        step.request.input.insert("after".to_owned(), cursor.into());
        Some(step)
    }

    /// Adds the rows of a page. A page that could not be read ends the list with a warning.
    fn add(&mut self, page: StepResult) {
        let Some(list) = &self.card.list else {
            return;
        };
        let meta = &mut self.result.meta;
        let more = match &page.result {
            Ok(data) => rows::in_list(list, data),
            Err(failure) => {
                let pages = meta.pagination.get_or_insert_default();
                pages.has_next_page = false;
                pages.incomplete = true;
                let why = &failure.error.message;
                let warning = format!(
                    "the list is incomplete, because the next page could not be \
                                       read: {why}"
                );
                meta.warnings.push(warning);
                return;
            }
        };
        let data = self.result.result.as_mut().ok();
        if let Some(all) = data.and_then(|data| list.rows_mut(data)) {
            all.extend_from_slice(more);
        }
        meta.pagination = page.meta.pagination;
        meta.warnings.extend(page.meta.warnings);
    }

    /// Cuts the rows beyond the limit, and marks that there are more.
    fn cut(&mut self) {
        let limit = self.limit();
        let has_rest = self.rows() > limit;
        let data = self.result.result.as_mut().ok();
        let list = self.card.list.as_ref();
        let rows = data.zip(list).and_then(|(data, list)| list.rows_mut(data));
        if let Some(rows) = rows {
            rows.truncate(limit);
        }
        if has_rest && let Some(pages) = &mut self.result.meta.pagination {
            // The cursor is behind the rows that were cut.
            pages.end_cursor = None;
            pages.has_next_page = true;
        }
    }
}

impl Runner {
    /// Reads lists to their end, one page of each at a time. Returns the number of requests.
    pub(super) async fn read_to_end(
        &self,
        mut listings: Vec<Listing<'_>>,
        template: &ChainSpec,
        context: CallContext<'_>,
    ) -> usize {
        let mut requests = 0;
        loop {
            let next: Vec<_> = listings
                .iter()
                .enumerate()
                .filter_map(|(index, listing)| Some((index, listing.next()?)))
                .collect();
            if next.is_empty() {
                break;
            }
            let (indices, steps): (Vec<_>, Vec<_>) = next.into_iter().unzip();
            let chain = ChainSpec {
                steps,
                places: Vec::new(),
                verbatim: true,
                independent: true,
                ..template.clone()
            };
            let outcome = Box::pin(self.run(&chain, &|_| {}, context)).await;
            requests += outcome.requests;
            for (index, page) in indices.into_iter().zip(outcome.steps) {
                listings[index].add(page);
            }
        }
        listings.iter_mut().for_each(Listing::cut);
        requests
    }
}

/// Returns the options for one page of a list.
pub(super) fn one_page_options(options: &Options) -> Options {
    Options {
        all: false,
        limit: None,
        condition: None,
        sort: None,
        ..options.clone()
    }
}
