//! YAML as a tree in which every value has its span, for files whose problems are all reported at
//! once.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{Location, Spanned};

use capstan_core::{Diagnostic, Source, Span};

use crate::load::{MALFORMED, describe_error};
use crate::locate::start_of;

/// A value and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub span: Span,
    pub tree: Tree,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: String,
    pub key_span: Span,
    pub value: Node,
}

/// How deeply lists and maps may be nested. Deeper ones could overflow the stack of a thread.
pub(crate) const MAX_DEPTH: usize = 32;

/// How deeply a large document may be nested.
const MAX_LARGE_DEPTH: usize = 100;

/// The longest text that messages repeat, in bytes.
const MAX_SHOWN_BYTES: usize = 40;

/// Parses every document of a file. Empty documents are left out.
pub fn documents(source: &Arc<Source>) -> Result<Vec<Node>, Diagnostic> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: MAX_DEPTH },
    };
    let raw: Result<Vec<Spanned<RawValue>>, _> =
        serde_saphyr::from_multiple_with_options(&source.text, options);
    match raw {
        Ok(all) => Ok(all.into_iter().map(|raw| node(source, raw)).collect()),
        Err(error) => {
            let start = error.location().map(|location| word(source, location));
            Err(Diagnostic::error(MALFORMED, source, describe_error(&error)).at(start))
        }
    }
}

/// Parses one large document that a program wrote, such as the description of an API. It has no limit on the number of
/// values but that of its size, and aliases cannot make it larger than that.
pub fn large_document(text: &str) -> Result<serde_json::Value, String> {
    let most = text.len().saturating_add(1);
    let options = serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_depth: MAX_LARGE_DEPTH,
            max_nodes: most,
            max_events: most.saturating_mul(2),
            max_total_scalar_bytes: most.saturating_mul(2),
            max_reader_input_bytes: None,
        },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        format!("line {line}: {}", describe_error(&error))
    })
}

impl Node {
    pub fn as_text(&self) -> Option<&str> {
        match &self.tree {
            Tree::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Describes the value in a few words. Short values appear as they are.
    pub fn shown(&self) -> String {
        match &self.tree {
            Tree::Null => "empty".to_owned(),
            Tree::Bool(flag) => flag.to_string(),
            Tree::Number(number) => number.to_string(),
            Tree::Text(text) if text.is_empty() => "an empty text".to_owned(),
            Tree::Text(text) if text.len() > MAX_SHOWN_BYTES || text.contains('\n') => {
                "a long text".to_owned()
            }
            Tree::Text(text)
                if text.parse::<f64>().is_ok() || text == "true" || text == "false" =>
            {
                format!("the text `{text}`")
            }
            Tree::Text(text) => format!("`{text}`"),
            Tree::List(items) if items.is_empty() => "an empty list".to_owned(),
            Tree::Map(entries) if entries.is_empty() => "an empty map".to_owned(),
            Tree::List(_) => "a list".to_owned(),
            Tree::Map(_) => "a map".to_owned(),
        }
    }

    pub fn to_json(&self) -> Value {
        match &self.tree {
            Tree::Null => Value::Null,
            Tree::Bool(flag) => (*flag).into(),
            Tree::Number(number) => number.clone().into(),
            Tree::Text(text) => text.as_str().into(),
            Tree::List(items) => items.iter().map(Node::to_json).collect(),
            Tree::Map(entries) => {
                let fields = entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }

    /// Returns the span of the value at a JSON pointer, or of its deepest existing parent.
    pub fn place(&self, pointer: &str) -> Span {
        let mut node = self;
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            let part = match &node.tree {
                Tree::Map(entries) => entries.iter().find(|entry| entry.key == segment),
                Tree::List(items) => {
                    let index = segment.parse::<usize>().ok();
                    match index.and_then(|index| items.get(index)) {
                        Some(item) => {
                            node = item;
                            continue;
                        }
                        None => None,
                    }
                }
                _ => None,
            };
            match part {
                Some(entry) => node = &entry.value,
                None => break,
            }
        }
        node.span
    }
}

enum RawValue {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Spanned<RawValue>>),
    Map(Vec<(Spanned<String>, Spanned<RawValue>)>),
}

fn node(source: &Source, raw: Spanned<RawValue>) -> Node {
    let is_part = !matches!(raw.value, RawValue::List(_) | RawValue::Map(_));
    let tree = match raw.value {
        RawValue::Null => Tree::Null,
        RawValue::Bool(flag) => Tree::Bool(flag),
        RawValue::Number(number) => Tree::Number(number),
        RawValue::Text(text) => Tree::Text(text),
        RawValue::List(items) => Tree::List(items.into_iter().map(|it| node(source, it)).collect()),
        RawValue::Map(entries) => {
            let entries = entries.into_iter().map(|(key, value)| Entry {
                key_span: word(source, key.referenced),
                key: key.value,
                value: node(source, value),
            });
            Tree::Map(entries.collect())
        }
    };
    let location = raw.referenced;
    let span = if is_part {
        word(source, location)
    } else {
        line(source, location)
    };
    Node { span, tree }
}

/// Returns the span of a scalar or a key; only its first line if it has several.
fn word(source: &Source, location: Location) -> Span {
    let Span { start, end } = line(source, location);
    let length = location.span().byte_len();
    let length = length.and_then(|it| usize::try_from(it).ok());
    let end = length.map_or(end, |length| end.min(start + length));
    Span {
        start,
        end: end.max(start + 1),
    }
}

/// Returns the span from the location to the end of its line. Lists and maps may be long, so only
/// their first line is marked.
fn line(source: &Source, location: Location) -> Span {
    let start = location.span().byte_offset();
    let start = start.and_then(|it| usize::try_from(it).ok());
    // Malformed text has only a line and a column.
    let start = start.or_else(|| start_of(source, location)).unwrap_or(0);
    let start = source.text.floor_char_boundary(start);
    let line = source.text[start..].lines().next().unwrap_or_default();
    let length = bracketed_length(line).unwrap_or(line.trim_end().len());
    Span {
        start,
        end: start + length.max(1),
    }
}

/// Returns the length in bytes of a list or map in brackets, if it ends on its line.
fn bracketed_length(line: &str) -> Option<usize> {
    if !line.starts_with(['[', '{']) {
        return None;
    }
    let mut depth = 0_usize;
    let mut quoted: Option<char> = None;
    for (at, c) in line.char_indices() {
        match (quoted, c) {
            (Some(quote), c) if c == quote => quoted = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quoted = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

impl<'de> Deserialize<'de> for RawValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawValueVisitor)
    }
}

struct RawValueVisitor;

impl<'de> Visitor<'de> for RawValueVisitor {
    type Value = RawValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(RawValue::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<RawValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(RawValue::List(items))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<RawValue, E> {
        Ok(RawValue::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<RawValue, E> {
        Ok(RawValue::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<RawValue, E> {
        Ok(RawValue::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<RawValue, E> {
        Ok(match Number::from_f64(number) {
            Some(number) => RawValue::Number(number),
            None => RawValue::Text(number.to_string()),
        })
    }

    fn visit_str<E>(self, text: &str) -> Result<RawValue, E> {
        Ok(RawValue::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<RawValue, E> {
        Ok(RawValue::Null)
    }

    fn visit_none<E>(self) -> Result<RawValue, E> {
        Ok(RawValue::Null)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Vec<Node> {
        documents(&Source::new("a.yaml", text)).unwrap()
    }

    #[test]
    fn every_value_knows_its_place() {
        let text = "ä: 1\nlist:\n  - 'two'\n  - {b: no}\n---\nsecond: |\n  x\n";
        let all = read(text);
        assert_eq!(
            all[0].to_json(),
            json!({"ä": 1, "list": ["two", {"b": "no"}]})
        );
        assert_eq!(all[1].to_json(), json!({"second": "x\n"}));
        let at = |node: &Node, pointer: &str| {
            let Span { start, end } = node.place(pointer);
            text[start..end].to_owned()
        };
        assert_eq!(at(&all[0], "/ä"), "1");
        assert_eq!(at(&all[0], "/list/0"), "'two'");
        assert_eq!(at(&all[0], "/list/1/b"), "no");
        assert_eq!(at(&all[0], "/list/1/c"), "{b: no}");
        assert_eq!(at(&all[1], "/second"), "x");

        let Tree::Map(entries) = &all[1].tree else {
            panic!("{all:?}")
        };
        let Span { start, end } = entries[0].key_span;
        assert_eq!(&text[start..end], "second");
    }

    #[test]
    fn brackets_end_where_they_are_closed() {
        let list = "[{b: ']'}, {c: 1}]";
        assert_eq!(bracketed_length(&format!("{list}, d")), Some(list.len()));
        assert_eq!(bracketed_length("[1,"), None);
        assert_eq!(bracketed_length("b: [1]"), None);
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        let nested = |depth: usize| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
        let read = |depth| documents(&Source::new("a.yaml", nested(depth)));
        assert!(read(MAX_DEPTH - 1).is_ok());
        for depth in [MAX_DEPTH, 100, 10_000] {
            let error = read(depth).unwrap_err();
            assert_eq!(error.message, "this is nested too deeply", "{depth}");
        }
    }

    #[test]
    fn what_is_no_yaml_is_told_with_its_place() {
        let source = Source::new("a.yaml", "a: 1\nb: [1, 2\n");
        let error = documents(&source).unwrap_err();
        assert_eq!(error.code, "E041");
        assert!(error.position().is_some(), "{error}");
        let twice = documents(&Source::new("a.yaml", "a: 1\na: 2\n")).unwrap_err();
        assert!(twice.to_string().starts_with("a.yaml:2:1"), "{twice}");
    }
}
