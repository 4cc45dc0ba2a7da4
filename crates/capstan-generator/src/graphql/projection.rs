//! Which fields of an answer are kept: what tells which object it is and what it is like, in few words.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::connection::Connection;
use super::field::{AnswerField, fields_of};
use super::rules::GraphqlRules;
use super::schema::GraphqlSchema;

/// How many fields a row of a list has, and an object inside another.
const MAX_ROW_FIELDS: usize = 12;
const MAX_NESTED_FIELDS: usize = 5;

/// How an object is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Whole,
    Row,
    Nested,
}

/// What the fields of answers are taken from.
#[derive(Clone, Copy)]
pub(super) struct Projector<'a> {
    pub(super) schema: &'a GraphqlSchema,
    pub(super) rules: &'a GraphqlRules,
}

/// A field that could be kept.
struct Candidate {
    rank: (u8, usize),
    key: String,
    name: String,
    notation: Value,
}

impl<'a> Projector<'a> {
    /// Returns the fields of a type that are kept. There may be none.
    pub(super) fn project(self, ty: &str, usage: Use) -> IndexMap<String, Value> {
        let mut candidates: Vec<Candidate> = Vec::new();
        if self.schema.is_abstract(ty) {
            candidates.push(Candidate {
                rank: (1, 0),
                key: "type".to_owned(),
                name: "type".to_owned(),
                notation: json!("string = __typename"),
            });
        }
        for (index, field) in fields_of(self.schema, ty, self.rules).iter().enumerate() {
            candidates.extend(self.candidate(field, usage, index));
        }
        candidates.sort_by_key(|candidate| candidate.rank);
        let most = match usage {
            Use::Whole => self.rules.answers.most,
            Use::Row => MAX_ROW_FIELDS,
            Use::Nested => MAX_NESTED_FIELDS,
        };
        let mut kept = IndexMap::new();
        let mut names: Vec<String> = Vec::new();
        for candidate in candidates {
            let is_other = candidate.rank.0 >= 2;
            let has_enough = is_other && kept.len() >= self.rules.answers.enough;
            if kept.len() < most && !has_enough && !names.contains(&candidate.name) {
                names.push(candidate.name);
                kept.insert(candidate.key, candidate.notation);
            }
        }
        kept
    }

    fn candidate(self, field: &AnswerField<'a>, usage: Use, index: usize) -> Option<Candidate> {
        let answers = &self.rules.answers;
        let position = |names: &[String]| names.iter().position(|name| name == field.name());
        let is_leaf = self.schema.is_leaf(field.type_name());
        let rank = match (position(&answers.first), position(&answers.useful)) {
            (Some(place), _) => (0, place),
            (None, Some(place)) => (1, place),
            (None, None) if is_leaf => (2, index),
            (None, None) => (3, index),
        };
        let is_wanted = is_leaf || rank.0 < 2 || answers.keeps_all_objects;
        let connection = Connection::of(self.schema, field.definition);
        let (key, notation) = match connection {
            Some(connection) => self.list_with_pages(field, &connection, usage)?,
            None if is_wanted => self.field(field, usage)?,
            None => return None,
        };
        Some(Candidate {
            rank,
            key,
            name: field.output_name(),
            notation,
        })
    }

    /// Returns the notation of a field with its key.
    pub(super) fn field(self, field: &AnswerField<'a>, usage: Use) -> Option<(String, Value)> {
        let name = field.output_name();
        let (place, is_usual) = field.place();
        let ty = field.type_name();
        if self.schema.is_leaf(ty) {
            let word = self.listed(self.word(ty), field.is_list());
            let notation = if is_usual {
                word
            } else {
                format!("{word} = {place}")
            };
            return Some((name, json!(notation)));
        }
        if let Some((short, word)) = self.shortened(ty) {
            let each = if field.is_list() { "[]" } else { "" };
            let word = self.listed(word, field.is_list());
            return Some((name, json!(format!("{word} = {place}{each}.{short}"))));
        }
        let is_too_deep = usage == Use::Nested || (usage == Use::Row && field.is_list());
        if is_too_deep || self.rules.answers.shorten_types.contains_key(ty) {
            return None;
        }
        let fields = self.project(ty, Use::Nested);
        if fields.is_empty() {
            return None;
        }
        let key = if is_usual {
            name
        } else {
            format!("{name} = {place}")
        };
        let fields = object_of(fields);
        let notation = if field.is_list() {
            json!([fields])
        } else {
            fields
        };
        Some((key, notation))
    }

    /// Returns the first rows of a list that has pages.
    fn list_with_pages(
        self,
        field: &AnswerField<'a>,
        connection: &Connection,
        usage: Use,
    ) -> Option<(String, Value)> {
        let answers = &self.rules.answers;
        let stated = answers.lists.get(field.name()).copied();
        let rows = stated.unwrap_or(answers.other_lists);
        if rows == 0 || (usage != Use::Whole && stated.is_none()) {
            return None;
        }
        let name = field.output_name();
        let (place, _) = field.place();
        let place = format!("{place}(first: {rows}).{}", connection.rows);
        if let Some((short, word)) = self.shortened(&connection.row) {
            let each = if place.ends_with("nodes") { "[]" } else { "" };
            return Some((name, json!(format!("[{word}] = {place}{each}.{short}"))));
        }
        if usage != Use::Whole
            || self
                .rules
                .answers
                .shorten_types
                .contains_key(&connection.row)
        {
            return None;
        }
        let fields = self.project(&connection.row, Use::Nested);
        (!fields.is_empty()).then(|| (format!("{name} = {place}"), json!([object_of(fields)])))
    }

    /// Returns the field that an object inside another becomes, with the word of its type.
    pub(super) fn shortened(self, ty: &str) -> Option<(String, &'a str)> {
        let answers = &self.rules.answers;
        let fields = fields_of(self.schema, ty, self.rules);
        let leaf = |name: &str| {
            let mut fields = fields.iter();
            let found = fields.find(|field| field.name() == name && !field.is_list());
            found.filter(|field| self.schema.is_leaf(field.type_name()))
        };
        let found = match answers.shorten_types.get(ty) {
            Some(stated) => leaf(stated.as_deref()?)?,
            None => answers.shorten.iter().find_map(|name| leaf(name))?,
        };
        Some((found.place().0, self.word(found.type_name())))
    }

    /// Returns the word for a type without fields.
    pub(super) fn word(self, ty: &str) -> &'a str {
        match ty {
            "Int" => "integer",
            "Float" => "number",
            "Boolean" => "boolean",
            "ID" | "String" => "string",
            _ if self.schema.is_enum(ty) => "string",
            _ => self
                .rules
                .scalars
                .get(ty)
                .map_or("any", |word| word.as_str()),
        }
    }

    fn listed(self, word: &str, is_list: bool) -> String {
        if is_list {
            format!("[{word}]")
        } else {
            word.to_owned()
        }
    }
}

pub(super) fn object_of(fields: IndexMap<String, Value>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}
