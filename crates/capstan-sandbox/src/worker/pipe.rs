//! Frames over standard input and output.

use std::io;

use crate::engine::{Channel, Received};
use crate::wire::{HEADER_BYTES, frame_length};

/// The largest frame that a worker accepts. Real frames are smaller; this guards against a broken
/// sender.
const MAX_FRAME_BYTES: usize = 1 << 30;

#[derive(Default)]
pub(super) struct Pipe {
    buffer: Vec<u8>,
    /// How much of the buffer was consumed.
    consumed: usize,
}

impl Channel for Pipe {
    fn send(&mut self, frame: Vec<u8>) -> bool {
        write_output(&frame).is_ok()
    }

    fn receive(&mut self) -> Received {
        loop {
            match self.take_frame() {
                Some(Ok(body)) => return Received::Frame(body),
                Some(Err(())) => return Received::Closed,
                None => {}
            }
            if !self.fill() {
                return Received::Closed;
            }
        }
    }
}

impl Pipe {
    fn take_frame(&mut self) -> Option<Result<Vec<u8>, ()>> {
        let left = &self.buffer[self.consumed..];
        let length = frame_length(*left.first_chunk::<HEADER_BYTES>()?);
        if length > MAX_FRAME_BYTES {
            return Some(Err(()));
        }
        let body = left.get(HEADER_BYTES..HEADER_BYTES + length)?.to_vec();
        self.consumed += HEADER_BYTES + length;
        if self.consumed == self.buffer.len() {
            self.buffer.clear();
            self.consumed = 0;
            // The memory of one large frame is not kept.
            self.buffer.shrink_to(1 << 16);
        }
        Some(Ok(body))
    }

    fn fill(&mut self) -> bool {
        if self.consumed > 0 {
            self.buffer.drain(..self.consumed);
            self.consumed = 0;
        }
        let known = self.buffer.len();
        self.buffer.resize(known + (1 << 16), 0);
        let read = loop {
            match read_input(&mut self.buffer[known..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.unwrap_or(0),
            }
        };
        self.buffer.truncate(known + read);
        read > 0
    }
}

/// Reads what is available, without a buffer of its own.
#[cfg(unix)]
fn read_input(into: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(rustix::stdio::stdin(), into)?)
}

/// Writes without a buffer, which would split a frame.
#[cfg(unix)]
fn write_output(mut frame: &[u8]) -> io::Result<()> {
    while !frame.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), frame) {
            Ok(written) => frame = frame.get(written..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn write_output(frame: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let mut out = io::stdout().lock();
    out.write_all(frame)?;
    out.flush()
}

#[cfg(not(unix))]
fn read_input(into: &mut [u8]) -> io::Result<usize> {
    io::Read::read(&mut io::stdin().lock(), into)
}
