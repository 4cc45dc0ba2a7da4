//! How an answer becomes the normalized output: field by field, as data.

use indexmap::IndexMap;

use crate::expr::{Expr, Path, Template};

/// The mapping from an answer to the output. The paths of the fields start at `root`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Whether the data is the answer as it is. Then nothing else here applies.
    pub is_whole_answer: bool,
    /// Where the fields start. Null or absent here means that the object does not exist.
    pub root: Option<Path>,
    /// A condition on the root. If it is false, the object counts as missing: REST calls pull
    /// requests issues.
    pub require: Option<Expr>,
    pub fields: IndexMap<String, FieldMapping>,
    /// Messages for the caller beside the data.
    pub warn: Vec<Warning>,
}

/// A message that accompanies an answer if `when` is true.
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
    /// A nested object whose fields are read from the value of `from`; absent if that is absent.
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
