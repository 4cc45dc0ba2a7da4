//! Numbers and texts as bytes. Malformed input is `None`: the other side may be hostile.

/// The bytes of the length before every frame.
pub(crate) const HEADER_BYTES: usize = 4;

/// Returns how many bytes follow the header.
pub(crate) fn frame_length(header: [u8; HEADER_BYTES]) -> usize {
    u32::from_le_bytes(header) as usize
}

/// Writes a frame.
#[derive(Debug)]
pub(crate) struct FrameWriter(Vec<u8>);

impl FrameWriter {
    pub(crate) fn new(kind: u8) -> Self {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend_from_slice(&[0; HEADER_BYTES]);
        bytes.push(kind);
        Self(bytes)
    }

    pub(crate) fn byte(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    pub(crate) fn flag(&mut self, value: bool) -> &mut Self {
        self.byte(u8::from(value))
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn count(&mut self, value: usize) -> &mut Self {
        self.u32(u32::try_from(value).unwrap_or(u32::MAX))
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        self.count(value.len());
        self.0.extend_from_slice(value.as_bytes());
        self
    }

    pub(crate) fn optional_text(&mut self, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.flag(true).text(value),
            None => self.flag(false),
        }
    }

    /// Returns the frame with its length at the start.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - HEADER_BYTES).unwrap_or(u32::MAX);
        self.0[..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// Reads the rest of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameReader<'a>(&'a [u8]);

impl<'a> FrameReader<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Self {
        Self(body)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        Some(std::str::from_utf8(self.take(length)?).ok()?.to_owned())
    }

    pub(crate) fn optional_text(&mut self) -> Option<Option<String>> {
        if self.flag()? {
            Some(Some(self.text()?))
        } else {
            Some(None)
        }
    }

    /// Reads a list that is preceded by its length. Never reserves more than there are bytes.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let length = self.u32()? as usize;
        let mut items = Vec::with_capacity(length.min(self.0.len()));
        for _ in 0..length {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Returns whether everything was read. A frame that is too long is as wrong as one that is too
    /// short.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
