//! Reads decisions from bytes: fewer bytes yield simpler results.

/// A source of decisions. It chooses the first possibility when no bytes are left.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Returns a number below the limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        match self.bytes.split_first() {
            Some((byte, rest)) => {
                self.bytes = rest;
                usize::from(*byte) % limit.max(1)
            }
            None => 0,
        }
    }

    pub(crate) fn one<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    /// Returns true once in so many times, and never without bytes.
    pub(crate) fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }
}
