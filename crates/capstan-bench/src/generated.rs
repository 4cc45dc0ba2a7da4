//! Measures search among the cards that people wrote and the generated ones, through the interface that users have.

use std::fmt::Write as _;

use capstan_catalog::Catalog;
use capstan_embed::StaticModel;
use capstan_engine::{BuiltInSearch, SearchRequest, built_in_documents, built_in_search};
use serde_json::{Map, Value, json};

use crate::BenchError;
use crate::corpus::{Part, Query, Source};
use crate::figures::{Figures, PLACES, QueryRanks};
use crate::report::json::{key, of};

/// How often search finds the right card although there are more than a thousand generated ones.
#[derive(Clone, Debug)]
pub struct GeneratedReport {
    pub rows: Vec<GeneratedRow>,
}

/// The figures of one set of queries, in one catalogue.
#[derive(Clone, Debug)]
pub struct GeneratedRow {
    pub queries: QuerySet,
    /// Whether generated cards are searched too.
    pub with_generated: bool,
    answers: Vec<(Part, QueryRanks)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuerySet {
    /// Our own queries for what people wrote.
    Own,
    /// What `gh` and GitHub's MCP server say about things for which somebody wrote a card.
    Peers,
    /// What they say about operations that only have a generated card.
    LongTail,
}

impl QuerySet {
    pub const EACH: [Self; 3] = [Self::Own, Self::Peers, Self::LongTail];

    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "our own",
            Self::Peers => "gh and GitHub's MCP server",
            Self::LongTail => "long tail",
        }
    }

    fn read(self, catalog: &Catalog) -> Result<Vec<Query>, BenchError> {
        match self {
            Self::Own => {
                // Queries for what nobody wrote a card for are not among them.
                let written = Catalog::new(&capstan_cards::CARDS);
                Ok(Source::own(built_in_documents(&written))?.queries)
            }
            Self::Peers => Query::for_written_cards(),
            Self::LongTail => Query::for_the_long_tail(&catalog.ids_by_source()),
        }
    }
}

impl GeneratedReport {
    /// Runs each set of queries among the built-in cards: what people wrote with and without generated cards, and the
    /// long tail with them.
    pub fn measure() -> Result<Self, BenchError> {
        let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
        let model = StaticModel::built_in();
        let mut rows = Vec::new();
        for with_generated in [false, true] {
            let search = built_in_search(&catalog, &model, with_generated);
            for queries in QuerySet::EACH {
                if queries == QuerySet::LongTail && !with_generated {
                    continue;
                }
                let answers = queries.read(&catalog)?;
                let answers = answers
                    .iter()
                    .map(|query| answer(&search, query, with_generated));
                rows.push(GeneratedRow {
                    queries,
                    with_generated,
                    answers: answers.collect(),
                });
            }
        }
        Ok(Self { rows })
    }

    /// Returns the figures of a set of queries; `None` if it was not run that way.
    pub fn figures(&self, queries: QuerySet, with_generated: bool, part: Part) -> Option<Figures> {
        let mut rows = self.rows.iter();
        let row = rows.find(|it| it.queries == queries && it.with_generated == with_generated)?;
        Some(row.figures(part))
    }

    /// Returns a table with a line for each set of queries and catalogue. Shares are in percent.
    pub fn table(&self, part: Part) -> String {
        let mut text = format!(
            "{:<29} {:<17} {:>7}  {:>5} {:>5} {:>5} {:>5}\n",
            "queries for built-in cards", "searched among", "queries", "r@1", "r@5", "r@10", "mrr"
        );
        for row in &self.rows {
            let among = if row.with_generated {
                "all cards"
            } else {
                "written cards"
            };
            let figures = row.figures(part);
            let percent = |share: f64| format!("{:.1}", share * 100.0);
            let _ = writeln!(
                text,
                "{:<29} {among:<17} {:>7}  {:>5} {:>5} {:>5} {:>5}",
                row.queries.name(),
                figures.queries,
                percent(figures.recall_1),
                percent(figures.recall_5),
                percent(figures.recall_10),
                percent(figures.mrr),
            );
        }
        text
    }

    /// Returns one part, or all parts separately. Shares are from 0 to 1, rounded to four digits.
    pub fn json(&self, only: Option<Part>) -> Value {
        let rows = self.rows.iter().map(|row| {
            let parts = Part::EACH
                .into_iter()
                .filter(|part| only.is_none_or(|only| only == *part));
            let parts = parts.map(|part| (key(part.name()), of(&row.figures(part))));
            json!({
                "queries": row.queries.name(),
                "with_generated": row.with_generated,
                "parts": Value::Object(Map::from_iter(parts)),
            })
        });
        rows.collect()
    }
}

impl GeneratedRow {
    fn figures(&self, part: Part) -> Figures {
        let own = self.answers.iter().filter(|(half, _)| part.has(*half));
        Figures::of(own.map(|(_, answer)| answer))
    }
}

fn answer(search: &BuiltInSearch<'_>, query: &Query, with_generated: bool) -> (Part, QueryRanks) {
    let request = SearchRequest {
        intent: Some(query.text.clone()),
        with_generated,
        ..SearchRequest::default()
    };
    let hits = search.search(&request);
    let places = hits.iter().take(PLACES).enumerate();
    let places =
        places.filter_map(|(place, hit)| query.relevant.contains(&hit.id).then_some(place));
    let ranks = QueryRanks {
        places: places.collect(),
        relevant: query.relevant.len(),
        mode: query.mode,
    };
    (query.part, ranks)
}
