//! Makes decisions from random bytes. Fewer and smaller bytes make simpler documents, so failures
//! shrink.

/// Random bytes to consume. When none are left, every decision is the first one.
#[derive(Debug)]
pub(super) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
        }
    }

    /// Returns a number less than `count`, which must not be 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let mut number = self.byte();
        if count > 256 {
            number = number * 256 + self.byte();
        }
        number % count
    }

    /// Returns true in about this many of a hundred cases.
    pub(super) fn percent(&mut self, chance: usize) -> bool {
        // The first decision is "no", so that optional parts are left out at the end.
        self.byte() * 100 / 256 >= 100 - chance
    }

    pub(super) fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// Returns whether any bytes are left.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }

    fn byte(&mut self) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte))
    }
}
