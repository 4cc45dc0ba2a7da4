//! Documents that are searched together, and the queries for them.

use capstan_search::Document;

use super::Part;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    pub sources: Vec<Source>,
}

/// A catalogue with queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    /// Whose documents they are: several sources may ask for the same ones.
    pub home: String,
    pub documents: Vec<Document>,
    pub queries: Vec<Query>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub text: String,
    /// Ids of documents.
    pub relevant: Vec<String>,
    pub mode: Mode,
    pub part: Part,
}

/// What counts as found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Any of the relevant ones.
    Any,
    /// Each relevant one is a share.
    All,
}
