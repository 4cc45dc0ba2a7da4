//! Frames over standard input and output.

use std::io;

use crate::engine::{Channel, Received};
use crate::wire::{HEADER, frame_length};

/// The largest frame that a worker takes. Its own limits are smaller; this is for a broken sender.
const LARGEST: usize = 1 << 30;

#[derive(Default)]
pub(super) struct Pipe {
    buffer: Vec<u8>,
    /// How much of the buffer was taken already.
    taken: usize,
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
        let left = &self.buffer[self.taken..];
        let length = frame_length(*left.first_chunk::<HEADER>()?);
        if length > LARGEST {
            return Some(Err(()));
        }
        let body = left.get(HEADER..HEADER + length)?.to_vec();
        self.taken += HEADER + length;
        if self.taken == self.buffer.len() {
            self.buffer.clear();
            self.taken = 0;
            // What one large frame needed is not kept for all that come.
            self.buffer.shrink_to(1 << 16);
        }
        Some(Ok(body))
    }

    fn fill(&mut self) -> bool {
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.taken = 0;
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

/// Reads what is there, without a buffer of its own.
#[cfg(unix)]
fn read_input(into: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(rustix::stdio::stdin(), into)?)
}

/// Without a buffer, which would write a frame in pieces.
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
