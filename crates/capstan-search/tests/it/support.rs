//! A small catalogue, and a model that knows a few synonyms.

use capstan_search::{Document, Index, Method, Query, SearchHit};

pub(crate) const DIMENSION: usize = 8;

pub(crate) fn document(id: &str, description: &str) -> Document {
    Document {
        id: id.to_owned(),
        description: description.to_owned(),
        ..Document::default()
    }
}

/// Embeds a text. Each direction is a subject, and words of one subject mean the same.
pub(crate) fn embed(text: &str) -> Vec<f32> {
    const SUBJECTS: [&[&str]; DIMENSION] = [
        &["issue", "ticket", "problem", "defect"],
        &["close", "finish", "resolve", "shut"],
        &["label", "labels", "tag", "mark"],
        &["merge", "combine", "unite"],
        &["list", "enumerate", "overview"],
        &["weather", "rain", "forecast", "umbrella"],
        &["pr", "pull", "change"],
        &["money", "finance", "stocks"],
    ];
    let mut vector = vec![0.0; DIMENSION];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        for (subject, words) in SUBJECTS.iter().enumerate() {
            if words.contains(&word) {
                vector[subject] += 1.0;
            }
        }
    }
    vector
}

pub(crate) fn put(index: &mut Index, document: &Document) {
    let vectors: Vec<_> = document.texts().iter().map(|it| embed(it)).collect();
    index.put(document, &vectors).unwrap();
}

pub(crate) fn index(documents: &[Document]) -> Index {
    let mut index = Index::new("subjects", DIMENSION);
    documents.iter().for_each(|it| put(&mut index, it));
    index
}

pub(crate) fn catalogue() -> Index {
    index(&[
        document("issue.close", "Close an issue"),
        document("issue.labels.add", "Add labels to an issue"),
        document("issue.list", "List the issues of a repository"),
        document("pr.merge", "Merge a pull request"),
        document("pr.list", "List pull requests"),
        document("repo.milestones.create", "Create a milestone"),
        document("weather.today", "Today's forecast"),
    ])
}

pub(crate) fn search_by(index: &Index, text: &str, method: Method) -> Vec<SearchHit> {
    let vectors: Vec<_> = index.parts(text).iter().map(|it| embed(it)).collect();
    let query = Query {
        text,
        vectors: &vectors,
        limit: 5,
        method,
        priors: &[],
    };
    index.search(&query, &|_, _| true).unwrap()
}

pub(crate) fn search(index: &Index, text: &str) -> Vec<SearchHit> {
    search_by(index, text, Method::Hybrid)
}

pub(crate) fn first(index: &Index, text: &str) -> Option<String> {
    search(index, text).into_iter().next().map(|it| it.key)
}

#[track_caller]
pub(crate) fn check_first(index: &Index, text: &str, expected: &str) {
    assert_eq!(first(index, text).as_deref(), Some(expected), "{text}");
}
