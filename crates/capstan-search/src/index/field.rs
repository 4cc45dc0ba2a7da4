//! The fields of a document in which words occur, and their lengths.

/// The number of fields: id and names, description, intents, parameters.
pub(crate) const FIELDS: usize = 4;

/// How often a word occurs in each field, at most 255.
pub(crate) type Counts = [u8; FIELDS];

/// How many words each field of each document has, at most 255.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    by_document: Vec<Counts>,
}

impl Lengths {
    pub(crate) fn add(&mut self, document: u32, lengths: Counts) {
        let at = document as usize;
        if self.by_document.len() <= at {
            self.by_document.resize(at + 1, Counts::default());
        }
        self.by_document[at] = lengths;
    }

    pub(crate) fn remove(&mut self, document: u32) {
        self.by_document[document as usize] = Counts::default();
    }

    pub(crate) fn get(&self, document: u32) -> Counts {
        self.by_document[document as usize]
    }
}
