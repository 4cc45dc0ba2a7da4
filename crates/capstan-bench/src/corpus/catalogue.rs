//! Public queries for cards: for those that people wrote, and for operations that only have a generated card.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Part;
use super::public::parse;
use super::source::{Mode, Query};
use crate::BenchError;

/// What `gh` and GitHub's MCP server say about things for which somebody wrote a card.
const PEERS: (&str, &str) = ("peers.jsonl", include_str!("../../data/peers.jsonl"));
/// What they say about everything else.
const TAIL: (&str, &str) = ("tail.jsonl", include_str!("../../data/tail.jsonl"));

#[derive(Deserialize)]
struct PublicQuery {
    query: String,
    relevant: Vec<String>,
}

impl Query {
    /// Returns the public queries for cards that people wrote.
    pub fn for_written_cards() -> Result<Vec<Self>, BenchError> {
        read(PEERS, |id| Some(id.to_owned()))
    }

    /// Returns the public queries for operations that only have a generated card. `ids` has the id of the card of each
    /// operation, by what GitHub calls the operation. Operations without a card are left out.
    pub fn for_the_long_tail(ids: &BTreeMap<&str, &str>) -> Result<Vec<Self>, BenchError> {
        read(TAIL, |source| ids.get(source).map(|&id| id.to_owned()))
    }
}

fn read(
    (file, text): (&str, &str),
    id: impl Fn(&str) -> Option<String>,
) -> Result<Vec<Query>, BenchError> {
    let queries = parse(text, file)?.into_iter().map(|(line, it)| {
        let PublicQuery { query, relevant } = it;
        let relevant: Vec<String> = relevant.iter().filter_map(|it| id(it)).collect();
        if relevant.is_empty() {
            let problem = "none of what is relevant has a card".to_owned();
            return Err(BenchError::Line {
                file: file.to_owned(),
                line,
                problem,
            });
        }
        Ok(Query {
            part: Part::of(&query),
            text: query,
            relevant,
            mode: Mode::Any,
        })
    });
    queries.collect()
}
