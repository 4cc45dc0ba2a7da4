//! The text forms of a chain's result: compact JSON, or TOON.

use capstan_core::{ChainResultEnvelope, Format, ResultEnvelope, ResultMeta};
use capstan_engine::to_text;

/// The envelope as text. Both forms say the same; without a wish it is the shorter one. TOON is that
/// for results that are alike and for lists, JSON for a few different things.
pub fn chain_text(envelope: &ChainResultEnvelope, format: Option<Format>) -> String {
    // Serializing plain data cannot fail; an empty text would be noticed at once.
    let json = || serde_json::to_string(envelope).unwrap_or_default();
    match format {
        Some(Format::Json) => json(),
        Some(Format::Toon) => toon(envelope).unwrap_or_else(json),
        None => {
            let json = json();
            let toon = toon(envelope).filter(|toon| toon.len() <= json.len());
            toon.unwrap_or(json)
        }
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

#[cfg(test)]
mod tests {
    use capstan_core::{ChainMeta, ChainStatus, ChainStepMeta, ChainStepResult};
    use capstan_engine::from_toon;
    use serde_json::{Value, json};

    use super::*;

    fn chain(data: impl IntoIterator<Item = Value>) -> ChainResultEnvelope {
        let results = data.into_iter().map(|data| ChainStepResult {
            task: "some.task".to_owned(),
            name: None,
            ok: true,
            data: Some(data),
            error: None,
            meta: ChainStepMeta::default(),
        });
        ChainResultEnvelope {
            status: ChainStatus::Success,
            results: results.collect(),
            meta: ChainMeta::default(),
        }
    }

    #[test]
    fn without_a_wish_it_is_the_shorter_form() {
        let alike = chain((0..20).map(|number| json!({"number": number, "title": "Leak"})));
        let different = chain([
            json!({"a": {"b": [{"c": [1, [2]]}]}}),
            json!({"d": 1, "e": []}),
        ]);
        for (envelope, format) in [(alike, Format::Toon), (different, Format::Json)] {
            let text = chain_text(&envelope, None);
            assert_eq!(text, chain_text(&envelope, Some(format)));
        }
    }

    /// Whatever stands in it, and however it looks like the text around it.
    #[test]
    fn toon_loses_nothing() {
        let texts = [
            "",
            " ",
            "\ndata:\n",
            "meta:",
            "  - x: 1",
            "\r\n\t\"\\",
            "null",
            "1",
            "é🚀\u{2028}",
        ];
        let envelopes = [
            chain(texts.map(|text| json!({text: text, "list": [text], "rows": [{"x": text}]}))),
            chain(texts.map(Value::from)),
            chain([
                json!(null),
                json!([]),
                json!({}),
                json!([[], {}]),
                json!(-0.5),
            ]),
            chain([]),
        ];
        for envelope in envelopes {
            let toon = chain_text(&envelope, Some(Format::Toon));
            let json = serde_json::to_value(&envelope).unwrap();
            assert_eq!(from_toon(&toon), Ok(json), "{toon}");
        }
    }
}
