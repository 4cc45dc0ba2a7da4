//! Undoes the compression of answers. The state of a decoder is larger than most answers, and setting it up takes longer
//! than using it, so one is kept for the next answer.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use flate2::{Crc, Decompress, FlushDecompress, Status};
use http::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};

use crate::BodyError;

/// What requests say that they accept.
pub const ACCEPTED_ENCODING: HeaderValue = HeaderValue::from_static("gzip");

static SPARE: Mutex<Option<Decompress>> = Mutex::new(None);

/// How many times larger than its compressed form an answer is taken to be at first.
const USUAL_RATIO: usize = 4;

/// The bytes before the content, and after it: a checksum and the size.
const HEAD_BYTES: usize = 10;
const TAIL_BYTES: usize = 8;

/// Returns the body in full, at most `limit` bytes of it.
pub(crate) fn decoded(body: Bytes, headers: &HeaderMap, limit: usize) -> Result<Bytes, BodyError> {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    match (codings.next().map(HeaderValue::as_bytes), codings.next()) {
        (None | Some(b"identity"), None) => Ok(body),
        // A server that has no content need not compress it.
        (Some(b"gzip" | b"x-gzip"), None) if body.is_empty() => Ok(body),
        (Some(b"gzip" | b"x-gzip"), None) => {
            let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).take();
            let mut inflate = spare.unwrap_or_else(|| Decompress::new(false));
            let result = members(&mut inflate, &body, limit);
            *SPARE.lock().unwrap_or_else(PoisonError::into_inner) = Some(inflate);
            result.map(Bytes::from)
        }
        // Nobody asked for another coding.
        _ => Err(BodyError::Broken),
    }
}

/// Inflates all members of a gzip file, one after the other.
fn members(inflate: &mut Decompress, mut rest: &[u8], limit: usize) -> Result<Vec<u8>, BodyError> {
    let mut out = Vec::with_capacity(rest.len().saturating_mul(USUAL_RATIO).min(limit));
    while !rest.is_empty() {
        let content = after_head(rest).ok_or(BodyError::Broken)?;
        let start = out.len();
        inflate.reset(false);
        let read = member(inflate, content, &mut out, limit)?;
        let (tail, next) = content[read..]
            .split_at_checked(TAIL_BYTES)
            .ok_or(BodyError::Broken)?;
        let mut crc = Crc::new();
        crc.update(&out[start..]);
        let expected = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()];
        if tail != expected.as_flattened() {
            return Err(BodyError::Broken);
        }
        rest = next;
    }
    Ok(out)
}

/// Inflates one member to the end of `out`, and returns how many bytes it took.
fn member(
    inflate: &mut Decompress,
    content: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<usize, BodyError> {
    loop {
        let (read, written) = (consumed(inflate), inflate.total_out());
        let left = content.get(read..).unwrap_or_default();
        let status = inflate
            .decompress_vec(left, out, FlushDecompress::None)
            .map_err(|_| BodyError::Broken)?;
        if out.len() > limit {
            return Err(BodyError::TooLarge { limit });
        }
        if status == Status::StreamEnd {
            return Ok(consumed(inflate));
        }
        let is_full = out.len() == out.capacity();
        if is_full {
            // One byte more than allowed shows that it is too large.
            let more = out.len().max(1024).min(limit + 1 - out.len());
            out.reserve(more);
        } else if consumed(inflate) == read && inflate.total_out() == written {
            // Nothing comes any more: the end is missing.
            return Err(BodyError::Broken);
        }
    }
}

fn consumed(inflate: &Decompress) -> usize {
    usize::try_from(inflate.total_in()).unwrap_or(usize::MAX)
}

/// Returns what comes after the head of a member (RFC 1952).
fn after_head(member: &[u8]) -> Option<&[u8]> {
    const DEFLATE: u8 = 8;
    const HAS_CRC: u8 = 2;
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    const HAS_COMMENT: u8 = 16;
    let (head, mut rest) = member.split_at_checked(HEAD_BYTES)?;
    let &[0x1f, 0x8b, DEFLATE, flags, ..] = head else {
        return None;
    };
    if flags & HAS_EXTRA != 0 {
        let (size, after) = rest.split_at_checked(2)?;
        let size = u16::from_le_bytes(size.try_into().ok()?);
        rest = after.get(usize::from(size)..)?;
    }
    for has_text in [HAS_NAME, HAS_COMMENT] {
        if flags & has_text != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & HAS_CRC != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::write::GzEncoder;
    use flate2::{Compression, GzBuilder};

    use super::*;

    const LIMIT: usize = 100_000;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn decode(coding: &str, body: &[u8]) -> Result<Bytes, BodyError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_str(coding).unwrap());
        decoded(Bytes::copy_from_slice(body), &headers, LIMIT)
    }

    #[test]
    fn content_comes_out_as_it_went_in() {
        for size in [0, 1, 10, 1000, 32_768, 99_999, LIMIT] {
            let repetitive: Vec<u8> = (0..size).map(|at| (at % 7) as u8).collect();
            let mut random = fastrand::Rng::with_seed(size as u64);
            let noise: Vec<u8> = (0..size).map(|_| random.u8(..)).collect();
            for content in [repetitive, noise] {
                assert_eq!(decode("gzip", &gzip(&content)).unwrap(), content);
                assert_eq!(decode("x-gzip", &gzip(&content)).unwrap(), content);
                assert_eq!(decode("identity", &content).unwrap(), content);
            }
        }
        assert_eq!(decode("gzip", b"").unwrap(), b"".as_slice());
        let plain = decoded(Bytes::from_static(b"x"), &HeaderMap::new(), LIMIT);
        assert_eq!(plain.unwrap(), b"x".as_slice());
    }

    #[test]
    fn all_parts_of_a_head_and_several_members_are_read() {
        let builder = || {
            GzBuilder::new()
                .extra(vec![1, 0, 2])
                .filename("a")
                .comment("b")
        };
        let mut encoder = builder().write(Vec::new(), Compression::best());
        encoder.write_all(b"one ").unwrap();
        let mut both = encoder.finish().unwrap();
        both.extend(gzip(b"two"));
        assert_eq!(decode("gzip", &both).unwrap(), b"one two".as_slice());
    }

    #[test]
    fn too_much_is_refused() {
        let large = gzip(&vec![0; LIMIT + 1]);
        let refused = Err(BodyError::TooLarge { limit: LIMIT });
        assert_eq!(decode("gzip", &large), refused);
        assert_eq!(decode("gzip", &gzip(&vec![0; 50 << 20])), refused);
    }

    #[test]
    fn damage_is_found() {
        let good = gzip(b"some content that is not very long, but long enough");
        for len in 1..good.len() {
            assert_eq!(
                decode("gzip", &good[..len]),
                Err(BodyError::Broken),
                "{len}"
            );
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            // The time and the system that a head names do not matter.
            if !(4..HEAD_BYTES).contains(&at) {
                assert!(decode("gzip", &bad).is_err(), "{at}");
            }
        }
        assert_eq!(decode("br", &good), Err(BodyError::Broken));
        assert_eq!(decode("gzip", b"not gzip at all"), Err(BodyError::Broken));
        assert!(
            decode("gzip", &good).is_ok(),
            "the decoder can be used again"
        );
    }
}
