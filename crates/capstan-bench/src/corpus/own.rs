//! The built-in catalogue, with queries written by somebody who had not read it.

use std::collections::HashSet;

use capstan_search::Document;
use serde::Deserialize;

use super::Part;
use super::public::parse;
use super::source::{Mode, Query, Source};
use crate::BenchError;

const FILE: &str = "paraphrases.jsonl";
const PARAPHRASES: &str = include_str!("../../data/paraphrases.jsonl");

#[derive(Deserialize)]
struct Paraphrase {
    query: String,
    relevant: Vec<String>,
}

impl Source {
    /// Creates a corpus of the built-in capabilities, as they are indexed, with their held-out queries. Queries for
    /// capabilities that are not among `documents` are left out.
    pub fn own(documents: Vec<Document>) -> Result<Self, BenchError> {
        let name = "capstan".to_owned();
        let known: HashSet<&str> = documents.iter().map(|it| it.id.as_str()).collect();
        let mut queries = Vec::new();
        for (_, paraphrase) in parse(PARAPHRASES, FILE)? {
            let Paraphrase {
                query,
                mut relevant,
            } = paraphrase;
            relevant.retain(|id| known.contains(id.as_str()));
            if !relevant.is_empty() {
                queries.push(Query {
                    part: Part::of(&query),
                    text: query,
                    relevant,
                    mode: Mode::Any,
                });
            }
        }
        if queries.is_empty() {
            return Err(BenchError::Empty { source_name: name });
        }
        Ok(Self {
            home: name.clone(),
            name,
            documents,
            queries,
        })
    }
}
