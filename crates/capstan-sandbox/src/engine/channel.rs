//! The way to whoever gave the order.

/// The way to whoever gave the order.
pub(crate) trait Channel {
    /// `false` when nobody listens any more.
    fn send(&mut self, frame: Vec<u8>) -> bool;

    /// The next frame, without its header.
    fn receive(&mut self) -> Received;
}

pub(crate) enum Received {
    Frame(Vec<u8>),
    Closed,
}
