//! The text forms of a result: compact JSON, or TOON, where rows of alike objects are a table.

use capstan_core::{Format, ResultEnvelope};
use serde_json::Value;
use toon_format::{decode_default, encode_default};

/// The envelope as text. Both forms say the same; TOON in fewer tokens.
pub fn to_text(envelope: &ResultEnvelope, format: Format) -> String {
    // Serializing plain data cannot fail; an empty text would be noticed at once.
    let json = || serde_json::to_string(envelope).unwrap_or_default();
    match format {
        Format::Json => json(),
        // In the notation's own defaults: a decoder needs no settings to read it.
        Format::Toon => encode_default(envelope).unwrap_or_else(|_| json()),
    }
}

/// Reads TOON back.
pub fn from_toon(text: &str) -> Result<Value, String> {
    decode_default(text).map_err(|error| error.to_string())
}
