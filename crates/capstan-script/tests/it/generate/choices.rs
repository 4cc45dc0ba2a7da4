//! Decisions from random bytes: fewer and smaller bytes make simpler programs, so failures shrink.

/// Random bytes that are used up. When there are none left, every decision is the first one.
#[derive(Clone, Debug)]
pub(super) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
        }
    }

    /// A number less than `count`, which must not be 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte)) % count
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Whether there is anything left to decide with.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }
}
