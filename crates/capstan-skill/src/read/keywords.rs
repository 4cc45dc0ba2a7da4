//! The keywords of the schemas in a file: everything that is wrong with them, in the words of authors.

use capstan_catalog::yaml::{Entry, Node, Tree};
use capstan_core::Span;
use capstan_core::similar::{closest, suggestions};
use serde_json::{Value, json};

use super::fields::Notes;
use crate::codes::SCHEMA;
use crate::json_schema;
use crate::near::did_you_mean;

/// Whether it is a schema that can be used. What is wrong with it is noted.
pub(super) fn check(name: &str, node: &Node, notes: &mut Notes) -> bool {
    if !matches!(node.tree, Tree::Map(_) | Tree::Bool(_)) {
        notes.expected(name, "a JSON Schema", node);
        notes.help("such as {type: object, properties: {name: {type: string}}}");
        return false;
    }
    let value = node.to_json();
    let is_valid = json_schema::is_valid(&value);
    let mut walk = Walk {
        notes: &mut *notes,
        is_valid,
        found: 0,
        refers: false,
        whole: &value,
    };
    walk.schema(name, node);
    let Walk { found, refers, .. } = walk;
    if found > 0 {
        return false;
    }
    if is_valid {
        // Only references can still be wrong.
        let unusable = refers.then(|| json_schema::unusable(&value)).flatten();
        if let Some(cause) = &unusable {
            let message = format!("`{name}` cannot be used: {cause}");
            notes.error(SCHEMA, node.span, message);
        }
        return unusable.is_none();
    }
    for (pointer, message) in json_schema::wrongs(&value) {
        let message = format!("`{name}` is no JSON Schema: {message}");
        notes.error(SCHEMA, node.place(&pointer), message);
    }
    false
}

/// What the value of a keyword has to be.
#[derive(Clone, Copy)]
enum Kind {
    Anything,
    Schema,
    /// Schemas by names.
    Schemas,
    /// A list of schemas, at least one.
    SchemaList,
    Types,
    List,
    /// A list of names, each once.
    Names,
    /// Such lists, by names.
    NamesByName,
    Text,
    Flag,
    Number,
    /// More than nothing.
    Positive,
    /// Whole, and not less than nothing.
    Count,
}

const KEYWORDS: [(&str, Kind); 58] = [
    ("$schema", Kind::Text),
    ("$id", Kind::Text),
    ("$ref", Kind::Text),
    ("$anchor", Kind::Text),
    ("$dynamicRef", Kind::Text),
    ("$dynamicAnchor", Kind::Text),
    ("$vocabulary", Kind::Anything),
    ("$comment", Kind::Text),
    ("$defs", Kind::Schemas),
    ("definitions", Kind::Schemas),
    ("title", Kind::Text),
    ("description", Kind::Text),
    ("default", Kind::Anything),
    ("deprecated", Kind::Flag),
    ("readOnly", Kind::Flag),
    ("writeOnly", Kind::Flag),
    ("examples", Kind::List),
    ("type", Kind::Types),
    ("const", Kind::Anything),
    ("enum", Kind::List),
    ("multipleOf", Kind::Positive),
    ("maximum", Kind::Number),
    ("exclusiveMaximum", Kind::Number),
    ("minimum", Kind::Number),
    ("exclusiveMinimum", Kind::Number),
    ("maxLength", Kind::Count),
    ("minLength", Kind::Count),
    ("pattern", Kind::Text),
    ("format", Kind::Text),
    ("contentEncoding", Kind::Text),
    ("contentMediaType", Kind::Text),
    ("contentSchema", Kind::Schema),
    ("maxItems", Kind::Count),
    ("minItems", Kind::Count),
    ("uniqueItems", Kind::Flag),
    ("maxContains", Kind::Count),
    ("minContains", Kind::Count),
    ("contains", Kind::Schema),
    ("items", Kind::Schema),
    ("prefixItems", Kind::SchemaList),
    ("unevaluatedItems", Kind::Schema),
    ("maxProperties", Kind::Count),
    ("minProperties", Kind::Count),
    ("required", Kind::Names),
    ("dependentRequired", Kind::NamesByName),
    ("dependentSchemas", Kind::Schemas),
    ("properties", Kind::Schemas),
    ("patternProperties", Kind::Schemas),
    ("additionalProperties", Kind::Schema),
    ("unevaluatedProperties", Kind::Schema),
    ("propertyNames", Kind::Schema),
    ("allOf", Kind::SchemaList),
    ("anyOf", Kind::SchemaList),
    ("oneOf", Kind::SchemaList),
    ("not", Kind::Schema),
    ("if", Kind::Schema),
    ("then", Kind::Schema),
    ("else", Kind::Schema),
];

const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// What types are called elsewhere.
const OTHER_WORDS: [(&str, &str); 15] = [
    ("str", "string"),
    ("text", "string"),
    ("date", "string"),
    ("int", "integer"),
    ("long", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("dict", "object"),
    ("map", "object"),
    ("hash", "object"),
    ("none", "null"),
    ("nil", "null"),
    ("nothing", "null"),
];

struct Walk<'n> {
    notes: &'n mut Notes,
    /// What a validator says of the whole: where nothing is wrong nothing is looked for.
    is_valid: bool,
    found: usize,
    /// There are references.
    refers: bool,
    whole: &'n Value,
}

impl Walk<'_> {
    fn schema(&mut self, path: &str, node: &Node) {
        let keywords = match &node.tree {
            Tree::Map(keywords) => keywords,
            Tree::Bool(_) => return,
            Tree::Text(text) => {
                self.wrong(path, node, "a schema, such as {type: string}");
                if let Some(named) = type_named(text) {
                    self.notes.help(format!("write {{type: {named}}}"));
                }
                return;
            }
            _ => return self.wrong(path, node, "a schema, such as {type: string}"),
        };
        for entry in keywords {
            let path = format!("{path}.{}", entry.key);
            match KEYWORDS.iter().find(|(known, _)| *known == entry.key) {
                Some((_, kind)) => self.keyword(&path, entry, *kind),
                None => self.unknown(entry),
            }
        }
    }

    fn keyword(&mut self, path: &str, entry: &Entry, kind: Kind) {
        let node = &entry.value;
        match (entry.key.as_str(), &node.tree) {
            ("pattern", Tree::Text(pattern)) => self.pattern(path, pattern, node.span),
            ("patternProperties", Tree::Map(entries)) => {
                for entry in entries {
                    self.pattern(path, &entry.key, entry.key_span);
                }
            }
            ("$ref", Tree::Text(target)) => self.reference(path, target, node.span),
            ("$dynamicRef", _) => self.refers = true,
            _ => {}
        }
        match (kind, &node.tree) {
            (Kind::Schema, Tree::List(_)) if entry.key == "items" => {
                self.wrong(path, node, "one schema for all elements");
                self.notes
                    .help("schemas for the first elements, one by one, are `prefixItems`");
            }
            (Kind::Schema, _) => self.schema(path, node),
            (Kind::Schemas, Tree::Map(entries)) => {
                for entry in entries {
                    self.schema(&format!("{path}.{}", entry.key), &entry.value);
                }
            }
            (Kind::Schemas, _) => self.wrong(path, node, "a map from names to schemas"),
            (Kind::SchemaList, Tree::List(items)) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.schema(&format!("{path}[{index}]"), item);
                }
            }
            (Kind::SchemaList, _) => self.wrong(path, node, "a list of at least one schema"),
            // Where everything is right, there is nothing to find in what has no schemas in it.
            _ if self.is_valid => {}
            (Kind::Types, Tree::List(items)) if !items.is_empty() => {
                for item in items {
                    self.type_name(path, item);
                }
                self.each_once(path, items);
            }
            (Kind::Types, _) => self.type_name(path, node),
            (Kind::Names, _) => self.names(path, node),
            (Kind::NamesByName, Tree::Map(entries)) => {
                for entry in entries {
                    self.names(&format!("{path}.{}", entry.key), &entry.value);
                }
            }
            (Kind::NamesByName, _) => self.wrong(path, node, "a map from names to lists of names"),
            (Kind::List, Tree::List(_)) | (Kind::Text, Tree::Text(_)) => {}
            (Kind::List, _) => self.wrong(path, node, "a list"),
            (Kind::Text, _) => {
                self.wrong(path, node, "a text");
                if matches!(node.tree, Tree::Number(_) | Tree::Bool(_)) {
                    self.notes.help("put it in quotes");
                }
            }
            (Kind::Flag, Tree::Bool(_)) | (Kind::Number, Tree::Number(_)) => {}
            (Kind::Flag, _) => self.wrong(path, node, "true or false"),
            (Kind::Number, _) => self.wrong(path, node, "a number"),
            (Kind::Positive, Tree::Number(it)) if it.as_f64().is_some_and(|it| it > 0.0) => {}
            (Kind::Positive, _) => self.wrong(path, node, "a number greater than 0"),
            (Kind::Count, Tree::Number(it)) if is_count(it) => {}
            (Kind::Count, _) => self.wrong(path, node, "a whole number, at least 0"),
            (Kind::Anything, _) => {}
        }
    }

    fn pattern(&mut self, path: &str, pattern: &str, span: Span) {
        if json_schema::unusable(&json!({"pattern": pattern})).is_some() {
            let message =
                format!("`{path}` is no regular expression that can be read: `{pattern}`");
            self.notes.error(SCHEMA, span, message);
            self.found += 1;
        }
    }

    fn reference(&mut self, path: &str, target: &str, span: Span) {
        let is_pointer = target == "#" || target.starts_with("#/");
        if !is_pointer || target.contains('%') {
            self.refers = true;
        } else if self.whole.pointer(&target[1..]).is_none() {
            let message = format!("`{path}` leads nowhere: there is no `{target}` in this schema");
            self.notes.error(SCHEMA, span, message);
            self.found += 1;
        }
    }

    fn type_name(&mut self, path: &str, node: &Node) {
        let word = match &node.tree {
            Tree::Text(word) if TYPES.contains(&word.as_str()) => return,
            Tree::Text(word) => Some(word.as_str()),
            // `type: null`
            Tree::Null => Some("null"),
            _ => None,
        };
        self.wrong(
            path,
            node,
            "string, number, integer, boolean, array, object or null",
        );
        match (&node.tree, word.and_then(type_named)) {
            (Tree::Null, _) => self.notes.help("put it in quotes: \"null\""),
            (_, Some(named)) => self.notes.help(format!("did you mean `{named}`?")),
            (_, None) => {}
        }
    }

    fn names(&mut self, path: &str, node: &Node) {
        let Tree::List(items) = &node.tree else {
            self.wrong(path, node, "a list of names");
            match &node.tree {
                Tree::Bool(_) => self.notes.help(
                    "name it in the `required` of the object that it is a property of: `required: [name]`",
                ),
                Tree::Text(name) => self.notes.help(format!("write `[{name}]`")),
                _ => {}
            }
            return;
        };
        for item in items {
            if !matches!(item.tree, Tree::Text(_)) {
                self.wrong(path, item, "the name of a property");
            }
        }
        self.each_once(path, items);
    }

    fn each_once(&mut self, path: &str, items: &[Node]) {
        for (index, item) in items.iter().enumerate() {
            if items[..index].iter().any(|other| other.tree == item.tree) {
                let message = format!("`{path}` has {} twice", item.shown());
                self.notes.error(SCHEMA, item.span, message);
                self.found += 1;
            }
        }
    }

    /// Validators pass over what they do not know: what was meant is lost without a word.
    fn unknown(&mut self, entry: &Entry) {
        let looks_like_schema = match &entry.value.tree {
            Tree::Map(entries) => entries
                .iter()
                .any(|it| matches!(it.key.as_str(), "type" | "enum" | "const" | "$ref")),
            _ => false,
        };
        let known = KEYWORDS.iter().map(|(name, _)| *name);
        let near = suggestions(&entry.key, known);
        let help = if looks_like_schema {
            format!(
                "properties stand below `properties`: `properties: {{{}: …}}`",
                entry.key
            )
        } else if entry.key == "nullable" {
            "write `type: [string, \"null\"]`, with the type that is meant".to_owned()
        } else if entry.key == "optional" {
            "what is not in the `required` of its object is optional".to_owned()
        } else if let Some(help) = did_you_mean(&near) {
            help
        } else {
            // Somebody's own, such as `x-order`.
            return;
        };
        let message = format!(
            "`{}` is no keyword of JSON Schema, and is passed over",
            entry.key
        );
        self.notes.warning(SCHEMA, entry.key_span, message);
        self.notes.help(help);
    }

    fn wrong(&mut self, path: &str, node: &Node, expected: &str) {
        let message = format!("`{path}` is {}: expected {expected}", node.shown());
        self.notes.error(SCHEMA, node.span, message);
        self.found += 1;
    }
}

/// The type that somebody meant.
fn type_named(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == word);
    let other = other.map(|(_, named)| *named);
    let same = || TYPES.into_iter().find(|known| *known == word);
    other.or_else(same).or_else(|| closest(&word, TYPES))
}

fn is_count(number: &serde_json::Number) -> bool {
    number.as_u64().is_some()
        || number
            .as_f64()
            .is_some_and(|it| it >= 0.0 && it.fract() == 0.0)
}
