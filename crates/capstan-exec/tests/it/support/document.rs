//! Reads GraphQL documents for the fake GitHub: operations of fields with aliases, arguments and fields below them.
//! It shares nothing with the crate that writes these documents.

use serde_json::{Map, Value};

/// A field that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// What it is called in the answer.
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
    fields: Vec<Field>,
}

impl Field {
    /// Returns what is asked for of a value.
    pub(crate) fn select(&self, value: &Value) -> Value {
        match value {
            Value::Object(object) if !self.fields.is_empty() => {
                let select = |field: &Field| {
                    let value = object.get(&field.name).unwrap_or(&Value::Null);
                    (field.key.clone(), field.select(value))
                };
                Value::Object(self.fields.iter().map(select).collect())
            }
            Value::Array(items) => items.iter().map(|item| self.select(item)).collect(),
            other => other.clone(),
        }
    }
}

/// Returns the fields at the root of a document's only operation.
pub(crate) fn root_fields(document: &str, variables: &Map<String, Value>) -> Vec<Field> {
    let mut reader = Reader {
        tokens: tokens(document),
        at: 0,
        variables,
    };
    reader.skip_head();
    let fields = reader.fields();
    assert_eq!(reader.peek(), "", "one operation is all there is");
    fields
}

struct Reader<'a> {
    tokens: Vec<String>,
    at: usize,
    variables: &'a Map<String, Value>,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_owned();
        assert!(!token.is_empty(), "the document breaks off");
        self.at += 1;
        token
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let is_there = self.peek() == wanted;
        self.at += usize::from(is_there);
        is_there
    }

    /// Skips the kind and the name of the operation, and the definitions of its variables.
    fn skip_head(&mut self) {
        let mut depth = 0;
        while depth > 0 || self.peek() != "{" {
            match self.next().as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
        }
    }

    fn fields(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        assert!(self.takes("{"), "fields are expected at {}", self.peek());
        while !self.takes("}") {
            fields.push(self.field());
        }
        fields
    }

    fn field(&mut self) -> Field {
        let key = self.next();
        assert_ne!(key, "...", "the fake knows no fragments");
        let name = if self.takes(":") {
            self.next()
        } else {
            key.clone()
        };
        let mut arguments = Map::new();
        if self.takes("(") {
            while !self.takes(")") {
                let argument = self.next();
                assert!(self.takes(":"), "{argument} has a value");
                let value = self.value();
                arguments.insert(argument, value);
            }
        }
        let fields = if self.peek() == "{" {
            self.fields()
        } else {
            Vec::new()
        };
        Field {
            key,
            name,
            arguments,
            fields,
        }
    }

    fn value(&mut self) -> Value {
        let token = self.next();
        match token.strip_prefix('$') {
            Some(variable) => self.variables.get(variable).cloned().unwrap_or(Value::Null),
            None => serde_json::from_str(&token).unwrap_or(Value::String(token)),
        }
    }
}

fn tokens(document: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut letters = document.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() || letter == ',' {
            continue;
        }
        let mut token = String::from(letter);
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        if is_word(letter) || letter == '$' {
            while let Some(more) = letters.next_if(|it| is_word(*it)) {
                token.push(more);
            }
        }
        tokens.push(token);
    }
    tokens
}
