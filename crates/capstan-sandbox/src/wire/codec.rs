//! Numbers and texts as bytes. Whatever cannot be read is `None`: the other side may be hostile.

/// The length that stands before every frame.
pub(crate) const HEADER: usize = 4;

/// How many bytes follow the header.
pub(crate) fn frame_length(header: [u8; HEADER]) -> usize {
    u32::from_le_bytes(header) as usize
}

/// A frame that is being written.
#[derive(Debug)]
pub(crate) struct Frame(Vec<u8>);

impl Frame {
    pub(crate) fn new(kind: u8) -> Self {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend_from_slice(&[0; HEADER]);
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

    pub(crate) fn short(&mut self, value: u32) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn long(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn count(&mut self, value: usize) -> &mut Self {
        self.short(u32::try_from(value).unwrap_or(u32::MAX))
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        self.count(value.len());
        self.0.extend_from_slice(value.as_bytes());
        self
    }

    pub(crate) fn maybe_text(&mut self, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.flag(true).text(value),
            None => self.flag(false),
        }
    }

    /// With its length before it.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - HEADER).unwrap_or(u32::MAX);
        self.0[..HEADER].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// What is left of a frame that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
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

    pub(crate) fn short(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.short()? as usize;
        Some(std::str::from_utf8(self.take(length)?).ok()?.to_owned())
    }

    pub(crate) fn maybe_text(&mut self) -> Option<Option<String>> {
        if self.flag()? {
            Some(Some(self.text()?))
        } else {
            Some(None)
        }
    }

    /// A list whose length stands before it. It never reserves more than there are bytes.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let length = self.short()? as usize;
        let mut items = Vec::with_capacity(length.min(self.0.len()));
        for _ in 0..length {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Whether everything was read: what is too long is as wrong as what is too short.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
