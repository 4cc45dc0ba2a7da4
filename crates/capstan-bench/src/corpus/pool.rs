//! Catalogues that are searched as one: thinly described tools beside richly described ones.

use std::collections::{BTreeMap, HashSet};

use capstan_search::Document;

use super::source::{Corpus, Query, Source};

/// Sources that are searched as one, where all of them are there, and what the pool is called.
const POOLS: [(&str, &[&str]); 1] = [(
    "metatool+seal",
    &["metatool", "metatool-multi", "seal-tools"],
)];

/// All sources together.
const MIXED: &str = "mixed";

impl Corpus {
    /// For each pool and each of its sources: the documents of all, and the queries of that one.
    pub fn pools(&self) -> Vec<Vec<Source>> {
        let named = POOLS.iter().filter_map(|(name, members)| {
            let members: Vec<&Source> = members
                .iter()
                .filter_map(|member| self.sources.iter().find(|it| it.name == *member))
                .collect();
            let homes: HashSet<&str> = members.iter().map(|it| it.home.as_str()).collect();
            (homes.len() > 1).then(|| pool(name, &members))
        });
        let all: Vec<&Source> = self.sources.iter().collect();
        let homes: HashSet<&str> = all.iter().map(|it| it.home.as_str()).collect();
        let mixed = (homes.len() > 1).then(|| pool(MIXED, &all));
        named.chain(mixed).collect()
    }
}

fn pool(name: &str, members: &[&Source]) -> Vec<Source> {
    let mut documents: Vec<Document> = Vec::new();
    let mut keys: BTreeMap<(&str, &str), String> = BTreeMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    for member in members {
        for document in &member.documents {
            let own = (member.home.as_str(), document.id.as_str());
            if keys.contains_key(&own) {
                continue;
            }
            let mut document = document.clone();
            // A full stop is no word: what is found by the id stays the same.
            while !taken.insert(document.id.clone()) {
                document.id.push('.');
            }
            keys.insert(own, document.id.clone());
            documents.push(document);
        }
    }
    let queries = |member: &Source| -> Vec<Query> {
        let key = |id: &String| keys.get(&(member.home.as_str(), id.as_str())).cloned();
        let all = member.queries.iter();
        all.map(|query| Query {
            relevant: query.relevant.iter().filter_map(key).collect(),
            ..query.clone()
        })
        .collect()
    };
    let sources = members.iter().map(|member| Source {
        name: format!("{name}: {}", member.name),
        home: name.to_owned(),
        documents: documents.clone(),
        queries: queries(member),
    });
    sources.collect()
}
