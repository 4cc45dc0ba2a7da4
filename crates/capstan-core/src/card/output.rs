//! How an answer becomes the normalized output: field by field, as data.

use indexmap::IndexMap;

use crate::expr::{Expr, Path, Template};

/// `root` is where the fields' paths start.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Null or absent here means that the thing does not exist.
    pub root: Option<Path>,
    /// What must hold of the root; else it counts as not there. REST calls pull requests issues.
    pub require: Option<Expr>,
    pub fields: IndexMap<String, FieldMapping>,
    /// What the caller should hear beside the data.
    pub warn: Vec<Warning>,
}

/// A message that accompanies an answer of which `when` holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub when: Expr,
    pub message: Template,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FieldMapping {
    Value(Expr),
    /// A nested object.
    Object(IndexMap<String, FieldMapping>),
    /// A nested object whose fields are read from the value of `from`; no value where that has none.
    ObjectFrom {
        from: Expr,
        fields: IndexMap<String, FieldMapping>,
    },
    /// An array of objects, one for each element.
    Each {
        each: Expr,
        fields: IndexMap<String, FieldMapping>,
    },
}
