//! Which words descriptions begin with.

use indexmap::IndexMap;

/// How sentences of a description become sentences of the catalogue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    /// Words with which a description may start.
    pub(crate) verbs: &'a [String],
    /// What stands before the verb in some descriptions and says nothing.
    pub(crate) openings: &'a [String],
    /// What says nothing within descriptions.
    pub(crate) omissions: &'a [String],
    /// Other words for the beginning of a description.
    pub(crate) usual_words: &'a IndexMap<String, String>,
}
