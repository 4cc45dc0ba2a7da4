//! The places of a document where words stand, and how long they are.

/// Id and names, description, intents, parameters.
pub(crate) const FIELDS: usize = 4;

/// How often a word stands in each place, up to 255.
pub(crate) type Counts = [u8; FIELDS];

/// How many words each place of each document has, up to 255.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    of: Vec<Counts>,
}

impl Lengths {
    pub(crate) fn add(&mut self, document: u32, lengths: Counts) {
        let at = document as usize;
        if self.of.len() <= at {
            self.of.resize(at + 1, Counts::default());
        }
        self.of[at] = lengths;
    }

    pub(crate) fn remove(&mut self, document: u32) {
        self.of[document as usize] = Counts::default();
    }

    pub(crate) fn of(&self, document: u32) -> Counts {
        self.of[document as usize]
    }
}
