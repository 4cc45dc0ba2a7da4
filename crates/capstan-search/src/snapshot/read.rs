//! Reads an index from bytes. Nothing is trusted: every number is checked before it is used, and
//! memory is bounded by the number of bytes.

use super::{FORMAT, MAGIC};
use crate::index::{Counts, Entry, FIELDS, Usage};
use crate::vector::Quantized;
use crate::{Digest, Index, SnapshotError};

type Result<T> = std::result::Result<T, SnapshotError>;

impl Index {
    /// Reads the result of [`to_bytes`](Self::to_bytes). The caller checks whether its
    /// [model](Self::model) is still the right one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut head = Bytes(bytes);
        if head.array().ok() != Some(MAGIC) {
            return Err(SnapshotError::Foreign);
        }
        let format = u32::from_le_bytes(head.array()?);
        if format != FORMAT {
            return Err(SnapshotError::Version(format));
        }
        let checksum = u32::from_le_bytes(head.array()?);
        if crc32fast::hash(head.0) != checksum {
            return Err(SnapshotError::Damaged);
        }
        let mut body = head;
        let index = read(&mut body)?;
        match body.0 {
            [] => Ok(index),
            _ => Err(SnapshotError::Damaged),
        }
    }
}

fn read(body: &mut Bytes<'_>) -> Result<Index> {
    let model = body.text()?;
    let mut index = Index::new(model, body.number()?);
    let words = read_words(body)?;
    let places: Vec<_> = words.iter().map(|it| index.vocabulary.place(it)).collect();
    let mut used = vec![false; places.len()];
    let mut last = None;
    for _ in 0..body.number()? {
        let key = body.text()?;
        ensure(last.is_none_or(|last| last < key))?;
        last = Some(key);
        read_document(body, &mut index, key, &places, &mut used)?;
    }
    // A word that no document has would stay for ever.
    ensure(used.iter().all(|it| *it))?;
    Ok(index)
}

fn read_words<'a>(body: &mut Bytes<'a>) -> Result<Vec<&'a str>> {
    let mut words: Vec<&str> = Vec::new();
    for _ in 0..body.number()? {
        let word = body.text()?;
        ensure(!word.is_empty() && words.last().is_none_or(|last| *last < word))?;
        words.push(word);
    }
    Ok(words)
}

fn read_document(
    body: &mut Bytes<'_>,
    index: &mut Index,
    key: &str,
    places: &[u32],
    used: &mut [bool],
) -> Result<()> {
    let mut names: Vec<Box<str>> = Vec::new();
    for _ in 0..body.number()? {
        names.push(body.text()?.into());
    }
    let digest = Digest(body.array()?);
    let lengths: Counts = body.array()?;
    let mut words: Vec<Usage> = Vec::new();
    let mut last = None;
    for _ in 0..body.number()? {
        let rank = body.number()?;
        let counts: [u8; FIELDS] = body.array()?;
        ensure(last.is_none_or(|last| last < rank) && counts != Counts::default())?;
        last = Some(rank);
        let word = *places.get(rank).ok_or(SnapshotError::Damaged)?;
        used[rank] = true;
        words.push(Usage { word, counts });
    }
    let mut vectors = vec![body.vector(index.dimension())?];
    for _ in 0..body.number()? {
        vectors.push(body.vector(index.dimension())?);
    }
    let entry = Entry {
        key: key.into(),
        names: names.into(),
        digest,
        words: words.into(),
    };
    index.insert(entry, lengths, vectors);
    Ok(())
}

fn ensure(is_valid: bool) -> Result<()> {
    if is_valid {
        Ok(())
    } else {
        Err(SnapshotError::Damaged)
    }
}

/// The bytes that are left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(SnapshotError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SnapshotError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<usize> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn vector(&mut self, dimension: usize) -> Result<Quantized> {
        let scale = f32::from_le_bytes(self.array()?);
        ensure(scale.is_finite() && (0.0..=1.0).contains(&scale))?;
        let bytes = self.take(dimension)?;
        Ok(Quantized {
            bytes: bytes.iter().map(|it| it.cast_signed()).collect(),
            scale,
        })
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| SnapshotError::Damaged)
    }
}
