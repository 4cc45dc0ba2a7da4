//! Pools: several sources searched as one, to mix tools with short and with long descriptions.

use std::collections::{BTreeMap, HashSet};

use capstan_search::Document;

use super::source::{Corpus, Query, Source};

/// The name of a pool and its sources. A pool is used only if all its sources are present.
const POOLS: [(&str, &[&str]); 1] = [(
    "metatool+seal",
    &["metatool", "metatool-multi", "seal-tools"],
)];

/// The name of the pool of all sources.
const MIXED: &str = "mixed";

impl Corpus {
    /// Returns, for each pool and each of its sources, the documents of the whole pool with the queries of that source.
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
            // A full stop is not part of a word, so searching by id finds the same.
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
