//! Native functions for the engine's libraries where JavaScript is too slow or lacks them: URLs,
//! text encodings, digests, random bytes. None of them has side effects outside the engine.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the engine hands over what functions are called with"
)]

use rquickjs::convert::List;
use rquickjs::{Ctx, Function, Object, TypedArray, Value};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use url::{Url, form_urlencoded, quirks};

/// Returns the functions as an object.
pub(super) fn pure<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
    let pure = Object::new(ctx.clone())?;
    pure.set("readUrl", Function::new(ctx.clone(), read_url)?)?;
    pure.set("changeUrl", Function::new(ctx.clone(), change_url)?)?;
    pure.set("readForm", Function::new(ctx.clone(), read_form)?)?;
    pure.set("writeForm", Function::new(ctx.clone(), write_form)?)?;
    pure.set("encode", Function::new(ctx.clone(), encode)?)?;
    pure.set("decode", Function::new(ctx.clone(), decode)?)?;
    pure.set("digest", Function::new(ctx.clone(), digest)?)?;
    pure.set("random", Function::new(ctx.clone(), random)?)?;
    Ok(pure)
}

/// Returns the parts of a URL in the order in which `web.js` names them; `None` if the text is no
/// URL.
fn read_url(text: String, base: Option<String>) -> Option<Vec<String>> {
    let url = match base {
        Some(base) => Url::parse(&base).ok()?.join(&text),
        None => Url::parse(&text),
    };
    Some(parts(&url.ok()?))
}

fn parts(url: &Url) -> Vec<String> {
    let parts = [
        quirks::href(url),
        &quirks::origin(url),
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ];
    parts.map(str::to_owned).to_vec()
}

/// Returns the parts after a change; `None` if the change is refused.
fn change_url(href: String, part: String, value: String) -> Option<Vec<String>> {
    let mut url = Url::parse(&href).ok()?;
    let changed = match part.as_str() {
        "href" => quirks::set_href(&mut url, &value).is_ok(),
        "protocol" => quirks::set_protocol(&mut url, &value).is_ok(),
        "username" => quirks::set_username(&mut url, &value).is_ok(),
        "password" => quirks::set_password(&mut url, &value).is_ok(),
        "host" => quirks::set_host(&mut url, &value).is_ok(),
        "hostname" => quirks::set_hostname(&mut url, &value).is_ok(),
        "port" => quirks::set_port(&mut url, &value).is_ok(),
        "pathname" => {
            quirks::set_pathname(&mut url, &value);
            true
        }
        "search" => {
            quirks::set_search(&mut url, &value);
            true
        }
        "hash" => {
            quirks::set_hash(&mut url, &value);
            true
        }
        _ => false,
    };
    changed.then(|| parts(&url))
}

/// Returns names and values alternately.
fn read_form(query: String) -> Vec<String> {
    let pairs = form_urlencoded::parse(query.as_bytes());
    pairs
        .flat_map(|(name, value)| [name.into_owned(), value.into_owned()])
        .collect()
}

fn write_form(flat: Vec<String>) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for pair in flat.chunks_exact(2) {
        form.append_pair(&pair[0], &pair[1]);
    }
    form.finish()
}

fn encode(ctx: Ctx<'_>, text: String) -> rquickjs::Result<TypedArray<'_, u8>> {
    TypedArray::new(ctx, text.into_bytes())
}

/// Returns the text and how many bytes were decoded. If more bytes will come, an incomplete
/// character at the end is left. `None` if the bytes are malformed and that is fatal.
fn decode(
    bytes: TypedArray<'_, u8>,
    encoding: String,
    fatal: bool,
    more: bool,
) -> Option<List<(String, usize)>> {
    let bytes = &copy_bytes(&bytes);
    let decoded = match encoding.as_str() {
        "utf-16le" => decode_utf_16(bytes, fatal, more),
        "windows-1252" => Some((
            bytes.iter().map(|byte| windows_1252(*byte)).collect(),
            bytes.len(),
        )),
        _ => decode_utf_8(bytes, fatal, more),
    };
    decoded.map(List)
}

fn decode_utf_8(bytes: &[u8], fatal: bool, more: bool) -> Option<(String, usize)> {
    let length = if more {
        complete_utf_8_length(bytes)
    } else {
        bytes.len()
    };
    let bytes = &bytes[..length];
    let text = if fatal {
        std::str::from_utf8(bytes).ok()?.to_owned()
    } else {
        String::from_utf8_lossy(bytes).into_owned()
    };
    Some((text, length))
}

/// Returns the number of bytes before an incomplete character at the end.
fn complete_utf_8_length(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    for start in (tail..bytes.len()).rev() {
        // The first byte of a character, or a single byte.
        if bytes[start] & 0xc0 != 0x80 {
            let error = std::str::from_utf8(&bytes[start..]).err();
            let is_incomplete = error.is_some_and(|error| error.error_len().is_none());
            return if is_incomplete { start } else { bytes.len() };
        }
    }
    bytes.len()
}

fn decode_utf_16(bytes: &[u8], fatal: bool, more: bool) -> Option<(String, usize)> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    let mut used = bytes.len() - odd.len();
    if more
        && units
            .last()
            .is_some_and(|unit| (0xd800..0xdc00).contains(unit))
    {
        units.pop();
        used -= 2;
    }
    let is_cut = !more && !odd.is_empty();
    if fatal {
        let text = String::from_utf16(&units).ok()?;
        return (!is_cut).then_some((text, used));
    }
    let mut text = String::from_utf16_lossy(&units);
    if is_cut {
        text.push(char::REPLACEMENT_CHARACTER);
        used = bytes.len();
    }
    Some((text, used))
}

/// Returns the character in windows-1252, which is what the web means by Latin-1.
fn windows_1252(byte: u8) -> char {
    const FROM_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match byte {
        0x80..0xa0 => FROM_80.chars().nth(usize::from(byte - 0x80)),
        _ => None,
    }
    .unwrap_or(char::from(byte))
}

/// Copies the present content of an array.
#[expect(unsafe_code, reason = "the engine shares its memory with nobody else")]
fn copy_bytes(array: &TypedArray<'_, u8>) -> Vec<u8> {
    // SAFETY: no code of the engine runs between the borrow and its end, so nothing changes or
    // frees the borrowed bytes.
    let bytes = unsafe { array.as_bytes() };
    bytes.unwrap_or_default().to_vec()
}

fn digest<'js>(
    ctx: Ctx<'js>,
    name: String,
    bytes: TypedArray<'js, u8>,
) -> rquickjs::Result<Option<TypedArray<'js, u8>>> {
    let bytes = &copy_bytes(&bytes);
    let digest = match name.as_str() {
        "SHA-1" => Sha1::digest(bytes).to_vec(),
        "SHA-256" => Sha256::digest(bytes).to_vec(),
        "SHA-384" => Sha384::digest(bytes).to_vec(),
        "SHA-512" => Sha512::digest(bytes).to_vec(),
        _ => return Ok(None),
    };
    TypedArray::new(ctx, digest).map(Some)
}

/// Returns up to 64 KiB of cryptographically random bytes.
fn random(ctx: Ctx<'_>, count: usize) -> rquickjs::Result<Value<'_>> {
    const MAX_BYTES: usize = 1 << 16;
    let mut bytes = vec![0; count.min(MAX_BYTES)];
    if getrandom::fill(&mut bytes).is_err() {
        let message = "random numbers are not available here";
        return Err(rquickjs::Exception::throw_message(&ctx, message));
    }
    Ok(TypedArray::<u8>::new(ctx, bytes)?.into_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_cut_wait_for_the_rest() {
        let euro = "a€".as_bytes();
        for (bytes, more, expected) in [
            (euro, true, ("a€", 4)),
            (&euro[..3], true, ("a", 1)),
            (&euro[..2], true, ("a", 1)),
            (&euro[..3], false, ("a\u{fffd}", 3)),
            (&[0x61, 0xff], true, ("a\u{fffd}", 2)),
            (&[], true, ("", 0)),
        ] {
            let (text, used) = decode_utf_8(bytes, false, more).unwrap();
            assert_eq!((text.as_str(), used), expected, "{bytes:?}");
        }
        assert_eq!(decode_utf_8(&[0xff], true, false), None);
    }

    #[test]
    fn other_encodings_are_read() {
        assert_eq!(
            decode_utf_16(&[0x61, 0, 0x3d, 0xd8], false, true),
            Some(("a".to_owned(), 2))
        );
        assert_eq!(decode_utf_16(&[0x61], true, false), None);
        assert_eq!([0x80, 0xe9, 0x41].map(windows_1252), ['€', 'é', 'A']);
    }
}
