//! The fields of an answer: what each promises, where it is read, and what has to be asked for.

use serde_json::{Map, Value, json};

use super::place::Place;
use super::selection::Selection;
use super::spelling::camel_case;
use crate::outline::notation::answer_words;

/// The fields of an answer, read from `notations` at a place.
pub(super) struct AnswerReader<'a> {
    selection: &'a mut Selection,
}

/// The schema of an object, and the mapping of each field.
pub(super) type ObjectOfAnswer = (Value, Map<String, Value>);

impl<'a> AnswerReader<'a> {
    pub(super) fn new(selection: &'a mut Selection) -> Self {
        Self { selection }
    }

    /// Returns the fields of an object. `asked` is where the object is for the document, and `read` for the expressions
    /// of the card.
    pub(super) fn object<'f>(
        &mut self,
        fields: impl Iterator<Item = (&'f String, &'f Value)>,
        asked: &Place,
        read: &Place,
    ) -> Result<ObjectOfAnswer, String> {
        let mut properties = Map::new();
        let mut mappings = Map::new();
        for (key, notation) in fields {
            let (name, schema, mapping) = self
                .field(key, notation, asked, read)
                .map_err(|problem| format!("{key}: {problem}"))?;
            properties.insert(name.to_owned(), schema);
            mappings.insert(name.to_owned(), mapping);
        }
        Ok((
            json!({"type": "object", "properties": properties}),
            mappings,
        ))
    }

    fn field<'f>(
        &mut self,
        key: &'f str,
        notation: &Value,
        asked: &Place,
        read: &Place,
    ) -> Result<(&'f str, Value, Value), String> {
        let (name, stated) = split_place(key);
        let place = |stated: Option<&str>| match stated {
            Some(stated) => Place::parse(stated),
            None => Place::parse(&camel_case(name)),
        };
        match notation {
            Value::String(text) => {
                let (words, stated) = split_place(text);
                let place = place(stated)?;
                self.selection.add(&asked.then(&place));
                let mapping = json!(read.then(&place).path());
                Ok((name, answer_words(words)?, mapping))
            }
            Value::Object(fields) => {
                let place = place(stated)?;
                let from = read.then(&place).path();
                let here = Place::default();
                let (mut schema, mappings) =
                    self.object(fields.iter(), &asked.then(&place), &here)?;
                schema["type"] = json!(["object", "null"]);
                Ok((name, schema, json!({"from": from, "fields": mappings})))
            }
            Value::Array(items) => {
                let [Value::Object(fields)] = items.as_slice() else {
                    return Err("a list has the fields of one object".to_owned());
                };
                let place = place(stated)?;
                let each = read.then(&place).path();
                let here = Place::default();
                let (row, mappings) = self.object(fields.iter(), &asked.then(&place), &here)?;
                let schema = json!({"type": ["array", "null"], "items": row});
                Ok((name, schema, json!({"each": each, "fields": mappings})))
            }
            other => Err(format!("`{other}` is not a type")),
        }
    }
}

/// Splits `words = place`.
pub(super) fn split_place(text: &str) -> (&str, Option<&str>) {
    match text.split_once(" = ") {
        Some((words, place)) => (words.trim(), Some(place.trim())),
        None => (text, None),
    }
}
