//! Source maps: from positions in the JavaScript that is run to positions in the TypeScript.

use capstan_core::code::Place;
use serde_json::{Value, json};

/// A parsed source map.
///
/// Columns in the JavaScript are in bytes, because the engine reports them so. Columns in the
/// TypeScript are in characters.
#[derive(Clone, Debug)]
pub struct SourceMap(Vec<Mapping>);

/// A position in the JavaScript with its original.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    /// Counted from 0, like the column.
    line: u32,
    column: u32,
    original: Place,
}

impl SourceMap {
    pub fn parse(source_map: &str) -> Option<Self> {
        let map: Value = serde_json::from_str(source_map).ok()?;
        let mut mappings = decode(map.get("mappings")?.as_str()?)?;
        mappings.sort_by_key(Mapping::key);
        Some(Self(mappings))
    }

    /// Returns the position in the TypeScript. All lines and columns are counted from 1.
    pub fn original(&self, line: u32, column: u32) -> Option<Place> {
        let target = (line.checked_sub(1)?, column.saturating_sub(1));
        let after = self.0.partition_point(|it| it.key() <= target);
        let before = after.checked_sub(1).and_then(|index| self.0.get(index));
        // Text before the first mapping of a line belongs to that mapping, not to the line before.
        let next = self.0.get(after).filter(|it| it.line == target.0);
        let found = match (before, next) {
            (Some(before), _) if before.line == target.0 => before,
            (_, Some(next)) => next,
            (Some(before), None) => before,
            (None, None) => return None,
        };
        Some(found.original)
    }
}

impl Mapping {
    pub(crate) fn new(line: usize, column: usize, original: Place) -> Self {
        let saturate = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            line: saturate(line),
            column: saturate(column),
            original,
        }
    }

    fn key(&self) -> (u32, u32) {
        (self.line, self.column)
    }
}

/// Writes a source map of version 3, without names and without the source.
pub(crate) fn write(mappings: impl Iterator<Item = Mapping>) -> String {
    let mut text = String::new();
    let mut last = [0_i64; 4];
    let mut line = 0;
    let mut is_first = true;
    for it in mappings {
        if it.line < line {
            continue;
        }
        while line < it.line {
            text.push(';');
            line += 1;
            last[0] = 0;
            is_first = true;
        }
        if !is_first {
            text.push(',');
        }
        is_first = false;
        let now = [
            i64::from(it.column),
            0,
            i64::from(it.original.line) - 1,
            i64::from(it.original.column) - 1,
        ];
        for (now, last) in now.iter().zip(last) {
            encode_number(now - last, &mut text);
        }
        last = now;
    }
    json!({ "version": 3, "sources": ["code.ts"], "names": [], "mappings": text }).to_string()
}

fn decode(mappings: &str) -> Option<Vec<Mapping>> {
    let mut decoded = Vec::new();
    let mut last = [0_i64; 4];
    for (line, segments) in mappings.split(';').enumerate() {
        last[0] = 0;
        for segment in segments.split(',').filter(|it| !it.is_empty()) {
            let mut rest = segment.bytes();
            for field in &mut last {
                *field = field.checked_add(decode_number(&mut rest)?)?;
            }
            let place = Place {
                line: u32::try_from(last[2] + 1).ok()?,
                column: u32::try_from(last[3] + 1).ok()?,
            };
            let column = usize::try_from(last[0]).ok()?;
            decoded.push(Mapping::new(line, column, place));
        }
    }
    Some(decoded)
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends a number in base 64: five bits per digit, the lowest first. The lowest bit of all is the
/// sign.
fn encode_number(number: i64, text: &mut String) {
    let mut rest = (number.unsigned_abs() << 1) | u64::from(number < 0);
    loop {
        let has_more = rest >> 5 != 0;
        let digit = (rest & 31) | (u64::from(has_more) << 5);
        text.push(char::from(DIGITS[digit as usize]));
        rest >>= 5;
        if !has_more {
            break;
        }
    }
}

fn decode_number(digits: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let mut number = 0_i64;
    for shift in (0..40).step_by(5) {
        let digit = digits.next()?;
        let value = DIGITS.iter().position(|&it| it == digit)?;
        let value = i64::try_from(value).ok()?;
        number |= (value & 31) << shift;
        if value & 32 == 0 {
            let magnitude = number >> 1;
            return Some(if number & 1 == 1 {
                -magnitude
            } else {
                magnitude
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32) -> Place {
        Place { line, column }
    }

    #[test]
    fn what_is_written_is_read() {
        let mappings = [
            Mapping::new(0, 0, place(1, 1)),
            Mapping::new(0, 17, place(3, 400)),
            Mapping::new(2, 4, place(2, 1)),
            Mapping::new(2, 90_000, place(70_000, 5)),
        ];
        let places = SourceMap::parse(&write(mappings.into_iter())).unwrap();
        assert_eq!(places.original(1, 1), Some(place(1, 1)));
        assert_eq!(places.original(1, 17), Some(place(1, 1)));
        assert_eq!(places.original(1, 18), Some(place(3, 400)));
        assert_eq!(places.original(2, 5), Some(place(3, 400)));
        assert_eq!(places.original(3, 1), Some(place(2, 1)));
        assert_eq!(places.original(3, 90_001), Some(place(70_000, 5)));
        assert_eq!(places.original(99, 1), Some(place(70_000, 5)));
        assert_eq!(places.original(0, 1), None);
    }

    #[test]
    fn other_text_is_no_source_map() {
        for text in [
            "",
            "{}",
            "[]",
            r#"{"mappings":"!"}"#,
            r#"{"mappings":"A"}"#,
            r#"{"mappings":"DDDD"}"#,
        ] {
            assert!(SourceMap::parse(text).is_none(), "{text}");
        }
    }
}
