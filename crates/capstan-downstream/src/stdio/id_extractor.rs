//! Extracts the id of a message that is too long to be kept.

/// Reads JSON byte by byte and remembers the `id` of the outermost object. It validates nothing:
/// input that is not JSON has no id.
#[derive(Debug, Default)]
pub(super) struct IdExtractor {
    depth: usize,
    state: ExtractorState,
    /// The text that is being read, where it may be a key or the id.
    word: Vec<u8>,
    key_is_id: bool,
    id: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ExtractorState {
    #[default]
    Between,
    /// In a string that may be a key of the outermost object, or the value of its `id`.
    Text {
        is_value: bool,
    },
    Escape {
        is_value: bool,
    },
    /// In a number or another bare word that is the value of the outermost `id`.
    Bare,
}

/// No id that we send is longer, in bytes.
const MAX_ID_BYTES: usize = 64;

impl IdExtractor {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.read_byte(*byte);
        }
    }

    /// Returns the id as JSON, if there was one.
    pub(super) fn id(mut self) -> Option<Vec<u8>> {
        if self.state == ExtractorState::Bare {
            self.store_id();
        }
        self.id
    }

    fn read_byte(&mut self, byte: u8) {
        match self.state {
            ExtractorState::Text { is_value } => match byte {
                b'\\' => self.state = ExtractorState::Escape { is_value },
                b'"' => self.end_text(is_value),
                other => self.push(other),
            },
            ExtractorState::Escape { is_value } => {
                self.push(byte);
                self.state = ExtractorState::Text { is_value };
            }
            ExtractorState::Bare if matches!(byte, b',' | b'}' | b' ' | b'\t' | b'\r') => {
                self.store_id();
                self.state = ExtractorState::Between;
                self.between(byte);
            }
            ExtractorState::Bare => self.push(byte),
            ExtractorState::Between => self.between(byte),
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.word.clear();
                let is_value = self.key_is_id;
                self.state = ExtractorState::Text { is_value };
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.key_is_id = false;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 => self.key_is_id = self.word == b"id",
            b',' => self.key_is_id = false,
            b' ' | b'\t' | b'\r' | b':' => {}
            other if self.key_is_id => {
                self.word.clear();
                self.word.push(other);
                self.state = ExtractorState::Bare;
            }
            _ => {}
        }
    }

    fn end_text(&mut self, is_value: bool) {
        self.state = ExtractorState::Between;
        if is_value {
            self.word.insert(0, b'"');
            self.word.push(b'"');
            self.store_id();
        }
    }

    fn store_id(&mut self) {
        self.id = Some(std::mem::take(&mut self.word));
        self.key_is_id = false;
    }

    fn push(&mut self, byte: u8) {
        if self.word.len() < MAX_ID_BYTES {
            self.word.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn id(text: &str) -> Option<Value> {
        let mut extractor = IdExtractor::default();
        extractor.read(text.as_bytes());
        serde_json::from_slice(&extractor.id()?).ok()
    }

    #[test]
    fn the_outermost_id_is_found_wherever_it_stands() {
        for (text, expected) in [
            (r#"{"id":7,"result":{"id":8}}"#, Some(json!(7))),
            (
                r#"{"result":{"id":8,"x":"\"id\":9,"},"id":7}"#,
                Some(json!(7)),
            ),
            (
                r#"{"result":[{"id":8}], "id" : "abc" }"#,
                Some(json!("abc")),
            ),
            (r#"{"result":"id","id":7"#, Some(json!(7))),
            (r#"{"result":"id"}"#, None),
            (r#"[{"id":7}]"#, None),
            ("", None),
        ] {
            assert_eq!(id(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_parser(
            number in any::<i64>(),
            first in any::<bool>(),
            text in r#"[ -~"\\{}\[\],:]{0,60}"#,
            key in r#"id|["\\a-z]{0,6}"#,
        ) {
            let mut message = serde_json::Map::new();
            if first {
                message.insert("id".to_owned(), json!(number));
            }
            message.insert("result".to_owned(), json!({ "id": text, key: [{ "id": 1 }, text] }));
            if !first {
                message.insert("id".to_owned(), json!(number));
            }
            prop_assert_eq!(id(&Value::Object(message).to_string()), Some(json!(number)));
        }
    }
}
