//! A query and its options.

/// A query.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub text: &'a str,
    /// The vectors of the query's [parts](crate::Index::parts), in their order. Without them only
    /// words count.
    pub vectors: &'a [Vec<f32>],
    /// The maximum number of documents to return.
    pub limit: usize,
    pub method: Method,
    /// What is known about documents before anything is asked.
    pub priors: &'a [Prior],
}

/// Raises or lowers the score of every document whose [label](crate::Index::set_label) has certain bits. A document that
/// has nothing of the query is not found by its prior alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The bits of the label that are compared.
    pub mask: u8,
    /// The value of these bits.
    pub bits: u8,
    pub score: f32,
}

/// How documents are found. Names always count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    Words,
    Meaning,
    #[default]
    Hybrid,
}

/// Returns whether a document may be found, given its key and its label.
pub type Filter<'a> = dyn Fn(&str, u8) -> bool + 'a;
