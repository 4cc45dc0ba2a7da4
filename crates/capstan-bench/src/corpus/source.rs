//! Documents that are searched together, and the queries for them.

use capstan_search::Document;

use super::Part;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    pub sources: Vec<Source>,
}

/// A set of documents with queries for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    /// The owner of the documents. Several sources may share the same documents.
    pub home: String,
    pub documents: Vec<Document>,
    pub queries: Vec<Query>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub text: String,
    /// Ids of the relevant documents.
    pub relevant: Vec<String>,
    pub mode: Mode,
    pub part: Part,
}

/// How the relevant documents are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Finding any relevant document counts as full success.
    Any,
    /// Each relevant document found counts as a share.
    All,
}
