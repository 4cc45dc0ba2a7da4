//! Finds the id of a message that is too long to be kept, while it passes by.

/// Reads JSON byte by byte and remembers the `id` of the outermost object. It checks nothing: who
/// sends no JSON gets no id.
#[derive(Debug, Default)]
pub(super) struct Skim {
    depth: usize,
    state: State,
    /// The text that is being read, where it may matter.
    word: Vec<u8>,
    key_is_id: bool,
    id: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    /// In a text that is a key of the outermost object, or its value.
    Text {
        value: bool,
    },
    Escape {
        value: bool,
    },
    /// In a number, or another bare word, that is the value of the outermost `id`.
    Bare,
}

/// No id that we gave is longer.
const LONGEST: usize = 64;

impl Skim {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The id as JSON, if there was one.
    pub(super) fn id(mut self) -> Option<Vec<u8>> {
        if self.state == State::Bare {
            self.keep();
        }
        self.id
    }

    fn step(&mut self, byte: u8) {
        match self.state {
            State::Text { value } => match byte {
                b'\\' => self.state = State::Escape { value },
                b'"' => self.end_text(value),
                other => self.push(other),
            },
            State::Escape { value } => {
                self.push(byte);
                self.state = State::Text { value };
            }
            State::Bare if matches!(byte, b',' | b'}' | b' ' | b'\t' | b'\r') => {
                self.keep();
                self.state = State::Between;
                self.between(byte);
            }
            State::Bare => self.push(byte),
            State::Between => self.between(byte),
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.word.clear();
                let value = self.key_is_id;
                self.state = State::Text { value };
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
                self.state = State::Bare;
            }
            _ => {}
        }
    }

    fn end_text(&mut self, value: bool) {
        self.state = State::Between;
        if value {
            self.word.insert(0, b'"');
            self.word.push(b'"');
            self.keep();
        }
    }

    fn keep(&mut self) {
        self.id = Some(std::mem::take(&mut self.word));
        self.key_is_id = false;
    }

    fn push(&mut self, byte: u8) {
        if self.word.len() < LONGEST {
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
        let mut skim = Skim::default();
        skim.read(text.as_bytes());
        serde_json::from_slice(&skim.id()?).ok()
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
