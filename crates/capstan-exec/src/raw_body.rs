//! Bodies that are not JSON: the content of a file, or a text, with its media type.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use capstan_core::card::RawInput;
use capstan_core::expr::{Expr, Path, Scope, Template};
use capstan_core::{ErrorCode, RawBody, ResultError};
use serde_json::Value;

/// The largest body in bytes. Several copies of it are in memory.
const MAX_BYTES: usize = 64 << 20;

const TEXT: &str = "text/plain";
const BYTES: &str = "application/octet-stream";

/// The media types of file name extensions, in lower case.
const MEDIA_TYPES: [(&str, &str); 40] = [
    ("7z", "application/x-7z-compressed"),
    ("asc", "application/pgp-signature"),
    ("bz2", "application/x-bzip2"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("deb", "application/x-debian-package"),
    ("dmg", "application/x-apple-diskimage"),
    ("exe", "application/x-msdownload"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("jar", "application/java-archive"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("log", "text/plain"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("mp4", "video/mp4"),
    ("msi", "application/x-msi"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("rpm", "application/x-rpm"),
    ("sarif", "application/sarif+json"),
    ("sha256", "text/plain"),
    ("sig", "application/pgp-signature"),
    ("svg", "image/svg+xml"),
    ("tar", "application/x-tar"),
    ("tgz", "application/gzip"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("xz", "application/x-xz"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
    ("zst", "application/zstd"),
];

/// Returns the body that an input describes: a text, or an object with `base64`. A text is never taken for the name of
/// a file, because callers must not read the files of the machine on which the call runs.
pub(crate) fn raw_body(raw: &RawInput, scope: &Scope<'_>) -> Result<RawBody, ResultError> {
    let name = &raw.input;
    let refuse =
        |problem: &str| ResultError::new(ErrorCode::Validation, format!("`{name}` {problem}"));
    let given = Expr::Path(Path::to_field("input", [name.as_str()]));
    let given = given.eval(scope).unwrap_or_default();
    let encoded = given.get("base64").and_then(Value::as_str);
    let (content, usual) = match (given.as_str(), encoded) {
        (Some(text), _) => (text.as_bytes().to_vec(), TEXT),
        (None, Some(encoded)) => {
            let plain: String = encoded.split_whitespace().collect();
            let bytes = STANDARD.decode(plain);
            (bytes.map_err(|_| refuse("is not valid Base64"))?, BYTES)
        }
        (None, None) => return Err(refuse("must be a text, or {\"base64\": …}")),
    };
    if content.len() > MAX_BYTES {
        let problem = format!("is larger than {} MB", MAX_BYTES >> 20);
        return Err(refuse(&problem));
    }
    let value = |part: &Option<Template>| part.as_ref().and_then(|part| part.render(scope));
    let by_name = || value(&raw.name).and_then(|name| media_type_of(&name));
    let stated = value(&raw.media_type).filter(|stated| !stated.is_empty());
    Ok(RawBody {
        media_type: stated.unwrap_or_else(|| by_name().unwrap_or(usual).to_owned()),
        content: content.into(),
    })
}

/// Returns the media type that the extension of a file name stands for.
fn media_type_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let found = MEDIA_TYPES.iter().find(|(known, _)| *known == ending);
    found.map(|(_, media_type)| *media_type)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[track_caller]
    fn check(input: &Value, expected: Result<(&str, &[u8]), &str>) {
        let template = |text: &str| Template::parse(text).ok();
        let raw = RawInput {
            input: "content".to_owned(),
            media_type: template("{content_type}"),
            name: template("{name}"),
        };
        let variables = Map::from_iter([("input".to_owned(), input.clone())]);
        let body = raw_body(&raw, &Scope::new(input, &variables));
        let body = body.map_err(|error| error.message);
        let body = body.map(|body| (body.media_type, body.content.to_vec()));
        let expected = expected.map(|(kind, bytes)| (kind.to_owned(), bytes.to_vec()));
        assert_eq!(body, expected.map_err(str::to_owned), "{input}");
    }

    #[test]
    fn the_type_is_the_stated_one_or_that_of_the_name() {
        check(&json!({"content": "hop"}), Ok((TEXT, b"hop")));
        check(&json!({"content": "@hop"}), Ok((TEXT, b"@hop")));
        check(
            &json!({"content": {"base64": "AP8\n="}}),
            Ok((BYTES, &[0, 255])),
        );
        let named = json!({"content": {"base64": "AP8="}, "name": "a.tar.GZ"});
        check(&named, Ok(("application/gzip", &[0, 255])));
        let unknown = json!({"content": {"base64": ""}, "name": "LICENSE"});
        check(&unknown, Ok((BYTES, b"")));
        let stated = json!({"content": "x", "name": "a.zip", "content_type": "text/x-own"});
        check(&stated, Ok(("text/x-own", b"x")));
    }

    #[test]
    fn what_is_no_content_is_refused() {
        check(
            &json!({"content": {"base64": "?"}}),
            Err("`content` is not valid Base64"),
        );
        check(
            &json!({"content": 1}),
            Err("`content` must be a text, or {\"base64\": …}"),
        );
    }
}
