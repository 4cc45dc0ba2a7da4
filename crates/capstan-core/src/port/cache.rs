//! The port to a place for something that can be made again, and takes time to make.

pub trait Cache: Send + Sync {
    /// What was kept last; nothing if it is gone, or was never there.
    fn load(&self) -> Option<Vec<u8>>;

    /// Keeps it instead of what was there. That it could not be kept is nobody's concern.
    fn keep(&self, bytes: &[u8]);
}
