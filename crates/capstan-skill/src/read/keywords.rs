//! Checks the keywords of schemas in a file, and describes mistakes in the words of authors.

use capstan_catalog::yaml::{Entry, Node, Tree};
use capstan_core::Span;
use capstan_core::similar::{closest, suggestions};
use serde_json::{Value, json};

use super::fields::Notes;
use crate::codes::SCHEMA;
use crate::json_schema;
use crate::near::did_you_mean;

/// Reports mistakes in a schema, and returns whether it can be used.
pub(super) fn check(name: &str, node: &Node, notes: &mut Notes) -> bool {
    if !matches!(node.tree, Tree::Map(_) | Tree::Bool(_)) {
        notes.expected(name, "a JSON Schema", node);
        notes.help("such as {type: object, properties: {name: {type: string}}}");
        return false;
    }
    let value = node.to_json();
    let is_valid = json_schema::is_valid(&value);
    let mut walk = SchemaWalk {
        notes: &mut *notes,
        is_valid,
        found: 0,
        refers: false,
        whole: &value,
    };
    walk.schema(name, node);
    let SchemaWalk { found, refers, .. } = walk;
    if found > 0 {
        return false;
    }
    if is_valid {
        // Only references can still be wrong.
        let unusable = refers
            .then(|| json_schema::unusable_reason(&value))
            .flatten();
        if let Some(cause) = &unusable {
            let message = format!("`{name}` cannot be used: {cause}");
            notes.error(SCHEMA, node.span, message);
        }
        return unusable.is_none();
    }
    for (pointer, message) in json_schema::problems(&value) {
        let message = format!("`{name}` is not a JSON Schema: {message}");
        notes.error(SCHEMA, node.place(&pointer), message);
    }
    false
}

/// The allowed values of a keyword.
#[derive(Clone, Copy)]
enum KeywordKind {
    Anything,
    Schema,
    /// A map from names to schemas.
    Schemas,
    /// A list of at least one schema.
    SchemaList,
    Types,
    List,
    /// A list of distinct names.
    Names,
    /// A map from names to lists of distinct names.
    NamesByName,
    Text,
    Flag,
    Number,
    /// A number greater than 0.
    Positive,
    /// A whole number, at least 0.
    Count,
}

const KEYWORDS: [(&str, KeywordKind); 58] = [
    ("$schema", KeywordKind::Text),
    ("$id", KeywordKind::Text),
    ("$ref", KeywordKind::Text),
    ("$anchor", KeywordKind::Text),
    ("$dynamicRef", KeywordKind::Text),
    ("$dynamicAnchor", KeywordKind::Text),
    ("$vocabulary", KeywordKind::Anything),
    ("$comment", KeywordKind::Text),
    ("$defs", KeywordKind::Schemas),
    ("definitions", KeywordKind::Schemas),
    ("title", KeywordKind::Text),
    ("description", KeywordKind::Text),
    ("default", KeywordKind::Anything),
    ("deprecated", KeywordKind::Flag),
    ("readOnly", KeywordKind::Flag),
    ("writeOnly", KeywordKind::Flag),
    ("examples", KeywordKind::List),
    ("type", KeywordKind::Types),
    ("const", KeywordKind::Anything),
    ("enum", KeywordKind::List),
    ("multipleOf", KeywordKind::Positive),
    ("maximum", KeywordKind::Number),
    ("exclusiveMaximum", KeywordKind::Number),
    ("minimum", KeywordKind::Number),
    ("exclusiveMinimum", KeywordKind::Number),
    ("maxLength", KeywordKind::Count),
    ("minLength", KeywordKind::Count),
    ("pattern", KeywordKind::Text),
    ("format", KeywordKind::Text),
    ("contentEncoding", KeywordKind::Text),
    ("contentMediaType", KeywordKind::Text),
    ("contentSchema", KeywordKind::Schema),
    ("maxItems", KeywordKind::Count),
    ("minItems", KeywordKind::Count),
    ("uniqueItems", KeywordKind::Flag),
    ("maxContains", KeywordKind::Count),
    ("minContains", KeywordKind::Count),
    ("contains", KeywordKind::Schema),
    ("items", KeywordKind::Schema),
    ("prefixItems", KeywordKind::SchemaList),
    ("unevaluatedItems", KeywordKind::Schema),
    ("maxProperties", KeywordKind::Count),
    ("minProperties", KeywordKind::Count),
    ("required", KeywordKind::Names),
    ("dependentRequired", KeywordKind::NamesByName),
    ("dependentSchemas", KeywordKind::Schemas),
    ("properties", KeywordKind::Schemas),
    ("patternProperties", KeywordKind::Schemas),
    ("additionalProperties", KeywordKind::Schema),
    ("unevaluatedProperties", KeywordKind::Schema),
    ("propertyNames", KeywordKind::Schema),
    ("allOf", KeywordKind::SchemaList),
    ("anyOf", KeywordKind::SchemaList),
    ("oneOf", KeywordKind::SchemaList),
    ("not", KeywordKind::Schema),
    ("if", KeywordKind::Schema),
    ("then", KeywordKind::Schema),
    ("else", KeywordKind::Schema),
];

const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Names of types in other languages, with their names in JSON Schema.
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

struct SchemaWalk<'n> {
    notes: &'n mut Notes,
    /// Whether the validator accepts the whole schema. Then most checks are skipped.
    is_valid: bool,
    found: usize,
    /// Whether there are references that only the validator can follow.
    refers: bool,
    whole: &'n Value,
}

impl SchemaWalk<'_> {
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

    fn keyword(&mut self, path: &str, entry: &Entry, kind: KeywordKind) {
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
            (KeywordKind::Schema, Tree::List(_)) if entry.key == "items" => {
                self.wrong(path, node, "one schema for all elements");
                self.notes
                    .help("give the schemas of the first elements in `prefixItems`");
            }
            (KeywordKind::Schema, _) => self.schema(path, node),
            (KeywordKind::Schemas, Tree::Map(entries)) => {
                for entry in entries {
                    self.schema(&format!("{path}.{}", entry.key), &entry.value);
                }
            }
            (KeywordKind::Schemas, _) => self.wrong(path, node, "a map from names to schemas"),
            (KeywordKind::SchemaList, Tree::List(items)) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.schema(&format!("{path}[{index}]"), item);
                }
            }
            (KeywordKind::SchemaList, _) => self.wrong(path, node, "a list of at least one schema"),
            // A valid schema has no mistakes in keywords that contain no schemas.
            _ if self.is_valid => {}
            (KeywordKind::Types, Tree::List(items)) if !items.is_empty() => {
                for item in items {
                    self.type_name(path, item);
                }
                self.each_once(path, items);
            }
            (KeywordKind::Types, _) => self.type_name(path, node),
            (KeywordKind::Names, _) => self.names(path, node),
            (KeywordKind::NamesByName, Tree::Map(entries)) => {
                for entry in entries {
                    self.names(&format!("{path}.{}", entry.key), &entry.value);
                }
            }
            (KeywordKind::NamesByName, _) => {
                self.wrong(path, node, "a map from names to lists of names");
            }
            (KeywordKind::List, Tree::List(_)) | (KeywordKind::Text, Tree::Text(_)) => {}
            (KeywordKind::List, _) => self.wrong(path, node, "a list"),
            (KeywordKind::Text, _) => {
                self.wrong(path, node, "a text");
                if matches!(node.tree, Tree::Number(_) | Tree::Bool(_)) {
                    self.notes.help("put it in quotes");
                }
            }
            (KeywordKind::Flag, Tree::Bool(_)) | (KeywordKind::Number, Tree::Number(_)) => {}
            (KeywordKind::Flag, _) => self.wrong(path, node, "true or false"),
            (KeywordKind::Number, _) => self.wrong(path, node, "a number"),
            (KeywordKind::Positive, Tree::Number(it)) if it.as_f64().is_some_and(|it| it > 0.0) => {
            }
            (KeywordKind::Positive, _) => self.wrong(path, node, "a number greater than 0"),
            (KeywordKind::Count, Tree::Number(it)) if is_count(it) => {}
            (KeywordKind::Count, _) => self.wrong(path, node, "a whole number, at least 0"),
            (KeywordKind::Anything, _) => {}
        }
    }

    fn pattern(&mut self, path: &str, pattern: &str, span: Span) {
        if json_schema::unusable_reason(&json!({"pattern": pattern})).is_some() {
            let message = format!("`{path}` is not a valid regular expression: `{pattern}`");
            self.notes.error(SCHEMA, span, message);
            self.found += 1;
        }
    }

    fn reference(&mut self, path: &str, target: &str, span: Span) {
        let is_pointer = target == "#" || target.starts_with("#/");
        if !is_pointer || target.contains('%') {
            self.refers = true;
        } else if self.whole.pointer(&target[1..]).is_none() {
            let message = format!("`{path}` refers to `{target}`, which this schema does not have");
            self.notes.error(SCHEMA, span, message);
            self.found += 1;
        }
    }

    fn type_name(&mut self, path: &str, node: &Node) {
        let word = match &node.tree {
            Tree::Text(word) if TYPES.contains(&word.as_str()) => return,
            Tree::Text(word) => Some(word.as_str()),
            // Someone wrote `type: null` without quotes.
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
                Tree::Bool(_) => self
                    .notes
                    .help("list the property in the `required` of its object: `required: [name]`"),
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

    /// Warns about an unknown keyword. Validators ignore it silently, so its intention would be lost.
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
                "write properties below `properties`: `properties: {{{}: …}}`",
                entry.key
            )
        } else if entry.key == "nullable" {
            "write `type: [string, \"null\"]`, with your type instead of string".to_owned()
        } else if entry.key == "optional" {
            "a property is optional unless its object lists it in `required`".to_owned()
        } else if let Some(help) = did_you_mean(&near) {
            help
        } else {
            // A custom keyword, such as `x-order`.
            return;
        };
        let message = format!(
            "`{}` is not a keyword of JSON Schema, and is ignored",
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

/// Guesses the type that a word refers to.
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
