//! The connection to the sender of orders.

/// The connection to the sender of orders.
pub(crate) trait Channel {
    /// Sends a frame; `false` when nobody listens any more.
    fn send(&mut self, frame: Vec<u8>) -> bool;

    /// Waits for the next frame and returns it without its header.
    fn receive(&mut self) -> Received;
}

pub(crate) enum Received {
    Frame(Vec<u8>),
    Closed,
}
