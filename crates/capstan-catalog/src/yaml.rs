//! YAML as a tree in which every value knows its place: for files of which everything that is wrong is
//! to be told at once.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{Location, Spanned};

use capstan_core::{Diagnostic, Source, Span};

use crate::load::{MALFORMED, in_words};
use crate::locate::start_of;

/// A value and where it stands.
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

/// How many lists and maps may stand in each other: more would be too many for the stack of a thread.
pub(crate) const DEEPEST: usize = 32;

/// Longer texts are not repeated in messages.
const SHOWN: usize = 40;

/// Every document of a file. Empty ones are left out.
pub fn documents(source: &Arc<Source>) -> Result<Vec<Node>, Diagnostic> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: DEEPEST },
    };
    let raw: Result<Vec<Spanned<Raw>>, _> =
        serde_saphyr::from_multiple_with_options(&source.text, options);
    match raw {
        Ok(all) => Ok(all.into_iter().map(|raw| node(source, raw)).collect()),
        Err(error) => {
            let start = error.location().map(|location| word(source, location));
            Err(Diagnostic::error(MALFORMED, source, in_words(&error)).at(start))
        }
    }
}

impl Node {
    pub fn as_text(&self) -> Option<&str> {
        match &self.tree {
            Tree::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, in a few words: short values as they are.
    pub fn shown(&self) -> String {
        match &self.tree {
            Tree::Null => "empty".to_owned(),
            Tree::Bool(flag) => flag.to_string(),
            Tree::Number(number) => number.to_string(),
            Tree::Text(text) if text.is_empty() => "an empty text".to_owned(),
            Tree::Text(text) if text.len() > SHOWN || text.contains('\n') => {
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

    /// The place of a part, by its JSON pointer; of the deepest part that is there.
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

enum Raw {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn node(source: &Source, raw: Spanned<Raw>) -> Node {
    let is_part = !matches!(raw.value, Raw::List(_) | Raw::Map(_));
    let tree = match raw.value {
        Raw::Null => Tree::Null,
        Raw::Bool(flag) => Tree::Bool(flag),
        Raw::Number(number) => Tree::Number(number),
        Raw::Text(text) => Tree::Text(text),
        Raw::List(items) => Tree::List(items.into_iter().map(|it| node(source, it)).collect()),
        Raw::Map(entries) => {
            let entries = entries.into_iter().map(|(key, value)| Entry {
                key_span: word(source, key.referenced),
                key: key.value,
                value: node(source, value),
            });
            Tree::Map(entries.collect())
        }
    };
    let location = raw.referenced;
    let span = match is_part {
        true => word(source, location),
        false => line(source, location),
    };
    Node { span, tree }
}

/// The place of something that is written in one go; its first line, where it has several.
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

/// From where it begins to the end of that line: lists and maps go on for long.
fn line(source: &Source, location: Location) -> Span {
    let start = location.span().byte_offset();
    let start = start.and_then(|it| usize::try_from(it).ok());
    // What is malformed has a line and a column only.
    let start = start.or_else(|| start_of(source, location)).unwrap_or(0);
    let start = source.text.floor_char_boundary(start);
    let line = source.text[start..].lines().next().unwrap_or_default();
    let length = flow(line).unwrap_or(line.trim_end().len());
    Span {
        start,
        end: start + length.max(1),
    }
}

/// How long a list or map in brackets is, if it ends on its line.
fn flow(line: &str) -> Option<usize> {
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

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Raw, E> {
        Ok(Raw::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Raw, E> {
        Ok(Raw::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Raw, E> {
        Ok(match Number::from_f64(number) {
            Some(number) => Raw::Number(number),
            None => Raw::Text(number.to_string()),
        })
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
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
        assert_eq!(flow(&format!("{list}, d")), Some(list.len()));
        assert_eq!(flow("[1,"), None);
        assert_eq!(flow("b: [1]"), None);
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        let nested = |depth: usize| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
        let read = |depth| documents(&Source::new("a.yaml", nested(depth)));
        assert!(read(DEEPEST - 1).is_ok());
        for depth in [DEEPEST, 100, 10_000] {
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
