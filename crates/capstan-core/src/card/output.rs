//! How an answer becomes the normalized output: field by field, as data.

use indexmap::IndexMap;

use crate::expr::{Expr, Path};

/// `root` is where the fields' paths start.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Null or absent here means that the thing does not exist.
    pub root: Option<Path>,
    /// What must hold of the root; else it counts as not there. REST calls pull requests issues.
    pub require: Option<Expr>,
    pub fields: IndexMap<String, FieldMapping>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FieldMapping {
    Value(Expr),
    /// A nested object.
    Object(IndexMap<String, FieldMapping>),
    /// An array of objects, one for each element.
    Each {
        each: Expr,
        fields: IndexMap<String, FieldMapping>,
    },
}
