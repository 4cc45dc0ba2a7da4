//! Results depend on the content of the index, not on the order of changes.

use capstan_search::{Document, Index, Method};
use proptest::prelude::*;

use crate::support::{DIMENSION, put, search_by};

#[derive(Clone, Debug)]
enum Change {
    Put(Document),
    Remove(String),
}

fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "issue",
        "issues",
        "label",
        "labels",
        "lable",
        "close",
        "closed",
        "merge",
        "PR",
        "pull",
        "list",
        "weather",
        "rain",
        "the",
        "a",
        "milestone",
        "milestones",
        "get",
        "x",
        "ünit",
        "42",
    ]);
    prop::collection::vec(word, words).prop_map(|words| words.join(" "))
}

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a.b",
        "a_b",
        "issue.list",
        "Issue.List",
        "pr",
        "!",
        "c",
    ])
    .prop_map(str::to_owned)
}

fn change() -> impl Strategy<Value = Change> {
    let document = (
        id(),
        prop::collection::vec(id(), 0..2),
        text(0..6),
        prop::collection::vec(text(0..4), 0..2),
        prop::collection::vec(text(0..2), 0..3),
    );
    let document = document.prop_map(|(id, names, description, intents, parameters)| Document {
        id,
        names,
        description,
        intents,
        parameters,
    });
    prop_oneof![
        3 => document.prop_map(Change::Put),
        1 => id().prop_map(Change::Remove),
    ]
}

proptest! {
    #[test]
    fn the_way_does_not_matter(
        changes in prop::collection::vec(change(), 0..30),
        texts in prop::collection::vec(prop_oneof![text(0..5), id()], 1..4),
    ) {
        let mut index = Index::new("subjects", DIMENSION);
        let mut left: Vec<Document> = Vec::new();
        for change in &changes {
            match change {
                Change::Put(document) => {
                    put(&mut index, document);
                    left.retain(|it| it.id != document.id);
                    left.push(document.clone());
                }
                Change::Remove(id) => {
                    let was_there = left.iter().any(|it| it.id == *id);
                    prop_assert_eq!(index.remove(id), was_there);
                    left.retain(|it| it.id != *id);
                }
            }
        }
        let mut fresh = Index::new("subjects", DIMENSION);
        left.iter().rev().for_each(|it| put(&mut fresh, it));
        prop_assert_eq!(index.len(), left.len());
        for it in &left {
            prop_assert!(index.contains(&it.id, it.digest()));
        }
        prop_assert_eq!(index.to_bytes(), fresh.to_bytes());
        for text in &texts {
            for method in [Method::Words, Method::Meaning, Method::Hybrid] {
                let found = search_by(&index, text, method);
                prop_assert_eq!(&found, &search_by(&fresh, text, method));
                prop_assert!(found.is_sorted_by(|one, two| one.score >= two.score));
                prop_assert!(found.iter().all(|it| (0.0..=1.0).contains(&it.score)));
            }
        }
    }

    #[test]
    fn any_text_can_be_searched(id: String, text: String, query: String) {
        let document = Document { id: id.clone(), description: text, ..Document::default() };
        let mut index = Index::new("subjects", DIMENSION);
        put(&mut index, &document);
        let _ = search_by(&index, &query, Method::Hybrid);
        let found = search_by(&index, &id, Method::Hybrid);
        prop_assert!(id.trim().is_empty() || found[0].score == 1.0);
    }
}
