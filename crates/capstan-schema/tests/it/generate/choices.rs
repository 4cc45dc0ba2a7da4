//! Decisions read from bytes: fewer bytes, simpler things.

/// Gives the first possibility when there are no bytes left.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// A number below this one.
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

    /// Once in so many times, and never without bytes.
    pub(crate) fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }
}
