//! The places of a document where words stand, and how long they are.

/// Id and names, description, intents, parameters.
pub(crate) const FIELDS: usize = 4;

/// How often a word stands in each place, up to 255.
pub(crate) type Counts = [u8; FIELDS];

/// How many words each place of each document has, up to 255, and all documents together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    of: Vec<Counts>,
    words: [u64; FIELDS],
    /// Documents that have any word there.
    filled: [u64; FIELDS],
}

impl Lengths {
    pub(crate) fn add(&mut self, document: u32, lengths: Counts) {
        let at = document as usize;
        if self.of.len() <= at {
            self.of.resize(at + 1, Counts::default());
        }
        self.of[at] = lengths;
        for (field, length) in lengths.into_iter().enumerate() {
            self.words[field] += u64::from(length);
            self.filled[field] += u64::from(length > 0);
        }
    }

    pub(crate) fn remove(&mut self, document: u32) {
        let lengths = std::mem::take(&mut self.of[document as usize]);
        for (field, length) in lengths.into_iter().enumerate() {
            self.words[field] -= u64::from(length);
            self.filled[field] -= u64::from(length > 0);
        }
    }

    pub(crate) fn of(&self, document: u32) -> Counts {
        self.of[document as usize]
    }

    /// The mean length of each place where there is something.
    pub(crate) fn means(&self) -> [f32; FIELDS] {
        std::array::from_fn(|field| {
            let filled = self.filled[field].max(1);
            (self.words[field] as f64 / filled as f64).max(1.0) as f32
        })
    }
}
