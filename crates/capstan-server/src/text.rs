//! The text forms of a chain's result: compact JSON, or TOON.

use capstan_core::{ChainResultEnvelope, Format, ResultEnvelope, ResultMeta};
use capstan_engine::to_text;

/// The envelope as text. Both forms say the same.
pub fn chain_text(envelope: &ChainResultEnvelope, format: Format) -> String {
    // Serializing plain data cannot fail; an empty text would be noticed at once.
    let json = || serde_json::to_string(envelope).unwrap_or_default();
    match format {
        Format::Json => json(),
        Format::Toon => toon(envelope).unwrap_or_else(json),
    }
}

/// The engine writes TOON of single results: the chain is made the data of one, and taken out of
/// its text again. Every line of TOON is a line of its own, whatever the texts in it.
fn toon(envelope: &ChainResultEnvelope) -> Option<String> {
    let data = serde_json::to_value(envelope).ok()?;
    let wrapped = to_text(
        &ResultEnvelope::success(data, ResultMeta::default()),
        Format::Toon,
    );
    let (_, rest) = wrapped.split_once("\ndata:\n")?;
    let lines: Option<Vec<_>> = rest
        .lines()
        .take_while(|line| line.starts_with(' '))
        .map(|line| line.strip_prefix("  "))
        .collect();
    lines.map(|lines| lines.join("\n"))
}
