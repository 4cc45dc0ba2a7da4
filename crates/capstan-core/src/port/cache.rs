//! The port to a cache for something that is slow to make but can be made again.

pub trait Cache: Send + Sync {
    /// Returns the bytes that were stored last; `None` if there are none.
    fn load(&self) -> Option<Vec<u8>>;

    /// Replaces the stored bytes. Failures are ignored.
    fn keep(&self, bytes: &[u8]);
}
