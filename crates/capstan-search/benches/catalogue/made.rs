//! Generates the documents of the catalogue, and queries for them.

use std::collections::HashSet;

use capstan_search::Document;

use super::words::Words;

const SERVICES: usize = 3_000;

/// Returns that many documents.
pub(crate) fn documents(count: usize) -> Vec<Document> {
    let mut words = Words::new();
    let services: Vec<_> = (0..SERVICES).map(|_| words.name()).collect();
    let mut seen = HashSet::new();
    let mut documents = Vec::new();
    while documents.len() < count {
        let service = &services[words.random.usize(..SERVICES)];
        let document = words.document(service);
        if seen.insert(document.id.clone()) {
            documents.push(document);
        }
    }
    documents
}

/// Returns queries as people write them: three to fourteen words, one in six with a typing error,
/// one in eight with two parts.
pub(crate) fn queries(count: usize) -> Vec<String> {
    let mut words = Words::new();
    words.random.seed(2);
    (0..count).map(|number| words.query(number)).collect()
}
