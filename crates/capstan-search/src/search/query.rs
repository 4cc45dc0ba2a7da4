//! What is asked.

#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub text: &'a str,
    /// The vectors of the query's [parts](crate::Index::parts), in their order. Without them only words
    /// count.
    pub vectors: &'a [Vec<f32>],
    /// How many documents at most.
    pub limit: usize,
    pub method: Method,
}

/// By what documents are found. Names count always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    Words,
    Meaning,
    #[default]
    Hybrid,
}

/// Whether a document is wanted, by its key and its label.
pub type Filter<'a> = dyn Fn(&str, u8) -> bool + 'a;
