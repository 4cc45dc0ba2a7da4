//! Interprets the result of a call: data, or a failure in the tool's own words.

use serde_json::{Map, Value, json};

/// Images and sounds that are longer than this in base64 are only described.
const MAX_BASE64_CHARS: usize = 16 * 1024;

/// How many characters of a failed tool's message are kept.
const MAX_MESSAGE_CHARS: usize = 2_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallResult {
    Data(Value),
    /// The tool reports that it failed, with this message.
    Failed(String),
    /// The call is not finished: the server wants something that we do not offer.
    Unfinished(&'static str),
}

pub(crate) fn interpret(result: Value) -> CallResult {
    let Value::Object(mut result) = result else {
        return CallResult::Data(result);
    };
    match result.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => {}
        Some("input_required") => return CallResult::Unfinished("it asks a person for input"),
        Some(_) => return CallResult::Unfinished("it continues in the background"),
    }
    let content = match result.remove("content") {
        Some(Value::Array(content)) => content,
        _ => Vec::new(),
    };
    let structured = result.remove("structuredContent").unwrap_or_default();
    if result.get("isError") == Some(&Value::Bool(true)) {
        return CallResult::Failed(failure_message(&content, &structured));
    }
    if structured.is_null() {
        CallResult::Data(content_data(content))
    } else {
        CallResult::Data(structured)
    }
}

/// Returns texts as one text, or as the JSON that it contains. If there is anything else among
/// them, returns a list.
fn content_data(content: Vec<Value>) -> Value {
    if content.is_empty() {
        return Value::Null;
    }
    let texts: Option<Vec<&str>> = content.iter().map(text_of).collect();
    let Some(texts) = texts else {
        return content.into_iter().map(convert_block).collect();
    };
    let text = texts.join("\n");
    match serde_json::from_str(&text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => value,
        _ => Value::String(text),
    }
}

fn text_of(block: &Value) -> Option<&str> {
    if block.get("type")?.as_str()? != "text" {
        return None;
    }
    block.get("text")?.as_str()
}

/// Converts one content block to our format.
fn convert_block(block: Value) -> Value {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    match text("type") {
        Some("text") => json!({ "type": "text", "text": text("text") }),
        Some(kind @ ("image" | "audio")) => {
            let mut described = description(kind, text("mimeType"));
            add_encoded(&mut described, text("data").unwrap_or_default());
            Value::Object(described)
        }
        Some("resource") => {
            let resource = block.get("resource");
            let text = |key: &str| resource?.get(key)?.as_str();
            let mut described = description("resource", text("mimeType"));
            described.insert("uri".to_owned(), json!(text("uri")));
            match (text("text"), text("blob")) {
                (Some(text), _) => {
                    described.insert("text".to_owned(), json!(text));
                }
                (None, blob) => add_encoded(&mut described, blob.unwrap_or_default()),
            }
            Value::Object(described)
        }
        Some("resource_link") => {
            let mut described = description("resource_link", text("mimeType"));
            for key in ["uri", "name", "description"] {
                if let Some(text) = text(key) {
                    described.insert(key.to_owned(), json!(text));
                }
            }
            Value::Object(described)
        }
        _ => block,
    }
}

fn description(kind: &str, mime_type: Option<&str>) -> Map<String, Value> {
    let mut described = Map::new();
    described.insert("type".to_owned(), json!(kind));
    if let Some(mime_type) = mime_type {
        described.insert("mime_type".to_owned(), json!(mime_type));
    }
    described
}

fn add_encoded(described: &mut Map<String, Value>, base64: &str) {
    let padding = base64
        .bytes()
        .rev()
        .take_while(|byte| *byte == b'=')
        .count();
    let bytes = (base64.len() / 4 * 3).saturating_sub(padding);
    described.insert("bytes".to_owned(), json!(bytes));
    if base64.len() <= MAX_BASE64_CHARS {
        described.insert("data".to_owned(), json!(base64));
    }
}

fn failure_message(content: &[Value], structured: &Value) -> String {
    let texts: Vec<&str> = content.iter().filter_map(text_of).collect();
    let text = match texts.join("\n").trim() {
        "" if structured.is_null() => "no reason was given".to_owned(),
        "" => structured.to_string(),
        text => text.to_owned(),
    };
    if text.chars().count() <= MAX_MESSAGE_CHARS {
        return text;
    }
    let mut cut: String = text.chars().take(MAX_MESSAGE_CHARS).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(result: Value) -> Value {
        match interpret(result) {
            CallResult::Data(data) => data,
            other => panic!("{other:?}"),
        }
    }

    fn text(text: &str) -> Value {
        json!({ "type": "text", "text": text })
    }

    #[test]
    fn structured_content_comes_first() {
        let result = json!({ "content": [text("{\"a\":1}")], "structuredContent": { "b": 2 } });
        assert_eq!(data(result), json!({ "b": 2 }));
        let result = json!({ "content": [text("x")], "structuredContent": null });
        assert_eq!(data(result), json!("x"));
    }

    #[test]
    fn texts_are_json_where_they_are_json() {
        for (texts, expected) in [
            (vec!["{\"a\":1}"], json!({ "a": 1 })),
            (vec!["[1]"], json!([1])),
            (vec!["12"], json!("12")),
            (vec!["true"], json!("true")),
            (vec!["a", "b"], json!("a\nb")),
            (
                vec!["{\"a\":1}", "{\"b\":2}"],
                json!("{\"a\":1}\n{\"b\":2}"),
            ),
            (vec!["[1,", "2]"], json!([1, 2])),
            (vec![], Value::Null),
        ] {
            let content: Vec<_> = texts.into_iter().map(text).collect();
            assert_eq!(data(json!({ "content": content })), expected);
        }
        assert_eq!(data(json!({})), Value::Null);
    }

    #[test]
    fn other_content_is_described() {
        let long = "A".repeat(MAX_BASE64_CHARS + 4);
        let content = json!([
            text("{}"),
            { "type": "image", "mimeType": "image/png", "data": "AAAA" },
            { "type": "audio", "mimeType": "audio/wav", "data": "AAA=" },
            { "type": "image", "data": long },
            { "type": "resource", "resource": { "uri": "a:1", "mimeType": "text/plain", "text": "t" } },
            { "type": "resource", "resource": { "uri": "a:2", "blob": "AA==" } },
            { "type": "resource_link", "uri": "a:3", "name": "three", "annotations": {} },
            { "type": "hologram", "x": 1 },
        ]);
        insta::assert_json_snapshot!(data(json!({ "content": content })));
    }

    #[test]
    fn a_tool_that_failed_says_why() {
        let failed =
            |content: Value| match interpret(json!({ "content": content, "isError": true })) {
                CallResult::Failed(words) => words,
                other => panic!("{other:?}"),
            };
        assert_eq!(
            failed(json!([text("no "), text("such file")])),
            "no \nsuch file"
        );
        assert_eq!(failed(json!([])), "no reason was given");
        assert_eq!(
            failed(json!([text(&"é".repeat(3_000))])).chars().count(),
            2_001
        );
    }

    #[test]
    fn what_is_not_done_is_no_answer() {
        for kind in ["input_required", "task"] {
            let result = json!({ "resultType": kind, "content": [] });
            assert!(
                matches!(interpret(result), CallResult::Unfinished(_)),
                "{kind}"
            );
        }
        let done = json!({ "resultType": "complete", "content": [text("x")] });
        assert_eq!(data(done), json!("x"));
    }
}
